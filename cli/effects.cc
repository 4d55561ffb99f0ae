// ulisse effects: what the function of a fit does along each input.

#include "ulisse/effects.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "base/printable.h"
#include "command.h"
#include "exit_code.h"
#include "interrupt.h"
#include "options.h"
#include "out_file.h"
#include "predict/effects_csv.h"
#include "progress.h"
#include "store/files.h"
#include "ulisse/threads.h"

namespace ulisse::cli {

namespace {

struct Options {
  std::string folder, out = "effects.csv";
  EffectOptions effects;
  bool json = false, quiet = false, force = false;
  int threads = 0;
};

nlohmann::ordered_json to_json(const Spread& spread) {
  return {{"median", json_number(spread.median)},
          {"lower", json_number(spread.lower)},
          {"upper", json_number(spread.upper)}};
}

nlohmann::ordered_json to_json(const Options& options, const Effects& effects) {
  nlohmann::ordered_json out = {{"file", options.out}, {"draws", effects.draws}, {"level", 0.9}};
  for (const Effect& effect : effects.inputs) {
    out["inputs"][effect.input] = {{"first_order", to_json(effect.first_order)},
                                   {"total", to_json(effect.total)}};
  }
  out["pairs"] = nlohmann::ordered_json::array();
  for (const Interaction& pair : effects.pairs) {
    const auto name = [&](Index i) { return effects.inputs[static_cast<std::size_t>(i)].input; };
    out["pairs"].push_back({{"first", name(pair.first)},
                            {"second", name(pair.second)},
                            {"share", to_json(pair.share)}});
  }
  return out;
}

std::string percent(const Spread& share) {
  const auto in_percent = [](double x) { return 100 * std::clamp(x, 0.0, 1.0); };
  return fmt::format("{:3.0f} % ({:.0f} to {:.0f})", in_percent(share.median),
                     in_percent(share.lower), in_percent(share.upper));
}

void print_text(const Options& options, const Effects& effects) {
  constexpr std::size_t kPairs = 5;
  fmt::print("effects of {} inputs, {} draws: {}\n\n", effects.inputs.size(), effects.draws,
             options.out);
  std::size_t width = 5;
  for (const Effect& effect : effects.inputs) width = std::max(width, effect.input.size());
  fmt::print("{:<{}}  {:<20} {:<20}\n", "input", width, "alone", "with all others");
  for (const Effect& effect : effects.inputs) {
    fmt::print("{:<{}}  {:<20} {:<20}\n", printable(effect.input), width,
               percent(effect.first_order), percent(effect.total));
  }
  fmt::print(
      "\nShares of the function's variance where inputs are independent, each distributed as in "
      "the table: Sobol's indices, median and 90 % interval over the draws.\n");
  if (effects.pairs.empty()) return;
  fmt::print("\nPairs that explain most together, beyond what each explains alone:\n");
  for (std::size_t p = 0; p < std::min(kPairs, effects.pairs.size()); ++p) {
    const Interaction& pair = effects.pairs[p];
    fmt::print("{}  {} and {}\n", percent(pair.share),
               printable(effects.inputs[static_cast<std::size_t>(pair.first)].input),
               printable(effects.inputs[static_cast<std::size_t>(pair.second)].input));
  }
}

void run(const Options& options) {
  set_threads(options.threads);
  check_out_file(options.out, {.fit_folder = options.folder, .replace = options.force});
  const InterruptFlag interrupt;
  InterruptWatch watch;
  const WatchScope scope(watch);
  try {
    const Fit fit = load_fit(options.folder);
    Progress progress(options.quiet);
    EffectOptions asked = options.effects;
    asked.progress = [&](Index draw) {
      if (InterruptFlag::raised()) throw WorkStopped();
      progress.show(fmt::format("effects: draw {}", draw + 1));
    };
    const Effects found = effects(fit, asked);
    write_atomically(options.out, effects_csv(fit, found));
    if (options.json) return fmt::print("{}", json_text(to_json(options, found)));
    print_text(options, found);
  } catch (const WorkStopped&) {
    fmt::print(stderr, "ulisse: interrupted; nothing was written\n");
    throw ExitCode(130);
  }
}

}  // namespace

void add_effects(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand(
      "effects", "What the function of a fit does along each input, and which inputs matter.");
  command->add_option("folder", options->folder, "The folder that ulisse fit wrote")->required();
  command->add_option("--out", options->out, "CSV file to write, a line for each point")
      ->capture_default_str();
  add_force(*command, options->force);
  add_whole(*command, "--draws", options->effects.draws, 2, "Draws to use, spread over all chains");
  add_whole(*command, "--points", options->effects.points, 2, "Along each input", 100'000);
  add_whole(*command, "--rows", options->effects.rows, 1,
            "Of the table, over which other inputs are averaged", 1e6);
  add_whole(*command, "--base", options->effects.base, 10, "Pairs of points for shares of variance",
            1e7);
  add_seed(*command, options->effects.seed, "Seed of these points");
  add_threads(*command, options->threads);
  add_memory(*command, options->effects.memory);
  add_json(*command, options->json);
  add_quiet(*command, options->quiet);
  command->callback([options] { run(*options); });
}

}  // namespace ulisse::cli
