#pragma once

#include <Eigen/Cholesky>
#include <vector>

#include "ulisse/types.h"

namespace ulisse::diagnose {

// The path of a chain of Langevin dynamics with averaged noise, in the coordinates that it moved
// in: z_t+1 = z_t + d_t + (c_t + c_t+1)/2, where d_t = eps/2 M g~ is the drift and c_t = sqrt(eps)
// C R_t the noise (sample/langevin.h).
struct LangevinPath {
  Matrix place, noise;      // z and c, (draws, parameters)
  Matrix metric, injected;  // M, and the covariance of c
  double step = 0;          // eps
};

// An estimate and its standard error; of the draws alone, unless control variates lessen the error.
struct ControlledEstimate {
  double value, error;
  bool controlled = false;
};
struct ControlledMoments {
  ControlledEstimate mean, sd;
};

// Means and standard deviations by control variates: functions of the path whose expectation is
// zero, on which those of interest are regressed (Mira, Solgi and Imparato 2013). There are two
// families, each of g = 2/eps M^-1 d and one term for each pair of coordinates:
//
//   (z g' + g z')/2 + I                            0 under the posterior (Stein's identity),
//   z d' + d z' + (c d' + d c')/2 + d d' + E cc'   0 under the chain's own law.
//
// The second is what one step adds to E (z - c/2)(z - c/2)'; eps/4 (c z' + z c' - E cc'), which is
// 0 on average, too, makes it a function of z alone for a Gaussian posterior. Residuals of both are
// averaged. How far the two estimates are apart is the bias of the steps, and half of that is part
// of the error.
//
// The coefficients for a chain are those of the others, which it is independent of: an estimate
// with too many of them has a large error, and not one that looks small.
class ControlVariates {
 public:
  // Paths of the same length, with at least two draws.
  explicit ControlVariates(const std::vector<LangevinPath>& paths);

  // Of a function of the draws, (draws, chains).
  ControlledMoments moments(const ConstBlock& draws) const;

 private:
  // Controls (draws of all chains but each one's last, controls), and what solves for their
  // coefficients without each fold.
  struct Family {
    Matrix controls;
    std::vector<Eigen::LDLT<Matrix>> without_fold;
  };

  void add_family(Matrix controls);
  Vector residuals(const Family& family, const Vector& values) const;
  ControlledEstimate mean_of(const ConstBlock& values, double worthwhile) const;
  Index fold_of(Index row) const { return row / rows_of_fold_; }

  Index length_, chains_, rows_of_fold_;
  std::vector<Family>
      families_;  // the linear one, and both of second degree where draws allow them
};

}  // namespace ulisse::diagnose
