#pragma once

#include <string>
#include <string_view>

// How numbers are printed for people.
namespace ulisse::cli {

// "1 row", "500 rows".
std::string counted(long count, std::string_view noun);

// With so many digits after the point. Never "-0.0000", and huge values with an exponent: 300
// digits help nobody.
std::string fixed(double value, int digits = 4);

// Three digits, cut and not rounded: what is below a limit is not printed as above it.
std::string cut(double positive);

// "40 s", "11 minutes", "3.2 hours".
std::string duration(double seconds);

}  // namespace ulisse::cli
