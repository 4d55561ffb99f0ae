#include "ulisse/version.h"

namespace ulisse {

const char* version() { return ULISSE_VERSION; }

}  // namespace ulisse
