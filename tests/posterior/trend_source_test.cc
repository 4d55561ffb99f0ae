// The trend's coefficients given the data, against generalised least squares in plain formulas.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "posterior/learnt_trend.h"
#include "support/random_points.h"
#include "ulisse/random.h"

namespace ulisse {
namespace {

using testing::normal_matrix;

// With a slope of 2 along the first input.
Dataset sloped_table(Index n) {
  Dataset data{.x = normal_matrix(n, 2, 1), .features = {"a", "b"}, .target = "y"};
  data.y = (3 + 2 * data.x.col(0).array() + (2 * data.x.col(1).array()).sin() +
            0.3 * normal_matrix(n, 1, 2).col(0).array());
  return data;
}

Model with_trend(const Dataset& data) {
  return make_model({.kernel = "matern32", .trend = {"a"}, .trend_scale = 5}, data);
}

const Vector kPsi = (Vector(3) << -0.5, -0.3, -1.5).finished();

struct PlainTrend {
  Vector mean;
  Matrix covariance;
};

// b ~ N(0, s^2 I), y ~ N(H b, K)
PlainTrend generalised_least_squares(const Model& model, const Dataset& data, const Vector& psi) {
  const KernelParameters p = unpack(model.kernel, model.layout.kernel_psi(psi), data.x.cols());
  Matrix k(data.x.rows(), data.x.rows());
  for (Index i = 0; i < k.rows(); ++i) {
    for (Index j = 0; j < k.cols(); ++j) {
      k(i, j) = evaluate(model.kernel, p, data.x.row(i), data.x.row(j)).value;
    }
  }
  k.diagonal().array() += std::exp(psi(psi.size() - 1));
  const Matrix h = model.mean.basis(data.x);
  const Eigen::LLT<Matrix> factor(k);
  Matrix precision = h.transpose() * factor.solve(h);
  precision.diagonal().array() += 1 / (model.mean.scale * model.mean.scale);
  const Matrix covariance = precision.inverse();
  return {covariance * (h.transpose() * factor.solve(data.y)), covariance};
}

void expect_equal(const TrendGivenData& found, const PlainTrend& plain, double tolerance) {
  EXPECT_LT((found.mean() - plain.mean).norm(), tolerance * plain.mean.norm());
  EXPECT_LT((found.covariance() - plain.covariance).norm(), tolerance * plain.covariance.norm());
}

TEST(TrendSource, ByCholeskyIsGeneralisedLeastSquares) {
  const Dataset data = sloped_table(80);
  const Model model = with_trend(data);
  const ExactPosterior posterior(model, data.x, data.y);
  const auto source = exact_trend(posterior);
  for (const double shift : {0.0, 0.4, 0.0}) {  // the last is remembered
    const Vector psi = kPsi.array() + shift;
    expect_equal(*source->at(psi), generalised_least_squares(model, data, psi), 1e-9);
  }
}

// What a density leaves behind is what is computed anew.
TEST(TrendSource, IsTheSameWhateverWasAskedForBefore) {
  const Dataset data = sloped_table(80);
  const ExactPosterior used(with_trend(data), data.x, data.y),
      fresh(with_trend(data), data.x, data.y);
  used.log_density_and_gradient(kPsi);
  EXPECT_EQ(used.trend(kPsi)->mean(), fresh.trend(kPsi)->mean());
  EXPECT_EQ(used.trend(kPsi)->covariance(), fresh.trend(kPsi)->covariance());
}

TEST(TrendSource, ByConjugateGradientsIsGeneralisedLeastSquares) {
  const Dataset data = sloped_table(2100);
  const Model model = with_trend(data);
  const auto source = make_trend_source(model, data, kPsi);
  ASSERT_FALSE(source->side_by_side());
  for (const double shift : {0.0, 0.5}) {
    const Vector psi = kPsi.array() + shift;
    expect_equal(*source->at(psi), generalised_least_squares(model, data, psi), 1e-4);
  }
}

TEST(TrendSource, IsNothingWhereTheCovarianceHasNoInverse) {
  const Dataset data = sloped_table(60);
  const auto source = make_trend_source(with_trend(data), data, kPsi);
  EXPECT_EQ(source->at((Vector(3) << 0, -40, -60).finished()), nullptr);
}

// The data decide, and the prior hardly: 10,000 draws, |z| < 5 fails once in a million.
TEST(TrendSource, DrawsHaveItsMeanAndCovariance) {
  const Dataset data = sloped_table(60);
  const Model model = with_trend(data);
  const auto trend = make_trend_source(model, data, kPsi)->at(kPsi);
  const PlainTrend plain = generalised_least_squares(model, data, kPsi);
  constexpr Index kDraws = 10000;
  Matrix draws(2, kDraws);
  for (Index i = 0; i < kDraws; ++i) {
    draws.col(i) =
        trend->draw(stream(1, 0, Purpose::trend, static_cast<std::uint64_t>(i)).normal_vector(2));
  }
  for (Index j = 0; j < 2; ++j) {
    const double sd = std::sqrt(plain.covariance(j, j));
    EXPECT_LT(std::abs(draws.row(j).mean() - plain.mean(j)), 5 * sd / std::sqrt(kDraws));
    const double variance = (draws.row(j).array() - draws.row(j).mean()).square().mean();
    EXPECT_LT(std::abs(variance / (sd * sd) - 1), 5 * std::sqrt(2.0 / kDraws));
  }
}

// Counts its solves.
class CountedTrend : public TrendSource {
 public:
  CountedTrend(const Model& model, const Dataset& data, long& solves)
      : source_(make_trend_source(model, data, kPsi)), solves_(solves) {}
  std::shared_ptr<const TrendGivenData> at(const ConstVector& psi) const override {
    ++solves_;
    return source_->at(psi);
  }
  bool side_by_side() const override { return false; }

