#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "ulisse/model.h"
#include "ulisse/types.h"

namespace ulisse {

// A part of the function: some terms of the kernel, the trend, or both.
struct Component {
  Indices terms;  // which
  bool trend = true;

  static Component everything(const Model& model) {
    Component all;
    for (std::size_t t = 0; t < model.kernel.terms.size(); ++t) {
      all.terms.push_back(static_cast<Index>(t));
    }
    return all;
  }
};

// The parts that the function is the sum of, with the names that predictions give them: the trend,
// and each term of the kernel. Without a trend "trend" is constant.
struct NamedComponent {
  std::string name;
  Component part;
};

inline std::vector<NamedComponent> components_of(const Model& model) {
  std::vector<NamedComponent> all = {{"trend", {.terms = {}, .trend = true}}};
  for (std::size_t t = 0; t < model.kernel.terms.size(); ++t) {
    all.push_back(
        {fmt::format("term.{}", t + 1), {.terms = {static_cast<Index>(t)}, .trend = false}});
  }
  return all;
}

}  // namespace ulisse
