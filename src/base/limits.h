#pragma once

#include <cstddef>

// What no table, file or option of real work comes near. Without these a slip of the keyboard, or a
// small compressed file, would take all memory or all time before anything is said.
namespace ulisse::limits {

// Of one row of a table. 100,000 numbers of 25 characters take 2.5 MB; a binary file, or a quote
// that is never closed, would pull the rest of the file into memory.
inline constexpr std::size_t row_bytes = std::size_t{16} << 20;

// Gene expression has some 60,000 columns. A row of commas alone, 64 MB that gzip makes 64 kB of,
// would take 24 bytes a field.
inline constexpr std::size_t columns = 100'000;

// One product with ten million rows takes 8 hours on two cores (10,000 times the 2.9 s of 100,000
// rows), and a fit hundreds of them. 430 kB of gzip can hold seventy million.
inline constexpr long rows = 10'000'000;

// Of the memory that is available, what a table may take while it is read: the values as they are,
// those that are scaled, and a sampler's copy are there at one time.
inline constexpr std::size_t table_copies = 4;

// A configuration has a line for each option.
inline constexpr std::size_t config_bytes = std::size_t{1} << 20;

// Each chain has its files and its state.
inline constexpr long chains = 1000;

// Warm-up, draws, and what else counts iterations: at a million a second a quarter of an hour, and
// it fits the counters of the samplers.
inline constexpr long iterations = 1'000'000'000;

// Iterations whose gradients are kept at one time, for their spread.
inline constexpr long batch = 1'000'000;

// Rows that a preconditioner looks at beside each row. Its making takes their cube.
inline constexpr long neighbours = 500;

// Solves of one gradient, of the bank, or of an estimate of a trace. Errors fall with the root: a
// hundred times the defaults would be 10 times as accurate.
inline constexpr long probes = 10'000;

// Joint samples of a prediction, columns of its table.
inline constexpr long samples = 1'000'000;

// Repetitions of a measurement.
inline constexpr long repeats = 1'000'000;

// A step of Langevin's dynamics is unstable from 4 on, whatever the posterior; sgld cuts its long
// ones, so that more is allowed there.
inline constexpr double langevin_step = 4, sgld_step = 100;

// A year, in seconds.
inline constexpr double seconds = 366 * 86400.0;

}  // namespace ulisse::limits
