#include "ulisse/langevin_start.h"

#include <gtest/gtest.h>

namespace ulisse {
namespace {

Survey survey() {
  Survey found;
  found.centre = Vector{{1, 2}};
  found.metric = Matrix::Identity(2, 2);
  return found;
}

// Draws of mean (0.5, 0) and variances 4 and 1 in coordinates whose units are a half, around (1,
// 2).
Learning learnt(double error) {
  Learning found;
  found.surrogate = Surrogate(Whitening(Coordinates(Vector::Zero(2), Vector::Zero(2)),
                                        Vector{{1, 2}}, 0.5 * Matrix::Identity(2, 2)));
  found.mean = Vector{{0.5, 0}};
  found.covariance = Vector{{4, 1}}.asDiagonal();
  found.best_error = error;
  return found;
}

TEST(LangevinStart, IsWhereTheDrawsOfASurrogateAre) {
  const LangevinStart start = langevin_start(survey(), learnt(0.2));
  EXPECT_TRUE(start.is_learnt);
  EXPECT_TRUE(start.centre.isApprox(Vector{{1.25, 2}}));
  EXPECT_TRUE(start.covariance.isApprox(Matrix(Vector{{1, 0.25}}.asDiagonal())));
}

TEST(LangevinStart, IsTheModeWhereLittleWasLearnt) {
  for (const Learning& little : {learnt(0.5), learnt(INFINITY), Learning()}) {
    const LangevinStart start = langevin_start(survey(), little);
    EXPECT_FALSE(start.is_learnt);
    EXPECT_EQ(start.centre, survey().centre);
    EXPECT_EQ(start.covariance, survey().metric);
  }
}

}  // namespace
}  // namespace ulisse
