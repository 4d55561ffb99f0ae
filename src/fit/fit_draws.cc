#include "fit/fit_draws.h"

#include <algorithm>
#include <filesystem>

#include "draws/chain_file.h"

namespace ulisse {

FitDraws read_draws(const FitFolder& folder, long chains) {
  FitDraws all;
  if (!std::filesystem::exists(folder.chain_file(0))) return all;
  std::vector<ChainDraws> files;
  for (int c = 0; c < chains; ++c) {
    files.push_back(read_chain(folder.chain_file(c)));
    if (files.back().parameters.empty()) return all;
  }
  Index length = files[0].theta.rows();
  for (const ChainDraws& file : files) length = std::min(length, file.theta.rows());
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

}  // namespace ulisse
