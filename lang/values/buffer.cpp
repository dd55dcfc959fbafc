// Memory for arrays: small buffers from the heap, large ones mapped, all of them counted.

#include "lang/values/buffer.h"

#include "lang/base/byte_text.h"
#include "lang/base/heap.h"
#include "lang/base/runtime_error.h"
#include "lang/values/format.h"
#include "lang/values/page_pool.h"
#include "lang/values/spare_blocks.h"

#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <new>
#include <string>

#include <unistd.h>

namespace sinter {

namespace {

/// From this size on, the system is asked first whether it has the memory: it promises more than
/// it has, and ends the process when the promise is taken up.
constexpr std::size_t large = std::size_t{64} << 20;

[[noreturn]] void refuse(std::size_t bytes, const std::string& why) {
  throw RuntimeError(FailureKind::OutOfMemory,
                     "out of memory: an array needs " + byte_text(bytes) + ", " + why);
}

/// A small buffer's header lies in front of its data, in the same piece of the heap.
constexpr std::size_t header = Buffer::alignment;
static_assert(sizeof(Buffer) <= header);

std::size_t capacity_for(std::size_t bytes) {
  constexpr std::size_t alignment = Buffer::alignment;
  return std::max((bytes + alignment - 1) & ~(alignment - 1), alignment);
}
/// What a small buffer takes beyond what it is counted for.
std::ptrdiff_t overhead_of(std::size_t bytes) {
  return static_cast<std::ptrdiff_t>(capacity_for(bytes) + header + Buffer::alignment - bytes);
}

/// The memory of the machine, or of the container that this process runs in.
std::size_t physical_memory() {
  static const std::size_t total = [] {
    std::size_t bytes = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) *
                        static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
    for (const char* path :
         {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
      std::size_t limit = 0;
      if (std::ifstream(path) >> limit && limit > 0) bytes = std::min(bytes, limit);
    }
    return bytes;
  }();
  return total;
}

/// What the system could give now without ending somebody; SIZE_MAX if it does not say.
std::size_t available_memory() {
  std::ifstream file("/proc/meminfo");
  std::size_t total = 0;
  bool found = false;
  for (std::string line; std::getline(file, line);) {
    unsigned long long kilobytes = 0;
    if (std::sscanf(line.c_str(), "MemAvailable: %llu", &kilobytes) == 1 ||
        std::sscanf(line.c_str(), "SwapFree: %llu", &kilobytes) == 1) {
      total += static_cast<std::size_t>(kilobytes) * 1024;
      found = true;
    }
  }
  return found ? total : SIZE_MAX;
}

} // namespace

/// Mapped pages that no buffer holds.  With what buffers hold, and what is counted of the heap,
/// they never exceed the limit.
///
/// The pool's own lists grow on the heap while it is locked: nobody is told of that, who would ask
/// the pool for room.
class MemoryBudget::SparePages {
public:
  explicit SparePages(const MemoryBudget& budget) : budget_(budget) {}

  /// For a buffer that the budget counts already; none (base is null) if the system has none.
  PagePool::Piece take(std::size_t bytes) {
    if (const PagePool::Piece kept = find(bytes); kept.base) return kept;
    if (bytes >= large) {
      const std::size_t kept_bytes = pool_.kept(), available = available_memory();
      if (bytes > kept_bytes && bytes - kept_bytes > available)
        refuse(bytes, "the system has only " + byte_text(available + kept_bytes) + " left");
    }
    if (HeapWatch* watch = HeapWatch::here()) watch->make_room(0);
    const std::size_t room = this->room();
    const HeapWatch::Here nobody(nullptr);
    const PagePool::Piece mapped = pool_.map(bytes);
    pool_.shrink(room);
    return mapped;
  }
  /// Of a buffer that the budget no longer counts.
  void give_back(PagePool::Piece piece) noexcept {
    const std::size_t room = this->room();
    const HeapWatch::Here nobody(nullptr);
    pool_.give_back(piece, room);
  }
  void release() noexcept {
    const HeapWatch::Here nobody(nullptr);
    pool_.shrink(0);
    blocks_.release();
  }

