#pragma once

#include "ulisse/dataset.h"
#include "ulisse/fit.h"
#include "ulisse/model.h"

namespace ulisse {

// What a fit holds for predictions.
struct SavedFit {
  Dataset data;  // scaled
  Standardisation scaling;
  Model model;
  Matrix psi;                           // (draws of all chains, parameters); chain after chain
  Vector mode;                          // psi at the mode that chains started around
  std::string id = {};                  // fit_id() of it
  std::vector<std::string> terms = {};  // of the kernel, as expressions
};

// Throws InputError when there are no draws, or when the data are not those of the fit any more.
SavedFit saved_fit(const Fit& fit);

// `count` of the draws, spread evenly over all chains and all of their length; all of them when
// there are no more.
Matrix spread_draws(const Matrix& psi, Index count);

}  // namespace ulisse
