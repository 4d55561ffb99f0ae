#pragma once

#include <cmath>
#include <memory>
#include <string>

#include "support/random_points.h"
#include "ulisse/covariance.h"
#include "ulisse/model.h"
#include "ulisse/preconditioner.h"
#include "ulisse/solve.h"

namespace ulisse::testing {

// A small problem with everything that an estimate needs.
struct Problem {
  Problem(const std::string& kernel, Index n, Index d)
      : model(make_model(parse_kernel(kernel), d)),
        x(normal_matrix(n, d, 1)),
        y((x.col(0).array() * 1.5).sin() + 0.3 * normal_matrix(n, 1, 2).array()),
        covariance(make_covariance(model, x)),
        psi(typical_psi()) {}

  // A parameter at a value, out of psi.
  void fix(const std::string& name, double theta) {
    model.layout.fix(name, theta);
    covariance = make_covariance(model, x);
    psi = typical_psi();
  }

  Vector typical_psi() const {
    return model.layout.psi_with(
        {.log_signal_variance = std::log(0.5),
         .log_noise_variance = std::log(0.2),
         .log_inverse_squared_length = [](const Parameter&) { return std::log(0.5); }});
  }

  std::shared_ptr<const Preconditioner> preconditioner(Index rank) const {
    return make_preconditioner(*covariance->at(psi), {.rank = rank});
  }

  Model model;
  Matrix x;
  Vector y;
  std::unique_ptr<Covariance> covariance;
  Vector psi;
};

// Solves whose errors do not count.
inline const CgOptions kTightSolves = {.tolerance = 1e-9, .verify = false};

// Of the columns.
inline Matrix covariance_of(const Matrix& samples) {
  const Matrix centred = samples.colwise() - samples.rowwise().mean();
  return centred * centred.transpose() / static_cast<double>(samples.cols() - 1);
}

}  // namespace ulisse::testing
