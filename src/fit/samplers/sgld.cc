// The sampler sgld.

#include "sample/sgld.h"

#include <fmt/format.h>

#include "base/option_names.h"
#include "fit/default_rank.h"
#include "fit/fit_record.h"
#include "fit/sampler_kind.h"
#include "fit/samplers/sgld_settings.h"
#include "fit/solve_details.h"
#include "sample/approximate_density.h"
#include "ulisse/covariance.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

class SgldChains : public FitChains {
 public:
  SgldChains(const FitSettings& s, const Model& model, const Dataset& data,
             const ChainsContext& context)
      : own_(settings_from(sgld_settings(), s.own)),
        model_(model),
        covariance_(
            make_covariance(model, data.x,
                            {.backend = context.backend.empty() ? s.backend : context.backend,
                             .memory_bytes = context.memory,
                             .tolerance = s.product_tolerance})) {}

  void begin(const FitSettings& s, const Dataset& data) {
    find_metric(s, data);
    covariance_->at(mode_.psi);  // where auto chooses
    const auto preconditioner = make_preconditioner(s);
    for (int c = 0; c < s.chains; ++c) add_chain(s, data.y, preconditioner, c);
    plan_ = {.seed = s.seed,
             .draws = s.draws,
             .iterations = own_.iterations,
             .block = own_.batch,
             .side_by_side = data.x.rows() < kSideBySideRows && s.chains > 1};
  }

  Algorithm algorithm() const override { return Algorithm::sgld; }

  void describe(FitRecord& fit) const override { fit.backend = covariance_->backend(); }

  std::string news(int chain) const override {
    const SgldRecord& record = sampler(chain).record();
    std::string text = fmt::format(", noise ratio {:.2g}, {:.1f} products an iteration",
                                   record.noise_ratio, record.solves.mean_products());
    if (record.solves.unfinished > 0) {
      text += fmt::format(", {} unfinished solves", record.solves.unfinished);
    }
    return text;
  }

  void describe_chain(int chain, ChainRecord& about) const override {
    const SgldRecord& record = sampler(chain).record();
    about.frozen_at = record.frozen_at;
    about.frozen_by_noise = record.frozen_by_noise;
    about.noise_ratio = record.noise_ratio;
    about.lambda_max = record.noise;
    about.cut_drifts = record.cut_drifts;
    describe_solves(record.solves, about);
    describe_history(record.history, about);
  }

 private:
  using SgldChain = ChainOf<Sgld<StochasticGradient>>;

  const Sgld<StochasticGradient>& sampler(int chain) const {
    return static_cast<const SgldChain&>(*chains_[static_cast<std::size_t>(chain)]).sampler();
  }

  // M: the inverse negative Hessian at the mode of a random subset.
  void find_metric(const FitSettings& s, const Dataset& data) {
    const Indices rows = random_subset(data.x.rows(), own_.subset, s.seed);
    const Matrix x = data.x(rows, Eigen::all);
    const Vector y = data.y(rows);
    const ExactPosterior posterior(model_, x, y);
    mode_ = find_mode(posterior, x, y, {}, {.far = false});
    metric_ = usable_covariance(model_, mode_);
    if (rows.size() < static_cast<std::size_t>(data.x.rows())) {
      mode_.other_psi.resize(0);  // another mode of a subset says nothing of all the data
      mode_.other_share = mode_.second_share = 0;
    }
    if (own_.scale_metric) {
      metric_ *= static_cast<double>(rows.size()) / static_cast<double>(data.x.rows());
    }
  }

  std::shared_ptr<const Preconditioner> make_preconditioner(const FitSettings& s) const {
    if (own_.rank == 0) return nullptr;
    const auto k = covariance_->at(mode_.psi);
    return ulisse::make_preconditioner(*k, {.rank = own_.rank, .seed = s.seed});
  }

