#include "jit/marks/examine.h"

#include "jit/ir/walk.h"
#include "jit/marks/marked_expressions.h"
#include "jit/marks/objections.h"
#include "jit/passes/parallel_loops.h"
#include "jit/passes/pipeline.h"
#include "jit/reasons/reasons.h"
#include "jit/runtime/places.h"
#include "lang/base/runtime_error.h"
#include "lang/eval/forecast.h"
#include "lang/eval/native_stack.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <exception>
#include <optional>
#include <utility>

namespace sinter::jit {

namespace {

/// An expression whose inputs have sums is looked at for so many choices of their constructors.
constexpr int most_choices = 16;

/// Whether arrays are made or gone through.
bool works_on_arrays(const ir::Function& function, const ir::Body& body) {
  return std::ranges::any_of(body.statements, [&](const ir::Statement& statement) {
    if (std::holds_alternative<ir::Soac>(statement.operation)) return true;
    if (std::holds_alternative<ir::Index>(statement.operation)) return false; // as a scalar's
    bool does = std::ranges::any_of(
        statement.results, [&](ir::ValueId result) { return !function.type(result).is_scalar(); });
    ir::for_each_body(statement.operation, [&](const ir::Body& inner) {
      does = does || works_on_arrays(function, inner);
    });
    return does;
  });
}

void add_size(const Layout& layout, MarkedValue& value) {
  switch (layout.kind) {
  case Layout::Kind::Scalar:
    value.bytes += byte_size(layout.scalar);
    break;
  case Layout::Kind::Array:
    value.is_array = true;
    for (const LeafLayout& leaf : layout.array->array().element->leaves)
      if (!leaf.is_unit) value.bytes += byte_size(leaf.element);
    break;
  default:
    for (const Layout& part : layout.parts)
      add_size(part, value);
  }
}

MarkedValue described(const Layout& layout, const Representation* type, Span name) {
  MarkedValue value;
  value.name = name;
  if (type) value.type = print(type);
  add_size(layout, value);
  return value;
}

/// Leaves out what may fail: of an expression alone nobody knows how large its inputs are to each
/// other, and whether a place is there has nothing to do with what is carried.
void drop_checks(ir::Body& body) {
  std::erase_if(body.statements, [](const ir::Statement& statement) {
    return std::holds_alternative<ir::Check>(statement.operation);
  });
  for (ir::Statement& statement : body.statements)
    ir::for_each_body(statement.operation, [](ir::Body& inner) { drop_checks(inner); });
}

/// One that nothing is known of yet.
MarkReport report_of(const MarkedExpression& marked) {
  MarkReport report;
  report.is_loop = marked.is_loop;
  report.mark = marked.mark;
  report.mark_span = marked.mark_span;
  report.span = marked.span;
  report.is_inside = marked.is_inside;
  return report;
}

/// What belongs to one of them.
class Examination {
public:
  Examination(const MarkedExpression& marked, const SwapOptions& options,
              const SwapContext& session, const MakeExecutable& make, const std::byte* stack_limit)
      : marked_(marked), options_(options), session_(session), make_(make),
        stack_limit_(stack_limit), report_(report_of(marked)) {
    report_.device = device_for(marked.mark, options.device);
  }

  MarkReport run() {
    LayoutsByType by_type;
    int choices = 0;
    bool has_more = false;
    do {
      by_type.begin();
      std::vector<Layout> inputs;
      for (const MarkedExpression::Input& input : marked_.inputs) {
        std::optional<Layout> layout = input.known ? input.known : by_type(input.type);
        if (!layout) {
          report_.not_checked = "no instance";
          return std::move(report_);
        }
        inputs.push_back(std::move(*layout));
      }
      look(inputs, choices == 0);
      has_more = by_type.choose_others();
    } while (++choices < most_choices && has_more);
    if (has_more)
      add({Severity::Remark, unchecked_id, marked_.span,
           "not checked: more than " + std::to_string(most_choices) +
               " choices of its inputs' constructors"});
    return std::move(report_);
  }

private:
  /// `is_first`: what is told of the code is told of this choice of constructors.
  void look(const std::vector<Layout>& inputs, bool is_first) {
    try {
      TraceOutcome outcome =
          trace(marked_.target, inputs, *session_.representations, trace_options());
      if (const auto* untraceable = std::get_if<Untraceable>(&outcome)) {
        if (!marked_.is_loop) return object(objection_to(*untraceable));
        if (!untraceable->is_failure) report_.not_checked = untraceable->reason;
        return;
      }
      TracedRegion region = std::get<TracedRegion>(std::move(outcome));
      if (marked_.is_loop) return look_at_loop(std::move(region.trace.function));
      if (is_first) extract(inputs, region);
      if (!works_on_arrays(region.trace.function, region.trace.function.body))
        add({Severity::Warning, nothing_id, marked_.span,
             "nothing in here works on arrays: there is nothing to accelerate"});
      object(objection_to(*planned(std::move(region.trace.function)), marked_.mark));
    } catch (const AbsentDevice& error) {
      object(MarkObjection{backend_id,
                           "this cannot be accelerated: " +
                               words(Reason::NoSuchDevice, {name(report_.device), error.what()}),
                           {}});
    }
  }

