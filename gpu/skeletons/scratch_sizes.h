// How much scratch memory the threads of a launch take, where it follows from the launch's words.
#pragma once

#include "gpu/kernels/gpu_hooks.h"
#include "gpu/kernels/gpu_module.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace sinter::gpu {

/// A computation on numbers of up to 64 bits, each from those before.
struct SizeStep {
  enum class Kind : std::uint8_t {
    Constant, ///< `number`
    Word,     ///< the launch's word `number`
    Add,
    Subtract,
    Multiply,
    And,
    Or,
    Xor,
    ShiftLeft,
    ShiftRight,
    Lesser,
    Greater,
    SignedLesser,
    SignedGreater,
    IsEqual, ///< 0 or 1, as those that follow
    IsLess,
    IsSignedLess,
    Overflows, ///< whether the product of unsigned numbers does
    Either,    ///< c where a is 1, else b
    Extended,  ///< a number of `number` bits with its sign
    CappedSum, ///< of unsigned numbers; the greatest of all where it is more than that
    CappedProduct,
  };
  Kind kind{};
  unsigned bits = 64; ///< of the result: what is above is cut off
  std::uint64_t number = 0;
  std::size_t a = 0, b = 0, c = 0; ///< steps before
};

/// By region (gpu_hooks.h).
class ScratchSizes {
public:
  /// Of entry points that are in registers.  Only what cannot be less than what any thread takes at
  /// once is known: amounts that loops of unknown numbers of iterations add up, and such as follow
  /// from elements, are not.
  static ScratchSizes of(const GpuModule& module);

  /// Whether no launch can lack scratch memory.
  bool are_known() const;
  /// What unknown sizes follow from, in words; empty: all are known.
  std::string_view reason() const;
  /// The words that known sizes follow from.
  std::vector<unsigned> words() const;
  /// Bytes for a thread, multiples of 8; nothing: not known.
  std::array<std::optional<std::uint64_t>, scratch_regions>
  at(std::span<const std::uint64_t> words) const;

private:
  struct Need {
    std::string_view reason = {};     ///< why it is not known; empty: it is
    std::vector<std::size_t> most_of; ///< steps
    bool is_known() const { return reason.empty(); }
  };
  std::vector<SizeStep> steps_;
  std::array<Need, scratch_regions> needs_;
};

} // namespace sinter::gpu
