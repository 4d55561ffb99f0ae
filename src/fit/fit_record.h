#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "fit/goal_record.h"
#include "fit/sampler_record.h"
#include "fit/settings.h"
#include "ulisse/dataset.h"

namespace ulisse {

// A fit.json, checked: everything that summaries, predictions, reports and Python read of it. Keys
// that an older version did not write, or that a run writes when it ends, may be missing; what is
// there has the type, the range and the shape that it must have.
struct FitRecord {
  struct Data {
    std::string file, target, fingerprint, path, separator = ",";
    bool header = true;  // of the file
    std::vector<std::string> features;
    std::vector<std::vector<std::string>> levels;  // as those of a Dataset
    std::vector<std::string> first_days;
    std::optional<KnownNoise> known_noise;
    bool drop_missing = false;
    long rows = 0;
  };
  struct Parameter {
    std::string name, prior, input;  // no input for those that belong to none
    std::string prior_units = kStandardisedUnits;
  };
  struct FoundMode {
    Vector psi, other_psi;  // the latter empty where none is known
    bool converged = true;
    double distance = NAN;  // from the mode, in posterior standard deviations, where it is known
    double other_share = 0, second_share = 0;  // of the posterior, at all others and at other_psi
  };

  std::string version, status, sampler_reason, backend;
  std::vector<std::string> notes;  // on the data
  FitSettings settings;
  std::optional<Data> data;
  std::optional<Standardisation> scaling;
  std::vector<Parameter> parameters;
  std::optional<FoundMode> mode;
  Matrix metric;  // empty before the mode is found
  long warmup = 0;
  long draws = 0;  // of each chain, when the last run ended
  double seconds_setup = 0, seconds_warmup = 0, seconds_sampling = 0;
  std::optional<GoalRecord> goal;    // nothing where a number of draws was asked for
  std::optional<SetupRecord> setup;  // of the sampler ulisse
  std::vector<ChainRecord> chains;   // when the last run ended

  // Of data and scaling, for those who cannot do without. Throw InputError.
  const Data& required_data() const;
  const Standardisation& required_scaling() const;
  const FoundMode& required_mode() const;

  std::string file;  // where it was read from
};

// Throws InputError that names the file, the key and what it must be.
FitRecord fit_record(const nlohmann::ordered_json& json, const std::string& file);

}  // namespace ulisse
