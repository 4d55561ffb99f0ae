#include "fit/run_fit.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/blas_core.h"
#include "base/clock.h"
#include "base/json_text.h"
#include "base/option_names.h"
#include "fit/earlier_run.h"
#include "fit/fit_watch.h"
#include "fit/folder_lock.h"
#include "fit/identity.h"
#include "fit/own_files.h"
#include "fit/replace_fit.h"
#include "fit/start_folder.h"
#include "fit/thinned_draws.h"
#include "kernel/simd/tiles.h"
#include "store/chain_file.h"
#include "store/checkpoint.h"
#include "store/files.h"
#include "ulisse/error.h"
#include "ulisse/threads.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

SavedRunLimits limits_of(const FitRequest& request, const Json& description) {
  return {.owner = {"checkpoint", fit_identity(description)},
          .chains = static_cast<int>(request.settings.chains),
          .parameters = request.model.names()};
}

// Writes draws and checkpoints between the rounds of a run.
class FitRun : public RunObserver {
 public:
  FitRun(const FitRequest& request, Json description, FitChains& chains, FitListener& listener,
         const std::atomic<bool>& interrupted)
      : request_(request),
        folder_(request.out),
        json_(std::move(description)),
        chains_(chains),
        listener_(listener),
        interrupted_(interrupted),
        draws_(request.model.parameter_count(), static_cast<int>(chains.chains().size())),
        news_(chains.chains().size()) {}

  // Goes on from the last checkpoint, whose states the chains have been given: what files have
  // beyond it is cut off.
  void restore(const SavedRun& saved) {
    state_ = saved.state;
    for (std::size_t c = 0; c < saved.sizes.size(); ++c) {
      reopen(static_cast<int>(c), saved.sizes[c], saved.theta[c]);
    }
    for (std::size_t c = 0; c < saved.warmup_sizes.size(); ++c) {
      warmup_files_.emplace_back(folder_.warmup_file(static_cast<int>(c)), saved.warmup_sizes[c]);
    }
  }

  FitEnd run() {
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
    return interrupted_ ? FitEnd::interrupted : FitEnd::out_of_time;
  }

  void warmup(int chain, std::span<const Transition> iterations) override {
    if (warmup_files_.empty()) return;
    for (const Transition& t : iterations) warmup_files_[static_cast<std::size_t>(chain)].append(t);
  }

  void warmup_ended(const RunState& state) override {
    finish_warmup(state);
    warmup_files_.clear();
    for (int c = 0; c < count(); ++c) files_.emplace_back(folder_.chain_file(c), header(c, state));
    saved_at_ = -INFINITY;  // a checkpoint that does not know the files would be of no use
  }

  void draws(int chain, std::span<const Transition> draws) override {
    for (const Transition& t : draws) files_[chain].append(t);
    draws_.add(chain, draws);
    tell(news_[static_cast<std::size_t>(chain)], draws);
  }

  // A round that takes long may be stopped by an interrupt, and then goes on from the checkpoint:
  // there is one after each.
  bool round_ended(const RunState& state) override {
    listener_.progress(state, draws_.by_parameter(), chains_, news_);
    constexpr double kBetweenCheckpoints = 10;
    const bool long_round = seconds_now() - round_began_at_ > SamplingWatch::kSecondsOfPatience;
    if (long_round || seconds_now() - saved_at_ > kBetweenCheckpoints) save();
    round_began_at_ = seconds_now();
    const bool late = request_.time_limit > 0 && seconds_now() - started_at_ > request_.time_limit;
    return !interrupted_ && !late;
  }

 private:
  int count() const { return static_cast<int>(chains_.chains().size()); }
  SavedRunLimits limits() const { return limits_of(request_, json_); }

  // True where all draws that were wanted are there.
  bool draw() {
    SamplingWatch watch(listener_, interrupted_);
    const WatchScope scope(watch);
    try {
      const bool done = run_chains(chains_.chains(), chains_.plan(), state_, *this);
      save();
      return done;
    } catch (const WorkStopped&) {  // chains in the middle of an iteration are of no use
      go_back_to_checkpoint();
      return false;
    }
  }