 private:
  std::unique_ptr<const TrendSource> source_;
  long& solves_;
};

Matrix places_around(const Vector& psi, Index count, double sd, unsigned seed) {
  return (sd * normal_matrix(psi.size(), count, seed)).colwise() + psi;
}

// Solves that start from each other's solutions; more places than are kept.
TEST(TrendSource, AtAllPlacesIsThatAtEach) {
  const Dataset data = sloped_table(2100);
  const Model model = with_trend(data);
  const auto source = make_trend_source(model, data, kPsi);
  const Matrix places = places_around(kPsi, 20, 0.1, 4);
  Index told = 0;
  const TrendSource::Found found =
      source->at_all(places, [&](Index done) { EXPECT_EQ(done, told++); });
  ASSERT_EQ(found.size(), 20U);
  for (Index i = 0; i < places.cols(); ++i) {
    const auto one = source->at(places.col(i));
    expect_equal(*found[static_cast<std::size_t>(i)], {one->mean(), one->covariance()}, 1e-3);
  }
}

TEST(LearntTrend, IsThatOfSolvesNearWhereItWasLearntAndSolvesElsewhere) {
  const Dataset data = sloped_table(250);
  const Model model = with_trend(data);
  long solves = 0;
  auto exact = std::make_unique<CountedTrend>(model, data, solves);
  const TrendPolynomials learnt =
      learn_trend(*exact, model.mean, places_around(kPsi, places_for_trend(3), 0.1, 4));
  ASSERT_TRUE(learnt.is_there());
  EXPECT_TRUE(learnt.fits(250, 3));
  EXPECT_LT(learnt.error, 0.03);
  const auto source = learnt_trend(std::move(exact), model.mean, learnt);
  const Matrix others = places_around(kPsi, 20, 0.1, 5);
  solves = 0;
  long known = 0;
  for (Index i = 0; i < others.cols(); ++i) {
    const long before = solves;
    const auto found = source->at(others.col(i));
    if (solves == before) ++known;
    const PlainTrend plain = generalised_least_squares(model, data, others.col(i));
    for (Index j = 0; j < 2; ++j) {
      EXPECT_NEAR(found->mean()(j), plain.mean(j), 0.03 * std::sqrt(plain.covariance(j, j)));
    }
    EXPECT_LT((found->covariance() - plain.covariance).norm(), 0.06 * plain.covariance.norm());
  }
  EXPECT_GE(known, 18);
  const Vector far = kPsi.array() + 1;
  solves = 0;
  expect_equal(*source->at(far), generalised_least_squares(model, data, far), 1e-8);
  EXPECT_EQ(solves, 1);
}

TEST(LearntTrend, IsNotThereWhereItWouldBeWrong) {
  const Dataset data = sloped_table(250);
  const Model model = with_trend(data);
  const auto exact = make_trend_source(model, data, kPsi);
  EXPECT_FALSE(
      learn_trend(*exact, model.mean, places_around(kPsi, places_for_trend(3), 2, 4)).is_there());
}

}  // namespace
}  // namespace ulisse
