// Parallel loops over chunks.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace sinter::jit {

/// The machine's worker threads.  Thread-safe.
class Workers {
public:
  Workers();
  ~Workers();
  /// Calls `body` once for each index below `count`, in any order, on up to `threads` threads (0:
  /// all cores, and never more than those), of which the caller is one.  Uneven bodies balance:
  /// idle threads steal.  The body's second argument numbers the thread, below
  /// `thread_limit(threads)`.  It must not throw.
  void run(unsigned threads, std::int64_t count,
           const std::function<void(std::int64_t, unsigned)>& body);
  unsigned thread_limit(unsigned threads) const;

private:
  struct Arenas;
  std::unique_ptr<Arenas> arenas_;
};

} // namespace sinter::jit
