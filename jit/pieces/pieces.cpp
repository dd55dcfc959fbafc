#include "jit/pieces/pieces.h"

#include "jit/ir/print.h"
#include "jit/marks/known_values.h"
#include "jit/passes/pipeline.h"
#include "jit/pieces/evaluated_place.h"
#include "jit/pieces/piece_functions.h"
#include "jit/reasons/reasons.h"
#include "jit/runtime/places.h"
#include "jit/trace/trace.h"
#include "lang/eval/native_stack.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <stdexcept>
#include <utility>

namespace sinter::jit {

namespace {

/// What is known of an entry point before it is cut.
struct TracedEntry {
  ir::Function function;
  std::vector<Layout> parameters;
  Layout result;
};

/// The entry point's function, ready to be cut.
std::variant<TracedEntry, NotCut> traced(const core::Function& entry, const SwapOptions& options,
                                         const SwapContext& session) {
  TracedEntry result;
  LayoutsByType by_type;
  for (const core::Pattern* parameter : entry.parameters) {
    const std::optional<Layout> layout = by_type(parameter->type);
    if (!layout) return NotCut{"a parameter is of no type that compiled code knows", entry.span};
    result.parameters.push_back(*layout);
  }
  if (by_type.choose_others())
    return NotCut{"a parameter is a sum: code is made for each of its constructors", entry.span};
  TraceOutcome outcome = Untraceable{};
  eval::NativeStacks().run([&](const std::byte* stack_limit) {
    TraceOptions trace_options;
    trace_options.stack_limit = stack_limit;
    outcome =
        trace(CallTarget{&entry, 0}, result.parameters, *session.representations, trace_options);
  });
  if (const auto* untraceable = std::get_if<Untraceable>(&outcome))
    return NotCut{untraceable->reason, untraceable->span};
  TracedRegion& region = std::get<TracedRegion>(outcome);
  assert(region.globals.empty() && region.awaited.empty());
  result.function = std::move(region.trace.function);
  result.result = std::move(region.trace.result);
  PassOptions passes = options.passes();
  passes.passes = passes_before_cutting();
  optimise(result.function, passes);
  return result;
}

/// Along the first size that allows it; if none does, why the first one does not.
std::variant<CutPlan, NotCut> first_plan(const ir::Function& function, Span span) {
  std::optional<NotCut> refusal;
  for (ir::ValueId size : sizes_to_cut(function)) {
    std::variant<CutPlan, NotCut> plan = plan_cut(function, size);
    if (std::holds_alternative<CutPlan>(plan)) return plan;
    if (!refusal) refusal = std::get<NotCut>(plan);
  }
  if (!refusal) refusal = NotCut{"it has no parameter with a size", {}};
  if (!refusal->span.is_known()) refusal->span = span;
  return *refusal;
}

/// How each parameter, or each field of a result, is cut, from the places that it has.
template <typename OfPlace>
std::vector<CutOfValue> by_value(const std::vector<Layout>& layouts, OfPlace&& of_place) {
  std::vector<CutOfValue> result;
  std::size_t next = 0;
  for (const Layout& layout : layouts) {
    CutOfValue cut;
    for (std::size_t i = 0; i < place_count(layout); ++i)
      of_place(next++, cut);
    result.push_back(std::move(cut));
  }
  return result;
}

std::vector<Layout> fields_of(const Layout& layout, const Representation* type) {
  const bool is_spread = layout.kind == Layout::Kind::Record && type && type->is_record() &&
                         is_tuple(type->record()) && !layout.parts.empty();
  return is_spread ? layout.parts : std::vector<Layout>{layout};
}

PieceReport report_of(const TracedEntry& entry, const core::Function& function, const CutPlan& plan,
                      const PieceFunctions& functions) {
  const ir::Function& whole = entry.function;
  PieceReport report;
  report.parameters = by_value(entry.parameters, [&](std::size_t place, CutOfValue& cut) {
    const auto parameter = plan.parameters.find(whole.body.parameters[place]);
    if (parameter == plan.parameters.end()) return;
    if (parameter->second.is_cut) cut.way = CutOfValue::Way::Block;
    cut.low = std::max(cut.low, parameter->second.low);
    cut.high = std::max(cut.high, parameter->second.high);
    if (cut.why.empty()) cut.why = parameter->second.why_whole;
  });
  const Representation* type = function.body ? function.body->type : nullptr;
  report.results = by_value(fields_of(entry.result, type), [&](std::size_t place, CutOfValue& cut) {
    const ir::Operand& result = whole.body.results[place];
    if (result.is_constant()) return;
    const Stage stage = plan.stage(result);
    const bool is_array = !whole.type(result).is_scalar();
    if (stage == Stage::Late || (stage == Stage::Count && cut.way == CutOfValue::Way::Whole))
      cut.way = CutOfValue::Way::Fold;
    if (is_array && stage == Stage::Cut) cut.way = CutOfValue::Way::Block;
    if (is_array && stage == Stage::Kept) cut.way = CutOfValue::Way::Kept;
  });
  report.row = plan.any_cut_is_exact() ? 1 : primitives::row_length;
  report.state = functions.state;
  report.chunk = ir::print(functions.chunk);
  report.finish = ir::print(functions.finish);
  return report;
}

Leaf block_of(Leaf leaf, std::int64_t first, std::int64_t count) {
  leaf.offset += first * leaf.strides[0];
  leaf.extents[0] = count;
  return leaf;
}

class CompiledPieces final : public PieceProgram {
public:
  CompiledPieces(const SwapOptions& options, const SwapContext& session, const MakeExecutable& make)
      : options_(options), session_(session), make_(make) {}