  void go_back_to_checkpoint() {
    files_.clear();
    warmup_files_.clear();
    draws_ = {request_.model.parameter_count(), count()};
    SavedRun saved = read_saved_run(folder_, limits());
    saved.chains.accept_other_shapes();
    load_chains(saved, chains_, folder_.checkpoint_file());
    restore(saved);
  }

  // Draws first, then the state that refers to their files' sizes.
  void save() {
    std::vector<std::uint64_t> sizes, warmup_sizes;
    for (auto& file : files_) sizes.push_back(file.flush());
    for (auto& file : warmup_files_) warmup_sizes.push_back(file.flush());
    ArchiveWriter writer;
    writer(state_, sizes, warmup_sizes);
    for (auto& chain : chains_.chains()) chain->save(writer);
    write_checkpoint(folder_.checkpoint_file(), limits().owner, writer.bytes());
    saved_at_ = seconds_now();
  }

  void open_warmup() {
    warmup_files_.clear();
    for (int c = 0; c < count(); ++c) {
      ChainHeader begin = header(c, {.warmup = 0});
      begin.draws = 0;  // nobody knows yet how long it takes
      warmup_files_.emplace_back(folder_.warmup_file(c), begin);
    }
  }

  void finish_warmup(const RunState& state) {
    for (auto& file : warmup_files_) {
      file.finish(state.iteration, state.warmup_seconds, 0);
      file.flush();
    }
  }

  void reopen(int chain, std::uint64_t size, const Matrix& theta) {
    files_.emplace_back(folder_.chain_file(chain), size);
    files_.back().set_count(state_.draws() + draws_wanted(chains_.plan(), state_));
    draws_.add(chain, theta);
  }

  static void tell(ChainNews& news, std::span<const Transition> draws) {
    const auto count = static_cast<double>(draws.size());
    news = {.acceptance = 0, .log_density = 0, .gradients = 0, .divergent = news.divergent};
    for (const Transition& t : draws) {
      news.acceptance += t.accept_stat / count;
      news.log_density += t.log_density / count;
      news.gradients += t.leapfrogs / count;
      news.divergent += t.divergent ? 1 : 0;
    }
  }

  ChainHeader header(int chain, const RunState& state) const {
    const FitSettings& s = request_.settings;
    return ChainHeader{.model = "ulisse_" + s.kernel,
                       .sampler = s.sampler,
                       .algorithm = chains_.algorithm(),
                       .id = chain + 1,
                       .warmup = state.warmup,
                       .draws = draws_wanted(chains_.plan(), state),
                       .seed = s.seed,
                       .settings = {{"preset", s.preset}},
                       .parameters = request_.model.names(),
                       .step_size = chains_.step_size(chain),
                       .metric_diagonal = chains_.metric().diagonal()};
  }

  void write_json(const std::string& status) {
    json_["status"] = status;
    json_["warmup_iterations"] = state_.warming_up() ? state_.iteration : state_.warmup;
    json_["draws"] = state_.draws();
    json_["seconds_warmup"] = state_.warmup_seconds;
    json_["seconds_sampling"] = state_.sampling_seconds;
    json_["threads"] = threads();
    json_["chains"] = Json::array();
    for (int c = 0; c < count(); ++c) json_["chains"].push_back(describe_chain(c));
    folder_.write_json(json_);
  }

  Json describe_chain(int c) const {
    Json chain = {{"file", std::filesystem::path(folder_.chain_file(c)).filename().string()},
                  {"step_size", chains_.step_size(c)}};
    chains_.describe_chain(c, chain);
    return chain;
  }

  const FitRequest& request_;
  FitFolder folder_;
  Json json_;
  FitChains& chains_;
  FitListener& listener_;
  const std::atomic<bool>& interrupted_;
  ThinnedDraws draws_;  // for the listener
  std::vector<ChainNews> news_;
  std::vector<ChainFile> files_, warmup_files_;  // the latter while warm-up is saved
  RunState state_;
  double started_at_ = seconds_now(), saved_at_ = seconds_now(), round_began_at_ = seconds_now();
};

// What could not be written is lost since the last checkpoint only, and the user should know it.
FitEnd run_or_say_what_is_kept(FitRun& run, const FitFolder& folder) {
  try {
    return run.run();
  } catch (const OutputError& error) {
    if (!std::filesystem::exists(folder.checkpoint_file())) throw;
    throw std::runtime_error(fmt::format("{}; {} goes on from the last checkpoint", error.what(),
                                         option_named("resume")));
  }
}

