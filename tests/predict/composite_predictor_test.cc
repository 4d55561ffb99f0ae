// Predictions of models with everything: each method against the formulas of a textbook, for the
// whole function, its terms and its trend.

#include <gtest/gtest.h>

#include "predict/predictor.h"
#include "support/plain_model.h"
#include "support/random_kernels.h"
#include "support/thread_counts.h"

namespace ulisse {
namespace {

using testing::ExtendedMatrix;
using testing::ExtendedVector;
using testing::mixed_table;
using testing::PlainModel;

struct PlainPrediction {
  ExtendedVector mean;
  ExtendedMatrix covariance;
};

// y and a part g of the function at new points are normal together; g's mean and covariance given
// y follow from their covariances, in which the trend is one more kernel.
PlainPrediction plain_prediction(const Model& model, const Vector& psi, const Dataset& data,
                                 const Matrix& new_x, const Component& part) {
  const PlainModel plain(model, psi);
  ExtendedMatrix prior = ExtendedMatrix::Zero(new_x.rows(), new_x.rows());
  ExtendedMatrix cross = ExtendedMatrix::Zero(data.x.rows(), new_x.rows());
  if (!part.terms.empty()) {
    prior += plain.kernel(new_x, new_x, part.terms);
    cross += plain.kernel(data.x, new_x, part.terms);
  }
  if (part.trend) {
    prior += plain.trend(new_x, new_x);
    cross += plain.trend(data.x, new_x);
  }
  const Eigen::LLT<ExtendedMatrix> factor(plain.covariance(data.x));
  return {cross.transpose() * factor.solve(data.y.cast<testing::Extended>()),
          prior - cross.transpose() * factor.solve(cross)};
}

// The whole, each term, the trend, and the first term with the trend.
std::vector<Component> parts_of(const Model& model) {
  std::vector<Component> parts = {Component::everything(model)};
  for (const Index term : Component::everything(model).terms) {
    parts.push_back({.terms = {term}, .trend = false});
  }
  parts.push_back({.terms = {}, .trend = true});
  parts.push_back({.terms = {0}, .trend = true});
  return parts;
}

struct Method {
  const char* name;
  double mean_error;      // in sd of the signal
  double variance_error;  // in variances of the least noise
};
void PrintTo(const Method& method, std::ostream* out) { *out << method.name; }

class CompositePredictorBy : public ::testing::TestWithParam<Method> {
 protected:
  static constexpr unsigned kModels = 20;
  std::unique_ptr<Predictor> predictor(const Model& model, const Dataset& data,
                                       const Matrix& new_x) const {
    return make_predictor(model, data.x, data.y,
                          {.method = GetParam().name, .rank = 30, .points = new_x});
  }
};

TEST_P(CompositePredictorBy, MeansAndVariancesOfPartsAreATextbooks) {
  for (unsigned seed = 0; seed < kModels; ++seed) {
    const Dataset data = mixed_table(60, seed);
    const Model model = testing::random_model(seed, data);
    SCOPED_TRACE(model.given.kernel);
    Matrix new_x = mixed_table(9, seed + 100).x;
    new_x.row(8).head(3) *= 10;  // far outside, where the trend goes on
    const auto by = predictor(model, data, new_x);
    for (const unsigned draw : {1U, 2U}) {  // what is left of one draw must not change the next
      const Vector psi = testing::random_psi(model, seed + draw);
      by->condition(psi);
      const double least = model.noise_diagonal(psi, data.x).minCoeff();
      for (const Component& part : parts_of(model)) {
        const Moments found = by->moments(new_x, part);
        const auto expected = plain_prediction(model, psi, data, new_x, part);
        const Vector mean = expected.mean.cast<double>();
        const Vector variance = expected.covariance.diagonal().cast<double>();
        for (Index i = 0; i < new_x.rows(); ++i) {
          const double size = 1 + std::sqrt(variance(i)) + std::abs(mean(i));
          EXPECT_NEAR(found.mean(i), mean(i), GetParam().mean_error * size) << i;
          EXPECT_NEAR(found.variance(i), variance(i),
                      GetParam().variance_error * least + 1e-9 * variance(i))
              << i;
        }
      }
    }
  }
}

TEST_P(CompositePredictorBy, JointCovariancesAreATextbooks) {
  for (unsigned seed = 0; seed < kModels; ++seed) {
    const Dataset data = mixed_table(60, seed);
    const Model model = testing::random_model(seed, data);
    SCOPED_TRACE(model.given.kernel);
    const Matrix new_x = mixed_table(7, seed + 100).x;
    const auto by = predictor(model, data, new_x);
    const Vector psi = testing::random_psi(model, seed);
    by->condition(psi);
    const Matrix expected =
        plain_prediction(model, psi, data, new_x, by->everything()).covariance.cast<double>();
    const double least = model.noise_diagonal(psi, data.x).minCoeff();
    EXPECT_LE((by->covariance(new_x) - expected).cwiseAbs().maxCoeff(),
              GetParam().variance_error * least + 1e-9 * expected.norm());
  }
}

TEST_P(CompositePredictorBy, CoefficientsAreGeneralisedLeastSquares) {
  const Dataset data = mixed_table(60, 3);
  const Model model = testing::random_model(3, data);
  const Vector psi = testing::random_psi(model, 3);
  const auto by = predictor(model, data, data.x.topRows(5));
  by->condition(psi);
  const PlainModel plain(model, psi);
  const ExtendedMatrix k = plain.covariance(data.x, false), h = plain.basis(data.x);
  const ExtendedMatrix spread =
      (h.transpose() * k.inverse() * h + ExtendedMatrix::Identity(3, 3) / plain.prior_variance())
          .inverse();
  const ExtendedVector mean =
      spread * h.transpose() * k.inverse() * data.y.cast<testing::Extended>();
  EXPECT_LE((by->trend().mean() - mean.cast<double>()).norm(), 1e-5);
  EXPECT_LE((by->trend().covariance() - spread.cast<double>()).norm(), 1e-5);
}

std::string method_name(const ::testing::TestParamInfo<Method>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(Methods, CompositePredictorBy,
                         ::testing::Values(Method{"exact", 1e-9, 1e-9}, Method{"float", 1e-5, 0.01},
                                           Method{"iterative", 1e-5, 2e-4}),
                         method_name);

}  // namespace
}  // namespace ulisse
