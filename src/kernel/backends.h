#pragma once

#include "kernel/kernel_points.h"
#include "ulisse/backend.h"

// The backends of the library, each defined in its own file, and how most of them are made.
namespace ulisse {

Backend reference_backend();
Backend dense_backend();
Backend dense_float_backend();
Backend cached_backend();
Backend kd_tree_backend();
Backend anchors_backend();
Backend opencl_backend();
Backend opencl_float_backend();

// Of an operator that needs nothing but points.
template <class Operator>
KernelAt build_on_points(const Kernel& kernel, const ConstBlock& x) {
  return [points = std::make_shared<const KernelPoints>(kernel, x)](const ConstVector& psi) {
    return std::make_unique<const Operator>(*points, psi);
  };
}

// What may be kept in all.
std::size_t memory_budget(const CovarianceOptions& options);

// Whether it takes the model's kernel.
bool takes(const Backend& backend, const Model& model);

// Whether what it keeps for n points is within the budget.
bool fits_in_memory(const Backend& backend, Index n, const CovarianceOptions& options);

}  // namespace ulisse
