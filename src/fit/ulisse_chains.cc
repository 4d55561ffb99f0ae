#include <fmt/format.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "fit/chains.h"
#include "fit/samplers/ulisse_options.h"
#include "fit/second_mode.h"
#include "fit/solve_details.h"
#include "fit/ulisse_setup.h"
#include "sample/approximate_density.h"
#include "sample/langevin.h"
#include "sample/nuts.h"
#include "sample/swapping.h"
#include "ulisse/chain_gradient.h"
#include "ulisse/curved_density.h"
#include "ulisse/unbiased.h"

namespace ulisse {

namespace {

class UlisseChains : public FitChains {
 public:
  UlisseChains(const FitSettings& s, const Model& model, const Dataset& data,
               const ChainsContext& context)
      : model_(model),
        kept_(read_setup(context.setup_file, context.fit, data.x.rows(), model.parameter_count())),
        covariance_(
            make_covariance(model, data.x,
                            {.backend = backend(s, context),
                             .memory_bytes = memory_for_products(s, data.x.rows(), context.memory),
                             .tolerance = s.product_tolerance})) {
    set_up(s, data, context);
    if (setup_.use_float) {
      float_covariance_ = covariance_->lower_precision();
    }
    mode_ = setup_.mode;
    const Survey& survey = setup_.survey;
    const Vector slope = survey.coordinates.slope(survey.centre);
    metric_ = slope.asDiagonal() * survey.metric * slope.asDiagonal();
    if (setup_.exact()) {
      find_density(data);
    } else {
      find_gradient(s);
    }
    for (int c = 0; c < s.chains; ++c) setup_.exact() ? add_exact_chain(s, c) : add_chain(s, c);
    plan_ = {.seed = s.seed,
             .draws = s.draws,
             .block = std::max(1L, s.warmup),
             .side_by_side = data.x.rows() < kSideBySideRows && s.chains > 1};
  }

  Algorithm algorithm() const override {
    return setup_.exact() ? Algorithm::nuts : Algorithm::langevin;
  }

  std::string news(int chain) const override {
    if (setup_.exact()) return "";
    return fmt::format(", {:.1f} products an iteration",
                       langevin(chain).record().solves.mean_products());
  }

  void describe(nlohmann::ordered_json& fit) const override {
    fit["backend"] = covariance_->backend();
    fit["setup"] = {{"exact", setup_.exact()},
                    {"why_exact", setup_.why_exact},
                    {"swaps", swap_.has_value()},
                    {"bend", json_number(setup_.survey.bend)},
                    {"bend_of_logarithms", json_number(setup_.survey.bend_of_psi)},
                    {"exponents", exponents()},
                    {"off_mode", json_number(setup_.survey.off_mode)},
                    {"metric_repaired", setup_.survey.repaired},
                    {"mode_gradients", setup_.mode.evaluations}};
    if (setup_.searched_rows > 0) {
      fit["setup"]["searched_rows"] = setup_.searched_rows;
      fit["setup"]["other_share_there"] = setup_.share_there;
    }
    if (!setup_.exact()) describe_gradients(fit["setup"]);
  }

  void describe_chain(int chain, nlohmann::ordered_json& json) const override {
    if (setup_.exact()) {
      describe_exact(exact(chain), json);
    } else {
      describe_langevin(langevin(chain), json);
    }
  }

 private:
  using PlainLangevin = Langevin<ChainGradient>;
  using Exact = Swapping<Nuts<CurvedDensity>, CurvedDensity>;

  void describe_gradients(nlohmann::ordered_json& json) const {
    json["rank"] = setup_.rank;
    json["backend"] = covariance_->backend();
    json["products"] = setup_.use_float ? "float" : "double";
    json["solves_of_setup"] = setup_.setup_in_float ? "float" : "double";
    json["float_error"] = json_number(setup_.float_error);
    json["q"] = setup_.q;
    json["step"] = setup_.step;
    json["probes"] = setup_.probes;
    json["fresh_probes"] = setup_.fresh_probes;
    json["unfinished_solves"] = setup_.unfinished();
    json["trace"] = setup_.anchor.exact_trace ? "exact" : "probes";
    json["trace_probes"] = setup_.anchor.trace_probes;
    json["trace_controls"] = setup_.trace_by_controls;
    json["trace_error"] = json_number(setup_.trace_error);
    json["bank_error"] = json_number(setup_.survey.bank_error);
    json["solver_error"] = setup_.solver_error;
    json["product_error"] = json_number(setup_.product_error);
    json["noise"] = {{"cutting", setup_.noise_of_cutting},
                     {"probes", setup_.noise_of_probes},
                     {"probes_without_anchor", setup_.noise_without_anchor},
                     {"share", json_number(setup_.noise_share)},
                     {"share_far_out", json_number(setup_.noise_share_far)}};
  }

  void describe_exact(const Exact& sampler, nlohmann::ordered_json& json) const {
    json["acceptance"] = sampler.mean_acceptance();
    json["gradients_per_iteration"] = sampler.mean_gradients();
    if (swap_) json["swaps"] = {{"tried", sampler.tried()}, {"done", sampler.swapped()}};
  }

