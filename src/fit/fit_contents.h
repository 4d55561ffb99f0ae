#pragma once

#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "fit/fit_draws.h"
#include "fit/fit_record.h"
#include "ulisse/fit.h"

namespace ulisse {

// All that a Fit consists of.
struct Fit::Contents {
  std::string folder;                        // empty: it is in memory, and
  std::map<std::string, std::string> files;  // these are its files,
  std::optional<Dataset> data;               // and its table, not scaled
  nlohmann::ordered_json json;               // fit.json
  FitRecord record;                          // the same, checked
  std::string status;
  FitEnd end = FitEnd::complete;

  // Read when they are first asked for: who interrupts a run of a million draws does not want to
  // wait for them. Throw InputError.
  const std::vector<ChainDraws>& chains() const;  // each as long as its file
  const FitDraws& draws() const;                  // each as long as the shortest

  std::vector<std::string> parameters() const;  // also where there are no draws

  // For messages.
  std::string place() const { return folder.empty() ? "the fit" : folder; }

 private:
  void read_draws() const;
  mutable std::once_flag read_;
  mutable std::vector<ChainDraws> chains_;
  mutable FitDraws draws_;
};

}  // namespace ulisse
