#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fit/chains.h"
#include "model/quantities.h"
#include "posterior/trend_source.h"
#include "ulisse/setup_stage.h"

namespace ulisse {

// What chain files have behind the parameters: the model's quantities in the units of the table.
// The trend's coefficients are integrated out of the posterior of psi, and one of them is drawn for
// each draw of psi, from their distribution given psi. Its random numbers depend on the seed, the
// chain and the draw's number alone.
class DrawnQuantities {
 public:
  // The model, and the data, after scaling; the data and the chains must outlive this. Where a
  // trend's coefficients take solves, they are learnt first, which is a stage of the set-up.
  DrawnQuantities(Quantities quantities, const Model& model, const Dataset& data,
                  const FitChains& chains, StageStore& stages);

  std::vector<std::string> names() const { return quantities_.names(); }

  // Of a chain's draws from number `first` on: a column for each, (quantities, draws).
  Matrix of(int chain, long first, std::span<const Transition> draws) const;

 private:
  Vector coefficients(const ConstVector& psi, int chain, long number) const;

  Quantities quantities_;
  std::uint64_t seed_;
  std::unique_ptr<const TrendSource> trend_;  // null where there is none
};

}  // namespace ulisse
