#include "predict/predict.h"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "base/memory.h"
#include "ulisse/random.h"

namespace ulisse {

namespace {

// A square root of a covariance that rounding may have left slightly indefinite.
Matrix square_root(const Matrix& covariance) {
  const Eigen::LDLT<Matrix> factor(covariance);
  const Vector d = factor.vectorD().cwiseMax(0).cwiseSqrt();
  const Matrix l = factor.matrixL();
  return factor.transpositionsP().transpose() * (l * d.asDiagonal());
}

}  // namespace

GaussianMixture Predictions::of_function(Index point) const {
  return {mean.row(point).transpose(), latent.row(point).transpose()};
}

GaussianMixture Predictions::of_target(Index point) const {
  const Vector f = latent.row(point).transpose();
  return {mean.row(point).transpose(), (f.array().square() + noise_sd.array().square()).sqrt()};
}

Predictions predict(const SavedFit& fit, const ConstBlock& new_x, const Matrix& psi,
                    Predictor& predictor, Index samples, std::uint64_t seed,
                    const PredictWatch& watch) {
  const Matrix x = fit.scaling.scale_x(new_x);
  const Index m = x.rows(), draws = psi.rows();
  const double unit = fit.scaling.y_sd;
  Predictions result{
      .mean = Matrix(m, draws), .latent = Matrix(m, draws), .noise_sd = Vector(draws)};
  if (samples > 0) {
    const auto points = static_cast<double>(m);
    check_memory(fmt::format("joint samples at {} points", m), bytes_of(4 * points * points));
    result.samples.resize(m, samples);
  }
  for (Index s = 0; s < draws; ++s) {
    if (watch) watch(s, 0);
    predictor.condition(psi.row(s).transpose());
    result.noise_sd(s) = unit * std::exp(0.5 * psi(s, psi.cols() - 1));
    for (Index start = 0; start < m; start += predictor.batch()) {
      if (watch) watch(s, start);
      const Index count = std::min(predictor.batch(), m - start);
      const Moments found = predictor.moments(x.middleRows(start, count));
      result.mean.col(s).segment(start, count) = fit.scaling.unscale_y(found.mean);
      result.latent.col(s).segment(start, count) = unit * found.variance.cwiseSqrt();
    }
    if (s >= samples) continue;
    const Matrix root = square_root(predictor.covariance(x));
    for (Index i = s; i < samples; i += draws) {
      Rng rng = stream(seed, 0, Purpose::simulation, static_cast<std::uint64_t>(i));
      result.samples.col(i) = result.mean.col(s) + unit * (root * rng.normal_vector(m));
    }
  }
  return result;
}

Matrix describe(const Predictions& predictions, const Vector& levels, bool latent) {
  Matrix result(predictions.points(), 2 + levels.size());
  tbb::parallel_for(Index(0), result.rows(), [&](Index i) {
    const GaussianMixture mixture = latent ? predictions.of_function(i) : predictions.of_target(i);
    result(i, 0) = mixture.mean();
    result(i, 1) = mixture.sd();
    for (Index q = 0; q < levels.size(); ++q) result(i, 2 + q) = mixture.quantile(levels(q));
  });
  return result;
}

}  // namespace ulisse
