// JSON that somebody may have edited: one sentence that names file, key and value.

#include "base/json_reader.h"

#include <gtest/gtest.h>

#include "support/error_message.h"
#include "ulisse/error.h"

namespace ulisse {
namespace {

using testing::contains;
using testing::message_of;
using Json = JsonReader::Json;

template <class F>
std::string message(const Json& value, const F& read) {
  const Json json = {{"a", {{"b", value}}}};
  return message_of([&] { read(JsonReader(json, "f.json").at("a").at("b")); });
}

TEST(JsonReader, NamesFileKeyAndValue) {
  EXPECT_EQ(message(-3, [](const JsonReader& r) { r.whole(1, 1000); }),
            "f.json: a.b: must be a whole number from 1 to 1000, is -3");
  EXPECT_EQ(message("x", [](const JsonReader& r) { r.number(); }),
            "f.json: a.b: must be a number, is \"x\"");
  EXPECT_EQ(message(Json::object(), [](const JsonReader& r) { r.text(); }),
            "f.json: a.b: must be a text, is an object");
  EXPECT_EQ(message(1, [](const JsonReader& r) { r.truth(); }),
            "f.json: a.b: must be true or false, is 1");
  EXPECT_EQ(message({1, "x"}, [](const JsonReader& r) { r.numbers(); }),
            "f.json: a.b[1]: must be a number, is \"x\"");
  EXPECT_EQ(message({1, 2}, [](const JsonReader& r) { r.numbers(3); }),
            "f.json: a.b: must be a list of 3 numbers, is a list of 2");
  EXPECT_EQ(message({{1, 2}, {3}}, [](const JsonReader& r) { r.square_or(2, 0); }),
            "f.json: a.b: must be a list of 2 rows of 2 numbers each, is a list of 2");
  EXPECT_EQ(message(1, [](const JsonReader& r) { r.at("c"); }),
            "f.json: a.b: must be an object, is 1");
  EXPECT_EQ(message(Json::object(), [](const JsonReader& r) { r.at("c"); }),
            "f.json: a.b.c: is missing");
}

TEST(JsonReader, WholeNumbersBeyondAllCounts) {
  for (const Json& value : {Json(18446744073709551615U), Json(9.5), Json(1e30), Json(-1)}) {
    EXPECT_TRUE(contains(message(value, [](const JsonReader& r) { r.whole(); }), "whole number"));
  }
  EXPECT_EQ(JsonReader(Json(18446744073709551615U), "").seed(), 18446744073709551615U);
  EXPECT_TRUE(contains(message(-1, [](const JsonReader& r) { r.seed(); }), "not negative"));
}

TEST(JsonReader, ValuesReachNoTerminalAsTheyAre) {
  const std::string said =
      message("\x1b[2J" + std::string(1000, 'x'), [](const JsonReader& r) { r.number(); });
  EXPECT_EQ(said.find('\x1b'), std::string::npos);
  EXPECT_LT(said.size(), 200U);
}

TEST(JsonReader, LeavesWhatIsNotThere) {
  const Json json = {{"a", 1.5}, {"none", nullptr}};
  const JsonReader reader(json, "f.json");
  double a = 0, b = 2, c = 3;
  reader.read("a", a);
  reader.read("b", b);
  reader.read_or("none", c, 4);
  EXPECT_EQ(a, 1.5);
  EXPECT_EQ(b, 2);
  EXPECT_EQ(c, 4);
}

TEST(JsonReader, RefusesNestsThatWouldOverflowAStack) {
  EXPECT_TRUE(contains(message_of([] { JsonReader::parse(std::string(1000000, '['), "f.json"); }),
                       "f.json: is nested more than"));
  EXPECT_TRUE(contains(message_of([] { JsonReader::parse("{", "f.json"); }), "f.json: is damaged"));
}

}  // namespace
}  // namespace ulisse
