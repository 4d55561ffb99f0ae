#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "ulisse/types.h"

// What R says, written by golden/make_golden.R.
namespace ulisse::testing {

inline std::vector<std::vector<std::string>> golden_rows(const std::string& name) {
  std::ifstream file(ULISSE_TESTS_FOLDER "/diagnose/golden/" + name + ".csv");
  std::vector<std::vector<std::string>> rows;
  std::string line, cell;
  std::getline(file, line);  // the header
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    rows.emplace_back();
    while (std::getline(cells, cell, ',')) rows.back().push_back(cell);
  }
  EXPECT_FALSE(rows.empty()) << name;
  return rows;
}

inline Matrix golden_draws(const std::string& name) {
  const auto rows = golden_rows(name);
  Matrix draws(static_cast<Index>(rows.size()), static_cast<Index>(rows.at(0).size()));
  for (Index i = 0; i < draws.rows(); ++i) {
    for (Index j = 0; j < draws.cols(); ++j) draws(i, j) = std::strtod(rows[i][j].c_str(), nullptr);
  }
  return draws;
}

// The numbers of a quantity of a data set, in order; nothing where R was not asked.
inline const std::vector<double>& expected(const std::string& name, const std::string& quantity) {
  static const auto all = [] {
    std::map<std::string, std::vector<double>> numbers;
    for (const auto& row : golden_rows("expected")) {
      numbers[row.at(0) + "." + row.at(1)].push_back(std::strtod(row.at(3).c_str(), nullptr));
    }
    return numbers;
  }();
  static const std::vector<double> nothing;
  const auto found = all.find(name + "." + quantity);
  EXPECT_NE(found, all.end()) << name << "." << quantity;
  return found == all.end() ? nothing : found->second;
}

// Equal to 1e-10, relative or to `scale` if that is larger; NaN and infinity equal themselves.
inline void expect_equal(double ours, double theirs, const std::string& what, double scale = 0) {
  if (std::isnan(theirs)) {
    EXPECT_TRUE(std::isnan(ours)) << what << " is " << ours;
  } else if (std::isinf(theirs)) {
    EXPECT_EQ(ours, theirs) << what;
  } else {
    EXPECT_NEAR(ours, theirs, 1e-10 * std::max(std::abs(theirs), scale)) << what;
  }
}

}  // namespace ulisse::testing
