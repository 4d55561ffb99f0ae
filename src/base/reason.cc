#include "ulisse/reason.h"

#include <fmt/format.h>

#include <stdexcept>

#include "base/code_names.h"
#include "base/named_values.h"

namespace ulisse {

namespace {

using Code = Reason::Code;

const CodeNames<Code>& names() {
  static const CodeNames<Code> names = {{
      {Code::none, "none"},
      {Code::in_words, "in_words"},
      {Code::sampler_of_preset, "sampler_of_preset"},
      {Code::exact_needs_memory, "exact_needs_memory"},
      {Code::exact_too_slow, "exact_too_slow"},
      {Code::exact_quick_enough, "exact_quick_enough"},
      {Code::exact_quickest, "exact_quickest"},
      {Code::few_rows, "few_rows"},
      {Code::another_mode, "another_mode"},
      {Code::no_maximum, "no_maximum"},
      {Code::not_gaussian, "not_gaussian"},
      {Code::surrogate_not_wanted, "surrogate_not_wanted"},
      {Code::step_given, "step_given"},
      {Code::many_parameters, "many_parameters"},
      {Code::no_gradients_around_mode, "no_gradients_around_mode"},
      {Code::gradient_not_converged, "gradient_not_converged"},
      {Code::gradient_not_finite, "gradient_not_finite"},
      {Code::attempts_failed, "attempts_failed"},
      {Code::no_progress, "no_progress"},
      {Code::gradients_spent, "gradients_spent"},
      {Code::too_many_gradients_needed, "too_many_gradients_needed"},
  }};
  return names;
}

template <class T>
const T& value_of(const Reason& reason, std::string_view name) {
  if (const T* value = value_named<T>(name, reason.values)) return *value;
  throw std::invalid_argument(
      fmt::format("the reason {} has no such value '{}'", to_string(reason.code), name));
}

}  // namespace

double Reason::number(std::string_view name) const { return value_of<double>(*this, name); }

const std::string& Reason::text(std::string_view name) const {
  return value_of<std::string>(*this, name);
}

std::string_view to_string(Code code) { return names().of(code); }

const std::vector<Code>& all_reason_codes() {
  static const std::vector<Code> codes = names().codes();
  return codes;
}

}  // namespace ulisse
