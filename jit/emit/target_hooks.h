// What emission asks of the target that a kernel is for.
//
// Everything that depends on the target goes through here: facts, by which emission chooses among
// ways that give the same bits, and hooks, which emit what only the target knows.  The rest of
// jit/emit makes IR that any target has.
#pragma once

#include <cstddef>
#include <cstdint>

namespace llvm {
class BasicBlock;
class Type;
class Value;
} // namespace llvm

namespace sinter::jit {

class LaneBuilder;
struct KernelModule;

/// What a function's prologue loads from its frame for the code below it.
struct FramePointers {
  llvm::Value* epoch = nullptr;       ///< pointer to the word
  llvm::Value* start_epoch = nullptr; ///< i32
  llvm::Value* failure = nullptr;
  llvm::Value* arena = nullptr;
};

/// What a target can do.  As it stands: one element at a time, with an exact `fma`.
struct TargetFacts {
  // ---- vectors
  /// Of a register; 0: there are none.
  std::size_t vector_bytes = 0;
  std::size_t vector_registers = 0;
  /// As a cache line.
  bool has_long_vectors() const { return vector_bytes >= 64; }
  /// Gathers, and loads and stores under masks, are instructions: lanes are of use in any code.
  bool has_gathers_and_masks = false;
  /// Lanes of 4 or 8 bytes are stored at places of their own by an instruction.
  bool scatters = false;
  /// Stores under masks take no longer than others.
  bool has_quick_masked_stores = true;
  /// Lanes of floats are rounded to whole numbers by an instruction.
  bool rounds_lanes = false;
  /// Lanes of i64 become f64, and come back, by an instruction.
  bool converts_wide_lanes = false;
  /// There is an instruction behind `TargetHooks::compress`.
  bool compresses_lanes = false;
  /// There are instructions behind `TargetHooks::pick`.
  bool picks_lanes = false;
  /// There are instructions behind `TargetHooks::scale`, `exponent`, `significand` and
  /// `with_logarithm_poles`.
  bool takes_floats_apart = false;
  /// There are instructions behind `TargetHooks::extremum`.
  bool orders_floats = false;
  // ---- memory
  /// There are instructions behind `TargetHooks::store_past_caches` and `TargetHooks::fetch`.
  bool stores_past_caches = false;
  /// Bytes of arrays that are written so where they are filled piece by piece.
  std::int64_t beyond_caches_bytes = std::int64_t{1} << 40;
  bool fetches = false;
  /// Bytes: so far ahead at most what a fold reads from behind the caches is asked for to the
  /// nearest one, and to the second one.
  std::int64_t fetch_distance = 8192;
  std::int64_t second_fetch_distance = 16384;
  /// Two tiles are read at a time also where they come from behind the caches.
  bool reads_pairs_from_afar = true;
  /// Bytes: scratch of constant size up to this lies on the stack, as long as a function's is not
  /// more than that.
  std::int64_t stack_limit = 256;
  std::int64_t stack_limit_of_function = 1024;
  // ---- arithmetic
  /// `llvm.fma` of f32 and f64 is an instruction that rounds once.  Elementary functions are
  /// of many of them, so that they are calls without it.
  bool has_fma = true;
};

/// Hooks emit at the builder's insertion point, and leave it where what follows is to go on.
/// Immutable: serves several threads, and must outlive the emission.
class TargetHooks {
public:
  virtual ~TargetHooks() = default;
  virtual const TargetFacts& facts() const = 0;

  // ---- stopping
  /// Takes note of a failed check; `index` (i64) is that of the outermost SOAC.
  virtual void note_failure(LaneBuilder& builder, const FramePointers& frame, llvm::Value* index,
                            std::uint32_t site) const = 0;
  /// i1: whether nobody has asked the evaluation to stop.
  virtual llvm::Value* may_go_on(LaneBuilder& builder, const FramePointers& frame) const = 0;

  // ---- scratch memory
  /// The pointer to so many bytes (i64, unsigned) of elements, aligned to 64; goes to `lacking`
  /// where there is no room.  No value at all: the target has none of such memory, and the kernel
  /// is refused (EmittedFunctions::refusal).
  virtual llvm::Value* allocate(LaneBuilder& builder, const FramePointers& frame,
                                llvm::Value* bytes, std::size_t element_bytes,
                                llvm::BasicBlock* lacking) const = 0;
  /// How many elements (i64) apart the elements of what is allocated lie; null: they lie one after
  /// the other.  Of targets with one lane: then its address is aligned to its elements alone.
  virtual llvm::Value* scratch_stride(LaneBuilder& builder, const FramePointers& frame) const;
  /// What `release` gives back to: all that was allocated since.  Erased again if nothing was.
  virtual llvm::Value* mark(LaneBuilder& builder, const FramePointers& frame) const = 0;
  virtual void release(LaneBuilder& builder, const FramePointers& frame,
                       llvm::Value* mark) const = 0;

  // ---- as the facts say; what is here is never called, does nothing, or stores as usual
  /// Lanes that are kept (<W x i1>) moved together to the front of the vector; anything behind
  /// them. At most a register of elements of 4 or 8 bytes, at least four of them.
  virtual llvm::Value* compress(LaneBuilder& builder, llvm::Value* vector, llvm::Value* kept) const;
  /// For each place (i32, from 0 to below 16) the number that stands there in a row of 16, which
  /// are i32 too.  Of places there are whole registers.
  virtual llvm::Value* pick(LaneBuilder& builder, llvm::Value* row, llvm::Value* places) const;
  /// Of vectors of f32 or f64, at least 16 bytes of them: what `elementary::TakesApart` says.
  virtual llvm::Value* scale(LaneBuilder& builder, llvm::Value* x, llvm::Value* n) const;
  virtual llvm::Value* exponent(LaneBuilder& builder, llvm::Value* x) const;
  virtual llvm::Value* significand(LaneBuilder& builder, llvm::Value* x) const;
  virtual llvm::Value* with_logarithm_poles(LaneBuilder& builder, llvm::Value* x,
                                            llvm::Value* logarithm) const;
  /// Of vectors of f32 or f64, at least 16 bytes of them: the lesser or the greater, where NaN
  /// loses and -0 is less than 0.
  virtual llvm::Value* extremum(LaneBuilder& builder, llvm::Value* x, llvm::Value* y,
                                bool is_minimum) const;
  /// The place lies at a multiple of `alignment` bytes.
  virtual void store_past_caches(LaneBuilder& builder, llvm::Value* vector, llvm::Value* place,
                                 std::uint64_t alignment) const;
  /// Brings what lies around a place to the caches from that one on, if there is such a place, for
  /// reading.
  enum class Cache : std::uint8_t { First, Second };
  virtual void fetch(LaneBuilder& builder, llvm::Value* place, Cache nearest) const;
};

} // namespace sinter::jit
