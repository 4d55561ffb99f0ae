// What OpenCL devices compute, beside plain formulas and loops; and that neither vectors nor groups
// nor the number of like devices change a bit. Without a device the tests are skipped.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "kernel/dense.h"
#include "kernel/opencl/opencl_operator.h"
#include "support/random_points.h"
#include "support/temporary_folder.h"
#include "ulisse/backend.h"
#include "ulisse/error.h"

namespace ulisse {
namespace {

using opencl::DeviceSet;
using opencl::Layout;
using opencl::OpenClOperator;
using testing::normal_matrix;

std::shared_ptr<DeviceSet> devices_of(const std::string& which) {
  try {
    return opencl::open_devices(which);
  } catch (const InputError&) {
    return nullptr;
  }
}

class OpenCl : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!all_) GTEST_SKIP() << "there is no OpenCL device";
  }
  std::shared_ptr<DeviceSet> all_ = devices_of("");
};
class OpenClOnFewPoints : public OpenCl {};
class OpenClCache : public testing::TemporaryFolder {};

const Kernel& mixed_kernel() {
  static const Kernel kernel({Term{{Factor{Shape::rbf, true}, Factor{Shape::matern32, false}}},
                              Term{{Factor{Shape::matern52, true}}}});
  return kernel;
}

// Products, forms and columns of one operator, to be compared as a whole.
struct Results {
  Matrix product, by_column, columns;
  Vector forms;
  bool operator==(const Results& other) const {
    return product == other.product && by_column == other.by_column && columns == other.columns &&
           forms == other.forms;
  }
};

Results results_of(const KernelOperator& k, Index columns) {
  const Index n = k.size();
  const Matrix u = normal_matrix(n, columns, 2), v = normal_matrix(n, columns, 3);
  Results r{.product = Matrix(n, columns), .by_column = {}, .columns = Matrix(n, 2), .forms = {}};
  k.apply(u, r.product);
  r.forms = k.gradient_forms(u, v);
  r.by_column = k.gradient_forms_by_column(u, v);
  k.columns({0, n - 1}, r.columns);
  return r;
}

Results results_on(const std::shared_ptr<DeviceSet>& devices, Index n, Index columns,
                   std::optional<Layout> layout = {}) {
  const Kernel& kernel = mixed_kernel();
  const KernelPoints points(kernel, normal_matrix(n, 2, 1));
  const Vector psi = Vector::Constant(kernel.parameter_count(2), -0.3);
  return results_of(OpenClOperator<float>(points, psi, devices, layout), columns);
}

// Each shape where it is 1, in between, and where it is 0: formulas stand in the library twice.
template <class T>
void expect_formulas(const std::shared_ptr<DeviceSet>& devices) {
  const Index n = 480;
  const Matrix x = Vector::LinSpaced(n, 0, 1).array().pow(3) * 400;
  for (const Shape shape : {Shape::rbf, Shape::matern12, Shape::matern32, Shape::matern52}) {
    const Kernel kernel(shape);
    const KernelPoints points(kernel, x);
    const Vector psi = Vector::Zero(2);
    const OpenClOperator<T> k(points, psi, devices);
    const DenseOperator<T> dense(points, psi);
    Matrix column(n, 1), expected(n, 1);
    k.columns({0}, column);
    dense.columns({0}, expected);
    const double ulp = std::numeric_limits<T>::epsilon();
    for (Index i = 0; i < n; ++i) {
      // A last digit of the exponent is as many digits of its exponential as the exponent is large.
      const double digits = 4 + 3 * x(i, 0);
      ASSERT_NEAR(column(i, 0), expected(i, 0), digits * ulp * expected(i, 0) + 1e-37)
          << x(i, 0) << " of shape " << static_cast<int>(shape);
    }
    // Slopes: the pair of point 0 with each of eight others.
    Matrix u = Matrix::Zero(n, 8), v = Matrix::Zero(n, 8);
    u.row(0).setOnes();
    for (Index c = 0; c < 8; ++c) v(5 + 20 * c, c) = 1;
    const Matrix forms = k.gradient_forms_by_column(u, v);
    const Matrix of_dense =
        0.5 * (dense.gradient_forms_by_column(u, v) + dense.gradient_forms_by_column(v, u));
    ASSERT_LE((forms - of_dense).cwiseAbs().maxCoeff(), 8 * ulp);
  }
}

