// Tables, plain and in gzip, of any separator, with a target that may be missing; their copies are
// read back as they were.

#include <cstdlib>

#include "fuzz_target.h"
#include "ulisse/dataset.h"

using namespace ulisse;

// The first byte chooses the options, and the rest is the file.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static fuzz::ScratchFile file(".csv");
  if (size == 0) return 0;
  const std::string& path = file.with(fuzz::text_of(bytes + 1, size - 1));
  CsvOptions options{.target = "y", .separator = ",;\t|"[bytes[0] % 4]};
  if (bytes[0] & 4) options.features = {"a", "b"};
  if (bytes[0] & 8) options.target_optional = true;
  if (bytes[0] & 16) options.drop_missing = true;
  if (bytes[0] & 32) options.noise = "b";
  if (bytes[0] & 64) options.categories = {"a"};
  fuzz::read_or_refuse([&] {
    const Dataset data = read_csv(path, options);
    if (data.y.size() == 0) return;
    const std::string before = fingerprint(data);
    const std::string& copy = file.with(to_csv(data));
    if (fingerprint(read_csv(copy, {.target = data.target, .like = &data})) != before) abort();
    scaled(data, standardisation_of(data));
  });
  return 0;
}

std::vector<std::string> fuzz::seeds() { return {}; }
