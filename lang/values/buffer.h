// Memory for the leaves of arrays: counted, shared by references, and perhaps filled elsewhere, or
// a file's.
#pragma once

#include "lang/values/elsewhere.h"
#include "lang/values/mapped_file.h"
#include "lang/values/spill_file.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace sinter {

/// Counts the bytes that buffers hold and refuses to exceed a limit.  One per session; must outlive
/// its buffers.  Whatever the limit, it refuses more than the machine (or its container) has.
///
/// It also keeps large pieces of memory that buffers gave back for the next buffers: to get fresh
/// pages from the system costs more than to fill them.  Those pieces count as free.
class MemoryBudget {
public:
  explicit MemoryBudget(std::size_t limit_bytes = SIZE_MAX);
  MemoryBudget(const MemoryBudget&) = delete;
  MemoryBudget& operator=(const MemoryBudget&) = delete;
  ~MemoryBudget();
  void set_limit(std::size_t bytes) { limit_.store(bytes, std::memory_order_relaxed); }
  std::size_t limit() const { return limit_.load(std::memory_order_relaxed); }
  std::size_t in_use() const { return in_use_.load(std::memory_order_relaxed); }
  /// Throws RuntimeError{OutOfMemory} if the limit would be exceeded.
  void take(std::size_t bytes);
  void give(std::size_t bytes) noexcept { in_use_.fetch_sub(bytes, std::memory_order_relaxed); }
  /// Bytes kept for the next buffers.
  std::size_t spare() const;
  /// Gives the kept memory back to the system.
  void release_spare() noexcept;
  /// Those that buffers' contents are in.  They count as nothing.
  MappedFiles& files() { return files_; }
  /// While it lives, large buffers that memory has no room for lie in files on the file system that
  /// `path` is on, which is where a result will be.  They count as nothing.  Made, and ended, while
  /// nobody allocates; while one lives, what an outer one said does not hold.
  class Spilling {
  public:
    Spilling(MemoryBudget& budget, std::string path)
        : budget_(budget), outer_(std::exchange(budget.spill_path_, std::move(path))) {}
    ~Spilling() { budget_.spill_path_ = std::move(outer_); }
    Spilling(const Spilling&) = delete;
    Spilling& operator=(const Spilling&) = delete;

  private:
    MemoryBudget& budget_;
    std::string outer_;
  };

private:
  friend class Buffer;
  class SparePages;
  std::atomic<std::size_t> in_use_{0};
  std::atomic<std::size_t> limit_;
  std::unique_ptr<SparePages> spare_;
  MappedFiles files_;
  std::string spill_path_; ///< empty: what has no room is refused
};

/// 64-byte-aligned storage with a reference count.  Whole multiples of 64 bytes may be read and
/// written, so that vector code needs no special last step.
///
/// The contents may be elsewhere, too or only (elsewhere.h): whoever reads or writes them asks, and
/// they are fetched.  Who owns what is none of that: a copy elsewhere is no reference.
///
/// They may also be a mapped file's bytes, which are only read: then nobody is the only owner, and
/// who wants to write makes a copy, as of what others have too.  A file that is there for the
/// buffer alone (spill_file.h) is memory like any other.
///
/// Thread-safe: several threads may ask at once, and read; who writes is the only owner's work.
class Buffer {
public:
  static constexpr std::size_t alignment = 64;
  /// From this size on, memory comes in pages from the system, or from those that the budget keeps.
  static constexpr std::size_t mapped_size = std::size_t{512} << 10;

  /// Throws RuntimeError{OutOfMemory} when the budget or the system has no such memory.
  /// The contents are undefined.
  static class BufferRef allocate(MemoryBudget& budget, std::size_t bytes);
  /// The same with contents that are all zero.
  static class BufferRef allocate_zeroed(MemoryBudget& budget, std::size_t bytes);
  /// A buffer whose contents are elsewhere only.  It takes memory of the budget when they are
  /// fetched.
  static class BufferRef allocate_elsewhere(MemoryBudget& budget, std::size_t bytes,
                                            Elsewhere& elsewhere);
  /// A buffer whose contents are a file's: `data` lies in its bytes, at a multiple of `alignment`.
  /// It takes memory of the budget when somebody writes.
  static class BufferRef in_file(MemoryBudget& budget, std::shared_ptr<MappedFile> file,
                                 const char* data, std::size_t bytes);

  /// The contents, to be read.  If they are elsewhere only, they are fetched: throws
  /// RuntimeError{OutOfMemory} if the budget has no room, or what Elsewhere::fetch throws; the
  /// contents are then still there.
  const std::byte* contents() {
    if (where_.load(std::memory_order_acquire) >= Where::There) [[unlikely]]
      return fetched();
    return data_;
  }
  /// The contents, some of which are to be written: a copy elsewhere is stale from now on.  Throws
  /// as `contents`.
  std::byte* overwrite() {
    if (where_.load(std::memory_order_acquire) != Where::Here) [[unlikely]]
      return reclaimed(true);
    return data_;
  }
  /// Room for contents that are all written: those before are lost, and not fetched.  Throws
  /// RuntimeError{OutOfMemory} if the budget has none.
  std::byte* overwrite_all() {
    if (where_.load(std::memory_order_acquire) != Where::Here) [[unlikely]]
      return reclaimed(false);
    return data_;
  }
  std::size_t bytes() const { return bytes_; }
  /// What the buffer is counted in, where it takes memory.
  MemoryBudget& budget() const { return *budget_; }
  /// Whether the contents are a file's.
  bool is_in_file() const { return is_in_file_; }
  /// The file's bytes that they are, so that they need no copy to be looked at; null if they are
  /// memory.
  const MappedFile* file() const { return is_in_file_ ? shared_file().get() : nullptr; }
  /// The file that is there for this buffer's contents alone; null if they are not in such a file.
  SpillFile* spill_file() const { return is_spilled_ ? static_cast<SpillFile*>(base_) : nullptr; }

