// Names of the parameters of sums and products.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "support/random_kernels.h"
#include "ulisse/model.h"

namespace ulisse {
namespace {

using Names = std::vector<std::string>;

Names names_of(const std::string& kernel, const Names& features = {"lon", "lat", "day"}) {
  Dataset data{.x = Matrix(0, static_cast<Index>(features.size())),
               .y = Vector(0),
               .features = features,
               .target = "y"};
  return make_model(ModelOptions{.kernel = kernel}, data).names();
}

TEST(ParameterNames, KernelsOnAllInputsHaveThoseTheyAlwaysHad) {
  EXPECT_EQ(names_of("rbf"), (Names{"sigma", "tau", "lambda"}));
  EXPECT_EQ(names_of("rbf-ard"), (Names{"sigma", "tau.1", "tau.2", "tau.3", "lambda"}));
}

TEST(ParameterNames, NamedInputsNameTheTausOfArd) {
  EXPECT_EQ(names_of("rbf(lat)"), (Names{"sigma", "tau", "lambda"}));
  EXPECT_EQ(names_of("rbf-ard(lat,day)"), (Names{"sigma", "tau.lat", "tau.day", "lambda"}));
}

TEST(ParameterNames, FactorsAreToldApartByTheirInputs) {
  EXPECT_EQ(names_of("matern32(lon,lat)*matern12(day)"),
            (Names{"sigma", "tau.lon_lat", "tau.day", "lambda"}));
  EXPECT_EQ(names_of("periodic(day,7)*rbf(day)"),
            (Names{"sigma", "tau.periodic_day", "tau.rbf_day", "lambda"}));
  EXPECT_EQ(names_of("rbf(day)*rbf(day)*rbf(day)"),
            (Names{"sigma", "tau.rbf_day", "tau.rbf_day_2", "tau.rbf_day_3", "lambda"}));
}

TEST(ParameterNames, TermsAreCounted) {
  EXPECT_EQ(names_of("rbf(lon) + matern12-ard(lat,day) + rbf(lon)*rbf(day)"),
            (Names{"sigma.1", "tau.1", "sigma.2", "tau.2.lat", "tau.2.day", "sigma.3", "tau.3.lon",
                   "tau.3.day", "lambda"}));
}

// As chain files can have them: letters, digits, underscores, and points between parts.
TEST(ParameterNames, HaveNoCharactersThatFilesCannotHave) {
  EXPECT_EQ(names_of("rbf-ard(\"fly ash (kg)\",\"a,b\",\"x.1\")", {"fly ash (kg)", "a,b", "x.1"}),
            (Names{"sigma", "tau.fly_ash__kg_", "tau.a_b", "tau.x_1", "lambda"}));
}

TEST(ParameterNames, AreUniqueForKernelsByChanceAndNamesThatLookAlike) {
  Dataset data = testing::mixed_table(4, 1);
  for (unsigned seed = 0; seed < 500; ++seed) {
    const std::string kernel = testing::RandomKernels(seed).expression();
    for (const Names& features : {data.features, Names{"a b", "a_b", "a.b", "rbf_a_b", "e"},
                                  Names{"1", "2", "1_2", "rbf_1", "e"}}) {
      const Kernel parsed = parse_kernel(kernel, data);
      const auto parameters = parsed.parameters(4, features);
      std::set<std::string> seen;
      for (const Parameter& parameter : parameters) {
        EXPECT_TRUE(seen.insert(parameter.name).second) << parameter.name << " of " << kernel;
        EXPECT_TRUE(std::all_of(parameter.name.begin(), parameter.name.end(), [](char c) {
          return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
        })) << parameter.name;
      }
      EXPECT_EQ(static_cast<Index>(parameters.size()), parsed.parameter_count(4));
    }
  }
}

// One name is a prefix of another only where it stands for a whole term, so that a prior is set for
// what its name says.
TEST(ParameterNames, SettingAPriorByAFullNameSetsItForThatOneAlone) {
  const Dataset data = testing::mixed_table(4, 1);
  for (unsigned seed = 0; seed < 300; ++seed) {
    const Model model =
        make_model(ModelOptions{.kernel = testing::RandomKernels(seed).expression()}, data);
    for (const std::string& name : model.names()) {
      Model changed = model;
      EXPECT_TRUE(changed.layout.set_prior(name, Prior(Prior::Family::gamma, 7, 7)));
      int set = 0;
      for (Index i = 0; i < changed.layout.size(); ++i) {
        set += changed.layout.at(i).prior.log_density_psi(0).value !=
                       model.layout.at(i).prior.log_density_psi(0).value
                   ? 1
                   : 0;
      }
      EXPECT_EQ(set, 1) << name << " of " << model.given.kernel;
    }
  }
}

}  // namespace
}  // namespace ulisse
