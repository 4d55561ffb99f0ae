#include "kernel/opencl/device_points.h"

#include <algorithm>
#include <numeric>

#include "base/clock.h"
#include "base/watch.h"

namespace ulisse::opencl {

namespace {

// Pieces take about as long: work can be interrupted between them, and a display that a device
// drives does not stand still. The first one is for getting to know its speed.
constexpr double kSecondsAPiece = 0.2;
constexpr double kFirstPairs = 5e8;
// Fewer rows than these work-items leave parts of a device idle.
constexpr Index kGroupsAUnit = 8;

// Whole tiles, and whole groups of work-items.
Index step_of(const Layout& layout) {
  return std::lcm(simd::kTile, Index(layout.lanes) * layout.group);
}

Index rounded_up(Index n, Index step) { return (n + step - 1) / step * step; }

// Tiles of all parts of a kernel, one behind the other, for so many rows.
template <class T>
std::vector<T> tiles_of(const TiledKernel<T>& kernel, Index rows) {
  const Index width = coordinates_of(kernel) * simd::kTile;
  std::vector<T> data(static_cast<std::size_t>(tiles_for(rows) * width));
  for (Index t = 0; t < kernel.tiles(); ++t) {
    T* to = data.data() + t * width;
    for (const auto& term : kernel.terms()) {
      for (const auto& part : term.parts) {
        const T* const from = part.points.tile(t);
        to = std::copy(from, from + part.points.dimensions() * simd::kTile, to);
      }
    }
  }
  return data;
}

template <class T>
Owned<cl_mem> written(const OpenDevice& device, const std::vector<T>& data) {
  Owned<cl_mem> buffer = device.buffer(data.size() * sizeof(T));
  device.write(buffer.get(), data.data(), data.size() * sizeof(T));
  return buffer;
}

// The arguments of a kernel, one after the other.
class Arguments {
 public:
  explicit Arguments(cl_kernel kernel) : kernel_(kernel) {}
  void add(cl_int value) { add(&value, sizeof(value)); }
  void add(cl_mem buffer) { add(&buffer, sizeof(cl_mem)); }

