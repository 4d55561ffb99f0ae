#include "fit/run_fit.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/blas_core.h"
#include "base/json_text.h"
#include "base/memory.h"
#include "base/option_names.h"
#include "fit/earlier_run.h"
#include "fit/fit_run.h"
#include "fit/fit_watch.h"
#include "fit/folder_lock.h"
#include "fit/identity.h"
#include "fit/own_files.h"
#include "fit/replace_fit.h"
#include "fit/stage_files.h"
#include "fit/start_folder.h"
#include "fit/stop_file.h"
#include "kernel/simd/tiles.h"
#include "store/files.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

using Json = nlohmann::ordered_json;

// What could not be written is lost since the last checkpoint only, and the user should know it.
FitEnd run_or_say_what_is_kept(FitRun& run, const FitRequest& request) {
  const FitFolder folder(request.out);
  try {
    return run.run();
  } catch (const OutputError& error) {
    if (request.in_memory || !std::filesystem::exists(folder.checkpoint_file())) throw;
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

Standardisation scaling_of(const FitRequest& request) {
  return request.settings.standardise ? standardisation_of(request.raw)
                                      : identity_standardisation(request.raw.x.cols());
}

// fit.json before anything has been found out.
Json description_of(const FitRequest& request, const Standardisation& scaling) {
  FitRecord record =
      describe_fit(request.settings, request.sampler_reason, request.model, request.raw, scaling);
  record.data->path = absolute_path(request.raw.source);
  record.data->separator = std::string(1, request.separator);
  record.data->header = request.header;
  record.data->kept = request.keep_data;
  // What the set-up decides depends on it.
  record.memory =
      static_cast<long>(request.memory > 0 ? request.memory : machine_memory_bytes() / 2);
  record.processor = {.openblas = blas_core(), .vectors = simd::target_name()};
  return to_json(record);
}

// What the set-up has found.
FitRecord setup_of(const FitChains& chains) {
  const Mode& mode = chains.mode();
  FitRecord found{.mode = FitRecord::FoundMode{.psi = mode.psi,
                                               .other_psi = mode.other_psi,
                                               .converged = mode.converged,
                                               .distance = distance_from_mode(mode),
                                               .other_share = mode.other_share,
                                               .second_share = mode.second_share},
                  .metric = chains.metric()};
  chains.describe(found);
  return found;
}

Start start_of(const FitRequest& request) {
  if (request.resume) return Start::resume;
  return request.replace ? Start::replace : Start::anew;
}

// A fit from its description to its end. Whoever makes one has the folder's lock.
class FitInFolder {
 public:
  FitInFolder(const FitRequest& request, const Standardisation& scaling, Json json,
              FitObserver& observer)
      : request_(request),
        scaling_(scaling),
        data_(scaled(request.raw, scaling)),
        model_(scaled(request.model, scaling)),
        json_(std::move(json)),
        observer_(observer),
        start_(request.out, start_of(request), request.raw.source) {}

  FitEnd run() {
    if (request_.resume) earlier_ = read_earlier_run(folder(), limits_of(request_, json_), json_);
    if (!resumes()) start_.write_first(json_);
    keep_data();
    const double started = seconds_now();
    try {
      set_up();
    } catch (const WorkStopped&) {
      return stopped_in_setup();
    }
    FitRecord found = setup_of(*chains_);
    found.seconds_setup = earlier_.seconds_setup + seconds_now() - started;
    add_setup(std::move(found), json_);
    if (!resumes()) folder().write_json(json_);
    start_.move_in();
    return sample();
  }

 private:
  const FitFolder& folder() const { return start_.folder(); }
  bool resumes() const { return earlier_.saved.has_value(); }

  void keep_data() const {
    if (json_["data"]["kept"] == true && !std::filesystem::exists(folder().data_file())) {
      write_atomically(folder().data_file(), to_csv(request_.raw));
    }
  }

  void set_up() {
    SetupProgress watch(observer_);
    const WatchScope scope(watch);
    const std::string backend =
        earlier_.backend.empty() ? request_.settings.backend : earlier_.backend;
    try {
      chains_ = make_chains(
          request_.settings, model_, data_,
          {json_.at("memory").get<std::size_t>(), folder().setup_file(), fit_identity(json_),
           backend, [&](const std::string& words) { watch.stage(words); }});
      StageFiles stages(folder().setup_file(), fit_identity(json_));
      quantities_ = std::make_unique<DrawnQuantities>(quantities_of(request_, scaling_), model_,
                                                      data_, *chains_, stages);
    } catch (const InputError&) {  // such as a model that the data do not allow
      if (!request_.resume) folder().discard();
      throw;
    }
  }

  FitEnd stopped_in_setup() {
    if (start_.replaces()) return FitEnd::replaced_nothing;
    if (resumes()) return FitEnd::interrupted;  // fit.json knows more than this
    json_["status"] = "interrupted";
    folder().write_json(json_);
    return FitEnd::interrupted;
  }

  FitEnd sample() {
    observer_.stage("sampling");
    if (resumes()) load_chains(*earlier_.saved, *chains_, folder().checkpoint_file());
    if (resumes() && earlier_.has_other_goal(json_)) {
      earlier_.json["status"] = "running";
      earlier_.json["settings"] = json_["settings"];
      start_.write_first(earlier_.json);
    }
    FitRun run(request_, std::move(json_), *chains_, *quantities_, observer_);
    if (resumes()) run.restore(*earlier_.saved);
    return run_or_say_what_is_kept(run, request_);
  }

  const FitRequest& request_;
  const Standardisation& scaling_;
  Dataset data_;  // scaled
  Model model_;   // of the same
  Json json_;
  FitObserver& observer_;
  StartFolder start_;
  EarlierRun earlier_;
  std::unique_ptr<FitChains> chains_;
  std::unique_ptr<const DrawnQuantities> quantities_;
};

}  // namespace

FitEnd run_fit(const FitRequest& request, FitObserver& observer) {
  const Standardisation scaling = scaling_of(request);
  Json json = description_of(request, scaling);
  const bool complete = request.resume && is_complete(FitFolder(request.out), json);
  // A lock that a kill has left goes, too; where there is none the folder may be one to read alone.
  if (complete && !std::filesystem::exists(FolderLock::file_in(request.out))) {
    return FitEnd::was_complete;
  }
  const FolderLock lock(request.out);
  finish_replacement(request.out);
  remove_half_written(FitFolder(request.out));
  if (complete) return FitEnd::was_complete;
  if (request.in_memory) return FitInFolder(request, scaling, std::move(json), observer).run();
  StopFile stop(observer, request.out);
  return FitInFolder(request, scaling, std::move(json), stop).run();
}

}  // namespace ulisse