TEST_F(OpenCl, FormulasAreThoseOfTheVectorsPointByPoint) {
  expect_formulas<float>(all_);
  if (all_->about().in_double) expect_formulas<double>(all_);
}

TEST_F(OpenCl, NoLayoutChangesABit) {
  const Results expected = results_on(all_, 500, 5);
  const bool fused = all_->devices()[0]->layout(false, 1).fused;
  for (const Layout& layout : {Layout{.lanes = 1, .group = 8, .fused = fused},
                               Layout{.lanes = 4, .group = 4, .fused = fused},
                               Layout{.lanes = 16, .group = 2, .fused = fused}}) {
    EXPECT_TRUE(results_on(all_, 500, 5, layout) == expected)
        << layout.lanes << " lanes, groups of " << layout.group;
  }
}

TEST_F(OpenCl, TwoDevicesGiveTheBitsOfOne) {
  const auto halves = devices_of("0/2");
  if (!halves) GTEST_SKIP() << "the device cannot be cut into two";
  ASSERT_EQ(halves->devices().size(), 2U);
  const auto whole = devices_of("0");
  for (const Index n : {100, 2000}) {
    EXPECT_TRUE(results_on(halves, n, 3) == results_on(whole, n, 3)) << n;
  }
}

// Two threads with products of their own wait for each other, and neither sees the other's.
TEST_F(OpenCl, ProductsOfSeveralThreadsDoNotMix) {
  const Results expected = results_on(all_, 300, 3);
  std::vector<Results> found(4);
  {
    std::vector<std::jthread> threads;
    for (Results& r : found) threads.emplace_back([&] { r = results_on(all_, 300, 3); });
  }
  for (const Results& r : found) EXPECT_TRUE(r == expected);
}

TEST_F(OpenClOnFewPoints, ResultsAreThoseOfLoops) {
  const Kernel& kernel = mixed_kernel();
  const KernelPoints points(kernel, normal_matrix(50, 2, 1));
  const Vector psi = Vector::Constant(kernel.parameter_count(2), -0.3);
  const Layout layout{.lanes = 2, .group = 4};
  const OpenClOperator<float> k(points, psi, all_, layout);
  const Results found = results_of(k, 3),
                expected = results_of(DenseOperator<double>(points, psi), 3);
  const double limit = k.error_bound() * 150;
  EXPECT_LE((found.product - expected.product).cwiseAbs().maxCoeff(), limit);
  EXPECT_LE((found.columns - expected.columns).cwiseAbs().maxCoeff(), limit);
  EXPECT_LE((found.forms - expected.forms).cwiseAbs().maxCoeff(), 50 * limit);
  EXPECT_LE((found.by_column - expected.by_column).cwiseAbs().maxCoeff(), 50 * limit);
}

// A cache whose files are damaged is one that has none.
TEST_F(OpenClCache, ProgramsAreKeptAndCheckedWhenTheyAreRead) {
  const auto devices = devices_of("");
  if (!devices) GTEST_SKIP() << "there is no OpenCL device";
  ::setenv("XDG_CACHE_HOME", path().c_str(), 1);
  const Results expected = results_on(devices, 60, 2);
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(path() / "ulisse")) {
    files.push_back(file.path());
  }
  EXPECT_FALSE(files.empty());
  for (const auto& file : files) std::filesystem::resize_file(file, file_size(file) - 10);
  EXPECT_TRUE(results_on(devices_of(""), 60, 2) == expected);
  ::unsetenv("XDG_CACHE_HOME");
}

TEST_F(OpenCl, DevicesThatAreNotThereAreRefused) {
  for (const char* which : {"99", "x", "0/", "0/1", "-1", "0/4096", "0,99"}) {
    EXPECT_THROW(opencl::open_devices(which), InputError) << which;
  }
}

}  // namespace
}  // namespace ulisse
