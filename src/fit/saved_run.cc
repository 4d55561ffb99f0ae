#include "fit/saved_run.h"

#include <fmt/format.h>

#include "store/chain_file.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

// What a state says when it is read is about bytes; the user is told the file.
template <class F>
void or_say_which_file(const std::string& file, const F& read) {
  try {
    read();
  } catch (const InputError&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw InputError(fmt::format("{}: is damaged: {}", file, error.what()));
  }
}

void require_sense(const SavedRun& saved, int chains) {
  const RunState& state = saved.state;
  const auto count = static_cast<std::size_t>(chains);
  const bool warm = !state.warming_up();
  const bool sense = state.iteration >= 0 && state.warmup >= -1 && state.draws() >= 0 &&
                     saved.sizes.size() == (warm ? count : 0) &&
                     (saved.warmup_sizes.empty() || (!warm && saved.warmup_sizes.size() == count));
  if (!sense) throw std::runtime_error("its counts do not go together");
}

ChainDraws read_rows(const std::string& file, std::uint64_t size, long rows,
                     const SavedRunLimits& limits) {
  ChainDraws chain = read_chain(file, size);
  const bool known = chain.quantities.empty() || chain.quantities == limits.quantities;
  const bool noise = chain.noise.cols() == 0 || chain.noise.cols() == chain.theta.cols();
  if (chain.parameters != limits.parameters || !known || !noise) {
    throw InputError(fmt::format("{}: has other columns than the parameters of the fit", file));
  }
  if (chain.theta.rows() != rows) {
    throw InputError(fmt::format("{}: has {} rows, where the checkpoint knows of {}", file,
                                 chain.theta.rows(), rows));
  }
  return chain;
}

void read_files(const FitFolder& folder, const SavedRunLimits& limits, SavedRun& saved) {
  for (std::size_t c = 0; c < saved.sizes.size(); ++c) {
    ChainDraws chain = read_rows(folder.chain_file(static_cast<int>(c)), saved.sizes[c],
                                 saved.state.draws(), limits);
    saved.noise.push_back(chain.noise.cols() > 0);
    saved.theta.push_back(std::move(chain.theta));
    saved.quantities.push_back(std::move(chain.quantities));
  }
  for (std::size_t c = 0; c < saved.warmup_sizes.size(); ++c) {
    read_rows(folder.warmup_file(static_cast<int>(c)), saved.warmup_sizes[c], saved.state.iteration,
              limits);
  }
}

}  // namespace

SavedRun read_saved_run(const FitFolder& folder, const SavedRunLimits& limits) {
  const std::string file = folder.checkpoint_file();
  SavedRun saved{.chains = ArchiveReader(read_checkpoint(file, limits.owner))};
  or_say_which_file(file, [&] {
    saved.chains(saved.state, saved.sizes, saved.warmup_sizes);
    require_sense(saved, limits.chains);
  });
  read_files(folder, limits, saved);
  return saved;
}

void load_chains(SavedRun& saved, FitChains& chains, const std::string& file) {
  or_say_which_file(file, [&] {
    for (auto& chain : chains.chains()) chain->load(saved.chains);
    saved.chains.finish();
  });
}

}  // namespace ulisse
