#include <gtest/gtest.h>

#include <functional>
#include <set>
#include <string>

#include "ulisse/dataset.h"

namespace ulisse {
namespace {

Dataset small() {
  return {.x = (Matrix(2, 2) << 1, 2, 3, 4).finished(),
          .y = (Vector(2) << 5, 6).finished(),
          .features = {"a", "b"},
          .target = "y"};
}

TEST(Fingerprint, DoesNotDependOnTheMachineOrTheVersion) {
  // 64-bit FNV-1a of the same bytes, computed in Python.
  EXPECT_EQ(fingerprint(small()), "641660361a7582ed");
}

TEST(Fingerprint, DoesNotDependOnTheSource) {
  Dataset data = small();
  data.source = "elsewhere.csv";
  EXPECT_EQ(fingerprint(data), fingerprint(small()));
}

TEST(Fingerprint, ChangesWithEveryCellNameAndOrder) {
  const std::function<void(Dataset&)> changes[] = {
      [](Dataset&) {},
      [](Dataset& data) { data.x(0, 0) += 1e-15; },
      [](Dataset& data) { data.x(1, 0) = -3; },
      [](Dataset& data) { data.x(0, 1) = 0; },
      [](Dataset& data) { data.x(1, 1) = 5; },
      [](Dataset& data) { data.y[0] = 5.5; },
      [](Dataset& data) { data.y[1] = -6; },
      [](Dataset& data) { data.features[0].push_back('2'); },
      [](Dataset& data) {
        data.features = {"ab", ""};
      },
      [](Dataset& data) {
        data.features = {"b", "a"};
      },
      [](Dataset& data) { data.target.push_back('2'); },
      [](Dataset& data) { data.x.row(0).swap(data.x.row(1)); },
      [](Dataset& data) { data.x.col(0).swap(data.x.col(1)); },
      [](Dataset& data) { data.x.transposeInPlace(); },
      [](Dataset& data) { std::swap(data.y[0], data.y[1]); },
      [](Dataset& data) { data.x = Matrix(data.x.topRows(1)); },
      [](Dataset& data) { data.x = Matrix(data.x.reshaped(4, 1)); },
  };
  std::set<std::string> seen;
  for (const auto& change : changes) {
    Dataset data = small();
    change(data);
    seen.insert(fingerprint(data));
  }
  EXPECT_EQ(seen.size(), std::size(changes));
}

}  // namespace
}  // namespace ulisse
