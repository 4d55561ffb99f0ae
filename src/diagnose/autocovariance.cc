#include "diagnose/autocovariance.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <unsupported/Eigen/FFT>

#include "diagnose/chains.h"
#include "diagnose/moments.h"
#include "ulisse/diagnose.h"

namespace ulisse::diagnose {
namespace {

// The autocovariance of z = a + ib is those of a and b added, in its real part, so that two chains
// share a transform; and all chains share the way back, since only the sum is wanted. Padding with
// as many zeros keeps the end of a chain from meeting its beginning.
class SummedSpectra {
 public:
  explicit SummedSpectra(Index n)
      : n_(n), padded_(static_cast<Index>(std::bit_ceil(2 * static_cast<std::size_t>(n)))) {
    power_.setZero(padded_);
  }

  void add(const Vector& a, const Vector& b) {
    Eigen::VectorXcd signal = Eigen::VectorXcd::Zero(padded_), spectrum;
    signal.head(n_).real() = a;
    signal.head(n_).imag() = b;
    fft_.fwd(spectrum, signal);
    power_.real() += spectrum.cwiseAbs2();
  }

  Vector autocovariance() {
    Eigen::VectorXcd sums;
    fft_.inv(sums, power_);
    return sums.head(n_).real() / static_cast<double>(n_);
  }

 private:
  Index n_, padded_;
  Eigen::FFT<double> fft_;
  Eigen::VectorXcd power_;
};

}  // namespace

Vector mean_autocovariance(const ConstBlock& chains) {
  const Vector means = chain_moments(chains).means;
  const auto centred = [&](Index chain) -> Vector {
    if (chain >= chains.cols()) return Vector::Zero(chains.rows());
    return chains.col(chain).array() - means[chain];
  };
  SummedSpectra spectra(chains.rows());
  for (Index chain = 0; chain < chains.cols(); chain += 2) {
    spectra.add(centred(chain), centred(chain + 1));
  }
  return spectra.autocovariance() / static_cast<double>(chains.cols());
}

Vector autocorrelation(const ConstVector& chain, Index max_lag) {
  if (max_lag < 0) throw std::invalid_argument(fmt::format("the largest lag is {}", max_lag));
  const Index lags = std::min(max_lag + 1, chain.size());
  if (lags == 0 || !chain.allFinite()) return Vector::Constant(lags, kUnknown);
  const Vector s = mean_autocovariance(chain);
  return s.head(lags) / s[0];  // 0 / 0 where the chain is constant
}

}  // namespace ulisse::diagnose
