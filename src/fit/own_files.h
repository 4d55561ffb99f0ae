#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fit/folder.h"

namespace ulisse {

// Whether a file's name is that of a fit's, or of what a kill left half written of one.
bool has_name_of_a_fit(const std::string& name);
bool is_half_written(const std::string& name);

// What has such a name in a folder, but for folders; a list, since a folder must not change while
// one reads it.
std::vector<std::filesystem::path> files_of_a_fit(const std::string& folder);

// What a kill in the middle of a write has left. Whoever calls it has the folder's lock.
void remove_half_written(const FitFolder& folder);

// Throws InputError that names the first file that has the name of a fit's and was not written by
// one. Such a file may be the user's, and is not to be deleted.
void require_own_files(const FitFolder& folder);

// Throws InputError that names a file of the fit that is a symbolic link, or no file at all, where
// it would be written.
void require_no_links(const FitFolder& folder);

}  // namespace ulisse
