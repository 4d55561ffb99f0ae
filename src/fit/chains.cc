#include "fit/chains.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>

#include "fit/sampler_kind.h"
#include "ulisse/error.h"
#include "ulisse/second_mode.h"

namespace ulisse {

void refuse_without_noise(const Model& model, const Vector& mode) {
  constexpr double kNoNoise = 1e-10;
  if (model.noise.known) return;  // then that of the rows keeps it up
  const double noise = model.noise_variance(mode) / model.signal_variance(mode);
  if (noise >= kNoNoise) return;
  throw InputError(fmt::format(
      "the data look free of noise (lambda is {:.0e} of sigma at the mode), and the covariance "
      "then "
      "has no inverse in floating point; give the noise a prior that keeps it up, such as "
      "lambda=lognormal(-14,0.2); rows that are there twice make data look so, too",
      noise));
}

Matrix usable_covariance(const Model& model, const Mode& mode) {
  if (mode.covariance.size() > 0) return mode.covariance;
  refuse_without_noise(model, mode.psi);
  throw InputError(
      "the posterior has no curvature at its mode, so that no sampler can be scaled to it; "
      "stronger priors may help");
}

Matrix FitChains::likely_psi(Index count) const {
  const Matrix factor = metric_.llt().matrixL();
  Rng rng = stream(plan_.seed, 0, Purpose::places);
  Matrix places(mode_.psi.size(), count);
  for (Index i = 0; i < count; ++i) {
    places.col(i) = mode_.psi + factor * rng.normal_vector(mode_.psi.size());
  }
  return places;
}

Vector start_point(const Vector& mode, const Matrix& covariance, double spread, std::uint64_t seed,
                   int chain, const std::function<bool(const Vector&)>& is_usable) {
  Rng rng = stream(seed, static_cast<std::uint32_t>(chain), Purpose::start);
  const Vector step = covariance.llt().matrixL() * rng.normal_vector(mode.size());
  double scale = spread;
  while (scale > 1e-3) {
    Vector psi = mode + scale * step;
    if (is_usable(psi)) return psi;
    scale /= 2;
  }
  return mode;
}

std::unique_ptr<FitChains> make_chains(const FitSettings& settings, const Model& model,
                                       const Dataset& data, const ChainsContext& context) {
  return sampler_kind(settings.sampler).make(settings, model, data, context);
}

}  // namespace ulisse
