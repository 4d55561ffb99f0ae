#pragma once

#include <array>

#include "ulisse/parameter.h"

namespace ulisse {

// What parameters of a role are called before any term or input, and the quantity that one thinks
// of in their place.
struct RoleNames {
  Role role;
  const char *parameter, *quantity;
};

inline constexpr std::array<RoleNames, 3> kRoleNames = {
    {{Role::signal_variance, "sigma", "signal_sd"},
     {Role::inverse_squared_length, "tau", "lengthscale"},
     {Role::noise_variance, "lambda", "noise_sd"}}};

}  // namespace ulisse
