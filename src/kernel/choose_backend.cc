#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "base/watch.h"
#include "kernel/cached.h"
#include "kernel/tree/tree_operator.h"
#include "ulisse/covariance.h"

namespace ulisse {

namespace {

struct Trial {
  std::string backend;
  double seconds;  // of a product, with its share of what a new psi takes
};

constexpr Index kColumns = 8;
// A solve has some ten products at one psi.
constexpr double kProductsAtAPsi = 10;
// Dense products take n^2: beyond this they are timed on some of the points.
constexpr Index kEnoughRows = 20'000;
// A tree that leaves out less cannot be much faster.
constexpr double kLeftOut = 0.5;
// Of the time of what is best so far: a choice that gives other bits should not hang on chance.
constexpr double kTreeMustBe = 2.0 / 3;

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
      n, kColumns, [](Index i, Index c) { return (i * (c + 3)) % 7 < 3 ? 1.0 : -0.7; });
  Matrix y(n, kColumns);
  std::unique_ptr<const CovarianceOperator> k;
  const double build = seconds_of([&] { k = covariance.at(psi); });
  return build / kProductsAtAPsi + seconds_of([&] { k->apply(v, y); });
}

class Trials {
 public:
  Trials(const Kernel& kernel, const ConstBlock& x, const ConstVector& psi,
         const CovarianceOptions& options)
      : kernel_(kernel), x_(x), psi_(psi), options_(options) {}

  BackendChoice run() {
    step_.say([] { return "timing products"; });
    Trial best = dense();
    if (cached_fits(x_.rows(), options_)) {
      step_.say([] { return "timing products by cached"; });
      Trial cached{"cached", time_of(*make("cached", x_), psi_)};
      tell(cached);
      if (cached.seconds < best.seconds) best = std::move(cached);
    }
    for (const char* tree : {"kdtree", "anchors"}) {
      step_.say([&] { return fmt::format("timing products by {}", tree); });
      const auto covariance = make(tree, x_);
      if (left_out(*covariance) < kLeftOut) continue;
      Trial trial{tree, time_of(*covariance, psi_)};
      tell(trial);
      if (trial.seconds < kTreeMustBe * best.seconds) best = std::move(trial);
    }
    return {best.backend, fmt::format("{}: {}", best.backend, told_)};
  }

 private:
  std::unique_ptr<Covariance> make(const std::string& backend, const ConstBlock& x) const {
    CovarianceOptions options = options_;
    options.backend = backend;
    return make_covariance(kernel_, x, options);
  }

  Trial dense() {
    const Index rows = std::min(x_.rows(), kEnoughRows);
    const double share = static_cast<double>(x_.rows()) / static_cast<double>(rows);
    Trial trial{"dense", share * share * time_of(*make("dense", x_.topRows(rows)), psi_)};
    tell(trial);
    return trial;
  }

  void tell(const Trial& trial) {
    told_ += fmt::format("{}{} {:.2g} s", told_.empty() ? "a product takes " : ", ", trial.backend,
                         trial.seconds);
  }

  // The share of pairs of points that the tree does not look at.
  double left_out(const Covariance& covariance) const {
    const auto k = covariance.at(psi_);
    const double n = static_cast<double>(x_.rows());
    return 1 -
           static_cast<double>(dynamic_cast<const TreeProducts&>(k->kernel()).pairs_computed()) /
               (n * n);
  }

  const Kernel& kernel_;
  const ConstBlock& x_;
  const ConstVector& psi_;
  const CovarianceOptions& options_;
  std::string told_;
  WatchStep step_;
};

}  // namespace

BackendChoice choose_backend(const Kernel& kernel, const ConstBlock& x, const ConstVector& psi,
                             const CovarianceOptions& options) {
  return Trials(kernel, x, psi, options).run();
}

}  // namespace ulisse
