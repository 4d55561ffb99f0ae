#include "base/blas_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/memory.h"
#include "ulisse/error.h"

// OpenBLAS's own functions, declared in no header.
extern "C" {
[[gnu::weak]] void* blas_memory_alloc(int position);
[[gnu::weak]] void blas_memory_free(void* buffer);
}

namespace ulisse {

namespace {

// On x86-64, as mapped by OpenBLAS 0.3.21; less on others.
constexpr std::size_t kBufferBytes = std::size_t(128) << 20U;

bool memory_is_limited() {
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit limit{};
    if (getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) return true;
  }
  std::ifstream overcommit("/proc/sys/vm/overcommit_memory");
  return overcommit.get() == '2';  // memory is counted when it is asked for, not when it is used
}

// "123 (name with ) in it) S ...": S is a thread that waits for work.
bool is_running(const std::filesystem::path& task) {
  std::ifstream file(task / "stat");
  std::string text;
  std::getline(file, text);
  const auto name_end = text.rfind(") ");
  return name_end != std::string::npos && text[name_end + 2] == 'R';
}

bool another_thread_runs() {
  namespace fs = std::filesystem;
  std::error_code error;
  const std::string own = std::to_string(gettid());
  for (const auto& task : fs::directory_iterator("/proc/self/task", error)) {
    if (task.path().filename() != own && is_running(task.path())) return true;
  }
  return false;
}

// A piece of address space as large as a buffer, which ends with this.
class Trial {
 public:
  Trial()
      : place_(mmap(nullptr, kBufferBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
                    0)) {}
  ~Trial() {
    if (has_room()) munmap(place_, kBufferBytes);
  }
  Trial(Trial&& other) noexcept : place_(std::exchange(other.place_, MAP_FAILED)) {}
  Trial& operator=(Trial&&) = delete;
  bool has_room() const { return place_ != MAP_FAILED; }

 private:
  void* place_;
};

bool has_room_for(int buffers) {
  std::vector<Trial> trials;
  for (int i = 0; i < buffers; ++i) {
    if (!trials.emplace_back().has_room()) return false;
  }
  return true;
}

// All at once, so that OpenBLAS cannot give the same one twice; it keeps them when they are free.
void have_buffers(int count) {
  std::vector<void*> buffers;
  for (int i = 0; i < count; ++i) buffers.push_back(blas_memory_alloc(0));
  for (void* buffer : buffers) blas_memory_free(buffer);
}

}  // namespace

bool blas_waits_for_memory() {
  if (!memory_is_limited()) return false;
  constexpr int kTimes = 100;
  for (int i = 0; i < kTimes; ++i) {
    if (!another_thread_runs()) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return !has_room_for(1);  // others may have something to do
}

void reserve_blas_memory(int threads) {
  static std::atomic<int> reserved = 0;
  static std::mutex mutex;
  if (reserved >= threads || blas_memory_alloc == nullptr || blas_memory_free == nullptr) return;
  const std::lock_guard lock(mutex);
  if (reserved >= threads) return;
  if (memory_is_limited()) {
    if (!has_room_for(threads - reserved)) {
      throw InputError(fmt::format(
          "linear algebra on {} thread{} needs {} of address space, more than the limit on this "
          "process's memory leaves; raise it (ulimit -v) or take fewer threads",
          threads, threads == 1 ? "" : "s",
          readable_bytes(static_cast<std::size_t>(threads) * kBufferBytes)));
    }
    have_buffers(threads);
  }
  reserved = threads;
}

}  // namespace ulisse
