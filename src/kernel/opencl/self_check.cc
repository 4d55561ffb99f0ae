#include "kernel/opencl/self_check.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "kernel/opencl/opencl_operator.h"

namespace ulisse::opencl {

namespace {

constexpr Index kPoints = 500, kColumns = 3;
constexpr Index kEvery = 13;  // of the rows, which the plain formulas are computed for

// Every shape, with one length scale and with one for each input, as a sum of products.
Kernel kernel_of_all_shapes() {
  const auto factor = [](Shape shape, bool ard) { return Factor{.shape = shape, .ard = ard}; };
  return Kernel({Term{{factor(Shape::rbf, true), factor(Shape::matern32, false)}},
                 Term{{factor(Shape::matern12, true)}}, Term{{factor(Shape::matern52, false)}}});
}

// Numbers of no pattern, around 0.
Matrix numbers(Index rows, Index columns, double step) {
  return Matrix::NullaryExpr(rows, columns, [=](Index i, Index c) {
    return 2 * std::sin(step * static_cast<double>(i * i + 1) + 1.7 * static_cast<double>(c));
  });
}

// What is computed on the devices and by the plain formulas: rows of the product, and forms of a u
// that is 0 in all other rows.
struct Check {
  Kernel kernel = kernel_of_all_shapes();
  Matrix x = numbers(kPoints, 3, 0.37), u = numbers(kPoints, kColumns, 0.11),
         v = numbers(kPoints, kColumns, 0.23);
  Vector psi = Vector::Constant(kernel.parameter_count(3), -0.4);
  Matrix product = Matrix::Zero(kPoints, kColumns);
  Vector forms = Vector::Zero(psi.size());

  Check() {
    const KernelParameters parameters = unpack(kernel, psi, x.cols());
    for (Index i = 0; i < kPoints; ++i) {
      if (i % kEvery != 0) {
        u.row(i).setZero();
        continue;
      }
      for (Index j = 0; j < kPoints; ++j) {
        const ValueAndGradient k = evaluate(kernel, parameters, x.row(i), x.row(j));
        product.row(i) += k.value * v.row(j);
        forms += u.row(i).dot(v.row(j)) * k.gradient;
      }
    }
  }
};

}  // namespace

template <class T>
std::string self_check(const DeviceSet& devices) {
  const Check plain;
  const KernelPoints points(plain.kernel, plain.x);
  for (const auto& device : devices.devices()) {
    const auto alone =
        std::make_shared<DeviceSet>(std::vector<std::shared_ptr<OpenDevice>>{device});
    const OpenClOperator<T> k(points, plain.psi, alone);
    Matrix y(kPoints, kColumns);
    k.apply(plain.v, y);
    for (Index i = 0; i < kPoints; ++i) {
      if (i % kEvery != 0) y.row(i).setZero();
    }
    const double each =
        k.error_bound() + 1e3 * std::numeric_limits<double>::epsilon() * k.variance();
    const double off = (y - plain.product).cwiseAbs().maxCoeff();
    const double forms_off =
        (k.gradient_forms(plain.u, plain.v) - plain.forms).cwiseAbs().maxCoeff();
    const double of_sums = plain.v.cwiseAbs().colwise().sum().maxCoeff();
    const bool good =
        off <= each * of_sums && forms_off <= each * of_sums * plain.u.cwiseAbs().sum();
    if (!good) {
      return fmt::format(
          "the OpenCL device {} computes wrongly and is not used: {} points give products that are "
          "off by {:.2g} and derivatives by {:.2g}",
          device->about().name, kPoints, off, forms_off);
    }
  }
  return {};
}

template std::string self_check<float>(const DeviceSet&);
template std::string self_check<double>(const DeviceSet&);

}  // namespace ulisse::opencl
