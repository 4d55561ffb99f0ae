// What report takes for the output of predict.

#include "fuzz_target.h"
#include "report/prediction_table.h"

using namespace ulisse;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  static fuzz::ScratchFile file(".csv");
  const std::string& path = file.with(fuzz::text_of(bytes, size));
  fuzz::read_or_refuse([&] { read_predictions(path); });
  return 0;
}

std::vector<std::string> fuzz::seeds() { return {}; }
