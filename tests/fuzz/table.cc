// Tables, plain and in gzip, of any separator, with a target that may be missing.

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
  fuzz::read_or_refuse([&] {
    const Dataset data = read_csv(path, options);
    if (data.y.size() == 0) return;
    fingerprint(data);
    to_csv(data);
    scaled(data, standardisation_of(data));
  });
  return 0;
}

std::vector<std::string> fuzz::seeds() { return {}; }
