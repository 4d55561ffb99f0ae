#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace ulisse {

// Large blocks of doubles that are used again: a sampler asks for a new matrix at every psi, and
// getting fresh memory from the system takes longer than filling it with kernel values.
// Thread-safe.
class TileMemory : public std::enable_shared_from_this<TileMemory> {
 public:
  explicit TileMemory(std::size_t values) : values_(values) {}
  ~TileMemory();
  TileMemory(const TileMemory&) = delete;
  TileMemory& operator=(const TileMemory&) = delete;

  // Aligned to a page; goes back to this pool when the last owner drops it. Contents are undefined.
  std::shared_ptr<double[]> acquire();

 private:
  void release(double* block);

  std::size_t values_;
  std::mutex mutex_;
  std::vector<double*> free_;
};

}  // namespace ulisse
