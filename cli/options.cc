#include "options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/lower_case.h"
#include "ulisse/backend.h"
#include "ulisse/covariance.h"
#include "ulisse/devices.h"
#include "ulisse/error.h"
#include "ulisse/threads.h"

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

// What stands behind a number of bytes; 0 for what is no unit. As CLI11's AsSizeValue has them.
double factor_of(std::string unit) {
  unit = lower_case(unit);
  if (unit.ends_with('b')) unit.pop_back();
  const bool binary = unit.ends_with('i');
  if (binary) unit.pop_back();
  constexpr std::string_view prefixes = "kmgtpe";
  if (unit.empty()) return binary ? 0 : 1;
  const std::size_t power = prefixes.find(unit);
  if (unit.size() > 1 || power == std::string_view::npos) return 0;
  return std::pow(binary ? 1024 : 1000, static_cast<double>(power + 1));
}

// "1.5GB" becomes 1500000000.
CLI::Validator memory_size() {
  const auto check = [](std::string& text) -> std::string {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    const double factor = factor_of(without_blanks_around(std::string(stopped, end)));
    const double bytes = value * factor;
    constexpr double most = 9e18;
    if (error != std::errc() || factor == 0 || !(bytes >= 0 && bytes < most)) {
      return fmt::format("'{}' is no amount of memory; write 4GB or 500MB", text);
    }
    text = fmt::format("{:.0f}", bytes + 0.0);  // no "-0"
    return {};
  };
  return {check, ""};
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

CLI::Validator positive_or_zero() {
  const auto check = [](const std::string& text) -> std::string {
    double value = 0;
    if (read_number(text, value) && value >= 0 && std::isfinite(value)) return {};
    return fmt::format("'{}' is not a number of 0 or more", text);
  };
  return {check, ""};
}

CLI::Validator not_empty() {
  const auto check = [](const std::string& text) -> std::string {
    return text.empty() ? "the value is empty" : "";
  };
  return {check, ""};
}

void refuse_odd_values(CLI::App& app) {
  const auto check = [](const std::string& text) -> std::string {
    return text.empty() ? "the value is empty" : "";
  };
  // --flag=false takes back what a configuration file has set.
  const auto check_flag = [](const std::string& text) -> std::string {
    return text == "true" || text == "false" ? "" : "takes no value but true or false";
  };
  for (CLI::Option* option : app.get_options()) {
    if (option->get_expected_max() == 0) option->check(CLI::Validator(check_flag, ""));
    if (option->get_expected_min() > 0 && !option->get_positional()) {
      option->check(CLI::Validator(check, ""));
    }
  }
  for (CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) {
    refuse_odd_values(*sub);
  }
}

CLI::Option* add_threads(CLI::App& app, int& threads) {
  return app.add_option("--threads", threads, "Threads to use; 0 for one a core")
      ->transform(whole_number(0, most_threads()))
      ->capture_default_str();
}

CLI::Option* add_devices(CLI::App& app) {
  return app.add_option_function<std::string>(
      "--devices", [](const std::string& which) { set_devices(which); },
      "OpenCL devices for backends opencl and opencl-float: 0, or 0,1 for two that are alike; "
      "ulisse devices lists them");
}

CLI::Option* add_json(CLI::App& app, bool& json) {
  return app.add_flag("--json", json, "Print one JSON object");
}

CLI::Option* add_quiet(CLI::App& app, bool& quiet) {
  return app.add_flag("--quiet", quiet, "No progress on standard error");
}

CLI::Option* add_memory(CLI::App& app, std::size_t& bytes) {
  return app
      .add_option("--memory", bytes,
                  "Memory that matrices may use, such as 4GB; default half of the machine's")
      ->transform(memory_size());
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
    double& value = values(static_cast<Index>(i));
    if (!read_number(without_blanks_around(parts[i]), value)) {
      throw InputError(fmt::format("{}: '{}' is not a number", option, parts[i]));
    }
    if (!std::isfinite(value)) {
      throw InputError(fmt::format("{}: '{}' is not finite", option, parts[i]));
    }
  }
  return values;
}

void require_backends(const std::string& option, const std::vector<std::string>& names) {
  const std::vector<std::string> known = covariance_backends();
  for (const std::string& name : names) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw InputError(fmt::format("{}: '{}' is none of {}", option, name, fmt::join(known, ", ")));
  }
}

}  // namespace ulisse::cli
