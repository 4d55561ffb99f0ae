#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "data/header.h"
#include "ulisse/dataset.h"

namespace ulisse::csv {

// The columns to read, by their place in the file: the features in the order asked for, then the
// target. At least one feature and no column twice. A target that is optional and not there is
// replaced by the first feature, which then stands there twice. Throws InputError.
std::vector<std::size_t> choose_columns(const Header& header, const CsvOptions& options);

// Of names as CsvOptions has them: one that no column has is taken apart at its commas.
std::vector<std::size_t> columns_named(const std::vector<std::string>& names, const Header& header);

}  // namespace ulisse::csv
