#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "base/watch.h"
#include "kernel/backends.h"
#include "ulisse/covariance.h"

namespace ulisse {

namespace {

struct Trial {
  std::string backend;
  double seconds;  // of a product, with its share of what a new psi takes
};

constexpr Index kTimedColumns = 8;
// A solve has some ten products at one psi.
constexpr double kProductsAtAPsi = 10;
// Exact products take n^2: beyond this they are timed on some of the points.
constexpr Index kMaxTimedRows = 20'000;
// Of pairs of points: what leaves out less cannot be much faster.
constexpr double kMinShareLeftOut = 0.5;
// Of the time of what is best so far: a choice that gives other bits should not hang on chance.
constexpr double kMaxRelativeTime = 2.0 / 3;

template <class F>
double seconds_of(const F& f) {
  double best = INFINITY;
  const double start = seconds_now();
  do {
    const double begin = seconds_now();
    f();
    best = std::min(best, seconds_now() - begin);
  } while (seconds_now() - start < 0.001);
  return best;
}

double time_of(const Covariance& covariance, const ConstVector& psi) {
  const Index n = covariance.size();
  const Matrix v = Matrix::NullaryExpr(
      n, kTimedColumns, [](Index i, Index c) { return (i * (c + 3)) % 7 < 3 ? 1.0 : -0.7; });
  Matrix y(n, kTimedColumns);
  std::unique_ptr<const CovarianceOperator> k;
  const double build = seconds_of([&] { k = covariance.at(psi); });
  return build / kProductsAtAPsi + seconds_of([&] { k->apply(v, y); });
}

class Trials {
 public:
  Trials(const Model& model, const ConstBlock& x, const ConstVector& psi,
         const CovarianceOptions& options)
      : model_(model), x_(x), psi_(psi), options_(options) {}

  BackendChoice run() {
    step_.say([] { return "timing products"; });
    Trial best = exact();
    for (const auto& name : covariance_backends()) {
      const Backend backend = backend_named(name);
      if (!backend.can.automatic || name == best_exact_) continue;
      if (!fits_in_memory(backend, x_.rows(), options_) || !takes(backend, model_)) continue;
      if (!worth_a_trial(backend)) continue;
      step_.say([&] { return fmt::format("timing products by {}", name); });
      const auto covariance = make(name, x_);
      if (backend.can.takes_tolerance && left_out(*covariance) < kMinShareLeftOut) continue;
      Trial trial{name, time_of(*covariance, psi_)};
      note(trial);
      const double allowed = backend.can.same_bits ? 1 : kMaxRelativeTime;
      if (trial.seconds < allowed * best.seconds) best = std::move(trial);
    }
    return {best.backend, fmt::format("{}: {}", best.backend, timings_)};
  }

 private:
  std::unique_ptr<Covariance> make(const std::string& backend, const ConstBlock& x) const {
    CovarianceOptions options = options_;
    options.backend = backend;
    return make_covariance(model_, x, options);
  }

  Trial exact() {
    const Index rows = std::min(x_.rows(), kMaxTimedRows);
    const double share = static_cast<double>(x_.rows()) / static_cast<double>(rows);
    Trial trial{best_exact_, share * share * time_of(*make(best_exact_, x_.topRows(rows)), psi_)};
    note(trial);
    return trial;
  }

  void note(const Trial& trial) {
    timings_ += fmt::format("{}{} {:.2g} s", timings_.empty() ? "a product takes " : ", ",
                            trial.backend, trial.seconds);
  }

  // The share of pairs of points that a product leaves out.
  double left_out(const Covariance& covariance) const {
    return 1 - covariance.at(psi_)->kernel().share_computed();
  }

  const Model& model_;
  const ConstBlock& x_;
  const ConstVector& psi_;
  const CovarianceOptions& options_;
  const std::string best_exact_ = exact_backend();
  std::string timings_;
  WatchStep step_;
};

}  // namespace

BackendChoice choose_backend(const Model& model, const ConstBlock& x, const ConstVector& psi,
                             const CovarianceOptions& options) {
  return Trials(model, x, psi, options).run();
}

}  // namespace ulisse