  /// Of what marked loops carry, as the pass sees it that would make them parallel, and of those
  /// that it leaves.
  void look_at_loop(ir::Function function) {
    const std::span<const Pass> passes = common_passes();
    const auto own = std::ranges::find(passes, "parallel-loops", &Pass::name);
    assert(own != passes.end());
    drop_checks(function.body);
    optimise(function, {}, {}, {passes.begin(), own});
    const MarkedLoops loops = look_at_marked_loops(std::move(function));
    for (const CarriedState& state : loops.carried)
      add({Severity::Error, carried_id, state.span.is_known() ? state.span : marked_.span,
           text(state), state.written});
    for (const std::string_view why : loops.staying)
      add({marked_.is_demanded ? Severity::Error : Severity::Remark, staying_id, marked_.span,
           "this loop runs in order: " + std::string(why)});
  }

  TraceOptions trace_options() {
    TraceOptions result;
    result.is_marked = !marked_.is_loop;
    result.stack_limit = stack_limit_;
    result.device = report_.device;
    result.global = session_.global;
    result.assumed_global = [this](const core::Global& global) -> std::optional<Layout> {
      if (!forecaster_.has_work(*global.body)) return std::nullopt;
      return LayoutsByType()(global.type);
    };
    return result;
  }

  std::shared_ptr<Executable> planned(ir::Function function) const {
    const PassOptions passes = options_.passes();
    optimise(function, passes, {});
    CompileOptions compile_options;
    compile_options.floats = options_.floats;
    compile_options.lanes = options_.lanes;
    compile_options.device = report_.device;
    compile_options.passes = passes;
    compile_options.is_plan_only = true;
    return make_(std::move(function), compile_options);
  }

  void extract(const std::vector<Layout>& inputs, const TracedRegion& region) {
    for (const core::Function* function : region.trace.functions)
      if (!function->primitive) report_.functions.push_back({function->name, function->span});
    for (std::size_t i = 0; i < inputs.size(); ++i)
      report_.inputs.push_back(
          described(inputs[i], marked_.inputs[i].type, marked_.inputs[i].name));
    for (const GlobalInput& global : region.globals)
      report_.inputs.push_back(described(global.layout, global.global->type, global.global->span));
    const core::Expr* const body = body_of(marked_.target);
    report_.results.push_back(described(region.trace.result, body ? body->type : nullptr, {}));
  }

  static const core::Expr* body_of(const Target& target) {
    if (const auto* call = std::get_if<CallTarget>(&target)) return call->function->body;
    return std::get<ExpressionTarget>(target).expr;
  }

  void object(const std::optional<MarkObjection>& objection) {
    if (!objection) return;
    add({marked_.mark.is_preference ? Severity::Remark : Severity::Error, objection->id,
         objection->span.is_known() ? objection->span : marked_.span, objection->message});
  }

  void add(MarkFinding finding) {
    const auto is_same = [&](const MarkFinding& known) {
      return known.id == finding.id && known.span == finding.span;
    };
    if (std::ranges::none_of(report_.findings, is_same))
      report_.findings.push_back(std::move(finding));
  }

  const MarkedExpression& marked_;
  const SwapOptions& options_;
  const SwapContext& session_;
  const MakeExecutable& make_;
  const std::byte* stack_limit_;
  eval::Forecaster forecaster_;
  MarkReport report_;
};

std::vector<MarkReport> examined(const MarkQuestion& question, const SwapOptions& options,
                                 const SwapContext& session, const MakeExecutable& make,
                                 const std::byte* stack_limit) {
  std::vector<MarkReport> reports;
  for (const MarkedExpression& marked : marked_expressions(question)) {
    if (marked.is_inside) {
      reports.push_back(report_of(marked));
      continue;
    }
    try {
      reports.push_back(Examination(marked, options, session, make, stack_limit).run());
    } catch (const RuntimeError&) {
      throw;                                // interrupted
    } catch (const std::exception& error) { // a fault of ours: the program runs, interpreted
      reports.push_back(report_of(marked));
      reports.back().not_checked = error.what();
    }
  }
  return reports;
}

} // namespace

std::vector<MarkReport> examine_marks(const MarkQuestion& question, const SwapOptions& options,
                                      const SwapContext& session, const MakeExecutable& make) {
  std::vector<MarkReport> reports;
  // (A program's functions may call each other far down.)
  eval::NativeStacks().run([&](const std::byte* stack_limit) {
    reports = examined(question, options, session, make, stack_limit);
  });
  return reports;
}

} // namespace sinter::jit
