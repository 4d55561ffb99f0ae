#include "sample/sgld.h"

namespace ulisse {

SgldOptions paper_sgld(int iterations, double first_step, double last_step) {
  return {.rule = StepRule::schedule,
          .first_step = first_step,
          .last_step = last_step,
          .gamma = 1,
          .schedule = iterations,
          .noise_ratio = 0.002,
          .batch = 100,
          .redraw_every = 20,
          .longest_warmup = iterations / 4 * 3,  // some draws must be left
          .noise_from = NoiseFrom::batch};
}

}  // namespace ulisse
