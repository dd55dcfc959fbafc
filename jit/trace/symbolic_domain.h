// The domain of IR values: walking a program over it leaves an IR function behind.
//
// Scalars and arrays are handles of symbolic_values.h; every operation appends to an ir::Builder.
// Control that depends on data becomes IR control: both sides of a branch are traced and joined
// (symbolic_control.cpp), a loop's body is traced until its state has a fixed form
// (symbolic_loops.cpp).  Array operations are in symbolic_soacs.cpp (functions over elements),
// symbolic_writes.cpp, symbolic_indexing.cpp and symbolic_rearranging.cpp; what becomes of numbers
// that are sizes of arrays in symbolic_sizes.cpp; how values lie in arrays in
// symbolic_elements.cpp.
//
// The trace is pure: who owns which array is decided when it is complete (ownership.h).  What a
// compiled function cannot be is thrown as CannotTrace; what would fail while running becomes a
// check.  A check may also be stricter than the language in cases that do not matter (sizes near
// 2^63): a failing check only means that the interpreter evaluates the region.
#pragma once

#include "jit/ir/build.h"
#include "jit/ir/size_facts.h"
#include "jit/trace/symbolic_values.h"
#include "jit/trace/trace.h"
#include "lang/eval/domain.h"

#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace sinter::jit {

/// Ends a trace.
struct CannotTrace : std::exception {
  explicit CannotTrace(Untraceable why) : why(std::move(why)) {}
  const char* what() const noexcept override { return why.reason.c_str(); }
  Untraceable why;
};
using SymbolicSite = eval::Site<Symbolic>;
using SymbolicPart = eval::IndexPart<Symbolic>;

class SymbolicDomain {
public:
  using Values = Symbolic;
  using Value = SymbolicValue;
  using Truth = SymbolicScalar;

  SymbolicDomain(ir::Builder& builder, Representations& representations,
                 const TraceOptions& options)
      : builder_(builder), representations_(representations), options_(options),
        sizes_(no_size_facts()) {}

  /// What tells the calls around a place; for the failures of checks.
  void set_call_stack(std::function<std::vector<StackFrame>(Span)> call_stack) {
    call_stack_ = std::move(call_stack);
  }
  /// Globals whose values are parameters of the function, in their order.
  const std::vector<GlobalInput>& global_inputs() const { return global_inputs_; }
  /// A global that is not awaited, whatever the options say.
  void trace_in_place(const core::Global& global) { in_place_.insert(&global); }
  /// What checks wait for, and perhaps more.
  const std::vector<AwaitedGlobal>& awaited() const { return awaited_; }

  // ---- between handles and operands -------------------------------------------------------------

  ir::Operand operand(SymbolicScalar scalar) const {
    if (scalar.kind == SymbolicScalar::Kind::Constant) return constants_[scalar.index];
    if (scalar.kind == SymbolicScalar::Kind::None) refuse("a value that is not there is used");
    return ir::ValueId{scalar.index};
  }
  SymbolicScalar handle(const ir::Operand& operand);
  ir::Operand operand(const Value& value) const { return operand(value.scalar()); }
  Value make_array(const Representation* type, std::vector<ir::Operand> extents,
                   std::vector<ir::ValueId> leaves);

  /// The operands of a value in the order of a layout's places (layout.h); its layout.
  Layout take_layout(const Value& value, std::vector<ir::Operand>& places);
  /// The value of a layout over new parameters of the innermost body.
  Value parameters(const Layout& layout);
  /// The value of a global, if it holds no arrays, else nothing.
  std::optional<Value> constant_value(const sinter::Value& value, const Representation* type);

  // ---- calls and variables ----------------------------------------------------------------------

