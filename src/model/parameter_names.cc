#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "model/plain_name.h"
#include "model/shape_names.h"
#include "ulisse/kernel.h"

namespace ulisse {

namespace {

std::string input_name(const KernelInput& input, const std::vector<std::string>& features) {
  const auto column = static_cast<std::size_t>(input.column);
  return column < features.size() ? plain_name(features[column]) : std::to_string(input.column + 1);
}

std::string shape_name(const Factor& factor) {
  const bool circle = !factor.inputs.empty() && factor.inputs[0].kind == KernelInput::Kind::circle;
  return circle ? kPeriodic : name_of(factor.shape, false);
}

// "tau.2.day" is tau of the second term and day: the term's number where there are several, the
// inputs where a term has several factors, or one tau for each of them. Kernels on all inputs count
// these, so that their parameters are an array.
class Names {
 public:
  Names(const Kernel& kernel, Index d, const std::vector<std::string>& features)
      : kernel_(kernel), d_(d), features_(features) {}

  std::vector<Parameter> parameters() {
    for (std::size_t t = 0; t < kernel_.terms.size(); ++t) add_term(static_cast<Index>(t));
    return std::move(all_);
  }

 private:
  std::string with_term(const std::string& stem, Index term) const {
    return kernel_.terms.size() == 1 ? stem : fmt::format("{}.{}", stem, term + 1);
  }

  void add_term(Index term) {
    const auto& factors = kernel_.terms[static_cast<std::size_t>(term)].factors;
    all_.push_back({.name = with_term("sigma", term), .role = Role::signal_variance, .term = term});
    for (const Factor& factor : factors) add_factor(factor, term, factors.size() > 1);
  }

  void add_factor(const Factor& factor, Index term, bool one_of_several) {
    const auto inputs = inputs_of(factor, d_);
    const std::string stem = with_term("tau", term);
    for (Index k = 0; factor.ard && k < static_cast<Index>(inputs.size()); ++k) {
      const KernelInput& input = inputs[static_cast<std::size_t>(k)];
      const std::string name =
          factor.by_name ? input_name(input, features_) : std::to_string(k + 1);
      add(unique(stem, name, factor), {input}, factor, term);
    }
    if (factor.ard) return;
    std::vector<std::string> names;
    for (const KernelInput& input : inputs) names.push_back(input_name(input, features_));
    const std::string of_inputs = fmt::format("{}", fmt::join(names, "_"));
    add(one_of_several ? unique(stem, of_inputs, factor) : stem, inputs, factor, term);
  }

  // Two factors of a term may have the same inputs, and then differ by their shapes.
  std::string unique(const std::string& stem, const std::string& name, const Factor& factor) {
    std::string found = fmt::format("{}.{}", stem, name);
    if (used_.contains(found)) found = fmt::format("{}.{}_{}", stem, shape_name(factor), name);
    for (int again = 2; used_.contains(found); ++again) {
      found = fmt::format("{}.{}_{}_{}", stem, shape_name(factor), name, again);
    }
    return found;
  }

  void add(const std::string& name, const std::vector<KernelInput>& inputs, const Factor& factor,
           Index term) {
    used_.insert(name);
    all_.push_back({.name = name,
                    .role = Role::inverse_squared_length,
                    .inputs = inputs,
                    .per_input = factor.ard,
                    .shape = factor.shape,
                    .term = term});
  }

  const Kernel& kernel_;
  Index d_;
  const std::vector<std::string>& features_;
  std::vector<Parameter> all_;
  std::set<std::string> used_;
};

}  // namespace

std::vector<Parameter> Kernel::parameters(Index d, const std::vector<std::string>& features) const {
  return Names(*this, d, features).parameters();
}

}  // namespace ulisse
