#include "model/default_priors.h"

#include <fmt/format.h>

#include "ulisse/error.h"

namespace ulisse {

namespace {

// On what they are stated: standardised columns, a standard deviation being the unit.
struct Default {
  const char *of, *prior;
};

constexpr Default kFirst[] = {
    {"sigma", "gamma(1,1)"}, {"tau", "gamma(1,1)"}, {"lambda", "gamma(1,1)"}};

// Chosen by docs/evidence/results/priors.md. The signal's is flat up to some 50: the mean that is
// taken off a target is most of a function with a long length scale, and what is left has a signal
// sd that the data hardly bound from above. 90 % of length scales are between 0.05 and 19, of the
// noise between 0.01 and 1.5, which falls so fast towards 0 that data without any have a mode.
constexpr Default kWide[] = {{"signal_sd", "half-student-t(4,50)"},
                             {"lengthscale", "lognormal(0,1.8)"},
                             {"noise_sd", "inverse-gamma(0.75,0.025)"}};

}  // namespace

void set_default_priors(const std::string& since, Layout& layout) {
  if (since != kFirstDefaultPriors && since != kDefaultPriors) {
    throw InputError(
        fmt::format("default_priors: this version of ulisse has those of {} and {}, not of '{}'",
                    kFirstDefaultPriors, kDefaultPriors, since));
  }
  for (const auto& [of, prior] : since == kFirstDefaultPriors ? kFirst : kWide) {
    layout.set_prior(of, parse_prior(prior));
  }
  for (Index place = 0; place < layout.size(); ++place) {
    StatedPrior prior = layout.at(place).prior;
    prior.by_default = true;
    layout.set_prior(place, prior);
  }
}

}  // namespace ulisse
