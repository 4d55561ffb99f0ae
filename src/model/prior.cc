#include "ulisse/prior.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <vector>

#include "ulisse/error.h"

namespace ulisse {

namespace {

struct FamilyInfo {
  Prior::Family family;
  const char* name;
  std::size_t arguments;
  bool first_positive;  // lognormal's mu alone may have any sign
};

constexpr std::array<FamilyInfo, 4> kFamilies = {
    {{Prior::Family::gamma, "gamma", 2, true},
     {Prior::Family::lognormal, "lognormal", 2, false},
     {Prior::Family::half_normal, "half-normal", 1, true},
     {Prior::Family::inverse_gamma, "inverse-gamma", 2, true}}};

const FamilyInfo& info(Prior::Family family) { return kFamilies[static_cast<std::size_t>(family)]; }

InputError malformed(const std::string& text) {
  return InputError(fmt::format(
      "'{}' is not a prior; write gamma(shape,rate), lognormal(mu,sd), half-normal(sd) or "
      "inverse-gamma(shape,scale)",
      text));
}

bool is_mark(char c) { return c == '(' || c == ',' || c == ')'; }

// Spaces may stand around marks, names and numbers, but not inside a name or a number.
std::string without_spaces(const std::string& text) {
  std::string result;
  bool after_space = false;
  for (const char c : text) {
    if (c == ' ' || c == '\t') {
      after_space = true;
      continue;
    }
    if (after_space && !result.empty() && !is_mark(result.back()) && !is_mark(c)) {
      throw malformed(text);
    }
    result += c;
    after_space = false;
  }
  return result;
}

std::vector<double> parse_arguments(const std::string& list, const std::string& text) {
  std::vector<double> values;
  const char* at = list.data();
  const char* end = at + list.size();
  for (;;) {
    double value = 0;
    const auto [stopped, error] = std::from_chars(at, end, value);
    if (error != std::errc()) throw malformed(text);
    values.push_back(value);
    if (stopped == end) return values;
    if (*stopped != ',') throw malformed(text);
    at = stopped + 1;
  }
}

}  // namespace

Prior::Prior(Family family, double a, double b) : family_(family), a_(a), b_(b) {
  const bool a_good = std::isfinite(a) && (a > 0 || !info(family).first_positive);
  const bool b_good = info(family).arguments == 1 || (std::isfinite(b) && b > 0);
  if (!a_good || !b_good) {
    throw InputError(
        fmt::format("the prior {} has a parameter that is not positive and finite", to_string()));
  }
}

std::string Prior::to_string() const {
  if (info(family_).arguments == 1) return fmt::format("{}({})", info(family_).name, a_);
  return fmt::format("{}({},{})", info(family_).name, a_, b_);
}

// Each is log p(theta) + psi with psi = log(theta), differentiated in psi.
ValueAndSlope Prior::log_density_psi(double psi) const {
  const double theta = std::exp(psi);
  const double half_log_2pi = 0.5 * std::log(2 * std::numbers::pi);
  switch (family_) {
    case Family::gamma:
      return {a_ * std::log(b_) - std::lgamma(a_) + a_ * psi - b_ * theta, a_ - b_ * theta};
    case Family::lognormal: {
      const double z = (psi - a_) / b_;
      return {-0.5 * z * z - std::log(b_) - half_log_2pi, -z / b_};
    }
    case Family::half_normal: {
      const double z = theta / a_;
      return {std::log(2.0) - half_log_2pi - std::log(a_) - 0.5 * z * z + psi, 1 - z * z};
    }
    case Family::inverse_gamma:
      return {a_ * std::log(b_) - std::lgamma(a_) - a_ * psi - b_ / theta, b_ / theta - a_};
  }
  throw std::logic_error("a prior without a density");
}

Prior parse_prior(const std::string& text) {
  const std::string compact = without_spaces(text);
  const std::size_t open = compact.find('(');
  if (open == std::string::npos || compact.back() != ')') throw malformed(text);
  const auto arguments = parse_arguments(compact.substr(open + 1, compact.size() - open - 2), text);
  for (const auto& family : kFamilies) {
    if (compact.substr(0, open) != family.name) continue;
    if (arguments.size() != family.arguments) throw malformed(text);
    return {family.family, arguments[0], arguments.back()};
  }
  throw malformed(text);
}

}  // namespace ulisse
