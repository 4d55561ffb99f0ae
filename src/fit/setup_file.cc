#include <fmt/format.h>

#include <filesystem>

#include "fit/ulisse_setup.h"
#include "store/checkpoint.h"
#include "ulisse/error.h"

namespace ulisse {

namespace {

bool is_shaped(const Matrix& m, Index rows, Index cols) {
  return m.rows() == rows && m.cols() == cols;
}

bool fits_or_is_empty(const Matrix& m, Index rows, Index cols) {
  return m.size() == 0 || is_shaped(m, rows, cols);
}

bool fits_the_mode(const Mode& mode, Index p) {
  return mode.psi.size() == p && fits_or_is_empty(mode.gradient, p, 1) &&
         fits_or_is_empty(mode.covariance, p, p) && fits_or_is_empty(mode.other_psi, p, 1);
}

bool fits_the_survey(const UlisseSetup& s, Index p) {
  const Index second = s.second_centre.size();
  return is_shaped(s.survey.metric, p, p) && s.survey.centre.size() == p &&
         s.survey.coordinates.is_of(p) && (second == 0 || second == p) &&
         fits_or_is_empty(s.second_covariance, second, second);
}

bool fits_the_anchor(const Anchor& a, Index n, Index p) {
  const Index bank = a.bank(), controls = a.expected_controls.size();
  for (const Matrix& slope : a.slopes) {
    if (!is_shaped(slope, n, 1 + bank)) return false;
  }
  return a.psi.size() == p && bank > 0 && is_shaped(a.right_sides, n, 1 + bank) &&
         is_shaped(a.probe_weights, n, bank) && is_shaped(a.solutions, n, 1 + bank) &&
         (a.slopes.empty() || a.slopes.size() == static_cast<std::size_t>(p)) &&
         is_shaped(a.probe_traces, p, bank) && a.trace.size() == p &&
         fits_or_is_empty(a.trace_covariance, p, p) &&
         fits_or_is_empty(a.trace_slopes, controls, p);
}

}  // namespace

bool UlisseSetup::fits(Index n, Index p) const {
  if (!fits_the_mode(mode, p) || !fits_the_survey(*this, p)) return false;
  if (exact()) return true;
  return fits_the_anchor(anchor, n, p) && is_shaped(noise, p, p) && probes >= 1 &&
         probes <= anchor.bank() && rank >= 0 && rank <= n;
}

std::optional<UlisseSetup> read_setup(const std::string& file, const std::string& fit, Index n,
                                      Index p) {
  if (!std::filesystem::exists(file)) return std::nullopt;
  UlisseSetup setup;
  ArchiveReader reader(read_checkpoint(file, {"setup", fit}));
  try {
    reader(setup);
    reader.finish();
  } catch (const std::runtime_error& error) {
    throw InputError(fmt::format("{}: is damaged: {}", file, error.what()));
  }
  if (!setup.fits(n, p)) {
    throw InputError(fmt::format("{}: is damaged: its numbers are not of this table", file));
  }
  return setup;
}

void write_setup(const std::string& file, const std::string& fit, const UlisseSetup& setup) {
  ArchiveWriter writer;
  writer(setup);
  write_checkpoint(file, {"setup", fit}, writer.bytes());
}

}  // namespace ulisse
