#pragma once

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "predict/scores.h"
#include "ulisse/findings.h"

namespace ulisse::cli {

// What `ulisse predict` has to say when it is done.
struct PredictResult {
  std::string file;  // that was written
  bool latent = false;
  std::string method;
  Index training = 0, points = 0, draws = 0;
  Index known = 0;  // points that are rows of the fit, where predictions are scored
  double seconds = 0, variance_error = 0, interval = 0;
  struct PartOfFunction {
    std::string name, words;
  };
  std::vector<PartOfFunction> components;  // that have columns
  bool one_component = false;              // and the rest of them is constant
  bool scored = false, mode_found = true;
  Findings findings;
  Scores scores, at_the_mode;
  ScoreDifferences apart;  // of the former from the latter
};

nlohmann::ordered_json to_json(const PredictResult& result);
void print_text(const PredictResult& result, std::FILE* out);

}  // namespace ulisse::cli
