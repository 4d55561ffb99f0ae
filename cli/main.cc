#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>

#include "base/blas_memory.h"
#include "base/option_names.h"
#include "base/printable.h"
#include "command.h"
#include "exit_code.h"
#include "help_format.h"
#include "options.h"
#include "output.h"
#include "team.h"
#include "ulisse/error.h"
#include "ulisse/version.h"
#include "usage_error.h"

namespace {

// One sentence on standard error, whatever is in the names that it quotes; what the user can mend
// exits with 2, what we must mend with 1.
int report(const char* message, int code) {
  std::fprintf(stderr, "ulisse: %s\n", ulisse::printable(message).c_str());
  return code;
}

int help_or_version(const CLI::App& app, const CLI::ParseError& error) {
  app.exit(error);
  ulisse::cli::finish_output();
  return 0;
}

int run(int argc, char** argv) {
  CLI::App app("Fully Bayesian Gaussian-process regression at scale.", "ulisse");
  app.formatter(std::make_shared<ulisse::cli::HelpFormat>());  // of its subcommands, too
  app.set_version_flag("--version", std::string("ulisse ") + ulisse::version());
  app.footer(
      "The exit code is 0, or 2 for what the user can mend, or 1 for anything else, such as a "
      "search that "
      "found no mode. Under mpirun or srun the processes share the work.");
  app.require_subcommand(1);
  CLI::App* bench = app.add_subcommand("bench", "Measure the parts on this machine.");
  bench->require_subcommand(1);
  ulisse::cli::add_fit(app);
  ulisse::cli::add_summary(app);
  ulisse::cli::add_predict(app);
  ulisse::cli::add_effects(app);
  ulisse::cli::add_report(app);
  ulisse::cli::add_loo(app);
  ulisse::cli::add_compare(app);
  ulisse::cli::add_map(app);
  ulisse::cli::add_devices_command(app);
  ulisse::cli::add_bench_products(*bench);
  ulisse::cli::add_bench_solve(*bench);
  ulisse::cli::add_bench_gradient(*bench);
  ulisse::cli::add_bench_sample(*bench);
  ulisse::cli::refuse_odd_values(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return help_or_version(app, error);
    std::fputs(ulisse::cli::usage_error(app, error).c_str(), stderr);
    return 2;
  }
  ulisse::cli::finish_output();
  return 0;
}

int run_or_report(int argc, char** argv) {
  try {
    ulisse::cli::check_output_is_open();
    return run(argc, argv);
  } catch (const ulisse::cli::ExitCode& exit) {
    ulisse::cli::finish_output();
    return exit.code;
  } catch (const ulisse::Interrupted& stopped) {
    return report(stopped.what(), 130);
  } catch (const ulisse::InputError& error) {
    return report(error.what(), 2);
  } catch (const std::bad_alloc&) {
    return report("out of memory", 1);
  } catch (const std::exception& error) {
    return report(error.what(), 1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (ulisse::blas_waits_for_memory()) {
    _exit(report("the limit on this process's memory is too low to start in; raise it (ulimit -v)",
                 2));
  }
  ulisse::use_option_names(ulisse::OptionNames::command_line);
  return ulisse::cli::run_with_team([&] { return run_or_report(argc, argv); });
}
