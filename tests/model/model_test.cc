// Models: the parameters of a kernel and their priors.

#include "ulisse/model.h"

#include <gtest/gtest.h>

#include "support/derivatives.h"
#include "support/error_message.h"
#include "support/random_points.h"

namespace ulisse {
namespace {

using testing::contains;
using testing::gradient_of;
using testing::message_of;
using testing::normal_matrix;

using Names = std::vector<std::string>;

std::vector<std::string> priors_of(const Model& model) {
  std::vector<std::string> priors;
  for (const Parameter& parameter : model.layout.parameters())
    priors.push_back(parameter.prior.to_string());
  return priors;
}

TEST(Model, AnIsotropicKernelHasThreeParameters) {
  for (const char* kernel : {"rbf", "matern12", "matern32", "matern52"}) {
    const Model model = make_model(parse_kernel(kernel), 8);
    EXPECT_EQ(model.names(), (Names{"sigma", "tau", "lambda"}));
    EXPECT_EQ(model.parameter_count(), 3);
    EXPECT_EQ(model.dimensions, 8);
  }
}

TEST(Model, AnArdKernelHasOneTauForEachInput) {
  for (const char* kernel : {"rbf-ard", "matern12-ard", "matern32-ard", "matern52-ard"}) {
    const Model model = make_model(parse_kernel(kernel), 3);
    EXPECT_EQ(model.names(), (Names{"sigma", "tau.1", "tau.2", "tau.3", "lambda"}));
    EXPECT_EQ(model.parameter_count(), 5);
    EXPECT_EQ(make_model(parse_kernel(kernel), 1).names(), (Names{"sigma", "tau.1", "lambda"}));
  }
}

const char *const kSignal = "signal_sd=half-student-t(4,50)",
                  *const kLength = "lengthscale=lognormal(0,1.8)",
                  *const kNoise = "noise_sd=inverse-gamma(0.75,0.025)";

TEST(Model, PriorsAreWideOnesUnlessToldOtherwise) {
  EXPECT_EQ(priors_of(make_model(parse_kernel("rbf"), 2)), (Names{kSignal, kLength, kNoise}));
  EXPECT_EQ(priors_of(make_model(parse_kernel("rbf"), 2, {"lambda=half-normal(0.5)"})),
            (Names{kSignal, kLength, "half-normal(0.5)"}));
}

TEST(Model, PriorsMayBeThoseThatAnEarlierVersionHad) {
  const Dataset columns{.x = Matrix(0, 2), .y = Vector(0), .features = {"a", "b"}, .target = "y"};
  const auto since = [&](const char* version) {
    return make_model(ModelOptions{.priors = {"tau=gamma(2,2)"}, .default_priors = version},
                      columns);
  };
  EXPECT_EQ(priors_of(since("0.1")), (Names{"gamma(1,1)", "gamma(2,2)", "gamma(1,1)"}));
  EXPECT_EQ(priors_of(since("0.2")), (Names{kSignal, "gamma(2,2)", kNoise}));
  EXPECT_EQ(since("").given.default_priors, "0.2") << "what a fit keeps";
  EXPECT_EQ(message_of([&] { since("7.0"); }),
            "default_priors: this version of ulisse has those of 0.1 and 0.2, not of '7.0'");
}

TEST(Model, TauStandsForEveryTau) {
  const Model model = make_model(parse_kernel("rbf-ard"), 11, {"tau=gamma(2,3)"});
  for (Index k = 1; k <= 11; ++k) EXPECT_EQ(priors_of(model)[k], "gamma(2,3)");
  EXPECT_EQ(priors_of(model).front(), kSignal);
  EXPECT_EQ(priors_of(model).back(), kNoise);
}

TEST(Model, ATauWithANumberStandsForItselfAlone) {
  const Model model = make_model(parse_kernel("rbf-ard"), 11, {"tau.1=gamma(2,3)"});
  EXPECT_EQ(priors_of(model)[1], "gamma(2,3)");
  for (Index k = 2; k <= 11; ++k) EXPECT_EQ(priors_of(model)[k], kLength) << k;
  EXPECT_EQ(priors_of(model)[12], kNoise);
}

TEST(Model, LaterPriorsWin) {
  const Model model = make_model(parse_kernel("rbf-ard"), 3,
                                 {"tau.3=gamma(9,9)", "tau=gamma(2,2)", "tau.2=lognormal(0,1)",
                                  "sigma=gamma(5,5)", "sigma=half-normal(2)"});
  EXPECT_EQ(priors_of(model),
            (Names{"half-normal(2)", "gamma(2,2)", "lognormal(0,1)", "gamma(2,2)", kNoise}));
}

TEST(Model, AnUnknownParameterIsAnErrorThatListsTheNames) {
  const auto error_for = [](const char* kernel, const char* prior) {
    return message_of([&] { make_model(parse_kernel(kernel), 3, {prior}); });
  };
  EXPECT_EQ(error_for("rbf", "length=gamma(1,1)"),
            "the kernel rbf has no parameter 'length'; it has sigma, tau, lambda");
  EXPECT_EQ(error_for("matern32-ard", "tau.4=gamma(1,1)"),
            "the kernel matern32-ard has no parameter 'tau.4'; it has sigma, tau.1, tau.2, tau.3, "
            "lambda");
  for (const char* prior : {"tau.1=gamma(1,1)", "ta=gamma(1,1)", "=gamma(1,1)", "Tau=gamma(1,1)"}) {
    EXPECT_TRUE(contains(error_for("rbf", prior), "it has sigma, tau, lambda")) << prior;
  }
}

TEST(Model, APriorThatSetsNothingIsAnError) {
  const auto error_for = [](const char* prior) {
    return message_of([&] { make_model(parse_kernel("rbf"), 3, {prior}); });
  };
  EXPECT_TRUE(contains(error_for("gamma(1,1)"), "write it like 'tau=gamma(1,1)'"));
  EXPECT_TRUE(contains(error_for(""), "write it like 'tau=gamma(1,1)'"));
  EXPECT_TRUE(contains(error_for("tau="), "is not a prior"));
  EXPECT_TRUE(contains(error_for("tau=gamma(1)"), "gamma takes 2"));
  EXPECT_TRUE(contains(error_for("tau=gamma(1,-1)"), "not positive and finite"));
}

TEST(Model, SpacesAroundTheNameOfAParameterDoNotMatter) {
  const Model model = make_model(parse_kernel("rbf"), 2, {" tau\t= gamma( 2, 3)"});
  EXPECT_EQ(model.layout.at(1).prior.to_string(), "gamma(2,3)");
  const auto inside = [] { make_model(parse_kernel("rbf"), 2, {"ta u=gamma(1,1)"}); };
  EXPECT_TRUE(contains(message_of(inside), "no parameter 'ta u'"));
}

TEST(Model, TheLogPriorIsTheSumOverParameters) {
  const Model model = make_model(parse_kernel("rbf"), 2, {"tau=lognormal(1,2)"});
  const Vector psi = normal_matrix(3, 1, 1);
  double expected = 0;
  for (Index i = 0; i < 3; ++i) {
    expected += model.layout.at(i).prior.log_density_psi(psi(i)).value;
  }
  EXPECT_DOUBLE_EQ(model.log_prior(psi).value, expected);
}

TEST(Model, TheGradientOfTheLogPriorMeetsFiniteDifferences) {
  const Model model =
      make_model(parse_kernel("rbf-ard"), 4,
                 {"sigma=half-normal(2)", "tau.1=lognormal(-1,0.7)", "tau.2=inverse-gamma(2,0.5)",
                  "tau.4=gamma(3,0.5)", "lambda=gamma(0.5,2)"});
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Vector psi = normal_matrix(model.parameter_count(), 1, seed);
    const Vector gradient = model.log_prior(psi).gradient;
    const Vector numerical =
        gradient_of([&](const Vector& p) { return model.log_prior(p).value; }, psi);
    EXPECT_LT((gradient - numerical).cwiseAbs().maxCoeff(), 1e-8 * (1 + gradient.norm()));
  }
}

TEST(Model, ALogPriorOfTheWrongLengthIsRefused) {
  const Model model = make_model(parse_kernel("rbf"), 2);
  EXPECT_THROW(model.log_prior(Vector::Zero(2)), std::invalid_argument);
  EXPECT_THROW(model.log_prior(Vector::Zero(4)), std::invalid_argument);
}

}  // namespace
}  // namespace ulisse
