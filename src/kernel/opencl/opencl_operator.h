#pragma once

#include "kernel/opencl/device_points.h"
#include "ulisse/covariance.h"

namespace ulisse::opencl {

// The kernel on OpenCL devices: every value is computed when it is needed, and both halves of the
// symmetric matrix are, so that each row's sums are its own. T = double, or float for all that the
// devices do.
template <class T>
class OpenClOperator : public KernelOperator {
 public:
  OpenClOperator(const KernelPoints& points, const ConstVector& psi,
                 std::shared_ptr<DeviceSet> devices, std::optional<Layout> layout = {})
      : kernel_(points, psi), on_devices_(kernel_, std::move(devices), layout) {}

  Index size() const override { return kernel_.size(); }
  void apply(const ConstBlock& x, Block y) const override;
  Vector gradient_forms(const ConstBlock& u, const ConstBlock& v) const override;
  Matrix gradient_forms_by_column(const ConstBlock& u, const ConstBlock& v) const override;
  void columns(const Indices& which, Block out) const override;
  double variance() const override { return kernel_.variance(); }
  Vector variance_slopes() const override { return kernel_.variance_slopes(); }
  double error_bound() const override;

 private:
  void apply_to_block(const ConstBlock& x, Block y) const;
  // (sums, columns), or one column of all of them together.
  Matrix sums_of_forms(const ConstBlock& u, const ConstBlock& v, bool by_column) const;
  Vector by_parameter(const ConstVector& sums) const;

  TiledKernel<T> kernel_;
  DevicePoints<T> on_devices_;
};

extern template class OpenClOperator<double>;
extern template class OpenClOperator<float>;

}  // namespace ulisse::opencl
