// Statements as code: the environment of emitted values, and what each operation becomes.
#pragma once

#include "jit/emit/analysis.h"
#include "jit/emit/groups.h"
#include "jit/emit/lanes.h"
#include "jit/emit/next_states.h"
#include "jit/emit/plan.h"
#include "jit/emit/updated_rows.h"
#include "jit/ir/ir.h"
#include "lang/primitives/fold_order.h"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::jit {

struct EdgeReads;

/// Emits code into one function.  The function's entry has been made; `fail` is where a failed
/// check goes on.
class BodyEmitter {
public:
  BodyEmitter(KernelModule& kernel, const ir::Function& source, const LanePlan& plan,
              llvm::Function* function);

  LaneBuilder b;
  FramePointers frame;

  // ---- the environment
  void bind(ir::ValueId value, Emitted emitted);
  LaneValue scalar(const ir::Operand& operand);
  const ArrayView& array(ir::ValueId value) const;
  Emitted emitted(const ir::Operand& operand);
  const ir::Function& source() const { return source_; }
  std::vector<LaneValue> extents(const ir::Type& type);

  // ---- code
  void statements(const ir::Body& body);
  /// The SOAC's elements [begin, end), in lanes where the plan says so, into the states.
  void soac_range(const ir::Soac& soac, std::vector<GroupState>& states, llvm::Value* begin,
                  const LaneValue& end);
  /// One element (in lane code W of them): binds the inputs there, runs the body and then
  /// `apply_results`, within which the body's results can be asked for (`emitted`).  Of `states`,
  /// maps may have their rows built where they will lie.
  void element(const ir::Soac& soac, std::vector<GroupState>& states, const LaneValue& index,
               const std::function<void()>& apply_results);
  /// The same, of a map of scalars, where the inputs' elements have been read already.
  void element_of(const ir::Soac& soac, std::span<const Emitted> inputs, const LaneValue& index,
                  const std::function<void()>& apply_results);
  /// The same, and hands the body's results to the groups.
  void element(const ir::Soac& soac, std::vector<GroupState>& states, const LaneValue& index);
  /// Hands the results of a body that has run to the groups.
  void apply(const ir::Soac& soac, std::vector<GroupState>& states, const LaneValue& index) {
    apply(soac.body, soac.groups, states, index);
  }
  /// The same of a SOAC or a post, whose body and groups they are.
  void apply(const ir::Body& body, const std::vector<ir::Group>& groups,
             std::vector<GroupState>& states, const LaneValue& index) {
    apply(body, groups, states, index, {});
  }
  /// The same for a SOAC that keeps the order of folding; `begin` is the beginning of a row.
  void fold_range(const ir::Soac& soac, std::vector<GroupState>& states, llvm::Value* begin,
                  const LaneValue& end, const FoldEvents& events);
  /// Makes the running values of that; ranges that follow each other go on with them.
  void begin_folding(std::vector<GroupState>& states);
  /// With running values that begin with the neutral elements.
  Fold begin_fold(const Operator& op);
  std::vector<Accumulator> neutral_accumulators(const Operator& op);
  /// Makes them begin with what was before, if there is anything: whether (i1) there is; null:
  /// never.
  llvm::Value* begin_after(const Operator& op, std::span<const Accumulator> accumulators);
  void begin_again(const Operator& op, std::span<const Accumulator> accumulators);
  void assign_all(const Operator& op, std::span<const Accumulator> accumulators,
                  std::span<const Emitted> values);
  /// From a list of accumulators, and into it: accumulators = right, if (i1) that is the first,
  /// else accumulators = accumulators op right.
  std::vector<Emitted> values_of(std::span<const Accumulator> accumulators);
  void begin_or_fold_into(const Operator& op, llvm::Value* is_first,
                          std::span<const Accumulator> accumulators,
                          std::span<const Emitted> right);
  void fold_into(const Operator& op, std::span<const Accumulator> accumulators,
                 std::span<const Emitted> right);
  /// The same for a map of maps that is one index space: `begin` and `end` count the inner
  /// elements, row after row.
  void nest_range(const ir::Soac& outer, const ir::Soac& inner, std::vector<GroupState>& states,
                  llvm::Value* begin, llvm::Value* end);
  /// One row of such maps: binds the outer element, and runs what precedes the inner map;
  /// `along_row` gets the places of that one's results.
  void row_of_nest(const ir::Soac& outer, const std::vector<GroupState>& states,
                   const LaneValue& index,
                   const std::function<void(std::vector<GroupState>&)>& along_row);
  /// The state of an accumulator that begins with the neutral element.
  Accumulator accumulator(const ir::Operand& neutral);
  Emitted value_of(const Accumulator& accumulator);
  void assign(const Accumulator& accumulator, const Emitted& value, const ir::Type& type);
  /// The operator applied to two lists of values.
  std::vector<Emitted> combine(const ir::Body& op, std::span<const Emitted> left,
                               std::span<const Emitted> right);
  /// Where a fresh array is to be built, if not in scratch memory.
  void suggest_place(const ir::Body& body, const ir::Operand& result, const ArrayView& place);
  void copy(const ArrayView& from, const ArrayView& to, const ir::Type& type);
  ArrayView allocate(const ir::Type& type);
  ArrayView copied(const Emitted& array, const ir::Type& type); ///< in scratch memory
  /// Stores a scalar, or copies an array, into the part of `to` at the indices.
  void put(const ArrayView& to, std::span<const LaneValue> indices, const Emitted& value,
           const ir::Type& value_type);
  /// Combines the chunks' private bins into the destinations.
  void merge_bins(const ir::HistogramGroup& group, llvm::Value* chunks,
                  const std::function<ArrayView(std::size_t, llvm::Value*)>& bins_of_chunk);
  // Of elements that lie in their order, from the first one on (skeletons/partition.cpp).
  /// Counts them by kind, in one of several tables each, so that neighbours of one kind need not
  /// wait for each other.
  void count_kinds(const ArrayView& numbers, llvm::Value* count, std::span<const ArrayView> tables);
  /// Calls `put(kind, position, element)` for each; the kind's next element goes behind it.
  void
  for_each_placed(const PartitionState& state, llvm::Value* count,
                  const std::function<void(llvm::Value*, llvm::Value*, const LaneValue&)>& put);
  /// Puts them to their kinds.
  void put_to_kinds(const PartitionState& state, llvm::Value* count);
  // Updates of bins that happen later (update_lists.cpp).
  /// One list: where its parts are.
  struct UpdateList {
    llvm::Value* count = nullptr;     ///< pointer to the number of updates
    llvm::Value* bins = nullptr;      ///< pointer to i32
    std::vector<llvm::Value*> values; ///< pointers, by destination
  };
  UpdateList update_list(const ir::HistogramGroup& group, const UpdateLists& lists,
                         llvm::Value* share);
  /// Does what a list says, in order.
  void accumulate(const HistogramState& state, const UpdateList& list);
  /// One of two arrays of a type.
  ArrayView either(llvm::Value* condition, const ArrayView& yes, const ArrayView& no);
  /// Leaves the function with 1 if someone asked for the evaluation to stop.
  void check_epoch();
  /// Ends the function: `return 0`, and the exit for failures.
  void finish();
  /// Calls `body` and gives back the scratch memory that it allocated.
  void with_scratch(const std::function<void()>& body);

private:
  void around_element(const ir::Soac& soac, std::vector<GroupState>& states, const LaneValue& index,
                      const std::function<void()>& inner);
  /// `is_left`: by statement of the body, whether it is to be emitted when a group needs it; empty:
  /// all have been.
  void apply(const ir::Body& body, const std::vector<ir::Group>& groups,
             std::vector<GroupState>& states, const LaneValue& index, std::vector<char> is_left);
  /// Emits what these results need of what is left of the body.
  void statements_for(const ir::Body& body, std::size_t first, std::size_t count,
                      std::vector<char>& is_left);
  struct LoopState {
    bool is_in_place = false;
    bool is_masked = true; ///< whether inactive lanes keep a variable's value
    Variable variable;
    ArrayView buffer;
  };

