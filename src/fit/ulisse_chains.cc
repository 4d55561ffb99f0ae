#include <fmt/format.h>

#include <functional>

#include "base/memory.h"
#include "fit/chains.h"
#include "fit/fit_record.h"
#include "fit/samplers/ulisse_options.h"
#include "fit/solve_details.h"
#include "fit/stage_files.h"
#include "fit/ulisse_record.h"
#include "sample/approximate_density.h"
#include "sample/corrected.h"
#include "sample/langevin.h"
#include "sample/nuts.h"
#include "sample/swapping.h"
#include "ulisse/backend.h"
#include "ulisse/chain_gradient.h"
#include "ulisse/curved_density.h"
#include "ulisse/surrogate_draws.h"
#include "ulisse/ulisse_setup.h"
#include "ulisse/whitened_density.h"

namespace ulisse {

namespace {

// What a set-up was made with, and what it found.
struct Prepared {
  std::unique_ptr<Covariance> covariance, in_float;  // the latter where float is a choice
  UlisseSetup setup;
};

std::optional<ModeSwap> swap_of(const UlisseSetup& setup) {
  const OtherMode& other = setup.shape.other;
  if (!other.is_there()) return std::nullopt;
  return ModeSwap(setup.survey().centre, setup.survey().metric, other.centre, other.covariance);
}

class UlisseChains : public FitChains {
 public:
  UlisseChains(const FitSettings& s, const Model& model, const Dataset& data, Prepared prepared)
      : model_(model),
        covariance_(std::move(prepared.covariance)),
        float_covariance_(std::move(prepared.in_float)),
        setup_(std::move(prepared.setup)) {
    mode_ = setup_.mode;
    const Survey& survey = setup_.survey();
    const Vector slope = survey.coordinates.slope(survey.centre);
    metric_ = slope.asDiagonal() * survey.metric * slope.asDiagonal();
    if (setup_.exact() != nullptr || setup_.corrected() != nullptr) make_density(data);
    if (setup_.langevin() != nullptr) make_gradient(s);
    for (int c = 0; c < s.chains; ++c) add_chain(s, c);
    const bool small = setup_.surrogate() != nullptr || data.x.rows() < kSideBySideRows;
    plan_ = {.seed = s.seed,
             .draws = s.draws,
             .block = std::max(1L, s.warmup),
             .side_by_side = small && s.chains > 1};
  }

  Algorithm algorithm() const override {
    if (setup_.corrected() != nullptr) return Algorithm::metropolis;
    return setup_.langevin() != nullptr ? Algorithm::langevin : Algorithm::nuts;
  }

  const ExactPosterior* exact_posterior() const override { return posterior_.get(); }

  Matrix likely_psi(Index count) const override {
    if (setup_.surrogate() == nullptr) return FitChains::likely_psi(count);
    const Surrogate& surrogate = setup_.surrogate()->learnt.surrogate;
    Matrix draws = draws_of(surrogate, count, plan_.seed, kStreamOfLikely);
    for (Index i = 0; i < count; ++i) draws.col(i) = surrogate.whitening().psi(draws.col(i));
    return draws;
  }

  std::string news(int chain) const override {
    if (setup_.langevin() == nullptr) return "";
    return fmt::format(", {:.1f} products an iteration",
                       langevin(chain).record().solves.mean_products());
  }

  void describe(FitRecord& fit) const override {
    fit.backend = covariance_->backend();
    fit.setup = record_of(setup_, covariance_->backend());
  }

  void describe_chain(int chain, ChainRecord& about) const override {
    if (setup_.exact() != nullptr) describe_exact(exact(chain), about);
    if (setup_.langevin() != nullptr) describe_langevin(langevin(chain), about);
    if (setup_.surrogate() != nullptr) describe_exact(drawn(chain), about);
    if (setup_.corrected() != nullptr) {
      about.acceptance = sampler<CorrectedDraws>(chain).mean_acceptance();
    }
  }

 private:
  using PlainLangevin = Langevin<ChainGradient>;
  using Exact = Swapping<Nuts<CurvedDensity>, CurvedDensity>;
  using Drawn = Swapping<Nuts<Surrogate>, Surrogate>;  // without swaps
  using CorrectedDraws = Corrected<Nuts<Surrogate>, Surrogate, WhitenedDensity>;

  static constexpr std::uint64_t kStreamOfLikely = 1'000'000;  // rounds of learning are fewer

