#pragma once

#include <string>

#include "ulisse/error.h"

namespace ulisse::testing {

// What f() says when it throws an Error; "no error" when it does not.
template <class Error = InputError, class F>
std::string message_of(const F& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace ulisse::testing
