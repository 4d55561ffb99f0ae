#include "report/page.h"

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "report/page_parts.h"

namespace ulisse {

namespace {

void put(std::string& page, std::string_view mark, std::string_view content) {
  const std::size_t at = page.find(mark);
  if (at == std::string::npos) throw std::logic_error("a mark is missing in the report's page");
  page.replace(at, mark.size(), content);
}

// Within a script element "</" could end it, and "<!--" change how the rest is read.
std::string within_script(std::string text) {
  for (std::size_t at = 0; (at = text.find('<', at)) != std::string::npos; ++at) {
    text.replace(at, 1, "\\u003c");
  }
  return text;
}

}  // namespace

std::string report_page(const nlohmann::ordered_json& data) {
  std::string page(page_html());
  put(page, "/*style*/", page_css());
  put(page, "/*chart.js*/", chart_js());
  put(page, "/*page.js*/", page_js());
  put(page, "/*data*/",
      within_script(data.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)));
  return page;
}

}  // namespace ulisse
