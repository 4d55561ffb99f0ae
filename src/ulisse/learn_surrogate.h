#pragma once

#include <string>

#include "ulisse/certificate.h"
#include "ulisse/reason.h"
#include "ulisse/teacher.h"

namespace ulisse {

struct LearningOptions {
  double goal = 0.05;       // the certificate's limit, in posterior standard deviations
  long most_gradients = 0;  // beyond those that it begins with
  std::uint64_t seed = 1;
};

// What is being learnt: everything that the next round follows from, and the round's own gradients
// so far.
struct Learning {
  Whitening whitening;
  SurrogateKernel kernel;
  Lessons lessons;
  long known = 0;  // of them, that the surrogate of this round has learnt from
  long begun_with = 0;
  long round = 0;
  long attempts = 0;                                       // at the certificate
  double distance = INFINITY, distance_before = INFINITY;  // estimated at the last rounds' ends
  long known_before = 0;
  // At the end of the last round, of the surrogate it had: squared errors at its draws and farther
  // out, and how often larger than the Gaussian process has it they may be in the next one.
  double squared_error = INFINITY, squared_error_farther_out = INFINITY, optimism = 4;
  Surrogate best;  // with the least error of its gradients so far, and the round
  double best_error = INFINITY;
  long best_round = 0;
  // At the end:
  bool ended = false;
  Reason::Code why_not = Reason::Code::none;  // it could not be certified
  Surrogate surrogate;
  Certificate certificate;
  Matrix covariance;  // of the surrogate's draws, whitened
  Vector mean;
  // Of proposals by one that is not certified, as expected; not a number before that was asked.
  double proposal_acceptance = NAN;

  bool certified() const { return ended && why_not == Reason::Code::none; }
  long gradients() const { return static_cast<long>(lessons.size()); }
  bool fits(Index rows, Index parameters) const;

  template <class V>
  void fields(V& v) {
    v("whitening", whitening);
    v("kernel", kernel);
    v("lessons", lessons);
    v("known", known);
    v("begun_with", begun_with);
    v("round", round);
    v("attempts", attempts);
    v("distance", distance);
    v("distance_before", distance_before);
    v("known_before", known_before);
    v("squared_error", squared_error);
    v("squared_error_farther_out", squared_error_farther_out);
    v("optimism", optimism);
    v("best", best);
    v("best_error", best_error);
    v("best_round", best_round);
    v("ended", ended);
    auto code = static_cast<long>(why_not);
    v("why_not", code);
    why_not = static_cast<Reason::Code>(code);
    v("surrogate", surrogate);
    v("certificate", certificate);
    v("covariance", covariance);
    v("mean", mean);
    v("proposal_acceptance", proposal_acceptance);
  }
};

// From gradients that are known already, in the coordinates of a survey; those far away are left
// out.
Learning begin_learning(const Whitening& whitening, const Lessons& lessons);

// Learns on until the certificate reaches its goal, or what it would take is more than may be.
// Each round fits the surrogate, takes gradients at fresh draws of it (and at some farther out,
// where tails are learnt), and compares them with the surrogate's. Rounds that are expected to
// reach the goal are announced before their gradients are known, the first one, too: their
// comparison is an attempt at the certificate, the k-th at the nominal level 1 - 0.05 / 2^k. How
// many gradients an attempt takes follows from how far under the goal it is expected to come.
// `report` says how far it is; `save` is called when there is something new.
using SayLearning = std::function<void(const std::string&)>;
using SaveLearning = std::function<void(const Learning&)>;
Learning learn(Learning begun, const Teacher& teacher, const LearningOptions& options,
               const SayLearning& report, const SaveLearning& save);

}  // namespace ulisse
