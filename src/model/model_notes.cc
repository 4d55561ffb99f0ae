#include "model/model_notes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <map>

#include "base/option_names.h"
#include "model/named_priors.h"
#include "model/shape_names.h"

namespace ulisse {

namespace {

using Inputs = std::vector<KernelInput>;

std::string text_of(const KernelInput& input) {
  return fmt::format("{}:{}:{}", input.column, static_cast<int>(input.kind), input.period);
}

std::string text_of(const Inputs& inputs) {
  std::vector<std::string> texts;
  for (const KernelInput& input : inputs) texts.push_back(text_of(input));
  std::sort(texts.begin(), texts.end());
  return fmt::format("{}", fmt::join(texts, ","));
}

// Two levels are equal or not: such a factor has one number, whatever its shape.
bool is_one_category(const Inputs& inputs) {
  return inputs.size() == 1 && inputs[0].kind == KernelInput::Kind::category;
}

// A tau of a factor, by its place among the layout's parameters.
struct Tau {
  std::size_t place;
  Inputs inputs;
};

struct FactorTaus {
  Shape shape;
  std::vector<Tau> taus;

  // Factors with the same text are the same function of tau. Those of one category say so by each
  // tau, since a product of rbf may be written as one rbf-ard.
  std::vector<std::string> texts() const {
    std::vector<std::string> each;
    for (const Tau& tau : taus) each.push_back(text_of(tau.inputs));
    if (shape != Shape::rbf && !(taus.size() == 1 && is_one_category(taus[0].inputs))) {
      std::sort(each.begin(), each.end());
      return {fmt::format("{}({})", name_of(shape, false), fmt::join(each, ";"))};
    }
    for (std::size_t k = 0; k < taus.size(); ++k) {
      each[k] = (is_one_category(taus[k].inputs) ? "level " : "rbf ") + each[k];
    }
    return each;
  }
};

// The factors of a term, taken from the kernel in the order of the layout's parameters.
struct TermTaus {
  std::size_t sigma;
  std::vector<FactorTaus> factors;

  std::string text() const {
    std::vector<std::string> all;
    for (const FactorTaus& factor : factors) {
      for (const std::string& text : factor.texts()) all.push_back(text);
    }
    std::sort(all.begin(), all.end());
    return fmt::format("{}", fmt::join(all, "*"));
  }
};

std::vector<TermTaus> terms_of(const Model& model) {
  std::vector<TermTaus> terms;
  std::size_t place = 0;
  for (const Term& term : model.kernel.terms) {
    TermTaus of_term{.sigma = place++, .factors = {}};
    for (const Factor& factor : term.factors) {
      FactorTaus taus{.shape = factor.shape, .taus = {}};
      for (Index k = factor.tau_count(model.dimensions); k > 0; --k, ++place) {
        taus.taus.push_back({place, model.layout.parameters()[place].inputs});
      }
      of_term.factors.push_back(std::move(taus));
    }
    terms.push_back(std::move(of_term));
  }
  return terms;
}

class Notes {
 public:
  explicit Notes(const Model& model) : model_(model), terms_(terms_of(model)) {}

  std::vector<std::string> all() {
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      for (std::size_t other = t + 1; other < terms_.size(); ++other) compare(t, other);
      note_sums_of_taus(terms_[t]);
      note_equal_factors(terms_[t]);
    }
    return std::move(notes_);
  }

 private:
  const Parameter& at(std::size_t place) const { return model_.layout.parameters()[place]; }

  // What the priors say of a term, whatever the order of its parameters; nothing where a parameter
  // is fixed, which tells the term from others.
  std::vector<std::string> priors_of(const TermTaus& term) const {
    std::vector<std::string> priors = {"sigma " + at(term.sigma).prior.to_string()};
    bool fixed = at(term.sigma).fixed.has_value();
    for (const FactorTaus& factor : term.factors) {
      for (const Tau& tau : factor.taus) {
        priors.push_back(text_of(tau.inputs) + " " + at(tau.place).prior.to_string());
        fixed = fixed || at(tau.place).fixed.has_value();
      }
    }
    if (fixed) return {};
    std::sort(priors.begin(), priors.end());
    return priors;
  }

  void compare(std::size_t t, std::size_t other) {
    const auto priors = priors_of(terms_[t]), others = priors_of(terms_[other]);
    if (terms_[t].text() != terms_[other].text() || priors.empty() || others.empty()) return;
    notes_.push_back(fmt::format(
        "terms {} and {} of the kernel are the same function of the same inputs: {}; leave one of "
        "them out{}",
        t + 1, other + 1,
        priors == others ? "neither the data nor the priors tell them apart, so that they trade "
                           "places, and only their sum is known"
                         : "their priors alone tell them apart, not the data",
        priors == others ? ", or give them priors that say which is which" : ""));
  }

