// Kernels by chance, on numbers, circles and categories, with a trend, known noise and fixed
// parameters: every backend against the plain reference.

#include "support/random_kernels.h"

#include <gtest/gtest.h>

#include <limits>

#include "covariance_conformance.h"
#include "kernel/backends.h"
#include "support/error_message.h"
#include "support/thread_counts.h"
#include "ulisse/backend.h"
#include "ulisse/error.h"

namespace ulisse {
namespace {

using testing::mixed_table;
using testing::normal_matrix;
using testing::random_model;

// A driver that compiles a program for each takes seconds.
unsigned models_for(const std::string& backend) { return testing::compiles(backend) ? 5 : 60; }

std::unique_ptr<const CovarianceOperator> covariance_of(const Model& model, const Matrix& x,
                                                        const std::string& backend,
                                                        const Vector& psi) {
  return make_covariance(model, x, {.backend = backend})->at(psi);
}

double one_norms(const Matrix& u, const Matrix& v) {
  double sum = 0;
  for (Index c = 0; c < u.cols(); ++c) sum += u.col(c).lpNorm<1>() * v.col(c).lpNorm<1>();
  return sum;
}

class RandomKernelsOn : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const std::string missing = why_missing(backend_named(GetParam()));
    if (!missing.empty()) GTEST_SKIP() << missing;
  }
};

TEST_P(RandomKernelsOn, ProductsAndDerivativesAreThoseOfTheReference) {
  int taken = 0;
  for (unsigned seed = 0; seed < models_for(GetParam()); ++seed) {
    const Dataset data = mixed_table(101, seed);
    const Model model = random_model(seed, data);
    if (!takes(backend_named(GetParam()), model)) continue;
    ++taken;
    SCOPED_TRACE(model.given.kernel);
    const Vector psi = testing::random_psi(model, seed);
    const auto k = covariance_of(model, data.x, GetParam(), psi);
    const auto reference = covariance_of(model, data.x, "reference", psi);
    const Matrix u = normal_matrix(101, 5, 3), v = normal_matrix(101, 5, 4);
    const double size = k->kernel().variance() + k->noise().maxCoeff() +
                        k->trend().rowwise().squaredNorm().maxCoeff();
    const double limit = k->error_bound() + 100 * std::numeric_limits<double>::epsilon() * size;
    Matrix y(101, 5), expected(101, 5);
    k->apply(v, y);
    reference->apply(v, expected);
    for (Index c = 0; c < 5; ++c) {
      ASSERT_LE((y.col(c) - expected.col(c)).lpNorm<Eigen::Infinity>(),
                limit * v.col(c).lpNorm<1>());
    }
    const Vector forms = k->gradient_forms(u, v);
    ASSERT_EQ(forms.size(), model.parameter_count());
    ASSERT_LE((forms - reference->gradient_forms(u, v)).lpNorm<Eigen::Infinity>(),
              limit * one_norms(u, v));
    ASSERT_LE((k->gradient_forms_by_column(u, v).rowwise().sum() - forms).norm(),
              limit * one_norms(u, v));
    Matrix columns(101, 3), expected_columns(101, 3);
    k->kernel().columns({100, 0, 48}, columns);
    reference->kernel().columns({100, 0, 48}, expected_columns);
    ASSERT_LE((columns - expected_columns).cwiseAbs().maxCoeff(), limit);
    ASSERT_NEAR(k->kernel().variance(), reference->kernel().variance(), limit);
    ASSERT_LE((k->diagonal_slopes(3) - reference->diagonal_slopes(3)).norm(), 3 * limit);
  }
  EXPECT_GE(taken, 2);
}

TEST_P(RandomKernelsOn, ThoseOfSeveralDistancesAreTakenOrRefusedInASentence) {
  int refused = 0;
  for (unsigned seed = 0; seed < models_for(GetParam()); ++seed) {
    const Dataset data = mixed_table(20, seed);
    const Model model = random_model(seed, data);
    if (takes(backend_named(GetParam()), model)) continue;
    ++refused;
    const std::string sentence =
        testing::message_of([&] { make_covariance(model, data.x, {.backend = GetParam()}); });
    EXPECT_NE(sentence.find("the " + GetParam() + " backend"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find(model.given.kernel), std::string::npos) << sentence;
    EXPECT_NE(sentence.find("choose " + exact_backend()), std::string::npos) << sentence;
  }
  EXPECT_EQ(refused > 0, backend_named(GetParam()).can.one_distance);
}

TEST_P(RandomKernelsOn, ThreadsDoNotChangeASingleBit) {
  for (const unsigned seed : {1U, 5U, 8U}) {
    const Dataset data = mixed_table(500, seed);
    const Model model = random_model(seed, data);
    if (!takes(backend_named(GetParam()), model)) continue;
    const Vector psi = testing::random_psi(model, seed);
    const Matrix u = normal_matrix(500, 5, 3), v = normal_matrix(500, 5, 4);
    testing::expect_same_bits_on_any_threads([&] {
      const auto k = covariance_of(model, data.x, GetParam(), psi);
      Matrix y(500, 5);
      k->apply(v, y);
      return std::pair(y, Matrix(k->gradient_forms_by_column(u, v)));
    });
  }
}

std::string backend_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name) c = c == '-' ? '_' : c;
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, RandomKernelsOn, ::testing::ValuesIn(covariance_backends()),
                         backend_name);

// Levels are names: which number stands for which does not matter.
TEST(RandomKernels, NamesOfLevelsDoNotMatter) {
  const Dataset data = mixed_table(150, 3, false);
  const Model model = make_model(ModelOptions{.kernel = "rbf-ard(site,east)*matern12(site)"}, data);
  const Vector psi = testing::random_psi(model, 1);
  Matrix other = data.x;
  for (Index i = 0; i < other.rows(); ++i) other(i, 3) = 1000 - 77 * other(i, 3);
  const Matrix v = normal_matrix(150, 2, 5);
  for (const std::string backend : {"dense", "dense-float", "reference"}) {
    Matrix y(150, 2), renamed(150, 2);
    covariance_of(model, data.x, backend, psi)->apply(v, y);
    covariance_of(model, other, backend, psi)->apply(v, renamed);
    EXPECT_EQ(y, renamed) << backend;
  }
}

}  // namespace
}  // namespace ulisse
