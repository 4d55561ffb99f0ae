// What makes two fits the same, so that a state of one serves the other.

#include "fit/identity.h"

#include <gtest/gtest.h>

#include "support/saved_fit.h"
#include "support/temporary_folder.h"

namespace ulisse {
namespace {

using Json = nlohmann::ordered_json;

class Identity : public testing::TemporaryFolder {
 protected:
  Json description() const { return testing::fit_in(path()); }
};

TEST_F(Identity, ChangesWithEverySettingAndWithTheData) {
  const Json fit = description();
  std::vector<Json> others(6, fit);
  others[0]["settings"]["seed"] = 2;
  others[1]["settings"]["warmup"] = 501;
  others[2]["settings"]["sampler"] = "nuts";
  others[3]["data"]["fingerprint"] = "0123456789abcdef";
  others[4]["data"]["target"] = "z";
  others[5]["parameters"][0]["prior"] = "gamma(2,1)";
  for (const Json& other : others) EXPECT_NE(fit_identity(fit), fit_identity(other)) << other;
}

TEST_F(Identity, StaysWhenDrawsAreAddedOrAFitIsMoved) {
  const Json fit = description();
  Json later = fit;
  later["settings"]["draws"] = 1e6;
  later["settings"]["save_warmup"] = true;
  later["data"]["file"] = "elsewhere.csv";
  later["status"] = "complete";
  later["draws"] = 10;
  EXPECT_EQ(fit_identity(fit), fit_identity(later));
  EXPECT_EQ(fit_identity(fit).size(), 16U);
}

TEST_F(Identity, TakesNamesThatAreNotUtf8) {
  Json fit = description();
  fit["data"]["target"] = "\xff";
  EXPECT_NO_THROW(fit_identity(fit));
}

}  // namespace
}  // namespace ulisse
