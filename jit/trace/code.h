// The code that a trace is writing: statements, scopes of bodies, checks, and what is known where
// it stands: sizes (jit/ir/size_facts.h), bounds of indices, whether it runs at all, or repeatedly.
//
// The extents of compiled code are at least 0 and below ir::extent_limit.  The evaluator has arrays
// of any size that has no elements, and takes a negative size, which only an array without elements
// around can have, for 0.  So every number that becomes an extent passes through here; those that
// are not known to be extents are checked, and where one is none the evaluator goes on.
#pragma once

#include "jit/ir/build.h"
#include "jit/ir/size_facts.h"
#include "jit/reasons/reasons.h"
#include "jit/trace/symbolic_values.h"
#include "jit/trace/trace.h"
#include "lang/eval/domain.h"

#include <deque>
#include <exception>
#include <functional>
#include <initializer_list>
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

class Code {
public:
  using Operand = ir::Operand;
  using ValueId = ir::ValueId;
  using Operation = primitives::Operation;
  using Value = SymbolicValue;

  Code(ir::Builder& builder, Representations& representations, const TraceOptions& options)
      : builder_(builder), representations_(representations), options_(options),
        sizes_(no_size_facts()) {}
  Code(const Code&) = delete;
  Code& operator=(const Code&) = delete;

  ir::Builder& builder() const { return builder_; }
  Representations& representations() const { return representations_; }
  const TraceOptions& options() const { return options_; }
  ir::SizeFacts& sizes() { return sizes_; }

  // ---- where it stands --------------------------------------------------------------------------

  /// Of the expression that is being walked.
  Span span() const { return span_; }
  void here(Span span) { span_ = span; }
  /// What tells the calls around a place; for the failures of checks.
  void set_call_stack(std::function<std::vector<StackFrame>(Span)> call_stack) {
    call_stack_ = std::move(call_stack);
  }
  /// Spans of the calls and array operations that were traced.
  const std::vector<Span>& sources() const { return sources_; }
  void note_source(Span span);
  /// Functions that were called, in the order of their first calls.
  const std::vector<const core::Function*>& functions() const { return functions_; }
  void note_function(const core::Function& function) {
    if (is_known_function_.insert(&function).second) functions_.push_back(&function);
  }
  /// Ends the trace: what stands here has no form in compiled code.
  [[noreturn]] void refuse(Reason reason, std::initializer_list<std::string> details = {}) const {
    throw CannotTrace(Untraceable{words(reason, details), span_});
  }
  /// Whether what the mark asks for is what this code is made for.
  bool suits(const syntax::AccelerateMark& mark) const;
  /// The same of a mark that asks for a device other than this code's.
  [[noreturn]] void refuse_mark(const core::Attributed& mark) const;
  void limit_statements() const;
  /// Inside of a body that runs repeatedly; on a path that may not run.
  bool is_repeated() const { return repeated_ > 0; }
  bool is_conditional() const { return conditional_ > 0; }

  /// How often a nested body runs.
  enum class Runs : std::uint8_t { AtMostOnce, Repeatedly };
  class BodyScope;
  class ConditionalScope;
  class AtBegin;
  /// Goes on with what a closed body without parameters has done.
  void splice(ir::Body body);

  // ---- between handles and operands -------------------------------------------------------------

  Operand operand(SymbolicScalar scalar) const {
    if (scalar.kind == SymbolicScalar::Kind::Constant) return constants_[scalar.index];
    if (scalar.kind == SymbolicScalar::Kind::None) refuse(Reason::AbsentValue);
    return ValueId{scalar.index};
  }
  Operand operand(const Value& value) const { return operand(value.scalar()); }
  SymbolicScalar handle(const Operand& operand);
  SymbolicScalar literal(ElementType type, Scalar value) {
    return handle(Operand::constant(type, value));
  }
  std::optional<bool> decided(SymbolicScalar truth) const {
    if (truth.kind != SymbolicScalar::Kind::Constant) return std::nullopt;
    return constants_[truth.index].scalar().as<bool>();
  }
  Value make_array(const Representation* type, std::vector<Operand> extents,
                   std::vector<ValueId> leaves);
  std::string text(ElementType type, SymbolicScalar scalar) const;

  // ---- scalars ----------------------------------------------------------------------------------

  /// With a check where the row is undefined for some operands.
  Operand primitive(const primitives::Primitive& row, const std::vector<Operand>& arguments);
  Operand binary(Operation operation, const Operand& a, const Operand& b) {
    return builder_.binary(operation, a, b, span_);
  }
  Operand both(const Operand& a, const Operand& b) { return binary(Operation::And, a, b); }
  Operand either(const Operand& a, const Operand& b) { return binary(Operation::Or, a, b); }
  Operand negation(const Operand& a);
  Operand select(const Operand& condition, const Operand& then_value, const Operand& else_value) {
    return builder_.select(condition, then_value, else_value, span_);
  }
  Operand to_i64(const Operand& integer);
  Operand same_size(const Operand& a, const Operand& b);
  /// Whether `0 <= index < extent`.
  Operand is_index(const Operand& index, const Operand& extent);
  /// The value is in 0 … bound-1: the index of a SOAC or a loop.
  void note_index(ValueId index, const Operand& bound) {
    index_bounds_.insert_or_assign(index.index, bound);
  }
  /// What is known of an index is true of a copy of it, whose bound is that of the index, renamed.
  void note_copy(ValueId copy, ValueId of, const std::function<Operand(const Operand&)>& renamed);
  SymbolicScalar has_tag(const Value& sum, std::uint32_t tag);

