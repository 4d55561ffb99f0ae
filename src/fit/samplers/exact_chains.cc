#include "fit/samplers/exact_chains.h"

#include <algorithm>

#include "ulisse/second_mode.h"

namespace ulisse {

void ExactChains::begin(const FitSettings& s, const Dataset& data) {
  mode_ = find_mode(posterior_, data.x, data.y);
  metric_ = usable_covariance(posterior_.model(), mode_);
  // Where there is another mode every other chain starts there, so that R-hat can see both.
  const std::optional<SecondMode> second = find_second_mode();
  for (int c = 0; c < s.chains; ++c) {
    const Vector& around = second && c % 2 == 1 ? mode_.other_psi : mode_.psi;
    const Vector start = start_point(around, metric_, 2, s.seed, c, [&](const Vector& psi) {
      return !posterior_.log_density(psi).rejected();
    });
    add_chain(s, start, second);
  }
  plan_ = {.seed = s.seed,
           .draws = s.draws,
           .block = std::max(1L, s.warmup),
           .side_by_side = data.x.rows() < kSideBySideRows && s.chains > 1};
}

std::optional<SecondMode> ExactChains::find_second_mode() const {
  if (mode_.other_share < kMinModeShare) return std::nullopt;
  return SecondMode{.psi = mode_.other_psi,
                    .covariance = covariance_around(posterior_, mode_.other_psi).value_or(metric_),
                    .share = mode_.other_share};
}

}  // namespace ulisse
