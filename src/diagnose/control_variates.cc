#include "diagnose/control_variates.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "ulisse/diagnose.h"

namespace ulisse::diagnose {

namespace {

// Shares of the error of the draws alone. Above the first an error is smaller by less than its own
// estimate is uncertain. Above the second more than a quarter of the variance of squares is left:
// that of tails which are no polynomial, such as those of exp(psi). With 0.8 for these, too,
// z-scores of standard deviations had a root mean square of 1.6, where those of the draws had 1.2.
constexpr double kWorthwhile = 0.8, kWorthwhileOfSquares = 0.5;

// Folds of a single chain; of several each is one.
constexpr Index kFoldsOfOneChain = 4;

// So many draws for each coefficient, or terms of second degree are left out.
constexpr Index kDrawsOfACoefficient = 4;

// So many numbers take 160 MB, or terms of second degree are left out, too.
constexpr double kMostNumbers = 2e7;

// Of the sums of squares of controls of unit variance: for those that others determine.
constexpr double kRidge = 1e-9;

Matrix symmetric(const Matrix& a) { return a + a.transpose(); }

// The upper triangle, row after row.
void put_triangle(const Matrix& a, Eigen::Ref<Vector> out) {
  Index k = 0;
  for (Index i = 0; i < a.rows(); ++i) {
    for (Index j = i; j < a.cols(); ++j) out(k++) = a(i, j);
  }
}

// Both families of one chain, a column for each draw but the last.
struct Terms {
  Matrix gradient;         // (parameters, draws - 1)
  Matrix stein, of_chain;  // (pairs, draws - 1)
};

// z is moved by `centre`, and measured in `scale`.
Terms terms_of(const LangevinPath& path, const Vector& centre, const Vector& scale) {
  const Index p = centre.size(), n = path.place.rows() - 1;
  const auto unit = scale.cwiseInverse().asDiagonal();
  const Matrix z = unit * (path.place.transpose().colwise() - centre);
  const Matrix c = unit * path.noise.transpose();
  const Matrix metric = unit * path.metric * unit, injected = unit * path.injected * unit;
  const Matrix d = z.rightCols(n) - z.leftCols(n) - 0.5 * (c.leftCols(n) + c.rightCols(n));
  const double quarter = path.step / 4;
  Terms terms{.gradient = metric.llt().solve(d) / (2 * quarter),
              .stein = Matrix(p * (p + 1) / 2, n),
              .of_chain = Matrix(p * (p + 1) / 2, n)};
  for (Index t = 0; t < n; ++t) {
    const Vector zt = z.col(t), ct = c.col(t), dt = d.col(t), gt = terms.gradient.col(t);
    put_triangle(0.5 * symmetric(zt * gt.transpose()) + Matrix::Identity(p, p), terms.stein.col(t));
    const Matrix one_step =
        symmetric((zt + 0.5 * ct) * dt.transpose()) + dt * dt.transpose() + injected;
    const Matrix independent = symmetric(ct * zt.transpose()) - injected;
    put_triangle((one_step + quarter * independent) / (4 * quarter * (1 - quarter)),
                 terms.of_chain.col(t));
  }
  return terms;
}

Matrix stacked(const std::vector<Matrix>& columns_of_chains) {
  Index rows = 0;
  for (const Matrix& each : columns_of_chains) rows += each.cols();
  Matrix all(rows, columns_of_chains.front().rows());
  Index row = 0;
  for (const Matrix& each : columns_of_chains) {
    all.middleRows(row, each.cols()) = each.transpose();
    row += each.cols();
  }
  return all;
}

// Centre and scale of all chains' places.
std::pair<Vector, Vector> scale_of(const std::vector<LangevinPath>& paths) {
  const Index p = paths.front().place.cols();
  Vector centre(p), scale(p);
  for (Index j = 0; j < p; ++j) {
    Matrix place(paths.front().place.rows(), static_cast<Index>(paths.size()));
    for (std::size_t c = 0; c < paths.size(); ++c) {
      place.col(static_cast<Index>(c)) = paths[c].place.col(j);
    }
    centre(j) = mean(place);
    scale(j) = sd(place);
  }
  return {centre, scale};
}

void require_alike(const std::vector<LangevinPath>& paths) {
  for (const LangevinPath& path : paths) {
    const bool alike = path.place.rows() == paths.front().place.rows() &&
                       path.place.cols() == paths.front().place.cols() &&
                       path.noise.rows() == path.place.rows() &&
                       path.noise.cols() == path.place.cols() && path.place.rows() > 1;
    if (!alike) throw std::invalid_argument("paths of chains differ in size");
  }
}

}  // namespace

ControlVariates::ControlVariates(const std::vector<LangevinPath>& paths)
    : length_(paths.front().place.rows() - 1), chains_(static_cast<Index>(paths.size())) {
  require_alike(paths);
  rows_of_fold_ = chains_ > 1 ? length_ : (length_ + kFoldsOfOneChain - 1) / kFoldsOfOneChain;
  const auto [centre, scale] = scale_of(paths);
  std::vector<Matrix> linear, stein, of_chain;
  for (const LangevinPath& path : paths) {
    Terms terms = terms_of(path, centre, scale);
    linear.push_back(std::move(terms.gradient));
    stein.push_back(std::move(terms.stein));
    of_chain.push_back(std::move(terms.of_chain));
  }
  const Matrix gradient = stacked(linear);
  const Index p = gradient.cols(), rows = gradient.rows();
  add_family(gradient);
  const Index count = p * (p + 3) / 2;
  if (rows - rows_of_fold_ < kDrawsOfACoefficient * (count + 1)) return;
  if (static_cast<double>(rows) * static_cast<double>(count) > kMostNumbers) return;
  for (const auto* pairs : {&stein, &of_chain}) {
    Matrix controls(rows, count);
    controls << gradient, stacked(*pairs);
    add_family(std::move(controls));
  }
}

// Their scale is made 1; they are not centred, since their expectation is known to be 0. The column
// of ones is that of the constant, which is not taken off.
void ControlVariates::add_family(Matrix controls) {
  const Index rows = controls.rows(), count = controls.cols();
  for (Index j = 0; j < count; ++j) {
    const double scale = std::sqrt(controls.col(j).squaredNorm() / static_cast<double>(rows));
    if (scale > 0) controls.col(j) /= scale;
  }
  Family family{.controls = Matrix(rows, count + 1), .without_fold = {}};
  family.controls << controls, Vector::Ones(rows);
  const Matrix all = family.controls.transpose() * family.controls;
  for (Index begin = 0; begin < rows; begin += rows_of_fold_) {
    const auto fold = family.controls.middleRows(begin, std::min(rows_of_fold_, rows - begin));
    Matrix others = all - fold.transpose() * fold;
    others.diagonal().array() += kRidge * static_cast<double>(rows);
    family.without_fold.emplace_back(others);
  }
  families_.push_back(std::move(family));
}

Vector ControlVariates::residuals(const Family& family, const Vector& values) const {
  const Index rows = family.controls.rows(), count = family.controls.cols() - 1;
  const Vector all = family.controls.transpose() * values;
  Vector left = values;
  for (Index begin = 0; begin < rows; begin += rows_of_fold_) {
    const Index size = std::min(rows_of_fold_, rows - begin);
    const auto fold = family.controls.middleRows(begin, size);
    const Vector others = all - fold.transpose() * values.segment(begin, size);
    const Vector coefficients =
        family.without_fold[static_cast<std::size_t>(fold_of(begin))].solve(others);
    left.segment(begin, size) -= fold.leftCols(count) * coefficients.head(count);
  }
  return left;
}

// The estimate with the least error, if that is worthwhile.
ControlledEstimate ControlVariates::mean_of(const ConstBlock& values, double worthwhile) const {
  ControlledEstimate best{mean(values), mcse_mean(values)};
  const double plain = best.error;
  const Vector used = values.topRows(length_).reshaped();
  const auto consider = [&](const Vector& left, double bias) {
    const auto of_chains = left.reshaped(length_, chains_);
    const double error = std::hypot(mcse_mean(of_chains), bias);
    if (error < worthwhile * plain && (!best.controlled || error < kWorthwhile * best.error)) {
      best = {mean(of_chains), error, true};
    }
  };
  consider(residuals(families_[0], used), 0);
  if (families_.size() == 3) {
    const Vector stein = residuals(families_[1], used), of_chain = residuals(families_[2], used);
    consider(0.5 * (stein + of_chain), 0.5 * std::abs(stein.mean() - of_chain.mean()));
  }
  return best;
}

ControlledMoments ControlVariates::moments(const ConstBlock& draws) const {
  const double plain_mean = diagnose::mean(draws);
  ControlledMoments found{.mean = mean_of(draws, kWorthwhile),
                          .sd = {diagnose::sd(draws), mcse_sd(draws), false}};
  const Matrix squares = (draws.array() - plain_mean).square();
  const ControlledEstimate about = mean_of(squares, kWorthwhileOfSquares);
  const double variance = about.value - std::pow(found.mean.value - plain_mean, 2);
  if (!about.controlled || !(variance > 0)) return found;
  const double deviation = std::sqrt(variance);
  found.sd = {deviation, about.error / (2 * deviation), true};
  return found;
}

}  // namespace ulisse::diagnose
