#include "ulisse/prior.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
  std::array<const char*, 2> argument_names;
  bool first_positive;  // lognormal's mu alone may have any sign
};

constexpr std::array<FamilyInfo, 6> kFamilies = {
    {{Prior::Family::gamma, "gamma", 2, {"shape", "rate"}, true},
     {Prior::Family::lognormal, "lognormal", 2, {"mu", "sd"}, false},
     {Prior::Family::half_normal, "half-normal", 1, {"sd", ""}, true},
     {Prior::Family::inverse_gamma, "inverse-gamma", 2, {"shape", "scale"}, true},
     {Prior::Family::half_student_t, "half-student-t", 2, {"df", "scale"}, true},
     {Prior::Family::half_cauchy, "half-cauchy", 1, {"scale", ""}, true}}};

const FamilyInfo& info(Prior::Family family) { return kFamilies[static_cast<std::size_t>(family)]; }

// "gamma(shape,rate)"
std::string pattern(const FamilyInfo& family) {
  const auto& [first, second] = family.argument_names;
  if (family.arguments == 1) return fmt::format("{}({})", family.name, first);
  return fmt::format("{}({},{})", family.name, first, second);
}

InputError malformed(const std::string& text) {
  std::vector<std::string> patterns;
  for (const FamilyInfo& family : kFamilies) patterns.push_back(pattern(family));
  const std::string last = patterns.back();
  patterns.pop_back();
  return InputError(
      fmt::format("'{}' is not a prior; write {} or {}", text, fmt::join(patterns, ", "), last));
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

const FamilyInfo& family_named(const std::string& name, const std::string& text) {
  for (const auto& family : kFamilies) {
    if (name == family.name) return family;
  }
  throw malformed(text);
}

std::vector<std::string> split_at_commas(const std::string& list) {
  std::vector<std::string> parts(1);
  for (const char c : list) {
    if (c == ',') parts.emplace_back();
    if (c != ',') parts.back() += c;
  }
  return parts;
}

// The k-th argument of the prior.
double parse_argument(const std::string& part, const FamilyInfo& family, std::size_t k,
                      const std::string& text) {
  double value = 0;
  const char* end = part.data() + part.size();
  const auto [stopped, error] = std::from_chars(part.data(), end, value);
  if (error == std::errc() && stopped == end) return value;
  throw InputError(fmt::format("the prior '{}': its {}, '{}', is not a number; write {}", text,
                               family.argument_names[k], part, pattern(family)));
}

}  // namespace

Prior::Prior(Family family, double a, double b) : family_(family), a_(a), b_(b) {
  const bool a_good = std::isfinite(a) && (a > 0 || !info(family).first_positive);
  const bool b_good = info(family).arguments == 1 || (std::isfinite(b) && b > 0);
  if (a_good && b_good) return;
  const bool any_sign = !a_good && !info(family).first_positive;
  throw InputError(fmt::format("the prior {}: its {} is not {}finite", to_string(),
                               info(family).argument_names[a_good ? 1 : 0],
                               any_sign ? "" : "positive and "));
}

std::string Prior::to_string() const {
  if (info(family_).arguments == 1) return fmt::format("{}({})", info(family_).name, a_);
  return fmt::format("{}({},{})", info(family_).name, a_, b_);
}

namespace {

// std::lgamma leaves the sign in a global variable, which chains side by side would fight for.
double log_gamma(double a) {
  int sign = 0;
  return lgamma_r(a, &sign);
}

// With df degrees of freedom; z^2 may be 0 or infinite.
ValueAndSlope half_student_t(double df, double scale, double psi) {
  const double z_squared = std::exp(2 * (psi - std::log(scale)));
  const double normalisation = std::log(2.0) - std::log(scale) + log_gamma((df + 1) / 2) -
                               log_gamma(df / 2) - 0.5 * std::log(df * std::numbers::pi);
  return {normalisation - (df + 1) / 2 * std::log1p(z_squared / df) + psi,
          1 - (df + 1) / (1 + df / z_squared)};
}

}  // namespace

// Each is log p(theta) + psi with psi = log(theta), differentiated in psi.
ValueAndSlope Prior::log_density_psi(double psi) const {
  const double theta = std::exp(psi);
  const double half_log_2pi = 0.5 * std::log(2 * std::numbers::pi);
  switch (family_) {
    case Family::gamma:
      return {a_ * std::log(b_) - log_gamma(a_) + a_ * psi - b_ * theta, a_ - b_ * theta};
    case Family::lognormal: {
      const double z = (psi - a_) / b_;
      return {-0.5 * z * z - std::log(b_) - half_log_2pi, -z / b_};
    }
    case Family::half_normal: {
      const double z = theta / a_;
      return {std::log(2.0) - half_log_2pi - std::log(a_) - 0.5 * z * z + psi, 1 - z * z};
    }
    case Family::inverse_gamma:
      return {a_ * std::log(b_) - log_gamma(a_) - a_ * psi - b_ / theta, b_ / theta - a_};
    case Family::half_student_t:
      return half_student_t(a_, b_, psi);
    case Family::half_cauchy:
      return half_student_t(1, a_, psi);
  }
  throw std::logic_error("a prior without a density");
}

Prior parse_prior(const std::string& text) {
  const std::string compact = without_spaces(text);
  const std::size_t open = compact.find('(');
  if (open == std::string::npos || compact.back() != ')') throw malformed(text);
  const FamilyInfo& family = family_named(compact.substr(0, open), text);
  const auto parts = split_at_commas(compact.substr(open + 1, compact.size() - open - 2));
  if (parts.size() != family.arguments) {
    throw InputError(fmt::format("the prior '{}' has {} argument{}; {} takes {}: write {}", text,
                                 parts.size(), parts.size() == 1 ? "" : "s", family.name,
                                 family.arguments, pattern(family)));
  }
  const double a = parse_argument(parts[0], family, 0, text);
  return {family.family, a, family.arguments == 1 ? a : parse_argument(parts[1], family, 1, text)};
}

}  // namespace ulisse
