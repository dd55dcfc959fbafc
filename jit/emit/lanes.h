// Values for W lanes, and the instructions on them: the lowest layer of emission.
//
// Code is emitted in one of two states.  In *scalar* code one element is computed at a time, and
// every value is uniform.  In *lane* code W elements are: a value is uniform (the same for all
// lanes, kept as a scalar), linear (base + lane) or varying (a vector).  Linear indices are what
// makes contiguous vector loads and stores.  A mask says which lanes are active; none means all.
// (After ISPC: Pharr and Mark, "ispc: A SPMD compiler for high-performance CPU programming",
// InPar 2012.)
#pragma once

#include "jit/emit/target_hooks.h"
#include "jit/gate/float_mode.h"
#include "lang/base/element_type.h"
#include "lang/values/scalar.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::jit {

enum class Shape : std::uint8_t { Uniform, Linear, Varying };

/// Indices that follow each other up to bounds: base, base + 1, … where a lane is within, and the
/// bound elsewhere.  What is read there is neighbours in memory and the elements at the bounds.
struct ClampedLine {
  llvm::Value* base = nullptr; ///< uniform i64, as the bounds
  llvm::Value* low = nullptr;  ///< null: there is none
  llvm::Value* high = nullptr;
  llvm::Value* is_below = nullptr; ///< <W x i1>: which lanes have the bound
  llvm::Value* is_above = nullptr;
};

/// One number in the first lanes, and another one in those behind (two_parts.cpp).
struct TwoParts {
  llvm::Value *first = nullptr, *last = nullptr;
  llvm::Value* is_behind = nullptr; ///< <W x i1>
};

/// A scalar as emitted.  Bools are i1 in registers (i8 in memory).
struct LaneValue {
  llvm::Value* value = nullptr;
  Shape shape = Shape::Uniform;
  ElementType element = ElementType::I64;
  const ClampedLine* line = nullptr; ///< of a varying i64 that is known to be one
  /// Of a varying i64: the first lane's and how far the next ones' lie apart, where that is the
  /// same for all of them (uniform; the element's type).
  llvm::Value *first = nullptr, *step = nullptr;
  const TwoParts* parts = nullptr; ///< of a varying one that is known to be such
};

/// An array as emitted; its extents are the IR type's.
struct ArrayView {
  ElementType element{};
  llvm::Value* base = nullptr;       ///< uniform
  LaneValue offset;                  ///< of the first element, i64
  std::vector<llvm::Value*> strides; ///< in elements, uniform i64
  bool is_row_major = false;         ///< strides are row-major times the innermost one
  bool is_private = false;           ///< scratch of which each lane owns its part
  /// Whole vectors are stored past the caches; they lie at multiples of their size (up to 64).
  bool is_streamed = false;
  /// Lanes store at places of their own, or do not, as elements' values say: there is no telling
  /// beforehand which.
  bool is_scattered = false;
  /// There is room for whole vectors, and nobody reads what lanes that are not active leave there.
  bool is_padded = false;
};

/// The module in the making and what its functions share.
struct KernelModule {
  llvm::Module& module;
  const TargetHooks& hooks;
  unsigned width = 1;     ///< W
  unsigned row_width = 1; ///< W where lanes outside give way to lanes inside (rows.cpp)
  FloatMode floats = FloatMode::Exact;
  bool is_compact = false; ///< see EmitOptions
  std::map<std::string, llvm::Function*> helpers;
  std::optional<std::string> refusal = std::nullopt; ///< see EmittedFunctions

  const TargetFacts& facts() const { return hooks.facts(); }
  /// The target has no code for what is called so.
  void refuse(std::string_view what) {
    if (!refusal) refusal = what;
  }
};

/// Where a mutable value lives while a function is emitted: a stack slot, promoted at the end.
struct Variable {
  llvm::AllocaInst* slot = nullptr;
  Shape shape = Shape::Uniform; ///< Uniform or Varying
  ElementType element{};
};

