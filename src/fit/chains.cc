#include "fit/chains.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <nlohmann/json.hpp>

#include "fit/solve_details.h"
#include "sample/approximate_density.h"
#include "sample/metropolis.h"
#include "sample/nuts.h"
#include "sample/sgld.h"
#include "ulisse/covariance.h"
#include "ulisse/error.h"
#include "ulisse/second_mode.h"

namespace ulisse {

void refuse_without_noise(const Vector& mode) {
  constexpr double kNoNoise = 1e-10;
  const double noise = std::exp(mode(mode.size() - 1) - mode(0));
  if (noise >= kNoNoise) return;
  throw InputError(fmt::format(
      "the data look free of noise (lambda is {:.0e} of sigma at the mode), and the covariance "
      "then "
      "has no inverse in floating point; give the noise a prior that keeps it up, such as "
      "lambda=lognormal(-14,0.2); rows that are there twice make data look so, too",
      noise));
}

namespace {

Matrix usable_covariance(const Mode& mode) {
  if (mode.covariance.size() > 0) return mode.covariance;
  refuse_without_noise(mode.psi);
  throw InputError(
      "the posterior has no curvature at its mode, so that no sampler can be scaled to it; "
      "stronger priors may help");
}

// Samplers on the exact density.
class ExactChains : public FitChains {
 public:
  ExactChains(const FitSettings& s, const Model& model, const Dataset& data)
      : posterior_(model, data.x, data.y), is_nuts_(s.sampler == "nuts") {
    mode_ = find_mode(posterior_, data.x, data.y);
    metric_ = usable_covariance(mode_);
    // Where there is another mode every other chain starts there, so that R-hat can see both.
    const std::optional<SecondMode> second = find_second_mode();
    const bool two = second.has_value();
    for (int c = 0; c < s.chains; ++c) {
      const Vector& around = two && c % 2 == 1 ? mode_.other_psi : mode_.psi;
      const Vector start = start_point(around, metric_, 2, s.seed, c, [&](const Vector& psi) {
        return !posterior_.log_density(psi).rejected();
      });
      if (s.sampler == "nuts") add_nuts(s, start);
      if (s.sampler == "mh") add_metropolis(s, start, second);
    }
    plan_ = {.seed = s.seed,
             .draws = s.draws,
             .block = std::max(1L, s.warmup),
             .side_by_side = data.x.rows() < kSideBySideRows && s.chains > 1};
  }

  Algorithm algorithm() const override {
    return is_nuts_ ? Algorithm::nuts : Algorithm::metropolis;
  }

 private:
  void add_nuts(const FitSettings& s, const Vector& start) {
    chains_.push_back(std::make_unique<ChainOf<Nuts<ExactPosterior>>>(
        posterior_, start, metric_, NutsOptions{.warmup = static_cast<int>(s.warmup)}));
  }

  std::optional<SecondMode> find_second_mode() const {
    if (mode_.other_share < kModeThatCounts) return std::nullopt;
    return SecondMode{
        .psi = mode_.other_psi,
        .covariance = covariance_around(posterior_, mode_.other_psi).value_or(metric_),
        .share = mode_.other_share};
  }

  void add_metropolis(const FitSettings& s, const Vector& start,
                      const std::optional<SecondMode>& second) {
    MetropolisOptions options;
    if (s.preset == "paper") options = paper_random_walk();
    options.warmup = static_cast<int>(s.warmup);
    chains_.push_back(std::make_unique<ChainOf<Metropolis<ExactPosterior>>>(
        posterior_, start, mode_.psi, metric_, options, second));
  }

  ExactPosterior posterior_;
  bool is_nuts_;
};

class SgldChains : public FitChains {
 public:
  SgldChains(const FitSettings& s, const Model& model, const Dataset& data,
             const ChainsContext& context)
      : model_(model),
        covariance_(
            make_covariance(model.kernel, data.x,
                            {.backend = context.backend.empty() ? s.backend : context.backend,
                             .memory_bytes = context.memory,
                             .tolerance = s.product_tolerance})) {
    find_metric(s, data);
    covariance_->at(mode_.psi);  // where auto chooses
    const auto preconditioner = make_preconditioner(s);
    for (int c = 0; c < s.chains; ++c) add_chain(s, data.y, preconditioner, c);
    plan_ = {.seed = s.seed,
             .draws = s.draws,
             .iterations = s.sgld.iterations,
             .block = s.sgld.batch,
             .side_by_side = data.x.rows() < kSideBySideRows && s.chains > 1};
  }

  Algorithm algorithm() const override { return Algorithm::sgld; }

  void describe(nlohmann::ordered_json& fit) const override {
    fit["backend"] = covariance_->backend();
  }

