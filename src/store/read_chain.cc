#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>

#include "data/text.h"
#include "model/quantities.h"
#include "store/chain_file.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (;;) {
    const std::size_t comma = line.find(',');
    fields.push_back(line.substr(0, comma));
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

// What CmdStan calls so is of the sampler, and not a parameter.
bool is_of_sampler(std::string_view name) { return name.ends_with("__"); }

// The columns of a file of draws, found by their names.
class Columns {
 public:
  // Throws InputError where the line is not that of a file of draws.
  Columns(std::string_view line, const std::string& path) : path_(path) {
    for (const std::string_view name : fields_of(line)) names_.emplace_back(name);
    for (const char* needed : {"lp__", "n_leapfrog__", "divergent__"}) {
      if (find(needed) == names_.size()) {
        throw InputError(fmt::format("{}: is not a file of draws: no column '{}'", path, needed));
      }
    }
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (names_[i].empty() || find(names_[i]) != i) {
        throw InputError(fmt::format(
            "{}: is not a file of draws: {}", path,
            names_[i].empty() ? "a column has no name"
                              : fmt::format("two columns are named {}", csv::shown(names_[i]))));
      }
      if (is_of_sampler(names_[i])) continue;
      (names_quantity(names_[i]) ? quantities_ : parameters_).push_back(i);
    }
    if (parameters_.empty()) {
      throw InputError(fmt::format("{}: is not a file of draws: it has no parameters", path));
    }
    for (const std::string& name : noise_columns(parameters_.size())) {
      if (find(name) < names_.size()) noise_.push_back(find(name));
    }
    log_density_ = find("lp__");
    products_ = find("n_leapfrog__");
    divergent_ = find("divergent__");
  }

  std::vector<std::string> parameters() const { return names_of(parameters_); }
  std::vector<std::string> quantities() const { return names_of(quantities_); }
  std::size_t noise() const { return noise_.size(); }

  struct Row {
    std::vector<double> theta, quantities, noise;
    double products, log_density;
    bool divergent;
  };

  // Throws InputError that names the line, and the column.
  Row row(std::string_view line, long number) const {
    const std::vector<std::string_view> fields = fields_of(line);
    if (fields.size() != names_.size()) {
      throw InputError(fmt::format("{}:{}: has {} value{}, and there are {} columns", path_, number,
                                   fields.size(), fields.size() == 1 ? "" : "s", names_.size()));
    }
    std::vector<double> values(fields.size());
    for (std::size_t i = 0; i < fields.size(); ++i) values[i] = number_in(fields[i], i, number);
    Row row{.theta = {},
            .quantities = {},
            .noise = {},
            .products = values[products_],
            .log_density = values[log_density_],
            .divergent = values[divergent_] != 0};
    if (!std::isfinite(row.products)) refuse(fields[products_], products_, number, "a number");
    const double divergent = values[divergent_];
    if (divergent != 0 && divergent != 1) refuse(fields[divergent_], divergent_, number, "0 or 1");
    for (const std::size_t i : parameters_) {
      if (!(values[i] > 0) || std::isinf(values[i])) {
        refuse(fields[i], i, number, "a positive number");
      }
      row.theta.push_back(values[i]);
    }
    for (const std::size_t i : quantities_) {
      // Standard deviations and lengths; the trend's coefficients may have no value.
      if (!names_trend(names_[i]) && (!(values[i] >= 0) || std::isinf(values[i]))) {
        refuse(fields[i], i, number, "a number of 0 or more");
      }
      row.quantities.push_back(values[i]);
    }
    for (const std::size_t i : noise_) row.noise.push_back(values[i]);
    return row;
  }

 private:
  std::vector<std::string> names_of(const std::vector<std::size_t>& columns) const {
    std::vector<std::string> names;
    for (const std::size_t i : columns) names.push_back(names_[i]);
    return names;
  }

  std::size_t find(std::string_view name) const {
    return static_cast<std::size_t>(std::find(names_.begin(), names_.end(), name) - names_.begin());
  }

  double number_in(std::string_view field, std::size_t column, long line) const {
    double value = 0;
    const char* end = field.data() + field.size();
    const auto [stopped, error] = std::from_chars(field.data(), end, value);
    if (error != std::errc() || stopped != end) refuse(field, column, line, "a number");
    return value;
  }

  [[noreturn]] void refuse(std::string_view field, std::size_t column, long line,
                           const char* what) const {
    throw InputError(fmt::format("{}:{}: column {} must be {}, is {}", path_, line,
                                 csv::shown(names_[column]), what, csv::shown(field)));
  }

  std::string path_;
  std::vector<std::string> names_;
  std::vector<std::size_t> parameters_, quantities_, noise_;
  std::size_t log_density_ = 0, products_ = 0, divergent_ = 0;
};

ChainDraws draws_of(const Columns& columns, const std::vector<Columns::Row>& rows) {
  ChainDraws chain{.parameters = columns.parameters(), .quantities = columns.quantities()};
  const auto count = static_cast<Index>(rows.size());
  const auto parameters = static_cast<Index>(chain.parameters.size());
  const auto quantities = static_cast<Index>(chain.quantities.size());
  chain.theta.resize(count, parameters);
  chain.values.resize(count, quantities);
  const auto noise = static_cast<Index>(columns.noise());
  chain.noise.resize(count, noise);
  chain.products.resize(count);
  chain.log_density.resize(count);
  for (Index i = 0; i < count; ++i) {
    const Columns::Row& row = rows[static_cast<std::size_t>(i)];
    chain.theta.row(i) = Eigen::Map<const Eigen::RowVectorXd>(row.theta.data(), parameters);
    chain.values.row(i) = Eigen::Map<const Eigen::RowVectorXd>(row.quantities.data(), quantities);
    chain.noise.row(i) = Eigen::Map<const Eigen::RowVectorXd>(row.noise.data(), noise);
    chain.products(i) = row.products;
    chain.log_density(i) = row.log_density;
    if (row.divergent) ++chain.divergent;
  }
  return chain;
}

ChainDraws chain_in(const std::string& content, const std::string& path) {
  std::string_view rest = content;
  std::vector<Columns::Row> rows;
  std::optional<Columns> columns;
  for (long number = 1;; ++number) {
    const std::size_t end = rest.find('\n');
    if (end == std::string_view::npos) break;  // cut short
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    if (line.empty() || line[0] == '#') continue;
    if (columns) {
      rows.push_back(columns->row(line, number));
    } else {
      columns.emplace(line, path);
    }
  }
  if (columns) return draws_of(*columns, rows);
  // A kill may leave it empty, or its first lines alone.
  if (content.empty() || content[0] == '#') return {};
  throw InputError(fmt::format("{}: is not a file of draws", path));
}

}  // namespace

ChainDraws parse_chain(const std::string& content, const std::string& path) {
  return chain_in(content, path);
}

ChainDraws read_chain(const std::string& path) { return parse_chain(read_file(path), path); }

ChainDraws read_chain(const std::string& path, std::uint64_t size) {
  std::string content = read_file(path);
  if (content.size() < size) {
    throw InputError(fmt::format("{}: is shorter than it was at the last checkpoint", path));
  }
  content.resize(size);
  if (!content.ends_with('\n')) {
    throw InputError(fmt::format("{}: is not as it was at the last checkpoint", path));
  }
  return chain_in(content, path);
}

}  // namespace ulisse
