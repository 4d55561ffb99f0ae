#pragma once

#include <functional>

#include "kernel/pair_schedule.h"
#include "ulisse/backend.h"

namespace ulisse {

// What is done here of a pass over all pairs of points: those of the share. add() then makes of the
// sums of this share those of all, and says whether they are wanted here.
struct Split {
  Share share;
  std::function<bool(double* sums, Index count)> add;
};

// All of it.
inline Split undivided() {
  return {Share(), [](double*, Index) { return true; }};
}

// An operator whose passes several processes can share, with the same bits however many they are.
class SplitOperator : public KernelOperator {
 public:
  // y = K x where that is wanted here; elsewhere y is left alone.
  virtual void apply_split(const ConstBlock& x, Block y, const Split& split) const = 0;

  // gradient_forms() in one column, or gradient_forms_by_column(); nothing where not wanted here.
  virtual Matrix forms_split(const ConstBlock& u, const ConstBlock& v, bool by_column,
                             const Split& split) const = 0;
};

// What makes the operators of this process in place of their backend: whoever leads several
// processes. An empty one: nobody.
using Splitter = std::function<KernelAt(const Backend&, const Kernel&, const ConstBlock& x,
                                        const CovarianceOptions&)>;
void set_splitter(Splitter splitter);

// By the splitter, or else by the backend.
KernelAt make_kernel(const Backend& backend, const Kernel& kernel, const ConstBlock& x,
                     const CovarianceOptions& options);

}  // namespace ulisse
