// Tracing: the walker over symbolic values leaves an IR function behind.
//
// This folder turns a piece of the resolved program into IR: the `Symbolic` domain
// (symbolic_domain.h), layouts of values (layout.h) and the entry below.  It knows nothing of
// passes, machine code, profiles or when something is traced.  Tracing reads the program, which is
// immutable, and may run on any thread.
//
// A piece is walked once, with two exceptions.  The body of a loop is walked again when the walk
// has shown that an extent of the state varies, or that a sum has another constructor: once for
// each of those at most.  And the whole begins anew where all paths wait for constants: once for
// each of these.  All else that a body needs from around it (sizes of its elements, values of
// constants) is made there while the body is open, so the work grows with the depth of nested maps
// and branches as their code does.
#pragma once

#include "jit/gate/device_choice.h"
#include "jit/ir/ir.h"
#include "jit/trace/layout.h"
#include "lang/core/core.h"
#include "lang/eval/evaluator.h"

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace sinter::jit {

/// A call of a function: the inputs are its captures, then all of its arguments.
struct CallTarget {
  const core::Function* function = nullptr;
  std::uint32_t capture_count = 0;
  friend bool operator==(const CallTarget&, const CallTarget&) = default;
};
/// One application of an array operation: the inputs are its arguments, then those of the result's
/// extents that the site has names for (i64 scalars; see eval::Site::extents).
struct OperationTarget {
  primitives::ArrayOperation operation{};
  const Representation* result = nullptr;
  std::vector<const Representation*> arguments;
  std::vector<bool> named_extents; ///< for each of the result's extents
  friend bool operator==(const OperationTarget&, const OperationTarget&) = default;
};
/// The rest of a loop: the inputs are the frame's slots in `free_slots`, the function's captures in
/// `free_captures`, then the state, then for a `for` the first index that is still to do and the
/// bound, for a for-in the array of the elements that are still to do.
/// A program tells the types of its slots where it reads them (core::Local under core::Expr::type).
struct LoopTarget {
  const core::Expr* loop = nullptr; ///< a core::Loop
  std::uint32_t frame_size = 0;
  std::vector<core::Slot> free_slots;
  std::vector<std::uint32_t> free_captures;
  friend bool operator==(const LoopTarget&, const LoopTarget&) = default;
};
/// An expression in its frame: the inputs are the slots in `free_slots`, then the captures in
/// `free_captures`.
struct ExpressionTarget {
  const core::Expr* expr = nullptr;
  std::uint32_t frame_size = 0;
  std::vector<core::Slot> free_slots;
  std::vector<std::uint32_t> free_captures;
  friend bool operator==(const ExpressionTarget&, const ExpressionTarget&) = default;
};
using Target = std::variant<CallTarget, OperationTarget, LoopTarget, ExpressionTarget>;

/// Ids of help pages.
inline constexpr std::string_view untraceable_id = "accelerate-untraceable",
                                  nested_id = "accelerate-nested",
                                  backend_id = "accelerate-backend",
                                  walked_id = "accelerate-walked",
                                  nothing_id = "accelerate-nothing",
                                  unchecked_id = "accelerate-unchecked";

/// Why something cannot be traced: what, in words, and where.
struct Untraceable {
  std::string reason; ///< the words of a row of jit/reasons/reasons.def
  Span span;
  bool is_failure = false;              ///< only that the program itself fails there, or runs out
                                        ///< of memory: the evaluator tells
  std::string_view id = untraceable_id; ///< of what is wrong if a mark demands a trace
};

/// A traced region.  The function's parameters are the inputs' places, its results the result's.
struct Trace {
  ir::Function function;
  Layout result;
  std::vector<Span> sources; ///< of the calls and operations in it, for explanations
  std::vector<const core::Function*> functions; ///< that are called in it, each once
};

struct TraceOptions {
  std::size_t statement_limit = 20'000;
  std::size_t call_depth_limit = 200;
  bool is_unsafe = false; ///< whether an `#[unsafe]` is around the target
  bool is_marked = false; ///< whether an `#[accelerate]` is
  DeviceChoice device;    ///< that it is traced for
  /// Of the deep stack that the caller is on (eval::NativeStack); null: tracing gets one of its
  /// own.
  const std::byte* stack_limit = nullptr;
  /// The value of a global, if it has been computed.
  std::function<std::optional<Value>(const core::Global&)> global;
  /// The layout that the value of a global will have which is not computed, for who looks at the
  /// trace without running it; none, or an empty function: it is traced in place.
  std::function<std::optional<Layout>(const core::Global&)> assumed_global;
  /// Whether the value of a global that has not been computed can be waited for (see
  /// `AwaitedGlobal` and `WantedGlobal`), instead of being traced in place: then each run of the
  /// region computes it.
  std::function<bool(const core::Global&)> can_await;
};

/// A global whose value is an input.
struct GlobalInput {
  const core::Global* global = nullptr;
  Layout layout; ///< of the value
};

/// A global that the region needs on some paths only.  There it has a check that always fails, with
/// FailureKind::Deferred and this message, so that nothing is computed that the program does not
/// evaluate.
struct AwaitedGlobal {
  const core::Global* global = nullptr;
  std::string message;
};

/// Values of globals that the trace needs become extra parameters, after those of the inputs, in
/// this order.
struct TracedRegion {
  Trace trace;
  std::vector<GlobalInput> globals;
  std::vector<AwaitedGlobal> awaited; ///< with their values there is a better trace
  std::size_t written = 0;            ///< statements, those included that were given up again
};

/// The region is to be traced once this global has been computed: it evaluates it whatever its
/// inputs are, if nothing fails before that and arrays are not empty.
struct WantedGlobal {
  const core::Global* global = nullptr;
};

using TraceOutcome = std::variant<TracedRegion, Untraceable, WantedGlobal>;

TraceOutcome trace(const Target& target, std::vector<Layout> inputs,
                   Representations& representations, const TraceOptions& options = {});

} // namespace sinter::jit
