#include <fmt/format.h>

#include <cmath>
#include <mutex>
#include <stdexcept>

#include "base/memory.h"
#include "kernel/backends.h"
#include "kernel/kernel_points.h"
#include "kernel/noise_and_trend.h"
#include "kernel/split.h"
#include "ulisse/covariance.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

// What a covariance is of.
struct Problem {
  Problem(const Model& model, const ConstBlock& rows)
      : added(model, rows), points(model.kernel, rows), x(rows) {}
  const Model& model() const { return added.model(); }

  NoiseAndTrend added;
  KernelPoints points;
  Matrix x;  // (n, d)
};

std::unique_ptr<Covariance> covariance_by(std::shared_ptr<const Problem> problem,
                                          const CovarianceOptions& options);

// By one backend.
class BuiltCovariance : public Covariance {
 public:
  BuiltCovariance(std::shared_ptr<const Problem> problem, Backend backend,
                  const CovarianceOptions& options)
      : problem_(std::move(problem)),
        backend_(std::move(backend)),
        options_(options),
        kernel_at_(make_kernel(backend_, model().kernel, problem_->x, options_)) {}

  Index size() const override { return problem_->x.rows(); }
  const Model& model() const override { return problem_->model(); }
  std::string backend() const override { return backend_.name; }
  std::size_t kept_bytes() const override {
    return backend_.can.kept_bytes ? backend_.can.kept_bytes(size()) : 0;
  }
  std::unique_ptr<const CovarianceOperator> at(const ConstVector& psi) const override {
    return std::make_unique<const CovarianceOperator>(
        std::shared_ptr<const NoiseAndTrend>(problem_, &problem_->added),
        std::shared_ptr<const KernelPoints>(problem_, &problem_->points),
        kernel_at_(model().layout.kernel_psi(psi)), psi);
  }
  std::unique_ptr<Covariance> lower_precision() const override {
    if (backend_.can.lower_precision.empty()) return nullptr;
    CovarianceOptions options = options_;
    options.backend = backend_.can.lower_precision;
    return covariance_by(problem_, options);
  }

 private:
  std::shared_ptr<const Problem> problem_;
  Backend backend_;
  CovarianceOptions options_;
  KernelAt kernel_at_;
};

// The choice needs a psi, and the first one that is asked for is as good as any.
class AutoCovariance : public Covariance {
 public:
  AutoCovariance(std::shared_ptr<const Problem> problem, CovarianceOptions options)
      : problem_(std::move(problem)), options_(std::move(options)) {}

  Index size() const override { return problem_->x.rows(); }
  const Model& model() const override { return problem_->model(); }
  std::string backend() const override {
    const std::lock_guard lock(mutex_);
    return chosen_ ? chosen_->backend() : options_.backend;
  }
  std::size_t kept_bytes() const override {
    const std::lock_guard lock(mutex_);
    return chosen_ ? chosen_->kept_bytes() : 0;
  }
  std::unique_ptr<const CovarianceOperator> at(const ConstVector& psi) const override {
    return chosen(psi).at(psi);
  }
  std::unique_ptr<Covariance> lower_precision() const override {
    const std::lock_guard lock(mutex_);
    return chosen_ ? chosen_->lower_precision() : nullptr;
  }

 private:
  const Covariance& chosen(const ConstVector& psi) const {
    const std::lock_guard lock(mutex_);
    if (!chosen_) {
      CovarianceOptions options = options_;
      options.backend = choose_backend(problem_->model(), problem_->x, psi, options_).backend;
      chosen_ = covariance_by(problem_, options);
    }
    return *chosen_;
  }

  std::shared_ptr<const Problem> problem_;
  CovarianceOptions options_;
  mutable std::mutex mutex_;
  mutable std::unique_ptr<Covariance> chosen_;
};

void check_fits(const Backend& backend, Index n, const CovarianceOptions& options) {
  if (fits_in_memory(backend, n, options)) return;
  throw InputError(
      fmt::format("the {} backend needs {} for {} rows, more than the {} it may use; choose {} or "
                  "allow more memory",
                  backend.name, readable_bytes(backend.can.kept_bytes(n)), n,
                  readable_bytes(memory_budget(options)), exact_backend()));
}

void check_takes(const Backend& backend, const Model& model) {
  if (takes(backend, model)) return;
  throw InputError(
      fmt::format("the {} backend takes kernels of one shape of one distance along numbers, and "
                  "'{}' is none; choose {}",
                  backend.name, model.given.kernel, exact_backend()));
}

void check_present(const Backend& backend) {
  const std::string missing = why_missing(backend);
  if (missing.empty()) return;
  throw InputError(fmt::format("the {} backend: {}", backend.name, missing));
}

void check_tolerance(double tolerance) {
  if (!(tolerance >= 0) || !std::isfinite(tolerance)) {
    throw InputError(
        fmt::format("a tolerance of {} for products; it must be 0 or more", tolerance));
  }
}

void check_points(const Model& model, const ConstBlock& x) {
  if (x.rows() == 0 || x.cols() == 0) {
    throw std::invalid_argument(
        fmt::format("a covariance of {} points in {} dimensions", x.rows(), x.cols()));
  }
  if (x.cols() != model.dimensions) {
    throw std::invalid_argument(
        fmt::format("X has {} columns, the model {} inputs", x.cols(), model.dimensions));
  }
}

std::unique_ptr<Covariance> covariance_by(std::shared_ptr<const Problem> problem,
                                          const CovarianceOptions& options) {
  if (options.backend == kAutomaticBackend) {
    return std::make_unique<AutoCovariance>(std::move(problem), options);
  }
  Backend backend = backend_named(options.backend);
  check_takes(backend, problem->model());
  check_fits(backend, problem->x.rows(), options);
  check_present(backend);
  return std::make_unique<BuiltCovariance>(std::move(problem), std::move(backend), options);
}

}  // namespace

bool takes(const Backend& backend, const Model& model) {
  return !backend.can.one_distance || is_one_distance(model.kernel, model.dimensions);
}

std::unique_ptr<Covariance> make_covariance(const Model& model, const ConstBlock& x,
                                            const CovarianceOptions& options) {
  check_points(model, x);
  check_tolerance(options.tolerance);
  return covariance_by(std::make_shared<const Problem>(model, x), options);
}

std::unique_ptr<Covariance> make_covariance(const Kernel& kernel, const ConstBlock& x,
                                            const CovarianceOptions& options) {
  return make_covariance(make_model(kernel, x.cols()), x, options);
}

}  // namespace ulisse
