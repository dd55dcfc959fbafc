// The words that all entry points take: numbers, and addresses of the device's memory.
#pragma once

#include "gpu/kernels/gpu_hooks.h"
#include "jit/ir/ir.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sinter::gpu {

/// A kernel may have so many words of parameters, as every device takes them.
inline constexpr std::size_t most_entry_words = 512;

/// What a launch gives its entry points, in this order.
struct LaunchWords {
  /// Of the step's ControlBlock, and of that of the step before.
  std::uint64_t control = 0, control_before = 0;
  /// Of a word for each result, where scalar ones and counts go; 0 if there are none.
  std::uint64_t scalars = 0;
  /// Scratch memory: how many neighbours' elements lie side by side (the logarithm to base 2, at
  /// most that of a warp's threads), and, by region, so many bytes for each thread, multiples of 8.
  std::uint64_t scratch = 0;
  std::uint64_t scratch_neighbours = 0;
  std::array<std::uint64_t, scratch_regions> scratch_bytes = {};
  std::vector<std::uint64_t> arguments; ///< as KernelFrame has them
  std::vector<std::uint64_t> results;   ///< one each
  std::vector<std::uint64_t> areas;     ///< of the plan
  std::vector<std::uint64_t> numbers;   ///< of the plan

  std::vector<std::uint64_t> all() const;
};

/// The numbers of words in front of the lists.
enum class Word : unsigned {
  Control,
  ControlBefore,
  Scalars,
  Scratch,
  ScratchNeighbours,
  ScratchBytes,
  FirstOfLists = ScratchBytes + scratch_regions
};

/// How long the lists are.
struct WordCounts {
  unsigned arguments = 0, results = 0, areas = 0, numbers = 0;
  unsigned first_result() const { return static_cast<unsigned>(Word::FirstOfLists) + arguments; }
  unsigned first_area() const { return first_result() + results; }
  unsigned first_number() const { return first_area() + areas; }
  unsigned all() const { return first_number() + numbers; }
};
WordCounts word_counts(const ir::Function& function, std::size_t areas, std::size_t numbers);

/// How many words of the arguments are a parameter's of that type: an address or a number, and the
/// strides.
unsigned argument_words(const ir::Type& type);

} // namespace sinter::gpu
