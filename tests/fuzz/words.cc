// Texts of options: kernels, priors, rules of truncation.

#include "fuzz_target.h"
#include "ulisse/dataset.h"
#include "ulisse/model.h"
#include "ulisse/unbiased.h"

using namespace ulisse;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string text = fuzz::text_of(bytes, size);
  fuzz::read_or_refuse([&] { name_of(parse_kernel(text)); });
  fuzz::read_or_refuse([&] {
    const Prior prior = parse_prior(text);
    prior.to_string();
    prior.log_density_psi(0.5);
  });
  fuzz::read_or_refuse([&] { make_model(parse_kernel("rbf-ard"), 2, {text}); });
  fuzz::read_or_refuse([&] { parse_truncation(text); });
  static const Dataset columns{.x = Matrix(0, 3),
                               .y = Vector(0),
                               .features = {"a", "day", "site"},
                               .target = "y",
                               .levels = {{}, {}, {"elm", "oak"}}};
  fuzz::read_or_refuse([&] { make_model(text, columns); });
  fuzz::read_or_refuse([&] { make_model({.fixed = {text}, .trend = {text}}, columns); });
  return 0;
}

std::vector<std::string> fuzz::seeds() {
  return {"rbf",
          "matern52-ard",
          "gamma(1,1)",
          "lognormal(-2,1)",
          "tau.2=gamma(1,0.1)",
          "exp(1)",
          "matched(1.3)",
          "matched",
          "lambda=0",
          "linear",
          "matern32(a, day) + periodic(day,365.25)*rbf(\"site\")"};
}
