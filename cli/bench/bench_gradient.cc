// ulisse bench gradient: noise and cost of stochastic gradients, against the exact one.

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/json_text.h"
#include "base/limits.h"
#include "command.h"
#include "data_options.h"
#include "gradient_choices.h"
#include "options.h"
#include "progress.h"
#include "theta_option.h"
#include "ulisse/backend.h"
#include "ulisse/error.h"
#include "ulisse/exact.h"
#include "ulisse/stochastic_gradient.h"
#include "ulisse/threads.h"

namespace ulisse::cli {

namespace {

struct Options {
  DataOptions data;
  std::string theta, backend = kAutomaticBackend;
  ChoiceOptions choices;
  int probe_count = 4, repeats = 200, threads = 0;
  double tolerance = 1e-8;
  std::uint64_t seed = 1;
  std::size_t memory = 0;
  bool json = false, quiet = false;
};

struct Result {
  Choice choice;
  double noise = 0;      // lambda_max(M V)
  double own_noise = 0;  // the same from the estimates' own covariances
  double products = 0, seconds = 0, worst_z = 0;
  double terms = 0, largest_weight = 1;
  int untrustworthy = 0;  // estimates with a solve that rests on rare draws
  std::string warning;
};

double largest_eigenvalue(const Matrix& v, const Matrix& information) {
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(v, information);
  return solver.eigenvalues().maxCoeff();
}

class GradientBenchmark {
 public:
  explicit GradientBenchmark(const Options& options)
      : options_(options),
        loaded_(load(options.data)),
        exact_(loaded_.model, loaded_.data.x, loaded_.data.y) {
    psi_ = options.theta.empty() ? find_mode(exact_, loaded_.data.x, loaded_.data.y).psi
                                 : psi_from(options.theta, loaded_.model);
    const LogDensity density = exact_.log_density_and_gradient(psi_);
    if (density.rejected()) throw InputError("--theta: " + density.rejection);
    truth_ = density.gradient;
    information_ = -exact_.hessian(psi_);
    if (!(Eigen::SelfAdjointEigenSolver<Matrix>(information_).eigenvalues().minCoeff() > 0)) {
      throw InputError(
          "--theta: the posterior is not concave there, so it has no covariance to measure noise "
          "with");
    }
    covariance_ = make_covariance(loaded_.model, loaded_.data.x,
                                  {.backend = options.backend, .memory_bytes = options.memory});
  }

  std::vector<Result> run() {
    std::vector<Result> results;
    const auto all = choices(options_.choices);
    for (const Choice& choice : all) {
      progress_prefix_ = fmt::format("choice {} of {}", results.size() + 1, all.size());
      results.push_back(measure(choice));
    }
    return results;
  }

  const LoadedData& loaded() const { return loaded_; }
  const Vector& psi() const { return psi_; }

 private:
  std::shared_ptr<const Preconditioner> preconditioner(Index rank) const {
    if (rank == 0) return nullptr;
    return make_preconditioner(*covariance_->at(psi_), {.rank = rank, .seed = options_.seed});
  }

  StochasticGradientOptions settings(const Choice& choice) const {
    StochasticGradientOptions s{.probes = options_.probe_count, .kind = choice.kind, .q = choice.q};
    s.cg.tolerance = options_.tolerance;
    if (choice.rule != "none") s.rule = parse_truncation(choice.rule);
    s.y_pairs = 2;
    return s;
  }

