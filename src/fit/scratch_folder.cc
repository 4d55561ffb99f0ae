#include "fit/scratch_folder.h"

#include <stdlib.h>

#include <system_error>

#include "store/files.h"

namespace ulisse {

ScratchFolder::ScratchFolder() {
  std::error_code error;
  const std::filesystem::path place = std::filesystem::temp_directory_path(error);
  if (error) throw OutputError("make a temporary folder", place.string(), error.message());
  path_ = (place / "ulisse-XXXXXX").string();
  if (::mkdtemp(path_.data()) == nullptr) throw OutputError("make the folder", path_);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace ulisse
