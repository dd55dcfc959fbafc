#include "jit/trace/trace.h"

#include "jit/trace/ownership.h"
#include "jit/trace/places.h"
#include "jit/trace/symbolic_domain.h"
#include "lang/base/runtime_error.h"
#include "lang/eval/native_stack.h"
#include "lang/eval/walker.h"

#include <utility>

namespace sinter::jit {

namespace {

using SymbolicWalker = eval::Walker<SymbolicDomain>;

/// Where a lone array operation stands: what its target says.
class TargetSite final : public SymbolicSite {
public:
  TargetSite(SymbolicWalker& walker, const OperationTarget& target,
             std::vector<std::optional<SymbolicScalar>> extents)
      : walker_(walker), target_(target), extents_(std::move(extents)) {}

  const Representation* type() const override { return target_.result; }
  const Representation* argument_type(std::size_t position) const override {
    return target_.arguments[position];
  }
  Span span() const override { return {}; }
  const void* place() const override { return &target_; }
  std::vector<StackFrame> calls() const override { return walker_.call_stack({}); }
  std::vector<std::optional<SymbolicScalar>> extents() override { return extents_; }
  std::vector<bool> named_extents() const override { return target_.named_extents; }
  SymbolicValue call(const SymbolicValue& function, std::span<SymbolicValue> arguments) override {
    return walker_.apply(function, arguments, {});
  }
  void poll() override {}

private:
  SymbolicWalker& walker_;
  const OperationTarget& target_;
  std::vector<std::optional<SymbolicScalar>> extents_;
};

std::string name_of(const Target& target) {
  if (const auto* call = std::get_if<CallTarget>(&target)) return call->function->name;
  if (std::holds_alternative<OperationTarget>(target)) return "operation";
  return std::holds_alternative<LoopTarget>(target) ? "loop" : "expression";
}

/// Walks a target over its inputs.
struct TargetWalk {
  SymbolicWalker& walker;
  SymbolicDomain& domain;
  std::span<SymbolicValue> inputs;

  SymbolicValue operator()(const CallTarget& target) const {
    return walker.run(*target.function, inputs.data(), inputs.subspan(target.capture_count));
  }
  SymbolicValue operator()(const OperationTarget& target) const {
    const std::size_t count = target.arguments.size();
    std::vector<std::optional<SymbolicScalar>> extents(target.named_extents.size());
    std::size_t next = count;
    for (std::size_t i = 0; i < extents.size(); ++i)
      if (target.named_extents[i]) extents[i] = inputs[next++].scalar();
    TargetSite site(walker, target, std::move(extents));
    return domain.array_operation(target.operation, inputs.first(count), site);
  }
  SymbolicValue operator()(const LoopTarget& target) const {
    const core::Loop& loop = std::get<core::Loop>(target.loop->node);
    auto [slots, captures, next] = frame_of(target);
    SymbolicValue state = inputs[next++];
    SymbolicScalar first, bound;
    SymbolicValue elements;
    if (std::holds_alternative<core::ForLess>(loop.form)) {
      first = inputs[next++].scalar();
      bound = inputs[next++].scalar();
    } else if (std::holds_alternative<core::ForIn>(loop.form)) {
      elements = inputs[next++];
    }
    return walker.run_loop(*target.loop, slots, captures.data(), std::move(state), first, bound,
                           std::move(elements));
  }
  SymbolicValue operator()(const ExpressionTarget& target) const {
    auto [slots, captures, next] = frame_of(target);
    return walker.run_expression(*target.expr, slots, captures.data());
  }

private:
  struct Frame {
    std::vector<SymbolicValue> slots, captures;
    std::size_t next = 0; ///< the input behind those of the frame
  };
  template <typename TargetInFrame>
  Frame frame_of(const TargetInFrame& target) const {
    Frame frame;
    frame.slots.resize(target.frame_size);
    for (core::Slot slot : target.free_slots)
      frame.slots[slot] = inputs[frame.next++];
    for (std::uint32_t index : target.free_captures) {
      if (frame.captures.size() <= index) frame.captures.resize(index + 1);
      frame.captures[index] = inputs[frame.next++];
    }
    return frame;
  }
};

/// Ends an attempt: all paths wait for globals, this one among them, and which of them is needed
/// only a run can tell.
struct AllPathsWait {
  AwaitedGlobal last;
};

/// One attempt; `in_place` could be awaited, but then nothing would be left.
TracedRegion attempt(const Target& target, std::span<const Layout> inputs,
                     Representations& representations, const TraceOptions& options,
                     const std::vector<AwaitedGlobal>& in_place) {
  TracedRegion region;
  ir::Builder builder(name_of(target));
  SymbolicDomain domain(builder, representations, options);
  Code& code = domain.code();
  Globals& constants = domain.globals();
  std::vector<SymbolicValue> values;
  for (const Layout& layout : inputs)
    values.push_back(parameters(code, layout));
  for (const AwaitedGlobal& global : in_place)
    constants.trace_in_place(*global.global);
  SymbolicValue result;
  const auto walk = [&](const std::byte* stack_limit) {
    EvaluationContext context;
    context.trace = [&](const std::string&) {
      code.refuse(Reason::ForTheInterpreter, {"#[trace]"});
    };
    context.breakpoint = [&](const BreakPlace&) {
      code.refuse(Reason::ForTheInterpreter, {"#[break]"});
    };
    eval::ValueStack<SymbolicDomain::Values> values_of_frames;
    SymbolicWalker walker(domain, context, values_of_frames, stack_limit);
    walker.set_unsafe(options.is_unsafe);
    code.set_call_stack([&](Span span) { return walker.call_stack(span); });
    result = std::visit(TargetWalk{walker, domain, values}, target);
  };
  try {
    if (options.stack_limit) {
      walk(options.stack_limit);
    } else {
      eval::NativeStacks().run(walk);
    }
  } catch (const RuntimeError& error) {
    if (error.kind == FailureKind::Deferred) throw AllPathsWait{constants.awaited().back()};
    throw;
  }
  std::vector<ir::Operand> places;
  region.trace.result = take_layout(code, result, places);
  region.trace.sources = code.sources();
  region.trace.functions = code.functions();
  region.awaited = constants.awaited();
  region.awaited.insert(region.awaited.end(), in_place.begin(), in_place.end());
  region.globals = constants.inputs();
  region.written = builder.statement_count();
  region.trace.function = builder.finish(std::move(places));
  insert_copies(region.trace.function);
  return region;
}

} // namespace

TraceOutcome trace(const Target& target, std::vector<Layout> inputs,
                   Representations& representations, const TraceOptions& options) {
  std::vector<AwaitedGlobal> in_place;
  while (true) {
    try {
      return attempt(target, inputs, representations, options, in_place);
    } catch (const AllPathsWait& wait) {
      in_place.push_back(wait.last);
    } catch (const WantedGlobal& wanted) {
      return wanted;
    } catch (const CannotTrace& refusal) {
      return refusal.why;
    } catch (const RuntimeError& error) {
      // (Sizes that compiled code does not have are no failure.)
      const bool fails = error.kind != FailureKind::OutOfMemory;
      return Untraceable{words(fails ? Reason::AlwaysFails : Reason::NoSuchSizes, {error.message}),
                         error.span, true};
    }
  }
}

} // namespace sinter::jit
