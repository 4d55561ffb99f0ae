#include "fit/thinned_draws.h"

#include <algorithm>

namespace ulisse {

ThinnedDraws::ThinnedDraws(Index parameters, int chains)
    : parameters_(parameters),
      chains_(static_cast<std::size_t>(chains)),
      by_parameter_(static_cast<std::size_t>(parameters)) {}

void ThinnedDraws::add(int chain, std::span<const Transition> draws) {
  for (const Transition& t : draws) add(chain, Vector(t.psi.array().exp()));
}

void ThinnedDraws::add(int chain, const Matrix& theta) {
  for (Index i = 0; i < theta.rows(); ++i) add(chain, Vector(theta.row(i).transpose()));
}

void ThinnedDraws::add(int chain, const Vector& theta) {
  OfChain& own = chains_[static_cast<std::size_t>(chain)];
  if (own.seen++ % stride_ != 0) return;
  own.kept.insert(own.kept.end(), theta.begin(), theta.end());
  if (kept(chain) > kMost) thin();
}

Index ThinnedDraws::kept(int chain) const {
  return static_cast<Index>(chains_[static_cast<std::size_t>(chain)].kept.size()) / parameters_;
}

// Of every chain alike, so that their draws go on to be of the same iterations.
void ThinnedDraws::thin() {
  stride_ *= 2;
  for (OfChain& own : chains_) {
    Eigen::Map<Matrix> all(own.kept.data(), parameters_,
                           static_cast<Index>(own.kept.size()) / parameters_);
    const Index left = (all.cols() + 1) / 2;
    for (Index i = 1; i < left; ++i) all.col(i) = all.col(2 * i);
    own.kept.resize(static_cast<std::size_t>(left * parameters_));
  }
}

const std::vector<Matrix>& ThinnedDraws::by_parameter() {
  const auto count = static_cast<int>(chains_.size());
  Index rows = kept(0);
  for (int c = 1; c < count; ++c) rows = std::min(rows, kept(c));
  for (Matrix& draws : by_parameter_) draws.resize(rows, count);
  for (int c = 0; c < count; ++c) {
    const Eigen::Map<const Matrix> all(chains_[static_cast<std::size_t>(c)].kept.data(),
                                       parameters_, rows);
    for (Index j = 0; j < parameters_; ++j) {
      by_parameter_[static_cast<std::size_t>(j)].col(c) = all.row(j).transpose();
    }
  }
  return by_parameter_;
}

}  // namespace ulisse
