// Points that a fit was made from.

#include "predict/rows_of_fit.h"

#include <gtest/gtest.h>

#include "support/random_points.h"

namespace ulisse {
namespace {

using testing::normal_matrix;

Dataset waves_of(Index n) {
  Dataset data{.x = normal_matrix(n, 2, 1), .y = Vector(n), .features = {"a", "b"}, .target = "y"};
  data.y = 5 + data.x.col(0).array().sin() + 0.1 * normal_matrix(n, 1, 2).col(0).array();
  return data;
}

Fit fit_of(const Dataset& data) {
  return fit(data, make_model("rbf", data),
             {.sampler = "mh", .settings = {{"chains", 2L}, {"draws", 20L}, {"warmup", 30L}}});
}

TEST(RowsOfFit, AreCounted) {
  const Dataset data = waves_of(30);
  const SavedFit saved = saved_fit(fit_of(data));
  EXPECT_EQ(rows_of_fit(saved, data), 30);
  Dataset other = data;
  other.x(3, 1) += 1e-9;
  other.y(7) += 1e-9;
  EXPECT_EQ(rows_of_fit(saved, other), 28);
  other.y = -other.y;
  EXPECT_EQ(rows_of_fit(saved, other), 0);
}

}  // namespace
}  // namespace ulisse
