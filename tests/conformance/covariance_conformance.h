#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "kernel/backends.h"
#include "ulisse/backend.h"
#include "ulisse/covariance.h"

namespace ulisse::testing {

constexpr double kEpsilon = std::numeric_limits<double>::epsilon();

struct Case {
  std::string backend, kernel;
};

// Factors are on all columns, however many there are.
inline Kernel kernel_in(const std::string& expression) {
  const Dataset one{.x = Matrix(0, 1), .y = Vector(0), .features = {"x"}, .target = "y"};
  Kernel kernel = parse_kernel(expression, one);
  for (Term& term : kernel.terms) {
    for (Factor& factor : term.factors) factor.inputs.clear();
  }
  return kernel;
}

// What a report shows of a case; otherwise it would be the bytes.
inline void PrintTo(const Case& c, std::ostream* out) { *out << c.backend << ", " << c.kernel; }

// Whether its driver compiles programs for each kernel and number of inputs, which takes seconds.
inline bool compiles(const std::string& backend) {
  return static_cast<bool>(backend_named(backend).can.missing);
}

// A driver takes seconds for each program. Every shape in float, and a sum in double, whose text is
// the same; tests of the folder kernel/ have the formulas of all of them.
inline bool is_tried(const std::string& backend, const std::string& kernel) {
  if (!compiles(backend)) return true;
  const std::vector<std::string> in_float{"rbf", "matern12", "matern32-ard", "matern52"};
  if (backend_named(backend).can.in_double) return kernel == "matern52 + rbf-ard";
  return std::find(in_float.begin(), in_float.end(), kernel) != in_float.end();
}

inline std::vector<Case> cases() {
  std::vector<Case> all;
  for (const auto& backend : covariance_backends()) {
    for (const char* kernel :
         {"rbf", "rbf-ard", "matern12", "matern12-ard", "matern32", "matern32-ard", "matern52",
          "matern52-ard", "rbf*rbf-ard", "rbf*matern32", "matern12-ard*matern52",
          "matern52 + rbf-ard", "matern32*matern12 + rbf*matern52*matern32-ard*matern12 + rbf"}) {
      if (!is_tried(backend, kernel)) continue;
      if (takes(backend_named(backend), make_model(kernel_in(kernel), 2))) {
        all.push_back({backend, kernel});
      }
    }
  }
  return all;
}

class CovarianceConformance : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const std::string missing = why_missing(backend_named(GetParam().backend));
    if (!missing.empty()) GTEST_SKIP() << missing;
  }
  Kernel kernel() const { return kernel_in(GetParam().kernel); }
  std::unique_ptr<const CovarianceOperator> build(const std::string& backend, const Matrix& x,
                                                  const Vector& psi) const {
    return make_covariance(kernel(), x, {.backend = backend})->at(psi);
  }

  // Each element of y may be off by the stated bound times |x|_1, and by rounding: each entry of K
  // by some 20 ulp of sigma (distance, exponential) and a sum of n terms by sqrt(n) or so, n at
  // worst.
  void expect_apply_matches(const Matrix& x, const Vector& psi, const Matrix& rhs) const {
    const auto op = build(GetParam().backend, x, psi);
    const auto reference = build("reference", x, psi);
    Matrix y(rhs.rows(), rhs.cols()), expected(rhs.rows(), rhs.cols());
    op->apply(rhs, y);
    reference->apply(rhs, expected);
    const double variance = op->kernel().variance() + op->noise()(0);
    const double rounding = (20 + 4 * std::sqrt(double(x.rows()))) * kEpsilon * variance;
    for (Index c = 0; c < rhs.cols(); ++c) {
      const double limit = (op->error_bound() + rounding) * rhs.col(c).lpNorm<1>();
      ASSERT_LE((y.col(c) - expected.col(c)).lpNorm<Eigen::Infinity>(), limit)
          << "column " << c << " of " << rhs.cols() << ", n = " << x.rows() << ", d = " << x.cols();
    }
  }

  // |u|' |dK| |v| with |dK_ij| <= sigma d-free constants: 1 for values, and t |f'(t)| <= 1 for
  // slopes.
  void expect_forms_match(const Matrix& x, const Vector& psi, const Matrix& u,
                          const Matrix& v) const {
    const auto op = build(GetParam().backend, x, psi);
    const Vector forms = op->gradient_forms(u, v);
    const Vector expected = build("reference", x, psi)->gradient_forms(u, v);
    ASSERT_EQ(forms.size(), kernel().parameter_count(x.cols()) + Noise::parameter_count());
    double scale = 0;
    for (Index c = 0; c < u.cols(); ++c) scale += u.col(c).lpNorm<1>() * v.col(c).lpNorm<1>();
    const double variance = op->kernel().variance() + op->noise()(0);
    const double rounding = (40 + 4 * std::sqrt(double(x.rows()))) * kEpsilon * variance;
    const double limit = (op->error_bound() + rounding) * scale;
    ASSERT_LE((forms - expected).lpNorm<Eigen::Infinity>(), limit)
        << "n = " << x.rows() << ", d = " << x.cols();
  }

  // sigma of the whole kernel, tau (all equal or falling), lambda
  Vector psi(Index d, double sigma, double tau, double lambda) const {
    const auto parameters = kernel().parameters(d);
    Vector p(kernel().parameter_count(d) + Noise::parameter_count());
    for (Index k = 0; k + 1 < p.size(); ++k) {
      const bool is_sigma = parameters[static_cast<std::size_t>(k)].role == Role::signal_variance;
      const double fall = k > 1 ? 0.1 * double(k % 10) : 0;
      p(k) = is_sigma ? std::log(sigma) - std::log(double(kernel().terms.size()))
                      : std::log(tau) - fall;
    }
    p(p.size() - 1) = std::log(lambda);
    return p;
  }
  // The shares of a sum may miss 1 by rounding.
  double rounding_of_variance(const CovarianceOperator& op) const {
    if (kernel().terms.size() == 1) return 0;
    return 4 * kEpsilon * op.kernel().variance() + op.error_bound();
  }
};

}  // namespace ulisse::testing
