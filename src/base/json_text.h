#pragma once

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "ulisse/types.h"

namespace ulisse {

inline nlohmann::ordered_json json_numbers(const ConstVector& v) {
  return std::vector<double>(v.begin(), v.end());
}

inline Vector vector_of(const nlohmann::ordered_json& json) {
  const auto values = json.get<std::vector<double>>();
  return Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size()));
}

// NaN has no place in JSON.
inline nlohmann::ordered_json json_number(double value) {
  if (!std::isfinite(value)) return nullptr;
  return value;
}

// A list of rows.
inline nlohmann::ordered_json json_rows(const Matrix& m) {
  auto rows = nlohmann::ordered_json::array();
  for (Index i = 0; i < m.rows(); ++i) {
    auto& row = rows.emplace_back(nlohmann::ordered_json::array());
    for (Index j = 0; j < m.cols(); ++j) row.push_back(json_number(m(i, j)));
  }
  return rows;
}

// Names of files and columns need not be UTF-8, and JSON must be: what is not is replaced.
inline std::string json_text(const nlohmann::ordered_json& json) {
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace ulisse
