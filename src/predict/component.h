#pragma once

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

}  // namespace ulisse
