#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "ulisse/model.h"
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

  // Of the pairs of points, the share whose values a product computes one by one.
  virtual double share_computed() const { return 1; }

  // A bound on the error of each entry beyond double rounding: apply's result is off by at most
  // error_bound() * |x|_1 in each element. 0 for backends that work in double.
  virtual double error_bound() const { return 0; }
};

// Of the rows; they are made with a Covariance.
class NoiseAndTrend;
class KernelPoints;

// K = kernel + diag(noise) + H B H' at a psi of the model, for every backend. The noise stands on
// the diagonal only: two rows of a table with equal inputs are two observations. H is the basis of
// the trend, whose coefficients are integrated out, with B = scale^2 I.
class CovarianceOperator : public LinearOperator {
 public:
  CovarianceOperator(std::shared_ptr<const NoiseAndTrend> added,
                     std::shared_ptr<const KernelPoints> points,
                     std::unique_ptr<const KernelOperator> kernel, const ConstVector& psi);

  Index size() const override { return kernel_->size(); }
  void apply(const ConstBlock& x, Block y) const override;

  // As those of the kernel, for the parameters in psi.
  Vector gradient_forms(const ConstBlock& u, const ConstBlock& v) const;
  Matrix gradient_forms_by_column(const ConstBlock& u, const ConstBlock& v) const;

  // sum_i w_i d K_ii / d psi of weights with the sum `total`.
  Vector diagonal_slopes(double total) const;
  // tr(W dK_j), from that of the kernel's own parameters and W's trace, for a W that the trend is
  // orthogonal to or has no part in.
  Vector slopes(const Vector& of_kernel, double total) const;

  // The kernel among some rows alone, in double whatever the backend.
  std::unique_ptr<const KernelOperator> kernel_among(const Indices& rows) const;
  // Coordinates, (n, .), in which points near each other are those with large covariances: of the
  // rows, and of other points, x: (., d). The number of a level stands for it.
  Matrix scaled_points() const;
  Matrix scaled_points(const ConstBlock& x) const;

  double error_bound() const { return kernel_->error_bound(); }
  const KernelOperator& kernel() const { return *kernel_; }
  const Vector& noise() const { return noise_; }  // (n)
  const Matrix& trend() const;                    // H sqrt(B), (n, coefficients)

 private:
  Matrix scaled(const KernelPoints& points) const;

  std::shared_ptr<const NoiseAndTrend> added_;
  std::shared_ptr<const KernelPoints> points_;
  std::unique_ptr<const KernelOperator> kernel_;
  Vector psi_, noise_;
};

// The covariance of a set of points for every psi of a model: what can be prepared once is prepared
// here. Thread-safe.
class Covariance {
 public:
  virtual ~Covariance() = default;
  virtual Index size() const = 0;
  virtual const Model& model() const = 0;
  virtual std::unique_ptr<const CovarianceOperator> at(const ConstVector& psi) const = 0;

  // The following are of what auto has chosen; before the first at() it is auto, keeps nothing, and
  // has no lower precision.
  virtual std::string backend() const = 0;
  virtual std::size_t kept_bytes() const = 0;  // at one psi, where they grow with n^2; else 0
  // The same with less precision in less time; null where there is none.
  virtual std::unique_ptr<Covariance> lower_precision() const = 0;
};

// The name that stands for what choose_backend() finds.
inline constexpr const char* kAutomaticBackend = "auto";

struct CovarianceOptions {
  // One of covariance_backends(); or auto: chosen at the first psi, and kept from then on.
  std::string backend = kAutomaticBackend;
  std::size_t memory_bytes = 0;  // for what is kept; 0 means half of the machine's memory
  // Of backends that leave pairs out: each value of K may be off by tolerance (sigma + K), each
  // derivative with respect to psi by tolerance * sigma.
  double tolerance = 1e-10;
};

// x: (n, d). Throws InputError when the backend is unknown or what it keeps does not fit.
std::unique_ptr<Covariance> make_covariance(const Model& model, const ConstBlock& x,
                                            const CovarianceOptions& options = {});

// Of the model that has this kernel and nothing else out of the ordinary.
std::unique_ptr<Covariance> make_covariance(const Kernel& kernel, const ConstBlock& x,
                                            const CovarianceOptions& options = {});

// Times products at psi: by exact_backend(), by backends that keep K where it fits, and by those
// that take a tolerance where they leave out most pairs. One whose results have other bits is
// chosen when it takes less than two thirds of the best other's time, so that chance does not
// choose it.
struct BackendChoice {
  std::string backend;
  std::string reason;  // "kdtree: 0.21 s a product, anchors 0.5 s, dense 5.2 s"
};
BackendChoice choose_backend(const Model& model, const ConstBlock& x, const ConstVector& psi,
                             const CovarianceOptions& options = {});

}  // namespace ulisse
