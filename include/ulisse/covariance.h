#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "ulisse/kernel.h"
#include "ulisse/noise.h"
#include "ulisse/types.h"

namespace ulisse {

// A square matrix known by its products. Implementations are immutable and shared by threads.
class LinearOperator {
 public:
  virtual ~LinearOperator() = default;
  virtual Index size() const = 0;

  // y = A x; overwrites y; columns are independent; y may be x.
  virtual void apply(const ConstBlock& x, Block y) const = 0;
};

// The kernel at one psi, without the noise: all that a backend writes.
class KernelOperator : public LinearOperator {
 public:
  // g_j = sum_c u_c' (dK/dpsi_j) v_c for every parameter of the kernel in one pass; dK is never
  // formed.
  virtual Vector gradient_forms(const ConstBlock& u, const ConstBlock& v) const = 0;

  // The same for each column alone, (parameters, columns), sharing what they have in common.
  virtual Matrix gradient_forms_by_column(const ConstBlock& u, const ConstBlock& v) const = 0;

  // out = the chosen columns, (n, which.size()).
  virtual void columns(const Indices& which, Block out) const = 0;

  // Of the function at any point: kernels depend on differences of points alone, so that the
  // diagonal is constant. And its derivative with respect to psi.
  virtual double variance() const = 0;
  virtual Vector variance_slopes() const = 0;

  // A bound on the error of each entry beyond double rounding: apply's result is off by at most
  // error_bound() * |x|_1 in each element. 0 for backends that work in double.
  virtual double error_bound() const { return 0; }
};

// K = kernel + diag(noise) at one psi, for every backend. The noise stands on the diagonal only:
// two rows of a table with equal inputs are two observations. Parameters are the kernel's, then the
// noise's.
class CovarianceOperator : public LinearOperator {
 public:
  CovarianceOperator(std::unique_ptr<const KernelOperator> kernel, const ConstVector& noise_psi);

  Index size() const override { return kernel_->size(); }
  void apply(const ConstBlock& x, Block y) const override;

  // As those of the kernel, for all parameters.
  Vector gradient_forms(const ConstBlock& u, const ConstBlock& v) const;
  Matrix gradient_forms_by_column(const ConstBlock& u, const ConstBlock& v) const;

  // sum_i w_i d K_ii / d psi of weights with the sum `total`.
  Vector diagonal_slopes(double total) const;

  double error_bound() const { return kernel_->error_bound(); }
  const KernelOperator& kernel() const { return *kernel_; }
  const Vector& noise() const { return noise_; }  // (n)

 private:
  std::unique_ptr<const KernelOperator> kernel_;
  Vector noise_psi_, noise_;
};

// The covariance of a set of points for every psi: what can be prepared once is prepared here.
class Covariance {
 public:
  virtual ~Covariance() = default;
  virtual Index size() const = 0;
  virtual const Kernel& kernel() const = 0;
  virtual Index dimensions() const = 0;
  virtual Index parameter_count() const = 0;
  virtual std::unique_ptr<const CovarianceOperator> at(const ConstVector& psi) const = 0;
  // Of auto: what has been chosen, or auto before the first at().
  virtual std::string backend() const = 0;
};

struct CovarianceOptions {
  // reference, dense, dense-float, cached, kdtree, anchors; or auto: what choose_backend finds at
  // the first psi, kept from then on.
  std::string backend = "auto";
  std::size_t memory_bytes = 0;  // what cached may use; 0 means half of the machine's memory
  // kdtree, anchors: each value of K may be off by tolerance (sigma + K), each derivative with
  // respect to psi by tolerance * sigma.
  double tolerance = 1e-10;
};

// x: (n, d). Throws InputError when the backend is unknown or cached does not fit.
std::unique_ptr<Covariance> make_covariance(const Kernel& kernel, const ConstBlock& x,
                                            const CovarianceOptions& options = {});

// Times products at psi: by cached where it fits, by dense, and by the trees where they leave out
// most pairs. A tree is chosen when it takes less than two thirds of the best other's time, so that
// chance does not choose it. Where cached and dense are as fast as each other, chance may choose,
// but their results are the same bit for bit.
struct BackendChoice {
  std::string backend;
  std::string reason;  // "kdtree: 0.21 s a product, anchors 0.5 s, dense 5.2 s"
};
BackendChoice choose_backend(const Kernel& kernel, const ConstBlock& x, const ConstVector& psi,
                             const CovarianceOptions& options = {});

// The names that make_covariance knows, auto left out.
std::vector<std::string> covariance_backends();

// What the cached backend keeps for n points.
std::size_t cached_bytes(Index n);

}  // namespace ulisse