  template <typename At, typename Body>
  Value call(const core::Function& function, const Value*, std::span<Value> arguments, At&&,
             Body&& body) {
    if (is_last_call(function)) return next_call(arguments);
    CallDepth depth(*this, function);
    return is_loop(function) ? trace_recursion(function, arguments, body) : body();
  }
  template <typename Compute>
  Value global(const core::Global& global, Compute&& compute) {
    if (std::optional<Value> known = known_global(global)) return std::move(*known);
    if (can_await(global)) await(global);
    if (repeated_ == 0) return compute();
    // Once, not again for each element that looks at it.
    AtBegin outside(*this);
    return globals_.try_emplace(&global, compute()).first->second;
  }
  /// What acts while it is evaluated, or is not to be compiled, is no part of a trace.
  template <typename Continuation>
  Value attributed(const syntax::Attribute& attribute, Continuation&& continuation) {
    if (attribute.name == "trace" || attribute.name == "break" || attribute.name == "interpret")
      refuse("`#[" + std::string(attribute.name) + "]` is for the interpreter");
    return continuation();
  }
  void here(Span span) { span_ = span; }
  /// All paths are walked, so a variable is never left empty.
  Value take(Value& variable) { return variable; }

  // ---- scalars ----------------------------------------------------------------------------------

  SymbolicScalar literal(ElementType type, Scalar value) {
    return handle(ir::Operand::constant(type, value));
  }
  SymbolicScalar primitive(const primitives::Primitive& primitive, SymbolicScalar a,
                           SymbolicScalar b, SymbolicScalar c);

  // ---- control on data --------------------------------------------------------------------------

  Truth truth(SymbolicScalar scalar) { return scalar; }
  std::optional<bool> decided(Truth truth) const {
    if (truth.kind != SymbolicScalar::Kind::Constant) return std::nullopt;
    return constants_[truth.index].scalar().as<bool>();
  }
  Truth both(Truth a, Truth b) { return handle(both(operand(a), operand(b))); }
  Truth equals(ElementType type, Scalar literal, SymbolicScalar value);
  Truth has_tag(const Value& sum, std::uint32_t tag);
  std::span<const Value> payload(const Value& sum, std::uint32_t tag) const;
  std::span<Value> payload(Value& sum, std::uint32_t tag) const;
  Truth same_size(SymbolicScalar a, SymbolicScalar b) {
    return handle(same_size(operand(a), operand(b)));
  }
  template <typename Then, typename Else>
  auto branch(Truth truth, Then&& then_branch, Else&& else_branch) -> decltype(then_branch()) {
    if (std::optional<bool> known = decided(truth)) return *known ? then_branch() : else_branch();
    auto joined = branch_on(
        operand(truth), [&] { return Value(then_branch()); }, [&] { return Value(else_branch()); });
    if constexpr (std::is_same_v<decltype(then_branch()), SymbolicScalar>)
      return joined.scalar();
    else
      return joined;
  }
  template <typename Failure>
  void require(Truth truth, Failure&& failure) {
    if (decided(truth) == true) return;
    try {
      failure();
    } catch (const RuntimeError& error) {
      check(operand(truth), failure_site(error));
    }
  }

  template <typename At, typename Body>
  Value loop_for(const eval::LoopPlace<Symbolic>&, At&&, ElementType type, SymbolicScalar first,
                 SymbolicScalar bound, Value state, Body&& body) {
    // Loops begin at 0, and what is left of one no lower.
    Operand from = operand(first);
    if (from.is_value()) from = binary(Operation::Maximum, from, ir::Operand::constant(type, {}));
    return trace_for(type, from, operand(bound), std::move(state),
                     [&](SymbolicScalar i, Value entered) { return body(i, std::move(entered)); });
  }
  template <typename At, typename Body>
  Value loop_in(const eval::LoopPlace<Symbolic>&, At&&, Value array, Value state, Body&& body) {
    const ir::Operand zero = ir::Operand::i64(0);
    return trace_for(ElementType::I64, zero, array.array()->length(), std::move(state),
                     [&](SymbolicScalar i, Value entered) {
                       return body(element(*array.array(), {operand(i)}), std::move(entered));
                     });
  }
  template <typename At, typename Enter, typename Condition, typename Body>
  Value loop_while(const eval::LoopPlace<Symbolic>&, At&&, Value state, Enter&& enter,
                   Condition&& condition, Body&& body) {
    return trace_while(
        std::move(state),
        [&](const Value& entered) {
          enter(entered);
          return operand(condition());
        },
        [&](const Value& entered) {
          enter(entered);
          return body();
        });
  }