// Where to find the data again; nothing for what was no file.
std::string absolute_path(const std::string& source) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(source, error)) return "";
  return std::filesystem::absolute(source, error).string();
}

}  // namespace

FitEnd run_fit(const FitRequest& request, FitListener& listener,
               const std::atomic<bool>& interrupted) {
  const Standardisation scaling = request.settings.standardise
                                      ? standardisation_of(request.raw)
                                      : identity_standardisation(request.raw.x.cols());
  const Dataset data = scaled(request.raw, scaling);
  const Model& model = request.model;
  Json json = describe_fit(request.settings, request.sampler_reason, model, request.raw, scaling);
  json["data"]["path"] = absolute_path(request.raw.source);
  json["data"]["separator"] = std::string(1, request.separator);
  json["data"]["header"] = request.header;
  json["data"]["kept"] = request.keep_data;
  json["processor"] = {{"openblas", blas_core()}, {"vectors", simd::target_name()}};
  const bool complete = request.resume && is_complete(FitFolder(request.out), json);
  // A lock that a kill has left goes, too; where there is none the folder may be one to read alone.
  if (complete && !std::filesystem::exists(FolderLock::file_in(request.out))) {
    return FitEnd::was_complete;
  }
  const FolderLock lock(request.out);
  finish_replacement(request.out);
  remove_half_written(FitFolder(request.out));
  if (complete) return FitEnd::was_complete;
  StartFolder start(request.out,
                    request.resume  ? Start::resume
                    : request.force ? Start::replace
                                    : Start::anew,
                    request.raw.source);
  const FitFolder& folder = start.folder();
  EarlierRun earlier;
  if (request.resume) earlier = read_earlier_run(folder, limits_of(request, json), json);
  const bool resume = earlier.saved.has_value();
  const std::string backend = earlier.backend.empty() ? request.settings.backend : earlier.backend;
  if (!resume) start.write_first(json);
  if (json["data"]["kept"] == true && !std::filesystem::exists(folder.data_file())) {
    write_atomically(folder.data_file(), to_csv(request.raw));
  }
  const double started = seconds_now();
  std::unique_ptr<FitChains> chains;
  try {
    SetupProgress watch(listener, interrupted);
    const WatchScope scope(watch);
    chains = make_chains(request.settings, model, data,
                         {request.memory, folder.setup_file(), fit_identity(json), backend,
                          [&](const std::string& words) { watch.stage(words); }});
  } catch (const InputError&) {  // such as a model that the data do not allow
    if (!request.resume) folder.discard();
    throw;
  } catch (const WorkStopped&) {
    if (start.replaces()) return FitEnd::not_begun;
    if (resume) return FitEnd::interrupted;  // fit.json knows more than this
    json["status"] = "interrupted";
    folder.write_json(json);
    return FitEnd::interrupted;
  }
  json["mode"] = {{"psi", json_numbers(chains->mode().psi)},
                  {"converged", chains->mode().converged},
                  {"distance", json_number(distance_from_mode(chains->mode()))},
                  {"other_psi", json_numbers(chains->mode().other_psi)},
                  {"other_share", chains->mode().other_share},
                  {"second_share", chains->mode().second_share}};
  json["metric"] = Json::array();
  for (Index i = 0; i < chains->metric().rows(); ++i) {
    json["metric"].push_back(json_numbers(chains->metric().row(i).transpose()));
  }
  chains->describe(json);
  json["seconds_setup"] = earlier.seconds_setup + seconds_now() - started;
  if (!resume) folder.write_json(json);
  start.move_in();
  listener.stage("sampling");
  if (resume) load_chains(*earlier.saved, *chains, folder.checkpoint_file());
  if (resume && earlier.has_other_goal(json)) {
    earlier.json["status"] = "running";
    earlier.json["settings"] = json["settings"];
    start.write_first(earlier.json);
  }
  FitRun run(request, std::move(json), *chains, listener, interrupted);
  if (resume) run.restore(*earlier.saved);
  return run_or_say_what_is_kept(run, FitFolder(request.out));
}

}  // namespace ulisse
