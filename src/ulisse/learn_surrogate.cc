#include "ulisse/learn_surrogate.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/side_by_side.h"
#include "ulisse/fit_surrogate.h"
#include "ulisse/round_size.h"
#include "ulisse/surrogate_draws.h"

namespace ulisse {

namespace {

// Draws of a round's surrogate: its moments and curvatures are judged by them, and gradients are
// taken at some.
constexpr Index kDraws = 400;
constexpr Index kDrawsForCurvature = 100;
// An attempt at the certificate is worth its gradients where the last round came under so much of
// the goal: its limit is larger than its estimate.
constexpr double kNearTheGoal = 0.7;
// Noisy gradients are taken twice, and their noise decides what a limit is.
constexpr RoundSize kNoisyAttempt{16, 4};
// Each is at a stricter level than the one before.
constexpr long kMaxAttempts = 6;

class Rounds {
 public:
  Rounds(Learning begun, const Teacher& teacher, const LearningOptions& options,
         const SayLearning& report, const SaveLearning& save)
      : l_(std::move(begun)), teacher_(teacher), options_(options), report_(report), save_(save) {}

  Learning run() {
    while (!l_.ended) {
      fit();
      take_gradients();
      judge();
      if (!l_.ended) prepare_next();
      save_(l_);
    }
    if (!l_.certified() && l_.best_error < INFINITY) use(l_.best);
    return std::move(l_);
  }

 private:
  Lessons finite_known() const {
    Lessons known;
    std::copy_if(l_.lessons.begin(), l_.lessons.begin() + l_.known, std::back_inserter(known),
                 [](const Lesson& lesson) { return lesson.is_finite(); });
    return known;
  }

  // Nothing here follows from gradients that are not known yet.
  void fit() {
    report_(fmt::format("learning the posterior from {} gradients", l_.known));
    const Lessons known = finite_known();
    use(fit_surrogate(l_.whitening, known, l_.kernel));
    attempt_ = teacher_.noisy ? noisy_attempt() : exact_attempt(known);
    places_ =
        choose_places(draws_, l_.mean, is_attempt() ? attempt_ : learning_round(draws_.rows()));
  }

  bool is_attempt() const { return attempt_.draws > 0; }
  bool was_near() const { return l_.distance < kNearTheGoal * options_.goal; }

  RoundSize noisy_attempt() const { return was_near() ? kNoisyAttempt : RoundSize{}; }

  // While errors fall fast a round that learns makes the next attempt so much smaller that both
  // take less than a large one. Where an error stays just below the goal the largest may do all the
  // same.
  RoundSize exact_attempt(const Lessons& known) {
    constexpr Index kSmall = 12;
    const bool falls = l_.round == 0 || l_.distance < 0.5 * l_.distance_before;
    const Index most = falls ? kSmall : largest_attempt().draws;
    const RoundSize expected =
        attempt_size(expected_errors(known), options_.goal, level_of(l_.attempts + 1), most);
    const bool stays_near = was_near() && l_.distance_before < kNearTheGoal * options_.goal;
    return expected.draws == 0 && stays_near ? largest_attempt() : expected;
  }

  // What the Gaussian process expects may be too little by a factor that the rounds show; what the
  // last round has measured is an upper limit, since more is known now.
  ExpectedErrors expected_errors(const Lessons& known) {
    constexpr Index kPlaces = 16;
    const Matrix at = draws_(Eigen::all, Eigen::seqN(0, kPlaces, kDraws / kPlaces));
    const Matrix farther = (kFarther * (at.colwise() - l_.mean)).colwise() + l_.mean;
    const auto expected = [&](const Matrix& places) {
      return expected_squared_error(l_.surrogate.kernel(), l_.whitening, known, places);
    };
    expected_ = expected(at);
    return {.squared_error = std::min(l_.squared_error, l_.optimism * expected_),
            .farther_out = std::min(l_.squared_error_farther_out, l_.optimism * expected(farther)),
            .curvature = curvature(known),
            .least_sd = least_sd(),
            .stretch = stretch(l_.whitening, draws_)};
  }

  // With its draws, and their moments.
  void use(Surrogate surrogate) {
    l_.surrogate = std::move(surrogate);
    draws_ = draws_of(l_.surrogate, kDraws, options_.seed, static_cast<std::uint64_t>(l_.round));
    l_.mean = draws_.rowwise().mean();
    const Matrix deviations = draws_.colwise() - l_.mean;
    l_.covariance = deviations * deviations.transpose() / static_cast<double>(kDraws - 1);
  }

