#include "posterior/mode_starts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "solve/trend_given_data.h"

namespace ulisse {

namespace {

// The variance of an input that counts for distances: half of E|x - x'|^2.
double spread_of(const KernelInput& input, const ConstBlock& x) {
  const auto column = x.col(input.column);
  const auto n = static_cast<double>(x.rows());
  switch (input.kind) {
    case KernelInput::Kind::number:
      return (column.array() - column.mean()).matrix().squaredNorm() / n;
    case KernelInput::Kind::circle: {
      const Vector angle = column * (2 * std::numbers::pi / input.period);
      const double c = angle.array().cos().mean(), s = angle.array().sin().mean();
      return 1 - c * c - s * s;
    }
    case KernelInput::Kind::category: {
      std::map<double, double> counts;
      for (const double level : column) ++counts[level];
      double equal = 0;
      for (const auto& [level, count] : counts) equal += count * count / (n * n);
      return (1 - equal) / 2;
    }
  }
  return 0;
}

Vector spreads(const std::vector<KernelInput>& inputs, const ConstBlock& x) {
  Vector result(static_cast<Index>(inputs.size()));
  for (Index k = 0; k < result.size(); ++k) {
    result(k) = spread_of(inputs[static_cast<std::size_t>(k)], x);
  }
  return result;
}

// What a trend by least squares leaves of y.
Vector without_trend(const Mean& mean, const ConstBlock& x, const ConstVector& y) {
  if (mean.size() == 0) return y;
  const Matrix h = mean.basis(x);
  return y - h * TrendGivenData(mean, h.transpose() * h, h.transpose() * y).mean();
}

// Where a search begins: the noise's share of the second moment, the reach of correlation in units
// of the inputs' spread, and by what factor it grows from one term of the kernel to the next, so
// that terms of the same shape are told apart.
struct Start {
  double noise_share, reach, growth;
};

}  // namespace

// Signal and noise that share the target's second moment (what there is of a mean is taken away) in
// several ways, and correlation over a third, all or many times the inputs' spread. With one length
// scale for all inputs, those of small spread hardly count: what matters is E|x - x'|^2, twice the
// sum of their variances.
std::vector<Vector> starting_points(const Model& model, const ConstBlock& x, const ConstVector& y) {
  constexpr double kMinSecondMoment = 1e-290;  // parts of it must be numbers, too
  const double moment =
      std::max(without_trend(model.mean, x, y).squaredNorm() / static_cast<double>(y.size()),
               kMinSecondMoment);
  const auto inputs = static_cast<double>(model.dimensions - (model.noise.known ? 1 : 0));
  const auto middle = static_cast<double>(model.kernel.terms.size() - 1) / 2;
  std::vector<Vector> starts;
  for (const auto& [noise_share, reach, growth] :
       {Start{0.1, 1.0, 3}, Start{0.5, 0.3, 0.2}, Start{0.9, 1.0, 3}, Start{0.01, 3.0, 0.2},
        Start{0.01, 30.0, 0.1}, Start{0.03, 0.3, 5}, Start{0.03, 0.1, 10}, Start{0.5, 3.0, 0.1}}) {
    // A constant input says nothing about its scale.
    const auto log_inverse = [&](const Parameter& tau) {
      const double log_reach =
          std::log(reach) + (static_cast<double>(tau.term) - middle) * std::log(growth);
      const double spread =
          inputs / static_cast<double>(tau.inputs.size()) * spreads(tau.inputs, x).sum();
      return spread > 0 ? -std::log(spread) - 2 * log_reach : 0;
    };
    starts.push_back(
        model.layout.psi_with({.log_signal_variance = std::log(moment * (1 - noise_share)),
                               .log_noise_variance = std::log(moment * noise_share),
                               .log_inverse_squared_length = log_inverse}));
  }
  return starts;
}

}  // namespace ulisse
