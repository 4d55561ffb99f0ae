#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>

#include "ulisse/covariance.h"
#include "ulisse/model.h"
#include "ulisse/types.h"

namespace ulisse {

class TrendGivenData;  // of src/

// A point where the density cannot be computed is a rejected point for whoever asked: `value` is
// -infinity and `rejection` says why, naming the parameters. Never a crash, never a silent jitter.
struct LogDensity {
  double value;
  Vector gradient;        // empty unless asked for
  std::string rejection;  // empty when all is well
  bool rejected() const { return !rejection.empty(); }
};

// The log posterior of psi with the likelihood by Cholesky: O(n^3) time, O(n^2) memory, exact.
// Thread-safe; the same bits on any number of threads.
class ExactPosterior {
 public:
  // x: (n, d), y: (n). Throws InputError with the gigabytes needed when they are not there.
  ExactPosterior(Model model, const ConstBlock& x, const ConstVector& y);
  ~ExactPosterior();

  const Model& model() const;
  Index size() const;

  // log p(y | psi) + log p(psi), normalised in y and psi.
  LogDensity log_density(const ConstVector& psi) const;
  LogDensity log_density_and_gradient(const ConstVector& psi) const;

  // log p(y | psi) alone.
  LogDensity log_likelihood(const ConstVector& psi) const;

  // The coefficients of the trend given the data and psi; null where the density is rejected, or
  // where the model has no trend.
  std::shared_ptr<const TrendGivenData> trend(const ConstVector& psi) const;

  // The Hessian of the log density by central differences of its gradient. Rejected points make it
  // NaN. `evaluated` is called with the log density after each of the 2p gradients that it takes.
  Matrix hessian(const ConstVector& psi, const std::function<void(double)>& evaluated = {}) const;

 private:
  class Implementation;
  std::unique_ptr<const Implementation> implementation_;
};

struct Mode {
  Vector psi;
  double log_density;
  Vector gradient;    // at psi; small
  Matrix covariance;  // inverse of the observed information at psi; empty when that is not positive
                      // definite
  int evaluations;    // of the log density and its gradient
  bool converged;
  std::string message;  // in words: "converged", or why psi is not a mode
  // The largest of the other modes that the search came upon, and the share of the posterior that
  // all of them hold, by Laplace's method. None: an empty vector and 0.
  Vector other_psi;
  double other_share = 0;
  double second_share = 0;  // of other_psi alone
};

// The Newton step that is left at mode.psi, in posterior standard deviations; not a number where
// there is no covariance. Rounding ends searches at some 0.01 where there is hardly any noise.
double distance_from_mode(const Mode& mode);

// Closer than this a place is a mode for all that is done with it: chains that start there, steps
// that are scaled to it, predictions.
constexpr double kNearMode = 0.1;

// What find_mode has done so far, for who waits: told as a stage begins and after each evaluation.
struct ModeProgress {
  enum class Stage { starting_points, climb, other_modes, hessian };
  Stage stage = Stage::starting_points;
  Index rows = 0;       // that an evaluation of this stage takes
  int evaluations = 0;  // of this stage
  double log_density = -std::numeric_limits<double>::infinity();  // the best of this stage
};
using ModeObserver = std::function<void(const ModeProgress&)>;

// Of several tops between which the density hardly falls: the highest, or the one around which most
// of the mass is, by Laplace's method.
enum class Top { highest, heaviest };

struct ModeSearch {
  Top top = Top::highest;
  bool far = true;  // with several length scales, look for other modes far from the best
};

// Climbs from a few starting points on a small subset, then from where these climbs ended on all
// the data, unless they ended where others did or far below them. Other modes far from the best are
// looked for on a subset first.
// Throws InputError when no starting point has a density.
Mode find_mode(const ExactPosterior& posterior, const ConstBlock& x, const ConstVector& y,
               const ModeObserver& observer = {}, const ModeSearch& search = {});

// `count` of 0, ..., n - 1 without repetition, rising. All of them when count >= n.
Indices random_subset(Index n, Index count, std::uint64_t seed);

}  // namespace ulisse
