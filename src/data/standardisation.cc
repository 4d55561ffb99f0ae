#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "data/column_moments.h"
#include "data/text.h"
#include "ulisse/dataset.h"
#include "ulisse/error.h"

namespace ulisse {
namespace {

void check(const Dataset& data) {
  if (data.x.rows() != data.y.size()) {
    throw std::invalid_argument(
        fmt::format("y has {} rows, x has {}", data.y.size(), data.x.rows()));
  }
  if (static_cast<Index>(data.features.size()) != data.x.cols()) {
    throw std::invalid_argument(
        fmt::format("{} features are named, x has {}", data.features.size(), data.x.cols()));
  }
  if (!data.x.allFinite() || !data.y.allFinite()) {
    throw std::invalid_argument("x or y holds a value that is not finite");
  }
}

void check_width(const Standardisation& s, Index columns) {
  if (columns == s.x_mean.size() && columns == s.x_sd.size()) return;
  throw std::invalid_argument(
      fmt::format("x has {} columns, the standardisation {}", columns, s.x_mean.size()));
}

std::string prefix(const Dataset& data) { return data.source.empty() ? "" : data.source + ": "; }

ColumnMoments checked_moments(const Dataset& data, const std::string& name,
                              const ConstVector& values) {
  const ColumnMoments moments = column_moments(values);
  const std::string column = fmt::format("{}column {}", prefix(data), csv::shown(name));
  if (moments.least == moments.most) {
    throw InputError(fmt::format("{} is constant: every value is {}", column, moments.least));
  }
  if (!std::isfinite(moments.most - moments.least)) {
    throw InputError(fmt::format("{} is too wide to standardise: it runs from {} to {}", column,
                                 moments.least, moments.most));
  }
  if (varies_by_rounding_only(moments)) {
    throw InputError(fmt::format("{} is constant but for rounding: it runs from {} to {}", column,
                                 moments.least, moments.most));
  }
  return moments;
}

}  // namespace

Matrix Standardisation::scale_x(const ConstBlock& x) const {
  check_width(*this, x.cols());
  return (x.rowwise() - x_mean.transpose()).array().rowwise() / x_sd.transpose().array();
}

Vector Standardisation::scale_y(const ConstVector& y) const { return (y.array() - y_mean) / y_sd; }

Matrix Standardisation::unscale_x(const ConstBlock& x_scaled) const {
  check_width(*this, x_scaled.cols());
  return (x_scaled.array().rowwise() * x_sd.transpose().array()).rowwise() +
         x_mean.transpose().array();
}

Vector Standardisation::unscale_y(const ConstVector& y_scaled) const {
  return y_scaled.array() * y_sd + y_mean;
}

Standardisation standardisation_of(const Dataset& data) {
  check(data);
  if (data.y.size() < 2) {
    throw InputError(fmt::format("{}to standardise takes two rows or more, there {} {}",
                                 prefix(data), data.y.size() == 1 ? "is" : "are", data.y.size()));
  }
  Standardisation s = identity_standardisation(data.x.cols());
  for (Index j = 0; j < data.x.cols(); ++j) {
    if (!is_numeric_input(data, j)) continue;
    const auto& name = data.features[static_cast<std::size_t>(j)];
    const ColumnMoments moments = checked_moments(data, name, data.x.col(j));
    s.x_mean[j] = moments.mean;
    s.x_sd[j] = moments.sd;
  }
  const ColumnMoments moments = checked_moments(data, data.target, data.y);
  s.y_mean = moments.mean;
  s.y_sd = moments.sd;
  if (const auto& known = data.known_noise) {
    s.x_sd[known->column] = known->is_variance ? s.y_sd * s.y_sd : s.y_sd;
  }
  return s;
}

Standardisation identity_standardisation(Index d) {
  return {.x_mean = Vector::Zero(d), .x_sd = Vector::Ones(d)};
}

bool is_numeric_input(const Dataset& data, Index column) {
  if (data.known_noise && data.known_noise->column == column) return false;
  const auto place = static_cast<std::size_t>(column);
  return data.levels.empty() || data.levels.at(place).empty();
}

Dataset scaled(const Dataset& data, const Standardisation& s) {
  return {.x = s.scale_x(data.x),
          .y = s.scale_y(data.y),
          .features = data.features,
          .target = data.target,
          .source = data.source,
          .notes = data.notes,
          .all_features = data.all_features,
          .levels = data.levels,
          .first_days = data.first_days,
          .known_noise = data.known_noise,
          .rows = data.rows};
}

}  // namespace ulisse
