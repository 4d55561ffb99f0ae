#include "fit/fit_draws.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/option_names.h"
#include "fit/model_of_fit.h"
#include "model/quantities.h"
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

// What a chain's file has of the quantities, by their names; else what follows from psi, and for
// the trend's nothing that is a number.
Matrix values_of(const Quantities& quantities, const ChainDraws& chain) {
  const std::vector<std::string> names = quantities.names();
  Matrix values(chain.theta.rows(), static_cast<Index>(names.size()));
  if (chain.quantities == names) return chain.values;
  for (Index i = 0; i < values.rows(); ++i) {
    values.row(i) =
        quantities.at(Vector(chain.theta.row(i).transpose().array().log()), Vector()).transpose();
  }
  for (std::size_t q = 0; q < names.size(); ++q) {
    const auto found = std::find(chain.quantities.begin(), chain.quantities.end(), names[q]);
    if (found == chain.quantities.end()) continue;
    values.col(static_cast<Index>(q)) = chain.values.col(found - chain.quantities.begin());
  }
  return values;
}

void add_quantities(const std::vector<ChainDraws>& chains, const FitRecord& record, FitDraws& all) {
  if (!record.data || !record.scaling || record.parameters.empty()) return;
  const Quantities quantities(model_of(record), *record.scaling, record.data->features);
  all.quantities = quantities.names();
  all.values.assign(all.quantities.size(), Matrix(all.draws(), all.chains()));
  for (Index c = 0; c < all.chains(); ++c) {
    const Matrix values = values_of(quantities, chains[static_cast<std::size_t>(c)]);
    for (std::size_t q = 0; q < all.values.size(); ++q) {
      all.values[q].col(c) = values.col(static_cast<Index>(q)).head(all.draws());
    }
  }
}

}  // namespace

std::vector<ChainDraws> read_chains(const FitFiles& files, const FitRecord& record) {
  if (record.draws == 0 && !files.has(chain_file_name(0))) return {};
  std::vector<ChainDraws> chains;
  for (int c = 0; c < record.settings.chains; ++c) {
    const std::string name = chain_file_name(c), path = files.path(name);
    chains.push_back(parse_chain(files.read(name), path));
    if (chains.back().parameters.empty()) {
      if (record.draws == 0) return {};  // a kill ended warm-up
      throw InputError(
          fmt::format("{}: has no draws, and fit.json says that there are {}", path, record.draws));
    }
    put_in_order(chains.back(), names_of(record, chains.front()), path);
  }
  return chains;
}

FitDraws draws_of(const std::vector<ChainDraws>& chains, const FitRecord& record) {
  FitDraws all;
  if (chains.empty()) return all;
  for (const ChainDraws& chain : chains) all.lengths.push_back(chain.theta.rows());
  const Index length = *std::min_element(all.lengths.begin(), all.lengths.end());
  const auto count = static_cast<Index>(chains.size());
  all.parameters = chains[0].parameters;
  all.products.resize(length, count);
  all.log_density.resize(length, count);
  all.theta.assign(all.parameters.size(), Matrix(length, count));
  for (Index c = 0; c < count; ++c) {
    const ChainDraws& chain = chains[static_cast<std::size_t>(c)];
    all.products.col(c) = chain.products.head(length);
    all.log_density.col(c) = chain.log_density.head(length);
    all.divergent += chain.divergent;
    if (chain.noise.cols() == chain.theta.cols())
      all.noise.emplace_back(chain.noise.topRows(length));
    for (std::size_t j = 0; j < all.theta.size(); ++j) {
      all.theta[j].col(c) = chain.theta.col(static_cast<Index>(j)).head(length);
    }
  }
  add_quantities(chains, record, all);
  return all;
}

Matrix psi_of(const std::vector<ChainDraws>& chains) {
  Index rows = 0;
  for (const ChainDraws& chain : chains) rows += chain.theta.rows();
  Matrix all(rows, chains.empty() ? 0 : chains[0].theta.cols());
  Index row = 0;
  for (const ChainDraws& chain : chains) {
    all.middleRows(row, chain.theta.rows()) = chain.theta.array().log();
    row += chain.theta.rows();
  }
  return all;
}

}  // namespace ulisse
