#include "predict/predictive_draws.h"

#include <fmt/format.h>
#include <oneapi/tbb/parallel_for.h>

#include <cmath>

#include "base/blas.h"
#include "base/memory.h"
#include "base/watch.h"
#include "predict/covariance_root.h"
#include "ulisse/error.h"
#include "ulisse/random.h"

namespace ulisse {

namespace {

// Before the work, so that it is not lost.
void check_samples(Index samples, Index points, Index training_rows) {
  if (samples < 0 || samples > kMostSamples) {
    throw InputError(fmt::format("{} joint samples were asked for, and there may be {} at most",
                                 samples, kMostSamples));
  }
  // Themselves, and as text.
  const double values = 4 * static_cast<double>(points) * static_cast<double>(samples);
  check_joint_memory(fmt::format("{} joint samples at {} points", samples, points), points,
                     training_rows, values);
}

// Samples number first, first + step, ... of f at all points, mean + unit root z: z has a stream of
// random numbers of its own for each.
void add_samples(const ConstVector& mean, double unit, const Matrix& root, std::uint64_t seed,
                 Index first, Index step, Matrix& samples) {
  constexpr Index kTogether = 128;
  const Index last = samples.cols();
  for (Index start = first; start < last; start += kTogether * step) {
    keep_watch();
    const Index count = std::min(kTogether, (last - start + step - 1) / step);
    Matrix z(root.cols(), count), f(root.rows(), count);
    for (Index i = 0; i < count; ++i) {
      const auto number = static_cast<std::uint64_t>(start + i * step);
      z.col(i) = stream(seed, 0, Purpose::simulation, number).normal_vector(root.cols());
    }
    parallel_product(unit, root, z, 0, f);
    for (Index i = 0; i < count; ++i) samples.col(start + i * step) = mean + f.col(i);
  }
}

// The target's mean, which scaling takes off, is a part of the trend.
std::vector<ComponentDraws> empty_components(const Model& model, Index points, Index draws) {
  std::vector<ComponentDraws> all;
  for (const NamedComponent& component : components_of(model)) {
    all.push_back({component.name, Matrix(points, draws), Matrix(points, draws)});
  }
  return all;
}

// At rows from `start` on of a scaled table, for draw s.
void add_components(const SavedFit& fit, const Predictor& predictor, const ConstBlock& x,
                    Index start, Index s, std::vector<ComponentDraws>& all) {
  const auto parts = components_of(fit.model);
  for (std::size_t c = 0; c < all.size(); ++c) {
    keep_watch();
    const Moments found = predictor.moments(x, parts[c].part);
    const double level = parts[c].part.trend ? fit.scaling.y_mean : 0;
    all[c].mean.col(s).segment(start, x.rows()) = level + fit.scaling.y_sd * found.mean.array();
    all[c].sd.col(s).segment(start, x.rows()) = fit.scaling.y_sd * found.variance.cwiseSqrt();
  }
}

}  // namespace

// A covariance, its root and what they are made of; solves.
void check_joint_memory(const std::string& what, Index points, Index training_rows, double more) {
  const auto m = static_cast<double>(points), n = static_cast<double>(training_rows);
  check_memory(what, bytes_of(4 * m * m + 4 * n * m + more));
}

GaussianMixture ComponentDraws::at(Index point) const {
  return {mean.row(point).transpose(), sd.row(point).transpose()};
}

GaussianMixture PredictiveDraws::of_function(Index point) const {
  return {mean.row(point).transpose(), latent.row(point).transpose()};
}

GaussianMixture PredictiveDraws::of_target(Index point) const {
  const Vector f = latent.row(point).transpose();
  const double known = known_noise.size() > 0 ? known_noise(point) : 0;
  return {mean.row(point).transpose(),
          (f.array().square() + noise_sd.array().square() + known).sqrt()};
}

PredictiveDraws predictive_draws(const SavedFit& fit, const ConstBlock& new_x, const Matrix& psi,
                                 Predictor& predictor, const PredictedParts& parts,
                                 std::uint64_t seed, const PredictWatch& watch) {
  const Index samples = parts.samples;
  const Matrix x = fit.scaling.scale_x(new_x);
  const Index m = x.rows(), draws = psi.rows();
  const double unit = fit.scaling.y_sd;
  PredictiveDraws result{.mean = Matrix(m, draws),
                         .latent = Matrix(m, draws),
                         .noise_sd = Vector(draws),
                         .known_noise = unit * unit * fit.model.noise.known_variance(x)};
  if (samples != 0) {
    check_samples(samples, m, fit.data.x.rows());
    result.samples.resize(m, samples);
  }
  if (parts.components) result.components = empty_components(fit.model, m, draws);
  for (Index s = 0; s < draws; ++s) {
    if (watch) watch(s, 0);
    predictor.condition(psi.row(s).transpose());
    result.noise_sd(s) = unit * Noise::sd(fit.model.layout.noise_psi(psi.row(s).transpose()));
    for (Index start = 0; start < m; start += predictor.batch()) {
      if (watch) watch(s, start);
      const Index count = std::min(predictor.batch(), m - start);
      const Moments found = predictor.moments(x.middleRows(start, count));
      result.mean.col(s).segment(start, count) = fit.scaling.unscale_y(found.mean);
      result.latent.col(s).segment(start, count) = unit * found.variance.cwiseSqrt();
      if (!parts.components) continue;
      add_components(fit, predictor, x.middleRows(start, count), start, s, result.components);
    }
    if (s >= samples) continue;
    add_samples(result.mean.col(s), unit, covariance_root(predictor.covariance(x)), seed, s, draws,
                result.samples);
  }
  return result;
}

Matrix describe(const PredictiveDraws& predictions, const Vector& levels, bool latent) {
  Matrix result(predictions.points(), 2 + levels.size());
  tbb::parallel_for(Index(0), result.rows(), [&](Index i) {
    keep_watch();
    const GaussianMixture mixture = latent ? predictions.of_function(i) : predictions.of_target(i);
    result(i, 0) = mixture.mean();
    result(i, 1) = mixture.sd();
    for (Index q = 0; q < levels.size(); ++q) result(i, 2 + q) = mixture.quantile(levels(q));
  });
  return result;
}

}  // namespace ulisse
