#include "fit/controlled_summary.h"

#include <algorithm>

#include "sample/coordinates.h"

namespace ulisse {

namespace {

bool moved_by_langevin(const FitRecord& record, const FitDraws& draws) {
  const auto p = static_cast<Index>(draws.parameters.size());
  const auto chains = static_cast<std::size_t>(draws.chains());
  return draws.draws() > 1 && draws.noise.size() == chains && record.chains.size() == chains &&
         record.setup && record.setup->origin.size() == p && record.setup->exponents.size() == p &&
         std::all_of(record.chains.begin(), record.chains.end(), [&](const ChainRecord& chain) {
           return chain.step_size > 0 && chain.metric.rows() == p && chain.injected.rows() == p;
         });
}

}  // namespace

std::optional<diagnose::ControlVariates> control_variates_of(const FitRecord& record,
                                                             const FitDraws& draws) {
  if (!moved_by_langevin(record, draws)) return std::nullopt;
  const Coordinates coordinates(record.setup->origin, record.setup->exponents);
  std::vector<diagnose::LangevinPath> paths;
  for (Index c = 0; c < draws.chains(); ++c) {
    const ChainRecord& chain = record.chains[static_cast<std::size_t>(c)];
    const Matrix& noise = draws.noise[static_cast<std::size_t>(c)];
    Matrix place(noise.rows(), noise.cols());
    for (Index i = 0; i < place.rows(); ++i) {
      Vector psi(place.cols());
      for (Index j = 0; j < psi.size(); ++j) {
        psi(j) = std::log(draws.theta[static_cast<std::size_t>(j)](i, c));
      }
      place.row(i) = coordinates.u(psi).transpose();
    }
    paths.push_back({place, noise, chain.metric, chain.injected, chain.step_size});
  }
  return diagnose::ControlVariates(paths);
}

void improve(diagnose::ParameterSummary& row, const ConstBlock& draws,
             const diagnose::ControlVariates& controls) {
  if (!std::isfinite(row.mcse)) return;
  const diagnose::ControlledMoments better = controls.moments(draws);
  if (!better.mean.controlled && !better.sd.controlled) return;
  row.of_draws = {.mean = row.mean, .sd = row.sd, .mcse = row.mcse};
  row.mean = better.mean.value;
  row.mcse = better.mean.error;
  row.sd = better.sd.value;
  row.mcse_sd = better.sd.error;
}

}  // namespace ulisse
