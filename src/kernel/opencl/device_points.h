#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "kernel/opencl/device_set.h"
#include "kernel/opencl/packed.h"
#include "kernel/tiled_kernel.h"

namespace ulisse::opencl {

// The points of a kernel at one psi on each device, and passes over all pairs of them.
template <class T>
class DevicePoints {
 public:
  // Layouts other than the devices' own are for tests.
  DevicePoints(const TiledKernel<T>& kernel, std::shared_ptr<DeviceSet> devices,
               std::optional<Layout> layout = {});
  ~DevicePoints();

  // Of what is written to devices and read from them: whole tiles, whole work-groups.
  Index padded_rows() const { return padded_rows_; }

  // sums of the kernel's values with v, rows of `columns`: packed_rows().
  Sums<T> product(int columns, const std::vector<T>& v) const;

  // For each row the sums that gradient forms consist of, of all columns together or one after the
  // other; u: packed_columns().
  Sums<T> forms(int columns, const std::vector<T>& u, const std::vector<T>& v,
                bool by_column) const;

  // Values between all points and `chosen`, which are of the same kernel; low stays 0.
  Sums<T> columns(const TiledKernel<T>& chosen) const;

 private:
  struct OnDevice {
    Owned<cl_mem> points, constants;
  };
  struct Pass {
    const char* kernel;
    int columns;  // that the program is made for
    Index width;  // of the sums
    bool in_two_parts = true;
    Index points = 0;                                // that each row is paired with
    int first = 0;                                   // the kernel's first argument
    std::vector<const std::vector<T>*> inputs = {};  // written to each device
  };

  Layout layout_for(const OpenDevice& device, int sums) const;
  Sums<T> run(const Pass& pass) const;
  void run_on(std::size_t number, RowQueue& queue, const Pass& pass, Sums<T>& sums) const;

  const TiledKernel<T>& kernel_;
  std::shared_ptr<DeviceSet> devices_;
  std::optional<Layout> layout_;
  Index padded_rows_;
  std::vector<OnDevice> on_devices_;
};

extern template class DevicePoints<double>;
extern template class DevicePoints<float>;

}  // namespace ulisse::opencl
