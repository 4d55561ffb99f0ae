#pragma once

#include <string>
#include <utility>

#include "ulisse/setup_stage.h"

namespace ulisse {

// Each stage of a fit's set-up in a file of its own, `prefix` and its name, with the fit's identity
// and a checksum: complete, or not there. Throws InputError where one is damaged or another fit's,
// and OutputError.
class StageFiles : public StageStore {
 public:
  StageFiles(std::string prefix, std::string fit)
      : prefix_(std::move(prefix)), fit_(std::move(fit)) {}

  bool load(const std::string& stage, const std::function<bool(ArchiveReader&)>& read) override;
  void save(const std::string& stage, const std::function<void(ArchiveWriter&)>& write) override;

 private:
  std::string prefix_, fit_;
};

// Whether a file in a fit's folder has the name of a stage's, or of the set-up of version 0.1.
bool is_name_of_setup(const std::string& name);

// "setup_anchor".
std::string name_of_stage(const std::string& stage);

}  // namespace ulisse
