#pragma once

#include <nlohmann/json_fwd.hpp>

#include "fit/fit_record.h"

namespace ulisse {

class JsonReader;

// What fit.json's "data" says of columns that are more than numbers: levels of categories, first
// days of dates, known noise, and whether rows with missing cells were left out. Keys stand there
// only for tables that have it.
void add_columns(const Dataset& raw, nlohmann::ordered_json& data);

// `data` has its features. Throws InputError.
void read_columns(const JsonReader& json, FitRecord::Data& data);

}  // namespace ulisse
