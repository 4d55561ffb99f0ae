#pragma once

#include "fit/fit_record.h"
#include "ulisse/model.h"

namespace ulisse {

// The model of a fit, for its table after it was scaled. Throws InputError where fit.json has no
// columns.
Model model_of(const FitRecord& record);

// For its table as it was; rows are not in it.
Dataset columns_of(const FitRecord::Data& data);

}  // namespace ulisse
