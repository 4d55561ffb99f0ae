#pragma once

#include <CLI/CLI.hpp>

// Each subcommand lives in its own file and adds itself to the command line.
namespace ulisse::cli {

void add_bench_gradient(CLI::App& bench);
void add_bench_sample(CLI::App& bench);
void add_bench_products(CLI::App& bench);
void add_bench_solve(CLI::App& bench);
void add_devices_command(CLI::App& app);
void add_effects(CLI::App& app);
void add_fit(CLI::App& app);
void add_compare(CLI::App& app);
void add_loo(CLI::App& app);
void add_map(CLI::App& app);
void add_predict(CLI::App& app);
void add_report(CLI::App& app);
void add_summary(CLI::App& app);

}  // namespace ulisse::cli
