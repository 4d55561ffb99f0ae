#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "draws/checkpoint.h"
#include "fit/chains.h"
#include "fit/second_mode.h"
#include "fit/solve_details.h"
#include "fit/ulisse_setup.h"
#include "gradient/curved_density.h"
#include "gradient/curved_gradient.h"
#include "sample/langevin.h"
#include "sample/swapping.h"
#include "ulisse/unbiased.h"

namespace ulisse {

namespace {

class UlisseChains : public FitChains {
 public:
  UlisseChains(const FitSettings& s, const Model& model, const Dataset& data,
               const ChainsContext& context)
      : model_(model),
        covariance_(
            make_covariance(model.kernel, data.x,
                            {.backend = context.backend.empty() ? s.backend : context.backend,
                             .memory_bytes = memory_for_products(s, data.x.rows(), context.memory),
                             .tolerance = s.product_tolerance})) {
    set_up(s, data, context);
    if (setup_.use_float) {
      float_covariance_ = make_covariance(model.kernel, data.x, {.backend = "dense-float"});
    }
    mode_ = setup_.mode;
    const Survey& survey = setup_.survey;
    const Vector slope = survey.coordinates.slope(survey.centre);
    metric_ = slope.asDiagonal() * survey.metric * slope.asDiagonal();
    anchored_ = std::make_unique<AnchoredGradient>(
        setup_.gradient(s.ulisse, model_, {*covariance_, float_covariance_.get()}));
    gradient_ = std::make_unique<CurvedGradient>(*anchored_, survey.coordinates);
    find_swap(data);
    for (int c = 0; c < s.chains; ++c) add_chain(s, c);
    plan_ = {.seed = s.seed,
             .draws = s.draws,
             .block = std::max(1L, s.warmup),
             .side_by_side = data.x.rows() < kSideBySideRows && s.chains > 1};
  }

  std::string news(int chain) const override {
    return fmt::format(", {:.1f} products an iteration",
                       langevin(chain).record().solves.mean_products());
  }

  void describe(nlohmann::ordered_json& fit) const override {
    fit["backend"] = covariance_->backend();
    fit["setup"] = {{"rank", setup_.rank},
                    {"backend", covariance_->backend()},
                    {"products", setup_.use_float ? "float" : "double"},
                    {"solves_of_setup", setup_.setup_in_float ? "float" : "double"},
                    {"float_error", json_number(setup_.float_error)},
                    {"q", setup_.q},
                    {"step", setup_.step},
                    {"bend", json_number(setup_.survey.bend)},
                    {"bend_of_logarithms", json_number(setup_.survey.bend_of_psi)},
                    {"exponents", exponents()},
                    {"probes", setup_.probes},
                    {"fresh_probes", setup_.fresh_probes},
                    {"swaps", swap_.has_value()},
                    {"off_mode", json_number(setup_.survey.off_mode)},
                    {"unfinished_solves", setup_.unfinished()},
                    {"metric_repaired", setup_.survey.repaired},
                    {"mode_gradients", setup_.mode.evaluations},
                    {"trace", setup_.anchor.exact_trace ? "exact" : "probes"},
                    {"trace_probes", setup_.anchor.trace_probes},
                    {"trace_controls", setup_.trace_by_controls},
                    {"trace_error", setup_.trace_error},
                    {"bank_error", json_number(setup_.survey.bank_error)},
                    {"solver_error", setup_.solver_error},
                    {"product_error", json_number(setup_.product_error)},
                    {"noise",
                     {{"cutting", setup_.noise_of_cutting},
                      {"probes", setup_.noise_of_probes},
                      {"probes_without_anchor", setup_.noise_without_anchor},
                      {"near_second_mode", setup_.noise_of_second}}}};
  }

  void describe_chain(int chain, nlohmann::ordered_json& json) const override {
    const LangevinRecord& record = langevin(chain).record();
    const double eps = langevin(chain).step_size();
    describe_solves(record.solves, json);
    describe_history(record.history, json);
    json["lambda_max"] = record.noise;
    json["noise_share"] = eps / 4 / (1 - eps / 4) * record.noise;
    json["cut_drifts"] = record.cut_drifts;
    json["metric_refreshed"] = record.metric_refreshed;
    json["step_reduced"] = record.step_reduced;
    if (swap_)
      json["swaps"] = {{"tried", sampler(chain).tried()}, {"done", sampler(chain).swapped()}};
    json["stein"] = nlohmann::ordered_json::array();
    const Matrix stein = record.stein(eps);
    for (Index i = 0; i < stein.rows(); ++i) json["stein"].push_back(json_number(stein(i, i)));
  }

 private:
  using UlisseSampler = Swapping<Langevin<CurvedGradient>, CurvedDensity>;
  using UlisseChain = ChainOf<UlisseSampler>;

  std::vector<double> exponents() const {
    const Vector& e = setup_.survey.coordinates.exponents();
    return {e.begin(), e.end()};
  }

  const UlisseSampler& sampler(int chain) const {
    return static_cast<const UlisseChain&>(*chains_[static_cast<std::size_t>(chain)]).sampler();
  }
  const Langevin<CurvedGradient>& langevin(int chain) const { return sampler(chain).local(); }

  void set_up(const FitSettings& s, const Dataset& data, const ChainsContext& context) {
    if (std::filesystem::exists(context.setup_file)) {
      ArchiveReader reader(read_checkpoint(context.setup_file));
      reader(setup_);
      reader.finish();
      restore_preconditioner(s, *covariance_, setup_);
      return;
    }
    setup_ = prepare_ulisse(s, model_, data, *covariance_, context.memory, context.watch);
    ArchiveWriter writer;
    writer(setup_);
    write_checkpoint(context.setup_file, writer.bytes());
  }

  void find_swap(const Dataset& data) {
    swap_ = swap_with_second_mode(setup_);
    if (!swap_) return;
    posterior_ = std::make_unique<ExactPosterior>(model_, data.x, data.y);
    density_ = std::make_unique<CurvedDensity>(*posterior_, setup_.survey.coordinates);
  }

  void add_chain(const FitSettings& s, int c) {
    const Survey& survey = setup_.survey;
    const Vector start =
        start_point(survey.centre, survey.metric, 2, s.seed, c, [](const Vector&) { return true; });
    Langevin<CurvedGradient> langevin(*gradient_, start, survey.metric, setup_.noise,
                                      {.step = setup_.step, .warmup = static_cast<int>(s.warmup)},
                                      swap_ ? std::optional(setup_.second) : std::nullopt);
    chains_.push_back(std::make_unique<UlisseChain>(std::move(langevin), swap_, density_.get()));
  }

  Model model_;
  std::unique_ptr<Covariance> covariance_, float_covariance_;
  UlisseSetup setup_;
  std::unique_ptr<AnchoredGradient> anchored_;
  std::unique_ptr<CurvedGradient> gradient_;
  std::unique_ptr<ExactPosterior> posterior_;  // with swaps alone, as is the density
  std::unique_ptr<CurvedDensity> density_;
  std::optional<ModeSwap> swap_;
};

}  // namespace

std::unique_ptr<FitChains> make_ulisse_chains(const FitSettings& settings, const Model& model,
                                              const Dataset& data, const ChainsContext& context) {
  return std::make_unique<UlisseChains>(settings, model, data, context);
}

}  // namespace ulisse
