#include "fit/summary.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <filesystem>
#include <limits>

#include "draws/chain_file.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

// NaN has no place in JSON.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json to_json(const diagnose::ParameterSummary& p) {
  return {{"mean", number(p.mean)},         {"sd", number(p.sd)},
          {"mcse", number(p.mcse)},         {"q5", number(p.q5)},
          {"q50", number(p.q50)},           {"q95", number(p.q95)},
          {"ess_bulk", number(p.ess_bulk)}, {"ess_tail", number(p.ess_tail)},
          {"rhat", number(p.rhat)}};
}

std::vector<ChainDraws> read_chains(const FitFolder& folder, long count) {
  std::vector<ChainDraws> chains;
  chains.reserve(static_cast<std::size_t>(count));
  for (int c = 0; c < count; ++c) chains.push_back(read_chain(folder.chain_file(c)));
  return chains;
}

// After a crash chains may have been written to different lengths.
Index common_length(const std::vector<ChainDraws>& chains) {
  Index length = std::numeric_limits<Index>::max();
  for (const auto& c : chains) length = std::min(length, c.theta.rows());
  return chains.empty() ? 0 : length;
}

Matrix draws_of(const std::vector<ChainDraws>& chains, Index parameter, Index length) {
  Matrix draws(length, static_cast<Index>(chains.size()));
  for (std::size_t c = 0; c < chains.size(); ++c) {
    draws.col(static_cast<Index>(c)) = chains[c].theta.col(parameter).head(length);
  }
  return draws;
}

Vector vector_of(const Json& json) {
  const auto values = json.get<std::vector<double>>();
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

// Distances are in units of the covariance at the mode.
double share_nearer_to_the_other(const Json& json, const std::vector<ChainDraws>& chains) {
  const Vector mode = vector_of(json.at("mode").at("psi"));
  const Vector other = vector_of(json.at("mode").at("other_psi"));
  Matrix metric(mode.size(), mode.size());
  for (Index i = 0; i < mode.size(); ++i) {
    metric.row(i) = vector_of(json.at("metric").at(static_cast<std::size_t>(i))).transpose();
  }
  const Vector towards = metric.llt().solve(other - mode);
  const double half_way = towards.dot(0.5 * (mode + other));
  Index nearer = 0, all = 0;
  for (const ChainDraws& chain : chains) {
    const Vector place = chain.theta.array().log().matrix() * towards;
    nearer += (place.array() > half_way).count();
    all += place.size();
  }
  return static_cast<double>(nearer) / static_cast<double>(std::max<Index>(1, all));
}

}  // namespace

FitSummary summarise_fit(const FitFolder& folder) {
  const Json json = folder.read_json();
  FitSummary s;
  s.sampler = json.at("settings").at("sampler");
  s.status = json.at("status");
  s.chains = json.at("settings").at("chains");
  s.warmup = json.value("warmup_iterations", 0L);
  s.setup = json.value("setup", Json());
  for (const Json& p : json.value("parameters", Json::array())) {
    s.inputs.push_back(p.value("input", ""));
  }
  if (json.contains("mode")) {
    s.mode_converged = json.at("mode").value("converged", true);
    s.other_modes = json.at("mode").value("other_share", 0.0);
  }
  s.seconds_setup = json.value("seconds_setup", 0.0);
  s.seconds_warmup = json.value("seconds_warmup", 0.0);
  s.seconds_sampling = json.value("seconds_sampling", 0.0);
  s.chain_details = json.value("chains", std::vector<Json>());
  for (Json& chain : s.chain_details) chain.erase("history");  // long, and for plots alone
  const bool has_files = std::filesystem::exists(folder.chain_file(0));
  const auto chains = read_chains(folder, has_files ? s.chains : 0);
  const Index length = common_length(chains);
  if (length == 0) {  // it ended in warm-up, or with its last iteration
    s.seconds_per_independent_sample = NAN;
    s.warnings = warnings_of(s, 0);
    return s;
  }
  s.draws = length;
  if (s.other_modes > 0) s.other_draws = share_nearer_to_the_other(json, chains);
  long divergent = 0;
  for (const auto& c : chains) divergent += c.divergent;
  for (std::size_t j = 0; j < chains[0].parameters.size(); ++j) {
    const Matrix draws = draws_of(chains, static_cast<Index>(j), length);
    s.parameters.push_back(diagnose::summarise(chains[0].parameters[j], draws));
    s.log_parameters.push_back(
        diagnose::summarise(chains[0].parameters[j], draws.array().log().matrix()));
  }
  if (s.draws > 0) s.bias = bias_budget(s.setup, s.chain_details);
  s.seconds_per_independent_sample =
      diagnose::seconds_per_independent_sample(s.seconds_sampling, s.parameters);
  s.warnings = warnings_of(s, divergent);
  return s;
}

