#pragma once

#include <functional>

#include "ulisse/covariance.h"

// What preconditioners with a factor of low rank have in common.
namespace ulisse {

// Overwrites the upper half of `gram` with R, R'R = gram. Throws where it is not positive definite.
void factorise(Matrix& gram);

// q R^-1, by pieces of rows; overwrites q.
void solve_rows(const Matrix& r, Matrix& q);

// tr(Q' dK_j Q), some columns at a time. Called with the number of columns done.
Vector sum_of_forms(const CovarianceOperator& k, const Matrix& q,
                    const std::function<void(Index)>& watch);

}  // namespace ulisse
