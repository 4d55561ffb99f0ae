#pragma once

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "support/random_points.h"
#include "ulisse/model.h"

namespace ulisse::testing {

// Columns of every kind: three of numbers, of which day is also seen as a circle, a category of
// four levels, and, as the last one, what is known of each row's noise. Scaled already.
inline Dataset mixed_table(Index n, unsigned seed, bool known_noise = true) {
  Dataset data{.x = Matrix(n, 5),
               .y = Vector(n),
               .features = {"east", "north", "day", "site", "error"},
               .target = "y",
               .levels = {{}, {}, {}, {"a", "b", "c", "d"}, {}}};
  data.x << normal_matrix(n, 5, seed);
  for (Index i = 0; i < n; ++i) data.x(i, 3) = static_cast<double>((7 * i + i * i / 3) % 4);
  data.x.col(4) = 0.1 + 0.2 * data.x.col(4).array().abs();
  data.y = (data.x.col(0).array() * 1.5).sin() + 0.4 * data.x.col(1).array() +
           0.5 * (2 * std::numbers::pi / 0.7 * data.x.col(2).array()).cos() +
           0.3 * normal_matrix(n, 1, seed + 1).array();
  if (known_noise) {
    data.known_noise = KnownNoise{.column = 4};
    return data;
  }
  data.x.conservativeResize(Eigen::NoChange, 4);
  data.features.pop_back();
  data.levels.pop_back();
  return data;
}

// A random sum of products of shapes: on all inputs or some of them, with one length scale or one
// for each, on categories, on circles. The same text for the same seed.
class RandomKernels {
 public:
  explicit RandomKernels(unsigned seed) : generator_(seed) {}

  std::string expression() {
    std::string text = term();
    for (int more = below(3); more > 0; --more) text += " + " + term();
    return text;
  }

 private:
  int below(int count) { return static_cast<int>(generator_() % static_cast<unsigned>(count)); }

  std::string term() {
    std::string text = factor();
    for (int more = below(3); more > 0; --more) text += "*" + factor();
    return text;
  }

  std::string factor() {
    if (below(5) == 0) return below(2) == 0 ? "periodic(day,0.7)" : "periodic(east,2.5)";
    static constexpr const char* kShapes[] = {"rbf", "matern12", "matern32", "matern52"};
    std::string text = kShapes[below(4)];
    if (below(3) == 0) text += "-ard";
    if (below(5) == 0) return text;
    return text + "(" + inputs() + ")";
  }

  std::string inputs() {
    static constexpr const char* kInputs[] = {"east", "north", "day", "site"};
    std::string text;
    const int chosen = 1 + below(15);  // a bit for each
    for (int k = 0; k < 4; ++k) {
      if ((chosen >> k & 1) == 0) continue;
      text += (text.empty() ? "" : ",") + std::string(kInputs[k]);
    }
    return text;
  }

  std::mt19937 generator_;
};

// Parameters around those of a kernel that explains something, all different.
inline Vector random_psi(const Model& model, unsigned seed) {
  const Vector spread = normal_matrix(model.parameter_count(), 1, seed + 17);
  Vector psi = model.layout.psi_with(
      {.log_signal_variance = 0.3,
       .log_noise_variance = std::log(0.1),
       .log_inverse_squared_length = [](const Parameter&) { return std::log(0.4); }});
  return psi + 0.5 * spread;
}

// A model with everything: its kernel by chance, a trend of an intercept and two slopes, known
// noise, and lambda or the first sigma fixed now and then.
inline Model random_model(unsigned seed, const Dataset& data) {
  ModelOptions options{.kernel = RandomKernels(seed).expression(), .trend = {"east", "day"}};
  options.trend_scale = 2;
  if (seed % 3 == 1) options.fixed = {"lambda=0.05"};
  if (seed % 3 == 2) options.fixed = {"sigma=0.7"};
  return make_model(options, data);
}

}  // namespace ulisse::testing
