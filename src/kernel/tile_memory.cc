#include "kernel/tile_memory.h"

#include <sys/mman.h>

#include <new>

namespace ulisse {

namespace {

// Huge pages where the system has them: 2 GB are half a million ordinary ones, each a fault to fill
// and a miss to find.
double* map_block(std::size_t bytes) {
  void* block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) throw std::bad_alloc();
  madvise(block, bytes, MADV_HUGEPAGE);
  return static_cast<double*>(block);
}

}  // namespace

TileMemory::~TileMemory() {
  for (double* block : free_) munmap(block, values_ * sizeof(double));
}

std::shared_ptr<double[]> TileMemory::acquire() {
  double* block = take();
  if (block == nullptr) return nullptr;
  return {block, [pool = shared_from_this()](double* p) { pool->release(p); }};
}

double* TileMemory::take() {
  const std::lock_guard lock(mutex_);
  if (!free_.empty()) {
    double* block = free_.back();
    free_.pop_back();
    return block;
  }
  if (blocks_ == most_blocks_) return nullptr;
  double* block = map_block(values_ * sizeof(double));
  ++blocks_;
  return block;
}

void TileMemory::release(double* block) {
  const std::lock_guard lock(mutex_);
  free_.push_back(block);
}

}  // namespace ulisse
