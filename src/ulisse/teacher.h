#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "ulisse/gradient_plan.h"
#include "ulisse/lesson.h"

namespace ulisse {

// Where the gradients that a surrogate learns from come from.
struct Teacher {
  // A gradient at psi. One that is noisy differs with `number`, and is the same for the same.
  std::function<Lesson(const Vector& psi, std::uint64_t number)> lesson;
  bool noisy = false;         // else two lessons at a place are the same
  bool side_by_side = false;  // gradients of different places on one thread each
};

// Of all rows by Cholesky.
Teacher exact_teacher(const SetupProblem& problem);

// By the anchor: the whole bank of its probes and solves to a small tolerance; or by fresh probes
// where the bank's error is too large. `anchor` must outlive it.
Teacher anchored_teacher(const SetupProblem& problem, const Anchor& anchor,
                         const GradientPlan& plan, bool by_float);

}  // namespace ulisse