  // Each estimate from a cold start, with fresh probes.
  Result measure(const Choice& choice) {
    StochasticGradient gradient(loaded_.model, *covariance_, loaded_.data.y, settings(choice));
    gradient.set_preconditioner(preconditioner(choice.rank));
    Result result{.choice = choice};
    Matrix estimates(psi_.size(), options_.repeats);
    Matrix own = Matrix::Zero(psi_.size(), psi_.size());
    const double count = options_.repeats, start = seconds_now();
    for (int i = 0; i < options_.repeats; ++i) {
      progress_.show(fmt::format("{}: {} of {} gradients", progress_prefix_, i, options_.repeats));
      const auto iteration = static_cast<std::uint64_t>(i);
      Rng probes = stream(options_.seed, 0, Purpose::probes, iteration);
      Rng truncation = stream(options_.seed, 0, Purpose::truncation, iteration);
      gradient.forget_solutions();
      gradient.draw_probes(probes);
      const GradientEstimate estimate = gradient.estimate(psi_, truncation);
      estimates.col(i) = estimate.gradient;
      own += estimate.covariance / count;
      add(estimate.solves, result);
    }
    result.seconds = (seconds_now() - start) / count;
    judge(estimates, own, result);
    return result;
  }

  void add(const UnbiasedSummary& solves, Result& result) const {
    const double count = options_.repeats;
    result.products += static_cast<double>(solves.solve.products) / count;
    if (solves.untrustworthy() > 0) ++result.untrustworthy;
    if (result.warning.empty()) result.warning = solves.warning();
    result.terms += solves.mean_terms() / count;
    for (const auto& c : solves.columns) {
      result.largest_weight = std::max(result.largest_weight, c.last_weight);
    }
  }

  void judge(const Matrix& estimates, const Matrix& own, Result& result) const {
    const Vector mean = estimates.rowwise().mean();
    const Matrix centred = estimates.colwise() - mean;
    const auto count = static_cast<double>(estimates.cols());
    const Matrix v = centred * centred.transpose() / (count - 1);
    result.noise = largest_eigenvalue(v, information_);
    result.own_noise = largest_eigenvalue(own, information_);
    for (Index j = 0; j < mean.size(); ++j) {
      const double z = (mean(j) - truth_(j)) / std::sqrt(v(j, j) / count);
      if (std::abs(z) > std::abs(result.worst_z)) result.worst_z = z;
    }
  }

