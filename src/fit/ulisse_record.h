#pragma once

#include <string>

#include "fit/sampler_record.h"
#include "ulisse/ulisse_setup.h"

namespace ulisse {

// What fit.json has of a set-up. `backend` made its products.
SetupRecord record_of(const UlisseSetup& setup, const std::string& backend);

}  // namespace ulisse