  void add_chain(const FitSettings& s, const Vector& y,
                 const std::shared_ptr<const Preconditioner>& preconditioner, int c) {
    StochasticGradientOptions gradient{
        .probes = static_cast<int>(own_.probe_count),
        .kind = own_.probe_kind == "rademacher" ? ProbeKind::rademacher : ProbeKind::preconditioned,
        .warm_start = own_.warm_start == "estimate" ? WarmStart::estimate : WarmStart::iterate,
        .first_solve = own_.y_start == "solved",
        .q = own_.early_stop};
    // The rule that trusts the gradients' own covariance must see the noise of y's solve in it.
    if (own_.noise_from == "probes") gradient.y_pairs = 2;
    if (own_.truncation != "none") gradient.rule = parse_truncation(own_.truncation);
    gradients_.push_back(
        std::make_unique<StochasticGradient>(model_, *covariance_, y, std::move(gradient)));
    gradients_.back()->set_preconditioner(preconditioner);
    const Vector start =
        start_point(mode_.psi, metric_, 1, s.seed, c, [](const Vector&) { return true; });
    chains_.push_back(std::make_unique<ApproximatedChainOf<Sgld<StochasticGradient>>>(
        ApproximateDensity(Coordinates(mode_.psi), Vector::Zero(start.size()), metric_),
        *gradients_.back(), start, metric_, options(s)));
  }

  SgldOptions options(const FitSettings& s) const {
    return {.rule = own_.step_rule == "schedule" ? StepRule::schedule : StepRule::noise,
            .first_step = own_.first_step,
            .last_step = own_.last_step,
            .schedule = static_cast<int>(own_.schedule),
            .noise_ratio = own_.noise_ratio,
            .batch = static_cast<int>(own_.batch),
            .redraw_every = static_cast<int>(own_.redraw_every),
            .longest_warmup = static_cast<int>(s.warmup),
            .noise_from = own_.noise_from == "batch" ? NoiseFrom::batch : NoiseFrom::probes,
            .longest_drift = own_.longest_drift};
  }

  SgldSettings own_;
  Model model_;
  std::unique_ptr<Covariance> covariance_;
  std::vector<std::unique_ptr<StochasticGradient>> gradients_;
};

std::unique_ptr<FitChains> make(const FitSettings& settings, const Model& model,
                                const Dataset& data, const ChainsContext& context) {
  context.watch("looking for the mode");
  auto chains = std::make_unique<SgldChains>(settings, model, data, context);
  chains->begin(settings, data);
  return chains;
}

void set_defaults(FitSettings& s, Index n) {
  SgldSettings own{.rank = default_rank(n)};
  s.warmup = 500;
  s.draws = 5000;
  if (s.preset == "paper") {
    own = paper_sgld_settings(n);
    s.warmup = 30000;
    s.draws = 0;  // what is left of the iterations
    s.chains = n >= 5000 ? 5 : 10;
  }
  s.own = values_of(sgld_settings(), own);
}

// Who asks for draws does not want those that are left of a preset's iterations.
void reconcile(const OptionValues& given, FitSettings& s) {
  if (given.count("draws") > 0 && given.count("iterations") == 0) s.own["iterations"] = 0L;
}

void check_together(const FitSettings& settings) {
  const SgldSettings s = settings_from(sgld_settings(), settings.own);
  if (s.probe_kind == "preconditioned" && s.rank == 0) {
    throw InputError(fmt::format("{} wants a preconditioner: {} above 0",
                                 option_set("probe_kind", "preconditioned"), option_named("rank")));
  }
  if (s.noise_from == "probes" && s.probe_count < 2) {
    throw InputError(
        fmt::format("{} wants two probes or more", option_set("noise_from", "probes")));
  }
  // Warm-up ends with a batch, at the latest.
  const long warmup = (settings.warmup + s.batch - 1) / s.batch * s.batch;
  if (s.iterations > 0 && s.iterations <= warmup) {
    throw InputError(
        fmt::format("{}: warm-up takes up to {} iterations, and leaves no draws; give more, "
                    "or a smaller {}",
                    option_named("iterations"), warmup, option_named("warmup")));
  }
  if (s.last_step > s.first_step) {
    throw InputError(fmt::format("{} must not be larger than {}", option_named("last_step"),
                                 option_named("first_step")));
  }
}

SamplerBlocks blocks(const FitSettings& settings) {
  const SgldSettings s = settings_from(sgld_settings(), settings.own);
  return {.option = "probe_count", .columns = s.probe_count, .rank = s.rank};
}

}  // namespace

SamplerKind sgld_kind() {
  return {.name = "sgld",
          .about = "The paper's stochastic-gradient Langevin dynamics, with its bias",
          .exact = false,
          .measures_bias = false,
          .presets = {"default", "paper"},
          .options = options_of(sgld_settings()),
          .set_defaults = set_defaults,
          .check = check_together,
          .reconcile = reconcile,
          .blocks = blocks,
          .make = make};
}

}  // namespace ulisse
