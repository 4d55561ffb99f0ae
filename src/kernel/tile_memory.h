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
  // Blocks of so many doubles, and at most so many of them at a time.
  TileMemory(std::size_t values, std::size_t most_blocks)
      : values_(values), most_blocks_(most_blocks) {}
  ~TileMemory();
  TileMemory(const TileMemory&) = delete;
  TileMemory& operator=(const TileMemory&) = delete;

  // Aligned to a page; goes back to this pool when the last owner drops it. Contents are undefined.
  // Null where all blocks are in use.
  std::shared_ptr<double[]> acquire();

 private:
  void release(double* block);

  double* take();

  std::size_t values_, most_blocks_;
  std::mutex mutex_;
  std::size_t blocks_ = 0;  // in use or free
  std::vector<double*> free_;
};

}  // namespace ulisse
