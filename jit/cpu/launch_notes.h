// What a kernel's launches leave for the next one: mostly it has the same sizes, and its lists are
// as long.
#pragma once

#include "jit/cpu/launch_sizes.h"
#include "jit/cpu/scratch.h"
#include "lang/values/array.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace sinter::jit {

/// Of one launch at a time.  What lists hold means nothing between launches: they are here for
/// their memory.
struct LaunchNotes {
  LaunchSizes sizes;
  std::vector<std::uint64_t> scalars, words, result_words;
  std::vector<Leaf> leaves; ///< empty between launches
  std::vector<unsigned char> reused;
  std::vector<std::byte*> partials;
  std::vector<std::int64_t> partial_strides, kept;
  std::vector<ScratchArena> arenas; ///< by thread; empty between launches
};

/// A kernel's notes.  Thread-safe: of launches at the same time all but one get fresh ones.
class NotesKeeper {
public:
  NotesKeeper() = default;
  NotesKeeper(const NotesKeeper&) = delete;
  NotesKeeper& operator=(const NotesKeeper&) = delete;
  ~NotesKeeper() { delete kept_.load(); }

  /// The notes, as long as it lives.
  class Borrowed {
  public:
    explicit Borrowed(NotesKeeper& keeper)
        : keeper_(keeper), notes_(keeper.kept_.exchange(nullptr, std::memory_order_acquire)) {
      if (!notes_) notes_ = std::make_unique<LaunchNotes>();
    }
    Borrowed(const Borrowed&) = delete;
    Borrowed& operator=(const Borrowed&) = delete;
    ~Borrowed() {
      notes_->leaves.clear();
      notes_->arenas.clear();
      // (Another launch's may be there, which goes.)
      notes_.reset(keeper_.kept_.exchange(notes_.release(), std::memory_order_acq_rel));
    }
    LaunchNotes& operator*() const { return *notes_; }
    LaunchNotes* operator->() const { return notes_.get(); }

  private:
    NotesKeeper& keeper_;
    std::unique_ptr<LaunchNotes> notes_;
  };

private:
  std::atomic<LaunchNotes*> kept_{nullptr}; ///< owned
};

} // namespace sinter::jit
