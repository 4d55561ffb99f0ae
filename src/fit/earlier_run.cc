#include "fit/earlier_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/option_names.h"
#include "fit/older_fit.h"
#include "fit/own_files.h"
#include "fit/settings.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

long of_settings(const Json& description, const char* key) {
  return description.at("settings").value(key, 0L);
}

long draws_of(const Json& description) { return of_settings(description, "draws"); }

bool have_one_goal(const Json& there, const Json& here) {
  return std::all_of(kOfTheGoal.begin(), kOfTheGoal.end(), [&](const char* key) {
    return of_settings(there, key) == of_settings(here, key);
  });
}

void require_no_fewer(const FitFolder& folder, const char* verb, long there, long here) {
  if (here >= there) return;
  throw InputError(
      fmt::format("{}: the fit {} {} draws of each chain, and {} takes none away; "
                  "leave {} out, or "
                  "give more",
                  folder.path(), verb, there, option_named("resume"),
                  option_set("draws", static_cast<double>(here))));
}

void require_same_fit(const FitFolder& folder, const Json& there, const Json& here) {
  refuse_older_settings(folder, there);
  require_no_fewer(folder, "was begun with", draws_of(there), draws_of(here));
  const std::string differs = differences(there, here);
  if (differs.empty()) return;
  throw InputError(
      fmt::format("{}: cannot be resumed, since these differ: {}; leave them out to go on with the "
                  "fit, or name another folder as {} for another one",
                  folder.path(), differs, option_named("out")));
}

// Without it chains would begin anew, over the draws that are there.
void require_checkpoint(const FitFolder& folder, const Json& there) {
  const bool complete = there.at("status") == "complete";
  if (complete || std::filesystem::exists(folder.chain_file(0))) {
    throw InputError(fmt::format(
        "{}: {}, since the file checkpoint is gone; {} begins anew", folder.path(),
        complete ? "no draws can be added" : "cannot be resumed", option_named("force")));
  }
}

// What was decided when the fit began. The table is the same, but was read without the columns that
// were left out then, and may have moved.
void take_over(const FitFolder& folder, const Json& there, Json& here) {
  if (there.at("settings").value("save_warmup", false)) here["settings"]["save_warmup"] = true;
  const bool kept = std::filesystem::exists(folder.data_file());
  const bool keep = there.at("data").value("kept", kept);
  const Json read = std::exchange(here["data"], there.at("data"));
  if (read.at("file") != folder.data_file()) {
    for (const char* key : {"path", "separator", "header"}) here["data"][key] = read.at(key);
  }
  here["data"]["kept"] = keep;
  here["notes"] = there.value("notes", here["notes"]);  // of the table as it came
  // A set-up that goes on decides as it did; with more memory it would decide otherwise.
  if (there.contains("memory") && there["memory"].is_number_unsigned()) {
    here["memory"] = there["memory"];
  }
}

}  // namespace

bool EarlierRun::has_other_goal(const Json& here) const {
  return json.at("status") == "complete" || !have_one_goal(json, here);
}

bool is_complete(const FitFolder& folder, const Json& here) {
  const Json there = folder.read_json();
  require_same_fit(folder, there, here);
  return there.at("status") == "complete" && have_one_goal(there, here);
}

EarlierRun read_earlier_run(const FitFolder& folder, const SavedRunLimits& limits, Json& here) {
  EarlierRun earlier{.json = folder.read_json()};
  require_same_fit(folder, earlier.json, here);
  require_no_links(folder);
  earlier.backend = earlier.json.value("backend", "");
  earlier.seconds_setup = earlier.json.value("seconds_setup", 0.0);
  if (std::filesystem::exists(folder.checkpoint_file())) {
    earlier.saved = read_saved_run(folder, limits);
    const bool to_a_number = of_settings(here, "max_draws") == 0 && draws_of(here) > 0;
    if (to_a_number) require_no_fewer(folder, "has", earlier.saved->state.draws(), draws_of(here));
  } else {
    require_checkpoint(folder, earlier.json);
  }
  take_over(folder, earlier.json, here);
  return earlier;
}

}  // namespace ulisse
