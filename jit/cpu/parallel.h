// Parallel loops over chunks.
#pragma once

#include <cstdint>
#include <memory>

namespace sinter::jit {

/// What is done for an index on a thread: a callable that somebody else keeps.
class LoopBody {
public:
  template <typename Body>
  explicit LoopBody(const Body& body)
      : object_(&body), call_([](const void* object, std::int64_t index, unsigned thread) {
          (*static_cast<const Body*>(object))(index, thread);
        }) {}
  void operator()(std::int64_t index, unsigned thread) const { call_(object_, index, thread); }

private:
  const void* object_;
  void (*call_)(const void*, std::int64_t, unsigned);
};

/// The machine's worker threads.  Thread-safe.
class Workers {
public:
  Workers();
  ~Workers();
  /// Calls `body` once for each index below `count`, in any order, on up to `threads` threads (0:
  /// all cores, and never more than those), of which the caller is one.  Each thread has a share of
  /// its own, the same one whenever the count is the same, so that what lies in its caches from
  /// one loop is there for the next; whoever is done takes over from the others.  The body's second
  /// argument numbers the thread, below `thread_limit(threads)`.  It must not throw.
  template <typename Body>
  void run(unsigned threads, std::int64_t count, const Body& body) {
    run_body(threads, count, LoopBody(body));
  }
  unsigned thread_limit(unsigned threads) const;

private:
  void run_body(unsigned threads, std::int64_t count, LoopBody body);

  class Teams;
  std::unique_ptr<Teams> teams_;
};

} // namespace sinter::jit
