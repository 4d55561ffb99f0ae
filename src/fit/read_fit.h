#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "fit/fit_contents.h"

namespace ulisse {

// A fit from its folder, after a run that ended so, if it was one; or from files in memory. Throw
// InputError.
std::shared_ptr<const Fit::Contents> read_fit(const std::string& folder,
                                              std::optional<FitEnd> end = std::nullopt);
std::shared_ptr<const Fit::Contents> read_fit(std::map<std::string, std::string> files);

// The same with the files of a folder that will go: but for those of the set-up, which are large,
// and which a fit that goes on makes again.
std::shared_ptr<const Fit::Contents> read_into_memory(const std::string& folder,
                                                      const Dataset& data, FitEnd end);

// fit.json of a fit that is to go on, of which nothing may be missing.
FitRecord read_record_to_resume(const std::string& folder);

// The table of a fit, not scaled: that of the folder, or where it was read from when the folder was
// told to keep none. Throws InputError where there is none, or where it has changed; nothing that
// stands in the file is shown, since a folder may come from anybody and name any file.
Dataset data_of(const Fit& fit);

}  // namespace ulisse
