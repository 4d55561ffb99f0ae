#pragma once

#include <functional>
#include <string>

#include "base/archive.h"

namespace ulisse {

// Whose state it is: what it is for, and the fit that it belongs to (fit_identity). One that
// belongs to another fit would be read without an error, and the draws would be those of neither.
struct StateOwner {
  std::string kind;  // checkpoint, or a stage of a set-up
  std::string fit;
};

// A state on the disk that is either complete or as it was before. Its bytes carry a checksum:
// reading throws InputError when they are not what was written, or are another owner's.
void write_checkpoint(const std::string& path, const StateOwner& owner, const std::string& state);
std::string read_checkpoint(const std::string& path, const StateOwner& owner);

// The same for states that take much memory: neither is ever in memory as a whole. `state` is
// called twice, and must write the same each time.
void stream_checkpoint(const std::string& path, const StateOwner& owner,
                       const std::function<void(ArchiveWriter&)>& state);
ArchiveReader open_checkpoint(const std::string& path, const StateOwner& owner);

// Whether a file begins like a state of this or another version, be it damaged or not.
bool looks_like_checkpoint(const std::string& path);

}  // namespace ulisse
