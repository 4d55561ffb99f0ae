#pragma once

#include "ulisse/solve.h"

namespace ulisse {

// Of conjugate_gradients(): sizes that do not fit throw std::invalid_argument, which has them.
void check_sizes(const LinearOperator& a, const LinearOperator* preconditioner, const ConstBlock& b,
                 const Block& x);

// Negative tolerances throw std::invalid_argument.
void check_tolerances(const CgOptions& options);

}  // namespace ulisse
