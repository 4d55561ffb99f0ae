#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/watch.h"
#include "solve/check_system.h"
#include "solve/column_set.h"
#include "solve/column_work.h"
#include "solve/solve_summary.h"
#include "ulisse/solve.h"

namespace ulisse {

namespace {

// Squares underflow below 1e-154 and overflow above 1e154; what is not zero must not come out as
// zero.
double safe_norm(double norm, const ConstVector& v) {
  return norm > 1e-150 && norm < 1e150 ? norm : v.stableNorm();
}

double safe_norm(const ConstVector& v) { return safe_norm(v.norm(), v); }

// One solve of a block. Vectors of the active columns stand side by side in p_, q_, r_, z_, so that
// they share products; active_[k] is the column of b and x that stands at k.
class BlockSolve {
 public:
  BlockSolve(const LinearOperator& a, const LinearOperator* preconditioner, const ConstBlock& b,
             Block x, const CgOptions& options)
      : a_(a), preconditioner_(preconditioner), b_(b), x_(x), options_(options) {
    summary_.columns.resize(static_cast<std::size_t>(b.cols()));
    state_.resize(summary_.columns.size());
    for (Index c = 0; c < b.cols(); ++c) {
      active_.push_back(c);
      state_[c].tolerance = options.tolerance + options.relative_tolerance * safe_norm(b.col(c));
    }
  }

  SolveSummary run() {
    start();
    const int limit = iteration_limit();
    WatchStep watched;
    for (int iteration = 1; !active_.empty() && iteration <= limit; ++iteration) {
      watched.say([&] { return how_far(iteration, limit); });
      step(iteration);
    }
    for (const Index c : active_) summary_.columns[c].stop = Stop::iteration_limit;
    add_up_columns(summary_);
    return summary_;
  }

 private:
  struct ColumnState {
    double tolerance = 0;
    double curvature = 0;          // p'Ap
    double slope = 0;              // r'p
    double checked_at = INFINITY;  // residual norm when the true one was last computed
    double best_true = INFINITY;   // smallest true residual so far, within a factor of 2
    bool start_afresh = false;     // the next direction forgets the last
    int fruitless_checks = 0;      // see accept_true_residual
  };

  int iteration_limit() const {
    if (options_.max_iterations > 0) return options_.max_iterations;
    return static_cast<int>(std::min<Index>(10 * a_.size(), 1'000'000));
  }

  // By the column that is farthest from its tolerance.
  std::string how_far(int iteration, int limit) const {
    Index worst = 0;
    const auto ratio = [&](Index k) { return column(k).residual / state(k).tolerance; };
    for (Index k = 1; k < static_cast<Index>(active_.size()); ++k) {
      if (ratio(k) > ratio(worst)) worst = k;
    }
    return fmt::format("iteration {} of at most {}, residual {:.1e} on its way to {:.1e}",
                       iteration, limit, column(worst).residual, state(worst).tolerance);
  }

  // r = b - A x, with no product when x is zero; p = z.
  void start() {
    r_ = (x_.array() == 0).all() ? Matrix(b_) : true_residuals(active_);
    for (Index k = 0; k < r_.cols(); ++k) {
      column(k).residual = state(k).checked_at = safe_norm(r_.col(k));
    }
    drop_columns([&](Index k) { return needs_no_step(k); });
    precondition();
    p_ = z_;
    const Vector slopes = column_dots(r_, p_);
    for (Index k = 0; k < p_.cols(); ++k) state(k).slope = slopes(k);
  }

  bool needs_no_step(Index k) {
    if (!std::isfinite(column(k).residual)) return fail(k, "the residual is not finite");
    if (column(k).residual < state(k).tolerance || column(k).residual == 0) return true;
    if (options_.observer == nullptr || options_.observer->start(active_[k], column(k).residual)) {
      return false;
    }
    column(k).stop = Stop::truncated;
    return true;
  }

