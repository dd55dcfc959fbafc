// How much of the heap is in use, and who is told when it grows.
//
// Arrays are counted where they are allocated (lang/values/array.h).  All else that a program or a
// file can make grow (records, closures, texts, syntax trees, types) lies on the heap, and is
// counted here: `operator new` and `operator delete` of the whole process are defined in heap.cpp.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

namespace sinter {

/// Bytes of the heap that are in use; each thread may owe some hundred KiB.  Only differences mean
/// something: what was not counted when it was taken may be given back, and the sum be negative.
/// Always 0 where a sanitizer has the heap, but for what `count_heap` adds.
std::ptrdiff_t heap_in_use() noexcept;
/// What was given back since the last `trim_heap`, and may still be held of the system's memory.
std::size_t heap_slack() noexcept;
/// Gives what is not in use back to the system.
void trim_heap() noexcept;
/// What is given back at the heap's end stays with the process from now on, up to some MiB: arrays
/// come and go, and fresh pages would cost more than what is computed on them.  For `main`.
void keep_heap() noexcept;
/// Adds what comes from the heap in another way; negative when it goes back.  `apart` is what is
/// in use and counted elsewhere.
void count_heap(std::ptrdiff_t bytes, std::ptrdiff_t apart) noexcept;

/// Whom a thread tells that the heap has grown.
class HeapWatch {
public:
  virtual ~HeapWatch() = default;
  /// The heap has grown by some hundred KiB.  In the midst of an allocation: nothing may be thrown.
  virtual void grew() noexcept = 0;
  /// Before an allocation of many MiB: whether there may be such a one; if not, it fails.
  virtual bool allows(std::size_t bytes) noexcept = 0;
  /// What is counted of the heap.
  virtual std::size_t heap_bytes() const noexcept = 0;
  /// So many bytes are about to come from elsewhere: what nobody uses had better go.
  virtual void make_room(std::size_t bytes) noexcept = 0;
  /// What is too much, for a message: "10.4 MiB are in use, the limit is 10.0 MiB".
  virtual std::string excess() const = 0;

  /// That of this thread; null if it has none.
  static HeapWatch* here() noexcept;
  /// While it lives, its thread tells this one (or, if that is null, nobody).
  class Here;
};

class HeapWatch::Here {
public:
  explicit Here(HeapWatch* watch) noexcept;
  ~Here();
  Here(const Here&) = delete;
  Here& operator=(const Here&) = delete;

private:
  HeapWatch* before_;
};

/// Words for an allocation of this thread that failed: with how much is in use, and the limit, if
/// there is memory for so many.
std::string memory_shortage();

/// While it lives, what its thread allocates is not counted: the compiler's own.
class UncountedHeap {
public:
  UncountedHeap() noexcept;
  ~UncountedHeap();
  UncountedHeap(const UncountedHeap&) = delete;
  UncountedHeap& operator=(const UncountedHeap&) = delete;

private:
  bool was_counted_;
};

} // namespace sinter
