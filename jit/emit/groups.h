// What becomes of a SOAC's elements while its code is emitted: a state for each kind of group.
//
// The rows of ir/groups.def say which kinds there are.  Of each there is a struct here, KindState,
// and a file, skeletons/KIND.cpp, with what the emitters do at its beginning, for an element and at
// its end (body.h, kernel_emitter.h declare that by the rows).  What several kinds have in common
// is a part of their states; who works on any group with such a part asks for it (`fold_of`,
// `stored_of`), so that one more kind needs no edits there.
#pragma once

#include "jit/emit/ascending.h"
#include "jit/emit/lanes.h"
#include "jit/ir/ir.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <type_traits>
#include <variant>
#include <vector>

namespace sinter::jit {

/// Rows of fewer elements go one by one: lanes that each have a row take turns, and masks take as
/// long as that.
inline constexpr std::int64_t short_row = 8;

using Emitted = std::variant<LaneValue, ArrayView>;

/// A running value of a reduce or scan: a variable, or memory for an array.
using Accumulator = std::variant<Variable, ArrayView>;

// ---- parts of states ---------------------------------------------------------------------------

/// What combines elements, and the values that it begins with.
struct Operator {
  const std::vector<ir::Operand>* neutral = nullptr;
  const ir::Body* combine = nullptr;
  const ir::Before* before = nullptr; ///< what stands left of all elements; null: nothing
};

/// That of a reduction or a scan.
template <typename Group>
Operator operator_of(const Group& group) {
  return {&group.neutral, &group.combine, group.before.empty() ? nullptr : &group.before[0]};
}

/// A reduction or scan by rows and blocks in the making (fold.cpp).
struct Folding : Operator {
  bool is_scan = false;
  std::vector<Accumulator> block;   ///< of the rows of the block at hand that are done
  std::vector<Accumulator> all;     ///< of the blocks that are done
  std::vector<Accumulator> carry;   ///< of a scan: into the row at hand
  llvm::Value* has_carry = nullptr; ///< i1: whether there is one
  llvm::Value* is_begun = nullptr;  ///< i1: whether `all` has begun with what was before; null: no
  std::vector<ArrayView> tile;      ///< the elements at hand, indexed as they are; may be none
  std::vector<bool> is_input;       ///< of the tile's components: they are where they were read
};

/// What else becomes of the results of rows and blocks, by group.
struct FoldEvents {
  using Done = std::function<void(std::size_t group, llvm::Value* first_element,
                                  std::span<const Emitted> result)>;
  Done row, block;
  /// If (i1) the elements are wanted and no results of rows, `elements` tells where; null: they are
  /// not.
  llvm::Value* keeps_elements = nullptr;
  std::function<ArrayView(std::size_t group, std::size_t component, const ArrayView& tile)>
      elements;
  /// Of a scan: what all blocks before the range come to, if there are any.
  std::function<std::vector<Emitted>(std::size_t group, llvm::Value* first_element)> all_before;
  llvm::Value* needs_rows =
      nullptr;           ///< i1: whether results of blocks are not enough; null: they are
  bool needs_all = true; ///< whether the result of all of a reduction's blocks is wanted
};

/// Elements that an operator combines.
struct Fold : Operator {
  std::vector<Accumulator> accumulators;
  std::optional<Folding> folding; ///< where the order shows
};

/// Elements that are stored at their own index.
struct Stored {
  std::vector<ArrayView> places;
  /// Whether (i1) the places are larger than the caches; null: they are not.
  llvm::Value* streams = nullptr;
  /// Whether elements may be computed and stored again: nothing that is read lies in the places.
  bool may_repeat = false;
};

// ---- states ------------------------------------------------------------------------------------

struct MapState {
  Stored stored; ///< one place
  std::optional<ArrayView>
      row; ///< of elements that are arrays: the current one's part of the place
};
struct ReduceState {
  Fold fold;
  bool is_commutative = false; ///< see plan.h
  /// Of a reduction that selects by an order: whether one of the values is in none (a varying
  /// bool).
  std::optional<Variable> is_unordered;
  /// While elements are folded by ascending index, of one that selects by value and index.
  const AscendingSelection* ascending = nullptr;
  /// Then the selected element's index may be counted in 32 bits from where the fold began (a
  /// varying i32); so is that of the first lane's element at hand (i32).
  std::optional<Variable> counted;
  llvm::Value* count = nullptr;
  /// Where lanes have an element each, and no more: those are what the lanes come to, and so they
  /// were computed.
  std::vector<LaneValue>* only = nullptr;
};
struct PostState;
struct ScanState {
  Fold fold;
  Stored stored;                          ///< no places, where there is a post
  llvm::Value* stores_prefixes = nullptr; ///< whether (i1) they are stored; null: they are
  std::vector<PostState> post;            ///< what is done with them instead; none, or one
};
struct ScatterState {
  const ir::ScatterGroup* group = nullptr;
  ArrayView place;
};
/// A slot's lists of updates (kernel_abi.h), one for each share of the bins.
struct UpdateLists {
  llvm::Value* first = nullptr;      ///< pointer to the first share's
  llvm::Value* list_bytes = nullptr; ///< i64
  llvm::Value* room = nullptr;       ///< i64: updates in a list
  llvm::Value* shares = nullptr;     ///< i64
};
struct HistogramState {
  const ir::HistogramGroup* group = nullptr;
  std::vector<ArrayView> places; ///< by destination: itself, or a chunk's or segment's bins
  /// Where updates go that are to happen later.
  std::optional<UpdateLists> lists = std::nullopt;
};
struct FilterState {
  std::vector<ArrayView> places;
  Variable count;                        ///< kept so far
  llvm::Value* staging_offset = nullptr; ///< index of the first kept element's place; null: 0
};
/// Elements lie in their order, all of them or some, until they are counted or put to their kinds.
struct PartitionState {
  const ir::PartitionGroup* group = nullptr;
  LaneValue extent;               ///< how many elements there are
  ArrayView numbers;              ///< of elements: their kinds
  std::vector<ArrayView> ordered; ///< values, by element; none, where elements are put at once
  std::vector<bool> is_input;     ///< of those: they are where they were read
  ArrayView counts;               ///< by kind
  ArrayView next;                 ///< by kind: where the next element goes
  std::vector<ArrayView> places; ///< of values, kind by kind; none, where elements are counted only
  std::vector<ir::Type> types;   ///< of an element's values
};
/// Of a group of which the phase at hand wants nothing.
struct Unwanted {};

/// One of the above.
using GroupState = std::variant<Unwanted
#define SINTER_IR_GROUP(Kind, ...) , Kind##State
#include "jit/ir/groups.def"
#undef SINTER_IR_GROUP
                                >;

/// What becomes of a scan's prefixes.
struct PostState {
  const ir::Post* post = nullptr;
  std::vector<GroupState> states; ///< by group
  FoldEvents events;              ///< of those
  /// Where the scan goes by tiles: the values that are passed by, indexed as elements are.
  std::vector<ArrayView> passed;
  std::vector<bool> is_input; ///< of those: they are where they were read
};
/// Calls `visit(state)` for each state, and for each inside of a post.
template <typename States, typename Visit>
void for_each_state(States& states, Visit&& visit) {
  for (auto& state : states) {
    visit(state);
    if (auto* scan = std::get_if<ScanState>(&state))
      for (auto& post : scan->post)
        for_each_state(post.states, visit);
  }
}

inline bool is_wanted(const GroupState& state) {
  return !std::holds_alternative<Unwanted>(state);
}
/// `Part`, as const as the state is.
template <typename Part, typename State>
using PartOf = std::conditional_t<std::is_const_v<State>, const Part, Part>;
/// The state's part; null if it has none.
template <typename State>
PartOf<Fold, State>* fold_of(State& state) {
  return std::visit(
      [](auto& kind) -> PartOf<Fold, State>* {
        if constexpr (requires { kind.fold; }) return &kind.fold;
        return nullptr;
      },
      state);
}
template <typename State>
PartOf<Stored, State>* stored_of(State& state) {
  return std::visit(
      [](auto& kind) -> PartOf<Stored, State>* {
        if constexpr (requires { kind.stored; }) return &kind.stored;
        return nullptr;
      },
      state);
}
/// Of a fold whose order shows; null if it is none.
template <typename State>
PartOf<Folding, State>* folding_of(State& state) {
  auto* const fold = fold_of(state);
  return fold && fold->folding ? &*fold->folding : nullptr;
}

/// What the body gave to a group for an element (or for W of them).
struct GroupElement {
  LaneValue index;
  std::vector<Emitted> values;
  std::vector<ir::Type> types;
  /// The first ones, which are scalars.
  std::vector<LaneValue> scalars(std::size_t count) const {
    std::vector<LaneValue> result;
    for (std::size_t i = 0; i < count; ++i)
      result.push_back(std::get<LaneValue>(values[i]));
    return result;
  }
};

} // namespace sinter::jit
