#include "options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <thread>

#include "ulisse/error.h"

namespace ulisse::cli {

namespace {

bool read_number(const std::string& text, double& value) {
  const char* end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stopped == end;
}

bool is_digits(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

// More threads than that are a slip of the keyboard, and the machine would come to a halt.
int most_threads() {
  return std::max(64, 4 * static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

CLI::Validator whole_number(long least, double most) {
  const auto check = [least, most](std::string& text) -> std::string {
    double value = 0;
    const bool whole = read_number(text, value) && value == std::floor(value);
    if (is_digits(text) && !whole) value = INFINITY;  // beyond the range of double
    if ((is_digits(text) || whole) && value > most)
      return fmt::format("'{}' is too large; at most {:.10g} makes sense here", text, most);
    if (!whole || value < static_cast<double>(least))
      return fmt::format("'{}' is not a whole number of {} or more", text, least);
    if (!is_digits(text)) text = fmt::format("{:.0f}", value + 0.0);  // no "-0"
    return {};
  };
  return {check, ""};
}

CLI::Validator positive() {
  const auto check = [](const std::string& text) -> std::string {
    double value = 0;
    if (read_number(text, value) && value > 0 && std::isfinite(value)) return {};
    return fmt::format("'{}' is not a positive number", text);
  };
  return {check, ""};
}

void add_threads(CLI::App& app, int& threads) {
  app.add_option("--threads", threads, "Threads to use; 0 for one a core")
      ->transform(whole_number(0, most_threads()))
      ->capture_default_str();
}

void add_json(CLI::App& app, bool& json) { app.add_flag("--json", json, "Print one JSON object"); }

void add_quiet(CLI::App& app, bool& quiet) {
  app.add_flag("--quiet", quiet, "No progress on standard error");
}

void add_memory(CLI::App& app, std::size_t& bytes) {
  app.add_option("--memory", bytes,
                 "Memory that matrices may use, such as 4GB; default half of the machine's")
      ->transform(CLI::AsSizeValue(true));
}

std::string without_blanks_around(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t start = 0;
  for (std::size_t end = 0; end != std::string::npos; start = end + 1) {
    end = text.find(separator, start);
    parts.push_back(text.substr(start, end == std::string::npos ? end : end - start));
  }
  return parts;
}

Vector parse_numbers(const std::string& option, const std::string& text) {
  const auto parts = split(text);
  Vector values(static_cast<Index>(parts.size()));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!read_number(without_blanks_around(parts[i]), values(static_cast<Index>(i)))) {
      throw InputError(fmt::format("{}: '{}' is not a number", option, parts[i]));
    }
  }
  return values;
}

}  // namespace ulisse::cli
