#include "products_benchmark.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <random>

#include "base/clock.h"
#include "base/memory.h"
#include "eigen_expression.h"
#include "format.h"
#include "gemm_rate.h"
#include "options.h"
#include "progress.h"
#include "theta_option.h"
#include "ulisse/backend.h"
#include "ulisse/covariance.h"
#include "ulisse/error.h"
#include "ulisse/threads.h"

namespace ulisse::cli {

namespace {

Matrix normal_matrix(Index rows, Index cols, std::mt19937_64& generator) {
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, cols, [&] { return normal(generator); });
}

// Everything but the plain reference, unless asked for; what keeps K only where that fits.
// Simulated points have nothing for trees.
std::vector<std::string> chosen_backends(const ProductsOptions& options) {
  if (!options.backends.empty()) return split(options.backends);
  const bool simulated = options.data.file.empty();
  const std::size_t budget = options.memory > 0 ? options.memory : machine_memory_bytes() / 2;
  std::vector<std::string> names;
  for (const auto& name : covariance_backends()) {
    const Capabilities can = backend_named(name).can;
    const bool useful = can.automatic || !can.in_double;
    if (!worth_a_trial(backend_named(name))) continue;
    const bool fits = !can.kept_bytes || can.kept_bytes(options.n) <= budget;
    if (useful && fits && !(simulated && can.takes_tolerance)) names.push_back(name);
  }
  return names;
}

// Points and right-hand sides, each with the copies that backends make of them.
void check_sizes(const ProductsOptions& options) {
  const auto d = static_cast<double>(options.d), rhs = static_cast<double>(options.rhs);
  check_memory(
      fmt::format("a product with {} in {} and {}", counted(options.n, "point"),
                  counted(options.d, "dimension"), counted(options.rhs, "right-hand side")),
      bytes_of(static_cast<double>(options.n) * (3 * d + 4 * rhs)));
}

double processor_seconds_now() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

template <class F>
void keep_best(BestTime& best, const F& f) {
  const double start = seconds_now(), processor = processor_seconds_now();
  f();
  best.seconds = std::min(best.seconds, seconds_now() - start);
  best.processor = std::min(best.processor, processor_seconds_now() - processor);
}

// Names for the kernel's inputs: x1, x2, ...
Dataset columns_of(Index d) {
  Dataset data{.x = Matrix(0, d), .y = Vector(0), .features = {}, .target = ""};
  for (Index k = 0; k < d; ++k) data.features.push_back(fmt::format("x{}", k + 1));
  return data;
}

double tau_of(const Model& model, const Vector& psi) {
  return unpack(model.kernel, model.layout.kernel_psi(psi), model.dimensions)[0].tau[0](0);
}

class ProductsBenchmark {
 public:
  explicit ProductsBenchmark(ProductsOptions& options)
      : options_(options), generator_(options.seed) {
    if (options.data.file.empty()) {
      simulate();
    } else {
      read();
    }
    check_sizes(options_);
    rhs_ = normal_matrix(options_.n, options_.rhs, generator_);
    y_.resize(options_.n, options_.rhs);
  }

  // Best of several rounds; each round has everything once, so that a disturbance hits all alike.
  ProductsResults run() {
    ProductsResults results;
    results.backends.resize(subjects_.size());
    Progress progress(options_.quiet);
    const double start = seconds_now();
    for (int round = 0; round < options_.repeats; ++round) {
      const auto show = [&](const std::string& what) {
        progress.show(fmt::format("timing round {} of at most {}, now {}", round + 1,
                                  options_.repeats, what));
      };
      show("dgemm, sgemm");
      results.dgemm = std::max(results.dgemm, dgemm_gflops(threads()));
      results.sgemm = std::max(results.sgemm, sgemm_gflops(threads()));
      for (std::size_t k = 0; k < subjects_.size(); ++k) {
        for (const auto& backend : chosen_backends(options_)) {
          show("backend " + backend);
          time_backend(subjects_[k], backend, results.backends[k][backend]);
        }
      }
      show("the Eigen expression");
      time_eigen(results.eigen);
      if (seconds_now() - start > kNoRoundAfterSeconds) break;
    }
    return results;
  }

