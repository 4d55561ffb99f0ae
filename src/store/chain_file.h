#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sample/transition.h"
#include "store/files.h"

// A chain's draws in CmdStan's CSV format, so that rstan::read_stan_csv, cmdstanpy.from_csv and
// ArviZ read them as they are. Parameters stand on their natural scale.
namespace ulisse {

// What made the draws. Readers know Stan's samplers alone; rstan takes any name.
enum class Algorithm { nuts, metropolis, langevin, sgld, own };

// The columns with the noise of Langevin's steps: noise_1__, ...
std::vector<std::string> noise_columns(std::size_t parameters);

struct ChainHeader {
  std::string model;    // a name without spaces
  std::string sampler;  // as in the settings
  Algorithm algorithm = Algorithm::metropolis;
  int id = 1;
  long warmup = 0, draws = 0;
  std::uint64_t seed = 0;
  int max_depth = 10;
  std::vector<std::pair<std::string, std::string>> settings;  // further "# key = value" lines
  std::vector<std::string> parameters;                        // such as sigma, tau.1, lambda
  // What follows from them, and the columns with the noise where there are such.
  std::vector<std::string> quantities = {};
  double step_size = 0;
  Vector metric_diagonal;  // of the inverse mass matrix, or of M
};

class ChainFile {
 public:
  ChainFile(const std::string& path, const ChainHeader& header);
  ChainFile(const std::string& path, std::uint64_t size);  // goes on at that size

  // How many draws the header says there will be.
  void set_count(long draws);
  void append(const Transition& transition, const Vector& quantities = {});
  std::uint64_t flush() { return file_.flush(); }

  // The end of a run, be it complete or not: how many draws there are, and how long it took. A run
  // that goes on cuts this off again.
  void finish(long draws, double warmup_seconds, double sampling_seconds);

 private:
  GrowingFile file_;
  std::uint64_t count_at_;  // where the header says how many draws there are
};

struct ChainDraws {
  std::vector<std::string> parameters;
  Matrix theta;                              // (draws, parameters)
  std::vector<std::string> quantities = {};  // that follow from them; none in files of before 0.2
  Matrix values = {};                        // (draws, quantities)
  Matrix noise = {};                         // of Langevin's steps (draws, parameters), or none
  Vector products;                           // n_leapfrog__: leapfrog steps, or covariance products
  Vector log_density = {};                   // lp__: of psi
  long divergent = 0;
};

// The complete rows of a chain's file, by the names of its columns; a row that a crash cut short is
// left out. Throws InputError that names line and column. A file that a kill left without its
// header has neither parameters nor draws.
ChainDraws read_chain(const std::string& path);

// The same of a file's content; `path` is for messages.
ChainDraws parse_chain(const std::string& content, const std::string& path);

// The same of its first `size` bytes, which end with a row or with the header.
ChainDraws read_chain(const std::string& path, std::uint64_t size);

}  // namespace ulisse