  // ---- arrays -----------------------------------------------------------------------------------

  Value bytes(std::string_view text);
  Value array_literal(std::span<Value> elements, SymbolicSite& site);
  Value range(const eval::RangeBounds<Symbolic>& bounds, SymbolicSite& site);
  Value index(const Value& array, std::span<const SymbolicPart> parts);
  Value update(Value array, std::span<const SymbolicPart> parts, Value replacement);
  Value array_operation(primitives::ArrayOperation operation, std::span<Value> arguments,
                        SymbolicSite& site);
  std::optional<SymbolicScalar> extent(const Value& value, std::span<const std::uint32_t> fields,
                                       std::uint32_t dimension);

  // ---- words ------------------------------------------------------------------------------------

  std::string show(const Value&, const Representation*) { refuse("#[trace] shows a value"); }
  std::string text(ElementType type, SymbolicScalar scalar) const;

  /// Spans of the calls and array operations that were traced.
  const std::vector<Span>& sources() const { return sources_; }
  [[noreturn]] void refuse(std::string reason) const {
    throw CannotTrace(Untraceable{std::move(reason), span_});
  }

private:
  using Operand = ir::Operand;
  using ValueId = ir::ValueId;
  using Operation = primitives::Operation;

  /// A tail-recursive function whose body is being walked, and the depth of calls there.
  struct Recursion {
    const core::Function* function = nullptr;
    std::size_t depth = 0;
  };
  /// Counts the calls that are being walked.
  class CallDepth {
  public:
    CallDepth(SymbolicDomain& domain, const core::Function& function);
    ~CallDepth() { --domain_.depth_; }
    CallDepth(const CallDepth&) = delete;
    CallDepth& operator=(const CallDepth&) = delete;

  private:
    SymbolicDomain& domain_;
  };

  /// How often a nested body runs.
  enum class Runs : std::uint8_t { AtMostOnce, Repeatedly };
  /// A nested body that is being traced; dropped if an exception leaves it.
  class BodyScope {
  public:
    explicit BodyScope(SymbolicDomain& domain, Runs runs = Runs::Repeatedly)
        : domain_(domain), sizes_(domain.sizes_.mark()), span_(domain.span_), runs_(runs) {
      domain.builder_.open();
      ++count();
    }
    ~BodyScope() {
      if (is_open_) close({});
    }
    BodyScope(const BodyScope&) = delete;
    BodyScope& operator=(const BodyScope&) = delete;
    ir::Body close(std::vector<ir::Operand> results) {
      is_open_ = false;
      --count();
      domain_.sizes_.undo_to(sizes_);
      domain_.span_ = span_;
      return domain_.builder_.close(std::move(results));
    }

  private:
    std::size_t& count() {
      return runs_ == Runs::Repeatedly ? domain_.repeated_ : domain_.conditional_;
    }

    SymbolicDomain& domain_;
    std::size_t sizes_;
    Span span_;
    Runs runs_;
    bool is_open_ = true;
  };

  /// While it lives, what is traced is computed once, before everything that is open.
  class AtBegin {
  public:
    explicit AtBegin(SymbolicDomain& domain)
        : domain_(domain), outermost_(domain.builder_), span_(domain.span_),
          sizes_(std::exchange(domain.sizes_, domain.no_size_facts())),
          repeated_(std::exchange(domain.repeated_, 0)),
          conditional_(std::exchange(domain.conditional_, 0)),
          recursions_(std::exchange(domain.recursions_, {})) {}
    ~AtBegin() {
      domain_.span_ = span_;
      domain_.sizes_ = std::move(sizes_);
      domain_.repeated_ = repeated_;
      domain_.conditional_ = conditional_;
      domain_.recursions_ = std::move(recursions_);
    }
    AtBegin(const AtBegin&) = delete;
    AtBegin& operator=(const AtBegin&) = delete;

  private:
    SymbolicDomain& domain_;
    ir::Builder::Outermost outermost_;
    Span span_;
    ir::SizeFacts sizes_; ///< those of the open bodies
    std::size_t repeated_, conditional_;
    std::vector<Recursion> recursions_;
  };

