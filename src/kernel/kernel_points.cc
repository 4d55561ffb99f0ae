#include "kernel/kernel_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace ulisse {

namespace {

using Kind = KernelInput::Kind;

void add_input(Metric& metric, const KernelInput& input, Index tau) {
  metric.inputs.push_back(input);
  metric.tau.push_back(tau);
  if (input.kind == Kind::circle) metric.tau.push_back(tau);
  if (input.kind == Kind::category) ++metric.categories;
}

struct Scaled {
  KernelInput input;
  Index tau;
};

// Derivatives of ARD go by coordinates, where there is one input only, too.
Metric metric_of(Shape shape, std::vector<Scaled> inputs, bool ard) {
  std::stable_partition(inputs.begin(), inputs.end(),
                        [](const Scaled& s) { return s.input.kind != Kind::category; });
  Metric metric{.shape = shape, .inputs = {}, .tau = {}};
  for (const Scaled& s : inputs) add_input(metric, s.input, s.tau);
  metric.one_tau = !ard && std::all_of(metric.tau.begin(), metric.tau.end(),
                                       [&](Index tau) { return tau == metric.tau.front(); });
  return metric;
}

TermMetrics metrics_of(const Term& term, Index d, Index& place) {
  TermMetrics result{.sigma = place++, .metrics = {}};
  std::vector<Scaled> rbf;
  bool rbf_ard = false;
  for (const Factor& factor : term.factors) {
    std::vector<Scaled> inputs;
    for (const KernelInput& input : inputs_of(factor, d)) {
      inputs.push_back({input, place});
      if (factor.ard) ++place;
    }
    if (!factor.ard) ++place;
    if (factor.shape == Shape::rbf) {
      rbf.insert(rbf.end(), inputs.begin(), inputs.end());
      rbf_ard = rbf_ard || factor.ard;
      continue;
    }
    result.metrics.push_back(metric_of(factor.shape, std::move(inputs), factor.ard));
  }
  if (rbf.empty()) return result;
  result.metrics.insert(result.metrics.begin(), metric_of(Shape::rbf, std::move(rbf), rbf_ard));
  return result;
}

void check_columns(const std::vector<TermMetrics>& terms, Index d) {
  for (const TermMetrics& term : terms) {
    for (const Metric& metric : term.metrics) {
      for (const KernelInput& input : metric.inputs) {
        if (input.column >= 0 && input.column < d) continue;
        throw std::invalid_argument(
            fmt::format("the kernel has input {}, and X has {} columns", input.column + 1, d));
      }
    }
  }
}

// Of each column; the upper one of an even number. Only differences of points matter, and
// coordinates near 0 keep more of their digits when they are scaled and rounded. Not the mean: one
// far outlier must not move all the others out.
Eigen::RowVectorXd medians(const ConstBlock& x) {
  Eigen::RowVectorXd result(x.cols());
  for (Index k = 0; k < x.cols(); ++k) {
    Vector column = x.col(k);
    double* middle = column.data() + column.size() / 2;
    std::nth_element(column.data(), middle, column.data() + column.size());
    result(k) = *middle;
  }
  return result;
}

Matrix coordinates_of(const Metric& metric, const ConstBlock& x, const Eigen::RowVectorXd& centre) {
  Matrix result(x.rows(), metric.coordinates());
  Index at = 0;
  for (const KernelInput& input : metric.inputs) {
    const auto column = x.col(input.column).array();
    if (input.kind == Kind::circle) {
      const Vector angle = column * (2 * std::numbers::pi / input.period);
      result.col(at++) = angle.array().cos();
      result.col(at++) = angle.array().sin();
    } else if (input.kind == Kind::category) {
      result.col(at++) = column;
    } else {
      result.col(at++) = column - centre(input.column);
    }
  }
  return result;
}

}  // namespace

std::vector<TermMetrics> metrics_of(const Kernel& kernel, Index d) {
  std::vector<TermMetrics> terms;
  Index place = 0;
  for (const Term& term : kernel.terms) terms.push_back(metrics_of(term, d, place));
  return terms;
}

bool is_one_distance(const Kernel& kernel, Index d) {
  const auto terms = metrics_of(kernel, d);
  return terms.size() == 1 && terms[0].metrics.size() == 1 && terms[0].metrics[0].categories == 0;
}

KernelPoints::KernelPoints(const Kernel& kernel, const ConstBlock& x)
    : parameter_count_(kernel.parameter_count(x.cols())), terms_(metrics_of(kernel, x.cols())) {
  check_columns(terms_, x.cols());
  centre_ = medians(x);
  *this = others(x);
}

KernelPoints KernelPoints::others(const ConstBlock& x) const {
  KernelPoints result;
  result.n_ = x.rows();
  result.parameter_count_ = parameter_count_;
  result.terms_ = terms_;
  result.centre_ = centre_;
  for (const TermMetrics& term : terms_) {
    std::vector<Matrix>& of_term = result.coordinates_.emplace_back();
    for (const Metric& metric : term.metrics) {
      of_term.push_back(coordinates_of(metric, x, centre_));
    }
  }
  return result;
}

KernelPoints KernelPoints::in_order(const Indices& order) const {
  KernelPoints result;
  result.n_ = static_cast<Index>(order.size());
  result.parameter_count_ = parameter_count_;
  result.terms_ = terms_;
  result.centre_ = centre_;
  for (const auto& of_term : coordinates_) {
    std::vector<Matrix>& chosen = result.coordinates_.emplace_back();
    for (const Matrix& x : of_term) chosen.push_back(x(order, Eigen::all));
  }
  return result;
}

}  // namespace ulisse