  void emit(const ir::Statement& statement);
  void emit(const ir::Statement& statement, const ir::Primitive& op);
  void emit(const ir::Statement& statement, const ir::Select& op);
  void emit(const ir::Statement& statement, const ir::If& op);
  void emit(const ir::Statement& statement, const ir::For& op);
  void emit(const ir::Statement& statement, const ir::While& op);
  /// Host-level code: is in no kernel (jit/runtime/prepare.h).
  void emit(const ir::Statement&, const ir::Stream&) { assert(false); }
  void emit(const ir::Statement& statement, const ir::Soac& op);
  void emit(const ir::Statement& statement, const ir::Index& op);
  void emit(const ir::Statement& statement, const ir::Slice& op);
  void emit(const ir::Statement& statement, const ir::Transpose& op);
  void emit(const ir::Statement& statement, const ir::Reshape& op);
  void emit(const ir::Statement& statement, const ir::Update& op);
  void emit(const ir::Statement& statement, const ir::UpdateSlice& op);
  void emit(const ir::Statement& statement, const ir::Concat& op);
  void emit(const ir::Statement& statement, const ir::ArrayLiteral& op);
  void emit(const ir::Statement& statement, const ir::Copy& op);
  void emit(const ir::Statement& statement, const ir::Check& op);

  // Branches and loops (control.cpp, lane_turns.cpp).
  void emit_uniform_if(const ir::Statement& statement, const ir::If& op, llvm::Value* condition);
  void emit_shortcut(const ir::Statement& statement, const ir::If& op, llvm::Value* condition);
  void emit_masked_if(const ir::Statement& statement, const ir::If& op, llvm::Value* condition);
  void emit_both_branches(const ir::Statement& statement, const ir::If& op, llvm::Value* condition);
  /// What a branch leaves behind, in variables, since it may have been jumped over.
  struct SavedArray {
    ArrayView view;
    llvm::AllocaInst* base = nullptr;
    Variable offset;
    std::vector<Variable> strides;
  };
  struct MaskedBranch {
    const ir::Body* body = nullptr;
    llvm::Value* mask = nullptr;
    std::vector<SavedArray> arrays;
  };
  SavedArray save(const ArrayView& view);
  ArrayView load(const SavedArray& saved);
  ArrayView joined(ir::ValueId result, std::span<const MaskedBranch> branches, std::size_t number);
  std::vector<LoopState> begin_loop(const std::vector<ir::Operand>& initial, const ir::Body& body,
                                    std::size_t first, std::span<const ir::ValueId> results);
  void bind_state(const std::vector<LoopState>& states, std::span<const ir::ValueId> parameters);
  void update_state(const std::vector<LoopState>& states, const ir::Body& body, std::size_t first);
  void emit_while_in_lanes(const ir::Statement& statement, const ir::While& op,
                           std::vector<LoopState> states);
  /// Elements between two looks for an interruption, where those take little each.
  static constexpr std::int64_t strip_length = 1 << 14;
  /// Emits a range over the elements up to `end` in parts of that length, with a look for an
  /// interruption before each; as one where there are no more elements.
  void range_in_strips(const LaneValue& end, std::int64_t length,
                       const std::function<void(llvm::Value* begin, const LaneValue& end)>& range);
  LaneValue extent_if_inhabited(std::span<const LaneValue> extents);
  /// Runs `body` for each i in [begin, end); where the end varies, under masks.
  void sequential_range(llvm::Value* begin, const LaneValue& end,
                        const std::function<void(const LaneValue&)>& body);
  /// Row-major; in scalar code the innermost index goes in lanes, if `may_use_lanes`.
  void for_each_index(std::span<const LaneValue> extents,
                      const std::function<void(std::span<const LaneValue>)>& body,
                      bool may_use_lanes = true);
  void fail(const LaneValue& condition, std::uint32_t site);

