#include "fit/fit_draws.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "base/option_names.h"
#include "store/chain_file.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

// In the order of fit.json's parameters, or of the first chain's where an old one names none.
std::vector<std::string> names_of(const FitRecord& record, const ChainDraws& first) {
  if (record.parameters.empty()) return first.parameters;
  std::vector<std::string> names;
  for (const FitRecord::Parameter& p : record.parameters) names.push_back(p.name);
  return names;
}

void put_in_order(ChainDraws& chain, const std::vector<std::string>& names,
                  const std::string& path) {
  std::vector<Index> columns;
  for (const std::string& name : names) {
    const auto found = std::find(chain.parameters.begin(), chain.parameters.end(), name);
    if (found == chain.parameters.end()) {
      throw InputError(fmt::format("{}: has no column '{}'; the fit's parameters are {}", path,
                                   name, fmt::join(names, ", ")));
    }
    columns.push_back(found - chain.parameters.begin());
  }
  if (chain.parameters.size() != names.size()) {
    throw InputError(fmt::format("{}: has {} parameters, and the fit {}: {}", path,
                                 chain.parameters.size(), names.size(), fmt::join(names, ", ")));
  }
  chain.theta = Matrix(chain.theta(Eigen::all, columns));
  chain.parameters = names;
}

// All chains, or none where warm-up has not come to its end in all of them.
std::vector<ChainDraws> read_files(const FitFolder& folder, const FitRecord& record) {
  if (record.draws == 0 && !std::filesystem::exists(folder.chain_file(0))) return {};
  std::vector<ChainDraws> files;
  for (int c = 0; c < record.settings.chains; ++c) {
    files.push_back(read_chain(folder.chain_file(c)));
    if (files.back().parameters.empty()) {
      if (record.draws == 0) return {};  // a kill ended warm-up
      throw InputError(fmt::format("{}: has no draws, and fit.json says that there are {}",
                                   folder.chain_file(c), record.draws));
    }
    put_in_order(files.back(), names_of(record, files.front()), folder.chain_file(c));
  }
  return files;
}

}  // namespace

FitDraws read_draws(const FitFolder& folder, const FitRecord& record) {
  FitDraws all;
  const std::vector<ChainDraws> files = read_files(folder, record);
  if (files.empty()) return all;
  for (const ChainDraws& file : files) all.lengths.push_back(file.theta.rows());
  const Index length = *std::min_element(all.lengths.begin(), all.lengths.end());
  const auto chains = static_cast<Index>(files.size());
  all.parameters = files[0].parameters;
  all.products.resize(length, chains);
  all.theta.assign(all.parameters.size(), Matrix(length, chains));
  for (Index c = 0; c < chains; ++c) {
    const ChainDraws& file = files[static_cast<std::size_t>(c)];
    all.products.col(c) = file.products.head(length);
    all.divergent += file.divergent;
    for (std::size_t j = 0; j < all.theta.size(); ++j) {
      all.theta[j].col(c) = file.theta.col(static_cast<Index>(j)).head(length);
    }
  }
  return all;
}

Matrix read_psi(const FitFolder& folder, const FitRecord& record) {
  const std::vector<ChainDraws> files = read_files(folder, record);
  Index rows = 0;
  for (const ChainDraws& file : files) rows += file.theta.rows();
  if (rows == 0) {
    throw InputError(fmt::format("{}: there are no draws yet; go on with {}", folder.path(),
                                 option_named("resume")));
  }
  Matrix all(rows, files[0].theta.cols());
  Index row = 0;
  for (const ChainDraws& file : files) {
    all.middleRows(row, file.theta.rows()) = file.theta.array().log();
    row += file.theta.rows();
  }
  return all;
}

}  // namespace ulisse
