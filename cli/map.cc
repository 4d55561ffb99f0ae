// ulisse map: the mode of the posterior over covariance parameters, by exact Cholesky.

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "clock.h"
#include "command.h"
#include "data_options.h"
#include "options.h"
#include "ulisse/error.h"
#include "ulisse/exact.h"
#include "ulisse/threads.h"

namespace ulisse::cli {

namespace {

struct Options {
  DataOptions data;
  Index subset = 0;
  std::uint64_t seed = 1;
  int threads = 0;
  bool json = false;
};

nlohmann::ordered_json rows_of(const Matrix& m) {
  if (m.size() == 0) return nullptr;
  auto rows = nlohmann::ordered_json::array();
  for (Index r = 0; r < m.rows(); ++r) {
    const Vector row = m.row(r);
    rows.push_back(std::vector<double>(row.data(), row.data() + row.size()));
  }
  return rows;
}

nlohmann::ordered_json to_json(const Model& model, const Mode& mode, Index n, double seconds) {
  nlohmann::ordered_json theta, psi;
  for (Index i = 0; i < mode.psi.size(); ++i) {
    theta[model.parameters[i].name] = std::exp(mode.psi(i));
    psi[model.parameters[i].name] = mode.psi(i);
  }
  return {{"theta", theta},
          {"psi", psi},
          {"log_posterior", mode.log_density},
          {"covariance", rows_of(mode.covariance)},
          {"n", n},
          {"kernel", name_of(model.kernel)},
          {"converged", mode.converged},
          {"largest_gradient", mode.gradient.lpNorm<Eigen::Infinity>()},
          {"evaluations", mode.evaluations},
          {"seconds", seconds}};
}

void print_table(const LoadedData& loaded, const Mode& mode, Index n, double seconds) {
  fmt::print("Mode of the posterior in psi = log(theta), kernel {}, {} rows, {} inputs\n\n",
             name_of(loaded.model.kernel), n, loaded.data.x.cols());
  fmt::print("{:<10} {:>12} {:>12} {:>12}   {}\n", "parameter", "theta", "psi", "sd of psi",
             "prior");
  for (Index i = 0; i < mode.psi.size(); ++i) {
    const auto& parameter = loaded.model.parameters[i];
    const double sd = mode.covariance.size() > 0 ? std::sqrt(mode.covariance(i, i)) : NAN;
    fmt::print("{:<10} {:>12.5g} {:>12.4f} {:>12.4f}   {}\n", parameter.name, std::exp(mode.psi(i)),
               mode.psi(i), sd, parameter.prior.to_string());
  }
  fmt::print("\nlog posterior {:.4f}; {} evaluations in {:.2f} s\n", mode.log_density,
             mode.evaluations, seconds);
}

void warn(const Mode& mode) {
  if (!mode.converged)
    fmt::print(stderr, "ulisse: the search did not converge: {}\n", mode.message);
  if (mode.covariance.size() == 0) {
    fmt::print(stderr,
               "ulisse: the Hessian here is not negative definite, so there is no covariance: the "
               "posterior is "
               "flat or not Gaussian near this point\n");
  }
}

void run(const Options& options) {
  set_threads(options.threads);
  LoadedData loaded = load(options.data);
  const Index n = loaded.data.y.size();
  const Indices rows = random_subset(n, options.subset > 0 ? options.subset : n, options.seed);
  const Matrix x = loaded.data.x(rows, Eigen::all);
  const Vector y = loaded.data.y(rows);
  const double start = seconds_now();
  const ExactPosterior posterior(loaded.model, x, y);
  const Mode mode = find_mode(posterior, x, y);
  const double seconds = seconds_now() - start;
  if (options.json) {
    fmt::print("{}\n", to_json(loaded.model, mode, x.rows(), seconds).dump(2));
  } else {
    print_table(loaded, mode, x.rows(), seconds);
  }
  warn(mode);
}

}  // namespace

void add_map(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* map = app.add_subcommand("map", "Find the posterior mode by exact Cholesky.");
  add_data_options(*map, options->data);
  add_prior_option(*map, options->data);
  map->add_option("--subset", options->subset, "Use this many rows, chosen at random; 0 for all")
      ->check(at_least(0));
  map->add_option("--seed", options->seed, "Seed of the subset")
      ->check(at_least(0))
      ->capture_default_str();
  add_threads(*map, options->threads);
  add_json(*map, options->json);
  map->callback([options] { run(*options); });
}

}  // namespace ulisse::cli
