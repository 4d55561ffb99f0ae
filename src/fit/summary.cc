#include "fit/summary.h"

#include <Eigen/Cholesky>
#include <cmath>

#include "base/json_text.h"
#include "fit/controlled_summary.h"
#include "fit/finding_json.h"
#include "fit/fit_contents.h"
#include "fit/judge_fit.h"
#include "fit/model_of_fit.h"
#include "fit/sampler_kind.h"
#include "fit/samplers/ulisse_options.h"
#include "ulisse/error.h"
#include "ulisse/exact.h"
#include "ulisse/second_mode.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

Json to_json(const diagnose::ParameterSummary& p) {
  Json json = {{"mean", json_number(p.mean)},         {"sd", json_number(p.sd)},
               {"mcse", json_number(p.mcse)},         {"q5", json_number(p.q5)},
               {"q50", json_number(p.q50)},           {"q95", json_number(p.q95)},
               {"ess_bulk", json_number(p.ess_bulk)}, {"ess_tail", json_number(p.ess_tail)},
               {"rhat", json_number(p.rhat)}};
  if (!p.of_draws) return json;
  json["mcse_sd"] = json_number(p.mcse_sd);
  json["mean_of_draws"] = json_number(p.of_draws->mean);
  json["sd_of_draws"] = json_number(p.of_draws->sd);
  json["mcse_of_draws"] = json_number(p.of_draws->mcse);
  return json;
}

Json to_json(const std::vector<diagnose::ParameterSummary>& all,
             const std::vector<Belonging>& belonging) {
  Json json = Json::object();
  for (std::size_t j = 0; j < all.size(); ++j) {
    Json& row = json[all[j].name] = to_json(all[j]);
    if (j >= belonging.size()) continue;
    if (!belonging[j].input.empty()) row["input"] = belonging[j].input;
    if (!belonging[j].term.empty()) row["term"] = belonging[j].term;
  }
  return json;
}

// Distances are in units of the covariance at the mode.
double share_nearer_to_the_other(const FitRecord& record, const FitDraws& draws) {
  const Vector& mode = record.mode->psi;
  const Vector& other = record.mode->other_psi;
  const Vector towards = record.metric.llt().solve(other - mode);
  const double half_way = towards.dot(0.5 * (mode + other));
  Matrix place = Matrix::Zero(draws.draws(), draws.chains());
  for (std::size_t j = 0; j < draws.theta.size(); ++j) {
    place += towards(static_cast<Index>(j)) * draws.theta[j].array().log().matrix();
  }
  return static_cast<double>((place.array() > half_way).count()) /
         static_cast<double>(place.size());
}

// What fit.json says, before any draw is looked at.
FitSummary summary_of(const FitRecord& record) {
  FitSummary s;
  s.fitted = what_was_fitted(record);
  s.sampler = record.settings.sampler;
  s.in_setup = !record.mode;
  s.notes = record.notes;
  s.chains = record.settings.chains;
  s.warmup = record.warmup;
  s.goal = record.goal;
  s.setup = record.setup;
  s.chain_details = record.chains;
  s.belonging = parameters_belong(record);
  s.quantity_belonging = quantities_belong(record);
  if (record.mode) {
    s.mode_distance = record.mode->distance;
    s.mode_converged = record.mode->converged || s.mode_distance < kNearMode;
    s.other_modes = record.mode->other_share;
    s.second_mode = record.mode->second_share;
    s.other_place = record.mode->other_psi.array().exp();
  }
  s.seconds_setup = record.seconds_setup;
  s.seconds_warmup = record.seconds_warmup;
  s.seconds_sampling = record.seconds_sampling;
  s.announced_draws = record.draws;
  return s;
}

// Of draws that chains of stochastic gradients made nothing says how likely the data are there.
std::vector<PriorEffect> prior_effects_of(const FitRecord& record, const FitDraws& draws) {
  if (!record.data || !record.scaling) return {};
  const SamplerKind* kind = find_sampler_kind(record.settings.sampler);
  const bool exact = (kind != nullptr && kind->exact) || (record.setup && record.setup->exact);
  return prior_effects(draws, model_of(record), exact);
}

