// Parallel loops over chunks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

namespace sinter::jit {

/// What is done for an index on a thread, and whether to go on after it: a callable as bytes that
/// may be copied.  Of one that its bytes are all of, and not many, those; else where it is, as
/// somebody else keeps it.
class LoopBody {
public:
  static constexpr std::size_t most_bytes = 504;
  /// Whether such a callable is copied.
  template <typename Body>
  static constexpr bool is_copied = std::is_trivially_copyable_v<Body> && sizeof(Body) <= most_bytes
                                    && alignof(Body) <= alignof(void*);

  using Call = bool (*)(const void* bytes, std::int64_t index, unsigned thread);

  template <typename Body>
  explicit LoopBody(const Body& body)
      : body_(&body), size_(is_copied<Body> ? sizeof(Body) : 0),
        call_([](const void* bytes, std::int64_t index, unsigned thread) {
          const void* const at = is_copied<Body> ? bytes : *static_cast<const void* const*>(bytes);
          const Body& run = *static_cast<const Body*>(at);
          if constexpr (std::is_void_v<decltype(run(index, thread))>) {
            run(index, thread);
            return true;
          } else {
            return run(index, thread);
          }
        }) {}
  bool operator()(std::int64_t index, unsigned thread) const {
    return call_(bytes().data(), index, thread);
  }
  std::span<const std::byte> bytes() const {
    if (size_ > 0) return {static_cast<const std::byte*>(body_), size_};
    return std::as_bytes(std::span(&body_, 1));
  }
  Call call() const { return call_; } ///< of bytes that lie as a pointer may

private:
  const void* body_;
  std::size_t size_; ///< 0: what is copied is where it is
  Call call_;
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
  /// argument numbers the thread, below `thread_limit(threads)`.  Where it gives false, greater
  /// indices need not be met any more.  It must not throw.
  ///
  /// A body that its bytes are all of, and not many, is copied to where each thread looks for work:
  /// what it holds another thread then has at once, and what it points to only later.
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
