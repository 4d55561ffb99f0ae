// ulisse bench solve: conjugate gradients on real data, for the backends and preconditioners asked
// for.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/json_text.h"
#include "base/limits.h"
#include "base/memory.h"
#include "command.h"
#include "data_options.h"
#include "format.h"
#include "options.h"
#include "progress.h"
#include "solve_watch.h"
#include "theta_option.h"
#include "ulisse/backend.h"
#include "ulisse/covariance.h"
#include "ulisse/error.h"
#include "ulisse/preconditioner.h"
#include "ulisse/random.h"
#include "ulisse/solve.h"
#include "ulisse/threads.h"

namespace ulisse::cli {

namespace {

struct Options {
  DataOptions data;
  std::string theta, backends = exact_backend(), preconditioners = "none,greedy,random";
  Index rank = 100, rhs = 5;
  double tolerance = 1e-8, delta = 1, inner_tolerance = 1e-10;
  int max_iterations = 0, threads = 0, repeats = 1;
  std::uint64_t seed = 1;
  std::size_t memory = 0;
  bool json = false, quiet = false;
};

constexpr const char* kPreconditioners = "none, greedy, random, nested, nested-float";

void require_preconditioners(const std::vector<std::string>& names) {
  const auto known = split(kPreconditioners);
  for (const std::string& name : names) {
    const auto is_it = [&](const std::string& each) { return without_blanks_around(each) == name; };
    if (std::any_of(known.begin(), known.end(), is_it)) continue;
    throw InputError(
        fmt::format("there is no preconditioner '{}'; there are {}", name, kPreconditioners));
  }
}

struct Result {
  std::string backend, preconditioner;
  Index rank = 0;
  SolveSummary summary;
  double true_residual = 0, build_seconds = 0, seconds = INFINITY;
  long inner_products = 0;
};

// The blocks of conjugate gradients and the factors of a preconditioner.
void check_sizes(const Options& options, Index n) {
  const double columns =
      8.0 * static_cast<double>(options.rhs) + 3.0 * static_cast<double>(std::min(options.rank, n));
  check_memory(fmt::format("a solve for {} of {}", counted(options.rhs, "right-hand side"),
                           counted(n, "row")),
               bytes_of(static_cast<double>(n) * columns));
}

// y, then Rademacher probes.
Matrix right_hand_sides(const Vector& y, Index count, std::uint64_t seed) {
  Matrix b(y.size(), count);
  b.col(0) = y;
  Rng rng = stream(seed, 0, Purpose::probes);
  for (Index c = 1; c < count; ++c) b.col(c) = rng.rademacher_vector(y.size());
  return b;
}

class SolveBenchmark {
 public:
  explicit SolveBenchmark(const Options& options)
      : options_(options),
        loaded_(load(options.data)),
        psi_(psi_from(options.theta, loaded_.model)) {
    check_sizes(options, loaded_.data.y.size());
    b_ = right_hand_sides(loaded_.data.y, options.rhs, options.seed);
    exact_ = at(exact_backend());
  }

  std::vector<Result> run() {
    std::vector<Result> results;
    Progress progress(options_.quiet);
    SolveWatch watch(progress, options_.tolerance);
    for (const auto& backend : split(options_.backends)) {
      for (const auto& preconditioner : split(options_.preconditioners)) {
        watch.begin(backend, preconditioner);
        results.push_back(solve(backend, preconditioner, watch));
      }
    }
    return results;
  }

  Index n() const { return b_.rows(); }
  Index d() const { return loaded_.data.x.cols(); }

 private:
  std::unique_ptr<const CovarianceOperator> at(const std::string& backend) const {
    return make_covariance(loaded_.model, loaded_.data.x,
                           {.backend = backend, .memory_bytes = options_.memory})
        ->at(psi_);
  }

  // Null for none.
  std::unique_ptr<LinearOperator> build(const std::string& name, const CovarianceOperator& k) {
    if (name == "none") return nullptr;
    if (name == "greedy" || name == "random") {
      const auto pivoting = name == "greedy" ? Pivoting::greedy : Pivoting::random;
      Matrix l =
          pivoted_cholesky(k, {.rank = options_.rank, .pivoting = pivoting, .seed = options_.seed});
      return std::make_unique<LowRankPreconditioner>(std::move(l), k.noise());
    }
    CgOptions inner{
        .tolerance = 0, .relative_tolerance = options_.inner_tolerance, .verify = false};
    if (name == "nested") return std::make_unique<ShiftedPreconditioner>(k, options_.delta, inner);
    float_ = make_covariance(loaded_.model, loaded_.data.x, {.backend = exact_backend()})
                 ->lower_precision()
                 ->at(psi_);
    inner.relative_tolerance = std::max(inner.relative_tolerance, 1e-6);  // what float can give
    return std::make_unique<ShiftedPreconditioner>(*float_, options_.delta, inner);
  }

  Result solve(const std::string& backend, const std::string& name, CgObserver& watch) {
    Result result{.backend = backend, .preconditioner = name};
    const auto k = at(backend);
    const double start = seconds_now();
    const auto preconditioner = build(name, *k);
    result.build_seconds = seconds_now() - start;
    if (const auto* with_rank = dynamic_cast<const Preconditioner*>(preconditioner.get())) {
      result.rank = with_rank->rank();
    }
    CgOptions cg{.tolerance = options_.tolerance,
                 .max_iterations = options_.max_iterations,
                 .observer = &watch};
    if (k->error_bound() > 0) {  // low precision: true residuals in double after each four digits
      cg.exact = exact_.get();
      cg.check_drop = 1e-4;
    }
    Matrix x;
    for (int repeat = 0; repeat < options_.repeats; ++repeat) {
      x = Matrix::Zero(n(), options_.rhs);
      const double solve_start = seconds_now();
      result.summary = conjugate_gradients(*k, preconditioner.get(), b_, x, cg);
      result.seconds = std::min(result.seconds, seconds_now() - solve_start);
    }
    if (const auto* nested = dynamic_cast<const ShiftedPreconditioner*>(preconditioner.get())) {
      result.inner_products = nested->inner_products() / options_.repeats;
    }
    exact_->apply(x, x);
    result.true_residual = (b_ - x).colwise().norm().maxCoeff();
    return result;
  }

