// Memory for code that no exception may leave.
//
// LLVM, and constructors of libraries that are being opened, hold locks and half-built tables that
// nothing puts right when an allocation throws: the next one to come waits for ever, or reads what
// is not there.  So there is a reserve before such code begins, and while it runs, what its thread
// allocates comes from the reserve where the heap has nothing.
#pragma once

#include <cstddef>

namespace sinter {

class Reserve {
public:
  /// Takes addresses, no memory; throws std::bad_alloc if there are not so many.  Within another
  /// one of this thread that one serves.
  explicit Reserve(std::size_t bytes);
  /// What was taken stays for ever: it may still be in use.
  ~Reserve();
  Reserve(const Reserve&) = delete;
  Reserve& operator=(const Reserve&) = delete;

  /// From this thread's reserve; null if it has none, or too little.  To be given back to nobody.
  static void* take(std::size_t size, std::size_t alignment) noexcept;
  /// Whether the memory is from any thread's.
  static bool has(const void* memory) noexcept;
  /// How much was asked for, of memory that is.
  static std::size_t size_of(const void* memory) noexcept;

private:
  void* cut(std::size_t size, std::size_t alignment) noexcept;

  std::byte* begin_ = nullptr; ///< null: within another one
  std::byte* next_ = nullptr;
  std::byte* end_ = nullptr;
};

} // namespace sinter
