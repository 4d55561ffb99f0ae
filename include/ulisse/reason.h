#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ulisse/findings.h"

namespace ulisse {

// Why a fit was made as it was, as data: a code, and the numbers and names behind it.
// docs/reference/formats.md has a table of the codes.
struct Reason {
  enum class Code {
    none,
    in_words,  // "words", of a fit by an earlier version
    // Why auto took a sampler:
    sampler_of_preset,
    exact_needs_memory,
    exact_too_slow,
    exact_quick_enough,
    exact_quickest,
    // Why steps of the sampler `ulisse` were exact, or no surrogate was learnt:
    few_rows,
    another_mode,
    no_maximum,
    not_gaussian,
    surrogate_not_wanted,
    step_given,
    many_parameters,
    no_gradients_around_mode,
    // Why one was not certified:
    gradient_not_converged,
    gradient_not_finite,
    attempts_failed,
    no_progress,
    gradients_spent,
    too_many_gradients_needed
  };

  Code code = Code::none;
  std::vector<Finding::Named> values{};

  bool given() const { return code != Code::none; }
  // The value of a name; throw std::invalid_argument where there is none of that kind.
  double number(std::string_view name) const;
  const std::string& text(std::string_view name) const;
};

// "few_rows", as in fit.json.
std::string_view to_string(Reason::Code code);
const std::vector<Reason::Code>& all_reason_codes();

// A part of a sentence: "there are few rows". Empty where there is no reason.
std::string to_text(const Reason& reason);

}  // namespace ulisse