  // Numbers that change once along the lanes (two_parts.cpp).
  std::optional<LaneValue> emit_in_two_parts(const primitives::Primitive& primitive,
                                             std::span<const LaneValue> operands);
  std::optional<LaneValue> read_in_two_parts(const ir::Index& op, const ArrayView& from,
                                             std::span<const LaneValue> indices);
  std::optional<TwoParts> common_parts(std::span<const LaneValue> values) const;
  llvm::Value* behind_multiple(llvm::Value* first);

  // Arrays (arrays.cpp).
  std::optional<LaneValue> picked_from_row(const ir::Index& op, const ArrayView& from,
                                           std::span<const LaneValue> indices);
  std::optional<ArrayView> suggested_place(ir::ValueId result);
  ArrayView place(ir::ValueId result);
  void suggest_known_places(const ir::Statement& statement);
  Stored stored_row(const ir::Soac& soac, ir::ValueId result);
  llvm::Value* scratch(llvm::Value* bytes, std::size_t element_bytes);
  llvm::Value* saturating_product(llvm::Value* left, llvm::Value* right);
  llvm::Value* bytes_of(const ir::Type& type);
  ArrayView dense_view(ElementType element, llvm::Value* base, const ir::Type& type,
                       bool is_private);
  std::optional<ArrayView> sliced(const ArrayView& array,
                                  std::span<const ir::Slice::Dimension> dimensions);
  LaneValue sliced_offset(const ArrayView& array, std::span<const ir::Slice::Dimension> dimensions,
                          std::span<const LaneValue> indices);
  ArrayView reshaped_copy(const ArrayView& from, const ir::Type& old_type, ir::ValueId result);
  std::vector<LaneValue> scalars(std::span<const ir::Operand> operands);

  // SOACs (soac.cpp, combine.cpp, destinations.cpp).
  ArrayView fresh_place(const ir::Soac& soac, ir::ValueId result);
  void bind_element(const ir::Soac& soac, const LaneValue& index);
  void range_in_scalar_code(const ir::Soac& soac, std::vector<GroupState>& states,
                            llvm::Value* begin, const LaneValue& end);
  void range_in_lanes(const ir::Soac& soac, std::vector<GroupState>& states, llvm::Value* begin,
                      llvm::Value* end);
  static std::vector<ReduceState*> reduced_by_lane(std::vector<GroupState>& states);
  void in_lane_code(const std::function<void()>& emit_there);
  llvm::Value* reduce_streams(const ir::Soac& soac, std::vector<std::vector<GroupState>>& streams,
                              llvm::Value* begin, llvm::Value* end);
  void fold_lanes_into(const Fold& fold, const ReduceState& lanes);
  void elements_in_lanes(const ir::Soac& soac, std::vector<GroupState>& states, llvm::Value* begin,
                         llvm::Value* end);
  // Neighbouring elements whose folds wait for themselves (abreast.h).
  struct Abreast {
    std::vector<std::uint32_t> own; ///< values that differ between the elements
    /// By element, what they stand for; of the first one, they are in the environment.
    std::vector<std::vector<std::optional<Emitted>>> elements;
    const ir::Soac* fold = nullptr; ///< of all of them, that is being emitted
  };
  unsigned count_abreast(const ir::Soac& soac, const LaneValue& end) const;
  void range_abreast(const ir::Soac& soac, std::vector<GroupState>& states, llvm::Value* begin,
                     llvm::Value* end, unsigned count);
  void elements_abreast(const ir::Soac& soac, std::vector<GroupState>& states, llvm::Value* first,
                        unsigned count);
  void for_each_abreast(const std::function<void(std::size_t number)>& body);
  void statements_abreast(const ir::Body& body);
  void branch_abreast(const ir::Statement& statement, const ir::If& op);
  void fold_abreast(const ir::Statement& statement, const ir::Soac& op);
  void steps_abreast(const ir::Soac& soac, const std::vector<GroupState>& states,
                     llvm::Value* begin, const LaneValue& end);
  // Scans in lanes that each go along elements of their own (squares.cpp).
  bool may_go_in_squares(const ir::Soac& soac, std::vector<GroupState>& states) const;
  llvm::Value* elements_in_squares(const ir::Soac& soac, std::vector<GroupState>& states,
                                   llvm::Value* begin, llvm::Value* end);
  void elements_of_square(const ir::Soac& soac, std::vector<GroupState>& states,
                          llvm::Value* first);
  void prefixes_of_square(ScanState& state, const std::vector<GroupElement>& steps);
  // Ranges in which conditions on the index keep their value (pieces.cpp).
  bool wants_pieces(const ir::Soac& soac);
  /// A condition on the index: `index + offset` compared with a bound.
  struct KnownPredicate {
    ir::ValueId result;
    primitives::Operation order{};
    llvm::Value *offset, *bound;
  };
  std::vector<KnownPredicate> known_predicates(const ir::Soac& soac);
  std::vector<llvm::Value*> changes_of(std::span<const KnownPredicate> predicates);
  void elements_in_pieces(const ir::Soac& soac, std::vector<GroupState>& states, llvm::Value* begin,
                          llvm::Value* end);
  llvm::Value* vectors_begin(const std::vector<GroupState>& states, llvm::Value* begin,
                             llvm::Value* end);
  // Vectors that are moved by an element (edges.cpp).
  bool may_move_edges(const EdgeReads& reads);
  void elements_by_edges(const ir::Soac& soac, std::vector<GroupState>& states, llvm::Value* begin,
                         llvm::Value* end, const EdgeReads& reads);
  void vectors_by_edges(const ir::Soac& soac, std::vector<GroupState>& states, llvm::Value* begin,
                        llvm::Value* end, const EdgeReads& reads, bool is_inside);
  static constexpr std::int64_t stencil_bytes_ahead = 4096, input_bytes_ahead = 2048;
  void fetch_ahead(const ArrayView& array, llvm::Value* offset, std::size_t elements,
                   std::int64_t bytes_ahead = stencil_bytes_ahead);
  bool is_short_update(const ir::Soac& soac) const;
  void update_in_a_row(const ir::Soac& soac, std::vector<GroupState>& states, llvm::Value* begin,
                       llvm::Value* end);
  void range_of_elements(const ir::Soac& soac, std::vector<GroupState>& states, llvm::Value* begin,
                         const LaneValue& end);
  // Rows of a few elements that lie together as lanes do (literal_rows.cpp).
  bool may_put_together(const ArrayView& rows, std::size_t columns) const;
  llvm::Value* are_together(const ArrayView& rows, std::size_t columns); ///< and all lanes active
  void put_together(const ArrayView& rows, std::span<const LaneValue> columns);

