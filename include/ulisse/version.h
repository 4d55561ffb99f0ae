#pragma once

namespace ulisse {

const char* version();  // "major.minor.patch"

}  // namespace ulisse
