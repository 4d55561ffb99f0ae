#include "fit/drawn_quantities.h"

#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include <functional>

#include "base/watch.h"
#include "posterior/learnt_trend.h"
#include "ulisse/random.h"

namespace ulisse {

namespace {

std::unique_ptr<TrendSource> source_of(const Model& model, const Dataset& data,
                                       const FitChains& chains, StageStore& stages) {
  if (model.mean.size() == 0) return nullptr;
  const ExactPosterior* exact = chains.exact_posterior();
  if (exact != nullptr) return exact_trend(*exact);
  const Vector& near = chains.mode().psi;
  auto source = make_trend_source(model, data, near);
  if (!trend_takes_solves(model, data, near)) return source;
  TrendPolynomials learnt;
  const auto fits = [&](const TrendPolynomials& read) {
    return read.fits(data.x.rows(), near.size());
  };
  if (!load_stage(stages, kTrendStage, learnt, fits)) {
    learnt = learn_trend(*source, model.mean, chains.likely_psi(places_for_trend(near.size())));
    save_stage(stages, kTrendStage, learnt);
  }
  if (!learnt.is_there()) return source;
  return learnt_trend(std::move(source), model.mean, std::move(learnt));
}

// On all threads, one for each, under this thread's watch.
void for_each_draw(std::size_t count, const std::function<void(std::size_t)>& work) {
  Watch* watch = current_watch();
  tbb::parallel_for(std::size_t(0), count, [&](std::size_t i) {
    const WatchScope scope(watch);
    keep_watch();
    tbb::task_arena alone(1);
    alone.execute([&] { work(i); });
  });
}

}  // namespace

DrawnQuantities::DrawnQuantities(Quantities quantities, const Model& model, const Dataset& data,
                                 const FitChains& chains, StageStore& stages)
    : quantities_(std::move(quantities)),
      seed_(chains.plan().seed),
      trend_(source_of(model, data, chains, stages)) {}

// None where the covariance has no inverse in floating point.
Vector DrawnQuantities::coefficients(const ConstVector& psi, int chain, long number) const {
  if (!trend_) return {};
  const auto given_data = trend_->at(psi);
  if (!given_data) return {};
  Rng rng = stream(seed_, static_cast<std::uint32_t>(chain), Purpose::trend,
                   static_cast<std::uint64_t>(number));
  return given_data->draw(rng.normal_vector(given_data->size()));
}

Matrix DrawnQuantities::of(int chain, long first, std::span<const Transition> draws) const {
  Matrix values(static_cast<Index>(quantities_.all().size()), static_cast<Index>(draws.size()));
  const auto work = [&](std::size_t i) {
    const Vector& psi = draws[i].psi;
    values.col(static_cast<Index>(i)) =
        quantities_.at(psi, coefficients(psi, chain, first + static_cast<long>(i)));
  };
  if (trend_ && trend_->side_by_side()) {
    for_each_draw(draws.size(), work);
    return values;
  }
  for (std::size_t i = 0; i < draws.size(); ++i) {
    keep_watch();
    work(i);
  }
  return values;
}

}  // namespace ulisse