  /// A path that may not run, without a body of its own.
  class ConditionalScope {
  public:
    explicit ConditionalScope(SymbolicDomain& domain) : domain_(domain) { ++domain.conditional_; }
    ~ConditionalScope() { --domain_.conditional_; }
    ConditionalScope(const ConditionalScope&) = delete;
    ConditionalScope& operator=(const ConditionalScope&) = delete;

  private:
    SymbolicDomain& domain_;
  };

  class LoopForm; // symbolic_loops.cpp

  /// A value's scalars: what the leaves of an array of such values hold for it.  Both are parallel
  /// to the representation's lists; units have a constant in `leaves`.
  struct Parts {
    std::vector<Operand> extents;
    std::vector<Operand> leaves;
  };
  /// The elements of some arrays in the body of a SOAC.
  struct Elements {
    Operand index;
    std::vector<ValueId> inputs;
    std::vector<Value> values; ///< one for each array
  };
  /// Which elements an index list selects in one dimension.
  struct Selection {
    Operand begin, count, stride;
    bool is_slice = false;
  };
  /// What is known of an array's elements without looking at them.
  struct Pattern {
    bool is_iota = false; ///< element i is i
    Operand uniform;      ///< else all are this scalar
  };

  // symbolic_domain.cpp: scalars, checks, calls
  Operand both(const Operand& a, const Operand& b) { return binary(Operation::And, a, b); }
  Operand either(const Operand& a, const Operand& b) { return binary(Operation::Or, a, b); }
  Operand negation(const Operand& a);
  Operand binary(Operation operation, const Operand& a, const Operand& b) {
    return builder_.binary(operation, a, b, span_);
  }
  Operand same_size(const Operand& a, const Operand& b);
  Operand to_i64(const Operand& integer);
  Operand select(const Operand& condition, const Operand& then_value, const Operand& else_value) {
    return builder_.select(condition, then_value, else_value, span_);
  }
  void check(const Operand& condition, ir::FailureSite failure);
  /// A failure of the program; `id` as a RuntimeError's.
  void check(const Operand& condition, std::string_view id, std::string message);
  static ir::FailureSite failure_site(const RuntimeError& error);
  ir::SizeFacts no_size_facts() const {
    return ir::SizeFacts([this](ValueId value) { return builder_.definition(value); });
  }
  std::optional<Value> known_global(const core::Global& global);
  bool can_await(const core::Global& global) const {
    return options_.can_await && !in_place_.contains(&global) && options_.can_await(global);
  }
  /// Ends the trace where the region evaluates the global in any case; elsewhere ends the path.
  [[noreturn]] void await(const core::Global& global);
  void limit_statements() const;

  // symbolic_elements.cpp
  void flatten(const Value& value, const Representation* type, Parts& parts);
  void flatten_zeros(const Representation* type, Parts& parts);
  Parts flatten(const Value& value, const Representation* type) {
    Parts parts;
    flatten(value, type, parts);
    return parts;
  }
  Value unflatten(const Representation* type, std::span<const Operand> extents,
                  std::span<const Operand> leaves);
  /// The element, or row, at some indices that are in bounds.
  Value element(const SymbolicArray& array, const std::vector<Operand>& indices);
  /// The leaf as one of that type, whose extents are equal to its own: itself, where that is known;
  /// else, where only the language's types promise it, a view.
  Operand with_extents(const Operand& leaf, const ir::Type& type);
  /// Rebuilds a value with `change(old, type, is_extent)` for each operand, extents before leaves.
  using Change = std::function<Operand(const Operand&, const ir::Type&, bool is_extent)>;
  Value rebuild(const Value& value, const Change& change);
  /// An array of the type without elements.
  ValueId empty_array(const ir::Type& type);
  ValueId filled(const ir::Type& type, const Operand& scalar);

  // symbolic_control.cpp
  /// Goes on with what a closed body without parameters has done.
  void splice(ir::Body body);
  Value branch_on(const Operand& condition, const std::function<Value()>& then_branch,
                  const std::function<Value()>& else_branch);