  // Rows of a few elements that each lane reads at constant places (own_rows.cpp).
  struct OwnRows {
    enum class Way : std::uint8_t { Gathered, InOrder, Turned };
    ir::ValueId array;
    std::size_t first_constant = 0;    ///< of an index: 1 where the first one is the element's
    std::vector<std::int64_t> extents; ///< of a row
    std::int64_t length = 1;
    ArrayView row;             ///< of each lane
    bool are_together = false; ///< a lane's row begins where that of the lane before ends
    std::map<std::int64_t, std::vector<ir::ValueId>> columns; ///< what reads them
  };
  struct Square {
    std::int64_t begin = 0; ///< its first column
    unsigned width = 0;
  };
  std::vector<OwnRows> own_rows(const ir::Soac& soac, const LaneValue& index);
  OwnRows::Way way_to_read(const OwnRows& rows) const;
  std::vector<Square> squares_of(const OwnRows& rows) const;
  std::vector<llvm::Value*> columns_in_order(const OwnRows& rows);
  void fetch_own_rows(const OwnRows& rows, std::size_t square, std::size_t squares);
  std::vector<llvm::Value*> columns_turned(const OwnRows& rows);
  /// Reads them for the elements at the index; gives the results that are known so.
  std::vector<std::uint32_t> read_own_rows(const ir::Soac& soac, const LaneValue& index);

