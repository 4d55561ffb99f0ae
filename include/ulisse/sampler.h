#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ulisse/exact.h"
#include "ulisse/option.h"
#include "ulisse/random.h"
#include "ulisse/types.h"

// A sampler of a program's own, on the exact density. From register_sampler() on fits take it by
// its name, as any other: with options, warm-up, files, interrupt and resume, and diagnostics.
namespace ulisse {

// What one iteration did.
struct SamplerStep {
  Vector psi;  // where the chain is now
  double log_density = 0;
  double acceptance = 1;
  double step_size = 1;
  int gradients = 0;
  bool divergent = false;
};

class SamplerChain {
 public:
  virtual ~SamplerChain() = default;

  // One iteration. `rng` is a stream of its own for each, so that a chain that goes on from its
  // state makes the same steps.
  virtual SamplerStep step(Rng& rng, bool warming_up) = 0;

  // All that later steps depend on, and back: what is saved while the fit runs.
  virtual Vector state() const = 0;
  virtual void set_state(const Vector& state) = 0;
};

// What chains begin with; it outlives them.
struct SamplerStart {
  const ExactPosterior& posterior;
  const Mode& mode;
  Matrix covariance;  // around the mode
  Vector psi;         // where this chain begins: near the mode, in each chain elsewhere
  long warmup;        // iterations, for which step() is told so
  const OptionValues& options;
};

struct OwnSampler {
  std::string name;
  std::string about;  // a sentence without its full stop
  std::vector<Option> options = {};
  long warmup = 500, draws = 1000;  // of each chain, unless the fit's settings say otherwise
  std::function<std::unique_ptr<SamplerChain>(const SamplerStart&)> make;
};

// Before any fit is running. Throws std::invalid_argument when the name is taken, or when nothing
// makes its chains.
void register_sampler(const OwnSampler& sampler);

}  // namespace ulisse
