#include "draws/chain_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <sstream>

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

std::string header_text(const ChainHeader& h) {
  std::string text = fmt::format(
      "# ulisse_version = {}\n# model = {}\n# method = sample\n{}{}\n"
      "# num_warmup = {}\n# save_warmup = 0\n# thin = 1\n# algorithm = hmc\n# engine = nuts\n"
      "# metric = diag_e\n# max_depth = {}\n# id = {}\n# seed = {}\n# sampler = {}\n",
      version(), h.model, kCountLine, count_text(h.draws), h.warmup, h.max_depth, h.id, h.seed,
      h.sampler);
  for (const auto& [key, value] : h.settings) text += fmt::format("# {} = {}\n", key, value);
  text += fmt::format("{},{}\n", fmt::join(kSamplerColumns, ","), fmt::join(h.parameters, ","));
  text += fmt::format("# Adaptation terminated\n# Step size = {}\n", h.step_size);
  text += "# Diagonal elements of inverse mass matrix:\n# ";
  text += fmt::format("{}\n", fmt::join(h.metric_diagonal.begin(), h.metric_diagonal.end(), ", "));
  return text;
}

// Shortest digits that read back as the same double.
std::string row(const Transition& t) {
  std::string text = fmt::format("{},{},{},{},{},{},{}", t.log_density, t.accept_stat, t.step_size,
                                 t.tree_depth, t.leapfrogs, t.divergent ? 1 : 0, t.energy);
  for (const double psi : t.psi) text += fmt::format(",{}", std::exp(psi));
  return text + "\n";
}

std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> result;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');) result.push_back(field);
  return result;
}

std::vector<double> numbers(const std::string& line, const std::string& path) {
  std::vector<double> result;
  for (const std::string& field : fields(line)) {
    double value = 0;
    const char* end = field.data() + field.size();
    const auto [stopped, error] = std::from_chars(field.data(), end, value);
    if (error != std::errc() || stopped != end) {
      throw InputError(fmt::format("{}: '{}' is not a number", path, field));
    }
    result.push_back(value);
  }
  return result;
}

}  // namespace

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

void ChainFile::append(const Transition& transition) { file_.append(row(transition)); }

// CmdStan's block; readers look for the numbers from column 17 on.
void ChainFile::finish(long draws, double warmup_seconds, double sampling_seconds) {
  set_count(draws);
  file_.append(
      fmt::format("# \n#  Elapsed Time: {:.3f} seconds (Warm-up)\n#                {:.3f} seconds "
                  "(Sampling)\n#                {:.3f} seconds (Total)\n# \n",
                  warmup_seconds, sampling_seconds, warmup_seconds + sampling_seconds));
}

ChainDraws read_chain(const std::string& path) {
  const std::string content = read_file(path);
  std::vector<std::vector<double>> rows;
  ChainDraws chain;
  std::size_t columns = 0;
  for (std::size_t start = 0; start < content.size();) {
    const std::size_t end = content.find('\n', start);
    if (end == std::string::npos) break;  // cut short
    const std::string line = content.substr(start, end - start);
    start = end + 1;
    if (line.empty() || line[0] == '#') continue;
    if (columns == 0) {
      const auto names = fields(line);
      columns = names.size();
      if (columns <= kSamplerColumns.size() || names[0] != "lp__") {
        throw InputError(fmt::format("{}: is not a file of draws", path));
      }
      chain.parameters.assign(names.begin() + static_cast<long>(kSamplerColumns.size()),
                              names.end());
      continue;
    }
    rows.push_back(numbers(line, path));
    if (rows.back().size() != columns) {
      throw InputError(
          fmt::format("{}: a row has {} values, the header {}", path, rows.back().size(), columns));
    }
  }
  // A kill may leave it empty, or its first lines alone.
  if (columns == 0 && (content.empty() || content[0] == '#')) return chain;
  if (columns == 0) throw InputError(fmt::format("{}: is not a file of draws", path));
  const auto count = static_cast<Index>(rows.size());
  chain.theta.resize(count, static_cast<Index>(chain.parameters.size()));
  chain.step_sizes.resize(count);
  chain.products.resize(count);
  for (Index i = 0; i < count; ++i) {
    const auto& values = rows[static_cast<std::size_t>(i)];
    chain.step_sizes(i) = values[2];
    chain.products(i) = values[4];
    if (values[5] != 0) ++chain.divergent;
    for (Index j = 0; j < chain.theta.cols(); ++j) {
      chain.theta(i, j) = values[kSamplerColumns.size() + static_cast<std::size_t>(j)];
    }
  }
  return chain;
}

}  // namespace ulisse
