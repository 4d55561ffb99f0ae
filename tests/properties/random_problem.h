#pragma once

#include <rapidcheck.h>

#include <cmath>
#include <ostream>
#include <string>

#include "support/random_points.h"
#include "ulisse/backend.h"
#include "ulisse/covariance.h"

namespace ulisse::testing {

// A small problem. Every number shrinks: n to 1, parameters to 1, the points to plain normal ones.
struct RandomProblem {
  int kernel;  // of kKernels
  int n, d, columns;
  unsigned seed;                       // of points and right-hand sides
  int duplicates;                      // rows that repeat the first one
  int cluster;                         // rows that stand within 1e-3 of each other
  int log_sigma, log_tau, log_lambda;  // in quarters of a power of ten
  int log_rhs;                         // of right-hand sides, in powers of ten

  static constexpr const char* kKernels[] = {"rbf",          "matern12",    "matern32",
                                             "matern52",     "rbf-ard",     "matern12-ard",
                                             "matern32-ard", "matern52-ard"};

  Kernel parsed_kernel() const { return parse_kernel(kKernels[kernel]); }

  Matrix points() const {
    Matrix x = normal_matrix(n, d, seed);
    for (Index i = 0; i < std::min(n, cluster); ++i) x.row(i) = x.row(0) + 1e-3 * x.row(i);
    for (Index i = std::max(1, n - duplicates); i < n; ++i) x.row(i) = x.row(0);
    return x;
  }

  Matrix right_sides(unsigned which) const {
    return std::pow(10.0, log_rhs) * normal_matrix(n, columns, seed + 7919 * (1 + which));
  }

  // With one tau for each input they differ.
  Vector psi() const {
    const Kernel k = parsed_kernel();
    Vector p(k.parameter_count(d) + Noise::parameter_count());
    const double quarter = std::log(10.0) / 4;
    p.setConstant(quarter * log_tau);
    for (Index i = 2; i + 1 < p.size(); ++i) p(i) -= 0.3 * static_cast<double>(i - 1);
    p(0) = quarter * log_sigma;
    p(p.size() - 1) = quarter * log_lambda;
    return p;
  }
};

inline std::ostream& operator<<(std::ostream& out, const RandomProblem& p) {
  return out << RandomProblem::kKernels[p.kernel] << ", n = " << p.n << ", d = " << p.d
             << ", columns = " << p.columns << ", seed = " << p.seed
             << ", duplicates = " << p.duplicates << ", cluster = " << p.cluster
             << ", psi = " << p.psi().transpose() << ", right-hand sides of 1e" << p.log_rhs;
}

// Parameters up to a thousandfold and a thousandth; the noise at least 10^(least_lambda / 4) of the
// signal.
inline rc::Gen<RandomProblem> problems(int most_points, int least_lambda) {
  using rc::gen::inRange;
  return rc::gen::map(
      rc::gen::tuple(inRange(0, 8), inRange(1, most_points), inRange(1, 7), inRange(1, 6),
                     inRange(0, 100'000), inRange(0, 30), inRange(0, 60), inRange(-12, 13),
                     inRange(-12, 13), inRange(0, 13 - least_lambda), inRange(-8, 9)),
      [least_lambda](const auto& t) {
        const int log_sigma = std::get<7>(t);
        return RandomProblem{.kernel = std::get<0>(t),
                             .n = std::get<1>(t),
                             .d = std::get<2>(t),
                             .columns = std::get<3>(t),
                             .seed = static_cast<unsigned>(std::get<4>(t)),
                             .duplicates = std::get<5>(t),
                             .cluster = std::get<6>(t),
                             .log_sigma = log_sigma,
                             .log_tau = std::get<8>(t),
                             .log_lambda = log_sigma + least_lambda + std::get<9>(t),
                             .log_rhs = std::get<10>(t)};
      });
}

}  // namespace ulisse::testing
