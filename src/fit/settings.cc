#include "fit/settings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/json_reader.h"
#include "base/limits.h"
#include "fit/settings_limits.h"
#include "ulisse/covariance.h"
#include "ulisse/error.h"
#include "ulisse/setup_problem.h"
#include "ulisse/unbiased.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

// n/5 where that is small; at most 1000, and at most a gigabyte for L and Q.
long default_rank(Index n) {
  const double by_memory = 1e9 / (2 * sizeof(double) * static_cast<double>(n));
  return std::max(1L, std::min({static_cast<long>(n) / 5, 1000L, static_cast<long>(by_memory)}));
}

// What a bank is off by stays for a whole run. Where more probes take seconds there are more.
long default_bank(Index n) { return n < SetupProblem::kFloatRows ? 128 : 32; }

// The paper's, for Concrete (n = 1,030), or for Census (n = 22,784) where n is closer to that.
SgldSettings paper_sgld_settings(Index n) {
  const bool large = n >= 5000;
  return {.probes = 4,
          .probe_kind = "rademacher",
          .rank = 0,
          .q = 1,
          .truncation = "exp(1)",
          .step_rule = "schedule",
          .first_step = large ? 5e-2 : 1e-1,
          .last_step = large ? 5e-6 : 1e-4,
          .schedule = 40000,
          .noise_ratio = 0.002,
          .noise_from = "batch",
          .batch = 100,
          .redraw_every = 20,
          .subset = large ? 1000 : 500,
          .scale_metric = false,
          .iterations = 40000};
}

void require_one_of(const std::string& option, const std::string& value,
                    const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return;
  throw InputError(fmt::format("{}: '{}' is none of {}", option, value, fmt::join(allowed, ", ")));
}

// Whatever the sampler: a name that is mistyped must not wait for the run that needs it.
void require_backend(const std::string& name) {
  std::vector<std::string> known = covariance_backends();
  known.insert(known.begin(), "auto");
  require_one_of("--backend", name, known);
}

// Calls f(key, member) for each setting, so that writing and reading cannot differ.
template <class Settings, class F>
void each_sgld_setting(Settings& s, const F& f) {
  f("probes", s.probes);
  f("probe_kind", s.probe_kind);
  f("rank", s.rank);
  f("q", s.q);
  f("truncation", s.truncation);
  f("step_rule", s.step_rule);
  f("first_step", s.first_step);
  f("last_step", s.last_step);
  f("schedule", s.schedule);
  f("noise_ratio", s.noise_ratio);
  f("noise_from", s.noise_from);
  f("batch", s.batch);
  f("redraw_every", s.redraw_every);
  f("subset", s.subset);
  f("scale_metric", s.scale_metric);
  f("iterations", s.iterations);
  f("warm_start", s.warm_start);
  f("y_start", s.y_start);
  f("longest_drift", s.longest_drift);
}

template <class Settings, class F>
void each_ulisse_setting(Settings& s, const F& f) {
  f("rank", s.rank);
  f("bank", s.bank);
  f("probes", s.probes);
  f("q", s.q);
  f("truncation", s.truncation);
  f("step", s.step);
  f("trace", s.trace);
  f("trace_error", s.trace_error);
  f("trace_probes", s.trace_probes);
  f("subset", s.subset);
}

template <class Settings, class F>
void each_setting(Settings& s, const F& f) {
  f("kernel", s.kernel);
  f("priors", s.priors);
  f("standardise", s.standardise);
  f("sampler", s.sampler);
  f("preset", s.preset);
  f("chains", s.chains);
  f("warmup", s.warmup);
  f("draws", s.draws);
  f("seed", s.seed);
  f("backend", s.backend);
  f("product_tolerance", s.product_tolerance);
  f("save_warmup", s.save_warmup);
}

void check_ulisse(const UlisseSettings& s) {
  parse_truncation(s.truncation);
  if (s.probes < 2 || s.probes > s.bank) {
    throw InputError(fmt::format(
        "--probe-count: a gradient takes at least 2 probes, and at most the bank's {}", s.bank));
  }
}

}  // namespace

