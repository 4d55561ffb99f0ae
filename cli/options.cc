#include "options.h"

#include <fmt/format.h>

#include <charconv>

#include "ulisse/error.h"

namespace ulisse::cli {

void add_threads(CLI::App& app, int& threads) {
  app.add_option("--threads", threads, "Threads to use; 0 for one a core")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
}

void add_json(CLI::App& app, bool& json) { app.add_flag("--json", json, "Print one JSON object"); }

void add_quiet(CLI::App& app, bool& quiet) {
  app.add_flag("--quiet", quiet, "No progress on standard error");
}

void add_memory(CLI::App& app, std::size_t& bytes) {
  app.add_option(
         "--memory", bytes,
         "Memory that the cached backend may use, such as 4GB; default half of the machine's")
      ->transform(CLI::AsSizeValue(true));
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
    const char* end = parts[i].data() + parts[i].size();
    const auto [stopped, error] = std::from_chars(parts[i].data(), end, value);
    if (error != std::errc() || stopped != end) {
      throw InputError(fmt::format("{}: '{}' is not a number", option, parts[i]));
    }
  }
  return values;
}

}  // namespace ulisse::cli
