#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ulisse/covariance.h"
#include "ulisse/kernel.h"
#include "ulisse/types.h"

namespace ulisse {

// What others ask of a backend, instead of asking for its name.
struct Capabilities {
  bool in_double = true;         // kernel values and sums; else it works in single precision
  bool takes_tolerance = false;  // leaves pairs of points out, within CovarianceOptions::tolerance
  bool automatic = false;        // auto may choose it
  // Of exact_backend()'s results: auto may choose between the two by chance.
  bool same_bits = false;
  bool one_distance = false;  // takes kernels of one shape of one distance alone, of numbers
  // What it keeps for n points at one psi, of the order of n^2 bytes; empty where it keeps O(n).
  std::function<std::size_t(Index n)> kept_bytes = {};
  std::string lower_precision = {};  // the backend that is its twin in less precision, if there is

  // Why it cannot be used on this machine, in a sentence that is empty where it can; and whether
  // auto shall try it here. Always where there is no such function.
  std::function<std::string()> missing = {};
  std::function<bool()> worth_a_trial = {};

  bool exact() const { return in_double && !takes_tolerance; }
};

// Computes the kernel of some points at the kernel's part of psi. Thread-safe.
using KernelAt =
    std::function<std::unique_ptr<const KernelOperator>(const ConstVector& kernel_psi)>;

// One way to compute products with a kernel. What can be prepared once for all psi, make()
// prepares; what it returns must not refer to x, (n, d).
struct Backend {
  std::string name;
  Capabilities can;
  std::function<KernelAt(const Kernel& kernel, const ConstBlock& x, const CovarianceOptions&)> make;
};

// Why this machine cannot use it; empty where it can.
std::string why_missing(const Backend& backend);

// It can be used here, and may well be the fastest.
bool worth_a_trial(const Backend& backend);

// From now on make_covariance() knows it. Throws std::invalid_argument when the name is taken or
// empty. Thread-safe.
void register_backend(Backend backend);

// Throws InputError where there is none of that name.
Backend backend_named(const std::string& name);

// The names of all, in the order of their registration.
std::vector<std::string> covariance_backends();

// The one to use where nothing may be lost, left out or kept: the first that is exact, with O(n)
// memory, among those that auto chooses from.
std::string exact_backend();

}  // namespace ulisse
