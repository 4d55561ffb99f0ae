#pragma once

#include "distribute/team.h"
#include "kernel/split.h"

namespace ulisse {

// This process's part of a pass: sums go to the leader.
inline Split split_among(Team& team) {
  return {{team.rank(), team.size()}, [&team](double* sums, Index count) {
            team.sum(sums, static_cast<std::size_t>(count));
            return team.leads();
          }};
}

inline std::size_t bytes_of(const Matrix& block) {
  return static_cast<std::size_t>(block.size()) * sizeof(double);
}

}  // namespace ulisse