  void step(int iteration) {
    q_.resize(p_.rows(), p_.cols());
    a_.apply(p_, q_);
    ++summary_.products;
    const Vector curvatures = column_dots(p_, q_);
    for (Index k = 0; k < p_.cols(); ++k) state(k).curvature = curvatures(k);
    drop_columns([&](Index k) { return has_bad_curvature(k); });
    move(iteration);
    check_residuals(iteration);
    drop_columns([&](Index k) { return has_finished(k); });
    if (active_.empty()) return;
    precondition();
    turn();
  }

  // p'Ap and r'p are positive for positive definite A and preconditioner, where there is a
  // residual.
  bool has_bad_curvature(Index k) {
    const ColumnState& s = state(k);
    if (s.curvature > 0 && s.slope > 0 && std::isfinite(s.curvature) && std::isfinite(s.slope))
      return false;
    return fail(k, fmt::format("p'Ap = {:.3g}, r'p = {:.3g}", s.curvature, s.slope));
  }

  // x += alpha p, r -= alpha A p with alpha = r'p / p'Ap, the best step along p whatever p is: r'z,
  // which equals r'p in exact arithmetic, would be wrong after a residual was replaced.
  void move(int iteration) {
    Vector alpha(p_.cols());
    for (Index k = 0; k < p_.cols(); ++k) alpha(k) = state(k).slope / state(k).curvature;
    const Vector squares =
        sum_by_column(p_.rows(), p_.cols(), [&](Index first, Index count, Index k) {
          const auto piece = Eigen::seqN(first, count);
          x_(piece, active_[k]) += alpha(k) * p_(piece, k);
          r_(piece, k) -= alpha(k) * q_(piece, k);
          return r_(piece, k).squaredNorm();
        });
    for (Index k = 0; k < p_.cols(); ++k) {
      column(k).residual = safe_norm(std::sqrt(squares(k)), r_.col(k));
      column(k).iterations = iteration;
      if (options_.observer != nullptr) tell_observer(k, iteration, alpha(k));
    }
  }

  void tell_observer(Index k, int iteration, double alpha) {
    if (!options_.observer->update(active_[k], iteration, alpha, p_.col(k), column(k).residual)) {
      column(k).stop = Stop::truncated;
    }
  }

  // True residuals where they are due: now and then, after a drop, and to confirm convergence.
  void check_residuals(int iteration) {
    Indices due, columns;
    for (Index k = 0; k < r_.cols(); ++k) {
      if (!residual_is_due(k, iteration)) continue;
      due.push_back(k);
      columns.push_back(active_[k]);
    }
    if (due.empty()) return;
    const Matrix residuals = true_residuals(columns);
    for (std::size_t i = 0; i < due.size(); ++i)
      accept_true_residual(due[i], residuals.col(static_cast<Index>(i)));
  }

  bool residual_is_due(Index k, int iteration) const {
    if (column(k).stop == Stop::truncated) return false;
    const double residual = column(k).residual;
    if (residual < state(k).tolerance) return options_.verify;
    if (options_.check_every > 0 && iteration % options_.check_every == 0) return true;
    return options_.check_drop > 0 && residual < options_.check_drop * state(k).checked_at;
  }

  // The recurrence is replaced only where it has drifted: doing so every 50 iterations regardless
  // costs the memory of the directions so far (Concrete without preconditioner: 560 iterations, not
  // 448).
  //
  // A check is fruitless when the recurrence had drifted and the true residual is hardly better
  // than before: after a few the arithmetic has reached its limit. Checks without drift in between
  // count neither way: at the limit residuals go up and down, and a long plateau is no limit.
  void accept_true_residual(Index k, const ConstVector& residual) {
    ColumnState& s = state(k);
    const double norm = safe_norm(residual);
    const bool drifted = (residual - r_.col(k)).norm() > kDrift * norm;
    if (norm < 0.5 * s.best_true) {
      s.best_true = norm;
      s.fruitless_checks = 0;
    } else if (drifted) {
      ++s.fruitless_checks;
    }
    s.checked_at = norm;
    column(k).residual = norm;
    s.start_afresh = drifted;
    if (drifted) r_.col(k) = residual;
  }

