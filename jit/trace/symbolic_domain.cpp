// Symbolic scalars, checks and calls.
#include "jit/trace/symbolic_domain.h"

#include "jit/trace/layout.h"
#include "lang/core/core.h"

#include <algorithm>

namespace sinter::jit {

SymbolicDomain::CallDepth::CallDepth(SymbolicDomain& domain, const core::Function& function)
    : domain_(domain) {
  if (domain.depth_ >= domain.options_.call_depth_limit)
    domain.refuse("recursion that the trace does not see the end of, in `" + function.name + "`");
  domain.limit_statements();
  ++domain.depth_;
  if (std::find(domain.sources_.begin(), domain.sources_.end(), function.span) ==
      domain.sources_.end())
    domain.sources_.push_back(function.span);
}

void SymbolicDomain::limit_statements() const {
  if (builder_.statement_count() > options_.statement_limit) refuse("the trace is too long");
}

// ---- handles -----------------------------------------------------------------------------------

SymbolicScalar SymbolicDomain::handle(const Operand& operand) {
  if (operand.is_value()) return {SymbolicScalar::Kind::Value, operand.value().index};
  auto [at, is_new] = constant_indices_.try_emplace({operand.element(), operand.scalar().bits},
                                                    static_cast<std::uint32_t>(constants_.size()));
  if (is_new) constants_.push_back(operand);
  return {SymbolicScalar::Kind::Constant, at->second};
}

SymbolicValue SymbolicDomain::make_array(const Representation* type, std::vector<Operand> extents,
                                         std::vector<ValueId> leaves) {
  assert(extents.size() == type->extent_count && leaves.size() == type->leaf_count);
  for (const Operand& extent : extents)
    if (!is_placeholder(extent)) sizes_.note_extent(extent);
  return SymbolicArrayRef(
      &arrays_.emplace_back(SymbolicArray{type, std::move(extents), std::move(leaves)}));
}

// ---- scalars -----------------------------------------------------------------------------------

SymbolicScalar SymbolicDomain::primitive(const primitives::Primitive& primitive, SymbolicScalar a,
                                         SymbolicScalar b, SymbolicScalar c) {
  const SymbolicScalar all[] = {a, b, c};
  std::vector<Operand> arguments;
  for (std::size_t i = 0; i < primitive.arity; ++i)
    arguments.push_back(operand(all[i]));
  if (primitive.is_defined) {
    // What is undefined for some operands is an integer division, or a power.
    const Operand& right = arguments[1];
    if (right.is_constant() && arguments[0].is_constant()) {
      if (!primitive.is_defined(arguments[0].scalar(), right.scalar()))
        check(Operand::constant(ElementType::Bool, Scalar::of(false)), primitive.failure_id,
              std::string(primitive.failure));
    } else {
      const Operand zero = Operand::constant(primitive.operand, Scalar{});
      const bool is_power = primitive.operation == Operation::Power;
      check(binary(is_power ? Operation::GreaterEqual : Operation::NotEqual, right, zero),
            primitive.failure_id, std::string(primitive.failure));
    }
  }
  Operand result = builder_.primitive(primitive, arguments, span_);
  // An index that is widened is still one.
  if (primitive.operation == Operation::Convert && result.is_value() && arguments[0].is_value() &&
      primitive.result == ElementType::I64)
    if (auto bound = index_bounds_.find(arguments[0].value().index);
        bound != index_bounds_.end() && is_signed(primitive.operand))
      index_bounds_.try_emplace(result.value().index, to_i64(bound->second));
  return handle(result);
}

ir::Operand SymbolicDomain::negation(const Operand& a) {
  return builder_.primitive(*primitives::find(Operation::Complement, ElementType::Bool),
                            std::span(&a, 1), span_);
}

ir::Operand SymbolicDomain::same_size(const Operand& a, const Operand& b) {
  if (sizes_.are_equal(a, b)) return Operand::constant(ElementType::Bool, Scalar::of(true));
  return binary(Operation::Equal, a, b);
}

ir::Operand SymbolicDomain::to_i64(const Operand& integer) {
  const ElementType type = builder_.type(integer).element;
  if (type == ElementType::I64) return integer;
  return builder_.primitive(*primitives::conversion(type, ElementType::I64), std::span(&integer, 1),
                            span_);
}

SymbolicScalar SymbolicDomain::equals(ElementType type, Scalar literal, SymbolicScalar value) {
  return handle(binary(Operation::Equal, operand(value), Operand::constant(type, literal)));
}

SymbolicScalar SymbolicDomain::has_tag(const Value& sum, std::uint32_t tag) {
  auto known = [&](bool truth) { return literal(ElementType::Bool, Scalar::of(truth)); };
  if (!is_open(sum)) return known(sum.tag() == tag);
  std::span<const Value> fields = sum.fields();
  if (tag >= alternative_count(sum) || fields[1 + tag].kind() == Value::Kind::Nothing)
    return known(false);
  const Operand wanted =
      Operand::constant(ElementType::U8, Scalar::of(static_cast<std::uint8_t>(tag)));
  return handle(binary(Operation::Equal, operand(fields[0]), wanted));
}

std::span<const SymbolicValue> SymbolicDomain::payload(const Value& sum, std::uint32_t tag) const {
  return is_open(sum) ? sum.fields()[1 + tag].fields() : sum.fields();
}
std::span<SymbolicValue> SymbolicDomain::payload(Value& sum, std::uint32_t tag) const {
  return is_open(sum) ? sum.fields()[1 + tag].fields() : sum.fields();
}

// ---- checks ------------------------------------------------------------------------------------

void SymbolicDomain::check(const Operand& condition, ir::FailureSite failure) {
  if (condition.is_constant() && condition.scalar().as<bool>()) return;
  if (condition.is_constant() && !condition.scalar().as<bool>()) {
    // What follows never runs.
    RuntimeError error(failure.kind, std::move(failure.message), failure.span);
    error.frames = std::move(failure.frames);
    error.id = failure.id;
    throw error;
  }
  builder_.check(condition, std::move(failure), span_);
  sizes_.assume(condition);
}

void SymbolicDomain::check(const Operand& condition, std::string_view id, std::string message) {
  check(condition,
        ir::FailureSite{FailureKind::Program, std::move(message), span_,
                        call_stack_ ? call_stack_(span_) : std::vector<StackFrame>(), id});
}

ir::FailureSite SymbolicDomain::failure_site(const RuntimeError& error) {
  return {error.kind, error.message, error.span, error.frames, error.id};
}

std::string SymbolicDomain::text(ElementType type, SymbolicScalar scalar) const {
  if (scalar.kind != SymbolicScalar::Kind::Constant) return "?";
  return print(type, constants_[scalar.index].scalar(), false);
}

// ---- globals -----------------------------------------------------------------------------------

std::optional<SymbolicValue> SymbolicDomain::known_global(const core::Global& global) {
  if (auto input = globals_.find(&global); input != globals_.end()) return input->second;
  std::optional<sinter::Value> computed;
  if (options_.global) computed = options_.global(global);
  if (!computed) return std::nullopt;
  if (!has_layout(*computed)) refuse("a constant with sizes of 2^48 or more");
  if (std::optional<Value> constant = constant_value(*computed, global.type)) return constant;
  AtBegin outside(*this);
  global_inputs_.push_back({&global, layout_of(*computed, global.type, representations_)});
  return globals_[&global] = parameters(global_inputs_.back().layout);
}

void SymbolicDomain::await(const core::Global& global) {
  if (conditional_ == 0) throw WantedGlobal{&global};
  awaited_.push_back({&global, "the constant `" + global.name + "` has not been computed yet"});
  throw RuntimeError(FailureKind::Deferred, awaited_.back().message, span_);
}

std::optional<SymbolicValue> SymbolicDomain::constant_value(const sinter::Value& value,
                                                            const Representation* type) {
  using Kind = sinter::Value::Kind;
  switch (value.kind()) {
  case Kind::Scalar:
    if (!type) return Value();
    return Value(literal(type->scalar(), value.scalar()));
  case Kind::Record:
  case Kind::Sum: {
    Value result = value.kind() == Kind::Record
                       ? Value::record_of_size(value.fields().size())
                       : Value::sum_of_size(value.tag(), value.fields().size());
    for (std::size_t i = 0; i < value.fields().size(); ++i) {
      const Representation* part = !type ? nullptr
                                   : type->is_record()
                                       ? type->record().fields[i].type
                                       : type->sum().constructors[value.tag()].payload[i];
      std::optional<Value> field = constant_value(value.fields()[i], part);
      if (!field) return std::nullopt;
      result.fields()[i] = std::move(*field);
    }
    return result;
  }
  case Kind::Function: {
    const FunctionObject<Concrete>& object = value.function();
    std::vector<Value> captures, arguments;
    for (std::size_t i = 0; i < object.captures.size(); ++i) {
      auto capture = constant_value(object.captures[i], object.function->capture_types[i]);
      if (!capture) return std::nullopt;
      captures.push_back(std::move(*capture));
    }
    for (std::size_t i = 0; i < object.arguments.size(); ++i) {
      auto argument = constant_value(object.arguments[i], object.function->parameters[i]->type);
      if (!argument) return std::nullopt;
      arguments.push_back(std::move(*argument));
    }
    return Value::function(object.function, std::move(captures), std::move(arguments));
  }
  case Kind::Array:
  case Kind::Nothing:
  case Kind::Accumulator:
    return std::nullopt;
  }
  __builtin_unreachable();
}

} // namespace sinter::jit