Json other_modes_of(const FitSummary& s) {
  Json place;
  for (Index j = 0; j < s.other_place.size() && s.other_place.size() == Index(s.parameters.size());
       ++j) {
    place[s.parameters[static_cast<std::size_t>(j)].name] = json_number(s.other_place(j));
  }
  return {{"share", s.other_modes}, {"share_of_draws", s.other_draws}, {"largest_at", place}};
}

// Quantiles, R-hat and ESS are of the draws; moments have control variates where there are such.
void add_rows(const FitRecord& record, const FitDraws& draws, FitSummary& s) {
  const auto controls = control_variates_of(record, draws);
  const auto row = [&](const std::string& name, const Matrix& values) {
    diagnose::ParameterSummary found = diagnose::summarise(name, values);
    if (controls) improve(found, values, *controls);
    return found;
  };
  for (std::size_t j = 0; j < draws.theta.size(); ++j) {
    s.parameters.push_back(row(draws.parameters[j], draws.theta[j]));
    s.log_parameters.push_back(row(draws.parameters[j], draws.theta[j].array().log().matrix()));
  }
  for (std::size_t q = 0; q < draws.values.size(); ++q) {
    s.quantities.push_back(row(draws.quantities[q], draws.values[q]));
  }
}

}  // namespace

FitSummary full_summary(const Fit& fit) {
  const FitRecord& record = fit.contents().record;
  const FitDraws& draws = fit.contents().draws();
  FitSummary s = summary_of(record);
  s.status = fit.status();
  s.draws = draws.draws();
  s.lengths = draws.lengths;
  if (s.draws == 0) {  // it ended in warm-up, or with its last iteration
    s.seconds_per_independent_sample = NAN;
    s.findings = findings_of(s, 0);
    return s;
  }
  const bool comparable = record.metric.rows() == static_cast<Index>(draws.theta.size());
  if (s.other_modes > 0 && comparable) s.other_draws = share_nearer_to_the_other(record, draws);
  add_rows(record, draws, s);
  s.length_scales = length_scales(record, s.parameters);
  s.prior_effects = prior_effects_of(record, draws);
  s.bias = bias_budget(s.setup, s.chain_details);
  if (s.bias) {
    s.bias->anchor_goal = settings_from(ulisse_settings(), record.settings.own).mode_gradient_error;
  }
  s.seconds_per_independent_sample =
      diagnose::seconds_per_independent_sample(s.seconds_sampling, s.parameters);
  s.findings = findings_of(s, draws.divergent);
  return s;
}

Summary summarise(const Fit& fit) { return full_summary(fit); }

Json to_json(const FitSummary& s) {
  Json log_parameters = Json::object();
  for (const auto& p : s.log_parameters) log_parameters[p.name] = to_json(p);
  Json chains = Json::array();
  for (const ChainRecord& c : s.chain_details) chains.push_back(c.json);
  return {{"fitted", to_json(s.fitted)},
          {"quantities", to_json(s.quantities, s.quantity_belonging)},
          {"parameters", to_json(s.parameters, s.belonging)},
          {"log_parameters", log_parameters},
          {"length_scales", to_json(s.length_scales)},
          {"prior_sensitivity", to_json(s.prior_effects)},
          {"sampler", s.sampler},
          {"status", s.status},
          {"chains", s.chains},
          {"warmup", s.warmup},
          {"draws", s.draws},
          {"goal", s.goal ? to_json(*s.goal) : Json()},
          {"other_modes", other_modes_of(s)},
          {"seconds_setup", s.seconds_setup},
          {"seconds_sampling", s.seconds_sampling},
          {"seconds_warmup", s.seconds_warmup},
          {"seconds_per_independent_sample", json_number(s.seconds_per_independent_sample)},
          {"setup", s.setup ? s.setup->json : Json()},
          {"bias", s.bias ? to_json(*s.bias) : Json()},
          {"chain_details", chains},
          {"notes", s.notes},
          {"findings", to_json(s.findings)}};
}

}  // namespace ulisse
