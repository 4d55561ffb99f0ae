#pragma once

#include <string>
#include <vector>

#include "fit/fit_record.h"

namespace ulisse {

// What a parameter or a quantity belongs to, in the user's words; empty where it is of all, or of
// none.
struct Belonging {
  std::string input;  // its name
  std::string term;   // of the kernel, as an expression, where there are several

  std::string words() const;  // "day in periodic(day,365.25)*rbf(day)"
};

// Of the parameters, and of the quantities, in their orders; nothing where fit.json has no table.
std::vector<Belonging> parameters_belong(const FitRecord& record);
std::vector<Belonging> quantities_belong(const FitRecord& record);

// The terms of the kernel, one or several.
std::vector<std::string> terms_of(const FitRecord& record);

}  // namespace ulisse
