#include "ulisse/trace_samples.h"

#include <Eigen/QR>
#include <algorithm>
#include <stdexcept>

#include "posterior/column_mean.h"

namespace ulisse {

namespace {

void append(Matrix& all, const Matrix& more) {
  if (all.cols() == 0) {
    all = more;
    return;
  }
  all.conservativeResize(Eigen::NoChange, all.cols() + more.cols());
  all.rightCols(more.cols()) = more;
}

}  // namespace

MeanEstimate regressed_mean(const Matrix& samples, const Matrix& controls,
                            const Vector& expectation) {
  const Index count = samples.cols();
  if (count < controls.rows() + 2)
    throw std::invalid_argument("too few samples for so many controls");
  const Vector mean = samples.rowwise().mean(), of_controls = controls.rowwise().mean();
  const Matrix centred = controls.colwise() - of_controls;
  const Eigen::CompleteOrthogonalDecomposition<Matrix> factors(centred.transpose());
  const Matrix inverse = factors.pseudoInverse();  // controls may be constant, or repeat each other
  const Matrix slopes = inverse * (samples.colwise() - mean).transpose();
  const Vector apart = expectation - of_controls;
  const Matrix left = (samples.colwise() - mean) - slopes.transpose() * centred;
  // The slopes' own error counts as far as the controls' mean is from what it should be.
  const double leverage =
      (inverse.transpose() * apart).squaredNorm() + 1 / static_cast<double>(count);
  return {.value = mean + slopes.transpose() * apart,
          .covariance =
              leverage / static_cast<double>(count - 1 - factors.rank()) * left * left.transpose(),
          .slopes = slopes};
}

void TraceSamples::add(const Matrix& more_traces, const Matrix& more_controls) {
  append(traces, more_traces);
  append(controls, more_controls);
}

MeanEstimate TraceSamples::mean() const {
  if (controls.cols() > 0) return regressed_mean(traces, controls, expectation);
  return {.value = traces.rowwise().mean(), .covariance = covariance_of_mean(traces), .slopes = {}};
}

}  // namespace ulisse
