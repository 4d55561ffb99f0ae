#pragma once

#include <string>

#include "ulisse/model.h"

namespace ulisse::cli {

// The psi of --theta sigma,tau,lambda. Throws InputError.
Vector psi_from(const std::string& theta, const Model& model);

}  // namespace ulisse::cli
