#include "fit/run_fit.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/clock.h"
#include "base/json_text.h"
#include "draws/chain_file.h"
#include "draws/checkpoint.h"
#include "draws/files.h"
#include "ulisse/error.h"
#include "ulisse/threads.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

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
        draws_(static_cast<std::size_t>(request.model.parameter_count())),
        news_(chains.chains().size()) {}

  void restore() {
    ArchiveReader reader(read_checkpoint(folder_.checkpoint_file()));
    std::vector<std::uint64_t> sizes, warmup_sizes;
    reader(state_, sizes, warmup_sizes);
    for (auto& chain : chains_.chains()) chain->load(reader);
    reader.finish();
    for (std::size_t c = 0; c < sizes.size(); ++c) reopen(static_cast<int>(c), sizes[c]);
    for (std::size_t c = 0; c < warmup_sizes.size(); ++c) {
      warmup_files_.emplace_back(folder_.warmup_file(static_cast<int>(c)), warmup_sizes[c]);
    }
  }

  FitEnd run() {
    if (request_.settings.save_warmup && state_.warming_up() && state_.iteration == 0) {
      open_warmup();
    }
    save();
    const bool done = run_chains(chains_.chains(), chains_.plan(), state_, *this);
    save();
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
  }

  void draws(int chain, std::span<const Transition> draws) override {
    for (const Transition& t : draws) files_[chain].append(t);
    keep(chain, draws);
    tell(news_[static_cast<std::size_t>(chain)], draws);
  }

  bool round_ended(const RunState& state) override {
    listener_.progress(state, draws_, chains_, news_);
    constexpr double kBetweenCheckpoints = 10;
    if (seconds_now() - saved_at_ > kBetweenCheckpoints) save();
    const bool late = request_.time_limit > 0 && seconds_now() - started_at_ > request_.time_limit;
    return !interrupted_ && !late;
  }

 private:
  int count() const { return static_cast<int>(chains_.chains().size()); }

  // Draws first, then the state that refers to their files' sizes.
  void save() {
    std::vector<std::uint64_t> sizes, warmup_sizes;
    for (auto& file : files_) sizes.push_back(file.flush());
    for (auto& file : warmup_files_) warmup_sizes.push_back(file.flush());
    ArchiveWriter writer;
    writer(state_, sizes, warmup_sizes);
    for (auto& chain : chains_.chains()) chain->save(writer);
    write_checkpoint(folder_.checkpoint_file(), writer.bytes());
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

  void reopen(int chain, std::uint64_t size) {
    files_.emplace_back(folder_.chain_file(chain), size);
    files_.back().set_count(state_.draws() + draws_wanted(chains_.plan(), state_));
    const ChainDraws old = read_chain(folder_.chain_file(chain));
    for (Index j = 0; j < old.theta.cols(); ++j) {
      Matrix& all = draws_[static_cast<std::size_t>(j)];
      if (all.size() == 0) all.resize(old.theta.rows(), count());
      if (old.theta.rows() != all.rows()) {
        throw InputError(fmt::format("{}: chains of unequal length", folder_.path()));
      }
      all.col(chain) = old.theta.col(j);
    }
  }

  void keep(int chain, std::span<const Transition> draws) {
    const auto added = static_cast<Index>(draws.size());
    for (std::size_t j = 0; j < draws_.size(); ++j) {
      Matrix& all = draws_[j];
      if (chain == 0) all.conservativeResize(all.rows() + added, count());
      for (Index i = 0; i < added; ++i) {
        all(all.rows() - added + i, chain) =
            std::exp(draws[static_cast<std::size_t>(i)].psi(static_cast<Index>(j)));
      }
    }
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
  std::vector<Matrix> draws_;  // by parameter, (draws, chains)
  std::vector<ChainNews> news_;
  std::vector<ChainFile> files_, warmup_files_;  // the latter while warm-up is saved
  RunState state_;
  double started_at_ = seconds_now(), saved_at_ = seconds_now();
};

struct SetupInterrupted {};

// Where a fit writes until it samples. One that replaces another writes beside it till then, and
// whatever ends it before leaves the other as it was.
class StartFolder {
 public:
  explicit StartFolder(const FitRequest& request)
      : folder_(request.out),
        replaces_(request.force && folder_.has_files()),
        start_(replaces_ ? folder_.of_successor() : folder_) {}
  StartFolder(const StartFolder&) = delete;
  StartFolder& operator=(const StartFolder&) = delete;
  ~StartFolder() {
    if (replaces_) start_.discard();
  }

  const FitFolder& folder() const { return start_; }
  bool replaces() const { return replaces_; }
  void move_in() {
    if (!replaces_) return;
    folder_.make_way();
    replaces_ = false;
  }

 private:
  FitFolder folder_;
  bool replaces_;
  FitFolder start_;
};

// What could not be written is lost since the last checkpoint only, and the user should know it.
FitEnd run_or_say_what_is_kept(FitRun& run, const FitFolder& folder) {
  try {
    return run.run();
  } catch (const OutputError& error) {
    if (!std::filesystem::exists(folder.checkpoint_file())) throw;
    throw std::runtime_error(
        fmt::format("{}; --resume goes on from the last checkpoint", error.what()));
  }
}

// Where to find the data again; nothing for what was no file.
std::string absolute_path(const std::string& source) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(source, error)) return "";
  return std::filesystem::absolute(source, error).string();
}