  // The rbf of a product of rbf has for each input the sum of the taus on it: fewer sums than taus
  // leave some of these free.
  void note_sums_of_taus(const TermTaus& term) {
    std::vector<Tau> taus;
    std::map<std::string, Index> inputs;
    for (const FactorTaus& factor : term.factors) {
      for (const Tau& tau : factor.taus) {
        if (factor.shape != Shape::rbf || at(tau.place).fixed) continue;
        taus.push_back(tau);
        for (const auto& input : tau.inputs) inputs.try_emplace(text_of(input), inputs.size());
      }
    }
    if (taus.size() < 2) return;
    Matrix sums = Matrix::Zero(static_cast<Index>(inputs.size()), static_cast<Index>(taus.size()));
    for (std::size_t k = 0; k < taus.size(); ++k) {
      for (const KernelInput& input : taus[k].inputs) {
        sums(inputs.at(text_of(input)), static_cast<Index>(k)) = 1;
      }
    }
    const Eigen::FullPivLU<Matrix> solved(sums);
    if (solved.dimensionOfKernel() == 0) return;
    const Vector free = Matrix(solved.kernel()).cwiseAbs().rowwise().maxCoeff();
    std::vector<std::string> names;
    for (std::size_t k = 0; k < taus.size(); ++k) {
      if (free(static_cast<Index>(k)) > 1e-9) names.push_back(at(taus[k].place).name);
    }
    notes_.push_back(
        fmt::format("of {} the data know sums alone, since a product of rbf on the same inputs is "
                    "one rbf; leave a factor out, or fix its tau",
                    fmt::join(names, " and ")));
  }

  // rbf has its own note.
  void note_equal_factors(const TermTaus& term) {
    for (std::size_t f = 0; f < term.factors.size(); ++f) {
      for (std::size_t g = f + 1; g < term.factors.size(); ++g) {
        const FactorTaus &a = term.factors[f], &b = term.factors[g];
        const bool both_rbf = a.shape == Shape::rbf && b.shape == Shape::rbf;
        const bool fixed = at(a.taus[0].place).fixed || at(b.taus[0].place).fixed;
        if (both_rbf || fixed || a.texts() != b.texts()) continue;
        notes_.push_back(
            fmt::format("{} and {} belong to factors that are the same function of the same "
                        "inputs, which the data cannot tell apart; leave one of them out",
                        at(a.taus[0].place).name, at(b.taus[0].place).name));
      }
    }
  }

  const Model& model_;
  std::vector<TermTaus> terms_;
  std::vector<std::string> notes_;
};

// Of parameters that are fixed.
void note_idle_priors(const Model& model, const Dataset& raw, std::vector<std::string>& notes) {
  for (const auto& prior : with_places(model.given.priors, model.kernel, raw, "priors")) {
    const std::string name = parameter_in(prior);
    if (!model.layout.is_fixed(name)) continue;
    notes.push_back(fmt::format("{}: the prior of {} does nothing, since that is fixed",
                                option_named("priors"), name));
  }
}

// Least squares; of a large table some rows, whose number does not matter for what is asked.
Vector coefficients_of(const Mean& mean, const Dataset& raw) {
  constexpr Index kMostRows = 10000;
  const Index step = (raw.x.rows() + kMostRows - 1) / kMostRows;
  Indices rows;
  for (Index i = 0; i < raw.x.rows(); i += step) rows.push_back(i);
  const Matrix x = raw.x(rows, Eigen::all);
  return mean.basis(x).colPivHouseholderQr().solve(Vector(raw.y(rows)));
}

std::string name_of_coefficient(const Mean& mean, const Dataset& raw, Index place) {
  const Index input = place - (mean.intercept ? 1 : 0);
  if (input < 0) return "the intercept, where the inputs are 0";
  return "the slope in " +
         raw.features[static_cast<std::size_t>(mean.inputs[static_cast<std::size_t>(input)])];
}

// Beyond one of its standard deviations a prior takes away from the likelihood what other
// parameters then make up for.
void note_narrow_trend(const Model& model, const Dataset& raw, std::vector<std::string>& notes) {
  if (model.mean.size() == 0 || raw.x.rows() <= model.mean.size()) return;
  const Vector coefficients = coefficients_of(model.mean, raw);
  Index place = 0;
  const double largest = coefficients.cwiseAbs().maxCoeff(&place);
  if (!(largest > model.mean.scale) || !std::isfinite(largest)) return;
  const double enough = std::pow(10, std::ceil(std::log10(largest)) + 1);
  notes.push_back(
      fmt::format("without standardising, the prior sd of the trend's coefficients, {:g}, is in "
                  "the table's own "
                  "units, and least squares has {:.3g} for {}: {} says hardly anything there",
                  model.mean.scale, coefficients(place),
                  name_of_coefficient(model.mean, raw, place), option_set("trend_scale", enough)));
}

void note_idle_scale(const Model& model, std::vector<std::string>& notes) {
  if (model.mean.size() > 0 || model.mean.scale == Mean().scale) return;
  notes.push_back(fmt::format("{} does nothing without {}", option_named("trend_scale"),
                              option_named("trend")));
}

}  // namespace

std::vector<std::string> notes_on(const Model& model, const Dataset& raw, bool standardised) {
  std::vector<std::string> notes = Notes(model).all();
  note_idle_priors(model, raw, notes);
  note_idle_scale(model, notes);
  if (!standardised) note_narrow_trend(model, raw, notes);
  return notes;
}

}  // namespace ulisse
