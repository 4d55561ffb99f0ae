#pragma once

#include "ulisse/types.h"

namespace ulisse {

// R, (m, rank), with R R' near a covariance, (m, m), of which the lower triangle is read. It may be
// nearly singular, or slightly indefinite by rounding: points that are close to each other compared
// with a length scale, or that come twice.
//
// A Cholesky factor by pivots, the largest variance that is left first, which ends where only
// errors are left: a covariance that is one has no column longer than its variances allow, so that
// the first pivot with such a column is of their size. Going on from there with negative pivots
// taken for 0 gives any variances: the columns below have no bound. Here those of R R' differ from
// the covariance's by no more than the last pivot, some ten times the errors. Nothing is added in
// place of what is left: independent noise would make rough what is smooth, and unequal what is the
// same point.
//
// O(m rank^2) time; eigenvalues take tens of m^3.
Matrix covariance_root(Matrix covariance);

}  // namespace ulisse