bool wants_more(const Json& there, const Json& here) {
  return here.at("settings").at("draws") > there.at("settings").at("draws");
}

}  // namespace

FitEnd run_fit(const FitRequest& request, FitListener& listener,
               const std::atomic<bool>& interrupted) {
  StartFolder start(request);
  const FitFolder& folder = start.folder();
  const Standardisation scaling = request.settings.standardise
                                      ? standardisation_of(request.raw)
                                      : identity_standardisation(request.raw.x.cols());
  const Dataset data = scaled(request.raw, scaling);
  const Model& model = request.model;
  Json json = describe_fit(request.settings, request.sampler_reason, model, request.raw, scaling);
  bool resume = false;
  double setup_before = 0;
  std::string backend = request.settings.backend;
  if (request.resume) {
    const Json old = folder.read_json();
    const std::string differs = differences(old, json);
    if (!differs.empty()) {
      throw InputError(
          fmt::format("{}: cannot be resumed, since these differ: {}", request.out, differs));
    }
    const bool complete = old.at("status") == "complete";
    if (complete && !wants_more(old, json)) return FitEnd::was_complete;
    if (old.at("settings").value("save_warmup", false)) json["settings"]["save_warmup"] = true;
    setup_before = old.value("seconds_setup", 0.0);
    backend = old.value("backend", backend);
    resume = std::filesystem::exists(folder.checkpoint_file());
    if (complete && !resume) {
      throw InputError(
          fmt::format("{}: no draws can be added, since the file checkpoint is gone", request.out));
    }
  } else {
    FitFolder(request.out).require_free(request.force, request.raw.source);
    folder.create();
  }
  json["data"]["path"] = absolute_path(request.raw.source);
  json["data"]["separator"] = std::string(1, request.separator);
  if (!resume) folder.write_json(json);
  if (request.keep_data && !std::filesystem::exists(folder.data_file())) {
    write_atomically(folder.data_file(), to_csv(request.raw));
  }
  const double started = seconds_now();
  std::unique_ptr<FitChains> chains;
  try {
    chains =
        make_chains(request.settings, model, data,
                    {request.memory, folder.setup_file(), backend, [&](const std::string& words) {
                       if (interrupted) throw SetupInterrupted();
                       listener.stage(words);
                     }});
  } catch (const InputError&) {  // such as a model that the data do not allow
    if (!request.resume) folder.discard();
    throw;
  } catch (const SetupInterrupted&) {
    if (start.replaces()) return FitEnd::not_begun;
    json["status"] = "interrupted";
    folder.write_json(json);
    return FitEnd::interrupted;
  }
  json["mode"] = {{"psi", json_numbers(chains->mode().psi)},
                  {"converged", chains->mode().converged},
                  {"other_psi", json_numbers(chains->mode().other_psi)},
                  {"other_share", chains->mode().other_share},
                  {"second_share", chains->mode().second_share}};
  json["metric"] = Json::array();
  for (Index i = 0; i < chains->metric().rows(); ++i) {
    json["metric"].push_back(json_numbers(chains->metric().row(i).transpose()));
  }
  chains->describe(json);
  json["seconds_setup"] = setup_before + seconds_now() - started;
  if (!resume) folder.write_json(json);
  start.move_in();
  listener.stage("sampling");
  FitRun run(request, std::move(json), *chains, listener, interrupted);
  if (resume) run.restore();
  return run_or_say_what_is_kept(run, FitFolder(request.out));
}

}  // namespace ulisse
