#include "ulisse/predict.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/option_names.h"
#include "fit/fit_contents.h"
#include "predict/predictive_draws.h"
#include "predict/saved_fit.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

Vector rising(const std::vector<double>& levels) {
  std::vector<double> sorted = levels;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  return Eigen::Map<const Vector>(sorted.data(), static_cast<Index>(sorted.size()));
}

void check_options(const PredictOptions& options, const SavedFit& fit, const ConstBlock& x) {
  if (x.cols() != fit.data.x.cols()) {
    throw InputError(fmt::format("the new points have {} columns, and the fit {} inputs", x.cols(),
                                 fit.data.x.cols()));
  }
  if (!x.allFinite()) throw InputError("the new points have a value that is not finite");
  if (options.draws < 1) {
    throw InputError(fmt::format("{} must be at least 1", option_named("draws")));
  }
  for (const double level : options.quantiles) {
    if (!(level > 0 && level < 1)) {
      throw InputError(
          fmt::format("{}: {:g} does not lie between 0 and 1", option_named("quantiles"), level));
    }
  }
}

// Of a fit that may predict again and again: its table and draws, and the factors of draws, which
// are all that takes long.
class Kept : public Fit::Contents::Kept {
 public:
  explicit Kept(const Fit& fit) : fit_(saved_fit(fit)) {}

  const SavedFit& fit() const { return fit_; }

  Predictor& predictor(const Matrix& x_scaled, const PredictOptions& options, bool latent) {
    const bool exact = options.method == "exact" || options.method == "auto";
    // Factors do not depend on new points; what else predictors have, may.
    if (predictor_ && exact && predictor_->name() == "exact" && options.memory == memory_) {
      return *predictor_;
    }
    predictor_.reset();
    memory_ = options.memory;
    predictor_ = make_predictor(fit_.model, fit_.data.x, fit_.data.y,
                                {.method = options.method,
                                 .memory = options.memory,
                                 .rank = options.rank,
                                 .seed = options.seed,
                                 .points = some_rows(x_scaled),
                                 .latent = latent,
                                 .keep = true});
    return *predictor_;
  }

  // What does not predict faster the next time gives its memory back.
  void end_of_call() {
    if (predictor_->name() != "exact") predictor_.reset();
  }

 private:
  const SavedFit fit_;
  std::unique_ptr<Predictor> predictor_;
  std::size_t memory_ = 0;
};

Kept& kept_of(const Fit& fit) {
  auto& kept = fit.contents().kept;
  if (!kept) kept = std::make_unique<Kept>(fit);
  return static_cast<Kept&>(*kept);
}

// Columns of rising levels in the order that was asked for.
Matrix in_order(const Matrix& found, const Vector& levels, const std::vector<double>& asked) {
  Matrix chosen(found.rows(), static_cast<Index>(asked.size()));
  for (std::size_t q = 0; q < asked.size(); ++q) {
    const auto at = std::find(levels.begin(), levels.end(), asked[q]) - levels.begin();
    chosen.col(static_cast<Index>(q)) = found.col(at);
  }
  return chosen;
}

std::vector<PredictedComponent> averaged(const std::vector<ComponentDraws>& components) {
  std::vector<PredictedComponent> all;
  for (const ComponentDraws& component : components) {
    PredictedComponent found{component.name, Vector(component.mean.rows()),
                             Vector(component.mean.rows())};
    for (Index i = 0; i < found.mean.size(); ++i) {
      const GaussianMixture mixture = component.at(i);
      found.mean(i) = mixture.mean();
      found.sd(i) = mixture.sd();
    }
    all.push_back(std::move(found));
  }
  return all;
}

}  // namespace

Predictions predict(const Fit& fit, const ConstBlock& x, const PredictOptions& options) {
  const std::lock_guard<std::mutex> one_at_a_time(fit.contents().predicting);
  Kept& kept = kept_of(fit);
  const SavedFit& saved = kept.fit();
  check_options(options, saved, x);
  Predictor& predictor =
      kept.predictor(saved.scaling.scale_x(x), options,
                     options.latent || options.samples > 0 || options.components);
  PredictiveDraws draws =
      predictive_draws(saved, x, spread_draws(saved.psi, options.draws), predictor,
                       {.samples = options.samples, .components = options.components}, options.seed,
                       options.progress);
  const Vector levels = rising(options.quantiles);
  const Matrix numbers = describe(draws, levels, options.latent);
  Predictions found{
      .mean = numbers.col(0),
      .sd = numbers.col(1),
      .quantiles = in_order(numbers.rightCols(levels.size()), levels, options.quantiles),
      .samples = std::move(draws.samples),
      .components = averaged(draws.components),
      .method = predictor.name(),
      .variance_error = predictor.variance_error()};
  kept.end_of_call();
  return found;
}

Matrix predictive_covariance(const Fit& fit, const ConstBlock& x, const PredictOptions& options) {
  const std::lock_guard<std::mutex> one_at_a_time(fit.contents().predicting);
  Kept& kept = kept_of(fit);
  const SavedFit& saved = kept.fit();
  check_options(options, saved, x);
  check_joint_memory(fmt::format("the covariance of {} points", x.rows()), x.rows(),
                     saved.data.x.rows());
  const Matrix scaled = saved.scaling.scale_x(x);
  // What different points share is of the function, whether there is noise on the diagonal or not.
  Predictor& predictor = kept.predictor(scaled, options, true);
  const Matrix psi = spread_draws(saved.psi, options.draws);
  Matrix sum = Matrix::Zero(x.rows(), x.rows()), means(x.rows(), psi.rows());
  for (Index i = 0; i < psi.rows(); ++i) {
    if (options.progress) options.progress(i, 0);
    predictor.condition(psi.row(i).transpose());
    sum += predictor.covariance(scaled);
    if (!options.latent) {
      sum.diagonal() += saved.model.noise_diagonal(psi.row(i).transpose(), scaled);
    }
    means.col(i) = predictor.moments(scaled).mean;
  }
  kept.end_of_call();
  means.colwise() -= means.rowwise().mean();
  sum += means * means.transpose();
  // Products are symmetric but for rounding, and a covariance to the last bit.
  const double unit = saved.scaling.y_sd * saved.scaling.y_sd / static_cast<double>(psi.rows());
  return 0.5 * unit * (sum + sum.transpose());
}

}  // namespace ulisse
