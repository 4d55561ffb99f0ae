#pragma once

#include <string>

#include "fit/folder.h"

// How a fit takes the place of another in a folder that may hold other files, too. One rename
// decides it, and whatever ends the program before or after leaves the one or the other fit whole:
//
//   .new/        the new fit while it is made; the old one is that of the folder
//   .moving-in/  the same folder, renamed: from now on the new fit is that of the folder, here
//                (place_of_fit). The old one's files are removed, and links to the new one's made.
//   .moved-in/   renamed again: from now on the new fit's files are those in the folder itself.
//                This one is removed.
//
// The whole folder cannot be exchanged instead: it may be a mount point, the current folder, or
// have other people's files in it, which must not be gone for a moment. All steps need the fit's
// lock, and can be repeated.
namespace ulisse {

// The folder itself, or the one in it that the fit has not yet moved out of.
std::string place_of_fit(const std::string& folder);

// Makes the folder where a fit is written that is to replace that of `folder`. Throws InputError
// where something else has one of those names, and OutputError.
FitFolder begin_successor(const std::string& folder);

// Puts the successor in the fit's place. Throws OutputError.
void replace_fit(const std::string& folder);

// What a kill within replace_fit has left is finished, and what it has left before is removed.
// Throws OutputError.
void finish_replacement(const std::string& folder);

}  // namespace ulisse