  // ---- checks -----------------------------------------------------------------------------------

  void check(const Operand& condition, ir::FailureSite failure);
  /// A failure of the program; `id` as a RuntimeError's.
  void check(const Operand& condition, std::string_view id, std::string message);
  /// What follows is reached only if the condition holds; else the evaluator goes on.
  void leave_unless(const Operand& condition, std::string why);
  ir::FailureSite failure(FailureKind kind, std::string message, std::string_view id = {}) const;
  static ir::FailureSite failure_site(const RuntimeError& error);

  // ---- sizes ------------------------------------------------------------------------------------

  /// What follows is reached only if the number can be an extent; else the evaluator goes on, which
  /// has arrays of any size.
  void check_extent(const Operand& number);
  /// The extents of an array that joins two of those extents, or two dimensions of an array.
  Operand sum_of_extents(const Operand& a, const Operand& b);
  Operand product_of_extents(const Operand& a, const Operand& b);
  /// The result's extents where the program has names for them.
  std::vector<std::optional<Operand>> named_extents(SymbolicSite& site);
  /// A name for a size in the innermost body that is known around it, if checks say that it has
  /// one.
  Operand name_outside(const Operand& size) const;
  /// Those of the sizes that a closed body computes are computed before it instead.
  void compute_outside(const ir::Body& body, std::span<const std::size_t> which,
                       std::vector<Operand>& sizes);

private:
  ir::SizeFacts no_size_facts() const {
    return ir::SizeFacts([this](ValueId value) { return builder_.definition(value); });
  }

  ir::Builder& builder_;
  Representations& representations_;
  const TraceOptions& options_;
  std::function<std::vector<StackFrame>(Span)> call_stack_;
  Span span_; ///< of what is being walked
  std::vector<Span> sources_;
  std::vector<const core::Function*> functions_;
  std::unordered_set<const core::Function*> is_known_function_;
  std::vector<Operand> constants_;
  std::map<std::pair<ElementType, std::uint64_t>, std::uint32_t> constant_indices_;
  std::deque<SymbolicArray> arrays_;
  std::size_t repeated_ = 0;    ///< open bodies that run repeatedly
  std::size_t conditional_ = 0; ///< those, and other paths, that are sides of branches
  ir::SizeFacts sizes_;
  std::unordered_map<std::uint32_t, Operand> index_bounds_; ///< of indices
};

/// A nested body that is being traced; dropped if an exception leaves it.
class Code::BodyScope {
public:
  explicit BodyScope(Code& code, Runs runs = Runs::Repeatedly)
      : code_(code), sizes_(code.sizes_.mark()), span_(code.span_), runs_(runs) {
    code.builder_.open();
    ++count();
  }
  ~BodyScope() {
    if (is_open_) close({});
  }
  BodyScope(const BodyScope&) = delete;
  BodyScope& operator=(const BodyScope&) = delete;
  ir::Body close(std::vector<Operand> results) {
    is_open_ = false;
    --count();
    code_.sizes_.undo_to(sizes_);
    code_.span_ = span_;
    return code_.builder_.close(std::move(results));
  }

private:
  std::size_t& count() { return runs_ == Runs::Repeatedly ? code_.repeated_ : code_.conditional_; }

  Code& code_;
  std::size_t sizes_;
  Span span_;
  Runs runs_;
  bool is_open_ = true;
};

/// A path that may not run, without a body of its own.
class Code::ConditionalScope {
public:
  explicit ConditionalScope(Code& code) : code_(code) { ++code.conditional_; }
  ~ConditionalScope() { --code_.conditional_; }
  ConditionalScope(const ConditionalScope&) = delete;
  ConditionalScope& operator=(const ConditionalScope&) = delete;

private:
  Code& code_;
};

/// While it lives, what is traced is computed once, before everything that is open.
class Code::AtBegin {
public:
  explicit AtBegin(Code& code)
      : code_(code), outermost_(code.builder_), span_(code.span_),
        sizes_(std::exchange(code.sizes_, code.no_size_facts())),
        repeated_(std::exchange(code.repeated_, 0)),
        conditional_(std::exchange(code.conditional_, 0)) {}
  ~AtBegin() {
    code_.span_ = span_;
    code_.sizes_ = std::move(sizes_);
    code_.repeated_ = repeated_;
    code_.conditional_ = conditional_;
  }
  AtBegin(const AtBegin&) = delete;
  AtBegin& operator=(const AtBegin&) = delete;

private:
  Code& code_;
  ir::Builder::Outermost outermost_;
  Span span_;
  ir::SizeFacts sizes_; ///< those of the open bodies
  std::size_t repeated_, conditional_;
};

using BodyScope = Code::BodyScope;

/// The payload of a constructor that the sum may have.
std::span<const SymbolicValue> payload(const SymbolicValue& sum, std::uint32_t tag);
std::span<SymbolicValue> payload(SymbolicValue& sum, std::uint32_t tag);

/// What `trace` makes; if that fails whenever it runs at all, what there is without it, behind a
/// check that it never runs.
SymbolicValue unless_it_fails(Code& code, const std::function<ir::Operand()>& never_runs,
                              const std::function<SymbolicValue()>& trace,
                              const std::function<SymbolicValue()>& without);

} // namespace sinter::jit
