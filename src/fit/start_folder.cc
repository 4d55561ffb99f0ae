#include "fit/start_folder.h"

#include "fit/replace_fit.h"

namespace ulisse {

namespace {

void say_that_it_ended(const FitFolder& folder) {
  try {
    nlohmann::ordered_json json = folder.read_json();
    if (json.at("status") != "running") return;
    json["status"] = "interrupted";
    folder.write_json(json);
  } catch (const std::exception&) {  // what ended the fit is what the user should hear of
  }
}

}  // namespace

StartFolder::StartFolder(const std::string& folder, Start start, const std::string& source)
    : folder_(folder), replaces_(start == Start::replace && folder_.has_fit()), start_(folder_) {
  if (start == Start::resume) return;
  folder_.require_free(start == Start::replace, source);
  if (replaces_) {
    start_ = begin_successor(folder);
  } else {
    folder_.create();
  }
}

StartFolder::~StartFolder() {
  if (replaces_) {
    start_.discard();
  } else if (has_written_) {
    say_that_it_ended(start_);
  }
}

void StartFolder::write_first(const nlohmann::ordered_json& json) {
  has_written_ = true;
  start_.write_json(json);
}

void StartFolder::move_in() {
  if (!replaces_) return;
  replace_fit(folder_.path());
  replaces_ = false;
  start_ = folder_;
}

}  // namespace ulisse
