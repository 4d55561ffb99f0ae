// Priors of inputs by their names.

#include "model/named_priors.h"

#include <gtest/gtest.h>

#include "support/error_message.h"

namespace ulisse {
namespace {

using testing::message_of;
using Texts = std::vector<std::string>;

Dataset inputs(Texts features, Texts all = {}) {
  return {.x = Matrix::Zero(2, static_cast<Index>(features.size())),
          .y = Vector::Zero(2),
          .features = std::move(features),
          .target = "y",
          .all_features = std::move(all)};
}

const Kernel kArd = parse_kernel("rbf-ard");

TEST(NamedPriors, NamesBecomePlaces) {
  const Dataset data = inputs({"age", "a=b", "7"});
  EXPECT_EQ(
      with_places({"tau.age=gamma(1,1)", "tau. a=b =gamma(2,1)", "lambda=gamma(3,1)"}, kArd, data),
      (Texts{"tau.1=gamma(1,1)", "tau.2=gamma(2,1)", "lambda=gamma(3,1)"}));
}

TEST(NamedPriors, ANumberIsAPlaceEvenWhereAnInputHasItForAName) {
  EXPECT_EQ(with_places({"tau.2=gamma(1,1)"}, kArd, inputs({"2", "b"})), Texts{"tau.2=gamma(1,1)"});
}

TEST(NamedPriors, OfOneTauForAllStayAsTheyAre) {
  EXPECT_EQ(with_places({"tau.age=gamma(1,1)"}, parse_kernel("rbf"), inputs({"age"})),
            Texts{"tau.age=gamma(1,1)"});
}

TEST(NamedPriors, OfOneParameterCannotBeTwo) {
  const Dataset data = inputs({"age", "b"});
  EXPECT_EQ(message_of([&] {
              with_places({"tau=gamma(1,1)", " tau =gamma(2,1)"}, kArd, data);
            }),
            "priors: tau has two priors");
  EXPECT_EQ(message_of([&] {
              with_places({"tau.age=gamma(1,1)", "tau.1=gamma(2,1)"}, kArd, data);
            }),
            "priors: tau.1 has two priors");
  EXPECT_NO_THROW(with_places({"tau=gamma(1,1)", "tau.1=gamma(2,1)"}, kArd, data));
}

TEST(NamedPriors, PlacesAreNotClearWhereFeaturesWereLeftOut) {
  const Dataset data = inputs({"age", "c"}, {"age", "b", "c"});
  EXPECT_EQ(with_places({"tau.c=gamma(1,1)"}, kArd, data), Texts{"tau.2=gamma(1,1)"});
  EXPECT_EQ(message_of([&] { with_places({"tau.2=gamma(1,1)"}, kArd, data); }),
            "priors: tau.2 could be counted with the columns that were left out, which are "
            "constant, or without them; name the input, as in 'tau.age=...'");
}

}  // namespace
}  // namespace ulisse
