#include "fit/fit_run.h"

#include <filesystem>

#include "fit/fit_watch.h"
#include "fit/identity.h"
#include "store/chain_file.h"
#include "store/checkpoint.h"
#include "ulisse/threads.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

// Of the last round; divergences are counted over the run.
void take_means(std::span<const Transition> draws, ChainProgress& chain) {
  const auto count = static_cast<double>(draws.size());
  chain.acceptance = chain.log_density = chain.gradients = 0;
  for (const Transition& t : draws) {
    chain.acceptance += t.accept_stat / count;
    chain.log_density += t.log_density / count;
    chain.gradients += t.leapfrogs / count;
    chain.divergent += t.divergent ? 1 : 0;
  }
}

}  // namespace

Quantities quantities_of(const FitRequest& request, const Standardisation& scaling) {
  return {scaled(request.model, scaling), scaling, request.raw.features};
}

SavedRunLimits limits_of(const FitRequest& request, const Json& description) {
  return {
      .owner = {"checkpoint", fit_identity(description)},
      .chains = static_cast<int>(request.settings.chains),
      .parameters = request.model.names(),
      .quantities = quantities_of(request, identity_standardisation(request.raw.x.cols())).names()};
}

FitRun::FitRun(const FitRequest& request, Json description, FitChains& chains,
               const DrawnQuantities& quantities, FitObserver& observer)
    : request_(request),
      folder_(request.out),
      json_(std::move(description)),
      chains_(chains),
      plan_(chains.plan()),
      until_(goal_of(request.settings, chains.algorithm()), request.model.parameter_count(),
             static_cast<int>(chains.chains().size())),
      quantities_(quantities),
      with_noise_(chains.algorithm() == Algorithm::langevin),
      observer_(observer),
      draws_(request.model.parameter_count(), count()),
      progress_(chains.chains().size(), {.acceptance = NAN, .log_density = NAN, .gradients = NAN}) {
}

void FitRun::restore(const SavedRun& saved) {
  state_ = saved.state;
  for (std::size_t c = 0; c < saved.theta.size(); ++c) {
    until_.add(static_cast<int>(c), saved.theta[c]);
  }
  plan_.draws = until_.wanted();
  for (std::size_t c = 0; c < saved.sizes.size(); ++c) {
    reopen(static_cast<int>(c), saved);
  }
  for (std::size_t c = 0; c < saved.warmup_sizes.size(); ++c) {
    warmup_files_.emplace_back(folder_.warmup_file(static_cast<int>(c)), saved.warmup_sizes[c]);
  }
}

FitEnd FitRun::run() {
  if (request_.settings.save_warmup && state_.warming_up() && state_.iteration == 0) {
    open_warmup();
  }
  save();
  const bool done = draw();
  for (auto& file : files_) {
    file.finish(state_.draws(), state_.warmup_seconds, state_.sampling_seconds);
    file.flush();
  }
  finish_warmup(state_);
  write_json(done ? "complete" : "interrupted");
  if (done) return FitEnd::complete;
  return observer_.wants_stop() ? FitEnd::interrupted : FitEnd::out_of_time;
}

void FitRun::warmup(int chain, std::span<const Transition> iterations) {
  if (warmup_files_.empty()) return;
  for (const Transition& t : iterations) warmup_files_[static_cast<std::size_t>(chain)].append(t);
}

void FitRun::warmup_ended(const RunState& state) {
  finish_warmup(state);
  warmup_files_.clear();
  for (int c = 0; c < count(); ++c) {
    ChainHeader begin = header(c, state);
    begin.quantities = quantities_.names();
    if (with_noise_) {
      const auto noise = noise_columns(begin.parameters.size());
      begin.quantities.insert(begin.quantities.end(), noise.begin(), noise.end());
    }
    files_.emplace_back(folder_.chain_file(c), begin);
  }
  saved_at_ = -INFINITY;  // a checkpoint that does not know the files would be of no use
}

// What a draw has behind its parameters: quantities, and the noise of Langevin's steps.
Matrix FitRun::columns_behind(int chain, std::span<const Transition> draws) const {
  const auto count = static_cast<Index>(draws.size());
  // The run has counted them already.
  const long first = state_.draws() - static_cast<long>(draws.size());
  Matrix values(0, count);
  if (with_quantities_) values = quantities_.of(chain, first, draws);
  if (!with_noise_) return values;
  const Index quantities = values.rows();
  values.conservativeResize(quantities + draws.front().injected.size(), count);
  for (Index i = 0; i < count; ++i) {
    values.col(i).tail(values.rows() - quantities) = draws[static_cast<std::size_t>(i)].injected;
  }
  return values;
}

void FitRun::draws(int chain, std::span<const Transition> draws) {
  const Matrix values = columns_behind(chain, draws);
  ChainFile& file = files_[static_cast<std::size_t>(chain)];
  for (std::size_t i = 0; i < draws.size(); ++i) {
    file.append(draws[i], values.col(static_cast<Index>(i)));
  }
  draws_.add(chain, draws);
  until_.add(chain, draws);
  take_means(draws, progress_[static_cast<std::size_t>(chain)]);
}

// True where all draws that were wanted are there.
bool FitRun::draw() {
  SamplingWatch watch(observer_);
  const WatchScope scope(watch);
  try {
    bool done = false;
    do {
      done = run_chains(chains_.chains(), plan_, state_, *this);
    } while (done && goes_on());
    save();
    return done;
  } catch (const WorkStopped&) {  // chains in the middle of an iteration are of no use
    go_back_to_checkpoint();
    return false;
  }
}