 private:
  static constexpr double kNoRoundAfterSeconds = 60;

  // What is timed.
  struct Subject {
    Model model;
    Vector psi;
    Matrix exact = {};  // the product by exact_backend()
  };

  void simulate() {
    check_sizes(options_);
    x_ = normal_matrix(options_.n, options_.d, generator_);
    for (const std::string& kernel : options_.kernels) {
      Model model = make_model(kernel, columns_of(options_.d));
      Vector psi = options_.theta.empty() ? typical_psi(model) : psi_from(options_.theta, model);
      subjects_.push_back({std::move(model), std::move(psi)});
    }
  }

  Vector typical_psi(const Model& model) const {
    const double log_inverse = std::log(1.0 / static_cast<double>(options_.d));
    return model.layout.psi_with(
        {.log_signal_variance = 0,
         .log_noise_variance = std::log(0.1),
         .log_inverse_squared_length = [=](const Parameter&) { return log_inverse; }});
  }

  void read() {
    if (options_.data.target.empty() || options_.theta.empty()) {
      throw InputError("--data needs --target and --theta");
    }
    if (options_.kernels.size() > 1) throw InputError("--data takes one --kernel");
    options_.data.model.kernel = options_.kernels[0];
    const LoadedData loaded = load(options_.data);
    x_ = loaded.data.x;
    options_.n = x_.rows();
    options_.d = x_.cols();
    subjects_.push_back({loaded.model, psi_from(options_.theta, loaded.model)});
  }

  void time_backend(Subject& subject, const std::string& backend, ProductsTiming& timing) {
    std::unique_ptr<Covariance> covariance;
    keep_best(timing.prepare, [&] {
      covariance = make_covariance(
          subject.model, x_,
          {.backend = backend, .memory_bytes = options_.memory, .tolerance = options_.tolerance});
    });
    std::unique_ptr<const CovarianceOperator> op;
    keep_best(timing.build, [&] { op = covariance->at(subject.psi); });
    keep_best(timing.product, [&] { op->apply(rhs_, y_); });
    keep_best(timing.gradient, [&] { op->gradient_forms(rhs_, rhs_); });
    if (backend == exact_backend()) {
      subject.exact = y_;
    } else if (subject.exact.size() > 0) {
      timing.error =
          (y_ - subject.exact).cwiseAbs().maxCoeff() / subject.exact.cwiseAbs().maxCoeff();
    }
  }

  void time_eigen(std::optional<double>& best) {
    const Model& model = subjects_[0].model;
    const Vector& psi = subjects_[0].psi;
    const Factor& factor = model.kernel.terms[0].factors[0];
    if (!model.kernel.is_one_factor() || factor.shape != Shape::rbf || factor.ard) return;
    const Index rows = eigen_rows(options_);
    const Matrix x = x_.topRows(rows), rhs = rhs_.topRows(rows);
    Matrix y(rows, options_.rhs);
    BestTime time;
    bool ran = false;
    keep_best(time, [&] {
      ran = ulisse_eigen_expression(rows, options_.d, options_.rhs, x.data(), tau_of(model, psi),
                                    rhs.data(), y.data(), threads());
    });
    const double share = static_cast<double>(options_.n) / static_cast<double>(rows);
    if (ran) best = std::min(best.value_or(INFINITY), share * share * time.seconds);
  }

  ProductsOptions& options_;
  std::vector<Subject> subjects_;
  std::mt19937_64 generator_;
  Matrix x_, rhs_, y_;
};

}  // namespace

Index eigen_rows(const ProductsOptions& options) { return std::min<Index>(options.n, 25'000); }

ProductsResults benchmark_products(ProductsOptions& options) {
  return ProductsBenchmark(options).run();
}

}  // namespace ulisse::cli
