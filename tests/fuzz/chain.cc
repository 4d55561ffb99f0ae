// A chain's file of draws, beside another that is whole.

#include "fit/summary.h"
#include "fuzz_target.h"
#include "predict/saved_fit.h"
#include "report/summary_words.h"
#include "support/written_fit.h"

using namespace ulisse;

namespace {

const testing::WrittenFit& folder() {
  static const testing::WrittenFit fit("fuzz_chain");
  return fit;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  folder().put("chain_2.csv", fuzz::text_of(bytes, size));
  fuzz::read_or_refuse([] { to_text(full_summary(load_fit(folder().folder().path()))); });
  fuzz::read_or_refuse([] { saved_fit(load_fit(folder().folder().path())); });
  return 0;
}

std::vector<std::string> fuzz::seeds() { return {read_file(folder().folder().chain_file(0))}; }
