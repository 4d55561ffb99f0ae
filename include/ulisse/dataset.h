#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ulisse/noise.h"
#include "ulisse/types.h"

namespace ulisse {

// A table ready for regression. Every value is finite.
struct Dataset {
  Matrix x;                           // (n, d)
  Vector y;                           // (n)
  std::vector<std::string> features;  // d names, in the order of x's columns
  std::string target;
  std::string source = {};  // where it comes from, for messages: a file, or nothing
  // What was done that a user may not expect, a sentence each.
  std::vector<std::string> notes = {};
  // Where features were left out: the names before that; else nothing.
  std::vector<std::string> all_features = {};
  // Of each column of x the levels of a category, for which it holds their places 0, 1, ...; none
  // for a column of numbers. No list at all where every column has numbers.
  std::vector<std::vector<std::string>> levels = {};
  // Of each column of x the day that it counts from, as 1958-03-29, where dates became numbers;
  // none for any other. No list at all where no column has dates.
  std::vector<std::string> first_days = {};
  // A column of x that is no input: what is known of each row's noise.
  std::optional<KnownNoise> known_noise = {};
  bool noise_column_missing = false;  // the file has none, and x has 0 for it
  // Where rows with missing cells were left out: the places of the others in the file, from 1.
  std::vector<Index> rows = {};
};

struct CsvOptions {
  std::string target;  // name of the target column
  // Names of columns; one that no column has is taken apart at its commas. Empty: every other
  // column, in the file's order.
  std::vector<std::string> features = {};
  std::vector<std::string> exclude = {};  // not these, among all others; names as in `features`
  // Columns whose cells are levels of a category, though they look like numbers. Those whose first
  // cell is a text are taken for categories, and dates become days since the first.
  std::vector<std::string> categories = {};
  // Name of the column that says what is known of each row's noise; empty: none.
  std::string noise = {};
  bool noise_is_variance = false;
  bool drop_missing = false;  // leave rows out that have missing cells
  // The columns of another table, which this one's are: its features, levels, first days and known
  // noise are taken from there, and a column of known noise need not be there where the target need
  // not, nor any of its cells; it is 0 then. Must outlive the call.
  const Dataset* like = nullptr;
  bool new_levels = false;  // beside those of `like`, each like no other
  // Without such a column, or with an empty one, y and target are empty.
  bool target_optional = false;
  char separator = ',';  // between cells; numbers have a decimal point whatever it is
  bool header = true;    // false: the first row is data, and columns are called 1, 2, ...
  // Bytes that the values may take; 0 for a quarter of the memory that is available.
  std::size_t most_bytes = 0;
};

// Reads a comma-separated file in UTF-8 with one header row, or none; a file that starts with
// gzip's magic bytes is decompressed, and "-" is standard input. Only the columns asked for need to
// hold numbers. Throws InputError.
Dataset read_csv(const std::string& path, const CsvOptions& options);

// The table as such a file: every value as it is, to the last bit.
std::string to_csv(const Dataset& data);

// Leaves out the features that are constant, or vary by no more than rounding: they cannot be
// standardised, and nothing can be learnt from them. Says so in a note. Throws InputError when none
// is left.
void leave_out_constant_features(Dataset& data);

// A note where the target has two values only, counts, or few values that many rows share, which
// the model takes for numbers with Gaussian noise.
void note_target(Dataset& data);

// Neither a category nor what is known of the noise.
bool is_numeric_input(const Dataset& data, Index column);

// (value - mean) / sd for each column of numbers, sd with n - 1; places of levels stay, and known
// noise is divided as the target is. Invertible; belongs to a fit, so that predictions can be put
// back on the scale of the file.
struct Standardisation {
  Vector x_mean, x_sd;  // (d)
  double y_mean = 0, y_sd = 1;

  Matrix scale_x(const ConstBlock& x) const;
  Vector scale_y(const ConstVector& y) const;
  Matrix unscale_x(const ConstBlock& x_scaled) const;
  Vector unscale_y(const ConstVector& y_scaled) const;
};

// Throws InputError when there is one row only, and, naming the column, when a column is constant
// or varies by no more than rounding.
Standardisation standardisation_of(const Dataset& data);
Standardisation identity_standardisation(Index d);
Dataset scaled(const Dataset& data, const Standardisation& s);

// 16 hexadecimal digits that change with any value, any name and any order of rows or columns, and
// are the same on every machine. Tells other data apart; no protection against forgery.
std::string fingerprint(const Dataset& data);

}  // namespace ulisse
