#include "kernel/simd/instructions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hwy/targets.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "ulisse/error.h"

namespace ulisse::simd {

namespace {

constexpr const char* kVariable = "ULISSE_INSTRUCTIONS";

bool limit_to(const std::string& wanted) {
  std::vector<std::string> known;
  for (const auto target : hwy::SupportedAndGeneratedTargets()) {
    known.emplace_back(hwy::TargetName(target));
    if (known.back() != wanted) continue;
    hwy::DisableTargets(target - 1);  // a better set is a lower bit
    return true;
  }
  throw InputError(fmt::format("{}: this machine has no '{}'; it has {}", kVariable, wanted,
                               fmt::join(known, ", ")));
}

}  // namespace

void limit_instructions() {
  static const bool limited = [] {
    const char* wanted = std::getenv(kVariable);
    return wanted != nullptr && *wanted != '\0' && limit_to(wanted);
  }();
  static_cast<void>(limited);
}

}  // namespace ulisse::simd
