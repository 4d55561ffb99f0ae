#include "report/prediction_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "ulisse/dataset.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

// "q97.5" is the quantile 0.975; 0 for any other name.
double level_of(const std::string& name) {
  if (name.size() < 2 || name[0] != 'q') return 0;
  char* end = nullptr;
  const double percent = std::strtod(name.c_str() + 1, &end);
  return *end == '\0' && percent > 0 && percent < 100 ? percent / 100 : 0;
}

Vector column(const Dataset& data, const std::string& name) {
  const auto found = std::find(data.features.begin(), data.features.end(), name);
  if (found == data.features.end()) return {};
  return data.x.col(found - data.features.begin());
}

}  // namespace

PredictionTable read_predictions(const std::string& path) {
  const Dataset data = read_csv(path, {.target = "mean"});
  PredictionTable table{.mean = data.y,
                        .sd = column(data, "sd"),
                        .observed = column(data, "observed"),
                        .below = column(data, "below")};
  if (table.sd.size() == 0) {
    throw InputError(
        fmt::format("{}: there is no column 'sd': not what ulisse predict writes", path));
  }
  std::vector<Index> columns;
  for (std::size_t j = 0; j < data.features.size(); ++j) {
    const double level = level_of(data.features[j]);
    if (level == 0) continue;
    table.levels.push_back(level);
    columns.push_back(static_cast<Index>(j));
  }
  table.quantiles = data.x(Eigen::all, columns);
  return table;
}

}  // namespace ulisse
