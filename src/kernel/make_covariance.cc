#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <functional>
#include <mutex>
#include <stdexcept>

#include "base/memory.h"
#include "kernel/cached.h"
#include "kernel/dense.h"
#include "kernel/dense_matrix.h"
#include "kernel/reference.h"
#include "kernel/tree/tree_operator.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

void check_length(const ConstVector& psi, Index parameters) {
  if (psi.size() == parameters) return;
  throw std::invalid_argument(
      fmt::format("psi has {} elements, the covariance {}", psi.size(), parameters));
}

// Points and the way to build an operator on them; what backends share is in `build`'s captures.
class BuiltCovariance : public Covariance {
 public:
  using Build = std::function<std::unique_ptr<const KernelOperator>(const Kernel&, const Matrix&,
                                                                    const ConstVector&)>;
  BuiltCovariance(const Kernel& kernel, Matrix x, std::string backend, Build build)
      : kernel_(kernel), x_(std::move(x)), backend_(std::move(backend)), build_(std::move(build)) {}

  Index size() const override { return x_.rows(); }
  const Kernel& kernel() const override { return kernel_; }
  Index dimensions() const override { return x_.cols(); }
  Index parameter_count() const override {
    return kernel_.parameter_count(x_.cols()) + Noise::parameter_count();
  }
  std::string backend() const override { return backend_; }
  std::unique_ptr<const CovarianceOperator> at(const ConstVector& psi) const override {
    check_length(psi, parameter_count());
    return std::make_unique<const CovarianceOperator>(
        build_(kernel_, x_, psi.head(kernel_.parameter_count(x_.cols()))),
        psi.tail(Noise::parameter_count()));
  }

 private:
  Kernel kernel_;
  Matrix x_;
  std::string backend_;
  Build build_;
};

template <class Operator>
std::unique_ptr<const KernelOperator> build(const Kernel& kernel, const Matrix& x,
                                            const ConstVector& psi) {
  return std::make_unique<const Operator>(kernel, x, psi);
}

std::size_t budget(const CovarianceOptions& options) {
  return options.memory_bytes > 0 ? options.memory_bytes : machine_memory_bytes() / 2;
}

// Several K are in use at once where chains run side by side, or where fresh probes keep the one at
// the mode. Those for which the budget has no room are not kept, which takes longer and changes
// nothing else.
BuiltCovariance::Build build_cached(Index n, const CovarianceOptions& options) {
  const std::size_t bytes = cached_bytes(n);
  auto memory = std::make_shared<TileMemory>(bytes / sizeof(double), budget(options) / bytes);
  return [memory](const Kernel& kernel, const Matrix& x,
                  const ConstVector& psi) -> std::unique_ptr<const KernelOperator> {
    auto tiles = memory->acquire();
    if (!tiles) return build<DenseOperator<double>>(kernel, x, psi);
    return std::make_unique<const CachedOperator>(kernel, x, psi, std::move(tiles));
  };
}

template <class Operator>
BuiltCovariance::Build build_on(PointTree tree, double tolerance) {
  auto shared = std::make_shared<const PointTree>(std::move(tree));
  return [shared, tolerance](const Kernel& kernel, const Matrix& x, const ConstVector& psi) {
    return std::make_unique<const Operator>(kernel, x, psi, shared, tolerance);
  };
}

// The choice needs a psi, and the first one that is asked for is as good as any.
class AutoCovariance : public Covariance {
 public:
  AutoCovariance(const Kernel& kernel, Matrix x, CovarianceOptions options)
      : kernel_(kernel), x_(std::move(x)), options_(std::move(options)) {}

  Index size() const override { return x_.rows(); }
  const Kernel& kernel() const override { return kernel_; }
  Index dimensions() const override { return x_.cols(); }
  Index parameter_count() const override {
    return kernel_.parameter_count(x_.cols()) + Noise::parameter_count();
  }
  std::string backend() const override {
    const std::lock_guard lock(mutex_);
    return chosen_ ? chosen_->backend() : options_.backend;
  }
  std::unique_ptr<const CovarianceOperator> at(const ConstVector& psi) const override {
    return chosen(psi).at(psi);
  }

 private:
  const Covariance& chosen(const ConstVector& psi) const {
    const std::lock_guard lock(mutex_);
    if (!chosen_) {
      CovarianceOptions options = options_;
      options.backend = choose_backend(kernel_, x_, psi, options_).backend;
      chosen_ = make_covariance(kernel_, x_, options);
    }
    return *chosen_;
  }

  Kernel kernel_;
  Matrix x_;
  CovarianceOptions options_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<Covariance> chosen_;
};

void check_cached_fits(Index n, const CovarianceOptions& options) {
  if (cached_fits(n, options)) return;
  throw InputError(
      fmt::format("the cached backend needs {} for {} rows, more than the {} it may use; choose "
                  "dense or allow more memory",
                  readable_bytes(cached_bytes(n)), n, readable_bytes(budget(options))));
}

void check_tolerance(double tolerance) {
  if (!(tolerance >= 0) || !std::isfinite(tolerance)) {
    throw InputError(
        fmt::format("a tolerance of {} for products; it must be 0 or more", tolerance));
  }
}

}  // namespace

std::vector<std::string> covariance_backends() {
  return {"reference", "dense", "dense-float", "cached", "kdtree", "anchors"};
}

bool cached_fits(Index n, const CovarianceOptions& options) {
  return cached_bytes(n) <= budget(options);
}

std::unique_ptr<Covariance> make_covariance(const Kernel& kernel, const ConstBlock& x,
                                            const CovarianceOptions& options) {
  if (x.rows() == 0 || x.cols() == 0) {
    throw std::invalid_argument(
        fmt::format("a covariance of {} points in {} dimensions", x.rows(), x.cols()));
  }
  check_tolerance(options.tolerance);
  const std::string& name = options.backend;
  if (name == "auto") return std::make_unique<AutoCovariance>(kernel, x, options);
  const auto make = [&](Matrix points, BuiltCovariance::Build build) {
    return std::make_unique<BuiltCovariance>(kernel, std::move(points), name, std::move(build));
  };
  if (name == "reference") return make(x, build<ReferenceOperator>);
  if (name == "dense") return make(centred(x), build<DenseOperator<double>>);
  if (name == "dense-float") return make(centred(x), build<DenseOperator<float>>);
  if (name == "cached") {
    check_cached_fits(x.rows(), options);
    return make(centred(x), build_cached(x.rows(), options));
  }
  if (name == "kdtree") {
    return make(centred(x), build_on<KdTreeOperator>(build_kd_tree(x), options.tolerance));
  }
  if (name == "anchors") {
    return make(centred(x), build_on<AnchorsOperator>(build_anchors_tree(x), options.tolerance));
  }
  throw InputError(fmt::format("there is no backend '{}'; the backends are auto, {}", name,
                               fmt::join(covariance_backends(), ", ")));
}

}  // namespace ulisse
