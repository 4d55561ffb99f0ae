#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ulisse::csv {

// Days since 1970-01-01 of a date as ISO 8601 has it: 1958-03-29 or 19580329, with a time behind a
// T or a blank, 13:05, 13:05:30 or 13:05:30.25, with or without colons, and for that Z or an
// offset, +02:00. A time without one is taken as it stands. Nothing for any other text, and for a
// day that there is not.
std::optional<double> parse_date(std::string_view text);

// The date of a whole number of such days.
std::string date_text(double day);

// The date so many days after another, with its time to the second where it has one.
std::string date_after(const std::string& first, double days);

}  // namespace ulisse::csv
