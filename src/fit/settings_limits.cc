#include "fit/settings_limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/limits.h"
#include "base/memory.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

void require_whole(const char* option, long value, long least, long most) {
  if (value < least) throw InputError(fmt::format("{} must be at least {}", option, least));
  if (value > most) throw InputError(fmt::format("{} must be at most {}", option, most));
}

void require_iterations(const char* option, long value, long least) {
  require_whole(option, value, least, limits::iterations);
}

// NaN is refused by all of these.
void require_positive(const char* option, double value, double most = INFINITY) {
  if (!(value > 0) || !std::isfinite(value)) {
    throw InputError(fmt::format("{} must be a positive number, and is {}", option, value));
  }
  if (value > most) throw InputError(fmt::format("{} must be at most {:g}", option, most));
}

// 0 stands for what is found out before sampling.
void require_positive_or_zero(const char* option, double value) {
  if (value != 0) require_positive(option, value);
}

void check_sgld_ranges(const SgldSettings& s) {
  require_whole("--probe-count", s.probes, 1, limits::probes);
  require_iterations("--rank", s.rank, 0);
  require_positive("--q", s.q);
  require_positive("--first-step", s.first_step, limits::sgld_step);
  require_positive("--last-step", s.last_step);
  require_iterations("--schedule", s.schedule, 1);
  require_positive("--noise-ratio", s.noise_ratio);
  require_whole("--batch", s.batch, 2, limits::batch);
  require_iterations("--redraw-every", s.redraw_every, 1);
  require_iterations("--subset", s.subset, 1);
  require_iterations("--iterations", s.iterations, 0);
  require_positive("--longest-drift", s.longest_drift);
}

void check_ulisse_ranges(const UlisseSettings& s) {
  require_iterations("--rank", s.rank, 1);
  require_whole("--bank", s.bank, 2, limits::probes);
  require_whole("--probe-count", s.probes, 2, limits::probes);
  require_positive_or_zero("--q", s.q);
  require_positive_or_zero("--step", s.step);
  if (s.step >= limits::langevin_step) {
    throw InputError(fmt::format("--step must be below {:g}", limits::langevin_step));
  }
  require_positive("--trace-error", s.trace_error);
  require_whole("--trace-probes", s.trace_probes, 0, limits::probes);
  require_iterations("--subset", s.subset, 1);
}

// Of conjugate gradients and their results, for each right-hand side; of a preconditioner, for each
// of its rank.
constexpr double kColumnsOfASolve = 8, kColumnsOfARank = 3;

void check_blocks(const char* option, long columns_solved, long rank, Index n) {
  const double columns = kColumnsOfASolve * static_cast<double>(columns_solved) +
                         kColumnsOfARank * static_cast<double>(std::min<long>(rank, n));
  check_memory(fmt::format("{} {} and --rank {} with {} rows", option, columns_solved,
                           std::min<long>(rank, n), n),
               bytes_of(static_cast<double>(n) * columns));
}

}  // namespace

void check_ranges(const FitSettings& s) {
  require_whole("--chains", s.chains, 1, limits::chains);
  require_iterations("--warmup", s.warmup, 0);
  const bool by_iterations = s.sampler == "sgld" && s.sgld.iterations > 0;
  require_iterations("--draws", s.draws, by_iterations ? 0 : 1);
  if (!(s.product_tolerance >= 0 && s.product_tolerance < 1)) {
    throw InputError("--product-tolerance must be 0 or more, and below 1");
  }
  if (s.sampler == "sgld") check_sgld_ranges(s.sgld);
  if (s.sampler == "ulisse") check_ulisse_ranges(s.ulisse);
}

void check_sizes(const FitSettings& s, Index n) {
  if (s.sampler == "sgld") check_blocks("--probe-count", s.sgld.probes, s.sgld.rank, n);
  if (s.sampler == "ulisse") check_blocks("--bank", s.ulisse.bank, s.ulisse.rank, n);
}

}  // namespace ulisse
