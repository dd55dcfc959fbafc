// Regions: pieces of a program with given input layouts, and what became of them.
//
// Must not know: when one is made (policy.h, regions.h), and how (region_compiler.h).
#pragma once

#include "jit/gate/hot_swap.h"
#include "jit/ir/ir.h"
#include "jit/runtime/executable.h"
#include "jit/swap/policy.h"
#include "jit/trace/trace.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace sinter::jit {

/// What a region is compiled for.  Sizes are no part of it.
struct RegionKey {
  Target target;
  std::vector<Layout> inputs;
  bool is_unsafe = false; ///< an `#[unsafe]` is around it
  bool is_marked = false; ///< an `#[accelerate]` is around it
  DeviceChoice device;    ///< that it is for
  friend bool operator==(const RegionKey&, const RegionKey&) = default;
};

/// What compilation made of a region.
struct CompiledRegion {
  Layout result;
  std::vector<GlobalInput> globals;   ///< their values follow the inputs
  std::vector<AwaitedGlobal> awaited; ///< once one of them is computed, there is better code
  std::shared_ptr<Executable> executable;
  bool may_fail = false; ///< has checks
  /// One of the checks does not say that the program fails, only that the evaluator must tell.
  bool asks_evaluator = false;
  bool consumes = false; ///< overwrites inputs that nobody else owns
  /// It is of the first tier, and is to get the second when that pays.
  bool may_be_promoted = false;
  std::string traced_ir;    ///< if it was to be kept
  std::string optimised_ir; ///< the same
  std::vector<PassRecord> passes;
};

struct CompileTimes {
  double tracing = 0, optimising = 0, compiling = 0; ///< milliseconds
};

/// A region's life: waiting, then compiled or rejected for good, or stalled: nothing can be made of
/// it before the evaluator has computed a global, and another region takes its place then.  What
/// compilation made is published by one atomic store; the counters below belong to the evaluating
/// thread.
class Region {
public:
  enum class State : std::uint8_t { Waiting, Compiled, Rejected, Stalled };
  using Globals = std::set<const core::Global*>;

  Region(RegionKey key, std::string name, Span span, std::string why, Globals in_place = {})
      : key(std::move(key)), name(std::move(name)), span(span), why(std::move(why)),
        in_place(std::move(in_place)) {}

  State state() const { return state_.load(std::memory_order_acquire); }
  void publish(CompiledRegion compiled, CompileTimes times);
  void reject(Untraceable reason, CompileTimes times);
  void stall(const core::Global& wanted, CompileTimes times);
  /// Of a compiled region.
  const CompiledRegion& compiled() const { return compiled_; }
  /// Of a rejected one.
  const Untraceable& rejection() const { return rejection_; }
  /// Of a stalled one: what is to be computed.
  const core::Global& wanted() const { return *wanted_; }
  /// Of one that is no longer waiting.
  const CompileTimes& times() const { return times_; }
  /// The second tier's code is there.  On any thread.
  void note_promoted() { has_new_code_.store(true, std::memory_order_release); }
  /// Whether that has been noted since it was asked last.
  bool has_new_code() { return has_new_code_.exchange(false, std::memory_order_acquire); }
  /// The first tier's code goes on, as the second tier's could not be made.  On any thread.
  void stay_in_first_tier(std::string why);
  /// Why, in words; empty if nothing went wrong.
  std::string not_promoted() const;

  const RegionKey key;
  const std::string name;
  const Span span;
  const std::string why;  ///< it was to be compiled: in words, for reports
  const Globals in_place; ///< what its code computes itself, as the evaluator could not

  Occasion
      occasion; ///< that later processes have been told of, if known; set before it is compiled

  /// Its launches would go better with code that is not made yet.
  std::atomic<bool> wants_code{false};

  std::uint64_t runs = 0, failures = 0;
  std::int64_t run_nanoseconds = 0;
  Pace pace; ///< of its present code, by the work of the offers
  std::uint64_t least_bytes = 0;
  std::vector<std::optional<Scalar>> first_scalars; ///< of its first run's arguments
  bool is_promoted = false;                         ///< or is about to be
  bool fits_marks = false;                          ///< no mark would have a reason to refuse it
  bool breaks_rules = false; ///< of a rejected one: by a fault of the compiler, which is to be seen
  std::uint64_t last_used = 0; ///< the swapper's count of runs

private:
  std::atomic<State> state_{State::Waiting};
  std::atomic<bool> has_new_code_{false};
  CompiledRegion compiled_;
  Untraceable rejection_;
  const core::Global* wanted_ = nullptr;
  CompileTimes times_;
  mutable std::mutex promotion_mutex_;
  std::string not_promoted_; ///< guarded by `promotion_mutex_`
};

/// How a run of a compiled region ended: with a value, or before its end.
using RegionOutcome = std::variant<Value, Stopped>;

/// Runs a compiled region.  Inputs that are moved in may be overwritten.  Throws RuntimeError if
/// there is no memory.
RegionOutcome run(Region& region, std::vector<Value> inputs, const SwapContext& session,
                  const RunContext& context);

} // namespace sinter::jit
