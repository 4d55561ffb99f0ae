#include "ulisse/predict.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/option_names.h"
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

std::unique_ptr<Predictor> predictor_for(const SavedFit& fit, const Matrix& x_scaled,
                                         const PredictOptions& options, bool latent) {
  return make_predictor(fit.model, fit.data.x, fit.data.y,
                        {.method = options.method,
                         .memory = options.memory,
                         .rank = options.rank,
                         .seed = options.seed,
                         .points = some_rows(x_scaled),
                         .latent = latent});
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
  const SavedFit saved = saved_fit(fit);
  check_options(options, saved, x);
  const auto predictor = predictor_for(saved, saved.scaling.scale_x(x), options,
                                       options.latent || options.samples > 0 || options.components);
  PredictiveDraws draws =
      predictive_draws(saved, x, spread_draws(saved.psi, options.draws), *predictor,
                       {.samples = options.samples, .components = options.components}, options.seed,
                       options.progress);
  const Vector levels = rising(options.quantiles);
  const Matrix numbers = describe(draws, levels, options.latent);
  return {.mean = numbers.col(0),
          .sd = numbers.col(1),
          .quantiles = in_order(numbers.rightCols(levels.size()), levels, options.quantiles),
          .samples = std::move(draws.samples),
          .components = averaged(draws.components),
          .method = predictor->name(),
          .variance_error = predictor->variance_error()};
}

Matrix predictive_covariance(const Fit& fit, const ConstBlock& x, const PredictOptions& options) {
  const SavedFit saved = saved_fit(fit);
  check_options(options, saved, x);
  check_joint_memory(fmt::format("the covariance of {} points", x.rows()), x.rows(),
                     saved.data.x.rows());
  const Matrix scaled = saved.scaling.scale_x(x);
  // What different points share is of the function, whether there is noise on the diagonal or not.
  const auto predictor = predictor_for(saved, scaled, options, true);
  const Matrix psi = spread_draws(saved.psi, options.draws);
  Matrix sum = Matrix::Zero(x.rows(), x.rows()), means(x.rows(), psi.rows());
  for (Index i = 0; i < psi.rows(); ++i) {
    if (options.progress) options.progress(i, 0);
    predictor->condition(psi.row(i).transpose());
    sum += predictor->covariance(scaled);
    if (!options.latent) {
      sum.diagonal() += saved.model.noise_diagonal(psi.row(i).transpose(), scaled);
    }
    means.col(i) = predictor->moments(scaled).mean;
  }
  means.colwise() -= means.rowwise().mean();
  sum += means * means.transpose();
  // Products are symmetric but for rounding, and a covariance to the last bit.
  const double unit = saved.scaling.y_sd * saved.scaling.y_sd / static_cast<double>(psi.rows());
  return 0.5 * unit * (sum + sum.transpose());
}

}  // namespace ulisse