  // Two with independent errors at each place of an attempt, unless gradients are exact.
  long repeats() const { return is_attempt() && teacher_.noisy ? 2 : 1; }

  Lesson lesson(std::size_t i) const {
    const Place& place = places_[i / static_cast<std::size_t>(repeats())];
    return teacher_.lesson(l_.whitening.psi(place.v),
                           static_cast<std::uint64_t>(l_.known) + static_cast<std::uint64_t>(i));
  }

  std::string distance_so_far() const {
    if (l_.round == 0 || !std::isfinite(l_.distance)) return "";
    return fmt::format(", distance {:.2g} sd on its way to {:.2g}", l_.distance, options_.goal);
  }

  void take_gradients() {
    const auto wanted = places_.size() * static_cast<std::size_t>(repeats());
    const auto done = l_.lessons.size() - static_cast<std::size_t>(l_.known);
    if (teacher_.side_by_side) {
      if (done > 0) return;  // a round is saved as a whole
      Lessons round(wanted);
      side_by_side(wanted, [&](std::size_t i) { round[i] = lesson(i); });
      l_.lessons.insert(l_.lessons.end(), round.begin(), round.end());
      return;
    }
    for (std::size_t i = done; i < wanted; ++i) {
      report_(fmt::format("learning the posterior: round {}{}{}, gradient {} of {}", l_.round + 1,
                          is_attempt() ? ", to certify" : "", distance_so_far(), i + 1, wanted));
      l_.lessons.push_back(lesson(i));
      save_(l_);
    }
  }

  // Estimates of the squared error of the surrogate's gradient at its draws, or farther out, where
  // gradients that cannot be computed are left out.
  Vector squared_errors(bool at_draws) const {
    std::vector<double> errors;
    const auto each = static_cast<std::size_t>(repeats());
    for (std::size_t i = 0; i < places_.size(); ++i) {
      if (places_[i].is_draw != at_draws) continue;
      const std::size_t at = static_cast<std::size_t>(l_.known) + i * each;
      const Lesson &first = l_.lessons[at], &second = l_.lessons[at + each - 1];
      if (!at_draws && !(first.is_finite() && second.is_finite())) continue;
      double error = squared_error(l_.surrogate, first, second);
      if (teacher_.noisy && each == 1) error -= l_.whitening.noise(first).trace();
      errors.push_back(error);
    }
    return Eigen::Map<const Vector>(errors.data(), static_cast<Index>(errors.size()));
  }

  // Gradients at draws must be known; farther out they are of use where they are.
  Reason::Code what_is_wrong() const {
    const auto known = static_cast<std::size_t>(l_.known);
    for (std::size_t i = known; i < l_.lessons.size(); ++i) {
      const Lesson& lesson = l_.lessons[i];
      const bool at_draw = places_[(i - known) / static_cast<std::size_t>(repeats())].is_draw;
      if (lesson.unfinished > 0) return Reason::Code::gradient_not_converged;
      if (at_draw && !lesson.is_finite()) return Reason::Code::gradient_not_finite;
    }
    return Reason::Code::none;
  }

  double curvature(const Lessons& lessons) const {
    const double of_surrogate = least_curvature(l_.surrogate, draws_.leftCols(kDrawsForCurvature));
    return std::min(of_surrogate, least_curvature(l_.whitening, lessons));
  }

  double least_sd() const {
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(l_.covariance, Eigen::EigenvaluesOnly);
    return std::sqrt(std::max(0.0, eigen.eigenvalues().minCoeff()));
  }

  // Of the k-th attempt; a round that is none is judged like the first.
  static double level_of(long attempt) {
    return 1 - 0.05 / std::pow(2.0, static_cast<double>(std::max(1L, attempt)));
  }

  // Noise, which decides what two noisy gradients say, is not skewed.
  double least_skewness() const {
    return is_attempt() && !teacher_.noisy ? skewness_allowed(attempt_.draws) : kSkewnessOfSquares;
  }