  /// Of the heap, for a small buffer; null if it has none.  (What is kept of that counts as what
  /// the heap keeps free.)
  void* take_block(std::size_t bytes) noexcept {
    void* const kept = bytes >= SpareBlocks::least_bytes ? blocks_.take(bytes) : nullptr;
    return kept ? kept : std::malloc(bytes);
  }
  void give_block(void* block, std::size_t bytes) noexcept {
    if (bytes >= SpareBlocks::least_bytes)
      blocks_.give_back(block, bytes);
    else
      std::free(block);
  }
  std::size_t bytes() const { return pool_.kept(); }

private:
  PagePool::Piece find(std::size_t bytes) {
    const HeapWatch::Here nobody(nullptr);
    return pool_.find(bytes);
  }
  /// What may be kept beside what is in use.
  std::size_t room() const {
    const std::size_t limit = std::min(budget_.limit(), physical_memory());
    const HeapWatch* watch = HeapWatch::here();
    return limit - std::min(limit, budget_.in_use() + (watch ? watch->heap_bytes() : 0));
  }

  const MemoryBudget& budget_;
  PagePool pool_{physical_memory() / 8};
  SpareBlocks blocks_;
};

MemoryBudget::MemoryBudget(std::size_t limit_bytes)
    : limit_(limit_bytes), spare_(std::make_unique<SparePages>(*this)) {}
MemoryBudget::~MemoryBudget() = default;

std::size_t MemoryBudget::spare() const {
  return spare_->bytes();
}

void MemoryBudget::release_spare() noexcept {
  spare_->release();
}

void MemoryBudget::take(std::size_t bytes) {
  std::size_t limit = std::min(this->limit(), physical_memory());
  // What is small is looked at when the heap has grown.
  const HeapWatch* watch = bytes >= Buffer::mapped_size / 16 ? HeapWatch::here() : nullptr;
  const std::size_t heap = watch ? watch->heap_bytes() : 0;
  std::size_t before = in_use_.load(std::memory_order_relaxed);
  do {
    if (before + heap > limit || bytes > limit - before - heap) {
      const char* whose = limit < this->limit() ? "the machine has " : "the limit is ";
      refuse(bytes,
             whose + byte_text(limit) +
                 (before + heap > 0 ? ", of which " + byte_text(before + heap) + " are in use"
                                    : std::string()));
    }
  } while (!in_use_.compare_exchange_weak(before, before + bytes, std::memory_order_relaxed));
}

BufferRef Buffer::allocate(MemoryBudget& budget, std::size_t bytes) {
  return allocate(budget, bytes, false);
}

BufferRef Buffer::allocate_zeroed(MemoryBudget& budget, std::size_t bytes) {
  return allocate(budget, bytes, true);
}

Buffer::Storage Buffer::take_storage(MemoryBudget& budget, std::size_t bytes) {
  if (bytes > SIZE_MAX / 2) refuse(bytes, "more than any machine has");
  try {
    return take_memory(budget, bytes);
  } catch (const RuntimeError& shortage) {
    if (budget.spill_path_.empty() || bytes < SpillFile::least_bytes) throw;
    try {
      auto file = std::make_unique<SpillFile>(budget.spill_path_, capacity_for(bytes));
      std::byte* const data = file->contents();
      return {file.release(), data, 0, true, true};
    } catch (const FormatError& error) {
      throw RuntimeError(FailureKind::OutOfMemory,
                         shortage.message + "; nor has it room in a file: " + error.message);
    }
  }
}

Buffer::Storage Buffer::take_memory(MemoryBudget& budget, std::size_t bytes) {
  const std::size_t capacity = capacity_for(bytes);
  budget.take(bytes);
  Storage storage;
  if (bytes >= mapped_size) {
    try {
      const PagePool::Piece piece = budget.spare_->take(capacity);
      storage = {piece.base, piece.base, piece.bytes, piece.is_zero};
    } catch (...) {
      budget.give(bytes);
      throw;
    }
  } else if (void* const base = budget.spare_->take_block(capacity + header + alignment)) {
    count_heap(overhead_of(bytes), static_cast<std::ptrdiff_t>(bytes));
    const auto address = reinterpret_cast<std::uintptr_t>(base);
    const std::size_t shift = (alignment - address % alignment) % alignment;
    storage = {base, static_cast<std::byte*>(base) + shift + header, 0, false};
  }
  if (!storage.base) {
    budget.give(bytes);
    refuse(bytes, "the system has no such memory");
  }
  return storage;
}

void Buffer::give_storage(MemoryBudget& budget, std::size_t bytes,
                          const Storage& storage) noexcept {
  if (storage.is_spilled) {
    delete static_cast<SpillFile*>(storage.base);
    return;
  }
  budget.give(bytes);
  if (storage.mapped_bytes > 0) {
    budget.spare_->give_back({static_cast<std::byte*>(storage.base), storage.mapped_bytes});
  } else {
    budget.spare_->give_block(storage.base, capacity_for(bytes) + header + alignment);
    count_heap(-overhead_of(bytes), -static_cast<std::ptrdiff_t>(bytes));
  }
}

void Buffer::set_storage(const Storage& storage) {
  base_ = storage.base;
  data_ = storage.data;
  mapped_bytes_ = storage.mapped_bytes;
  is_spilled_ = storage.is_spilled;
}

BufferRef Buffer::allocate(MemoryBudget& budget, std::size_t bytes, bool zeroed) {
  const Storage storage = take_storage(budget, bytes);
  Buffer* buffer = nullptr;
  if (!storage.is_from_heap()) {
    buffer = new (std::nothrow) Buffer;
    if (!buffer) {
      give_storage(budget, bytes, storage);
      refuse(bytes, "the system has no memory left");
    }
    buffer->is_apart_ = true;
  } else {
    buffer = new (storage.data - header) Buffer;
  }
  buffer->budget_ = &budget;
  buffer->bytes_ = bytes;
  buffer->set_storage(storage);
  if (zeroed && !storage.is_zero) std::memset(buffer->data_, 0, bytes);
  return BufferRef(buffer);
}

BufferRef Buffer::allocate_elsewhere(MemoryBudget& budget, std::size_t bytes,
                                     Elsewhere& elsewhere) {
  Buffer* const buffer = new (std::nothrow) Buffer;
  if (!buffer) refuse(bytes, "the system has no memory left");
  buffer->budget_ = &budget;
  buffer->bytes_ = bytes;
  buffer->is_apart_ = true;
  buffer->elsewhere_ = &elsewhere;
  buffer->where_.store(Where::There, std::memory_order_relaxed);
  return BufferRef(buffer);
}

BufferRef Buffer::in_file(MemoryBudget& budget, std::shared_ptr<MappedFile> file, const char* data,
                          std::size_t bytes) {
  assert(file->has(data, bytes) && reinterpret_cast<std::uintptr_t>(data) % alignment == 0);
  budget.files().add(file);
  auto share = std::make_unique<std::shared_ptr<MappedFile>>(std::move(file));
  auto* const buffer = new Buffer;
  buffer->budget_ = &budget;
  buffer->bytes_ = bytes;
  buffer->is_apart_ = true;
  buffer->is_in_file_ = true;
  buffer->base_ = share.release();
  // (Nobody writes there: `overwrite` leaves the file before.)
  buffer->data_ = reinterpret_cast<std::byte*>(const_cast<char*>(data));
  buffer->where_.store(Where::InFile, std::memory_order_relaxed);
  return BufferRef(buffer);
}

void Buffer::leave_file() noexcept {
  delete &shared_file();
  set_storage({});
  is_in_file_ = false;
}

void Buffer::destroy(Buffer* buffer) noexcept {
  // (A place that has let go may still be about to look away: it is told in any case.)
  if (buffer->elsewhere_) buffer->elsewhere_->forget(*buffer);
  if (buffer->is_in_file_) buffer->leave_file();
  MemoryBudget& budget = *buffer->budget_;
  const Storage storage = buffer->storage();
  const std::size_t bytes = buffer->bytes_;
  if (buffer->is_apart_)
    delete buffer;
  else
    buffer->~Buffer();
  if (storage.data) give_storage(budget, bytes, storage);
}

// ---- contents elsewhere ------------------------------------------------------------------------

Buffer::Where Buffer::begin_moving() {
  for (;;) {
    Where where = where_.load(std::memory_order_acquire);
    if (where == Where::Moving)
      where_.wait(Where::Moving, std::memory_order_acquire);
    else if (where_.compare_exchange_weak(where, Where::Moving, std::memory_order_acquire))
      return where;
  }
}

void Buffer::end_moving(Where where) noexcept {
  where_.store(where, std::memory_order_release);
  where_.notify_all();
}

void Buffer::provide_storage() {
  if (!data_) set_storage(take_storage(*budget_, bytes_));
}

const std::byte* Buffer::fetched() {
  if (where_.load(std::memory_order_acquire) >= Where::InFile) {
    shared_file()->note_use();
    return data_;
  }
  Where where = begin_moving();
  if (where == Where::There) {
    try {
      provide_storage();
      elsewhere_->fetch(*this, data_);
    } catch (...) {
      end_moving(where);
      throw;
    }
    where = Where::Both;
  }
  if (where >= Where::InFile) shared_file()->note_use();
  const std::byte* const result = data_;
  end_moving(where);
  return result;
}

void Buffer::copy_out_of_file(bool is_partial) {
  const Storage storage = take_storage(*budget_, bytes_);
  if (is_partial) {
    shared_file()->note_use();
    std::memcpy(storage.data, data_, bytes_);
  }
  leave_file();
  set_storage(storage);
}

std::byte* Buffer::reclaimed(bool is_partial) {
  const Where where = begin_moving();
  try {
    if (where >= Where::InFile)
      copy_out_of_file(is_partial);
    else
      provide_storage();
    if (where == Where::There && is_partial) elsewhere_->fetch(*this, data_);
  } catch (...) {
    end_moving(where);
    throw;
  }
  if (has_copy(where)) {
    elsewhere_->invalidate(*this);
    elsewhere_ = nullptr;
  }
  end_moving(Where::Here);
  return data_;
}

void Buffer::share_with(Elsewhere& elsewhere) {
  for (;;) {
    (void)contents();
    const Where where = begin_moving();
    if (where == Where::There) { // it has been moved since: by who owns it
      end_moving(where);
      continue;
    }
    if (has_copy(where) && elsewhere_ != &elsewhere) elsewhere_->invalidate(*this);
    elsewhere_ = &elsewhere;
    return end_moving(where >= Where::InFile ? Where::InFileAndThere : Where::Both);
  }
}

void Buffer::move_to(Elsewhere& elsewhere) {
  const Where where = begin_moving();
  if (has_copy(where) && elsewhere_ != &elsewhere) elsewhere_->invalidate(*this);
  elsewhere_ = &elsewhere;
  if (is_in_file_) leave_file();
  if (data_ && !storage().is_from_heap()) {
    const Storage storage = this->storage();
    set_storage({});
    give_storage(*budget_, bytes_, storage);
  }
  end_moving(Where::There);
}

bool Buffer::return_from(Elsewhere& elsewhere) {
  Where where = where_.load(std::memory_order_acquire);
  do {
    if (where == Where::Moving) return false;
    if (!has_copy(where)) return true;
  } while (!where_.compare_exchange_weak(where, Where::Moving, std::memory_order_acquire));
  if (elsewhere_ != &elsewhere) {
    end_moving(where);
    return true;
  }
  if (where == Where::There) {
    try {
      provide_storage();
      elsewhere_->fetch(*this, data_);
    } catch (...) {
      end_moving(where);
      throw;
    }
  }
  // (`elsewhere_` stays: the buffer's end waits for who called this.)
  end_moving(where == Where::InFileAndThere ? Where::InFile : Where::Here);
  return true;
}

} // namespace sinter
