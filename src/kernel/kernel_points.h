#pragma once

#include <vector>

#include "ulisse/kernel.h"
#include "ulisse/types.h"

namespace ulisse {

// A shape of one distance, within a term: a factor, or all factors of shape rbf together, whose
// product is the rbf of the sum of their squared distances.
struct Metric {
  Shape shape = Shape::rbf;
  std::vector<KernelInput> inputs;  // categories last
  Indices tau;                      // the place in the kernel's psi, for each coordinate
  bool one_tau = true;              // it is the same for all
  Index categories = 0;             // coordinates, the last ones

  Index coordinates() const { return static_cast<Index>(tau.size()); }
};

struct TermMetrics {
  Index sigma = 0;  // the place in the kernel's psi
  std::vector<Metric> metrics;
};

std::vector<TermMetrics> metrics_of(const Kernel& kernel, Index d);

// One shape of one distance, along numbers and circles.
bool is_one_distance(const Kernel& kernel, Index d);

// Points as the metrics of a kernel see them: what can be prepared once for all psi. Numbers stand
// as they are, less their median, a circle has two coordinates, a category its level.
class KernelPoints {
 public:
  KernelPoints(const Kernel& kernel, const ConstBlock& x);  // x: (n, d)

  // Other points, less the same medians.
  KernelPoints others(const ConstBlock& x) const;

  Index size() const { return n_; }
  Index parameter_count() const { return parameter_count_; }
  const std::vector<TermMetrics>& terms() const { return terms_; }

  // Of one metric, (n, coordinates).
  const Matrix& coordinates(std::size_t term, std::size_t metric) const {
    return coordinates_[term][metric];
  }

  // With rows replaced by those of `order`, which may repeat.
  KernelPoints in_order(const Indices& order) const;

 private:
  KernelPoints() = default;

  Index n_ = 0, parameter_count_ = 0;
  std::vector<TermMetrics> terms_;
  Eigen::RowVectorXd centre_;  // of the columns of x
  std::vector<std::vector<Matrix>> coordinates_;
};

}  // namespace ulisse