class LaneBuilder {
public:
  LaneBuilder(KernelModule& module, llvm::Function* function);

  KernelModule& kernel;
  llvm::Function* function;
  llvm::IRBuilder<> ir;
  llvm::Value* mask = nullptr; ///< <W x i1>; null: all lanes

  unsigned lanes() const { return lanes_; }
  bool in_lanes() const { return lanes_ > 1; }
  /// Emits with W lanes (`begin` is in scalar code) until `leave_lanes`.
  void enter_lanes(llvm::Value* initial_mask);
  void leave_lanes();
  /// In lane code without a mask: goes on with that many lanes, of values made for as many.  With
  /// one, what follows is scalar code.
  void set_lanes(unsigned count) { lanes_ = count; }

  // ---- types and constants
  llvm::Type* type(ElementType element) const;        ///< in registers
  llvm::Type* memory_type(ElementType element) const; ///< in memory
  llvm::Type* type(ElementType element, Shape shape) const;
  llvm::ConstantInt* i64(std::int64_t number) const;
  /// Of signed scalars.  (Compared and selected: tier 1's instruction selection is quick with that,
  /// and not with the intrinsics, which the optimiser makes of it.)
  llvm::Value* greater_of(llvm::Value* a, llvm::Value* b);
  llvm::Value* lesser_of(llvm::Value* a, llvm::Value* b);
  llvm::Constant* literal(ElementType element, Scalar scalar) const;
  LaneValue constant(ElementType element, Scalar scalar) const;
  LaneValue index(std::int64_t number) const { return uniform(i64(number)); }

  /// A scalar as a word (kernel_abi.h), and back.
  llvm::Value* to_word(llvm::Value* scalar, ElementType element);
  llvm::Value* from_word(llvm::Value* word, ElementType element);

  // ---- shapes
  LaneValue uniform(llvm::Value* value, ElementType element = ElementType::I64) const {
    return {value, Shape::Uniform, element};
  }
  LaneValue linear(llvm::Value* base, ElementType element = ElementType::I64) const {
    return {base, in_lanes() ? Shape::Linear : Shape::Uniform, element};
  }
  /// A result of vector code (in scalar code: a scalar).
  LaneValue varying(llvm::Value* value, ElementType element) const {
    return {value, in_lanes() ? Shape::Varying : Shape::Uniform, element};
  }
  llvm::Value* vector(const LaneValue& value); ///< as <W x T>; in scalar code the scalar itself
  llvm::Value* splat(llvm::Value* scalar);
  llvm::Value* lane_numbers(llvm::Type* element); ///< <0, 1, …>
  /// The mask, of so many lanes, of the first `count` (signed i64) of them.
  llvm::Value* first_lanes(unsigned lanes, llvm::Value* count);
  /// The same, of a count that a vector of i32 has in each lane.
  llvm::Value* first_lanes_of(unsigned lanes, llvm::Value* counts);
  /// Indices: sums and products keep linear what is linear.
  LaneValue add(const LaneValue& a, const LaneValue& b);
  LaneValue multiply(const LaneValue& a, llvm::Value* uniform_factor);
  /// The greater, or the lesser, of indices and a bound.
  LaneValue clamped(const LaneValue& indices, llvm::Value* bound, bool is_low);
  /// The number of the last active lane (i64), if all before it are active, and there is one; else
  /// null.
  llvm::Value* last_lane();
  LaneValue in_two_parts(llvm::Value* first, llvm::Value* last, llvm::Value* is_behind,
                         ElementType element);
  /// The greatest value over the active lanes, of a signed i64; at least 0.
  llvm::Value* greatest(const LaneValue& value);

