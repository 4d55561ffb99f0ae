#pragma once

#include "fit/option_table.h"
#include "ulisse/ulisse_settings.h"

namespace ulisse {

const SettingTable<UlisseSettings>& ulisse_settings();

}  // namespace ulisse
