#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "solve/trend_given_data.h"
#include "ulisse/dataset.h"
#include "ulisse/exact.h"
#include "ulisse/model.h"
#include "ulisse/types.h"

namespace ulisse {

// The coefficients of a model's trend given the data, for one psi after another.
class TrendSource {
 public:
  virtual ~TrendSource() = default;

  // Null where the covariance has no inverse in floating point. The same bits on any number of
  // threads, whatever was asked for before.
  virtual std::shared_ptr<const TrendGivenData> at(const ConstVector& psi) const = 0;

  // At each of some places, (parameters, count), for which solves take less than one by one; where
  // there is none at one, none at those after it. `done` is called with the number of those known.
  using Found = std::vector<std::shared_ptr<const TrendGivenData>>;
  virtual Found at_all(const Matrix& places, const std::function<void(Index)>& done) const;

  // Whether several threads may ask at once and are better used so.
  virtual bool side_by_side() const = 0;
};

// By the Cholesky factors that a density computes anyway; `posterior` must outlive it.
std::unique_ptr<TrendSource> exact_trend(const ExactPosterior& posterior);

// Whether make_trend_source() solves for each psi, which takes long.
bool trend_takes_solves(const Model& model, const Dataset& data, const Vector& near);

// For those that have no such density: by Cholesky where that takes less time than solves by
// conjugate gradients, or where there is no noise, else by these. data is scaled and must outlive
// it; `near` is a psi that others are near to.
std::unique_ptr<TrendSource> make_trend_source(const Model& model, const Dataset& data,
                                               const Vector& near);

}  // namespace ulisse
