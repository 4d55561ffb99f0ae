#include "theta_option.h"

#include <fmt/format.h>

#include "options.h"
#include "ulisse/error.h"

namespace ulisse::cli {

Vector psi_from(const std::string& theta, const Model& model) {
  const Vector values = parse_numbers("--theta", theta);
  if (values.size() != model.parameter_count()) {
    throw InputError(fmt::format("--theta has {} values, and the kernel {} has {} parameters",
                                 values.size(), model.given.kernel, model.parameter_count()));
  }
  if (!(values.array() > 0).all() || !values.allFinite())
    throw InputError("--theta: values must be positive");
  return values.array().log();
}

}  // namespace ulisse::cli