  const GradientPlan& plan_of_gradients() const { return setup_.langevin()->plan; }

  template <class S>
  void describe_exact(const S& sampler, ChainRecord& about) const {
    about.acceptance = sampler.mean_acceptance();
    about.gradients = sampler.mean_gradients();
    if (swap_) about.swaps = {.tried = sampler.tried(), .done = sampler.swapped()};
  }

  void describe_langevin(const PlainLangevin& langevin, ChainRecord& about) const {
    const LangevinRecord& record = langevin.record();
    const double eps = langevin.step_size();
    describe_solves(record.solves, about);
    describe_history(record.history, about);
    about.lambda_max = record.noise;
    about.noise_share = eps / 4 / (1 - eps / 4) * record.noise;
    about.cut_drifts = record.cut_drifts;
    if (!setup_.anchor.trace.exact) {
      about.trace_probes = langevin.target().trace().probes();
      about.trace_error = langevin.target().mean_error();
    }
    about.metric_refreshed = record.metric_refreshed;
    about.step_reduced = record.step_reduced;
    about.stein = record.stein(eps);
    about.metric = langevin.metric();
    about.injected = langevin.injected_covariance();
  }

  template <class S>
  const S& sampler(int chain) const {
    return static_cast<const ChainOf<S>&>(*chains_[static_cast<std::size_t>(chain)]).sampler();
  }
  const PlainLangevin& langevin(int chain) const { return sampler<PlainLangevin>(chain); }
  const Exact& exact(int chain) const { return sampler<Exact>(chain); }
  const Drawn& drawn(int chain) const { return sampler<Drawn>(chain); }

  void make_density(const Dataset& data) {
    swap_ = swap_of(setup_);
    posterior_ = std::make_unique<ExactPosterior>(model_, data.x, data.y);
    density_ = std::make_unique<CurvedDensity>(*posterior_, setup_.survey().coordinates);
    if (setup_.corrected() == nullptr) return;
    whitened_density_ = std::make_unique<WhitenedDensity>(
        *posterior_, setup_.corrected()->learnt.surrogate.whitening());
  }

  void make_gradient(const FitSettings& s) {
    const GradientPlan& plan = plan_of_gradients();
    anchored_ = std::make_unique<AnchoredGradient>(
        model_, WorkingCovariance(*covariance_, plan.use_float ? float_covariance_.get() : nullptr),
        setup_.anchor,
        plan.options(settings_from(ulisse_settings(), s.own), setup_.anchor, setup_.by_float));
  }

  void add_chain(const FitSettings& s, int c) {
    if (setup_.exact() != nullptr) add_exact_chain(s, c);
    if (setup_.langevin() != nullptr) add_langevin_chain(s, c);
    if (setup_.surrogate() != nullptr) add_surrogate_chain(s, c);
    if (setup_.corrected() != nullptr) add_corrected_chain(s, c);
  }

  // Two standard deviations around the surrogate's own mean, as other chains start.
  static Nuts<Surrogate> steps_on(const Learning& learnt, const FitSettings& s, int c,
                                  long warmup) {
    const Vector start = start_point(learnt.mean, learnt.covariance, 2, s.seed, c,
                                     [](const Vector&) { return true; });
    return {learnt.surrogate,
            start,
            learnt.covariance,
            {.warmup = static_cast<int>(warmup), .learns_metric = false}};
  }

  void add_surrogate_chain(const FitSettings& s, int c) {
    const Learning& learnt = setup_.surrogate()->learnt;
    chains_.push_back(std::make_unique<ChainOf<Drawn>>(steps_on(learnt, s, c, s.warmup),
                                                       std::nullopt, learnt.surrogate));
  }

  void add_corrected_chain(const FitSettings& s, int c) {
    const Learning& learnt = setup_.corrected()->learnt;
    const CorrectedOptions options{.warmup = static_cast<int>(s.warmup)};
    const long alone = std::max(0L, s.warmup - options.corrected_warmup);
    chains_.push_back(std::make_unique<ChainOf<CorrectedDraws>>(
        steps_on(learnt, s, c, alone * options.proposer_steps), learnt.surrogate,
        *whitened_density_, options));
  }

