#pragma once

#include <string>

#include "fit/folder.h"

namespace ulisse {

enum class Start { anew, resume, replace };

// Where a fit writes until it samples. One that replaces another writes beside it till then, and
// whatever ends it before leaves the other as it was. Needs the folder's lock.
class StartFolder {
 public:
  // `source` is the table's file. Throws InputError where a fit may not be begun, and OutputError.
  StartFolder(const std::string& folder, Start start, const std::string& source);
  StartFolder(const StartFolder&) = delete;
  StartFolder& operator=(const StartFolder&) = delete;
  // Whatever ends a fit, but for a kill: one that has not come into the other's place is removed,
  // and one that has begun to write does not go on to say that it runs.
  ~StartFolder();

  const FitFolder& folder() const { return start_; }
  bool replaces() const { return replaces_; }

  // fit.json, for the first time in this run.
  void write_first(const nlohmann::ordered_json& json);

  // The fit takes the place of the one that it replaces, if any.
  void move_in();

 private:
  FitFolder folder_;
  bool replaces_;
  FitFolder start_;
  bool has_written_ = false;
};

}  // namespace ulisse