  // ---- masks
  llvm::Value* all_lanes(); ///< the constant mask
  llvm::Value* mask_or_all() { return mask ? mask : all_lanes(); }
  llvm::Value* and_mask(llvm::Value* condition);     ///< the current mask and a vector of bools
  llvm::Value* any(llvm::Value* lanes_mask);         ///< i1: whether a lane is set
  llvm::Value* first_lane(llvm::Value* lanes_mask);  ///< i64: the lowest set lane
  llvm::Value* count_lanes(llvm::Value* lanes_mask); ///< i64: how many are set

  // ---- memory
  LaneValue element_offset(const ArrayView& array, std::span<const LaneValue> indices);
  /// The subarray at the first indices.
  ArrayView subarray(const ArrayView& array, std::span<const LaneValue> indices);
  /// The element at an offset; inactive lanes read nothing and get 0.
  LaneValue load(const ArrayView& array, const LaneValue& offset);
  /// Inactive lanes write nothing; of lanes that write one place the last one wins.
  void store(const ArrayView& array, const LaneValue& offset, const LaneValue& value);

  /// From scalar code (i1): whether vectors that are stored in steps of W from the index on may be
  /// streamed (see ArrayView); null: never.
  llvm::Value* is_streamable(const ArrayView& array, llvm::Value* index);

  // ---- control
  llvm::BasicBlock* block(const char* name);
  void if_then(llvm::Value* condition, const std::function<void()>& then);
  void if_then_else(llvm::Value* condition, const std::function<void()>& then,
                    const std::function<void()>& otherwise);
  /// `for (i = begin; i < end; i += step)` on i64; no loop where `end` is seen to be one iteration
  /// further: a constant, or the sum of `begin` and 1 that does not wrap.
  void loop(llvm::Value* begin, llvm::Value* end, std::int64_t step,
            const std::function<void(llvm::Value*)>& body);
  /// Runs `body` while the i1 that `condition` emits holds.
  void while_loop(const std::function<llvm::Value*()>& condition,
                  const std::function<void()>& body);
  /// From scalar code: [begin, end) in steps of W, in lane code; what is left over is masked.  The
  /// body is emitted twice, with and without a mask, or once: always with one.
  void lanes_range(llvm::Value* begin, llvm::Value* end,
                   const std::function<void(llvm::Value* first)>& body, bool emits_once = false);
  /// The parts of that: where whole vectors end, the loop over those, and the rest, masked.
  llvm::Value* end_of_whole(llvm::Value* begin, llvm::Value* end);
  void whole_lanes(llvm::Value* begin, llvm::Value* end_of_whole,
                   const std::function<void(llvm::Value* first)>& body);
  void masked_lanes(llvm::Value* first, llvm::Value* end,
                    const std::function<void(llvm::Value* first)>& body);

  // ---- variables
  Variable variable(ElementType element, Shape shape);
  llvm::AllocaInst* pointer_variable();
  LaneValue get(const Variable& variable);
  void set(const Variable& variable, const LaneValue& value); ///< all lanes
  void set_active(const Variable& variable, const LaneValue& value);
  llvm::AllocaInst* stack(llvm::Type* type, std::int64_t count); ///< memory in the entry block
  /// Turns variables into SSA values; call once, when the function is complete.
  void promote_variables();

private:
  /// `any` of comparisons of i32 with one bound, where lanes take several registers: the greatest
  /// (or least) of each lane over the registers is compared, so one time for all.  Null: other
  /// masks.
  llvm::Value* any_beyond(llvm::Value* lanes_mask);
  llvm::Value* load_apart(const ArrayView& array, const LaneValue& offset);
  llvm::Value* load_line(const ArrayView& array, const ClampedLine& line);
  std::uint64_t streamed_alignment(llvm::Type* vector) const;

  unsigned lanes_ = 1;
  llvm::Value* initial_mask_ = nullptr; ///< since lanes were entered
  llvm::Value* first_active_ =
      nullptr; ///< the initial mask is that of so many first lanes, or more
  std::vector<llvm::AllocaInst*> slots_;
  std::deque<ClampedLine> lines_; ///< where they stay
  std::deque<TwoParts> parts_;
};

} // namespace sinter::jit