  // symbolic_loops.cpp
  Value trace_for(ElementType type, const Operand& first, const Operand& bound, Value state,
                  const std::function<Value(SymbolicScalar, Value)>& body);
  Value trace_iterations(ElementType type, const Operand& first, const Operand& bound, Value state,
                         const std::function<Value(SymbolicScalar, Value)>& body);
  Value trace_while(Value state, const std::function<Operand(const Value&)>& condition,
                    const std::function<Value(const Value&)>& body);
  Value trace_repetitions(Value state, const std::function<Operand(const Value&)>& condition,
                          const std::function<Value(const Value&)>& body);

  // symbolic_recursion.cpp
  bool is_loop(const core::Function& function);
  /// Whether a call is the innermost recursion's of itself.
  bool is_last_call(const core::Function& function) const;
  Value next_call(std::span<const Value> arguments) const;
  Value make_step(std::uint32_t tag, std::span<const Value> payload) const;
  bool is_step(const Value& value) const;
  /// Where one of two values that are joined is a step, the other one becomes one.
  void as_steps(Value& a, Value& b) const;
  class RecursionScope;
  Value trace_recursion(const core::Function& function, std::span<Value> arguments,
                        const std::function<Value()>& body);

  // symbolic_sizes.cpp
  /// What follows is reached only if the number can be an extent; else the evaluator goes on, which
  /// has arrays of any size.
  void check_extent(const Operand& number);
  /// What follows is reached only if the condition holds; else the evaluator goes on.
  void leave_unless(const Operand& condition, std::string why);
  /// The extents of an array that joins two of those extents, or two dimensions of an array.
  Operand sum_of_extents(const Operand& a, const Operand& b);
  Operand product_of_extents(const Operand& a, const Operand& b);
  /// The result's extents where the program has names for them.
  std::vector<std::optional<Operand>> named_extents(SymbolicSite& site);
  Operand name_outside(const Operand& size) const;

  // symbolic_soacs.cpp
  Operand common_length(std::span<const Value> arrays);
  Elements open_elements(std::span<const Value> arrays, const Operand& extent);
  Operand element_parameter(ValueId leaf, const Operand& index, Elements& elements,
                            std::map<std::uint32_t, Operand>& known);
  ir::Body operator_body(const Value& function, const Representation* element,
                         const std::vector<Operand>& extents, SymbolicSite& site);
  /// The leaves of a value but units, with the given extents, which equal its own.
  std::vector<Operand> fit(const Value& value, const Representation* type,
                           std::span<const Operand> extents);
  /// The array of values of the IR for all leaves but units; their types.
  Value array_of(const Representation* type, std::vector<Operand> extents,
                 std::span<const ValueId> results);
  static std::vector<ir::Type> leaf_types(const Representation* type,
                                          const std::vector<Operand>& extents);
  /// An array of `type` of what the function makes of the elements.  `known` are the extents of the
  /// results where there are names for them.
  Value map_elements(const Operand& extent, std::span<const Value> arrays,
                     const Representation* type, const std::vector<std::optional<Operand>>& known,
                     const std::function<Value(Elements&)>& function);
  /// Those of the sizes that a closed body computes are computed before it instead.
  void compute_outside(const ir::Body& body, std::span<const std::size_t> which,
                       std::vector<Operand>& sizes);
  /// The elements of `arrays[kept]` where a predicate of the elements of all holds.
  Value filter(std::span<const Value> arrays, std::size_t kept,
               const std::function<Operand(std::span<Value>)>& predicate);
  Value map(std::span<Value> arguments, SymbolicSite& site);
  Value reduce(std::span<Value> arguments, bool is_commutative, SymbolicSite& site);
  Value scan(std::span<Value> arguments, SymbolicSite& site);
  Value partition(std::span<Value> arguments, SymbolicSite& site);
  /// What `trace` makes; if that fails whenever it runs at all, what there is without it, behind a
  /// check that it never runs.
  Value unless_it_fails(const std::function<Operand()>& never_runs,
                        const std::function<Value()>& trace, const std::function<Value()>& without);
  Value unless_all_fail(const Operand& extent, const std::function<Value()>& trace,
                        const std::function<Value()>& without_elements);
  /// The array that a map over nothing gives; `inner` are its extents but the first, where known.
  Value without_elements(const Representation* type,
                         const std::vector<std::optional<Operand>>& inner);
  Value tabulate(const Operand& extent, ElementType element,
                 const std::function<Operand(const Operand&)>& at);