  void cut(const core::Function& function) {
    std::variant<TracedEntry, NotCut> entry = traced(function, options_, session_);
    if (const auto* refusal = std::get_if<NotCut>(&entry)) return refuse(*refusal, function.span);
    entry_ = std::get<TracedEntry>(std::move(entry));
    const std::variant<CutPlan, NotCut> plan = first_plan(entry_.function, function.span);
    if (const auto* refusal = std::get_if<NotCut>(&plan)) return refuse(*refusal, function.span);
    extent_ = std::get<CutPlan>(plan).extent;
    functions_ = piece_functions(entry_.function, std::get<CutPlan>(plan));
    report_ = report_of(entry_, function, std::get<CutPlan>(plan), functions_);
  }

  void refuse(const NotCut& refusal, Span span) {
    report_.refusal = refusal.why;
    report_.refusal_span = refusal.span.is_known() ? refusal.span : span;
  }

  const PieceReport& report() const override { return report_; }

  std::int64_t extent(std::span<const Value> arguments) override {
    return extent_in(places_of(arguments));
  }

  PieceState chunk(std::span<const Value> arguments, std::int64_t first,
                   std::int64_t count) override {
    const std::vector<Datum> places = places_of(arguments);
    const std::int64_t n = extent_in(places);
    assert(first >= 0 && count >= 0 && first + count <= n);
    std::vector<Datum> given;
    for (const ChunkArgument& argument : functions_.arguments) {
      const std::int64_t begin = std::max<std::int64_t>(0, first - argument.low);
      const std::int64_t end = std::min(n, first + count + argument.high);
      switch (argument.kind) {
      case ChunkArgument::Kind::First:
        given.emplace_back(Scalar::of(first));
        break;
      case ChunkArgument::Kind::Count:
        given.emplace_back(Scalar::of(count));
        break;
      case ChunkArgument::Kind::HaloBegin:
        given.emplace_back(Scalar::of(begin));
        break;
      case ChunkArgument::Kind::HaloCount:
        given.emplace_back(Scalar::of(end - begin));
        break;
      case ChunkArgument::Kind::Whole:
        given.push_back(places[argument.parameter]);
        break;
      case ChunkArgument::Kind::Block: {
        const Leaf& leaf = std::get<Leaf>(places[argument.parameter]);
        if (leaf.extents[0] != n)
          throw RuntimeError(FailureKind::Program,
                             "arrays that are cut together have " + std::to_string(n) + " and " +
                                 std::to_string(leaf.extents[0]) + " elements");
        given.emplace_back(block_of(leaf, begin, end - begin));
        break;
      }
      }
    }
    return run(chunk_, functions_.chunk, std::move(given));
  }

