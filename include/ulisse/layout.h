#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "ulisse/parameter.h"
#include "ulisse/types.h"

namespace ulisse {

struct Standardisation;

// Which parameter stands where in psi = log(theta). psi has the free parameters alone, in the order
// of `parameters()`: the kernel's, then the noise's. Nothing else knows that order.
class Layout {
 public:
  Layout() = default;
  Layout(std::vector<Parameter> of_kernel, std::vector<Parameter> of_noise);

  const std::vector<Parameter>& parameters() const { return parameters_; }  // fixed ones, too

  Index size() const { return static_cast<Index>(free_.size()); }  // of psi
  const Parameter& at(Index place) const;                          // what psi(place) is
  std::vector<std::string> names() const;                          // in the order of psi

  // Of one parameter, or with `tau` of all of tau.1, ..., tau.d; or of what people think in,
  // `lengthscale` and `lengthscale.2` of tau, `signal_sd` of sigma, `noise_sd` of lambda. Values in
  // the units of the table are for scale().

  // False where there is no such parameter.
  bool set_prior(const std::string& name, const Prior& prior, bool data_units = false);
  void set_prior(Index place, const StatedPrior& prior);  // of psi(place)

  // At a positive number; noise may be 0. Throws std::invalid_argument.
  void fix(const std::string& name, double value, bool data_units = false);

  // Whether there are such parameters, and none of them is free.
  bool is_fixed(const std::string& name) const;

  // What is in the units of the table becomes what is meant of the scaled one. Throws InputError
  // where one tau belongs to inputs of different units.
  void scale(const Standardisation& scaling);

  // log(theta) of all the kernel's parameters, or of all the noise's: fixed ones filled in, where
  // log(0) is -infinity. Throw std::invalid_argument when psi has the wrong length.
  Vector kernel_psi(const ConstVector& psi) const;
  Vector noise_psi(const ConstVector& psi) const;

  // From derivatives by all parameters, a row each, those by the free ones.
  Vector of_free(const Vector& by_all) const;
  Matrix of_free(const Matrix& by_all) const;

  // The log prior density of psi, with the Jacobian of the log transform.
  ValueAndGradient log_prior(const ConstVector& psi) const;

  // The psi with these values; of fixed parameters nothing is asked.
  struct Values {
    double log_signal_variance;  // of the function; terms have equal shares of it
    double log_noise_variance;
    std::function<double(const Parameter&)> log_inverse_squared_length;
  };
  Vector psi_with(const Values& values) const;

  Index inverse_squared_lengths() const;  // in psi: how many

  // The input that psi(place) alone belongs to.
  std::optional<Index> input_of(Index place) const;

 private:
  void check_length(const ConstVector& psi) const;
  Vector filled_in(const ConstVector& psi) const;
  void find_free();

  std::vector<Parameter> parameters_;
  Index of_kernel_ = 0;
  Indices free_;  // which of the parameters each element of psi is
};

}  // namespace ulisse
