#pragma once

#include <string_view>

// The files of page/ and Chart.js, which the build turns into C++.
namespace ulisse {

std::string_view page_html();
std::string_view page_css();
std::string_view page_js();
std::string_view chart_js();

}  // namespace ulisse
