// ulisse bench products: covariance products of simulated points or of a table, against dgemm and
// the plain Eigen expression, in one run.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>

#include "base/blas_core.h"
#include "base/clock.h"
#include "base/json_text.h"
#include "base/limits.h"
#include "base/memory.h"
#include "command.h"
#include "data_options.h"
#include "eigen_expression.h"
#include "format.h"
#include "gemm_rate.h"
#include "kernel/simd/tiles.h"
#include "options.h"
#include "progress.h"
#include "theta_option.h"
#include "ulisse/backend.h"
#include "ulisse/covariance.h"
#include "ulisse/error.h"
#include "ulisse/threads.h"

namespace ulisse::cli {

namespace {

struct Options {
  DataOptions data;  // a table in place of simulated points
  std::string theta;
  double tolerance = 1e-10;
  Index n = 22784, d = 8, rhs = 8;
  int threads = 0, repeats = 10;
  unsigned seed = 1;
  std::string backends;
  std::size_t memory = 0;
  bool json = false, quiet = false;
};

struct Timing {
  double product = INFINITY, gradient = INFINITY, build = INFINITY, prepare = INFINITY;
  std::optional<double>
      error;  // the largest difference from dense, as a share of the largest value
};

struct Results {
  double dgemm = 0, sgemm = 0;
  std::optional<double> eigen;
  std::map<std::string, Timing> backends;
};

Matrix normal_matrix(Index rows, Index cols, std::mt19937_64& generator) {
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, cols, [&] { return normal(generator); });
}

// Everything but the plain reference, unless asked for; what keeps K only where that fits.
// Simulated points have nothing for trees.
std::vector<std::string> chosen_backends(const Options& options) {
  if (!options.backends.empty()) return split(options.backends);
  const bool simulated = options.data.file.empty();
  const std::size_t budget = options.memory > 0 ? options.memory : machine_memory_bytes() / 2;
  std::vector<std::string> names;
  for (const auto& name : covariance_backends()) {
    const Capabilities can = backend_named(name).can;
    const bool useful = can.automatic || !can.in_double;
    const bool fits = !can.kept_bytes || can.kept_bytes(options.n) <= budget;
    if (useful && fits && !(simulated && can.takes_tolerance)) names.push_back(name);
  }
  return names;
}

// Points and right-hand sides, each with the copies that backends make of them.
void check_sizes(const Options& options) {
  const auto d = static_cast<double>(options.d), rhs = static_cast<double>(options.rhs);
  check_memory(
      fmt::format("a product with {} in {} and {}", counted(options.n, "point"),
                  counted(options.d, "dimension"), counted(options.rhs, "right-hand side")),
      bytes_of(static_cast<double>(options.n) * (3 * d + 4 * rhs)));
}

// The Eigen expression takes n^2, too, and minutes where values are subnormal: on more points than
// these it is timed on some of them.
Index eigen_rows(const Options& options) { return std::min<Index>(options.n, 25'000); }

template <class F>
void keep_best(double& best, const F& f) {
  const double start = seconds_now();
  f();
  best = std::min(best, seconds_now() - start);
}

class ProductsBenchmark {
 public:
  explicit ProductsBenchmark(const Options& options)
      : options_(options), kernel_(parse_kernel(options.data.kernel)), generator_(options.seed) {
    if (options.data.file.empty()) {
      simulate();
    } else {
      read();
    }
    check_sizes(options_);
    rhs_ = normal_matrix(options_.n, options_.rhs, generator_);
    y_.resize(options_.n, options_.rhs);
  }

  // With the n and d of a table.
  const Options& options() const { return options_; }

  // Best of several rounds; each round has everything once, so that a disturbance hits all alike.
  Results run() {
    Results results;
    Progress progress(options_.quiet);
    const double start = seconds_now();
    for (int round = 0; round < options_.repeats; ++round) {
      const auto tell = [&](const std::string& what) {
        progress.show(fmt::format("timing round {} of at most {}, now {}", round + 1,
                                  options_.repeats, what));
      };
      tell("dgemm, sgemm");
      results.dgemm = std::max(results.dgemm, dgemm_gflops(threads()));
      results.sgemm = std::max(results.sgemm, sgemm_gflops(threads()));
      for (const auto& backend : chosen_backends(options_)) {
        tell("backend " + backend);
        time_backend(backend, results.backends[backend]);
      }
      tell("the Eigen expression");
      time_eigen(results.eigen);
      if (seconds_now() - start > kLongEnough) break;
    }
    return results;
  }

 private:
  static constexpr double kLongEnough = 60;  // seconds, after which no round is begun

  void simulate() {
    check_sizes(options_);
    x_ = normal_matrix(options_.n, options_.d, generator_);
    model_ = make_model(kernel_, options_.d);
    if (!options_.theta.empty()) {
      psi_ = psi_from(options_.theta, model_);
      return;
    }
    const double log_inverse = std::log(1.0 / static_cast<double>(options_.d));
    psi_ = model_.layout.psi_with(
        {.log_signal_variance = 0,
         .log_noise_variance = std::log(0.1),
         .log_inverse_squared_length = [=](const Indices&) { return log_inverse; }});
  }

  void read() {
    if (options_.data.target.empty() || options_.theta.empty()) {
      throw InputError("--data needs --target and --theta");
    }
    const LoadedData loaded = load(options_.data);
    x_ = loaded.data.x;
    options_.n = x_.rows();
    options_.d = x_.cols();
    model_ = loaded.model;
    psi_ = psi_from(options_.theta, model_);
  }

  void time_backend(const std::string& backend, Timing& timing) {
    std::unique_ptr<Covariance> covariance;
    keep_best(timing.prepare, [&] {
      covariance = make_covariance(
          model_, x_,
          {.backend = backend, .memory_bytes = options_.memory, .tolerance = options_.tolerance});
    });
    std::unique_ptr<const CovarianceOperator> op;
    keep_best(timing.build, [&] { op = covariance->at(psi_); });
    keep_best(timing.product, [&] { op->apply(rhs_, y_); });
    keep_best(timing.gradient, [&] { op->gradient_forms(rhs_, rhs_); });
    if (backend == exact_backend()) {
      exact_ = y_;
    } else if (exact_.size() > 0) {
      timing.error = (y_ - exact_).cwiseAbs().maxCoeff() / exact_.cwiseAbs().maxCoeff();
    }
  }

  void time_eigen(std::optional<double>& best) {
    if (kernel_.shape != Shape::rbf || model_.layout.inverse_squared_lengths() > 1) return;
    const Index rows = eigen_rows(options_);
    const Matrix x = x_.topRows(rows), rhs = rhs_.topRows(rows);
    Matrix y(rows, options_.rhs);
    double seconds = INFINITY;
    bool ran = false;
    keep_best(seconds, [&] {
      ran = ulisse_eigen_expression(rows, options_.d, options_.rhs, x.data(),
                                    model_.layout.inverse_squared_length(psi_, 0), rhs.data(),
                                    y.data(), threads());
    });
    const double share = static_cast<double>(options_.n) / static_cast<double>(rows);
    if (ran) best = std::min(best.value_or(INFINITY), share * share * seconds);
  }

  Options options_;
  Kernel kernel_;
  Model model_{};
  std::mt19937_64 generator_;
  Matrix x_, rhs_, y_, exact_;
  Vector psi_;
};

// The flops one counts for a pair: its distance, an exponential (34), and both halves' products.
double flops(const Options& o) {
  const auto n = static_cast<double>(o.n), d = static_cast<double>(o.d),
             m = static_cast<double>(o.rhs);
  return n * (n + 1) / 2 * (2 * (d + 2) + 34 + 4 * m);
}

nlohmann::ordered_json to_json(const Options& options, const Results& results) {
  nlohmann::ordered_json out = {{"n", options.n},
                                {"d", options.d},
                                {"rhs", options.rhs},
                                {"threads", threads()},
                                {"kernel", options.data.kernel},
                                {"instructions", simd::target_name()},
                                {"blas_core", blas_core()},
                                {"dgemm_gflops", results.dgemm},
                                {"sgemm_gflops", results.sgemm},
                                {"eigen_seconds", nullptr},
                                {"peak_memory_bytes", peak_memory_bytes()}};
  if (results.eigen) out["eigen_seconds"] = *results.eigen;
  out["eigen_rows"] = eigen_rows(options);
  const auto n = static_cast<double>(options.n);
  for (const auto& [name, timing] : results.backends) {
    const double rate = backend_named(name).can.in_double ? results.dgemm : results.sgemm;
    out["backends"][name] = {{"seconds", timing.product},
                             {"entries_per_second", n * n / timing.product},
                             {"efficiency", flops(options) / timing.product / (rate * 1e9)},
                             {"gradient_seconds", timing.gradient},
                             {"build_seconds", timing.build},
                             {"prepare_seconds", timing.prepare}};
    if (timing.error) out["backends"][name]["error"] = *timing.error;
  }
  return out;
}

void print_table(const nlohmann::ordered_json& out) {
  fmt::print("K V for n = {}, d = {}, {}, kernel {}, {}, {}\n", out["n"].get<Index>(),
             out["d"].get<Index>(), counted(out["rhs"].get<Index>(), "right-hand side"),
             out["kernel"].get<std::string>(), counted(out["threads"].get<int>(), "thread"),
             out["instructions"].get<std::string>());
  fmt::print("dgemm {:.1f} GFLOP/s, sgemm {:.1f} GFLOP/s (OpenBLAS for {})\n\n",
             out["dgemm_gflops"].get<double>(), out["sgemm_gflops"].get<double>(),
             out["blas_core"].get<std::string>());
  fmt::print("{:<12} {:>10} {:>14} {:>11} {:>13} {:>10} {:>10}\n", "backend", "seconds",
             "entries/s", "efficiency", "gradient s", "build s", "error");
  for (const auto& [name, b] : out["backends"].items()) {
    fmt::print("{:<12} {:>10.4f} {:>14.3g} {:>11.3f} {:>13.4f} {:>10.4f} {:>10}\n", name,
               b["seconds"].get<double>(), b["entries_per_second"].get<double>(),
               b["efficiency"].get<double>(), b["gradient_seconds"].get<double>(),
               b["build_seconds"].get<double>(),
               b.contains("error") ? fmt::format("{:.1e}", b["error"].get<double>()) : "");
  }
  if (!out["eigen_seconds"].is_null()) {
    const auto rows = out["eigen_rows"].get<Index>();
    fmt::print("{:<12} {:>10.4f}{}\n", "Eigen", out["eigen_seconds"].get<double>(),
               rows < out["n"].get<Index>() ? fmt::format("  (from {} of the points)", rows) : "");
  }
  fmt::print("\npeak memory {}\n", readable_bytes(out["peak_memory_bytes"].get<std::size_t>()));
}

void run(const Options& options) {
  set_threads(options.threads);
  if (!options.backends.empty()) require_backends("--backends", split(options.backends));
  ProductsBenchmark benchmark(options);
  const Results results = benchmark.run();
  const auto out = to_json(benchmark.options(), results);
  if (options.json) {
    fmt::print("{}", json_text(out));
  } else {
    print_table(out);
  }
}

}  // namespace

void add_bench_products(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* app = bench.add_subcommand(
      "products",
      "Covariance products of simulated points, or of a table, against dgemm and Eigen.");
  add_whole(*app, "--n", options->n, 1, "Points");
  add_whole(*app, "--d", options->d, 1, "Dimensions");
  add_whole(*app, "--rhs", options->rhs, 1, "Right-hand sides");
  app->add_option("--data", options->data.file, "A table in place of simulated points")
      ->excludes("--n")
      ->excludes("--d");
  app->add_option("--target", options->data.target, "Its column that is no input")->needs("--data");
  app->add_option("--features", options->data.features, "Its inputs; default all other columns")
      ->delimiter(',')
      ->needs("--data");
  app->add_option("--theta", options->theta,
                  "Parameters, such as 1,400,0.05 for sigma,tau,lambda; for --data needed");
  app->add_option("--kernel", options->data.kernel,
                  "rbf, rbf-ard, matern12, matern32, matern52, ...")
      ->capture_default_str();
  app->add_option(
      "--backends", options->backends,
      "Such as dense,kdtree,anchors; default all but the reference, and trees for --data");
  app->add_option("--tolerance", options->tolerance, "kdtree, anchors: error of each value of K")
      ->check(positive_or_zero())
      ->capture_default_str();
  add_whole(*app, "--repeats", options->repeats, 1,
            "Rounds at most, of which the best counts; none begins after a minute",
            limits::repeats);
  add_seed(*app, options->seed, "Seed of the simulated points");
  add_threads(*app, options->threads);
  add_memory(*app, options->memory);
  add_json(*app, options->json);
  add_quiet(*app, options->quiet);
  app->callback([options] { run(*options); });
}

}  // namespace ulisse::cli