  // ---- for who keeps contents elsewhere --------------------------------------------------------

  /// Who has a copy of the contents, or all there is of them; null if they are here only.
  Elsewhere* elsewhere() const {
    const Where where = where_.load(std::memory_order_acquire);
    return where == Where::Here || where == Where::InFile ? nullptr : elsewhere_;
  }
  /// Whether reading takes no fetching.
  bool is_here() const {
    const Where where = where_.load(std::memory_order_acquire);
    return where < Where::There || where >= Where::InFile;
  }
  /// There is a copy of the contents from now on.  If somebody else had one, that is invalidated.
  /// Throws as `contents`.
  void share_with(Elsewhere& elsewhere);
  /// The contents are there only from now on, and what is here is stale; pages of memory are given
  /// back.  For the only owner, who keeps no pointer to the contents.
  void move_to(Elsewhere& elsewhere);
  /// There is no copy any more: what is there only is fetched before, on this thread.  False, and
  /// nothing has changed, if another thread is fetching it right now.  May be called while readers
  /// ask for the contents.  Throws as `contents`.
  bool return_from(Elsewhere& elsewhere);

private:
  friend class BufferRef;
  /// Where the contents are.  Reading asks from `There` on, writing from `Both` on.
  enum class Where : std::uint32_t {
    Here,
    Both,
    There,
    Moving,         ///< one thread is changing it, the others wait
    InFile,         ///< read here, which the file is told
    InFileAndThere, ///< the same, and somebody has a copy
  };
  static bool has_copy(Where where) {
    return where == Where::Both || where == Where::There || where == Where::InFileAndThere;
  }
  /// A piece of memory, counted in a budget.
  struct Storage {
    void* base = nullptr; ///< what to free, or to unmap, or a SpillFile
    std::byte* data = nullptr;
    std::size_t mapped_bytes = 0; ///< whole pages at `base`; 0 if it comes from the heap
    bool is_zero = false;
    bool is_spilled = false; ///< in a file, and not counted
    /// Whether the header lies in front of the data.
    bool is_from_heap() const { return mapped_bytes == 0 && !is_spilled; }
  };

  Buffer() = default;
  static BufferRef allocate(MemoryBudget& budget, std::size_t bytes, bool zeroed);
  static Storage take_storage(MemoryBudget& budget, std::size_t bytes);
  static Storage take_memory(MemoryBudget& budget, std::size_t bytes);
  static void give_storage(MemoryBudget& budget, std::size_t bytes,
                           const Storage& storage) noexcept;
  static void destroy(Buffer* buffer) noexcept;

  Storage storage() const { return {base_, data_, mapped_bytes_, false, is_spilled_}; }
  void set_storage(const Storage& storage);
  /// What `base_` points to, of a buffer in a file.
  std::shared_ptr<MappedFile>& shared_file() const {
    return *static_cast<std::shared_ptr<MappedFile>*>(base_);
  }
  void leave_file() noexcept;
  void copy_out_of_file(bool is_partial);
  [[gnu::cold]] const std::byte* fetched();
  [[gnu::cold]] std::byte* reclaimed(bool is_partial);
  /// Waits until nobody is changing where the contents are, and is who does; what it was before.
  Where begin_moving();
  void end_moving(Where where) noexcept;
  void provide_storage();

  std::atomic<std::uint32_t> references_{1};
  std::atomic<Where> where_{Where::Here};
  MemoryBudget* budget_ = nullptr;
  std::byte* data_ = nullptr; ///< null if the contents are elsewhere and take no memory here
  void* base_ = nullptr;      ///< of storage; of a buffer in a file, its own share of the file
  std::size_t bytes_ = 0;
  std::size_t mapped_bytes_ = 0;
  Elsewhere* elsewhere_ = nullptr; ///< who has, or had, a copy
  bool is_apart_ = false;          ///< this header does not lie in front of the data
  bool is_in_file_ = false;        ///< changed by the only owner
  bool is_spilled_ = false;        ///< `base_` is a SpillFile
};

/// An owning reference to a buffer.
class BufferRef {
public:
  BufferRef() = default;
  BufferRef(const BufferRef& other) : buffer_(other.buffer_) {
    if (buffer_) buffer_->references_.fetch_add(1, std::memory_order_relaxed);
  }
  BufferRef(BufferRef&& other) noexcept : buffer_(std::exchange(other.buffer_, nullptr)) {}
  BufferRef& operator=(BufferRef other) noexcept {
    std::swap(buffer_, other.buffer_);
    return *this;
  }
  ~BufferRef() {
    if (buffer_ && (buffer_->references_.load(std::memory_order_acquire) == 1 ||
                    buffer_->references_.fetch_sub(1, std::memory_order_acq_rel) == 1))
      Buffer::destroy(buffer_);
  }
  Buffer* operator->() const { return buffer_; }
  Buffer* get() const { return buffer_; }
  explicit operator bool() const { return buffer_ != nullptr; }
  /// Whether this is the only reference, to memory: then the contents may be overwritten.
  bool unique() const {
    return buffer_ && buffer_->references_.load(std::memory_order_acquire) == 1 &&
           !buffer_->is_in_file_;
  }

private:
  friend class Buffer;
  explicit BufferRef(Buffer* owned) : buffer_(owned) {}
  Buffer* buffer_ = nullptr;
};

} // namespace sinter
