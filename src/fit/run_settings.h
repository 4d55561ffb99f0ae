#pragma once

#include "fit/option_table.h"
#include "fit/settings.h"

namespace ulisse {

// The settings that every sampler has, and their options.
const SettingTable<FitSettings>& run_settings();

}  // namespace ulisse
