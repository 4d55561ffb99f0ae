#pragma once

#include <oneapi/tbb/cache_aligned_allocator.h>

#include <vector>

namespace ulisse {

// Storage that starts on a cache line, as the vector loads in covariance/simd ask for.
template <class T>
using AlignedVector = std::vector<T, tbb::cache_aligned_allocator<T>>;

}  // namespace ulisse
