// What a terminal must not be sent is shown escaped, and nothing else.

#include "base/printable.h"

#include <gtest/gtest.h>

#include <string>

namespace ulisse {
namespace {

TEST(Printable, LeavesWordsInAnyScriptAsTheyAre) {
  for (const char* text :
       {"", "a b", "größe", "温度", "√x ≤ 3", "\\x1B", "👍", "می‌خواهم"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, EscapesControlCharacters) {
  EXPECT_EQ(printable("\x1B[2J"), "\\x1B[2J");
  EXPECT_EQ(printable("a\tb\nc\rd\x7F"), "a\\x09b\\x0Ac\\x0Dd\\x7F");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
}

// U+009B begins an escape sequence in one character.
TEST(Printable, EscapesControlCharactersBeyondAscii) {
  EXPECT_EQ(printable("\xC2\x9B"
                      "2J"),
            "\\xC2\\x9B2J");
  EXPECT_EQ(printable("\xC2\xA0"), "\xC2\xA0");  // the first that is none
}

// U+202E writes what follows from right to left: file names that look like others.
TEST(Printable, EscapesMarksOfDirection) {
  EXPECT_EQ(printable("\u202Evsc"), "\\xE2\\x80\\xAEvsc");
  EXPECT_EQ(printable("\u2066"), "\\xE2\\x81\\xA6");
}

TEST(Printable, EscapesBytesThatAreNotUtf8OneByOne) {
  EXPECT_EQ(printable("gr\xF6\xDF"
                      "e"),
            "gr\\xF6\\xDFe");
  EXPECT_EQ(printable("\xC0\xAF"), "\\xC0\\xAF");           // overlong
  EXPECT_EQ(printable("\xED\xA0\x80"), "\\xED\\xA0\\x80");  // a surrogate
}

TEST(Printable, LinesKeepTheirEnds) { EXPECT_EQ(printable_lines("a\nb\x1B\n\n"), "a\nb\\x1B\n\n"); }

}  // namespace
}  // namespace ulisse