  // Lanes that each go along rows of memory of their own (turned.cpp).
  struct Turned {
    const ir::Soac* soac = nullptr;
    std::vector<std::optional<ArrayView>> inputs; ///< by input: where its elements lie for lanes
    std::vector<bool> outputs; ///< by place of maps and scans, posts' too: it is turned
    unsigned size = 0;         ///< columns at a time
  };
  /// Rows of more lanes are too much code.
  static constexpr unsigned most_row_lanes = 32;
  bool may_turn_rows(const ir::Soac& soac) const;
  Turned rows_to_turn(const ir::Soac& soac, const std::vector<GroupState>& states);
  void turned_range(const ir::Soac& soac, std::vector<GroupState>& states, Turned turned,
                    llvm::Value* begin, const LaneValue& end);
  ArrayView turned_buffer(ElementType element, unsigned size);
  void for_each_row(
      const ArrayView& rows, llvm::Value* column, const LaneValue* end, unsigned size,
      const std::function<void(unsigned lane, llvm::Value* pointer, llvm::Value* mask)>& body);
  std::vector<llvm::Value*> read_rows(const ArrayView& from, llvm::Value* column,
                                      const LaneValue* end, unsigned size,
                                      llvm::Value* otherwise = nullptr);
  void read_turned(const ArrayView& from, const ArrayView& buffer, llvm::Value* column,
                   const LaneValue& end, unsigned size, bool are_evenly_spaced = true);
  void fetch_rows_ahead(const ArrayView& rows, llvm::Value* column, const LaneValue& end);
  void fetch_rows_at_places(const ir::Soac& soac, const LaneValue& index);
  void write_turned(const ArrayView& buffer, const ArrayView& to, llvm::Value* column,
                    const LaneValue& end, unsigned size);
  // … and loops that go along them (loop_rows.cpp).
  struct LoopRow {
    ir::ValueId element; ///< what the loop's body reads of it
    ArrayView row;       ///< of each lane
    ArrayView buffer{};  ///< of some columns, turned over
    LaneValue length{};
    bool are_evenly_spaced = true; ///< else no row says where the next lanes' are
  };
  std::vector<LoopRow> rows_along(const ir::For& loop);
  bool may_begin_at(LoopRow& row, const ir::Operand& base, bool is_narrow);
  void read_of_few(const LoopRow& row, llvm::Value* lanes, llvm::Value* column,
                   const LaneValue& end, unsigned size);
  void loop_along_rows(std::vector<LoopRow>& rows, llvm::Value* begin, const LaneValue& end,
                       const std::function<void(const LaneValue& index)>& iteration);
  bool is_built_in_lanes(const ir::Body& body, const ir::Operand& result,
                         const ArrayView& row) const;
  bool may_copy_turned(const ArrayView& from, const ArrayView& to, const ir::Type& type);
  void copy_turned(const ArrayView& from, const ArrayView& to, llvm::Value* extent);
  unsigned square_size(std::size_t widest_bytes) const;
  static bool has_half_squares(std::size_t element_bytes, unsigned size);
  llvm::Value* within_array(llvm::Value* offsets);
  std::vector<llvm::Value*> columns_of(std::vector<llvm::Value*> rows, unsigned size);
  std::vector<llvm::Value*> rows_of(const std::vector<llvm::Value*>& columns, unsigned lanes);
  // Elements along those rows (rows.cpp).
  struct FoldedRows {
    std::size_t group = 0;
    std::vector<ArrayView> elements; ///< by component of the reduction
    std::vector<bool> are_in_tile;
  };
  struct ByLane {
    LaneValue value;
    llvm::Value* place = nullptr; ///< of what varies
  };
  bool may_go_along_rows(const ir::Soac& soac, const std::vector<GroupState>& states);
  bool has_only_rows(const ir::Soac& soac) const;
  bool may_be_short_rows(const ir::Soac& soac) const;
  std::vector<FoldedRows> rows_to_fold(const ir::Soac& soac, const std::vector<GroupState>& states);
  ArrayView row_tile(ElementType element, std::int64_t length, llvm::Value* memory);
  llvm::Value* tile_memory(std::size_t number);
  std::optional<ArrayView> scratch_rows(const ir::Soac& soac, ir::ValueId result);
  void range_along_rows(const ir::Soac& soac, std::vector<GroupState>& states, llvm::Value* begin,
                        const LaneValue& end);
  LaneValue least_of(llvm::Value* number, const LaneValue& end);
  ByLane by_lane(const LaneValue& value);
  LaneValue of_lane(const ByLane& saved, llvm::Value* lane);
  void for_each_lane_of(const ir::Soac& soac, const std::vector<GroupState>& states,
                        llvm::Value* begin, const LaneValue& end,
                        const std::function<void(llvm::Value* lane, llvm::Value* end,
                                                 std::vector<GroupState>& row)>& body);
  void fold_uneven_rows(const ir::Soac& soac, std::vector<GroupState>& states,
                        const LaneValue& end);
  void fold_rows(const ir::Soac& soac, std::vector<GroupState>& states, const LaneValue& end);
  void fold_row_alone(const ir::Soac& soac, std::vector<GroupState>& row, llvm::Value* end,
                      const std::vector<std::vector<ArrayView>>& results, llvm::Value* lane);
  bool runs_in_lanes(const ir::Soac& soac) const;
  std::vector<std::vector<ByLane>> tiles_by_lane(const std::vector<FoldedRows>& folded);
  void fold_into_tiles(std::vector<GroupState>& row, const std::vector<FoldedRows>& folded,
                       const std::vector<std::vector<ByLane>>& tiles, llvm::Value* lane);
  void compute_row(const ir::Soac& soac, std::vector<GroupState>& row, llvm::Value* begin,
                   llvm::Value* end);
  void compute_short_row(const ir::Soac& soac, std::vector<GroupState>& row, llvm::Value* end);
  void fold_across_rows(const Fold& fold, const FoldedRows& rows, llvm::Value* begin,
                        const LaneValue& end, bool fetches_ahead);
  bool may_repeat(const ir::Soac& soac, const std::vector<GroupState>& states) const;
  bool may_go_one_by_one(const ir::Soac& soac) const;
  bool looks_at_each_element(const ir::Soac& soac, const LaneValue& extent) const;
  void rest_of_row(llvm::Value* begin, llvm::Value* end,
                   const std::function<void(llvm::Value* first)>& vector);
  llvm::Value* are_dense(std::span<const ir::ValueId> arrays, llvm::Value* length);
  llvm::Value* are_streamable(std::span<const Stored* const> all, llvm::Value* begin);
  // Of each kind of group (skeletons/map.cpp, …), inside of a body: the state that it begins with,
  // what becomes of an element, and the results.
#define SINTER_IR_GROUP(Kind, ...)                                                                 \
  Kind##State begin_group(const ir::Kind##Group& group, const ir::Soac& soac,                      \
                          std::span<const ir::ValueId> results);                                   \
  void apply(Kind##State& state, const GroupElement& element);                                     \
  std::vector<Emitted> results_of(const Kind##State& state);
#include "jit/ir/groups.def"
#undef SINTER_IR_GROUP
  void begin_row(MapState& state, const ir::Body& body, const ir::Operand& result,
                 const LaneValue& index);
  void apply_in_row(ScanState& state, const GroupElement& element);
  void store_with_carry(ScanState& state, const GroupElement& element,
                        const std::vector<Emitted>& prefixes);
  void apply_across_lanes(ScanState& state, const GroupElement& element);
  void store_prefixes(ScanState& state, const GroupElement& element,
                      std::span<const Emitted> prefixes);
  void run_post(PostState& post, const LaneValue& index, std::span<const Emitted> prefixes,
                std::span<const Emitted> passed);
  void apply_across_lanes(FilterState& state, const GroupElement& element);
  void compress(FilterState& state, const GroupElement& element);
  LaneValue place_of_kept(const FilterState& state, const LaneValue& count);
  LaneValue within(const ir::Type& type, std::span<const LaneValue> indices);
  void under(const LaneValue& condition, const std::function<void()>& body);
  void build_in(const ir::Body& op, std::span<const ArrayView> places);
  void update_bins(const HistogramState& state, std::span<const LaneValue> bin,
                   std::span<const Emitted> elements, std::span<const ir::Type> types);
  void combine_into_bins(const HistogramState& state, std::span<const LaneValue> bin,
                         std::span<const Emitted> elements, std::span<const ir::Type> types);
  // Elements of the same bin one behind the other (repeated_bins.cpp).
  struct KeptBin {
    std::vector<Variable> values; ///< of the bin combined with last
  };
  bool may_keep_bin(const HistogramState& state) const;
  KeptBin keep_bin(const HistogramState& state);
  void combine_with_kept(const HistogramState& state, const KeptBin& kept, const LaneValue& bin,
                         std::span<const Emitted> elements, llvm::Value* is_same);
  llvm::Value* most_repeat(llvm::Value* bins);
  llvm::Value* repeat_bins(const HistogramState& state, const LaneValue& bin);
  void update_repeated_bins(const HistogramState& state, const GroupElement& element);
  void deal(const HistogramState& state, const GroupElement& element);
  void deal_lanes(const HistogramState& state, const GroupElement& element);
  void deal_one(const HistogramState& state, std::span<const LaneValue> element);
  /// The SOAC's elements, where histograms inside of a body may be cut into segments.
  void segmented_range(const ir::Soac& soac, std::vector<GroupState>& states, llvm::Value* extent);
  void fill_bins(const ir::HistogramGroup& group, std::size_t destination, const ArrayView& bins);
  /// How long its segments are; the extent, if there is one only.
  llvm::Value* segment_length(const ir::HistogramGroup& group, llvm::Value* extent);
  /// One element of W that lanes computed at a time: `body` runs in scalar code for each active
  /// lane, in order.
  void for_each_lane(std::span<const LaneValue> values,
                     const std::function<void(std::span<const LaneValue>)>& body);
  /// The same as a loop over the lanes, from scalar code.
  void loop_over_lanes(std::span<llvm::Value* const> vectors, std::span<const LaneValue> values,
                       llvm::Value* mask, unsigned lanes,
                       const std::function<void(std::span<const LaneValue>)>& body);
  // By rows and blocks (fold.cpp).
  llvm::Value* begins_block(llvm::Value* row);
  /// Whether (i1) an element's block is the very first one: nothing is left of it.
  llvm::Value* is_very_first(const Folding& folding, llvm::Value* element);
  /// Whether (i1) there is anything left of a row.
  llvm::Value* stands_behind(const Folding& folding, llvm::Value* row);
  llvm::Value* end_of_block(llvm::Value* index, llvm::Value* end);
  void for_each_block(llvm::Value* begin, llvm::Value* end,
                      const std::function<void(llvm::Value*, llvm::Value*)>& body);
  void fold_row(std::vector<GroupState>& states, const FoldEvents& events, std::size_t group,
                llvm::Value* row, std::span<const Emitted> values);
  void fold_block(std::vector<GroupState>& states, const FoldEvents& events, llvm::Value* block);
  void fold_rows_at(std::vector<GroupState>& states, const FoldEvents& events, llvm::Value* row);
  /// Emits `visit` for the posts of a state where its prefixes are at hand.
  void for_each_post(GroupState& state, const std::function<void(PostState&)>& visit);
  void carry_into_row(const Folding& folding, llvm::Value* row);
  void fold_directly(const ir::Soac& soac, std::vector<GroupState>& states, llvm::Value* begin,
                     const LaneValue& end, const FoldEvents& events);
  void fold_only_row(const ir::Soac& soac, std::vector<GroupState>& states, const LaneValue& end);
  void begin_only_row(std::span<const GroupState> states);
  void end_only_row(std::span<const GroupState> states);
  ArrayView new_tile(ElementType element, std::int64_t tiles = 1);
  void make_tiles(const ir::Soac& soac, PostState& post, std::size_t first_passed);
  bool make_tiles(const ir::Soac& soac, std::vector<GroupState>& states, const FoldEvents& events,
                  std::int64_t tiles);
  void fold_by_tiles(const ir::Soac& soac, std::vector<GroupState>& states, llvm::Value* begin,
                     llvm::Value* end, const FoldEvents& events);
  /// What is computed of the next tiles while some are folded (fold_ahead.cpp).
  struct Ahead {
    std::int64_t length; ///< of the tiles, which take turns in twice as much memory; a power of two
    Variable first;      ///< i64: where the tiles begin that are computed already
  };
  void tile_at(const ir::Soac& soac, std::vector<GroupState>& states, const FoldEvents& events,
               llvm::Value* first, llvm::Value* last, bool computes, const Ahead* ahead,
               const std::function<void()>& fold_rows);
  void compute_tiles(std::vector<GroupState> states,
                     const std::function<void(std::vector<GroupState>& into_tiles)>& elements);
  bool may_compute_ahead(const ir::Soac& soac, const std::vector<GroupState>& states) const;
  Ahead begin_ahead(std::int64_t length);
  llvm::Value* place_of_tiles(const Ahead& ahead, llvm::Value* first);
  void fold_ahead(const ir::Soac& soac, std::vector<GroupState>& states, const FoldEvents& events,
                  const Ahead& ahead, llvm::Value* first, llvm::Value* end, llvm::Value* from_afar);
  std::vector<Emitted> results_of_row(const std::vector<ArrayView>& results, llvm::Value* first,
                                      llvm::Value* row);
  // Elements that are computed from inputs that are turned over (fold_inputs.cpp).
  bool may_turn_inputs(const ir::Soac& soac, const std::vector<GroupState>& states) const;
  /// So many tiles at a time: a running value waits for the one before.
  static constexpr std::int64_t turned_tiles = 2;
  void fold_turned_inputs(const ir::Soac& soac, std::vector<GroupState>& states,
                          const FoldEvents& events, llvm::Value* first);
  std::vector<std::vector<llvm::Value*>> turned_inputs(const ir::Soac& soac, llvm::Value* begin);
  // Pairs of tiles (fold_pair.cpp).
  bool may_fold_pairs(const ir::Soac& soac, const std::vector<GroupState>& states) const;
  /// What else is done whenever so many columns are folded.
  using Meanwhile = std::function<void(llvm::Value* column, unsigned columns)>;
  void fold_pair(std::vector<GroupState>& states, const FoldEvents& events, llvm::Value* first,
                 const Meanwhile& meanwhile);
  void fold_pair(std::vector<GroupState>& states, std::size_t group, const FoldEvents& events,
                 llvm::Value* first, const Meanwhile& meanwhile);
  std::vector<ArrayView> streams_of(const ir::Soac& soac) const;
  void fetch_ahead(llvm::Value* first, llvm::Value* column, unsigned columns,
                   std::int64_t tiles = 1, llvm::Value* from_afar = nullptr);
  llvm::Value* come_from_afar(const ir::Soac& soac);
  void fold_tile(std::vector<GroupState>& states, const FoldEvents& events, llvm::Value* first,
                 llvm::Value* last, bool in_lanes);
  void fold_tile(std::vector<GroupState>& states, std::size_t group, const FoldEvents& events,
                 llvm::Value* first, llvm::Value* last, bool in_lanes);
  std::vector<Emitted> row_by_itself(const Folding& folding, llvm::Value* row, llvm::Value* last);
  void fold_tile_element(const Folding& folding, std::span<const Accumulator> accumulators,
                         const LaneValue& index);
  void fold_gathered(const Folding& folding, std::span<const Accumulator> accumulators,
                     llvm::Value* first, llvm::Value* count);
  bool may_transpose(const ir::Body& combine) const;
  std::vector<ArrayView> results_of_rows(const Folding& folding, std::int64_t tiles = 1);
  void rows_in_lanes(const Folding& folding, const std::vector<ArrayView>& results,
                     llvm::Value* first, llvm::Value* last);
  void fold_columns(const Folding& folding, std::span<const Accumulator> accumulators,
                    std::vector<std::vector<llvm::Value*>>& columns);
  void fold_columns_in_memory(const Folding& folding, std::span<const Accumulator> accumulators,
                              std::span<const ArrayView> buffers,
                              std::vector<std::vector<llvm::Value*>>& columns);
  void fold_transposed(const Folding& folding, std::span<const Accumulator> accumulators,
                       llvm::Value* first, llvm::Value* count);
  std::vector<llvm::Value*> transposed(std::vector<llvm::Value*> rows);
  std::vector<llvm::Value*> turned_from(std::vector<llvm::Value*> rows, std::size_t half);
  llvm::Value* one_behind_the_other(std::vector<llvm::Value*> vectors);
  std::vector<llvm::Value*> exchanged_as_read(const std::vector<llvm::Value*>& rows);
  void store_row(ScanState& state, llvm::Value* row, llvm::Value* end);
  void store_prefix_of_tile(ScanState& state, const LaneValue& index, bool has_carry);
  void store_in_tile(const Folding& folding, const LaneValue& index,
                     std::span<const Emitted> values);
  std::optional<Scalar> exact_identity(const Operator& whole, std::size_t component);
  bool has_identities(const Operator& op);
  bool may_fold_in_order(const ir::Body& combine) const;
  bool may_fold_one_row(const ir::Soac& soac) const;
  void fold_one_row(const ir::Soac& soac, std::vector<GroupState>& states, llvm::Value* end);
  void fold_in_order(const Operator& op, std::span<const Accumulator> accumulators,
                     std::span<const Emitted> elements);
  void select_block(const ir::Soac& soac, std::vector<GroupState>& states, const FoldEvents& events,
                    llvm::Value* block, llvm::Value* end, const std::function<void()>& by_rows);
  llvm::Value* select_in_any_order(const ir::Soac& soac, const std::vector<GroupState>& states,
                                   llvm::Value* block, llvm::Value* end);
  // Across lanes (select_lanes.cpp).
  bool is_one_vector(const ir::Soac& soac, llvm::Value* begin, llvm::Value* end) const;
  llvm::Value* select_in_one_vector(const ir::Soac& soac, std::vector<GroupState>& states,
                                    llvm::Value* begin, llvm::Value* end);
  void take_only(const ReduceState& state, std::span<const Emitted> values);
  std::vector<LaneValue> selected_of_lanes(const AscendingSelection& selection,
                                           const std::vector<LaneValue>& values,
                                           llvm::Value* among);
  llvm::Value* has_nan(llvm::Value* numbers);
  llvm::Value* selected_lane(bool is_first, llvm::Value* is_best, llvm::Value* first_index);
  llvm::Value* selected_index(bool is_first, llvm::Value* is_best, const LaneValue& index);
  llvm::Value*
  folded_by_halves(llvm::Value* vector,
                   const std::function<llvm::Value*(llvm::Value* low, llvm::Value* high)>& combine);
  void note_unordered(const Variable& flag, std::span<const Emitted> values);
  // Selections whose elements ascend (ascending.cpp).
  void begin_ascending(ReduceState& state, const AscendingSelection& selection);
  void begin_ascending(const ir::Soac& soac, std::vector<GroupState>& states);
  void end_ascending(std::vector<GroupState>& states, const LaneValue& count);
  void begin_counting(ReduceState& state);
  void end_counting(ReduceState& state, llvm::Value* first);
  void fold_ascending(const ReduceState& state, std::span<const Emitted> values);
  llvm::Value* is_unordered(llvm::Value* number);
  bool is_one_row(const LaneValue& extent);
  void join(std::vector<GroupState>& into, const std::vector<GroupState>& from);
  enum class FoldOrder : std::uint8_t { AsGiven, Any };
  std::vector<LaneValue> fold_lanes(const ir::Body& op, std::vector<LaneValue> values,
                                    FoldOrder order);
  std::vector<LaneValue> prefixes_of_lanes(const Fold& fold, std::vector<LaneValue> running);
  std::vector<LaneValue> neutral_where_inactive(const Operator& op,
                                                std::span<const Emitted> values);

  const ir::Function& source_;
  const LanePlan& plan_;
  Uniformity uniformity_;
  std::vector<bool> tables_;
  std::vector<bool> used_;
  AscendingSelections ascending_;
  Abreast* abreast_ = nullptr; ///< those that are being emitted
  std::vector<std::optional<Emitted>> environment_;
  /// Conditions on the index of the SOAC at hand that are one bool (i1) for the range at hand.
  std::unordered_map<std::uint32_t, llvm::Value*> settled_;
  /// Elements that have been read already, by the results of statements that do.
  std::unordered_map<std::uint32_t, LaneValue> edges_;
  std::map<std::pair<llvm::Value*, unsigned>, llvm::Value*> behind_multiples_; ///< by lanes, too
  bool comes_from_memory_ = false; ///< what is read there
  /// The elements of inputs are larger than the caches, and read once.
  bool streams_inputs_ = false;
  /// Set where conditions on the index change among the lanes at hand.
  bool has_few_shortcuts_ = false;
  /// Arrays that the SOAC at hand reads each element of once.
  std::unordered_set<std::uint32_t> streamed_;
  /// Elements that lanes beside each other read once in a long body.
  std::unordered_set<std::uint32_t> seldom_read_;
  std::unordered_map<std::uint32_t, ArrayView> places_;
  /// Where rows are made that updates put there (updated_rows.h).
  std::unordered_map<std::uint32_t, RowOfUpdate> rows_of_updates_;
  /// Where next states are made (next_states.h).
  std::unordered_map<std::uint32_t, ir::ValueId> states_in_place_;
  std::unordered_map<std::uint32_t, Stored> updated_rows_;
  std::vector<bool> filled_by_loops_;
  llvm::BasicBlock* failed_;
  std::optional<LaneValue> outer_index_; ///< of the outermost SOAC, for failures
  const ir::Soac* row_ = nullptr;        ///< that is computed row by row, in lanes
  std::vector<llvm::AllocaInst*> tiles_; ///< of rows that are folded
  std::optional<Turned> turned_;         ///< of the innermost SOAC whose elements are being emitted
  std::size_t scratch_allocations_ = 0;
  std::int64_t stack_bytes_ = 0;
  /// Set while the lanes run along the elements of the innermost SOAC: its groups then work across
  /// lanes; in SOACs inside of it each lane works for itself.
  bool across_lanes_ = false;
  /// What the SOAC that is folded by tiles reads from end to end.
  std::vector<ArrayView> streams_;
};

/// Whether an operator on arrays is one map over the elements of its operands, so that its results
/// may overwrite them: each element is read before it is written, and never again.
bool is_elementwise(const ir::Body& op);
/// Whether the body computes so little that it waits for memory.
bool is_light(const ir::Body& body);
/// Whether elements of arrays are read where an index says.
bool reads_elements(const ir::Body& body);
/// Whether there is nothing in it but operations on scalars, none of which can fail.
bool is_scalar_code(const ir::Body& body);

/// The same, past the caches if the places are larger than those.
Stored streamed(Stored stored);
/// Whether each lane's elements follow each other in memory, at a place of the lane's own.
bool is_row_of_lane(const ArrayView& view);
/// Whether it is the same row of memory for all lanes, whose elements follow each other.
bool is_shared_row(const ArrayView& view);
/// Whether two views are one: the same memory in the same order, known while emitting.
bool is_same_place(const ArrayView& a, const ArrayView& b);

} // namespace sinter::jit
