// TOML files of fit --config, for options of all kinds.

#include "config_file.h"
#include "fuzz_target.h"

using namespace ulisse;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static fuzz::ScratchFile file(".toml");
  const std::string& path = file.with(fuzz::text_of(bytes, size));
  CLI::App app;
  std::string data, kernel;
  std::vector<std::string> priors;
  long chains = 0;
  double step = 0;
  bool flag = false;
  cli::add_config(app);
  app.add_option("data", data);
  app.add_option("--kernel", kernel);
  app.add_option("--prior", priors);
  app.add_option("--chains", chains);
  app.add_option("--step", step);
  app.add_flag("--no-standardise", flag);
  fuzz::read_or_refuse([&] {
    try {
      app.parse(std::vector<std::string>{path, "--config"});  // CLI11 takes them from behind
    } catch (const CLI::ParseError&) {  // which the command line tells as a usage error
    }
  });
  return 0;
}

std::vector<std::string> fuzz::seeds() { return {}; }