  Options options_;
  LoadedData loaded_;
  Vector psi_;
  Matrix b_;
  std::unique_ptr<const CovarianceOperator> exact_, float_;
};

nlohmann::ordered_json to_json(const Options& options, const SolveBenchmark& benchmark,
                               const std::vector<Result>& results) {
  nlohmann::ordered_json out = {{"n", benchmark.n()},
                                {"d", benchmark.d()},
                                {"rhs", options.rhs},
                                {"threads", threads()},
                                {"kernel", options.data.model.kernel},
                                {"theta", options.theta},
                                {"tolerance", options.tolerance},
                                {"solves", nlohmann::ordered_json::array()}};
  for (const Result& r : results) {
    nlohmann::ordered_json columns = nlohmann::ordered_json::array();
    for (const auto& c : r.summary.columns) {
      columns.push_back(
          {{"stop", to_string(c.stop)}, {"iterations", c.iterations}, {"residual", c.residual}});
    }
    out["solves"].push_back({{"backend", r.backend},
                             {"preconditioner", r.preconditioner},
                             {"rank", r.rank},
                             {"stop", to_string(r.summary.stop)},
                             {"iterations", r.summary.iterations},
                             {"products", r.summary.products},
                             {"exact_products", r.summary.exact_products},
                             {"inner_products", r.inner_products},
                             {"seconds", r.seconds},
                             {"build_seconds", r.build_seconds},
                             {"residual", r.true_residual},
                             {"message", r.summary.message},
                             {"columns", columns}});
  }
  return out;
}

void print_table(const Options& options, const SolveBenchmark& benchmark,
                 const std::vector<Result>& results) {
  fmt::print("K X = B for n = {}, d = {}, {}, kernel {}, theta {}, {}, |residual| < {:g}\n\n",
             benchmark.n(), benchmark.d(), counted(options.rhs, "right-hand side"),
             options.data.model.kernel, options.theta, counted(threads(), "thread"),
             options.tolerance);
  fmt::print("{:<12} {:<13} {:>5} {:>11} {:>9} {:>8} {:>9} {:>9} {:>10}  {}\n", "backend",
             "preconditioner", "rank", "iterations", "products", "inner", "build s", "solve s",
             "residual", "stop");
  for (const Result& r : results) {
    const std::string products =
        r.summary.exact_products > 0
            ? fmt::format("{}+{}", r.summary.products, r.summary.exact_products)
            : fmt::format("{}", r.summary.products);
    fmt::print("{:<12} {:<13} {:>5} {:>11} {:>9} {:>8} {:>9.4f} {:>9.4f} {:>10}  {}\n", r.backend,
               r.preconditioner, r.rank, r.summary.iterations, products, r.inner_products,
               r.build_seconds, r.seconds, cut(r.true_residual), to_string(r.summary.stop));
  }
  for (const Result& r : results) {
    if (!r.summary.message.empty())
      fmt::print("\n{}, {}: {}\n", r.backend, r.preconditioner, r.summary.message);
  }
}

void run(const Options& options) {
  set_threads(options.threads);
  require_backends("--backends", split(options.backends));
  require_preconditioners(split(options.preconditioners));
  SolveBenchmark benchmark(options);
  const auto results = benchmark.run();
  if (options.json) {
    fmt::print("{}", json_text(to_json(options, benchmark, results)));
  } else {
    print_table(options, benchmark, results);
  }
}

}  // namespace

void add_bench_solve(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* app = bench.add_subcommand(
      "solve", "Conjugate gradients on a table, for the target and random probes.");
  add_data_options(*app, options->data);
  app->add_option("--theta", options->theta,
                  "Parameters, such as 6.3,0.08,0.067 for sigma,tau,lambda")
      ->required();
  app->add_option("--backends", options->backends, "Such as dense,dense-float,cached")
      ->capture_default_str();
  app->add_option("--preconditioners", options->preconditioners,
                  std::string("Of ") + kPreconditioners)
      ->capture_default_str();
  add_whole(*app, "--rank", options->rank, 0, "Rank of greedy and random");
  add_whole(*app, "--rhs", options->rhs, 1, "Right-hand sides: the target and probes");
  app->add_option("--tolerance", options->tolerance, "Norm of each residual to reach")
      ->check(positive())
      ->capture_default_str();
  app->add_option("--delta", options->delta, "Shift of the nested preconditioner K + delta I")
      ->check(positive())
      ->capture_default_str();
  app->add_option("--inner-tolerance", options->inner_tolerance, "Relative, of the nested solves")
      ->check(positive())
      ->capture_default_str();
  add_whole(*app, "--max-iterations", options->max_iterations, 0, "0 for ten times the rows");
  add_whole(*app, "--repeats", options->repeats, 1, "Solves, of which the fastest counts",
            limits::repeats);
  add_seed(*app, options->seed, "Seed of probes and pivots");
  add_threads(*app, options->threads);
  add_devices(*app);
  add_memory(*app, options->memory);
  add_json(*app, options->json);
  add_quiet(*app, options->quiet);
  app->callback([options] { run(*options); });
}

}  // namespace ulisse::cli
