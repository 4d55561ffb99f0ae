// ulisse bench products: covariance products of simulated points or of a table, against dgemm and
// the plain Eigen expression, in one run.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/blas_core.h"
#include "base/json_text.h"
#include "base/limits.h"
#include "base/memory.h"
#include "command.h"
#include "format.h"
#include "kernel/simd/tiles.h"
#include "options.h"
#include "products_benchmark.h"
#include "team.h"
#include "ulisse/backend.h"
#include "ulisse/threads.h"

namespace ulisse::cli {

namespace {

// The flops one counts for a pair: its distance, an exponential (34), and both halves' products.
double flops(const ProductsOptions& o) {
  const auto n = static_cast<double>(o.n), d = static_cast<double>(o.d),
             m = static_cast<double>(o.rhs);
  return n * (n + 1) / 2 * (2 * (d + 2) + 34 + 4 * m);
}

// Beside the first of several kernels: times of all processors, which others that use the machine
// change less.
nlohmann::ordered_json compared(const ProductsOptions& options, const ProductsResults& results) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (std::size_t k = 0; k < options.kernels.size(); ++k) {
    for (const auto& [name, timing] : results.backends[k]) {
      const ProductsTiming& first = results.backends[0].at(name);
      rows.push_back(
          {{"kernel", options.kernels[k]},
           {"backend", name},
           {"processor_seconds", timing.product.processor},
           {"times_first", timing.product.processor / first.product.processor},
           {"gradient_processor_seconds", timing.gradient.processor},
           {"gradient_times_first", timing.gradient.processor / first.gradient.processor}});
    }
  }
  return rows;
}

nlohmann::ordered_json to_json(const ProductsOptions& options, const ProductsResults& results) {
  nlohmann::ordered_json out = {{"n", options.n},
                                {"d", options.d},
                                {"rhs", options.rhs},
                                {"threads", threads()},
                                {"kernel", options.kernels[0]},
                                {"instructions", simd::target_name()},
                                {"blas_core", blas_core()},
                                {"dgemm_gflops", results.dgemm},
                                {"sgemm_gflops", results.sgemm},
                                {"eigen_seconds", nullptr},
                                {"peak_memory_bytes", peak_memory_bytes()}};
  if (results.eigen) out["eigen_seconds"] = *results.eigen;
  out["eigen_rows"] = eigen_rows(options);
  const auto n = static_cast<double>(options.n);
  for (const auto& [name, timing] : results.backends[0]) {
    const double rate = backend_named(name).can.in_double ? results.dgemm : results.sgemm;
    out["backends"][name] = {{"seconds", timing.product.seconds},
                             {"entries_per_second", n * n / timing.product.seconds},
                             {"efficiency", flops(options) / timing.product.seconds / (rate * 1e9)},
                             {"gradient_seconds", timing.gradient.seconds},
                             {"build_seconds", timing.build.seconds},
                             {"prepare_seconds", timing.prepare.seconds}};
    if (timing.error) out["backends"][name]["error"] = *timing.error;
  }
  if (options.kernels.size() > 1) out["kernels"] = compared(options, results);
  return out;
}

void print_comparison(const nlohmann::ordered_json& rows) {
  fmt::print("\n{:<32} {:<12} {:>10} {:>9} {:>13} {:>9}\n", "kernel", "backend", "processor s",
             "of first", "gradient s", "of first");
  for (const auto& row : rows) {
    fmt::print("{:<32} {:<12} {:>11.4f} {:>9.2f} {:>13.4f} {:>9.2f}\n",
               row["kernel"].get<std::string>(), row["backend"].get<std::string>(),
               row["processor_seconds"].get<double>(), row["times_first"].get<double>(),
               row["gradient_processor_seconds"].get<double>(),
               row["gradient_times_first"].get<double>());
  }
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
  if (out.contains("kernels")) print_comparison(out["kernels"]);
  fmt::print("\npeak memory {}\n", readable_bytes(out["peak_memory_bytes"].get<std::size_t>()));
  if (out["processes"] == 1) return;
  fmt::print("{} processes, {} between them, {:.0f} % of the time spent waiting for others\n",
             out["processes"].get<int>(),
             readable_bytes(static_cast<std::size_t>(out["bytes_sent"].get<double>())),
             100 * out["share_waiting"].get<double>());
}

void run(ProductsOptions options) {
  set_threads(options.threads);
  if (!options.backends.empty()) require_backends("--backends", split(options.backends));
  const TeamMeter meter;
  const ProductsResults results = benchmark_products(options);
  auto out = to_json(options, results);
  out.update(meter.report());
  if (options.json) {
    fmt::print("{}", json_text(out));
  } else {
    print_table(out);
  }
}

}  // namespace

void add_bench_products(CLI::App& bench) {
  auto options = std::make_shared<ProductsOptions>();
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
  app->add_option("--kernel", options->kernels,
                  "rbf, matern32-ard, an expression on x1, x2, ...; may be repeated: others are "
                  "compared with the first")
      ->allow_extra_args(false)
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
  add_devices(*app);
  add_memory(*app, options->memory);
  add_json(*app, options->json);
  add_quiet(*app, options->quiet);
  app->callback([options] { run(*options); });
}

}  // namespace ulisse::cli