  // symbolic_flatmap.cpp
  class Pieces;

  // symbolic_indexing.cpp
  Operand is_index(const Operand& index, const Operand& extent);
  Selection select(const SymbolicPart& part, const Operand& extent, Operand& is_valid);
  std::vector<Selection> select_all(const SymbolicArray& array,
                                    std::span<const SymbolicPart> parts);
  std::string describe(std::span<const SymbolicPart> parts) const;
  std::string describe_shape(std::span<const Operand> extents) const;

  // symbolic_writes.cpp
  std::vector<Operand> index_list(const Value& index, std::size_t dimensions);
  Value scatter(std::span<Value> arguments, std::size_t dimensions);
  Value histogram(std::span<Value> arguments, std::size_t dimensions, SymbolicSite& site);
  Value histogram_that_combines(std::span<Value> arguments, std::size_t dimensions,
                                SymbolicSite& site);
  Operand is_any_index(std::span<const Value> sources, std::span<const Operand> extents);
  Value stream(const Value& function, const Value& elements, const Value& target,
               const Value& combine, SymbolicSite& site);

  // symbolic_rearranging.cpp
  Value with_leaves(const Representation* type, std::vector<Operand> extents,
                    const SymbolicArray& array,
                    const std::function<ValueId(ValueId, ir::Type)>& change);
  Value zip_all(std::span<Value> arguments, SymbolicSite& site);
  Value unzip(const Value& array);
  Value flat_index(std::span<Value> arguments, std::size_t dimensions);
  Value flat_update(std::span<Value> arguments, std::size_t dimensions);
  Operand is_moderate(const Operand& number);
  Operand has_no_overflow(const Operand& a, const Operand& b);
  void check_flat(const Operand& length, const Operand& offset, std::span<const Operand> shape,
                  std::span<const Operand> strides);
  Operand equal(const Value& a, const Value& b, const Representation* type);
  Operand equal_arrays(const SymbolicArray& a, const SymbolicArray& b);
  Operand equal_leaves(ValueId a, ValueId b);

#define SINTER_ARRAY_OPERATION(Id, ...) Value apply_##Id(std::span<Value>, SymbolicSite&);
#include "lang/primitives/array_operations.def"
#undef SINTER_ARRAY_OPERATION

  ir::Builder& builder_;
  Representations& representations_;
  const TraceOptions& options_;
  std::function<std::vector<StackFrame>(Span)> call_stack_;
  Span span_; ///< of what is being walked
  std::vector<Operand> constants_;
  std::map<std::pair<ElementType, std::uint64_t>, std::uint32_t> constant_indices_;
  std::deque<SymbolicArray> arrays_;
  std::unordered_map<const core::Global*, Value>
      globals_; ///< inputs, and those computed at the begin
  std::vector<GlobalInput> global_inputs_;
  std::size_t depth_ = 0;
  std::unordered_set<const core::Global*> in_place_;
  std::vector<AwaitedGlobal> awaited_;
  std::size_t repeated_ = 0;    ///< bodies being traced that run repeatedly
  std::size_t conditional_ = 0; ///< those, and other paths, that are sides of branches
  std::vector<Recursion> recursions_;
  std::unordered_map<const core::Function*, bool> tail_recursive_;
  core::Function step_; ///< what steps of a recursion are values of
  ir::SizeFacts sizes_;
  /// Values in 0 … bound-1: indices of SOACs and loops.
  std::unordered_map<std::uint32_t, Operand> index_bounds_;
  std::unordered_map<std::uint32_t, Pattern> patterns_; ///< of arrays, by value
  std::vector<Span> sources_;
};

static_assert(eval::Domain<SymbolicDomain>);

} // namespace sinter::jit
