#include "fit/stage_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/option_names.h"
#include "store/checkpoint.h"
#include "ulisse/error.h"

namespace ulisse {

bool StageFiles::load(const std::string& stage, const std::function<bool(ArchiveReader&)>& read) {
  const std::string file = prefix_ + "_" + stage;
  if (!std::filesystem::exists(file)) return false;
  const auto refuse = [&](const std::string& why) {
    throw InputError(fmt::format("{}: is damaged: {}; where it is deleted, {} makes it again", file,
                                 why, option_named("resume")));
  };
  ArchiveReader reader = open_checkpoint(file, {name_of_stage(stage), fit_});
  bool fits = false;
  try {
    fits = read(reader);
    reader.finish();
  } catch (const std::runtime_error& error) {
    refuse(error.what());
  }
  if (!fits) refuse("its numbers are not of this table");
  return true;
}

void StageFiles::save(const std::string& stage, const std::function<void(ArchiveWriter&)>& write) {
  stream_checkpoint(prefix_ + "_" + stage, {name_of_stage(stage), fit_}, write);
}

std::string name_of_stage(const std::string& stage) { return "setup_" + stage; }

bool is_name_of_setup(const std::string& name) {
  const auto& stages = setup_stages();
  return name == "setup" ||
         std::any_of(stages.begin(), stages.end(),
                     [&](const std::string& stage) { return name == name_of_stage(stage); });
}

}  // namespace ulisse
