#include "gradient/survey.h"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

namespace ulisse {

Matrix positive_inverse(const Matrix& information, const Matrix& guess, bool& repaired) {
  const Matrix factor = guess.llt().matrixL();
  const Matrix whitened = factor.transpose() * information * factor;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(0.5 * (whitened + whitened.transpose()));
  constexpr double kLeast = 1e-3;
  repaired = eigen.eigenvalues().minCoeff() < kLeast;
  const Vector values = eigen.eigenvalues().cwiseMax(kLeast);
  const Matrix axes = factor * eigen.eigenvectors();
  return axes * values.cwiseInverse().asDiagonal() * axes.transpose();
}

Survey survey_curvature(const Model& model, const Covariance& covariance, Anchor& anchor,
                        const Matrix& guess, const CgOptions& cg) {
  const AnchoredGradient gradient(model, covariance, anchor, {.probes = 1, .cg = cg});
  const Index p = anchor.psi.size();
  Matrix information(p, p);
  long unfinished = 0;
  std::vector<Matrix> slopes;
  for (Index j = 0; j < p; ++j) {
    const double h = 0.5 * std::sqrt(guess(j, j));
    Vector up = anchor.psi, down = anchor.psi;
    up(j) += h;
    down(j) -= h;
    Matrix above, below;
    const GradientEstimate g_up = gradient.tight(up, above), g_down = gradient.tight(down, below);
    unfinished += g_up.solves.solve.unfinished() + g_down.solves.solve.unfinished();
    information.col(j) = (g_down.gradient - g_up.gradient) / (2 * h);
    slopes.emplace_back((above - below) / (2 * h));
  }
  anchor.slopes = std::move(slopes);
  Survey survey;
  survey.unfinished = unfinished;
  survey.metric = positive_inverse(information, guess, survey.repaired);
  return survey;
}

void survey_bend(const AnchoredGradient& gradient, Survey& survey) {
  constexpr double kDistance = 1.5;
  const Matrix factor = survey.metric.llt().matrixL();
  const Vector& centre = gradient.anchor().psi;
  const Vector at_centre = factor.transpose() * gradient.tight(centre).gradient;
  survey.off_mode = at_centre.norm();
  survey.bend = survey.bank_error = 0;
  for (Index i = 0; i < centre.size(); ++i) {
    for (const double side : {kDistance, -kDistance}) {
      Vector expected = at_centre;
      expected(i) -= side;
      const GradientEstimate there = gradient.tight(centre + side * factor.col(i));
      survey.unfinished += there.solves.solve.unfinished();
      const Vector seen = factor.transpose() * there.gradient;
      survey.bend = std::max(survey.bend, (seen - expected).cwiseAbs().maxCoeff() / kDistance);
      const double variance = (factor.transpose() * there.covariance * factor).trace();
      survey.bank_error = std::max(survey.bank_error, std::sqrt(variance));
    }
  }
}

}  // namespace ulisse
