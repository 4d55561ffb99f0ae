#pragma once

#include <string>

namespace ulisse {

// A state on the disk that is either complete or as it was before. Its bytes carry a checksum:
// reading throws InputError when they are not what was written.
void write_checkpoint(const std::string& path, const std::string& state);
std::string read_checkpoint(const std::string& path);

}  // namespace ulisse