  std::string news(int chain) const override {
    const SgldRecord& record = sampler(chain).record();
    std::string text = fmt::format(", noise ratio {:.2g}, {:.1f} products an iteration",
                                   record.noise_ratio, record.solves.mean_products());
    if (record.solves.unfinished > 0) {
      text += fmt::format(", {} unfinished solves", record.solves.unfinished);
    }
    return text;
  }

  void describe_chain(int chain, nlohmann::ordered_json& json) const override {
    const SgldRecord& record = sampler(chain).record();
    json["frozen_at"] = record.frozen_at;
    json["frozen_by_noise"] = record.frozen_by_noise;
    json["noise_ratio"] = record.noise_ratio;
    json["lambda_max"] = record.noise;
    json["cut_drifts"] = record.cut_drifts;
    describe_solves(record.solves, json);
    describe_history(record.history, json);
  }

 private:
  using SgldChain = ChainOf<Sgld<StochasticGradient>>;

  const Sgld<StochasticGradient>& sampler(int chain) const {
    return static_cast<const SgldChain&>(*chains_[static_cast<std::size_t>(chain)]).sampler();
  }

  // M: the inverse negative Hessian at the mode of a random subset.
  void find_metric(const FitSettings& s, const Dataset& data) {
    const Indices rows = random_subset(data.x.rows(), s.sgld.subset, s.seed);
    const Matrix x = data.x(rows, Eigen::all);
    const Vector y = data.y(rows);
    const ExactPosterior posterior(model_, x, y);
    mode_ = find_mode(posterior, x, y, {}, {.far = false});
    metric_ = usable_covariance(mode_);
    if (rows.size() < static_cast<std::size_t>(data.x.rows())) {
      mode_.other_psi.resize(0);  // another mode of a subset says nothing of all the data
      mode_.other_share = mode_.second_share = 0;
    }
    if (s.sgld.scale_metric) {
      metric_ *= static_cast<double>(rows.size()) / static_cast<double>(data.x.rows());
    }
  }

  std::shared_ptr<const LowRankPreconditioner> make_preconditioner(const FitSettings& s) const {
    if (s.sgld.rank == 0) return nullptr;
    const auto k = covariance_->at(mode_.psi);
    return std::make_shared<LowRankPreconditioner>(
        pivoted_cholesky(*k, {.rank = s.sgld.rank, .seed = s.seed}), k->noise());
  }

  void add_chain(const FitSettings& s, const Vector& y,
                 const std::shared_ptr<const LowRankPreconditioner>& preconditioner, int c) {
    StochasticGradientOptions gradient{
        .probes = s.sgld.probes,
        .kind =
            s.sgld.probe_kind == "rademacher" ? ProbeKind::rademacher : ProbeKind::preconditioned,
        .warm_start = s.sgld.warm_start == "estimate" ? WarmStart::estimate : WarmStart::iterate,
        .first_solve = s.sgld.y_start == "solved",
        .q = s.sgld.q};
    // The rule that trusts the gradients' own covariance must see the noise of y's solve in it.
    if (s.sgld.noise_from == "probes") gradient.y_pairs = 2;
    if (s.sgld.truncation != "none") gradient.rule = parse_truncation(s.sgld.truncation);
    gradients_.push_back(
        std::make_unique<StochasticGradient>(model_, *covariance_, y, std::move(gradient)));
    gradients_.back()->set_preconditioner(preconditioner);
    const Vector start =
        start_point(mode_.psi, metric_, 1, s.seed, c, [](const Vector&) { return true; });
    chains_.push_back(std::make_unique<ApproximatedChainOf<Sgld<StochasticGradient>>>(
        ApproximateDensity(Coordinates(mode_.psi), Vector::Zero(start.size()), metric_),
        *gradients_.back(), start, metric_, options(s)));
  }

  static SgldOptions options(const FitSettings& s) {
    return {.rule = s.sgld.step_rule == "schedule" ? StepRule::schedule : StepRule::noise,
            .first_step = s.sgld.first_step,
            .last_step = s.sgld.last_step,
            .schedule = static_cast<int>(s.sgld.schedule),
            .noise_ratio = s.sgld.noise_ratio,
            .batch = static_cast<int>(s.sgld.batch),
            .redraw_every = static_cast<int>(s.sgld.redraw_every),
            .longest_warmup = static_cast<int>(s.warmup),
            .noise_from = s.sgld.noise_from == "batch" ? NoiseFrom::batch : NoiseFrom::probes,
            .longest_drift = s.sgld.longest_drift};
  }

  Model model_;
  std::unique_ptr<Covariance> covariance_;
  std::vector<std::unique_ptr<StochasticGradient>> gradients_;
};

}  // namespace

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
  if (settings.sampler == "ulisse") return make_ulisse_chains(settings, model, data, context);
  context.watch("looking for the mode");
  if (settings.sampler == "sgld")
    return std::make_unique<SgldChains>(settings, model, data, context);
  return std::make_unique<ExactChains>(settings, model, data);
}

}  // namespace ulisse
