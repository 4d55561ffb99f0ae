// The public type Fit, and how one is made.

#include "ulisse/fit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "base/memory.h"
#include "base/option_names.h"
#include "base/watch.h"
#include "fit/draw_goal.h"
#include "fit/fit_contents.h"
#include "fit/fit_watch.h"
#include "fit/folder.h"
#include "fit/folder_lock.h"
#include "fit/read_fit.h"
#include "fit/run_fit.h"
#include "fit/sampler_choice.h"
#include "fit/sampler_kind.h"
#include "fit/scratch_folder.h"
#include "model/stated_model.h"
#include "ulisse/error.h"

namespace ulisse {

FitEnd Fit::end() const { return contents_->end; }
const std::string& Fit::status() const { return contents_->status; }
const std::string& Fit::folder() const { return contents_->folder; }
const std::string& Fit::sampler() const { return contents_->record.settings.sampler; }
const std::vector<std::string>& Fit::notes() const { return contents_->record.notes; }
std::vector<std::string> Fit::parameters() const { return contents_->parameters(); }
Index Fit::chains() const { return contents_->record.settings.chains; }
Index Fit::draws() const { return contents_->draws().draws(); }

std::vector<std::string> Fit::quantities() const { return contents_->draws().quantities; }

const Matrix& Fit::draws_of(const std::string& name) const {
  const FitDraws& draws = contents_->draws();
  const auto found = std::find(draws.parameters.begin(), draws.parameters.end(), name);
  if (found != draws.parameters.end()) {
    return draws.theta[static_cast<std::size_t>(found - draws.parameters.begin())];
  }
  const auto quantity = std::find(draws.quantities.begin(), draws.quantities.end(), name);
  if (quantity == draws.quantities.end()) {
    throw std::invalid_argument(fmt::format("the fit has no draws of '{}'; its parameters are {}",
                                            name, fmt::join(parameters(), ", ")));
  }
  return draws.values[static_cast<std::size_t>(quantity - draws.quantities.begin())];
}

namespace {

// A fit that goes on keeps its sampler, since measured costs differ from one time to the next, and
// all other settings that are not given.
FitSettings resumed_settings(const FitOptions& options, const FitRecord& earlier) {
  FitSettings settings = earlier.settings;
  if (!options.sampler.empty() && options.sampler != kAutomaticSampler) {
    settings.sampler = options.sampler;
  }
  if (!options.preset.empty()) settings.preset = options.preset;
  return settings;
}

SamplerChoice chosen_sampler(const Dataset& data, const Model& model, const FitOptions& options,
                             const std::string& preset, FitObserver& observer) {
  SetupProgress watch(observer);
  const WatchScope scope(watch);
  try {
    return choose_sampler(options.sampler.empty() ? kAutomaticSampler : options.sampler, preset,
                          data, model, options.memory);
  } catch (const WorkStopped&) {
    throw Interrupted("interrupted before the fit began");
  }
}

// Before anything that takes time.
void require_place(const Dataset& data, const FitOptions& options) {
  if (options.folder.empty() || options.resume) return;
  if (!options.replace) require_no_writer(options.folder);  // else the lock is taken first
  FitFolder(options.folder).require_free(options.replace, data.source);
}

// Solves by products need some noise in every row.
void require_noise(const Model& model, const Dataset& data, const std::string& sampler) {
  if (sampler_kind(sampler).exact) return;
  const auto& parameters = model.layout.parameters();
  const bool none = std::any_of(parameters.begin(), parameters.end(), [](const Parameter& p) {
    return p.role == Role::noise_variance && p.fixed == 0;
  });
  if (!none || model.noise.known_variance(data.x).minCoeff() > 0) return;
  throw InputError(fmt::format(
      "lambda is fixed at 0, and the sampler {} needs noise in every row; {} needs none, "
      "or fix lambda at a small value, as by {}",
      sampler, option_set("sampler", exact_sampler()), option_set("fixed", "lambda=1e-8")));
}

// A factor of K.
void require_memory(const FitOptions& options, const std::string& sampler, Index rows) {
  const auto n = static_cast<double>(rows);
  if (options.memory == 0 || !sampler_kind(sampler).exact) return;
  if (bytes_of(n * n) <= options.memory) return;
  throw InputError(fmt::format(
      "{}: the exact likelihood of {} rows takes {}, and {} are allowed; allow more, or name a "
      "sampler that needs no such matrix",
      option_named("memory"), rows, readable_bytes(bytes_of(n * n)),
      readable_bytes(options.memory)));
}

FitRequest request_of(const Dataset& data, const Model& model, const FitOptions& options,
                      FitObserver& observer) {
  const ModelOptions in_words = stated(model, data);
  require_place(data, options);
  FitRequest request{.model = model,
                     .raw = data,
                     .out = options.folder,
                     .resume = options.resume,
                     .replace = options.replace,
                     .keep_data = options.keep_data,
                     .separator = options.separator,
                     .header = options.header,
                     .time_limit = options.time_limit,
                     .memory = options.memory};
  if (options.resume) {
    const FitRecord earlier = read_record_to_resume(options.folder);
    request.settings = resumed_settings(options, earlier);
    request.sampler_reason = earlier.sampler_reason;
  } else {
    const std::string preset = options.preset.empty() ? "default" : options.preset;
    const SamplerChoice choice = chosen_sampler(data, model, options, preset, observer);
    request.settings = settings_for(choice.sampler, preset, data.x.rows());
    request.sampler_reason = choice.reason;
  }
  FitSettings& settings = request.settings;
  set_options(options.settings, settings, request.sampler_reason.given());
  settle_draws(options.settings, data.x.rows(), options.resume, settings);
  settings.model = in_words;
  if (options.standardise) settings.standardise = *options.standardise;
  check(settings);
  require_noise(model, data, settings.sampler);
  require_memory(options, settings.sampler, data.x.rows());
  check_sizes(settings, data.x.rows());
  if (request.sampler_reason.given()) {
    observer.sampler_chosen(settings.sampler, request.sampler_reason);
  }
  return request;
}

Fit fit_in_memory(const Dataset& data, const Model& model, FitOptions options,
                  FitObserver& observer) {
  if (options.resume) throw std::invalid_argument("a fit goes on in a folder, and none is named");
  const ScratchFolder folder;
  options.folder = folder.path();
  options.replace = true;  // the folder is there, and empty
  FitRequest request = request_of(data, model, options, observer);
  request.in_memory = true;
  const FitEnd end = run_fit(request, observer);
  Fit made(read_into_memory(folder.path(), data, end));
  // Nobody can go on with it.
  if (end == FitEnd::interrupted && made.draws() == 0) {
    throw Interrupted("interrupted before the fit had draws");
  }
  return made;
}

}  // namespace

Fit fit(const Dataset& data, const Model& model, const FitOptions& options, FitObserver* observer) {
  FitObserver nobody;
  FitObserver& seen_by = observer != nullptr ? *observer : nobody;
  if (options.folder.empty()) return fit_in_memory(data, model, options, seen_by);
  const FitEnd end = run_fit(request_of(data, model, options, seen_by), seen_by);
  return Fit(read_fit(options.folder, end));
}

Fit load_fit(const std::string& folder) { return Fit(read_fit(folder)); }

Fit load_fit(const std::map<std::string, std::string>& files) { return Fit(read_fit(files)); }

}  // namespace ulisse
