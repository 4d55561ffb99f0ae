// Usage: fuzz_TARGET CORPUS [--mutations N | --seconds S] [--seed K]
//        fuzz_TARGET --write-seeds FOLDER
//
// Runs a target on the files of a folder, on the target's own seeds, and on random changes of both.
// An input that ends in anything but success or a refusal is kept as crash-TARGET in the working
// directory; naming that file as CORPUS, with --mutations 0, runs it again. Exits with 1 then.

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "base/clock.h"
#include "fuzz_target.h"
#include "mutate.h"
#include "store/files.h"

namespace {

namespace fs = std::filesystem;
using namespace ulisse;

constexpr unsigned kSecondsForOne = 20;  // sanitizers make some inputs slow

std::string name, current;  // of the target, and the input that is being run

// For signals, too: nothing here allocates.
void keep_input() {
  static const std::string path = "crash-" + name;
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file >= 0 && ::write(file, current.data(), current.size()) < 0) std::perror("write");
  std::fprintf(stderr, "%s: failed on an input of %zu bytes, kept as %s\n", name.c_str(),
               current.size(), path.c_str());
}

void on_signal(int number) {
  std::fprintf(stderr, "%s: %s\n", name.c_str(),
               number == SIGALRM ? "an input took too long" : "a signal");
  keep_input();
  ::_exit(1);
}

void run(std::string input) {
  current = std::move(input);
  ::alarm(kSecondsForOne);
  try {
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(current.data()), current.size());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
    keep_input();
    std::exit(1);
  }
  ::alarm(0);
}

std::vector<std::string> inputs_of(const std::string& corpus) {
  std::vector<std::string> all = fuzz::seeds();
  std::vector<fs::path> files;
  if (fs::is_directory(corpus)) {
    for (const auto& entry : fs::directory_iterator(corpus)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());  // the same order everywhere
  } else if (!corpus.empty()) {
    files.emplace_back(corpus);
  }
  for (const fs::path& file : files) all.push_back(read_file(file.string()));
  if (all.empty()) all.emplace_back();
  return all;
}

void write_seeds(const std::string& folder) {
  int number = 0;
  for (const std::string& seed : fuzz::seeds()) {
    std::ofstream(fs::path(folder) / ("seed" + std::to_string(++number)), std::ios::binary) << seed;
  }
}

}  // namespace

int main(int count, char** words) {
  name = fs::path(words[0]).filename().string();
  std::string corpus;
  long mutations = 3000;
  double seconds = 0;
  std::uint64_t seed = 1;
  for (int i = 1; i < count; ++i) {
    const std::string_view word = words[i];
    const char* value = i + 1 < count ? words[i + 1] : "";
    if (!word.starts_with("--")) {
      corpus = word;
      continue;
    }
    ++i;
    if (word == "--mutations") mutations = std::atol(value);
    if (word == "--seconds") seconds = std::atof(value);
    if (word == "--seed") seed = std::strtoull(value, nullptr, 10);
    if (word == "--write-seeds") return write_seeds(value), 0;
  }
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM}) {
    std::signal(number, on_signal);
  }
  const std::vector<std::string> pool = inputs_of(corpus);
  for (const std::string& input : pool) run(input);
  const double end = seconds_now() + seconds;
  long done = 0;
  for (; seconds > 0 ? seconds_now() < end : done < mutations; ++done) {
    Rng rng = stream(seed, 0, Purpose::simulation, static_cast<std::uint64_t>(done));
    run(fuzz::mutated(pool, rng));
  }
  std::printf("%s: %zu inputs and %ld changes of them\n", name.c_str(), pool.size(), done);
  return 0;
}
