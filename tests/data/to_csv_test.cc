// A table written and read again is the same, to the last bit and whatever its columns are called.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "temporary_file.h"
#include "ulisse/dataset.h"

namespace ulisse {
namespace {

TEST(ToCsv, WhatIsWrittenIsReadAgain) {
  Dataset data;
  data.x.resize(3, 2);
  data.x << 0.1, -1e-300, 1 / 3.0, std::numeric_limits<double>::max(), 12345678.9, 5e-324;
  data.y.resize(3);
  data.y << M_PI, -0.0, 1e22;
  data.features = {"a, \"quoted\" name", "b"};
  data.target = "y;2";
  const TemporaryFile file(to_csv(data));
  const Dataset again = read_csv(file.path(), {.target = data.target, .features = data.features});
  EXPECT_EQ(again.features, data.features);
  EXPECT_EQ(again.target, data.target);
  EXPECT_EQ(again.x, data.x);
  EXPECT_EQ(again.y, data.y);
  EXPECT_EQ(fingerprint(again), fingerprint(data));
}

TEST(ReadCsv, ATargetMayBeLeftOutWhereItIsOptional) {
  const TemporaryFile file("b,a\n1,2\n3,4\n");
  const Dataset data =
      read_csv(file.path(), {.target = "y", .features = {"a", "b"}, .target_optional = true});
  EXPECT_EQ(data.y.size(), 0);
  EXPECT_TRUE(data.target.empty());
  EXPECT_EQ(data.features, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(data.x, (Matrix(2, 2) << 2, 1, 4, 3).finished());
  const TemporaryFile with("b,a,y\n1,2,5\n");
  EXPECT_EQ(read_csv(with.path(), {.target = "y", .features = {"a"}, .target_optional = true}).y(0),
            5);
}

}  // namespace
}  // namespace ulisse
