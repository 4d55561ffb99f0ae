#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ulisse/prior.h"
#include "ulisse/shape.h"
#include "ulisse/stated_prior.h"
#include "ulisse/types.h"

namespace ulisse {

// A column of x as distances see it.
struct KernelInput {
  enum class Kind {
    number,
    circle,   // of `period`: points are (cos, sin) of 2 pi x / period, so that the chord counts
    category  // two values differ by a distance of 1, whatever they are
  };
  Index column;
  Kind kind;
  double period;  // of a circle, in the units that the column of x has

  KernelInput(Index of, Kind as = Kind::number, double every = 0)
      : column(of), kind(as), period(every) {}
  bool operator==(const KernelInput&) const = default;
};

// What a parameter is to the model.
enum class Role { signal_variance, inverse_squared_length, noise_variance };

// A positive parameter theta of the kernel or of the noise, as Layout keeps it.
struct Parameter {
  std::string name;
  std::string alias = {};  // another name that priors and fixed values may have
  Role role;
  std::vector<KernelInput> inputs = {};  // whose distances it scales
  bool per_input = false;    // one of several that belong to an input each, as tau.2 does
  Shape shape = Shape::rbf;  // of the distances
  Index term = 0;            // of the kernel's sum that it belongs to
  StatedPrior prior = Prior(Prior::Family::gamma, 1, 1);
  std::optional<double> fixed = {};  // at this theta; then it has no place in psi and no prior
  bool fixed_in_data_units = false;  // until scaled()
};

}  // namespace ulisse
