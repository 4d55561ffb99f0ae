#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "ulisse/types.h"

namespace ulisse {

// Large matrices that are used again: memory fresh from the system costs a page fault for each
// 4 KB, a tenth of an exact gradient at n = 1,000. Thread-safe.
class MatrixPool {
 public:
  // Back in the pool when the lease ends; contents are whatever the last user left.
  class Lease {
   public:
    Lease(MatrixPool& pool, std::unique_ptr<Matrix> matrix)
        : pool_(pool), matrix_(std::move(matrix)) {}
    ~Lease() { pool_.give_back(std::move(matrix_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    Matrix& operator*() const { return *matrix_; }

   private:
    MatrixPool& pool_;
    std::unique_ptr<Matrix> matrix_;
  };

  Lease take() {
    const std::scoped_lock lock(mutex_);
    if (free_.empty()) return {*this, std::make_unique<Matrix>()};
    auto matrix = std::move(free_.back());
    free_.pop_back();
    return {*this, std::move(matrix)};
  }

 private:
  void give_back(std::unique_ptr<Matrix> matrix) {
    const std::scoped_lock lock(mutex_);
    free_.push_back(std::move(matrix));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Matrix>> free_;
};

}  // namespace ulisse
