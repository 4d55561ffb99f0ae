#include "base/archive.h"

namespace ulisse {

// Not inline: GCC 12 follows it into std::string and warns of bytes that it takes for
// uninitialised.
unsigned char ArchiveReader::next() {
  if (left() == 0) fail("it ends too early");
  return static_cast<unsigned char>(bytes_[position_++]);
}

}  // namespace ulisse
