#include "ulisse/effects.h"

#include <algorithm>
#include <memory>

#include "base/memory.h"
#include "base/watch.h"
#include "predict/exact_predictor.h"
#include "predict/iterative_predictor.h"
#include "predict/predictive_draws.h"
#include "predict/saved_fit.h"
#include "predict/shares_of_variance.h"
#include "ulisse/diagnose.h"

namespace ulisse {

namespace {

// Beyond it a Cholesky factorisation for every draw takes a minute each.
constexpr Index kExactRows = 12000;

struct SolvedFunction : IterativePredictor {
  using IterativePredictor::function;
  using IterativePredictor::IterativePredictor;
};

// The function for one draw after the other, by Cholesky where that fits: its moments, and its mean
// alone, which takes no solves.
class FunctionOfDraws {
 public:
  FunctionOfDraws(const SavedFit& fit, const EffectOptions& options) {
    const std::size_t memory = options.memory > 0 ? options.memory : machine_memory_bytes() / 2;
    const Index rows = fit.data.x.rows();
    const auto n = static_cast<double>(rows);
    if (bytes_of(n * n) <= memory && rows <= kExactRows) {
      exact_ = std::make_unique<ExactPredictor>(fit.model, fit.data.x, fit.data.y);
    } else {
      solved_ = std::make_unique<SolvedFunction>(
          fit.model, fit.data.x, fit.data.y,
          PredictorOptions{.memory = memory, .seed = options.seed, .latent = true});
    }
  }

  Predictor& predictor() const {
    if (exact_) return *exact_;
    return *solved_;
  }

  Vector mean(const Matrix& points) const {
    constexpr Index kTogether = 1024;  // columns of the covariance with the rows of the fit
    const PredictedFunction& f = exact_ ? exact_->function() : solved_->function();
    const Component everything = predictor().everything();
    Vector values(points.rows());
    for (Index start = 0; start < points.rows(); start += kTogether) {
      keep_watch();
      const Index count = std::min(kTogether, points.rows() - start);
      const Matrix some = points.middleRows(start, count);
      Matrix spread;
      values.segment(start, count) = f.mean(some, everything, f.cross(some, everything), spread);
    }
    return values;
  }

 private:
  std::unique_ptr<ExactPredictor> exact_;
  std::unique_ptr<SolvedFunction> solved_;
};

bool is_category(const Dataset& data, Index k) {
  return !data.levels.empty() && !data.levels[static_cast<std::size_t>(k)].empty();
}

// The median, or the most frequent level, of a scaled column.
double typical(const Dataset& data, Index k) {
  Vector column = data.x.col(k);
  if (!is_category(data, k)) return diagnose::quantile(column, 0.5);
  Vector count = Vector::Zero(static_cast<Index>(data.levels[static_cast<std::size_t>(k)].size()));
  for (const double level : column) count(static_cast<Index>(level)) += 1;
  Index most = 0;
  count.maxCoeff(&most);
  return static_cast<double>(most);
}

Indices inputs_of(const Dataset& data) {
  Indices inputs;
  for (Index k = 0; k < data.x.cols(); ++k) {
    if (!data.known_noise || data.known_noise->column != k) inputs.push_back(k);
  }
  return inputs;
}

// Along an input, scaled: from its smallest value to its largest, or each level.
Vector grid_of(const Dataset& data, Index k, Index points) {
  if (is_category(data, k)) {
    const auto levels = static_cast<Index>(data.levels[static_cast<std::size_t>(k)].size());
    return Vector::LinSpaced(levels, 0, static_cast<double>(levels - 1));
  }
  return Vector::LinSpaced(points, data.x.col(k).minCoeff(), data.x.col(k).maxCoeff());
}

// Some rows of the table with one input along its grid: for each point of the grid all the rows.
Matrix averaging_points(const Matrix& rows, Index k, const Vector& grid) {
  Matrix points = rows.replicate(grid.size(), 1);
  for (Index g = 0; g < grid.size(); ++g) {
    points.col(k).segment(g * rows.rows(), rows.rows()).setConstant(grid(g));
  }
  return points;
}

Spread spread_of(const ConstVector& draws, double level) {
  const Vector q = diagnose::quantiles(draws, {0.5, (1 - level) / 2, (1 + level) / 2});
  return {q(0), q(1), q(2)};
}

// What every draw adds, and what comes out of all of them.
class EffectsOfDraws {
 public:
  EffectsOfDraws(const SavedFit& fit, const EffectOptions& options, Index draws)
      : fit_(fit),
        options_(options),
        inputs_(inputs_of(fit.data)),
        rng_(stream(options.seed, 0, Purpose::simulation, 1)),
        sobol_(fit.data.x, inputs_, options.base, rng_),
        rows_(spread_draws(fit.data.x, options.rows)) {
    RowVector middle(fit.data.x.cols());
    for (Index k = 0; k < middle.size(); ++k) middle(k) = typical(fit.data, k);
    for (const Index k : inputs_) {
      grids_.push_back(grid_of(fit.data, k, options.points));
      Matrix points = middle.replicate(grids_.back().size(), 1);
      points.col(k) = grids_.back();
      curves_.push_back(
          {.mean = Matrix(points.rows(), draws), .latent = Matrix(points.rows(), draws)});
      averages_.emplace_back(points.rows(), draws);
      points_.push_back(std::move(points));
    }
    const auto d = static_cast<Index>(inputs_.size());
    first_.resize(draws, d);
    total_.resize(draws, d);
    pairs_.resize(draws, d * d);
  }

