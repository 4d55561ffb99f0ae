#pragma once

namespace ulisse::testing {

// Sanitizers make tests twenty times slower, and want to see the code run, not its distribution.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

// How often something is repeated.
constexpr int repeats(int usually, int sanitized) { return kSanitized ? sanitized : usually; }

}  // namespace ulisse::testing
