#pragma once

#include <string>
#include <string_view>

namespace ulisse {

bool is_utf8(std::string_view text);

// For a terminal: \xNN stands for control characters (an escape sequence in a column's name could
// clear the screen or rewrite a line), for marks that turn the direction of writing, and for bytes
// that are not UTF-8. A line end counts as a control character.
std::string printable(std::string_view text);

// The same of several lines: their ends stay.
std::string printable_lines(std::string_view text);

// Moves the first character of a text that is not empty to the end of `out`, as printable() shows
// it.
void move_printable(std::string_view& text, std::string& out);

}  // namespace ulisse
