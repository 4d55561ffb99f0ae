#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/clock.h"
#include "fit/chains.h"
#include "fit/draw_goal.h"
#include "fit/drawn_quantities.h"
#include "fit/folder.h"
#include "fit/run_fit.h"
#include "fit/saved_run.h"
#include "fit/thinned_draws.h"

namespace ulisse {

// Of a request, and of its scaling.
Quantities quantities_of(const FitRequest& request, const Standardisation& scaling);

// What the saved files of a request must agree with.
SavedRunLimits limits_of(const FitRequest& request, const nlohmann::ordered_json& description);

// Runs chains that are ready, and writes draws and checkpoints between the rounds.
class FitRun : public RunObserver {
 public:
  FitRun(const FitRequest& request, nlohmann::ordered_json description, FitChains& chains,
         const DrawnQuantities& quantities, FitObserver& observer);

  // Goes on from the last checkpoint, whose states the chains have been given: what files have
  // beyond it is cut off.
  void restore(const SavedRun& saved);

  FitEnd run();

  void warmup(int chain, std::span<const Transition> iterations) override;
  void warmup_ended(const RunState& state) override;
  void draws(int chain, std::span<const Transition> draws) override;
  bool round_ended(const RunState& state) override;

 private:
  int count() const { return static_cast<int>(chains_.chains().size()); }
  SavedRunLimits limits() const { return limits_of(request_, json_); }
  bool draw();
  bool goes_on();
  void go_back_to_checkpoint();
  void save();
  void open_warmup();
  void finish_warmup(const RunState& state);
  void reopen(int chain, const SavedRun& saved);
  Matrix columns_behind(int chain, std::span<const Transition> draws) const;
  void tell_observer(const RunState& state);
  ChainHeader header(int chain, const RunState& state) const;
  void write_json(const std::string& status);
  ChainRecord describe_chain(int c) const;

  const FitRequest& request_;
  FitFolder folder_;
  nlohmann::ordered_json json_;
  FitChains& chains_;
  RunPlan plan_;  // theirs, up to the next look at the draws
  DrawsUntilGoal until_;
  const DrawnQuantities& quantities_;
  // Or an older version began the files, without.
  bool with_quantities_ = true, with_noise_ = true;
  FitObserver& observer_;
  ThinnedDraws draws_;                           // for the observer
  std::vector<ChainProgress> progress_;          // of each chain
  std::vector<ChainFile> files_, warmup_files_;  // the latter while warm-up is saved
  RunState state_;
  double started_at_ = seconds_now(), saved_at_ = seconds_now(), round_began_at_ = seconds_now();
};

}  // namespace ulisse
