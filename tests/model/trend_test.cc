// Words of trends, their basis, and their coefficients in the units of the table.

#include "model/trend.h"

#include <gtest/gtest.h>

#include "model/stated_model.h"
#include "support/error_message.h"
#include "ulisse/error.h"

namespace ulisse {
namespace {

const Dataset kTable = {.x = (Matrix(4, 3) << 1, 10, 0, 2, 30, 1, 4, 20, 0, 7, 50, 1).finished(),
                        .y = (Vector(4) << 3, 1, 4, 1).finished(),
                        .features = {"lat", "lon", "soil"},
                        .target = "y",
                        .levels = {{}, {}, {"clay", "sand"}}};

using Words = std::vector<std::string>;

Mean trend(const Words& words) { return parse_trend({.trend = words}, kTable); }

TEST(Trend, WordsStandForWhatTheyAreMadeOf) {
  for (const Words& words : {Words{}, Words{"constant"}, Words{"lon"}, Words{"lon", "lat"}}) {
    EXPECT_EQ(trend_words(trend(words), kTable), words);
  }
  EXPECT_EQ(trend_words(trend({"linear"}), kTable), (Words{"lat", "lon"})) << "soil has levels";
}

// f(x) = H b on the scaled table is the same function of the table as it was.
TEST(Trend, CoefficientsInUnitsGiveTheSameFunction) {
  const Standardisation scaling = standardisation_of(kTable);
  for (const Words& words : {Words{"constant"}, Words{"lon"}, Words{"linear"}}) {
    const Mean mean = trend(words);
    const Vector b = Vector::LinSpaced(mean.size(), 0.5, 2);
    const Vector as_scaled = scaling.unscale_y(mean.basis(scaled(kTable, scaling).x) * b);
    const Vector as_it_was = mean.basis(kTable.x) * mean.in_units(b, scaling);
    EXPECT_LT((as_scaled - as_it_was).norm(), 1e-12 * as_it_was.norm()) << words[0];
    EXPECT_EQ(static_cast<Index>(mean.coefficients().size()), mean.size());
  }
}

TEST(StatedModel, OptionsThatMadeItAreKeptAndOthersAreFoundForWhatAProgramChanged) {
  const ModelOptions options{.kernel = "rbf(lat) + matern32(lat,lon)*rbf(soil)",
                             .priors = {"noise_sd=half-normal(1)"},
                             .trend = {"lon"}};
  Model model = make_model(options, kTable);
  EXPECT_EQ(stated(model, kTable).kernel, options.kernel);
  EXPECT_EQ(stated(model, kTable).priors, options.priors);
  model.kernel.terms.pop_back();
  EXPECT_THROW(stated(model, kTable), std::invalid_argument) << "the layout has more parameters";
  Model other = make_model(Mean{.intercept = true, .inputs = {1, 0}}, model.kernel, kTable);
  other.layout.fix("tau", 0.1);
  EXPECT_EQ(stated(other, kTable).kernel, "rbf(lat)");
  EXPECT_EQ(stated(other, kTable).trend, (Words{"lon", "lat"}));
  EXPECT_EQ(make_model(stated(other, kTable), kTable).names(), other.names());
}

}  // namespace
}  // namespace ulisse
