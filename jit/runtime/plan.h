// Host-level code, decoded for running: what plan.cpp makes of an IR function and machine.cpp runs.
//
// Scalars and arrays live in slots of a frame, numbered apart: a scalar operand is an index, and
// constants lie in front.  A value has one slot for its whole life; a loop's results share the
// slots of its state.  Liveness (plan_liveness.cpp) says of each use of an array whether it is the
// last one, so that buffers are handed on and what is consumed is consumed in place.
#pragma once

#include "jit/ir/groups.h"
#include "jit/ir/ir.h"
#include "jit/runtime/piece_sizes.h"
#include "jit/runtime/places.h"
#include "jit/runtime/work_meter.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sinter::jit {

class VersionedKernel;

namespace plan {

using Slot = std::uint32_t;

/// A slot that is read.
struct Use {
  Slot slot = 0;
  bool is_array = false;
  bool is_last = false; ///< of an array: nothing reads the slot's content after this
};
/// A slot that is written.
struct Target {
  Slot slot = 0;
  bool is_array = false;
};
/// An element type and the slots of extents.
struct Shape {
  ElementType element{};
  std::vector<Slot> extents;
};

struct Step;

/// Statements in order.  Parameters are written before, results read after by whoever runs it.
struct Block {
  std::vector<Target> parameters;
  std::vector<Step> steps;
  std::vector<Use> results;
  std::vector<Slot> dead_on_entry; ///< arrays that nothing in here or after it reads
};

// What the steps do.  `uses`, `targets` and `blocks` are the step's.

struct Apply {
  Scalar (*apply)(Scalar, Scalar, Scalar) = nullptr;
  Slot arguments[3] = {};
  Slot result = 0;
};
struct Choose {
  Slot condition = 0, then_value = 0, else_value = 0, result = 0;
};
struct CheckCondition {
  Slot condition = 0;
  std::uint32_t site = 0;
};
/// Runs blocks[0] or blocks[1] and gives its results to the targets.
struct Branch {
  Slot condition = 0;
};
/// A body that is one launch, which makes the arrays of the next state, and scalar code.
struct RepeatedLaunch {
  std::uint32_t step = 0; ///< of the body
  /// By target of the launch: the one of the state's arrays that it becomes, and which use of the
  /// launch that is, if any.
  std::vector<Slot> state;
  std::vector<std::optional<std::uint32_t>> fed;
};
/// Uses: the initial state.  blocks[0]: the index, then the state, which the targets share.
struct CountedLoop {
  Slot bound = 0;
  ElementType index_type{};
  std::optional<RepeatedLaunch> repeated = {};
  bool may_go_by_team = false;           ///< see loop_team.h
  std::unique_ptr<WorkMeter> meter = {}; ///< of iterations (iterations.h); null without launches
};
/// Uses: the initial state.  blocks[0] is the condition, blocks[1] the body; both and the targets
/// share the state's slots.
struct ConditionLoop {
  std::unique_ptr<WorkMeter> meter = {}; ///< as a counted loop's
};
/// Uses: the initial state.  blocks[0]: a piece's first index, how many it has, then the state,
/// which the targets share.
struct StreamLoop {
  Slot extent = 0;
  std::int64_t unit = 1;                   ///< pieces have multiples of it
  std::int64_t element_bytes = 0;          ///< of arrays, for each index
  std::int64_t forced_size = 0;            ///< of a piece; 0: as suits
  std::unique_ptr<WorkMeter> meter = {};   ///< as a counted loop's
  std::unique_ptr<PieceMeter> pieces = {}; ///< what runs chose
};
/// Uses: the arguments.
struct Launch {
  VersionedKernel* kernel = nullptr;
  std::uint32_t number = 0; ///< among the plan's launches
  /// By result: a scalar that only launches read, and what the block outermost gives.
  std::vector<bool> may_be_pending = {};
};
/// A SOAC that is walked element by element.  Uses: the inputs, then those of the groups.
/// blocks[0] is the body, followed by the groups' operators.
struct WalkSoac {
  struct Group {
    ir::GroupKind kind = ir::GroupKind::Map;
    std::uint32_t index_count = 0;
    std::uint32_t width = 1;       ///< values that are combined or kept
    std::uint32_t first_use = 0;   ///< neutral elements or destinations
    std::uint32_t neutral_use = 0; ///< of a histogram
    /// Of a fold that may go on from something: whether it does, and then the values.
    std::optional<std::uint32_t> before_use;
    std::uint32_t first_result = 0; ///< of the body
    std::uint32_t first_target = 0;
    std::uint32_t combine = 0;  ///< the operator's block
    std::vector<Shape> results; ///< of targets that are arrays made here
    // Of a scan with a post: its block, how many of the body's results are passed by, its groups.
    std::uint32_t post = 0;
    std::uint32_t passed = 0;
    std::vector<Group> post_groups;
  };
  Slot extent = 0;
  std::uint32_t input_count = 0;
  std::vector<Group> groups;
};
/// A scalar of the array uses[0].
struct Load {
  std::vector<Slot> indices;
  Slot result = 0;
};
struct IndexView {
  std::vector<Slot> indices;
};
struct SliceDimension {
  Slot begin = 0, stride = 0;
};
struct SliceView {
  std::vector<SliceDimension> dimensions;
  Shape shape;
};
struct TransposeView {
  std::vector<std::uint32_t> permutation;
};
struct Reshaped {
  Shape shape;
};
/// uses: the array, then the value.
struct Store {
  std::vector<Slot> indices;
};
struct StoreSlice {
  std::vector<SliceDimension> dimensions;
};
struct Joined {
  Shape shape;
};
struct Literal {
  Shape shape;
};
struct Copied {};
/// An array all of whose elements are the scalar uses[0].
struct Filled {
  Shape shape;
};

using Action = std::variant<Apply, Choose, CheckCondition, Branch, CountedLoop, ConditionLoop,
                            StreamLoop, Launch, WalkSoac, Load, IndexView, SliceView, TransposeView,
                            Reshaped, Store, StoreSlice, Joined, Literal, Copied, Filled>;

/// Whether an action computes with numbers of the frame alone.
inline bool is_scalar_code(const Action& action) {
  return std::holds_alternative<Apply>(action) || std::holds_alternative<Choose>(action) ||
         std::holds_alternative<CheckCondition>(action);
}

struct Step {
  Action action;
  std::vector<Use> uses;
  std::vector<Target> targets;
  std::vector<Block> blocks;
  std::vector<Slot> releases; ///< arrays that are dead once the step is done
  Span span = {};             ///< the expression that it comes from, if known
};

} // namespace plan

/// A function's host-level code and its kernels.
struct Plan {
  plan::Block body;
  std::vector<Scalar> constants; ///< the content of the first scalar slots
  std::uint32_t scalar_count = 0, array_count = 0, launch_count = 0;
  std::vector<std::unique_ptr<VersionedKernel>> kernels;
  std::uint32_t filled_soacs = 0; ///< done by `Filled`, which takes no kernel
};

/// What becomes of the SOACs and loops of a function.
enum class KernelPolicy : std::uint8_t {
  Compile,         ///< kernels that places prepare, as far as they take them
  CompilePrepared, ///< kernels as they are: they have been prepared
  WalkOutermost, ///< statements of the outermost body are walked, those inside compiled as they are
  CompileInside, ///< the same, but those inside are prepared as in `Compile`
  WalkEverything, ///< no kernels
};

/// Splits a function into host-level code and kernels.
Plan make_plan(const ir::Function& function, KernelPolicy policy, const Places& places,
               const CompileOptions& options);

/// What a loop's body repeats, if it is that.
std::optional<plan::RepeatedLaunch> repeated_launch(const plan::Block& body);

/// Marks last uses and what is released where.
void mark_last_uses(Plan& plan);

} // namespace sinter::jit