// Whether the draws that were wanted are not enough, and how many are.
bool FitRun::goes_on() {
  if (until_.goal().is_number()) return false;
  plan_.draws = until_.wanted();
  if (draws_wanted(plan_, state_) == 0) return false;
  for (auto& file : files_) file.set_count(plan_.draws);
  return true;
}

void FitRun::go_back_to_checkpoint() {
  files_.clear();
  warmup_files_.clear();
  draws_ = {request_.model.parameter_count(), count()};
  until_.forget();
  SavedRun saved = read_saved_run(folder_, limits());
  saved.chains.accept_other_shapes();
  load_chains(saved, chains_, folder_.checkpoint_file());
  restore(saved);
}

// Draws first, then the state that refers to their files' sizes.
void FitRun::save() {
  std::vector<std::uint64_t> sizes, warmup_sizes;
  for (auto& file : files_) sizes.push_back(file.flush());
  for (auto& file : warmup_files_) warmup_sizes.push_back(file.flush());
  ArchiveWriter writer;
  writer(state_, sizes, warmup_sizes);
  for (auto& chain : chains_.chains()) chain->save(writer);
  write_checkpoint(folder_.checkpoint_file(), limits().owner, writer.bytes());
  saved_at_ = seconds_now();
}

void FitRun::open_warmup() {
  warmup_files_.clear();
  for (int c = 0; c < count(); ++c) {
    ChainHeader begin = header(c, {.warmup = 0});
    begin.draws = 0;  // nobody knows yet how long it takes
    warmup_files_.emplace_back(folder_.warmup_file(c), begin);
  }
}

void FitRun::finish_warmup(const RunState& state) {
  for (auto& file : warmup_files_) {
    file.finish(state.iteration, state.warmup_seconds, 0);
    file.flush();
  }
}

void FitRun::reopen(int chain, const SavedRun& saved) {
  const auto c = static_cast<std::size_t>(chain);
  with_quantities_ = !saved.quantities[c].empty();
  with_noise_ = saved.noise[c];
  files_.emplace_back(folder_.chain_file(chain), saved.sizes[c]);
  files_.back().set_count(state_.draws() + draws_wanted(plan_, state_));
  draws_.add(chain, saved.theta[c]);
}

ChainHeader FitRun::header(int chain, const RunState& state) const {
  const FitSettings& s = request_.settings;
  return ChainHeader{.model = "ulisse_" + s.model.kernel,
                     .sampler = s.sampler,
                     .algorithm = chains_.algorithm(),
                     .id = chain + 1,
                     .warmup = state.warmup,
                     .draws = draws_wanted(plan_, state),
                     .seed = s.seed,
                     .settings = {{"preset", s.preset}},
                     .parameters = request_.model.names(),
                     .step_size = chains_.step_size(chain),
                     .metric_diagonal = chains_.metric().diagonal()};
}

void FitRun::write_json(const std::string& status) {
  json_["status"] = status;
  FitRecord drawn{.warmup = state_.warming_up() ? state_.iteration : state_.warmup,
                  .draws = state_.draws(),
                  .seconds_warmup = state_.warmup_seconds,
                  .seconds_sampling = state_.sampling_seconds,
                  .threads = threads()};
  if (!until_.goal().is_number()) drawn.goal = until_.record();
  for (int c = 0; c < count(); ++c) drawn.chains.push_back(describe_chain(c));
  add_draws(std::move(drawn), json_);
  folder_.write_json(json_);
}

ChainRecord FitRun::describe_chain(int c) const {
  ChainRecord chain{.file = std::filesystem::path(folder_.chain_file(c)).filename().string(),
                    .step_size = chains_.step_size(c)};
  chains_.describe_chain(c, chain);
  return chain;
}

void FitRun::tell_observer(const RunState& state) {
  for (int c = 0; c < count(); ++c) {
    ChainProgress& chain = progress_[static_cast<std::size_t>(c)];
    chain.warming_up = chains_.chains()[static_cast<std::size_t>(c)]->warming_up();
    chain.step_size = chains_.step_size(c);
    chain.details = chains_.news(c);
  }
  observer_.progress({.warming_up = state.warming_up(),
                      .iteration = state.iteration,
                      .draws = state.draws(),
                      .draws_left = state.warming_up() ? 0 : draws_wanted(plan_, state),
                      .seconds = state.warming_up() ? state.warmup_seconds : state.sampling_seconds,
                      .ess_goal = until_.goal().is_number() ? 0 : until_.goal().ess,
                      .ess = until_.last_look().ess,
                      .theta = draws_.by_parameter(),
                      .chains = progress_});
}

// A round that takes long may be stopped by an interrupt, and then goes on from the checkpoint:
// there is one after each.
bool FitRun::round_ended(const RunState& state) {
  tell_observer(state);
  constexpr double kSecondsBetweenCheckpoints = 10;
  const bool long_round = seconds_now() - round_began_at_ > SamplingWatch::kSecondsOfPatience;
  if (long_round || seconds_now() - saved_at_ > kSecondsBetweenCheckpoints) save();
  round_began_at_ = seconds_now();
  const bool late = request_.time_limit > 0 && seconds_now() - started_at_ > request_.time_limit;
  return !observer_.wants_stop() && !late;
}

}  // namespace ulisse
