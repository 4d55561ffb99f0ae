#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/json_fields.h"
#include "fit/column_record.h"
#include "fit/goal_record.h"
#include "fit/reason_json.h"
#include "fit/sampler_record.h"
#include "fit/settings.h"
#include "ulisse/dataset.h"

namespace ulisse {

// The rule of settings, whose options name themselves.
struct SettingsRule {
  bool has(const FitSettings&) const { return true; }
  nlohmann::ordered_json write(const FitSettings& settings) const { return to_json(settings); }
  void read(const JsonReader& json, FitSettings& settings) const;
};

// The rule of how a table was scaled.
struct ScalingRule {
  bool has(const Standardisation&) const { return true; }
  nlohmann::ordered_json write(const Standardisation& scaling) const;
  void read(const JsonReader& json, Standardisation& scaling) const;
};

// The rule of what the sampler ulisse found out.
struct SetupRule {
  bool has(const SetupRecord&) const { return true; }
  nlohmann::ordered_json write(const SetupRecord& setup) const { return to_json(setup); }
  void read(const JsonReader& json, SetupRecord& setup) const { setup = setup_record(json); }
};

// The rule of what chains did.
struct ChainsRule {
  bool has(const std::vector<ChainRecord>&) const { return true; }
  nlohmann::ordered_json write(const std::vector<ChainRecord>& chains) const;
  void read(const JsonReader& json, std::vector<ChainRecord>& chains) const;
};

// A fit.json, checked: everything that summaries, predictions, reports and Python read of it. Keys
// that an older version did not write, or that a run writes when it ends, may be missing; what is
// there has the type, the range and the shape that it must have.
struct FitRecord {
  struct Data {
    std::string file, target, fingerprint, path, separator = ",";
    bool header = true;                     // of the file
    std::optional<bool> kept;               // the table, in the folder; not known of old ones
    std::vector<std::string> features;      // that were used
    std::vector<std::string> all_features;  // with constant ones, where there are any
    std::vector<std::vector<std::string>> levels;  // as those of a Dataset
    std::vector<std::string> first_days;
    std::optional<KnownNoise> known_noise;
    bool drop_missing = false;
    long rows = 0;

    template <class V>
    void fields(V& v) {
      v("file", file);
      v("target", target);
      v("features", features, Needed{});
      v("rows", rows, From{1});
      v("fingerprint", fingerprint);
      fields_of_columns(v);
      v("drop_missing", drop_missing, Unless{false});
      v("all_features", all_features, kUnlessEmpty);
      v("path", path);
      v("separator", separator);
      v("header", header);
      v("kept", kept);
    }
    template <class V>
    void fields_of_columns(V& v) {
      v("levels", levels, LevelsOf{features});
      v("first_days", first_days, FirstDaysOf{features});
      v("known_noise", known_noise, NoiseOf{features});
    }
  };
  struct Parameter {
    std::string name, prior, input;  // no input for those that belong to none
    std::string prior_units = kStandardisedUnits;

    template <class V>
    void fields(V& v) {
      v("name", name, Needed{});
      v("prior", prior, Needed{});
      v("prior_units", prior_units, Unless{std::string(kStandardisedUnits)});
      v("input", input, Unless{std::string()});
    }
  };
  struct FoundMode {
    Vector psi, other_psi;  // the latter empty where none is known
    bool converged = true;
    double distance = NAN;  // from the mode, in posterior standard deviations, where it is known
    double other_share = 0, second_share = 0;  // of the posterior, at all others and at other_psi

    template <class V>
    void fields(V& v) {
      v("psi", psi, Needed{});
      v("converged", converged);
      v("distance", distance, NullIs{NAN});
      v("other_psi", other_psi);
      v("other_share", other_share, Share{});
      v("second_share", second_share, Share{});
    }
  };
  struct Processor {
    std::string openblas, vectors;  // whose instructions they use

    template <class V>
    void fields(V& v) {
      v("openblas", openblas);
      v("vectors", vectors);
    }
  };

  std::string version, status, backend;
  Reason sampler_reason;           // where auto chose it
  std::vector<std::string> notes;  // on the data
  FitSettings settings;
  std::optional<Data> data;
  std::optional<Standardisation> scaling;
  std::vector<Parameter> parameters;
  std::optional<long> memory;  // in bytes, that the set-up decided by
  std::optional<Processor> processor;
  std::optional<FoundMode> mode;
  Matrix metric;  // empty before the mode is found
  long warmup = 0;
  long draws = 0;  // of each chain, when the last run ended
  double seconds_setup = 0, seconds_warmup = 0, seconds_sampling = 0;
  long threads = 0;
  std::optional<GoalRecord> goal;    // nothing where a number of draws was asked for
  std::optional<SetupRecord> setup;  // of the sampler ulisse
  std::vector<ChainRecord> chains;   // when the last run ended

  // The keys as a fit comes to know them: when it begins,
  template <class V>
  void fields_of_beginning(V& v) {
    v("ulisse_version", version);
    v("status", status);
    v("data", data);
    v("scaling", scaling, ScalingRule{});
    v("parameters", parameters);
    v("settings", settings, SettingsRule{});
    v("sampler_reason", sampler_reason, ReasonRule{});
    v("notes", notes);
    v("memory", memory);
    v("processor", processor);
  }
  // when its set-up has ended,
  template <class V>
  void fields_of_setup(V& v) {
    v("mode", mode);
    v("metric", metric, NullIs{NAN});
    v("backend", backend, Unless{std::string()});
    v("setup", setup, SetupRule{});
    v("seconds_setup", seconds_setup, From{0});
  }
  // and with draws.
  template <class V>
  void fields_of_draws(V& v) {
    v("warmup_iterations", warmup);
    v("draws", draws);
    v("seconds_warmup", seconds_warmup, From{0});
    v("seconds_sampling", seconds_sampling, From{0});
    v("threads", threads);
    v("goal", goal);
    v("chains", chains, ChainsRule{});
  }

  // Of data and scaling, for those who cannot do without. Throw InputError.
  const Data& required_data() const;
  const Standardisation& required_scaling() const;
  const FoundMode& required_mode() const;

  std::string file;  // where it was read from
};

// Throws InputError that names the file, the key and what it must be.
FitRecord fit_record(const nlohmann::ordered_json& json, const std::string& file);

// What a fit knows when it begins.
nlohmann::ordered_json to_json(const FitRecord& beginning);

// Adds what the set-up has found, and what the draws have added.
void add_setup(FitRecord found, nlohmann::ordered_json& json);
void add_draws(FitRecord drawn, nlohmann::ordered_json& json);

}  // namespace ulisse
