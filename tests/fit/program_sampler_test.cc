// A sampler that a program adds, by public headers alone. samplers_test.cc runs over it, too.

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "fit/scratch_folder.h"
#include "support/error_message.h"
#include "ulisse/fit.h"
#include "ulisse/sampler.h"

namespace ulisse {
namespace {

// A random walk whose steps have the shape of the posterior at its mode.
class Walk : public SamplerChain {
 public:
  explicit Walk(const SamplerStart& start)
      : posterior_(start.posterior),
        factor_(std::get<double>(start.options.at("stride")) *
                Matrix(start.covariance.llt().matrixL())),
        psi_(start.psi) {}

  SamplerStep step(Rng& rng, bool /*warming_up*/) override {
    const double here = posterior_.log_density(psi_).value;
    const Vector next = psi_ + factor_ * rng.normal_vector(psi_.size());
    const double there = posterior_.log_density(next).value;
    const double acceptance = std::min(1.0, std::exp(there - here));
    const bool accepted = rng.uniform() < acceptance;
    if (accepted) psi_ = next;
    return {.psi = psi_, .log_density = accepted ? there : here, .acceptance = acceptance};
  }
  Vector state() const override { return psi_; }
  void set_state(const Vector& state) override { psi_ = state; }

 private:
  const ExactPosterior& posterior_;
  Matrix factor_;
  Vector psi_;
};

OwnSampler walk() {
  return {.name = "walk",
          .about = "a random walk",
          .options = {{.key = "stride",
                       .help = "Steps in standard deviations of the posterior",
                       .range = {.least = 0, .above_least = true},
                       .initial = 0.7}},
          .warmup = 20,
          .draws = 400,
          .make = [](const SamplerStart& start) { return std::make_unique<Walk>(start); }};
}

[[maybe_unused]] const bool kRegistered = (register_sampler(walk()), true);

Dataset waves() {
  Dataset data{.x = Matrix(30, 1), .y = Vector(30), .features = {"t"}, .target = "y"};
  for (Index i = 0; i < 30; ++i) {
    const auto t = static_cast<double>(i);
    data.x(i, 0) = t;
    data.y(i) = std::sin(t / 4) + 0.2 * std::cos(9 * t);
  }
  return data;
}

Fit fit_waves(FitOptions options) {
  options.sampler = "walk";
  options.settings["seed"] = 3L;
  return fit(waves(), make_model("rbf", waves()), options);
}

// Means of 4 chains of 1,500 walks against nuts: five standard errors of both, a false alarm once
// in a million.
TEST(ProgramSampler, SamplesThePosterior) {
  const Fit made = fit_waves({.settings = {{"draws", 1500L}}});
  const Fit nuts = fit(waves(), make_model("rbf", waves()), {.sampler = "nuts"});
  const Summary own = summarise(made), other = summarise(nuts);
  for (std::size_t j = 0; j < own.log_parameters.size(); ++j) {
    const auto &a = own.log_parameters[j], &b = other.log_parameters[j];
    EXPECT_LT(std::abs(a.mean - b.mean), 5 * std::hypot(a.mcse, b.mcse)) << a.name;
  }
}

TEST(ProgramSampler, GoesOnWithTheSameDraws) {
  const ScratchFolder place;
  const std::string folder = place.path() + "/fit";
  fit_waves({.settings = {{"draws", 30L}}, .folder = folder});
  const Fit longer = fit_waves({.settings = {{"draws", 50L}}, .folder = folder, .resume = true});
  const Fit at_once = fit_waves({.settings = {{"draws", 50L}}});
  EXPECT_EQ(longer.draws_of("tau"), at_once.draws_of("tau"));
}

TEST(ProgramSampler, ItsOptionsAreCheckedAndItsNameIsTakenOnce) {
  EXPECT_EQ(testing::message_of([] {
              fit_waves({.settings = {{"stride", -1.0}}});
            }),
            "stride must be a positive number, and is -1");
  EXPECT_THROW(register_sampler(walk()), std::invalid_argument);
  EXPECT_THROW(register_sampler(OwnSampler{.name = "nothing"}), std::invalid_argument);
}

}  // namespace
}  // namespace ulisse
