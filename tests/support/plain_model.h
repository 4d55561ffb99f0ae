#pragma once

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "ulisse/model.h"

namespace ulisse::testing {

using Extended = long double;
using ExtendedMatrix = Eigen::Matrix<Extended, Eigen::Dynamic, Eigen::Dynamic>;
using ExtendedVector = Eigen::Matrix<Extended, Eigen::Dynamic, 1>;

// The formulas of a textbook, one after the other, in long double.
class PlainModel {
 public:
  PlainModel(const Model& model, const Vector& psi)
      : model_(model), theta_(model.layout.kernel_psi(psi).cast<Extended>().array().exp()) {
    lambda_ = std::exp(static_cast<Extended>(model.layout.noise_psi(psi)(0)));
  }

  // Of the terms that are chosen; none: of all.
  Extended between(const RowVector& a, const RowVector& b, const Indices& terms = {}) const {
    Extended sum = 0;
    Index at = 0;
    for (std::size_t t = 0; t < model_.kernel.terms.size(); ++t) {
      const Extended value = term(model_.kernel.terms[t], a, b, at);
      const bool chosen = std::find(terms.begin(), terms.end(), Index(t)) != terms.end();
      if (terms.empty() || chosen) sum += value;
    }
    return sum;
  }

  ExtendedMatrix kernel(const Matrix& a, const Matrix& b, const Indices& terms = {}) const {
    ExtendedMatrix k(a.rows(), b.rows());
    for (Index i = 0; i < a.rows(); ++i) {
      for (Index j = 0; j < b.rows(); ++j) k(i, j) = between(a.row(i), b.row(j), terms);
    }
    return k;
  }

  ExtendedMatrix basis(const Matrix& x) const {
    ExtendedMatrix h = ExtendedMatrix::Ones(x.rows(), model_.mean.size());
    for (std::size_t k = 0; k < model_.mean.inputs.size(); ++k) {
      h.col(Index(k) + 1) = x.col(model_.mean.inputs[k]).cast<Extended>();
    }
    return h;
  }

  // B of the coefficients, N(0, B).
  Extended prior_variance() const {
    return static_cast<Extended>(model_.mean.scale) * static_cast<Extended>(model_.mean.scale);
  }

  // The trend's H B H' between rows of a and of b.
  ExtendedMatrix trend(const Matrix& a, const Matrix& b) const {
    return prior_variance() * basis(a) * basis(b).transpose();
  }

  // kernel + diag(noise) + H B H'
  ExtendedMatrix covariance(const Matrix& x, bool with_trend = true) const {
    ExtendedMatrix k = kernel(x, x);
    if (with_trend && model_.mean.size() > 0) k += trend(x, x);
    for (Index i = 0; i < x.rows(); ++i) k(i, i) += lambda_ + known_variance(x, i);
    return k;
  }

  // log N(y | 0, covariance(x))
  Extended log_likelihood(const Matrix& x, const Vector& y) const {
    const Eigen::LLT<ExtendedMatrix> factor(covariance(x));
    const ExtendedVector target = y.cast<Extended>();
    const ExtendedMatrix l = factor.matrixL();
    return -l.diagonal().array().log().sum() - target.dot(factor.solve(target)) / 2 -
           static_cast<Extended>(y.size()) / 2 * std::log(2 * std::numbers::pi_v<Extended>);
  }

 private:
  Extended known_variance(const Matrix& x, Index i) const {
    if (!model_.noise.known) return 0;
    const Extended value = x(i, model_.noise.known->column);
    return model_.noise.known->is_variance ? value : value * value;
  }

  static Extended squared(const KernelInput& input, Extended a, Extended b) {
    if (input.kind == KernelInput::Kind::category) return a == b ? 0 : 1;
    if (input.kind == KernelInput::Kind::number) return (a - b) * (a - b);
    const Extended turn = 2 * std::numbers::pi_v<Extended> / static_cast<Extended>(input.period);
    return std::pow(std::cos(turn * a) - std::cos(turn * b), 2) +
           std::pow(std::sin(turn * a) - std::sin(turn * b), 2);
  }

  static Extended shape(Shape shape, Extended s) {
    const Extended r = std::sqrt(s);
    const Extended root3 = std::sqrt(Extended(3)), root5 = std::sqrt(Extended(5));
    switch (shape) {
      case Shape::rbf:
        return std::exp(-s);
      case Shape::matern12:
        return std::exp(-r);
      case Shape::matern32:
        return (1 + root3 * r) * std::exp(-root3 * r);
      case Shape::matern52:
        return (1 + root5 * r + 5 * s / 3) * std::exp(-root5 * r);
    }
    return 0;
  }

  // `at`: the place of its sigma in theta; moves to the next term's.
  Extended term(const Term& term, const RowVector& a, const RowVector& b, Index& at) const {
    Extended product = theta_(at++);
    for (const Factor& factor : term.factors) {
      Extended s = 0;
      for (const KernelInput& input : inputs_of(factor, a.size())) {
        s += theta_(at) * squared(input, a(input.column), b(input.column));
        if (factor.ard) ++at;
      }
      if (!factor.ard) ++at;
      product *= shape(factor.shape, s);
    }
    return product;
  }

  const Model& model_;
  ExtendedVector theta_;
  Extended lambda_;
};

}  // namespace ulisse::testing