  Value finish(PieceState all) override {
    require_form(all);
    std::vector<Datum> results = run(finish_, functions_.finish, std::move(all));
    std::size_t next = 0;
    return put_together(entry_.result, results, next);
  }

private:
  /// Throws RuntimeError where a state is not one of the finish's: it may come from a file.
  void require_form(const PieceState& state) const {
    const ir::Function& finish = functions_.finish;
    const std::vector<ir::ValueId>& parameters = finish.body.parameters;
    bool is_right = state.size() == parameters.size();
    for (std::size_t i = 0; is_right && i < state.size(); ++i) {
      const ir::Type& type = finish.type(parameters[i]);
      const auto* leaf = std::get_if<Leaf>(&state[i]);
      is_right = leaf ? leaf->element == type.element && leaf->extents.size() == type.rank()
                      : type.is_scalar();
      for (std::size_t d = 0; is_right && leaf && d < type.rank(); ++d)
        is_right = leaf->extents[d] == extent_in_state(type.extents[d], state);
    }
    if (!is_right)
      throw RuntimeError(FailureKind::Program, "the state is none of this entry point's");
  }
  std::int64_t extent_in_state(const ir::Operand& extent, const PieceState& state) const {
    if (extent.is_constant()) return extent.scalar().as<std::int64_t>();
    const std::vector<ir::ValueId>& parameters = functions_.finish.body.parameters;
    const auto at = std::ranges::find(parameters, extent.value()) - parameters.begin();
    return std::get<Scalar>(state[static_cast<std::size_t>(at)]).as<std::int64_t>();
  }

  std::vector<Datum> places_of(std::span<const Value> arguments) const {
    std::vector<Datum> places;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      take_apart(arguments[i], entry_.parameters[i], places);
    return places;
  }
  std::int64_t extent_in(const std::vector<Datum>& places) const {
    const std::vector<ir::ValueId>& parameters = entry_.function.body.parameters;
    const auto at = std::ranges::find(parameters, extent_) - parameters.begin();
    const auto n = std::get<Scalar>(places[static_cast<std::size_t>(at)]).as<std::int64_t>();
    if (n < 0 || n >= ir::extent_limit)
      throw RuntimeError(FailureKind::Program, "a size is " + std::to_string(n));
    return n;
  }

  std::shared_ptr<Executable> made(ir::Function function) {
    const PassOptions passes = options_.passes();
    optimise(function, passes);
    CompileOptions options;
    options.floats = options_.floats;
    options.lanes = options_.lanes;
    options.device = options_.device;
    options.passes = passes;
    if (options_.mode == Mode::Interpret)
      return make_executable(std::move(function), Places(evaluated_), options);
    return make_(std::move(function), options);
  }

  std::vector<Datum> run(std::shared_ptr<Executable>& executable, const ir::Function& function,
                         std::vector<Datum> arguments) {
    if (!executable) try {
        executable = made(function);
      } catch (const RuntimeError&) {
        throw;
      } catch (const AbsentDevice& error) {
        throw RuntimeError(FailureKind::Unsupported,
                           words(Reason::NoSuchDevice, {name(options_.device), error.what()}));
      } catch (const std::exception& error) {
        throw RuntimeError(FailureKind::Unsupported, words(Reason::CompilerFault, {error.what()}));
      }
    RunContext context;
    context.memory = session_.memory;
    context.interrupt = session_.interrupt;
    context.epoch = session_.interrupt ? session_.interrupt->epoch() : 0;
    context.threads = options_.threads;
    Outcome outcome = executable->run(std::move(arguments), context);
    if (const auto* stopped = std::get_if<Stopped>(&outcome)) throw error_of(*executable, *stopped);
    return std::get<std::vector<Datum>>(std::move(outcome));
  }

  RuntimeError error_of(const Executable& executable, const Stopped& stopped) const {
    if (stopped.why == Stopped::Why::Interrupted) return interruption(session_.interrupt->reason());
    if (stopped.why != Stopped::Why::Failed)
      return {FailureKind::OutOfMemory, stopped.words, stopped.span};
    const ir::FailureSite& site = executable.function().failures[stopped.site];
    RuntimeError error(site.kind, site.message, site.span);
    if (!site.id.empty()) error.id = site.id;
    error.frames = site.frames;
    return error;
  }

  const SwapOptions options_;
  const SwapContext session_;
  const MakeExecutable& make_;
  EvaluatedPlace evaluated_;
  TracedEntry entry_;
  ir::ValueId extent_;
  PieceFunctions functions_;
  PieceReport report_;
  std::shared_ptr<Executable> chunk_, finish_;
};

} // namespace

std::unique_ptr<PieceProgram> make_piece_program(const core::Function& function,
                                                 const SwapOptions& options,
                                                 const SwapContext& session,
                                                 const MakeExecutable& make) {
  auto program = std::make_unique<CompiledPieces>(options, session, make);
  try {
    program->cut(function);
  } catch (const RuntimeError&) {
    throw; // interrupted, or no memory
  } catch (const std::exception& error) {
    program->refuse({words(Reason::CompilerFault, {error.what()}), function.span}, function.span);
  }
  return program;
}

} // namespace sinter::jit
