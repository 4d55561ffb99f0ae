#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "ulisse/dataset.h"
#include "ulisse/model.h"
#include "ulisse/types.h"

namespace ulisse {

// What a model says in the units of the table. It follows from psi, or with the trend from its
// coefficients.
struct Quantity {
  enum class Kind {
    signal_sd,     // of the function around its trend, or of one term of the kernel
    noise_sd,      // that all rows share
    length_scale,  // along an input that is a number
    trend          // a coefficient: the intercept, where all inputs are 0, or a slope
  };
  std::string name;  // of its column in chain files: no parameter of psi has it
  Kind kind;
  Index term = -1;       // of the kernel; -1: of none alone
  Index column = -1;     // of x; -1: of none
  Index parameter = -1;  // of a length scale: its tau, in Layout::parameters()
};

// Whether a column of a chain file is of a quantity, and of no parameter.
bool names_quantity(std::string_view column);
bool names_length_scale(std::string_view column);
bool names_trend(std::string_view column);  // whose quantities may have any sign

// All of a model for a table after it was scaled.
class Quantities {
 public:
  // features: names of the columns of x.
  Quantities(Model model, Standardisation scaling, std::vector<std::string> features);

  const std::vector<Quantity>& all() const { return all_; }
  std::vector<std::string> names() const;

  // In the order of all(). `coefficients` are those of the trend for the scaled table; where there
  // are none, the trend's quantities are not a number.
  Vector at(const ConstVector& psi, const Vector& coefficients) const;

 private:
  void add(Quantity quantity, const std::string& stem, const std::string& last,
           const std::string& or_else);
  void add_signal();
  void add_length_scales();
  void add_trend();
  bool counts_inputs() const;
  Vector trend_in_units(const Vector& coefficients) const;

  Model model_;
  Standardisation scaling_;
  std::vector<std::string> features_;
  std::vector<Quantity> all_;
  std::set<std::string> used_;
};

}  // namespace ulisse