  void describe_langevin(const PlainLangevin& langevin, nlohmann::ordered_json& json) const {
    const LangevinRecord& record = langevin.record();
    const double eps = langevin.step_size();
    describe_solves(record.solves, json);
    describe_history(record.history, json);
    json["lambda_max"] = record.noise;
    json["noise_share"] = eps / 4 / (1 - eps / 4) * record.noise;
    json["cut_drifts"] = record.cut_drifts;
    if (!setup_.anchor.exact_trace) {
      json["trace_probes"] = langevin.target().trace().probes();
      json["trace_error"] = json_number(langevin.target().mean_error());
    }
    json["metric_refreshed"] = record.metric_refreshed;
    json["step_reduced"] = record.step_reduced;
    json["stein"] = nlohmann::ordered_json::array();
    const Matrix stein = record.stein(eps);
    for (Index i = 0; i < stein.rows(); ++i) {
      auto& row = json["stein"].emplace_back(nlohmann::ordered_json::array());
      for (Index j = 0; j < stein.cols(); ++j) row.push_back(json_number(stein(i, j)));
    }
  }

  std::vector<double> exponents() const {
    const Vector& e = setup_.survey.coordinates.exponents();
    return {e.begin(), e.end()};
  }

  template <class S>
  const S& sampler(int chain) const {
    return static_cast<const ChainOf<S>&>(*chains_[static_cast<std::size_t>(chain)]).sampler();
  }
  const PlainLangevin& langevin(int chain) const { return sampler<PlainLangevin>(chain); }
  const Exact& exact(int chain) const { return sampler<Exact>(chain); }

  // A trial may choose another each time, which gives other bits: once chosen it stays.
  std::string backend(const FitSettings& s, const ChainsContext& context) const {
    const std::string wanted = context.backend.empty() ? s.backend : context.backend;
    return wanted == kAutomaticBackend && kept_ ? kept_->backend : wanted;
  }

  void set_up(const FitSettings& s, const Dataset& data, const ChainsContext& context) {
    if (kept_) {
      setup_ = std::move(*kept_);
      restore_preconditioner(s, *covariance_, setup_);
      return;
    }
    setup_ = prepare_ulisse(s, model_, data, *covariance_, context.memory, context.watch);
    setup_.backend = covariance_->backend();
    write_setup(context.setup_file, context.fit, setup_);
  }

  void find_density(const Dataset& data) {
    swap_ = swap_with_second_mode(setup_);
    posterior_ = std::make_unique<ExactPosterior>(model_, data.x, data.y);
    density_ = std::make_unique<CurvedDensity>(*posterior_, setup_.survey.coordinates);
  }

  void find_gradient(const FitSettings& s) {
    anchored_ = std::make_unique<AnchoredGradient>(setup_.gradient(
        settings_from(ulisse_settings(), s.own), model_, {*covariance_, float_covariance_.get()}));
  }

  void add_chain(const FitSettings& s, int c) {
    const LangevinOptions options{.step = setup_.step, .warmup = static_cast<int>(s.warmup)};
    const Vector start = start_around_the_mode(s, c, [](const Vector&) { return true; });
    chains_.push_back(std::make_unique<ApproximatedChainOf<PlainLangevin>>(
        ApproximateDensity(setup_.survey.coordinates, setup_.survey.centre, setup_.survey.metric),
        ChainGradient(*anchored_, setup_.survey.coordinates,
                      {.error = setup_.trace_error,
                       .delay = static_cast<double>(c) / static_cast<double>(s.chains)}),
        start, setup_.survey.metric, setup_.noise, options));
  }

  void add_exact_chain(const FitSettings& s, int c) {
    const Vector start = start_around_the_mode(
        s, c, [&](const Vector& u) { return !density_->log_density(u).rejected(); });
    // A metric that few draws teach is worse than the mode's, where that has one.
    constexpr long kWarmupThatTeaches = 200;
    constexpr double kShortest = 0.05;
    const bool learns = setup_.survey.repaired || s.warmup >= kWarmupThatTeaches;
    Nuts<CurvedDensity> nuts(*density_, start, setup_.survey.metric,
                             {.warmup = static_cast<int>(s.warmup),
                              .learns_metric = learns,
                              .shorter = swap_ ? std::max(kShortest, swap_->narrowness()) : 1});
    chains_.push_back(std::make_unique<ChainOf<Exact>>(std::move(nuts), swap_, *density_));
  }

  Vector start_around_the_mode(const FitSettings& s, int c,
                               const std::function<bool(const Vector&)>& is_usable) const {
    return start_point(setup_.survey.centre, setup_.survey.metric, 2, s.seed, c, is_usable);
  }

  Model model_;
  std::optional<UlisseSetup> kept_;  // of an earlier run, till it is made use of
  std::unique_ptr<Covariance> covariance_, float_covariance_;
  UlisseSetup setup_;
  // For Langevin's steps:
  std::unique_ptr<AnchoredGradient> anchored_;
  // For exact ones:
  std::unique_ptr<ExactPosterior> posterior_;
  std::unique_ptr<CurvedDensity> density_;
  std::optional<ModeSwap> swap_;
};

}  // namespace

std::unique_ptr<FitChains> make_ulisse_chains(const FitSettings& settings, const Model& model,
                                              const Dataset& data, const ChainsContext& context) {
  return std::make_unique<UlisseChains>(settings, model, data, context);
}

}  // namespace ulisse
