#pragma once

#include <string>

#include "ulisse/dataset.h"
#include "ulisse/parameter.h"

namespace ulisse {

// A parameter as somebody names it, and what of it is meant: of "lengthscale.age" these are
// "tau.age" and "lengthscale", of "tau.age" "tau.age" and nothing.
struct NamedQuantity {
  std::string parameter, quantity;
};
NamedQuantity quantity_in(const std::string& name);

// The inverse: "lengthscale.age" of "tau.age" and "lengthscale".
std::string name_of(const NamedQuantity& quantity);

// q = constant theta^power
struct PowerLaw {
  double power = 1, constant = 1;
};
PowerLaw law_of(const std::string& quantity, const Parameter& parameter);

// `prior` of that quantity of the parameter.
StatedPrior stated_prior(const std::string& quantity, const Prior& prior,
                         const Parameter& parameter);

// As StatedPrior::to_string() has it. Throws InputError.
StatedPrior parse_stated_prior(const std::string& text, const Parameter& parameter);

// theta in the units of the table is this times theta of the scaled one. Throws InputError where
// one tau belongs to inputs of different units.
double unit_of(const Parameter& parameter, const Standardisation& scaling);

}  // namespace ulisse
