#pragma once

namespace ulisse::cli {

// Standard output is buffered, and a full disk or a closed pipe shows only when it is written out.
// Throws std::runtime_error with one sentence when some of the output is lost.
void finish_output();

// Throws when there is no standard output at all: better than to notice after the work is done, and
// a file opened later would take its place.
void check_output_is_open();

}  // namespace ulisse::cli