  void judge() {
    const Reason::Code wrong = what_is_wrong();
    if (wrong != Reason::Code::none) return end(wrong);
    const Vector farther = squared_errors(false);
    if (is_attempt()) ++l_.attempts;
    l_.certificate = certify({.squared_errors = squared_errors(true),
                              .squared_error_farther_out = farther.size() > 0 ? farther.mean() : 0,
                              .curvature = curvature(l_.lessons),
                              .least_sd = least_sd(),
                              .stretch = stretch(l_.whitening, draws_),
                              .least_skewness = least_skewness()},
                             level_of(l_.attempts));
    l_.certificate.attempts = l_.attempts;
    l_.distance_before = l_.distance;
    l_.distance = l_.certificate.curvature > 0 ? l_.certificate.distance() : INFINITY;
    remember_errors(farther);
    decide();
  }

  void remember_errors(const Vector& farther) {
    constexpr double kMargin = 2;  // for the next round
    l_.squared_error = std::pow(l_.certificate.error(), 2);
    l_.squared_error_farther_out = farther.size() > 0 ? farther.mean() : INFINITY;
    l_.optimism = kMargin * std::max(1.0, l_.squared_error / expected_);
  }

  void decide() {
    if (is_attempt() && l_.certificate.limit <= options_.goal) return end(Reason::Code::none);
    if (l_.attempts >= kMaxAttempts) return end(Reason::Code::attempts_failed);
    if (!keeps_getting_better()) return end(Reason::Code::no_progress);
    const long taken = l_.gradients() - l_.begun_with;
    if (taken >= options_.most_gradients) return end(Reason::Code::gradients_spent);
    if (gradients_to_go() > 1.5 * static_cast<double>(options_.most_gradients - taken)) {
      end(Reason::Code::too_many_gradients_needed);
    }
  }

  // The best surrogate so far is kept. Where little is known draws may go astray, and what is
  // learnt there makes the next one worse, for a while.
  bool keeps_getting_better() {
    constexpr double kMinGain = 0.95, kNear = 4;
    constexpr long kPatience = 4;
    const double error = l_.certificate.error();
    if (error < kMinGain * l_.best_error) l_.best_round = l_.round;
    if (error < l_.best_error) {
      l_.best_error = error;
      l_.best = l_.surrogate;
    }
    // Near the goal chance decides which round is the best.
    return l_.distance < kNear * options_.goal || l_.round < l_.best_round + kPatience;
  }

  // As the last two rounds have it, from the third on, where the last is the best one.
  double gradients_to_go() const {
    constexpr double kSlowest = 0.5;  // as noise is averaged away
    if (l_.round < 2 || l_.round != l_.best_round || !std::isfinite(l_.distance) ||
        !std::isfinite(l_.distance_before))
      return 0;
    const double more =
        std::log(static_cast<double>(l_.known) / static_cast<double>(l_.known_before));
    const double speed = std::max(kSlowest, std::log(l_.distance_before / l_.distance) / more);
    const double wanted = std::pow(l_.distance / options_.goal, 1 / speed);
    return (wanted - 1) * static_cast<double>(l_.known);
  }

  void end(Reason::Code why_not) {
    l_.ended = true;
    l_.why_not = why_not;
  }

  // The next surrogate knows all gradients, and is whitened by this one's draws. Not by much at
  // once: where little is known yet draws may be far off.
  void prepare_next() {
    constexpr double kMaxShift = 1, kMaxStretch = 1.5;
    const Eigen::SelfAdjointEigenSolver<Matrix> eigen(l_.covariance);
    const Vector values = eigen.eigenvalues()
                              .cwiseMax(1 / (kMaxStretch * kMaxStretch))
                              .cwiseMin(kMaxStretch * kMaxStretch);
    const Matrix covariance =
        eigen.eigenvectors() * values.asDiagonal() * eigen.eigenvectors().transpose();
    const Vector shift = l_.mean * std::min(1.0, kMaxShift / l_.mean.norm());
    l_.whitening = Whitening(l_.whitening.coordinates(), l_.whitening.u(shift),
                             l_.whitening.factor() * Matrix(covariance.llt().matrixL()));
    l_.kernel = l_.surrogate.kernel();
    l_.known_before = l_.known;
    l_.known = l_.gradients();
    ++l_.round;
  }

  Learning l_;
  const Teacher& teacher_;
  const LearningOptions& options_;
  const SayLearning& report_;
  const SaveLearning& save_;
  Matrix draws_;
  RoundSize attempt_;           // of this round
  double expected_ = INFINITY;  // squared error at its draws
  std::vector<Place> places_;
};

}  // namespace

Learning learn(Learning begun, const Teacher& teacher, const LearningOptions& options,
               const SayLearning& report, const SaveLearning& save) {
  return Rounds(std::move(begun), teacher, options, report, save).run();
}

}  // namespace ulisse
