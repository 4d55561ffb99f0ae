#pragma once

#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ulisse/dataset.h"
#include "ulisse/diagnose.h"
#include "ulisse/findings.h"
#include "ulisse/model.h"
#include "ulisse/option.h"
#include "ulisse/reason.h"

// A whole fit: from a table and a model to draws of the posterior, as `ulisse fit` makes it.
//
//   const Dataset data = read_csv("concrete.csv", {.target = "strength"});
//   const Fit fit = ulisse::fit(data, make_model("rbf", data), {.settings = {{"draws", 500L}}});
//   std::cout << summary_text(fit);
namespace ulisse {

struct FitOptions {
  std::string sampler = {};  // a name, or "auto"; empty: auto, or that of a fit that goes on
  std::string preset = {};   // of settings; empty: the default one, or that of a fit that goes on
  // Settings by their keys, of the run (chains, warmup, draws, seed, ...) or of the sampler. What
  // is not here is as sampler and preset say for a table of so many rows.
  OptionValues settings = {};
  // Inputs and target; by default yes, or as a fit that goes on has it.
  std::optional<bool> standardise = {};

  // Where the fit is written while it runs, so that it survives a crash. Empty: the fit is kept in
  // memory; a folder for temporary files is used while it runs.
  std::string folder = {};
  bool resume = false;     // goes on with the fit in the folder
  bool replace = false;    // the fit in the folder, once the new one's mode is found
  bool keep_data = true;   // in the folder, so that it is enough to predict
  char separator = ',';    // of the file that the data come from, if it has to be read again
  bool header = true;      // whether that has one
  double time_limit = 0;   // seconds of this run; 0: none
  std::size_t memory = 0;  // bytes that matrices may use; 0: half of the machine's
};

// What one chain did in the last round of its draws; means over the round. NaN in warm-up.
struct ChainProgress {
  bool warming_up = true;
  double step_size = 0;
  double acceptance, log_density, gradients;
  long divergent = 0;   // since the run began
  std::string details;  // of a sampler on stochastic gradients: ", 5.1 products an iteration"
};

struct FitProgress {
  bool warming_up = true;
  long iteration = 0, draws = 0, draws_left = 0;  // of each chain
  double seconds = 0;                             // of warm-up, or of sampling
  long ess_goal = 0;  // effective samples for which chains go on; 0: they make a number of draws
  double ess = NAN;   // the fewest of a parameter when the draws were last looked at
  // Each parameter on its natural scale, (draws, chains); where there are many draws, every second
  // or fourth, ... of them alone. Only for as long as the call takes.
  const std::vector<Matrix>& theta;
  std::vector<ChainProgress> chains;
};

// Sees a fit grow. Calls come on the thread that called fit(), but for wants_stop(), which any of
// the fit's threads asks every few milliseconds.
class FitObserver {
 public:
  virtual ~FitObserver() = default;
  virtual void sampler_chosen(const std::string& /*name*/, const Reason& /*reason*/) {}
  virtual void stage(const std::string& /*words*/) {}
  virtual void progress(const FitProgress& /*now*/) {}
  virtual void waiting() {}  // now and then between two calls of progress()
  virtual bool wants_stop() const { return false; }
};

// How a run ended. replaced_nothing: it was stopped before it had what was to replace another fit,
// which is as it was.
enum class FitEnd { complete, interrupted, out_of_time, was_complete, replaced_nothing };

// A fit, whether it was made by this program, is kept in memory, or was read from a folder.
class Fit {
 public:
  struct Contents;  // of src/
  explicit Fit(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}

  FitEnd end() const;  // of the run that made it; of one that was read, by its status
  const std::string& status() const;  // complete, interrupted, running, killed
  const std::string& folder() const;  // empty where it is kept in memory
  const std::string& sampler() const;
  const std::vector<std::string>& notes() const;  // on the data

  std::vector<std::string> parameters() const;
  // What follows from them in the units of the table: signal_sd, noise_sd, lengthscale.1, ..., and
  // with a trend trend.intercept, ...
  std::vector<std::string> quantities() const;
  Index chains() const;
  Index draws() const;  // of each chain
  // Of a parameter on its natural scale, or of a quantity, (draws, chains). Throws
  // std::invalid_argument for an unknown name.
  const Matrix& draws_of(const std::string& name) const;

  const Contents& contents() const { return *contents_; }

 private:
  std::shared_ptr<const Contents> contents_;
};

// The priors of a preset, but for the parameters that `given` sets, then those given: for
// make_model(). That of the paper's preset is gamma(1,0.1) for each parameter.
std::vector<std::string> priors_of(const std::string& preset,
                                   const std::vector<std::string>& given = {});

// Samples the posterior. The same data, model, options and seed give the same draws, bit for bit,
// on any number of threads. Throws InputError for what the caller can mend, and Interrupted where
// the observer wanted it to stop before there was anything to keep.
Fit fit(const Dataset& data, const Model& model, const FitOptions& options = {},
        FitObserver* observer = nullptr);

// Throw InputError where there is no fit, or where it is damaged.
Fit load_fit(const std::string& folder);

// The same with the files of a folder in memory, as files_of() gives them.
Fit load_fit(const std::map<std::string, std::string>& files);

// The files that load_fit() reads, by their names: all but those of a set-up, which may be large
// and are of use only where a fit goes on. One without them makes its set-up again, and goes on
// with the same draws.
std::map<std::string, std::string> files_of(const Fit& fit);

// Writes them to a folder, which is made and must be empty; with the set-up's, where the fit has a
// folder. Throws InputError and OutputError.
void save_fit(const Fit& fit, const std::string& folder);

// How far correlation reaches along an input, in that input's own units: quantiles over the draws.
struct LengthScale {
  std::string input;
  double q5, q50, q95;
};

// What the draws say about the posterior, and what is wrong with them.
struct Summary {
  std::string sampler, status;
  long chains = 0, draws = 0, warmup = 0;                  // draws of each chain
  std::vector<diagnose::ParameterSummary> parameters;      // on the natural scale
  std::vector<diagnose::ParameterSummary> log_parameters;  // of psi = log(theta)
  std::vector<diagnose::ParameterSummary> quantities;      // in the units of the table
  std::vector<LengthScale> length_scales;
  Findings findings;
  double seconds_setup = 0, seconds_warmup = 0, seconds_sampling = 0,
         seconds_per_independent_sample = 0;
};
Summary summarise(const Fit& fit);

// The same as a table with a sentence for each finding, and as JSON: what `ulisse summary` prints.
std::string summary_text(const Fit& fit);
std::string summary_json(const Fit& fit);

// One HTML file that shows the fit; with `predictions`, a file that `ulisse predict` wrote, these
// too. Throws InputError and OutputError.
void write_report(const Fit& fit, const std::string& file, const std::string& predictions = {});

}  // namespace ulisse
