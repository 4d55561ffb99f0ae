// A row given all others, for one psi: against the textbook's prediction from the other rows.

#include "loo/left_out.h"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "support/error_message.h"
#include "support/random_points.h"
#include "ulisse/error.h"

namespace ulisse {
namespace {

using testing::normal_matrix;

// With noise of its own in each row, and a trend.
SavedFit noisy_fit_with_trend(Index n) {
  Dataset data{.x = normal_matrix(n, 3, 1), .y = Vector(n), .features = {"a", "b", "sd"}};
  data.target = "y";
  data.x.col(2) = 0.1 + 0.1 * data.x.col(2).array().abs();
  data.known_noise = KnownNoise{.column = 2};
  data.y = 1 + 2 * data.x.col(0).array() + (2 * data.x.col(1).array()).sin() +
           0.3 * normal_matrix(n, 1, 2).col(0).array();
  SavedFit fit{.data = data, .scaling = identity_standardisation(3)};
  fit.model = make_model({.kernel = "matern32(a,b)", .trend = {"a"}, .trend_scale = 2}, data);
  return fit;
}

// K with its noise and trend, by plain loops.
Matrix plain_matrix(const SavedFit& fit, const Vector& psi) {
  const Matrix& x = fit.data.x;
  const KernelParameters p = unpack(fit.model.kernel, fit.model.layout.kernel_psi(psi), x.cols());
  const Matrix h = fit.model.mean.basis(x);
  Matrix k = std::pow(fit.model.mean.scale, 2) * h * h.transpose();
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.rows(); ++j) {
      k(i, j) += evaluate(fit.model.kernel, p, x.row(i), x.row(j)).value;
    }
  }
  k.diagonal() += fit.model.noise_diagonal(psi, x);
  return k;
}

// From the matrix without the row.
LeftOut plain_left_out(const Matrix& k, const Vector& y) {
  LeftOut all{Vector(y.size()), Vector(y.size())};
  for (Index i = 0; i < y.size(); ++i) {
    Indices others;
    for (Index j = 0; j < y.size(); ++j) {
      if (j != i) others.push_back(j);
    }
    const Vector cross = k(others, i), given = y(others);
    const Vector weights = Matrix(k(others, others)).llt().solve(cross);
    all.mean(i) = weights.dot(given);
    all.variance(i) = k(i, i) - weights.dot(cross);
  }
  return all;
}

const Vector kPsi = (Vector(3) << -0.5, -0.3, -2).finished();

TEST(LeftOut, IsThePredictionFromAllOtherRows) {
  const SavedFit fit = noisy_fit_with_trend(60);
  const LeftOut plain = plain_left_out(plain_matrix(fit, kPsi), fit.data.y);
  const LeftOut exact = make_left_out(fit, {.method = "exact"})->given(kPsi);
  EXPECT_LT((exact.mean - plain.mean).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((exact.variance - plain.variance).cwiseAbs().maxCoeff(), 1e-10);
}

TEST(LeftOut, ByAllNeighboursItIsTheSame) {
  const SavedFit fit = noisy_fit_with_trend(60);  // every row has all others as neighbours
  const LeftOut exact = make_left_out(fit, {.method = "exact"})->given(kPsi);
  const auto rows = make_left_out(fit, {.method = "neighbours"});
  const LeftOut near = rows->given(kPsi);
  EXPECT_LT((near.mean - exact.mean).cwiseAbs().maxCoeff(), 1e-2);
  EXPECT_LT(((near.variance - exact.variance).array() / exact.variance.array()).abs().maxCoeff(),
            0.02);
}

double sum_of_log_densities(const LeftOut& found, const Vector& y) {
  return -0.5 *
         (found.variance.array().log() + (y - found.mean).array().square() / found.variance.array())
             .sum();
}

// The error is stated as a limit, |mean| + 2 standard errors from 8 rows for each of four psi.
TEST(LeftOut, ByNeighboursItIsWithinTheErrorThatItStates) {
  const SavedFit fit = noisy_fit_with_trend(600);
  const auto exact = make_left_out(fit, {.method = "exact"});
  const auto near = make_left_out(fit, {.method = "neighbours"});
  double off = 0;
  for (const double shift : {0.0, 0.1, 0.2, 0.3}) {
    const Vector psi = kPsi.array() + shift;
    const double found = sum_of_log_densities(near->given(psi), fit.data.y);
    off += (found - sum_of_log_densities(exact->given(psi), fit.data.y)) / 4;
  }
  EXPECT_GT(near->elpd_error(), 0);
  EXPECT_LT(std::abs(off), near->elpd_error());
  EXPECT_LT(near->elpd_error(), 3);
}

TEST(LeftOut, DuplicatesOfARowAreOtherRows) {
  SavedFit fit = noisy_fit_with_trend(70);
  for (Index i = 0; i < 40; ++i) fit.data.x.row(i) = fit.data.x.row(0);
  const LeftOut exact = make_left_out(fit, {.method = "exact"})->given(kPsi);
  const LeftOut near = make_left_out(fit, {.method = "neighbours"})->given(kPsi);
  EXPECT_LT(((near.variance - exact.variance).array() / exact.variance.array()).abs().maxCoeff(),
            0.05);
}

TEST(LeftOut, AMethodThatThereIsNotIsRefused) {
  const SavedFit fit = noisy_fit_with_trend(20);
  const std::string message = testing::message_of([&] { make_left_out(fit, {.method = "float"}); });
  EXPECT_NE(message.find("'float' is none of auto, exact, neighbours"), std::string::npos);
}

}  // namespace
}  // namespace ulisse
