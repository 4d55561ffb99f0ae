#include "ulisse/fit_surrogate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/blas.h"
#include "base/watch.h"

namespace ulisse {

namespace {

// Gradients in whitened coordinates, less those of the Gaussian.
struct Learnt {
  Matrix places;              // (parameters, count)
  Vector deviations;          // h's gradients, one after the other
  std::vector<Matrix> noise;  // covariances of errors
  // By how much more than the nugget what is at a place counts as not of h: where the density is
  // steep, far out, the surrogate need not be as right as where draws are.
  Vector laxness;

  Learnt(const Whitening& whitening, const Lessons& lessons)
      : places(whitening.parameters(), static_cast<Index>(lessons.size())),
        deviations(places.size()),
        laxness(places.cols()) {
    const Index p = places.rows();
    for (Index i = 0; i < places.cols(); ++i) {
      const Lesson& lesson = lessons[static_cast<std::size_t>(i)];
      places.col(i) = whitening.v(lesson.psi);
      deviations.segment(i * p, p) = whitening.gradient(lesson) + places.col(i);
      noise.push_back(whitening.noise(lesson));
      laxness(i) = 1 + deviations.segment(i * p, p).squaredNorm() / static_cast<double>(p);
    }
  }
};

// The Cholesky factor, in the lower triangle, of the covariance of what was learnt; empty where it
// is not positive definite in floating point.
Matrix factor_of(const SurrogateKernel& kernel, const Learnt& learnt) {
  Matrix all = kernel.gradient_covariances(learnt.places);
  const Index p = learnt.places.rows();
  for (Index i = 0; i < learnt.places.cols(); ++i) {
    auto block = all.block(i * p, i * p, p, p);
    block += learnt.noise[static_cast<std::size_t>(i)];
    block.diagonal().array() += kernel.nugget * learnt.laxness(i);
  }
  use_one_blas_thread();
  if (cholesky(Triangle::lower, all) != 0) all.resize(0, 0);
  return all;
}

double log_likelihood(const SurrogateKernel& kernel, const Learnt& learnt) {
  keep_watch();
  const Matrix factor = factor_of(kernel, learnt);
  if (factor.size() == 0) return -std::numeric_limits<double>::infinity();
  const Vector scaled = factor.triangularView<Eigen::Lower>().solve(learnt.deviations);
  return -0.5 * scaled.squaredNorm() - factor.diagonal().array().log().sum();
}

// The members that are sought, and where: whitened deviations are of the order of 1, nothing is
// learnt of lengths far beyond the places, and nuggets below these are lost in rounding.
struct Sought {
  double SurrogateKernel::*member;
  double least, most;
};
constexpr std::array<Sought, 5> kSought = {{{&SurrogateKernel::separate_variance, 1e-6, 30},
                                            {&SurrogateKernel::separate_length, 0.5, 10},
                                            {&SurrogateKernel::joint_variance, 1e-6, 30},
                                            {&SurrogateKernel::joint_length, 0.7, 20},
                                            {&SurrogateKernel::nugget, 1e-8, 1}}};

// Some of the lessons, evenly: the time is that of some hundred Cholesky factors.
Lessons some_of(const Lessons& lessons, Index parameters) {
  constexpr Index kMaxNumbers = 1000;
  const std::size_t most =
      std::max<std::size_t>(2, static_cast<std::size_t>(kMaxNumbers / parameters));
  if (lessons.size() <= most) return lessons;
  Lessons some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(lessons[i * lessons.size() / most]);
  return some;
}

}  // namespace

namespace {

struct KernelFound {
  SurrogateKernel kernel;
  double log_likelihood;
};

// Steps along one logarithm after the other, halved where none helps: likelihoods of kernels are
// flat and have edges, which descents by gradients stumble over.
KernelFound climb(SurrogateKernel best, const Learnt& learnt) {
  double highest = log_likelihood(best, learnt);
  for (double step = 1.5; step > 0.15; step /= 2) {
    bool moved = true;
    for (int sweep = 0; moved && sweep < 6; ++sweep) {
      moved = false;
      for (const auto& [member, least, most] : kSought) {
        for (const double side : {step, -step}) {
          SurrogateKernel tried = best;
          tried.*member = std::clamp(tried.*member * std::exp(side), least, most);
          if (tried.*member == best.*member) continue;
          const double there = log_likelihood(tried, learnt);
          if (!(there > highest + 0.01)) continue;
          highest = there;
          best = tried;
          moved = true;
          break;
        }
      }
    }
  }
  return {best, highest};
}

}  // namespace

SurrogateKernel fit_kernel(const Whitening& whitening, const Lessons& lessons,
                           const SurrogateKernel& start) {
  const Learnt learnt(whitening, some_of(lessons, whitening.parameters()));
  const KernelFound from_start = climb(start, learnt), afresh = climb({}, learnt);
  return (afresh.log_likelihood > from_start.log_likelihood ? afresh : from_start).kernel;
}

Surrogate fit_surrogate(const Whitening& whitening, const Lessons& lessons,
                        const SurrogateKernel& start) {
  if (lessons.empty()) return Surrogate(whitening);
  SurrogateKernel kernel = fit_kernel(whitening, lessons, start);
  const Learnt learnt(whitening, lessons);
  Matrix factor = factor_of(kernel, learnt);
  // More places than those that the kernel was sought with may need a larger nugget.
  constexpr double kMaxNugget = 1e6;
  while (factor.size() == 0) {
    keep_watch();
    kernel.nugget *= 10;
    if (!(kernel.nugget < kMaxNugget)) return Surrogate(whitening);
    factor = factor_of(kernel, learnt);
  }
  const auto lower = factor.triangularView<Eigen::Lower>();
  const Vector scaled = lower.solve(learnt.deviations);
  const Vector weights = factor.transpose().triangularView<Eigen::Upper>().solve(scaled);
  const Index p = learnt.places.rows();
  return {whitening, kernel, learnt.places, weights.reshaped(p, learnt.places.cols())};
}

}  // namespace ulisse
