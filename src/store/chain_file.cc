#include "store/chain_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "ulisse/error.h"
#include "ulisse/version.h"

namespace ulisse {

namespace {

const std::vector<std::string> kSamplerColumns = {"lp__",        "accept_stat__", "stepsize__",
                                                  "treedepth__", "n_leapfrog__",  "divergent__",
                                                  "energy__"};

constexpr const char* kCountLine = "# num_samples = ";

// As wide as any count, so that another can take its place. Readers ignore the blanks.
std::string count_text(long draws) { return fmt::format("{:<19}", draws); }

std::uint64_t count_position(const std::string& text, const std::string& path) {
  const std::size_t line = text.find(kCountLine);
  if (line == std::string::npos) {
    throw InputError(fmt::format("{}: is not a file of draws", path));
  }
  return line + std::string(kCountLine).size();
}

// rstan prints sampler_t as it stands ("Samples were drawn using ..."); without it, it makes one up
// from algorithm, engine and metric, and knows Stan's alone.
std::string algorithm_text(const ChainHeader& header) {
  switch (header.algorithm) {
    case Algorithm::nuts:
      return "# algorithm = hmc\n# engine = nuts\n# sampler_t = NUTS\n";
    case Algorithm::metropolis:
      return "# algorithm = metropolis\n# sampler_t = Metropolis\n";
    case Algorithm::langevin:
      return "# algorithm = langevin\n# sampler_t = Langevin\n";
    case Algorithm::sgld:
      return "# algorithm = sgld\n# sampler_t = SGLD\n";
    case Algorithm::own:
      return fmt::format("# algorithm = {0}\n# sampler_t = {0}\n", header.sampler);
  }
  return "";
}

std::string header_text(const ChainHeader& h) {
  std::string text = fmt::format(
      "# ulisse_version = {}\n# model = {}\n# method = sample\n{}{}\n"
      "# num_warmup = {}\n# save_warmup = 0\n# thin = 1\n{}"
      "# metric = diag_e\n# max_depth = {}\n# id = {}\n# seed = {}\n# sampler = {}\n",
      version(), h.model, kCountLine, count_text(h.draws), h.warmup, algorithm_text(h), h.max_depth,
      h.id, h.seed, h.sampler);
  for (const auto& [key, value] : h.settings) text += fmt::format("# {} = {}\n", key, value);
  text += fmt::format("{},{}", fmt::join(kSamplerColumns, ","), fmt::join(h.parameters, ","));
  for (const std::string& name : h.quantities) text += "," + name;
  text += "\n";
  text += fmt::format("# Adaptation terminated\n# Step size = {}\n", h.step_size);
  text += "# Diagonal elements of inverse mass matrix:\n# ";
  text += fmt::format("{}\n", fmt::join(h.metric_diagonal.begin(), h.metric_diagonal.end(), ", "));
  return text;
}

// Samplers that know no density to reject by may come to where theta cannot be written.
double theta_of(double psi) {
  const double theta = std::exp(psi);
  if (std::isnormal(theta)) return theta;
  throw std::runtime_error(
      fmt::format("a parameter has left the range of floating point: its logarithm is {:.4g}; a "
                  "prior that keeps it away from 0 and from infinity may help",
                  psi));
}

// Shortest digits that read back as the same double.
std::string row(const Transition& t, const Vector& quantities) {
  std::string text = fmt::format("{},{},{},{},{},{},{}", t.log_density, t.accept_stat, t.step_size,
                                 t.tree_depth, t.leapfrogs, t.divergent ? 1 : 0, t.energy);
  for (const double psi : t.psi) text += fmt::format(",{}", theta_of(psi));
  for (const double value : quantities) text += fmt::format(",{}", value);
  return text + "\n";
}

}  // namespace

std::vector<std::string> noise_columns(std::size_t parameters) {
  std::vector<std::string> names;
  for (std::size_t j = 1; j <= parameters; ++j) names.push_back(fmt::format("noise_{}__", j));
  return names;
}

ChainFile::ChainFile(const std::string& path, const ChainHeader& header)
    : file_(GrowingFile::create(path)), count_at_(count_position(header_text(header), path)) {
  file_.append(header_text(header));
}

ChainFile::ChainFile(const std::string& path, std::uint64_t size)
    : file_(GrowingFile::reopen(path, size)), count_at_(count_position(read_file(path), path)) {}

void ChainFile::set_count(long draws) {
  file_.flush();
  file_.overwrite(count_at_, count_text(draws));
}

void ChainFile::append(const Transition& transition, const Vector& quantities) {
  file_.append(row(transition, quantities));
}

// CmdStan's block; readers look for the numbers from column 17 on.
void ChainFile::finish(long draws, double warmup_seconds, double sampling_seconds) {
  set_count(draws);
  file_.append(
      fmt::format("# \n#  Elapsed Time: {:.3f} seconds (Warm-up)\n#                {:.3f} seconds "
                  "(Sampling)\n#                {:.3f} seconds (Total)\n# \n",
                  warmup_seconds, sampling_seconds, warmup_seconds + sampling_seconds));
}

}  // namespace ulisse
