#pragma once

#include <string>
#include <vector>

#include "ulisse/option.h"

// What --help says of a fit's options.
namespace ulisse::cli {

// Headings, in their order.
inline const char* const kDataHeading = "Data";
inline const char* const kModelHeading = "Model";
inline const char* const kRunHeading = "Run";
inline const char* const kOutputHeading = "Output";
inline const char* const kAdvancedHeading = "Advanced";

// Of an option that the samplers named have, or all where none is named.
std::string heading_of(const Option& option, const std::vector<std::string>& samplers);

// The option's text, whose it is, and its default: of each sampler where they differ.
std::string help_of(const std::vector<Option>& options, const std::vector<std::string>& samplers);

}  // namespace ulisse::cli
