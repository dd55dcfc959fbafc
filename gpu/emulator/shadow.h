// What is known of each byte of emulated memory: whether it may be accessed, whether it was ever
// written, who accessed it last.
#pragma once

#include <cstddef>
#include <cstdint>

namespace sinter::gpu {

/// States of bytes: a set of these.  A byte that is in no allocation has none.
inline constexpr std::uint8_t byte_defined = 1;
inline constexpr std::uint8_t byte_living = 2;
inline constexpr std::uint8_t byte_released = 4;

/// The accesses of one kind to a place since it was last in order with all of them.
struct AccessRecord {
  std::uint32_t who = 0; ///< the last one's ThreadName
  /// The last one's time, and flags.  Times of earlier launches are over.
  std::uint32_t when = 0;

  static constexpr std::uint32_t time_mask = (1u << 28) - 1;
  static constexpr std::uint32_t several_threads = 1u << 28; ///< of its block
  static constexpr std::uint32_t several_blocks = 1u << 29;
  static constexpr std::uint32_t atomic = 1u << 30; ///< all of them
};

struct AccessCell {
  /// In a word's cell: its bytes' cells count.
  static constexpr std::uint32_t split = 0xFFFFFFFFu;

  AccessRecord write, read;
};

/// For memory of a fixed size; takes memory as it is used.
class Shadow {
public:
  /// Throws std::bad_alloc.
  Shadow(std::size_t bytes, bool has_cells);
  ~Shadow();
  Shadow(const Shadow&) = delete;
  Shadow& operator=(const Shadow&) = delete;

  std::uint8_t* states() const { return states_; }
  AccessCell* word_cells() const { return word_cells_; } ///< of 4 bytes each
  AccessCell* byte_cells() const { return byte_cells_; }
  bool has_cells() const { return word_cells_ != nullptr; }
  void forget_accesses();
  /// Gives back what the cells of a large range took.
  void forget_accesses(std::size_t offset, std::size_t bytes);

private:
  std::size_t bytes_;
  std::uint8_t* states_ = nullptr;
  AccessCell *word_cells_ = nullptr, *byte_cells_ = nullptr;
};

} // namespace sinter::gpu
