#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
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
    count_names(factors);
    for (const Factor& factor : factors) add_factor(factor, term, factors.size() > 1);
  }

  // What the taus of a factor are called behind the term: by each input, or by all of them.
  std::vector<std::string> names_of(const Factor& factor) const {
    std::vector<std::string> names;
    for (const KernelInput& input : inputs_of(factor, d_)) {
      const bool counted = factor.ard && !factor.by_name;
      names.push_back(counted ? std::to_string(names.size() + 1) : input_name(input, features_));
    }
    if (factor.ard) return names;
    return {fmt::format("{}", fmt::join(names, "_"))};
  }

  void count_names(const std::vector<Factor>& factors) {
    in_term_.clear();
    for (const Factor& factor : factors) {
      for (const std::string& name : names_of(factor)) ++in_term_[name];
    }
  }

  void add_factor(const Factor& factor, Index term, bool one_of_several) {
    const auto inputs = inputs_of(factor, d_);
    const auto names = names_of(factor);
    const std::string stem = with_term("tau", term);
    if (!factor.ard) {
      add(one_of_several ? unique(stem, names[0], factor) : stem, inputs, factor, term);
      return;
    }
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      add(unique(stem, names[k], factor), {inputs[k]}, factor, term);
    }
  }

  // Factors of a term that have the same inputs differ by their shapes.
  std::string unique(const std::string& stem, const std::string& name, const Factor& factor) {
    std::string found = in_term_[name] == 1
                            ? fmt::format("{}.{}", stem, name)
                            : fmt::format("{}.{}_{}", stem, shape_name(factor), name);
    for (int again = 2; used_.contains(found); ++again) {
      found = fmt::format("{}.{}_{}_{}", stem, shape_name(factor), name, again);
    }
    return found;
  }

  void add(const std::string& name, const std::vector<KernelInput>& inputs, const Factor& factor,
           Index term) {
    used_.insert(name);
    // The only input's name may stand behind it, as it does in the table's units.
    std::string alias = name;
    if (inputs.size() == 1) alias = fmt::format("{}.{}", name, input_name(inputs[0], features_));
    all_.push_back({.name = name,
                    .alias = alias,
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
  std::map<std::string, int> in_term_;  // how many taus of a term would have a name
};

}  // namespace

std::vector<Parameter> Kernel::parameters(Index d, const std::vector<std::string>& features) const {
  return Names(*this, d, features).parameters();
}

}  // namespace ulisse