  bool has_finished(Index k) {
    ColumnSummary& c = column(k);
    if (c.stop == Stop::truncated) return true;
    if (!std::isfinite(c.residual)) return fail(k, "the residual is not finite");
    if (c.residual < state(k).tolerance || c.residual == 0) return true;
    if (state(k).fruitless_checks < kFruitlessChecks) return false;
    c.stop = Stop::stagnation;
    note(k, fmt::format("the residual stays near {:.3g}, the limit of the arithmetic",
                        state(k).best_true));
    return true;
  }

  // p = z + beta p with beta = -z'Ap / p'Ap, which makes p conjugate to the last direction even
  // when the preconditioner varies; otherwise it equals the usual ratio of r'z. After a drift p =
  // z: the old directions belong to another system (float products on Concrete without
  // preconditioner: 700 iterations instead of 1,000 to 3,000).
  void turn() {
    const Vector dots = column_dots(z_, q_);
    Vector beta(p_.cols());
    for (Index k = 0; k < p_.cols(); ++k) {
      beta(k) = state(k).start_afresh ? 0 : -dots(k) / state(k).curvature;
      state(k).start_afresh = false;
    }
    const Vector slopes =
        sum_by_column(p_.rows(), p_.cols(), [&](Index first, Index count, Index k) {
          const auto piece = Eigen::seqN(first, count);
          p_(piece, k) = z_(piece, k) + beta(k) * p_(piece, k);
          return r_(piece, k).dot(p_(piece, k));
        });
    for (Index k = 0; k < p_.cols(); ++k) state(k).slope = slopes(k);
  }

  void precondition() {
    if (preconditioner_ == nullptr) {
      z_ = r_;
      return;
    }
    z_.resize(r_.rows(), r_.cols());
    if (z_.cols() > 0) preconditioner_->apply(r_, z_);
  }

  // b - A x for some columns of b.
  Matrix true_residuals(const Indices& columns) {
    Matrix product = gather(x_, columns);
    const bool by_exact = options_.exact != nullptr;
    (by_exact ? *options_.exact : a_).apply(product, product);
    ++(by_exact ? summary_.exact_products : summary_.products);
    return gather(b_, columns) - product;
  }

  // Removes the active columns for which done(k) holds, keeping the order of the rest.
  template <class Done>
  void drop_columns(const Done& done) {
    Indices keep;
    for (Index k = 0; k < static_cast<Index>(active_.size()); ++k) {
      if (!done(k)) keep.push_back(k);
    }
    if (keep.size() == active_.size()) return;
    for (Matrix* m : {&p_, &q_, &r_, &z_}) keep_columns(*m, keep);
    for (std::size_t k = 0; k < keep.size(); ++k) active_[k] = active_[keep[k]];
    active_.resize(keep.size());
  }

  bool fail(Index k, const std::string& why) {
    column(k).stop = Stop::breakdown;
    note(k, "not positive definite in floating point: " + why);
    return true;
  }

  void note(Index k, const std::string& text) {
    if (!summary_.message.empty()) return;
    summary_.message =
        fmt::format("column {}, iteration {}: {}", active_[k], column(k).iterations, text);
  }

  ColumnSummary& column(Index k) { return summary_.columns[active_[k]]; }
  const ColumnSummary& column(Index k) const { return summary_.columns[active_[k]]; }
  ColumnState& state(Index k) { return state_[active_[k]]; }
  const ColumnState& state(Index k) const { return state_[active_[k]]; }

  static constexpr int kFruitlessChecks = 5;
  static constexpr double kDrift = 0.1;

  const LinearOperator& a_;
  const LinearOperator* preconditioner_;
  const ConstBlock& b_;
  Block x_;
  const CgOptions& options_;
  Indices active_;
  std::vector<ColumnState> state_;  // by column of b
  Matrix p_, q_, r_, z_;            // (n, active)
  SolveSummary summary_;
};

}  // namespace

SolveSummary conjugate_gradients(const LinearOperator& a, const LinearOperator* preconditioner,
                                 const ConstBlock& b, Block x, const CgOptions& options) {
  check_sizes(a, preconditioner, b, x);
  check_tolerances(options);
  return BlockSolve(a, preconditioner, b, x, options).run();
}

}  // namespace ulisse
