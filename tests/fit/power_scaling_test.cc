// Draws weighted by powers of their priors, against what is known of them.

#include "fit/power_scaling.h"

#include <gtest/gtest.h>

#include <boost/math/distributions/normal.hpp>
#include <boost/math/quadrature/gauss_kronrod.hpp>
#include <cmath>

namespace ulisse {
namespace {

// The middles of equal shares of (0, 1).
Vector shares(Index count) {
  return (Vector::LinSpaced(count, 0, static_cast<double>(count - 1)).array() + 0.5) /
         static_cast<double>(count);
}

Vector normal_quantiles(Index count, double mean, double sd) {
  const boost::math::normal normal(mean, sd);
  return shares(count).unaryExpr([&](double p) { return boost::math::quantile(normal, p); });
}

// rbf on one input: sigma, tau and lambda, whose draws are given as psi; lp is of all together.
struct Posterior {
  Model model;
  FitDraws draws;
};

Posterior posterior_of(const std::vector<std::string>& priors, const std::vector<Vector>& psi) {
  Posterior p{.model = make_model(parse_kernel("rbf"), 1, priors)};
  p.draws.parameters = p.model.names();
  for (const Vector& each : psi) p.draws.theta.emplace_back(each.array().exp());
  p.draws.products = Matrix::Zero(psi[0].size(), 1);
  p.draws.log_density = Matrix::Zero(psi[0].size(), 1);
  return p;
}

// In an order that has nothing to do with the size: as draws would come.
Vector shuffled(const Vector& sorted, Index stride) {
  Vector values(sorted.size());
  for (Index i = 0; i < values.size(); ++i) values(i) = sorted((i * stride) % sorted.size());
  return values;
}

TEST(PowerScaling, TheDistanceOfDrawsToThemselvesIsNone) {
  const Vector values = normal_quantiles(100, 0, 1);
  EXPECT_EQ(cumulative_distance(values, Vector::Constant(100, 0.01)), 0);
}

// Uniform draws with weights that make them those of the density 2 x: distribution functions x and
// x^2, whose integrals are done by quadrature.
TEST(PowerScaling, TheDistanceIsThatOfItsIntegral) {
  const Index n = 20000;
  const Vector x = shares(n), weights = 2 * x / static_cast<double>(n);
  const auto part = [](double a, double b) { return a > 0 ? a * std::log2(2 * a / (a + b)) : 0; };
  const auto distance = [&](auto p, auto q) {
    using boost::math::quadrature::gauss_kronrod;
    const double divergence = gauss_kronrod<double, 61>::integrate(
        [&](double t) { return part(p(t), q(t)) + part(q(t), p(t)); }, 0.0, 1.0);
    const double bound =
        gauss_kronrod<double, 61>::integrate([&](double t) { return p(t) + q(t); }, 0.0, 1.0);
    return std::sqrt(divergence / bound);
  };
  const double below = distance([](double t) { return t; }, [](double t) { return t * t; });
  const double above = distance([](double t) { return 1 - t; }, [](double t) { return 1 - t * t; });
  EXPECT_NEAR(cumulative_distance(x, weights), std::max(below, above), 1e-3);
  const Vector other_order = shuffled(x, 7919);
  EXPECT_NEAR(cumulative_distance(other_order, 2 * other_order / static_cast<double>(n)),
              std::max(below, above), 1e-3);
}

// A Gaussian posterior N(m, s^2) of log(lambda) times a lognormal prior N(mu, t^2) to the power
// alpha - 1 is a Gaussian again.
TEST(PowerScaling, IntervalsAreThoseOfTheScaledPosterior) {
  const double m = 0.5, s = 0.3, mu = -1, t = 0.6;
  const Vector other = shuffled(normal_quantiles(4000, 0, 0.1), 1021);
  const Posterior p = posterior_of({"lambda=lognormal(-1,0.6)"},
                                   {other, other, shuffled(normal_quantiles(4000, m, s), 1999)});
  const PriorEffect effect = prior_effects(p.draws, p.model, false).at(2);
  EXPECT_EQ(effect.prior_of, "lambda");
  EXPECT_EQ(effect.moves, "lambda");
  for (const auto& [alpha, seen] :
       {std::pair{0.8, effect.weak}, {1.0, effect.now}, {1.25, effect.strong}}) {
    const double precision = 1 / (s * s) + (alpha - 1) / (t * t);
    const boost::math::normal scaled((m / (s * s) + (alpha - 1) * mu / (t * t)) / precision,
                                     1 / std::sqrt(precision));
    EXPECT_NEAR(std::log(seen.q5), boost::math::quantile(scaled, 0.05), 0.01) << alpha;
    EXPECT_NEAR(std::log(seen.q95), boost::math::quantile(scaled, 0.95), 0.01) << alpha;
  }
  EXPECT_GT(effect.sensitivity, 0.05) << "two of its own deviations from the data";
  EXPECT_TRUE(std::isnan(effect.likelihood)) << "the draws do not carry it";
}

TEST(PowerScaling, AWidePriorMovesNothing) {
  const Vector psi = shuffled(normal_quantiles(4000, 0.2, 0.1), 1021);
  const Posterior p = posterior_of(
      {"sigma=lognormal(0,3)", "tau=lognormal(0,3)", "lambda=lognormal(0,3)"}, {psi, psi, psi});
  for (const PriorEffect& effect : prior_effects(p.draws, p.model, true)) {
    EXPECT_LT(effect.sensitivity, 0.01) << effect.prior_of;
    EXPECT_GT(effect.effective_draws, 1000);
  }
}

// The posterior N(0, 1/2) of a likelihood N(1, 1) and a prior N(-1, 1): both move it, as much.
TEST(PowerScaling, PriorAndLikelihoodAtOddsBothMoveTheDraws) {
  const Vector psi = shuffled(normal_quantiles(4000, 0, std::sqrt(0.5)), 1999);
  const Vector other = shuffled(normal_quantiles(4000, 0, 0.1), 1021);
  Posterior p =
      posterior_of({"sigma=lognormal(0,9)", "tau=lognormal(0,9)", "lambda=lognormal(-1,1)"},
                   {other, other, psi});
  for (Index i = 0; i < psi.size(); ++i) {
    const Vector at = (Vector(3) << other(i), other(i), psi(i)).finished();
    p.draws.log_density(i, 0) = p.model.log_prior(at).value - 0.5 * std::pow(psi(i) - 1, 2);
  }
  const PriorEffect effect = prior_effects(p.draws, p.model, true).at(2);
  EXPECT_GT(effect.sensitivity, 0.05);
  EXPECT_NEAR(effect.likelihood, effect.sensitivity, 0.01 * effect.sensitivity);
}

// As the prior is stated: of a length scale, which falls as tau rises.
TEST(PowerScaling, IntervalsAreOfWhatThePriorIsOn) {
  const Vector other = shuffled(normal_quantiles(4000, 0, 0.1), 1021);
  const Posterior p = posterior_of(
      {"sigma=lognormal(0,9)", "lengthscale=lognormal(2,0.3)", "lambda=lognormal(0,9)"},
      {other, shuffled(normal_quantiles(4000, 0.4, 0.3), 1999), other});
  const PriorEffect effect = prior_effects(p.draws, p.model, false).at(1);
  EXPECT_EQ(effect.moves, "lengthscale");
  const double q95_of_psi = 0.4 + 0.3 * 1.6449;
  EXPECT_NEAR(effect.now.q5, 1 / std::sqrt(2 * std::exp(q95_of_psi)), 0.01);
  EXPECT_LT(effect.now.q5, effect.now.q95);
  EXPECT_GT(effect.strong.q5, effect.weak.q5) << "the prior wants longer ones";
}

}  // namespace
}  // namespace ulisse