  Options options_;
  LoadedData loaded_;
  ExactPosterior exact_;
  Vector psi_, truth_;
  Matrix information_;
  std::unique_ptr<Covariance> covariance_;
  Progress progress_{options_.quiet};
  std::string progress_prefix_;
};

nlohmann::ordered_json to_json(const Options& options, const GradientBenchmark& benchmark,
                               const std::vector<Result>& results) {
  const Dataset& data = benchmark.loaded().data;
  nlohmann::ordered_json out = {{"n", data.x.rows()},
                                {"d", data.x.cols()},
                                {"kernel", options.data.model.kernel},
                                {"threads", threads()},
                                {"probe_count", options.probe_count},
                                {"repeats", options.repeats},
                                {"theta", nlohmann::ordered_json::object()},
                                {"choices", nlohmann::ordered_json::array()}};
  const auto names = benchmark.loaded().model.names();
  for (Index j = 0; j < benchmark.psi().size(); ++j) {
    out["theta"][names[static_cast<std::size_t>(j)]] = std::exp(benchmark.psi()(j));
  }
  for (const Result& r : results) {
    out["choices"].push_back({{"probes", to_string(r.choice.kind)},
                              {"rank", r.choice.rank},
                              {"q", r.choice.q},
                              {"truncation", r.choice.rule},
                              {"lambda_max", r.noise},
                              {"lambda_max_own", r.own_noise},
                              {"products", r.products},
                              {"terms", r.terms},
                              {"largest_weight", r.largest_weight},
                              {"seconds", r.seconds},
                              {"worst_z", r.worst_z},
                              {"untrustworthy", r.untrustworthy},
                              {"warning", r.warning}});
  }
  return out;
}

void print_table(const Options& options, const GradientBenchmark& benchmark,
                 const std::vector<Result>& results) {
  const Dataset& data = benchmark.loaded().data;
  fmt::print(
      "Gradients of the log posterior, n = {}, d = {}, kernel {}, {} probes, {} estimates each "
      "from a cold start, {} threads\n\n",
      data.x.rows(), data.x.cols(), options.data.model.kernel, options.probe_count, options.repeats,
      threads());
  fmt::print("{:<15} {:>5} {:>6} {:<12} {:>12} {:>12} {:>9} {:>7} {:>10} {:>9} {:>8}  {}\n",
             "probes", "rank", "q", "truncation", "noise", "own noise", "products", "terms",
             "weight", "seconds", "z", "rare draws");
  for (const Result& r : results) {
    fmt::print(
        "{:<15} {:>5} {:>6} {:<12} {:>12.4g} {:>12.4g} {:>9.1f} {:>7.1f} {:>10.3g} {:>9.4f} "
        "{:>8.1f}  {}\n",
        to_string(r.choice.kind), r.choice.rank,
        r.choice.rule == "none" ? "" : fmt::format("{:g}", r.choice.q), r.choice.rule, r.noise,
        r.own_noise, r.products, r.terms, r.largest_weight, r.seconds, r.worst_z,
        r.untrustworthy == 0 ? "" : fmt::format("in {} of {}", r.untrustworthy, options.repeats));
  }
  fmt::print(
      "\nnoise: lambda_max(M V), M the inverse observed information, V the covariance of the "
      "estimates; own noise: from the covariance that each estimate carries.\n"
      "z: the worst component's distance from the exact gradient in standard errors.\n");
  for (const Result& r : results) {
    if (!r.warning.empty()) {
      fmt::print("\n{}, rank {}, q = {:g}, {}: {}\n", to_string(r.choice.kind), r.choice.rank,
                 r.choice.q, r.choice.rule, r.warning);
    }
  }
}

void run(const Options& options) {
  set_threads(options.threads);
  choices(options.choices);  // what is wrong with an option is said before anything is read
  if (options.backend != kAutomaticBackend) require_backends("--backend", {options.backend});
  GradientBenchmark benchmark(options);
  const auto results = benchmark.run();
  if (options.json) {
    fmt::print("{}", json_text(to_json(options, benchmark, results)));
  } else {
    print_table(options, benchmark, results);
  }
}

}  // namespace

void add_bench_gradient(CLI::App& bench) {
  auto options = std::make_shared<Options>();
  CLI::App* app = bench.add_subcommand(
      "gradient", "Noise and cost of stochastic gradients, against the exact one.");
  add_data_options(*app, options->data);
  app->add_option("--theta", options->theta, "Where, as sigma,tau,lambda; default the mode");
  app->add_option("--probes", options->choices.probes, "Of rademacher, preconditioned")
      ->capture_default_str();
  app->add_option("--rank", options->choices.ranks, "Ranks of the preconditioner; 0 for none")
      ->capture_default_str();
  app->add_option("--q", options->choices.q, "ULISSE cuts from |residual| < q sqrt(n) on")
      ->capture_default_str();
  app->add_option("--truncation", options->choices.rules,
                  "Of exp(b), matched, matched(power), none; none solves to the tolerance")
      ->capture_default_str();
  app->add_option("--tolerance", options->tolerance,
                  "Norm of the residuals to reach without cutting")
      ->check(positive())
      ->capture_default_str();
  add_whole(*app, "--probe-count", options->probe_count, 1, "Probes in a gradient", limits::probes);
  add_whole(*app, "--repeats", options->repeats, 2, "Gradients for each choice", limits::repeats);
  add_seed(*app, options->seed, "Seed of probes and truncation");
  app->add_option("--backend", options->backend, "Backend of the products")->capture_default_str();
  add_threads(*app, options->threads);
  add_devices(*app);
  add_memory(*app, options->memory);
  add_json(*app, options->json);
  add_quiet(*app, options->quiet);
  app->callback([options] { run(*options); });
}

}  // namespace ulisse::cli
