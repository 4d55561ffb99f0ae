#include "data/date.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <cmath>

namespace ulisse::csv {
namespace {

constexpr double kMinutesOfADay = 24 * 60, kSecondsOfADay = 60 * kMinutesOfADay;

// What of the text has not been read yet; each part fails or moves on.
class DateReader {
 public:
  explicit DateReader(std::string_view text) : text_(text) {}

  bool at_end() const { return text_.empty(); }
  bool at_digit() const { return !at_end() && text_.front() >= '0' && text_.front() <= '9'; }

  bool take(char c) {
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }

  // Exactly so many digits.
  bool digits(std::size_t count, int& value) {
    if (text_.size() < count) return false;
    for (std::size_t i = 0; i < count; ++i) {
      if (text_[i] < '0' || text_[i] > '9') return false;
    }
    std::from_chars(text_.data(), text_.data() + count, value);
    text_.remove_prefix(count);
    return true;
  }

  // ".25", which need not be there.
  bool fraction(double& value) {
    if (!take('.') && !take(',')) return true;
    double unit = 0.1;
    bool any = false;
    for (; at_digit(); unit /= 10) {
      value += unit * (text_.front() - '0');
      text_.remove_prefix(1);
      any = true;
    }
    return any;
  }

 private:
  std::string_view text_;
};

// A month, 2015-01, is its first day; 20150101 has no marks.
bool read_day(DateReader& reader, double& days) {
  int year = 0, month = 0, day = 1;
  if (!reader.digits(4, year)) return false;
  const bool marks = reader.take('-');
  if (!reader.digits(2, month)) return false;
  if (marks) {
    if (!reader.at_end() && (!reader.take('-') || !reader.digits(2, day))) return false;
  } else if (!reader.digits(2, day)) {
    return false;
  }
  const std::chrono::year_month_day date(std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  days = static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
  return date.ok();
}

bool read_time(DateReader& reader, double& days) {
  int hour = 0, minute = 0, second = 0;
  double part = 0;
  if (!reader.digits(2, hour)) return false;
  const bool marks = reader.take(':');
  if (!reader.digits(2, minute)) return false;
  const bool has_seconds = marks ? reader.take(':') : reader.at_digit();
  if (has_seconds && (!reader.digits(2, second) || !reader.fraction(part))) return false;
  if (hour > 24 || minute > 59 || second > 60) return false;
  days += (60 * hour + minute) / kMinutesOfADay + (second + part) / kSecondsOfADay;
  return true;
}

// Z, +02:00, +0200 or +02; nothing is no offset.
bool read_offset(DateReader& reader, double& days) {
  if (reader.at_end() || reader.take('Z')) return true;
  const bool ahead = reader.take('+');
  if (!ahead && !reader.take('-')) return false;
  int hours = 0, minutes = 0;
  if (!reader.digits(2, hours)) return false;
  const bool colon = reader.take(':');
  if ((colon || !reader.at_end()) && !reader.digits(2, minutes)) return false;
  const double offset = (60 * hours + minutes) / kMinutesOfADay;
  days += ahead ? -offset : offset;
  return true;
}

}  // namespace

std::optional<double> parse_date(std::string_view text) {
  DateReader reader(text);
  double days = 0;
  if (!read_day(reader, days)) return std::nullopt;
  if (reader.at_end()) return days;
  if (!reader.take('T') && !reader.take(' ')) return std::nullopt;
  if (!read_time(reader, days) || !read_offset(reader, days)) return std::nullopt;
  return reader.at_end() ? std::optional(days) : std::nullopt;
}

std::string date_text(double day) {
  const std::chrono::sys_days when{std::chrono::days(static_cast<long>(std::floor(day)))};
  const std::chrono::year_month_day date(when);
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()));
}

std::string date_after(const std::string& first, double days) {
  double day = std::floor(parse_date(first).value_or(0) + days);
  double seconds = std::round((parse_date(first).value_or(0) + days - day) * kSecondsOfADay);
  if (seconds >= kSecondsOfADay) {
    ++day;
    seconds = 0;
  }
  if (seconds == 0) return date_text(day);
  const auto whole = static_cast<int>(seconds);
  return fmt::format("{}T{:02}:{:02}:{:02}", date_text(day), whole / 3600, whole / 60 % 60,
                     whole % 60);
}

}  // namespace ulisse::csv
