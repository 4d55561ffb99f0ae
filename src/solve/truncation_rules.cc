#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "ulisse/error.h"
#include "ulisse/unbiased.h"

namespace ulisse {

namespace {

class ExponentialWeights : public TruncationRule {
 public:
  explicit ExponentialWeights(double b) : b_(b) {}
  std::string name() const override { return fmt::format("exp({:g})", b_); }
  double continuation(int j, std::span<const double>) const override { return std::exp(-b_ * j); }

 private:
  double b_;
};

class MatchedDecay : public TruncationRule {
 public:
  explicit MatchedDecay(double power) : power_(power) {}
  std::string name() const override { return fmt::format("matched({:g})", power_); }

  // CG's residuals may rise; a probability may not.
  double continuation(int j, std::span<const double> residuals) const override {
    if (j == 0) return 1;
    const double before = *std::min_element(residuals.begin(), residuals.begin() + j);
    return std::pow(std::min(1.0, residuals[j] / before), power_);
  }

 private:
  double power_;
};

// The number in "name(number)", or the default for "name" alone; NaN for anything else.
double argument(const std::string& text, const std::string& name, double otherwise) {
  if (text == name) return otherwise;
  double value = NAN;
  if (text.size() < name.size() + 3 || text.substr(0, name.size() + 1) != name + "(" ||
      text.back() != ')') {
    return NAN;
  }
  const char* end = text.data() + text.size() - 1;
  const auto [stopped, error] = std::from_chars(text.data() + name.size() + 1, end, value);
  return error == std::errc() && stopped == end ? value : NAN;
}

}  // namespace

std::unique_ptr<const TruncationRule> exponential_weights(double b) {
  return std::make_unique<ExponentialWeights>(b);
}

std::unique_ptr<const TruncationRule> matched_decay(double power) {
  return std::make_unique<MatchedDecay>(power);
}

std::unique_ptr<const TruncationRule> parse_truncation(const std::string& text) {
  const double b = argument(text, "exp", 1), power = argument(text, "matched", 1);
  if (b > 0 && std::isfinite(b)) return exponential_weights(b);
  if (power > 0 && std::isfinite(power)) return matched_decay(power);
  throw InputError(fmt::format(
      "'{}' is not a truncation rule; write exp(b) with b > 0 for weights exp(b j), or matched",
      text));
}

}  // namespace ulisse
