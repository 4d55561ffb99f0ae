#pragma once

#include <cmath>

#include "base/json_fields.h"

namespace ulisse {

// What chains went on for beyond their first draws, as in fit.json's "goal", and what there was of
// it when the draws were last looked at.
struct GoalRecord {
  long ess = 0, max_draws = 0;
  bool reached = false;
  double effective = NAN, rhat = NAN;

  template <class V>
  void fields(V& v) {
    v("ess", ess);
    v("max_draws", max_draws);
    v("reached", reached);
    v("effective", effective, NullIs{NAN});
    v("rhat", rhat, NullIs{NAN});
  }
};

inline nlohmann::ordered_json to_json(const GoalRecord& goal) {
  GoalRecord written = goal;  // fields() serves readers, too
  nlohmann::ordered_json json;
  JsonWriter writer(json);
  written.fields(writer);
  return json;
}

}  // namespace ulisse