Json to_json(const FitSummary& s) {
  Json parameters = Json::object(), log_parameters = Json::object();
  for (const auto& p : s.parameters) parameters[p.name] = to_json(p);
  for (std::size_t j = 0; j < s.parameters.size() && j < s.inputs.size(); ++j) {
    if (!s.inputs[j].empty()) parameters[s.parameters[j].name]["input"] = s.inputs[j];
  }
  for (const auto& p : s.log_parameters) log_parameters[p.name] = to_json(p);
  return {{"parameters", parameters},
          {"log_parameters", log_parameters},
          {"sampler", s.sampler},
          {"status", s.status},
          {"chains", s.chains},
          {"warmup", s.warmup},
          {"draws", s.draws},
          {"other_modes", {{"share", s.other_modes}, {"share_of_draws", s.other_draws}}},
          {"seconds_setup", s.seconds_setup},
          {"seconds_sampling", s.seconds_sampling},
          {"seconds_warmup", s.seconds_warmup},
          {"seconds_per_independent_sample", number(s.seconds_per_independent_sample)},
          {"setup", s.setup},
          {"bias", s.bias ? to_json(*s.bias) : Json()},
          {"chain_details", s.chain_details},
          {"warnings", s.warnings}};
}

namespace {

std::string table_of(const FitSummary& s) {
  std::string text = fmt::format(
      "{:<10} {:>11} {:>11} {:>10} {:>11} {:>11} {:>11} {:>9} {:>9} {:>7}\n", "parameter", "mean",
      "sd", "mcse", "5%", "50%", "95%", "ess bulk", "ess tail", "R-hat");
  for (std::size_t j = 0; j < s.parameters.size(); ++j) {
    const auto& p = s.parameters[j];
    const std::string input = j < s.inputs.size() ? s.inputs[j] : "";
    text += fmt::format(
        "{:<10} {:>11.5g} {:>11.5g} {:>10.3g} {:>11.5g} {:>11.5g} {:>11.5g} {:>9.0f} {:>9.0f} "
        "{:>7.3f}{}\n",
        p.name, p.mean, p.sd, p.mcse, p.q5, p.q50, p.q95, p.ess_bulk, p.ess_tail, p.rhat,
        input.empty() ? "" : "  " + input);
  }
  text += fmt::format("\nset-up {:.1f} s, warm-up {:.1f} s, sampling {:.1f} s", s.seconds_setup,
                      s.seconds_warmup, s.seconds_sampling);
  if (std::isfinite(s.seconds_per_independent_sample)) {
    text += fmt::format(", {:.3g} s for an independent sample", s.seconds_per_independent_sample);
  }
  return text + "\n";
}

}  // namespace

std::string to_text(const FitSummary& s) {
  std::string text =
      fmt::format("{} chain{} of {} draws after {} of warm-up, sampler {}, {}\n\n", s.chains,
                  s.chains == 1 ? "" : "s", s.draws, s.warmup, s.sampler, s.status);
  if (s.draws > 0) text += table_of(s);
  if (s.bias) text += fmt::format("\n{}", to_text(*s.bias));
  for (const auto& warning : s.warnings) text += fmt::format("\nwarning: {}\n", warning);
  if (s.warnings.empty()) text += "No sign of trouble: chains agree, and there are enough draws.\n";
  return text;
}

}  // namespace ulisse
