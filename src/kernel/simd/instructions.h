#pragma once

namespace ulisse::simd {

// Keeps the inner loops to the instruction set that the environment variable ULISSE_INSTRUCTIONS
// names (AVX2, SSE4, ...), or to what is below it: results then have the same bits on machines
// whose best sets differ. Once for a process; throws InputError when the machine does not have it.
void limit_instructions();

}  // namespace ulisse::simd
