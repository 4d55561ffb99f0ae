// The public type Fit: in memory, in a folder, and on its way between them.

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <filesystem>

#include "fit/scratch_folder.h"
#include "store/files.h"
#include "support/error_message.h"
#include "ulisse/error.h"
#include "ulisse/predict.h"

namespace ulisse {
namespace {

using testing::contains;
using testing::message_of;

Dataset waves() {
  Dataset data{.x = Matrix(40, 1), .y = Vector(40), .features = {"t"}, .target = "y"};
  for (Index i = 0; i < 40; ++i) {
    const auto t = static_cast<double>(i);
    data.x(i, 0) = t;
    data.y(i) = 3 + std::sin(t / 4) + 0.2 * std::cos(9 * t);
  }
  return data;
}

FitOptions quick(const std::string& folder = "") {
  return {.sampler = "mh",
          .settings = {{"chains", 2L}, {"draws", 30L}, {"warmup", 30L}, {"seed", 9L}},
          .folder = folder};
}

Fit fit_waves(const FitOptions& options) {
  const Dataset data = waves();
  return fit(data, make_model("rbf", data), options);
}

void expect_same(const Fit& a, const Fit& b) {
  ASSERT_EQ(a.parameters(), b.parameters());
  for (const std::string& name : a.parameters()) EXPECT_EQ(a.draws_of(name), b.draws_of(name));
  EXPECT_EQ(summarise(a).parameters[0].mean, summarise(b).parameters[0].mean);
  const Matrix x = Vector::LinSpaced(5, -1, 45);
  const Predictions of_a = predict(a, x, {.draws = 10}), of_b = predict(b, x, {.draws = 10});
  EXPECT_EQ(of_a.mean, of_b.mean);
  EXPECT_EQ(of_a.quantiles, of_b.quantiles);
}

TEST(FitType, InMemoryAndInAFolderAreTheSame) {
  const ScratchFolder place;
  const Fit in_memory = fit_waves(quick());
  const Fit in_folder = fit_waves(quick(place.path() + "/fit"));
  EXPECT_EQ(in_memory.folder(), "");
  EXPECT_EQ(in_memory.end(), FitEnd::complete);
  EXPECT_EQ(in_memory.draws(), 30);
  EXPECT_EQ(in_memory.chains(), 2);
  expect_same(in_memory, in_folder);
  expect_same(in_memory, load_fit(in_folder.folder()));
}

TEST(FitType, SurvivesBeingSavedAndBeingCarriedAsBytes) {
  const ScratchFolder place;
  const Fit made = fit_waves(quick());
  save_fit(made, place.path() + "/saved");
  expect_same(made, load_fit(place.path() + "/saved"));
  expect_same(made, load_fit(files_of(made)));
  EXPECT_TRUE(contains(message_of([&] { save_fit(made, place.path() + "/saved"); }),
                       "there is a fit already"));
}

TEST(FitType, DrawsCanBeAddedToASavedOne) {
  const ScratchFolder place;
  const std::string folder = place.path() + "/saved";
  save_fit(fit_waves(quick()), folder);
  FitOptions more = quick(folder);
  more.settings["draws"] = 45L;
  more.resume = true;
  const Fit longer = fit_waves(more);
  FitOptions at_once = quick();
  at_once.settings["draws"] = 45L;
  expect_same(longer, fit_waves(at_once));
}

// The set-up was left out, and a saved fit that went on made it again.
TEST(FitType, ACopyOfAFolderHasItsSetUp) {
  const ScratchFolder place;
  FitOptions options = quick(place.path() + "/fit");
  options.sampler = "ulisse";
  const Fit made = fit_waves(options);
  const std::string copy = place.path() + "/copy";
  save_fit(made, copy);
  const auto stage = [](const std::string& folder) {
    return read_file(folder + "/setup_first_mode");
  };
  EXPECT_EQ(stage(copy), stage(made.folder()));
  EXPECT_EQ(files_of(made).count("setup_first_mode"), 0U);
  options.settings["draws"] = 45L;
  options.resume = true;
  const Fit longer = fit_waves(options);
  options.folder = copy;
  expect_same(fit_waves(options), longer);
}

TEST(FitType, QuantilesComeInTheOrderAskedFor) {
  const Fit made = fit_waves(quick());
  const Matrix x = Vector::LinSpaced(4, 0, 39);
  const Predictions found = predict(made, x, {.quantiles = {0.9, 0.1, 0.9}});
  EXPECT_EQ(found.quantiles.col(0), found.quantiles.col(2));
  EXPECT_TRUE((found.quantiles.col(0).array() > found.quantiles.col(1).array()).all());
  const Matrix covariance = predictive_covariance(made, x);
  EXPECT_LT((covariance.diagonal().cwiseSqrt() - found.sd).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(FitType, WhatCannotBeIsSaidInTheLibrarysOwnNames) {
  FitOptions wrong = quick();
  wrong.settings["draws"] = 0L;
  EXPECT_EQ(message_of([&] { fit_waves(wrong); }), "draws must be at least 1");
  wrong = quick();
  wrong.settings["anchor_probes"] = 8L;
  EXPECT_EQ(message_of([&] { fit_waves(wrong); }),
            "anchor_probes is for the sampler ulisse, not for mh");
  const Fit made = fit_waves(quick());
  EXPECT_THROW(made.draws_of("rho"), std::invalid_argument);
  EXPECT_TRUE(contains(message_of([&] { predict(made, Matrix::Zero(3, 2)); }), "2 columns"));
  EXPECT_TRUE(contains(message_of([] { load_fit("/nowhere/at/all"); }), "there is no fit"));
}

// What fit.json cannot say is refused before any work.
TEST(FitType, AModelThatAFitCannotKeepIsRefused) {
  const Dataset data = waves();
  Model model = make_model("rbf", data);
  model.mean.inputs = {0};  // and no intercept
  EXPECT_THROW(fit(data, model, quick()), std::invalid_argument);
}

// The draws are those of the same model by its options, also after the fit was read again.
TEST(FitType, AModelOfPartsIsFittedAsThatOfOptions) {
  const Dataset data = waves();
  Model by_hand = make_model(Mean{.intercept = true, .inputs = {0}, .scale = 5},
                             Kernel({Term{{Factor{Shape::matern32}}}, Term{{Factor{}}}}), data);
  by_hand.layout.fix("lambda", 0.125);
  by_hand.layout.set_prior("sigma.1", parse_prior("gamma(2,3)"));
  const Model by_options = make_model({.kernel = "matern32 + rbf",
                                       .priors = {"sigma.1=gamma(2,3)"},
                                       .fixed = {"lambda=0.125"},
                                       .trend = {"t"},
                                       .trend_scale = 5},
                                      data);
  const Fit made = fit(data, by_hand, quick()), same = fit(data, by_options, quick());
  expect_same(made, same);
  expect_same(load_fit(files_of(made)), same);
  ASSERT_EQ(made.quantities().back(), "trend.t");
  EXPECT_EQ(made.draws_of("trend.t"), same.draws_of("trend.t"));
}

TEST(FitType, OtherPriorsAreAnotherFit) {
  const ScratchFolder place;
  const Dataset data = waves();
  FitOptions options = quick(place.path() + "/fit");
  fit(data, make_model("rbf", data), options);
  Model other = make_model("rbf", data);
  other.layout.set_prior("tau", parse_prior("gamma(50,5)"));
  options.resume = true;
  EXPECT_TRUE(contains(message_of([&] { fit(data, other, options); }), "parameters"));
}

class StopsAtOnce : public FitObserver {
 public:
  bool wants_stop() const override { return true; }
};

TEST(FitType, WhatIsStoppedInMemoryBeforeItHasDrawsIsNoFit) {
  const Dataset data = waves();
  StopsAtOnce observer;
  EXPECT_THROW(fit(data, make_model("rbf", data), quick(), &observer), Interrupted);
}

class Impatient : public FitObserver {
 public:
  void progress(const FitProgress& now) override { seen_ = now.draws; }
  bool wants_stop() const override { return seen_ >= 10; }

 private:
  std::atomic<long> seen_ = 0;
};

TEST(FitType, AnObserverEndsARunAndWhatIsThereIsKept) {
  FitOptions endless = quick();
  endless.settings["draws"] = 10'000'000L;
  Impatient observer;
  const Dataset data = waves();
  const Fit made = fit(data, make_model("rbf", data), endless, &observer);
  EXPECT_EQ(made.end(), FitEnd::interrupted);
  EXPECT_GE(made.draws(), 10);
}

}  // namespace
}  // namespace ulisse
