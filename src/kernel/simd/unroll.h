#pragma once

// Small loops with constant bounds over arrays of vectors must unroll, so that the arrays become
// registers.
#define ULISSE_UNROLL _Pragma("GCC unroll 32")
