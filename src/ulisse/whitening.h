#pragma once

#include <utility>

#include "sample/coordinates.h"
#include "ulisse/lesson.h"

namespace ulisse {

// Coordinates v in which a posterior is near N(0, I): psi = coordinates.psi(centre + factor v).
class Whitening {
 public:
  Whitening() = default;
  // `factor` is the lower Cholesky factor of a covariance in the coordinates.
  Whitening(Coordinates coordinates, Vector centre, Matrix factor)
      : coordinates_(std::move(coordinates)),
        centre_(std::move(centre)),
        factor_(std::move(factor)) {}

  Index parameters() const { return centre_.size(); }
  bool is_of(Index parameters) const {
    return centre_.size() == parameters && factor_.rows() == parameters &&
           factor_.cols() == parameters && coordinates_.is_of(parameters);
  }
  const Coordinates& coordinates() const { return coordinates_; }
  const Matrix& factor() const { return factor_; }

  Vector u(const Vector& v) const { return centre_ + factor_ * v; }
  Vector psi(const Vector& v) const { return coordinates_.psi(u(v)); }
  Vector v(const Vector& psi) const { return of_u(coordinates_.u(psi)); }
  Vector of_u(const Vector& u) const {
    return factor_.triangularView<Eigen::Lower>().solve(u - centre_);
  }

  // log |d psi / d v| but for a constant.
  double log_slope(const Vector& v) const { return coordinates_.slope(u(v)).array().log().sum(); }

  // The gradient of the log density of v, and the covariance of its error.
  Vector gradient(const Lesson& lesson) const {
    const Vector u = coordinates_.u(lesson.psi);
    return factor_.transpose() * (coordinates_.slope(u).cwiseProduct(lesson.gradient) +
                                  coordinates_.log_slope_gradient(u));
  }
  Matrix noise(const Lesson& lesson) const {
    const Vector slope = coordinates_.slope(coordinates_.u(lesson.psi));
    const Matrix carried = slope.asDiagonal() * factor_;
    return carried.transpose() * lesson.noise * carried;
  }

  template <class A>
  void archive(A& a) {
    a(coordinates_, centre_, factor_);
  }

 private:
  Coordinates coordinates_;
  Vector centre_;
  Matrix factor_;
};

}  // namespace ulisse
