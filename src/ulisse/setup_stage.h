#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/archive.h"

namespace ulisse {

// Where what the stages of a set-up find is kept, so that a set-up that was ended goes on with the
// stage in which that happened. The fit decides where.
class StageStore {
 public:
  virtual ~StageStore() = default;

  // Calls read where the stage was saved, and says whether it was. read returns whether what it has
  // read can be of this problem; where it cannot, and where it throws, load throws.
  virtual bool load(const std::string& stage, const std::function<bool(ArchiveReader&)>& read) = 0;

  // Calls write, which does the same each time, perhaps more than once.
  virtual void save(const std::string& stage, const std::function<void(ArchiveWriter&)>& write) = 0;
};

// For who keeps nothing.
class NoStages : public StageStore {
 public:
  bool load(const std::string&, const std::function<bool(ArchiveReader&)>&) override {
    return false;
  }
  void save(const std::string&, const std::function<void(ArchiveWriter&)>&) override {}
};

// The last one, which other samplers than ulisse have, too.
inline const std::string kTrendStage = "trend_coefficients";

// The stages' names, in their order.
inline const std::vector<std::string>& setup_stages() {
  static const std::vector<std::string> names = {"first_mode", "mode",   "anchor",      "curvature",
                                                 "trace",      "survey", "coordinates", "products",
                                                 "surrogate",  "plan",   kTrendStage};
  return names;
}

template <class T, class Fits>
bool load_stage(StageStore& store, const std::string& stage, T& found, const Fits& fits) {
  return store.load(stage, [&](ArchiveReader& reader) {
    reader(found);
    return fits(found);
  });
}

template <class T>
void save_stage(StageStore& store, const std::string& stage, const T& found) {
  store.save(stage, [&](ArchiveWriter& writer) { writer(found); });
}

}  // namespace ulisse
