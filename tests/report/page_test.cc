#include "report/page.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace ulisse {
namespace {

TEST(ReportPage, HoldsItsDataAndWhatDrawsThem) {
  const std::string page = report_page({{"title", "a </script><!-- b"}});
  EXPECT_NE(page.find(R"({"title":"a \u003c/script>\u003c!-- b"})"), std::string::npos);
  EXPECT_NE(page.find("Chart.js v"), std::string::npos);
  EXPECT_EQ(page.find("/*data*/"), std::string::npos);
  EXPECT_EQ(page.find("/*style*/"), std::string::npos);
  // Nothing is fetched from elsewhere.
  EXPECT_EQ(page.find(" src="), std::string::npos);
  EXPECT_EQ(page.find("@import"), std::string::npos);
}

TEST(ReportPage, SurvivesNamesThatAreNotUtf8) {
  EXPECT_NE(report_page({{"title", "a\xff"}}).find("a\xef\xbf\xbd"), std::string::npos);
}

}  // namespace
}  // namespace ulisse
