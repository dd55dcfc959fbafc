// A large range of addresses whose pages appear when they are first touched.
#pragma once

#include <cstddef>

namespace sinter::eval {

/// Owns the range; inaccessible guard pages lie on both sides.
class ReservedMemory {
public:
  /// Takes as much as it can get up to `bytes`, or to a share of the addresses that the process may
  /// have, halving until the system agrees; throws
  /// RuntimeError{OutOfMemory} below `least`.
  ReservedMemory(std::size_t bytes, std::size_t least);
  ~ReservedMemory();
  ReservedMemory(const ReservedMemory&) = delete;
  ReservedMemory& operator=(const ReservedMemory&) = delete;

  std::byte* begin() const { return begin_; }
  std::byte* end() const { return begin_ + bytes_; }
  std::size_t bytes() const { return bytes_; }

private:
  std::byte* begin_ = nullptr;
  std::size_t bytes_ = 0;
};

} // namespace sinter::eval
