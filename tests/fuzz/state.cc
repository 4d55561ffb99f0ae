// What stands in a checkpoint and in a setup, behind their checksums: the states of chains, and
// what the stages of the set-up found out. ArchiveReader says by std::runtime_error what is wrong;
// its callers know the file.

#include "fuzz_target.h"
#include "sample/langevin.h"
#include "sample/metropolis.h"
#include "sample/nuts.h"
#include "sample/run_chains.h"
#include "support/written_fit.h"
#include "ulisse/ulisse_setup.h"

using namespace ulisse;

namespace {

constexpr int kKinds = 5;

// What the stages of a set-up save, one after the other.
struct SetupState {
  FirstMode first;
  ModeOfAll mode;
  Anchor anchor;
  Curvature curvature;
  AnchorTrace trace;
  PosteriorShape shape;
  GradientPlan plan;

  template <class A>
  void archive(A& a) {
    a(first, mode, anchor, curvature, trace, shape, plan);
  }
};

// A Gaussian's gradient, without noise.
struct Slope {
  GradientEstimate estimate(const Vector& psi, Rng&) const {
    return {.gradient = -psi, .covariance = Matrix::Zero(psi.size(), psi.size())};
  }
};

const ExactPosterior& posterior() {
  static const Dataset raw = testing::WrittenFit::table();
  static const Dataset data = scaled(raw, standardisation_of(raw));
  static const ExactPosterior made(make_model(parse_kernel("rbf"), 2), data.x, data.y);
  return made;
}

// Calls f with a state of this kind that is ready to be read into.
template <class F>
void with_state(int kind, const F& f) {
  const Vector start = Vector::Zero(3);
  const Matrix metric = Matrix::Identity(3, 3);
  SetupState setup;
  RunState run;
  Metropolis<ExactPosterior> metropolis(posterior(), start, start, metric);
  Nuts<ExactPosterior> nuts(posterior(), start, metric);
  Langevin<Slope> langevin({}, start, metric, Matrix::Zero(3, 3), {});
  switch (kind) {
    case 0:
      return f(setup);
    case 1:
      return f(run);
    case 2:
      return f(metropolis);
    case 3:
      return f(nuts);
    default:
      return f(langevin);
  }
}

}  // namespace

// The first byte says which kind of state it is.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  if (size == 0) return 0;
  with_state(bytes[0] % kKinds, [&](auto& state) {
    try {
      ArchiveReader reader(fuzz::text_of(bytes + 1, size - 1));
      reader(state);
      reader.finish();
    } catch (const std::runtime_error&) {
    }
  });
  return 0;
}

std::vector<std::string> fuzz::seeds() {
  std::vector<std::string> all;
  for (int kind = 0; kind < kKinds; ++kind) {
    with_state(kind, [&](auto& state) {
      if constexpr (requires(Rng & rng) { state.step(rng); }) {
        Rng rng = stream(1, 0, Purpose::simulation);
        for (int i = 0; i < 20; ++i) state.step(rng);
      }
      ArchiveWriter writer;
      writer(state);
      all.push_back(static_cast<char>(kind) + writer.bytes());
    });
  }
  return all;
}
