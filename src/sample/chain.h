#pragma once

#include <utility>

#include "sample/transition.h"

namespace ulisse {

// A chain of any sampler, for those who run chains and do not care which.
class Chain {
 public:
  virtual ~Chain() = default;
  virtual Transition step(Rng& rng) = 0;
  virtual bool warming_up() const = 0;
  virtual double step_size() const = 0;
  virtual void save(ArchiveWriter& writer) = 0;
  virtual void load(ArchiveReader& reader) = 0;
};

template <Sampler S>
class ChainOf : public Chain {
 public:
  template <class... Arguments>
  explicit ChainOf(Arguments&&... arguments) : sampler_(std::forward<Arguments>(arguments)...) {}

  Transition step(Rng& rng) override { return sampler_.step(rng); }
  bool warming_up() const override { return sampler_.warming_up(); }
  double step_size() const override { return sampler_.step_size(); }
  void save(ArchiveWriter& writer) override { sampler_.archive(writer); }
  void load(ArchiveReader& reader) override { sampler_.archive(reader); }

  const S& sampler() const { return sampler_; }

 private:
  S sampler_;
};

}  // namespace ulisse
