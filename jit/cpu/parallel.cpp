// The thread sanitizer does not look into this file (see CMakeLists.txt): oneTBB itself is built
// without it, so that each task would seem to race with whoever made it.
#include "jit/cpu/parallel.h"

#include "lang/base/address_space.h"

#include <algorithm>
#include <map>
#include <mutex>

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/info.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>
#ifdef SINTER_SANITIZE_THREADS
#include <sanitizer/tsan_interface.h>
#endif

namespace sinter::jit {

namespace {

/// Tells the thread sanitizer of an order that oneTBB keeps: what a thread did until it said
/// `before` is done when another says `after`.
class ThreadOrder {
public:
#ifdef SINTER_SANITIZE_THREADS
  void before() {
    __tsan_release(this);
  }
  void after() {
    __tsan_acquire(this);
  }
#else
  void before() {}
  void after() {}
#endif
};

/// Where addresses are short, oneTBB fails when a thread needs them.
unsigned usable_cores() {
  const auto cores = static_cast<unsigned>(tbb::info::default_concurrency());
  return static_cast<unsigned>(
      std::min<std::size_t>(cores, threads_with_addresses().value_or(cores)));
}

} // namespace

/// One arena for each number of threads that was asked for.
struct Workers::Arenas {
  unsigned cores = usable_cores();
  std::mutex mutex;
  std::map<unsigned, std::unique_ptr<tbb::task_arena>> by_size;

  tbb::task_arena& of_size(unsigned threads) {
    std::lock_guard lock(mutex);
    std::unique_ptr<tbb::task_arena>& arena = by_size[threads];
    if (!arena) arena = std::make_unique<tbb::task_arena>(static_cast<int>(threads));
    return *arena;
  }
};

Workers::Workers() : arenas_(std::make_unique<Arenas>()) {}
Workers::~Workers() = default;

unsigned Workers::thread_limit(unsigned threads) const {
  return threads == 0 ? arenas_->cores : std::min(threads, arenas_->cores);
}

void Workers::run(unsigned threads, std::int64_t count,
                  const std::function<void(std::int64_t, unsigned)>& body) {
  threads = thread_limit(threads);
  if (threads <= 1 || count <= 1) {
    for (std::int64_t i = 0; i < count; ++i)
      body(i, 0);
    return;
  }
  // Two, so that bodies stand in no order among themselves.
  ThreadOrder begun, ended;
  begun.before();
  arenas_->of_size(threads).execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<std::int64_t>(0, count, 1),
        [&](const tbb::blocked_range<std::int64_t>& range) {
          auto thread = static_cast<unsigned>(tbb::this_task_arena::current_thread_index());
          begun.after();
          for (std::int64_t i = range.begin(); i < range.end(); ++i)
            body(i, thread);
          ended.before();
        },
        tbb::auto_partitioner());
  });
  ended.after();
}

} // namespace sinter::jit
