#pragma once

#include "base/blas.h"
#include "ulisse/types.h"

// Cholesky factorisation and inverse on all threads. LAPACK's own parallel versions cut the work by
// the number of threads, and the results differ in their last bits; these cut it by size alone.
namespace ulisse {

// Overwrites the lower triangle of a with its factor; the upper is not read and ends up
// meaningless. Returns 0, or the order of the first leading minor that is not positive.
Index parallel_cholesky(Block a);
Index parallel_cholesky(FloatBlock a);

// l's lower triangle becomes that of (l l')^-1, in place.
void parallel_inverse(Matrix& l);
void parallel_inverse(FloatMatrix& l);

// y = a x for a symmetric a, whose lower triangle alone is read; with the precision of float.
void parallel_symmetric_product(const FloatMatrix& a, const ConstBlock& x, Block y);

}  // namespace ulisse
