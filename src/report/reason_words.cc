#include <fmt/format.h>

#include <cmath>

#include "base/code_names.h"
#include "base/named_values.h"
#include "ulisse/reason.h"

namespace ulisse {

namespace {

using Code = Reason::Code;

// "12 s", "7 min"
std::string about_seconds(double seconds) {
  if (seconds < 90) return fmt::format("{:.2g} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.2g} h", seconds / 3600);
}

std::string time_of(const Reason& reason, const char* name) {
  return about_seconds(reason.number(name));
}

std::string exact_time(const Reason& reason) {
  return fmt::format("on the exact likelihood of {:.0f} rows {} would take about {} here",
                     reason.number("rows"), reason.text("exact"), time_of(reason, "exact_seconds"));
}

std::string exact_steps_time(const Reason& reason) {
  const double* seconds = value_named<double>("exact_steps_seconds", reason.values);
  if (seconds == nullptr || std::isnan(*seconds)) return "";
  return fmt::format(" (or {} where the posterior asks for exact steps)", about_seconds(*seconds));
}

// Of codes whose numbers are for programs.
std::string_view words_alone(Code code) {
  static const CodeNames<Code> words = {{
      {Code::none, ""},
      {Code::few_rows, "there are few rows"},
      {Code::another_mode, "the posterior has another mode"},
      {Code::no_maximum, "the posterior has no maximum where it was sought"},
      {Code::not_gaussian, "the posterior is far from Gaussian"},
      {Code::surrogate_not_wanted, "none was asked for"},
      {Code::step_given, "a step was given"},
      {Code::many_parameters, "there are many parameters"},
      {Code::no_gradients_around_mode, "gradients could not be computed around the mode"},
      {Code::gradient_not_converged, "solves for a gradient did not converge"},
      {Code::gradient_not_finite, "a gradient could not be computed"},
      {Code::attempts_failed, "its attempts at the certificate failed"},
      {Code::no_progress, "more gradients did not make it better"},
      {Code::gradients_spent, "it would take more gradients"},
      {Code::too_many_gradients_needed, "it would take many more gradients"},
  }};
  return words.of(code);
}

std::string words_of_choice(const Reason& reason) {
  if (reason.code == Code::exact_too_slow) {
    return fmt::format("{}, {} about {}{}", exact_time(reason), reason.text("other"),
                       time_of(reason, "other_seconds"), exact_steps_time(reason));
  }
  return fmt::format("{}, {} {} ({})", exact_time(reason),
                     reason.code == Code::exact_quickest
                         ? "no more than"
                         : "which is quick enough to be exact, beside",
                     reason.text("other"), time_of(reason, "other_seconds"));
}

}  // namespace

std::string to_text(const Reason& reason) {
  switch (reason.code) {
    case Code::in_words:
      return reason.text("words");
    case Code::sampler_of_preset:
      return fmt::format("the sampler of the preset {}", reason.text("preset"));
    case Code::exact_needs_memory:
      return fmt::format("an exact likelihood of {:.0f} rows does not fit in memory",
                         reason.number("rows"));
    case Code::exact_too_slow:
    case Code::exact_quick_enough:
    case Code::exact_quickest:
      return words_of_choice(reason);
    default:
      return std::string(words_alone(reason.code));
  }
}

}  // namespace ulisse
