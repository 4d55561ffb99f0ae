#pragma once

#include <string>
#include <vector>

#include "base/option_names.h"
#include "ulisse/findings.h"

namespace ulisse {

// What is wrong and what to do about it, in one sentence without a full stop, which names options
// as the front end does.
std::string sentence(const Finding& finding, OptionNames names);
std::vector<std::string> sentences(const Findings& findings, OptionNames names);

}  // namespace ulisse