  void add_langevin_chain(const FitSettings& s, int c) {
    const LangevinOptions options{.step = plan_of_gradients().step,
                                  .warmup = static_cast<int>(s.warmup)};
    const LangevinStart& from = setup_.langevin()->start;
    const Vector start =
        start_point(from.centre, from.covariance, 2, s.seed, c, [](const Vector&) { return true; });
    chains_.push_back(std::make_unique<ApproximatedChainOf<PlainLangevin>>(
        ApproximateDensity(setup_.survey().coordinates, setup_.survey().centre,
                           setup_.survey().metric),
        ChainGradient(*anchored_, setup_.survey().coordinates,
                      {.error = setup_.trace_error,
                       .delay = static_cast<double>(c) / static_cast<double>(s.chains)}),
        start, setup_.survey().metric, plan_of_gradients().noise, options));
  }

  void add_exact_chain(const FitSettings& s, int c) {
    const Vector start = start_around_the_mode(
        s, c, [&](const Vector& u) { return !density_->log_density(u).rejected(); });
    // A metric that few draws teach is worse than the mode's, where that has one.
    constexpr long kWarmupThatTeaches = 200;
    constexpr double kShortest = 0.05;
    const bool learns = setup_.survey().repaired || s.warmup >= kWarmupThatTeaches;
    Nuts<CurvedDensity> nuts(*density_, start, setup_.survey().metric,
                             {.warmup = static_cast<int>(s.warmup),
                              .learns_metric = learns,
                              .shorter = swap_ ? std::max(kShortest, swap_->narrowness()) : 1});
    chains_.push_back(std::make_unique<ChainOf<Exact>>(std::move(nuts), swap_, *density_));
  }

  Vector start_around_the_mode(const FitSettings& s, int c,
                               const std::function<bool(const Vector&)>& is_usable) const {
    return start_point(setup_.survey().centre, setup_.survey().metric, 2, s.seed, c, is_usable);
  }

  Model model_;
  std::unique_ptr<Covariance> covariance_, float_covariance_;
  UlisseSetup setup_;
  // For Langevin's steps:
  std::unique_ptr<AnchoredGradient> anchored_;
  // For exact ones:
  std::unique_ptr<ExactPosterior> posterior_;
  std::unique_ptr<CurvedDensity> density_;
  std::unique_ptr<WhitenedDensity> whitened_density_;
  std::optional<ModeSwap> swap_;
};

// A product with a K that is kept is hardly faster than one without where K is large.
std::size_t memory_for_products(const FitSettings& s, Index n, std::size_t memory) {
  return s.backend == kAutomaticBackend && n >= SetupProblem::kFloatRows ? 1 : memory;
}

// A trial may choose another each time, which gives other bits: once chosen it stays.
std::string backend_for(const FitSettings& s, const ChainsContext& context, StageStore& store,
                        const Model& model, Index n) {
  const std::string wanted = context.backend.empty() ? s.backend : context.backend;
  if (wanted != kAutomaticBackend) return wanted;
  const std::string chosen = backend_of_setup(store, n, model.parameter_count());
  return chosen.empty() ? wanted : chosen;
}

Prepared prepare(const FitSettings& s, const Model& model, const Dataset& data,
                 const ChainsContext& context) {
  const Index n = data.x.rows();
  StageFiles store(context.setup_file, context.fit);
  Prepared prepared;
  const UlisseSettings own = settings_from(ulisse_settings(), s.own);
  prepared.covariance = make_covariance(model, data.x,
                                        {.backend = backend_for(s, context, store, model, n),
                                         .memory_bytes = memory_for_products(s, n, context.memory),
                                         .tolerance = s.product_tolerance});
  if (s.backend == kAutomaticBackend && n >= SetupProblem::kFloatRows) {
    const std::string twin = backend_named(exact_backend()).can.lower_precision;
    prepared.in_float = make_covariance(model, data.x, {.backend = twin});
  }
  prepared.setup = find_setup(
      SetupProblem{
          .settings = own,
          .seed = s.seed,
          .model = model,
          .data = data,
          .covariance = *prepared.covariance,
          .in_float = prepared.in_float.get(),
          .memory = context.memory > 0 ? context.memory : machine_memory_bytes() / 2,
          .report = context.watch,
          .without_curvature = [&](const Vector& psi) { refuse_without_noise(model, psi); }},
      store);
  return prepared;
}

}  // namespace

std::unique_ptr<FitChains> make_ulisse_chains(const FitSettings& settings, const Model& model,
                                              const Dataset& data, const ChainsContext& context) {
  return std::make_unique<UlisseChains>(settings, model, data,
                                        prepare(settings, model, data, context));
}

}  // namespace ulisse
