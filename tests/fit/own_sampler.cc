#include "fit/own_sampler.h"

#include <Eigen/Cholesky>

namespace ulisse::testing {

namespace {

class IndependentDraws {
 public:
  IndependentDraws(const ExactPosterior& posterior, const Vector& centre, Matrix factor,
                   long warmup)
      : posterior_(posterior), centre_(centre), factor_(std::move(factor)), to_warm_up_(warmup) {}

  Transition step(Rng& rng) {
    if (to_warm_up_ > 0) --to_warm_up_;
    const Vector psi = centre_ + factor_ * rng.normal_vector(centre_.size());
    const double log_density = posterior_.log_density(psi).value;
    return {.psi = psi,
            .log_density = log_density,
            .accept_stat = 1,
            .step_size = step_size(),
            .energy = -log_density};
  }
  bool warming_up() const { return to_warm_up_ > 0; }
  double step_size() const { return 1; }

  template <class A>
  void archive(A& a) {
    a(to_warm_up_);
  }

 private:
  const ExactPosterior& posterior_;
  Vector centre_;
  Matrix factor_;
  long to_warm_up_;
};

class GaussianChains : public FitChains {
 public:
  GaussianChains(const FitSettings& s, const Model& model, const Dataset& data)
      : posterior_(model, data.x, data.y) {
    mode_ = find_mode(posterior_, data.x, data.y);
    metric_ = usable_covariance(model, mode_);
    const double widening = std::get<double>(s.own.at("widening"));
    const Matrix factor = widening * Matrix(metric_.llt().matrixL());
    for (long c = 0; c < s.chains; ++c) {
      chains_.push_back(
          std::make_unique<ChainOf<IndependentDraws>>(posterior_, mode_.psi, factor, s.warmup));
    }
    plan_ = {.seed = s.seed, .draws = s.draws, .block = std::max(1L, s.warmup)};
  }
  Algorithm algorithm() const override { return Algorithm::metropolis; }

 private:
  ExactPosterior posterior_;
};

void set_defaults(FitSettings& s, Index /*n*/) {
  s.warmup = 10;
  s.draws = 200;
  s.own = {{"widening", 1.0}};
}

[[maybe_unused]] const bool kRegistered = (register_sampler(gaussian_kind()), true);

}  // namespace

SamplerKind gaussian_kind() {
  return {.name = "gaussian",
          .about = "independent draws from the Gaussian at the mode",
          .exact = false,
          .options = {{.key = "widening",
                       .help = "Its standard deviations are multiplied by this",
                       .range = {.least = 0, .most = 10, .above_least = true},
                       .initial = 1.0}},
          .set_defaults = set_defaults,
          .make = [](const FitSettings& settings, const Model& model, const Dataset& data,
                     const ChainsContext&) -> std::unique_ptr<FitChains> {
            return std::make_unique<GaussianChains>(settings, model, data);
          }};
}

}  // namespace ulisse::testing
