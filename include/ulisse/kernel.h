#pragma once

#include <string>
#include <vector>

#include "ulisse/parameter.h"
#include "ulisse/shape.h"
#include "ulisse/types.h"

namespace ulisse {

struct Dataset;

// shape(s) of the distance along some inputs, with one tau for all of them or one for each (ARD).
struct Factor {
  Shape shape = Shape::rbf;
  bool ard = false;
  std::vector<KernelInput> inputs = {};  // none: every column of x, as numbers
  bool by_name = false;                  // given by their names, which its parameters then have

  Index tau_count(Index d) const;
};

// sigma times the product of the factors.
struct Term {
  std::vector<Factor> factors;
};

// The covariance of the function: a sum of terms. Most kernels are one term of one factor.
struct Kernel {
  std::vector<Term> terms;

  Kernel(Shape shape = Shape::rbf, bool ard = false) : terms{Term{{Factor{shape, ard}}}} {}
  explicit Kernel(std::vector<Term> sum) : terms(std::move(sum)) {}

  bool is_one_factor() const { return terms.size() == 1 && terms[0].factors.size() == 1; }

  // For each term sigma, then each factor's taus: the order of the kernel's part of psi. Inputs
  // have the names of `features`, or places 1, 2, ... where there are none.
  std::vector<Parameter> parameters(Index d, const std::vector<std::string>& features = {}) const;
  Index parameter_count(Index d) const;
};

// The inputs of a factor, for x of d columns.
std::vector<KernelInput> inputs_of(const Factor& factor, Index d);

// "rbf", "rbf-ard", "matern32", ...: on all inputs. Throws InputError that lists the names.
Kernel parse_kernel(const std::string& name);

// A sum of products, as in "matern32(lon,lat) + periodic(day,365.25)*rbf(day) + rbf-ard(a,b)":
// inputs have the names of the table's columns, in double quotes where they have other characters
// than letters, digits, blanks, points and underscores. A shape without inputs has all of them.
// Throws InputError, which says at which character of the text something is wrong.
Kernel parse_kernel(const std::string& expression, const Dataset& data);

// In words of parse_kernel(), with the places 1, 2, ... of columns for their names.
std::string name_of(const Kernel& kernel);

// One term in words of parse_kernel(), with names of the columns; in quotes where they need them.
std::string name_of(const Term& term, const std::vector<std::string>& features);

// exp of the kernel's part of psi, taken apart.
struct TermParameters {
  double sigma;             // its variance
  std::vector<Vector> tau;  // for each factor the inverse squared length scale of each input
};
using KernelParameters = std::vector<TermParameters>;

// Throws std::invalid_argument when psi has the wrong length.
KernelParameters unpack(const Kernel& kernel, const ConstVector& psi, Index d);

// The variance of the function at any point: the sum of the sigmas.
double variance_of(const KernelParameters& parameters);

// The kernel between two points, rows of x, and its derivatives by its part of psi.
ValueAndGradient evaluate(const Kernel& kernel, const KernelParameters& parameters,
                          const RowVector& a, const RowVector& b);

}  // namespace ulisse