FitSettings settings_for(const std::string& sampler, const std::string& preset, Index n) {
  // auto has been resolved by then.
  if (sampler == "auto") throw std::invalid_argument("settings are those of one sampler");
  require_one_of("--sampler", sampler, {"ulisse", "sgld", "mh", "nuts", "auto"});
  require_one_of("--preset", preset, {"default", "paper"});
  FitSettings s{.sampler = sampler, .preset = preset};
  const bool paper = preset == "paper";
  if (sampler == "ulisse") {
    if (paper) throw InputError("--preset paper: the paper has sgld and mh, not ulisse");
    // Exact steps have a metric to learn.
    s.warmup = n <= SetupProblem::kExactModeRows ? 300 : 100;
    s.draws = 500;
    s.ulisse.rank = default_rank(n);
    s.ulisse.bank = default_bank(n);
  } else if (sampler == "sgld") {
    s.warmup = 500;
    s.draws = 5000;
    s.sgld.rank = default_rank(n);
    if (paper) {
      s.sgld = paper_sgld_settings(n);
      s.warmup = 30000;
      s.draws = 0;  // what is left of the iterations
      s.chains = n >= 5000 ? 5 : 10;
    }
  } else if (sampler == "mh") {
    s.warmup = paper ? 10000 : 500;
    s.draws = paper ? 40000 : 1000;
    if (paper) s.chains = 1;
  } else if (paper) {
    throw InputError("--preset paper: the paper has sgld and mh, not nuts");
  } else {
    s.warmup = 300;
    s.draws = 500;
  }
  return s;
}

std::vector<std::string> priors_of(const std::string& preset,
                                   const std::vector<std::string>& given) {
  std::vector<std::string> priors;
  if (preset == "paper") {
    const auto sets = [](const std::string& prior, const std::string& name) {
      return prior.substr(0, prior.find_first_of(" \t=")) == name;
    };
    for (const std::string name : {"sigma", "tau", "lambda"}) {
      if (std::none_of(given.begin(), given.end(),
                       [&](const std::string& prior) { return sets(prior, name); })) {
        priors.push_back(name + "=gamma(1,0.1)");
      }
    }
  }
  priors.insert(priors.end(), given.begin(), given.end());
  return priors;
}

void check(const FitSettings& s) {
  check_ranges(s);
  require_backend(s.backend);
  require_one_of("--probes", s.sgld.probe_kind, {"rademacher", "preconditioned"});
  require_one_of("--step-rule", s.sgld.step_rule, {"schedule", "noise"});
  require_one_of("--warm-start", s.sgld.warm_start, {"iterate", "estimate"});
  require_one_of("--y-start", s.sgld.y_start, {"solved", "zero"});
  require_one_of("--noise-from", s.sgld.noise_from, {"batch", "probes"});
  require_one_of("--trace", s.ulisse.trace, {"auto", "exact", "probes"});
  if (s.sampler == "ulisse") check_ulisse(s.ulisse);
  if (s.sampler != "sgld") return;
  if (s.sgld.truncation != "none") parse_truncation(s.sgld.truncation);
  if (s.sgld.probe_kind == "preconditioned" && s.sgld.rank == 0) {
    throw InputError("--probes preconditioned wants a preconditioner: --rank above 0");
  }
  if (s.sgld.noise_from == "probes" && s.sgld.probes < 2) {
    throw InputError("--noise-from probes wants two probes or more");
  }
  if (s.sgld.last_step > s.sgld.first_step) {
    throw InputError("--last-step must not be larger than --first-step");
  }
}

Json to_json(const FitSettings& s) {
  Json json;
  each_setting(s, [&](const char* key, const auto& value) { json[key] = value; });
  if (s.sampler == "sgld") {
    each_sgld_setting(s.sgld,
                      [&](const char* key, const auto& value) { json["sgld"][key] = value; });
  }
  if (s.sampler == "ulisse") {
    each_ulisse_setting(s.ulisse,
                        [&](const char* key, const auto& value) { json["ulisse"][key] = value; });
  }
  return json;
}

FitSettings read_settings(const JsonReader& json, bool all) {
  FitSettings s;
  // Fits of version 0.1 may be from before these were settings; they had today's defaults.
  const auto may_be_missing = [](const std::string& key) {
    return key == "warm_start" || key == "y_start" || key == "longest_drift";
  };
  const auto read_from = [&](const JsonReader& from) {
    return [&, from](const char* key, auto& value) {
      if (all && !may_be_missing(key)) from.at(key);
      from.read(key, value);
    };
  };
  if (json.has("chains")) json.at("chains").whole(1, limits::chains);
  each_setting(s, read_from(json));
  const std::vector<std::string> samplers = {"ulisse", "sgld", "mh", "nuts"};
  if (std::find(samplers.begin(), samplers.end(), s.sampler) == samplers.end()) {
    json.at("sampler").refuse(fmt::format("one of {}", fmt::join(samplers, ", ")));
  }
  const bool has_own = s.sampler == "sgld" || s.sampler == "ulisse";
  if (!has_own || (!all && !json.has(s.sampler))) return s;
  if (s.sampler == "sgld") each_sgld_setting(s.sgld, read_from(json.at("sgld")));
  if (s.sampler == "ulisse") each_ulisse_setting(s.ulisse, read_from(json.at("ulisse")));
  return s;
}

FitSettings settings_from_json(const Json& json) {
  return read_settings(JsonReader(json, "settings"), true);
}

}  // namespace ulisse