 private:
  void add(const void* value, std::size_t size) {
    check(api().clSetKernelArg(kernel_, place_++, size, value), "take its arguments");
  }
  cl_kernel kernel_;
  cl_uint place_ = 0;
};

void launch(const OpenDevice& device, cl_kernel kernel, const RowQueue::Rows& rows,
            const Layout& layout) {
  const auto lanes = static_cast<std::size_t>(layout.lanes);
  const std::size_t first = static_cast<std::size_t>(rows.first) / lanes;
  const std::size_t items = static_cast<std::size_t>(rows.count) / lanes;
  const auto group = static_cast<std::size_t>(layout.group);
  check(api().clEnqueueNDRangeKernel(device.queue(), kernel, 1, &first, &items, &group, 0, nullptr,
                                     nullptr),
        "be given work");
  check(api().clFinish(device.queue()), "finish its work");
}

// Takes pieces of the rows until none are left, each row with so many points.
template <class F>
void for_each_piece(const OpenDevice& device, RowQueue& queue, const Layout& layout, Index points,
                    const F& f) {
  const Index items = Index(layout.lanes) * layout.group;
  const Index fewest = device.about().units * kGroupsAUnit * items;
  double wanted = kFirstPairs / static_cast<double>(points);
  while (true) {
    keep_watch();
    const Index most = static_cast<Index>(std::min(wanted, 1e12));
    const auto rows = queue.take(std::max(fewest, most), step_of(layout));
    if (rows.count == 0) return;
    const double begin = seconds_now();
    f(rows);
    const double seconds = std::max(seconds_now() - begin, 1e-6);
    wanted = static_cast<double>(rows.count) * kSecondsAPiece / seconds;
  }
}

}  // namespace

template <class T>
DevicePoints<T>::DevicePoints(const TiledKernel<T>& kernel, std::shared_ptr<DeviceSet> devices,
                              std::optional<Layout> layout)
    : kernel_(kernel),
      devices_(std::move(devices)),
      layout_(layout),
      padded_rows_(rounded_up(kernel.size(), step_of(layout_for(*devices_->devices()[0], 1)))) {
  const std::vector<T> points = tiles_of(kernel, padded_rows_);
  const std::vector<T> constants = constants_of(kernel);
  const std::lock_guard alone(devices_->mutex());
  for (const auto& device : devices_->devices()) {
    on_devices_.push_back({written(*device, points), written(*device, constants)});
  }
}

template <class T>
DevicePoints<T>::~DevicePoints() {
  const std::lock_guard alone(devices_->mutex());
  on_devices_.clear();
}

template <class T>
Layout DevicePoints<T>::layout_for(const OpenDevice& device, int sums) const {
  return layout_ ? *layout_ : device.layout(sizeof(T) == 8, sums);
}

template <class T>
Sums<T> DevicePoints<T>::product(int columns, const std::vector<T>& v) const {
  return run({.kernel = "product",
              .columns = columns,
              .width = columns,
              .points = kernel_.size(),
              .first = static_cast<int>(kernel_.tiles()),
              .inputs = {&v}});
}

template <class T>
Sums<T> DevicePoints<T>::forms(int columns, const std::vector<T>& u, const std::vector<T>& v,
                               bool by_column) const {
  const Index sums = sums_of(kernel_);
  return run({.kernel = by_column ? "forms_by_column" : "forms",
              .columns = columns,
              .width = by_column ? columns * sums : sums,
              .points = kernel_.size(),
              .first = static_cast<int>(kernel_.tiles()),
              .inputs = {&u, &v}});
}

template <class T>
Sums<T> DevicePoints<T>::columns(const TiledKernel<T>& chosen) const {
  const std::vector<T> points = tiles_of(chosen, chosen.size());
  return run({.kernel = "columns",
              .columns = block_width(1),
              .width = chosen.size(),
              .in_two_parts = false,
              .points = chosen.size(),
              .first = static_cast<int>(chosen.size()),
              .inputs = {&points}});
}

template <class T>
Sums<T> DevicePoints<T>::run(const Pass& pass) const {
  Sums<T> sums(padded_rows_, pass.width);
  devices_->share(padded_rows_,
                  [&](std::size_t number, RowQueue& queue) { run_on(number, queue, pass, sums); });
  return sums;
}

template <class T>
void DevicePoints<T>::run_on(std::size_t number, RowQueue& queue, const Pass& pass,
                             Sums<T>& sums) const {
  OpenDevice& device = *devices_->devices()[number];
  const Layout layout = layout_for(device, static_cast<int>(pass.width));
  const Owned<cl_kernel> kernel =
      device.kernel(source_of(kernel_, pass.columns, layout), pass.kernel);
  std::vector<Owned<cl_mem>> inputs;
  for (const auto* input : pass.inputs) inputs.push_back(written(device, *input));
  const std::size_t bytes = sums.high.size() * sizeof(T);
  const Owned<cl_mem> high = device.buffer(bytes),
                      low = device.buffer(pass.in_two_parts ? bytes : 1);
  Arguments arguments(kernel.get());
  arguments.add(pass.first);
  arguments.add(on_devices_[number].points.get());
  arguments.add(on_devices_[number].constants.get());
  for (const auto& input : inputs) arguments.add(input.get());
  arguments.add(high.get());
  if (pass.in_two_parts) arguments.add(low.get());
  for_each_piece(device, queue, layout, pass.points, [&](const RowQueue::Rows& rows) {
    launch(device, kernel.get(), rows, layout);
    const auto first = static_cast<std::size_t>(rows.first * pass.width);
    const auto size = static_cast<std::size_t>(rows.count * pass.width) * sizeof(T);
    device.read(sums.high.data() + first, high.get(), first * sizeof(T), size);
    if (pass.in_two_parts) device.read(sums.low.data() + first, low.get(), first * sizeof(T), size);
  });
}

template class DevicePoints<double>;
template class DevicePoints<float>;

}  // namespace ulisse::opencl