  void add(Index s, const FunctionOfDraws& function) {
    for (std::size_t j = 0; j < inputs_.size(); ++j) {
      const Moments found = function.predictor().moments(points_[j]);
      curves_[j].mean.col(s) = fit_.scaling.unscale_y(found.mean);
      curves_[j].latent.col(s) = fit_.scaling.y_sd * found.variance.cwiseSqrt();
      const Vector all = function.mean(averaging_points(rows_, inputs_[j], grids_[j]));
      const Vector averages =
          Eigen::Map<const Matrix>(all.data(), rows_.rows(), grids_[j].size()).colwise().mean();
      averages_[j].col(s) = fit_.scaling.unscale_y(averages);
    }
    const SharesOfVariance shares = shares_of_variance(
        [&](const Matrix& points) { return function.mean(points); }, sobol_, inputs_);
    first_.row(s) = shares.first_order.transpose();
    total_.row(s) = shares.total.transpose();
    pairs_.row(s) = shares.pairs.reshaped().transpose();
  }

  Effects result() const {
    Effects all{.inputs = {}, .pairs = {}, .draws = first_.rows()};
    const auto d = static_cast<Index>(inputs_.size());
    for (Index j = 0; j < d; ++j) all.inputs.push_back(effect(j));
    for (Index j = 1; j < d; ++j) {
      for (Index i = 0; i < j; ++i) {
        all.pairs.push_back({i, j, spread_of(pairs_.col(j * d + i), options_.level)});
      }
    }
    std::stable_sort(all.pairs.begin(), all.pairs.end(),
                     [](const auto& a, const auto& b) { return a.share.median > b.share.median; });
    return all;
  }

 private:
  Effect effect(Index j) const {
    const auto at = static_cast<std::size_t>(j);
    const Index k = inputs_[at];
    const Vector levels =
        (Vector(2) << (1 - options_.level) / 2, (1 + options_.level) / 2).finished();
    const Matrix curve = describe(curves_[at], levels, true);
    Effect effect{.input = fit_.data.features[static_cast<std::size_t>(k)],
                  .at = fit_.scaling.unscale_x(points_[at]).col(k),
                  .mean = curve.col(0),
                  .lower = curve.col(2),
                  .upper = curve.col(3),
                  .averaged = averages_[at].rowwise().mean()};
    effect.averaged_lower = effect.averaged_upper = effect.averaged;
    for (Index g = 0; g < effect.averaged.size(); ++g) {
      const Spread spread = spread_of(averages_[at].row(g).transpose(), options_.level);
      effect.averaged_lower(g) = spread.lower;
      effect.averaged_upper(g) = spread.upper;
    }
    effect.first_order = spread_of(first_.col(j), options_.level);
    effect.total = spread_of(total_.col(j), options_.level);
    return effect;
  }

  const SavedFit& fit_;
  const EffectOptions& options_;
  Indices inputs_;
  Rng rng_;
  SobolPoints sobol_;
  Matrix rows_;
  std::vector<Vector> grids_;
  std::vector<Matrix> points_;  // of curves, others as is typical
  std::vector<PredictiveDraws> curves_;
  std::vector<Matrix> averages_;  // (points, draws)
  Matrix first_, total_, pairs_;  // (draws, inputs), and each pair of inputs
};

}  // namespace

Effects effects(const Fit& fit, const EffectOptions& options) {
  const SavedFit saved = saved_fit(fit);
  const Matrix psi = spread_draws(saved.psi, options.draws);
  const FunctionOfDraws function(saved, options);
  EffectsOfDraws all(saved, options, psi.rows());
  for (Index s = 0; s < psi.rows(); ++s) {
    keep_watch();
    if (options.progress) options.progress(s);
    function.predictor().condition(psi.row(s).transpose());
    all.add(s, function);
  }
  return all.result();
}

}  // namespace ulisse
