#include "jit/trace/code.h"

#include "jit/trace/replay.h"

#include <algorithm>
#include <cassert>

namespace sinter::jit {

// ---- where it stands ---------------------------------------------------------------------------

void Code::note_source(Span span) {
  if (std::find(sources_.begin(), sources_.end(), span) == sources_.end()) sources_.push_back(span);
}

bool Code::suits(const syntax::AccelerateMark& mark) const {
  using Device = syntax::AccelerateMark::Device;
  // (The outer one of two marks wins; but what the inner one demands is not to be passed over.)
  if (mark.device == Device::Any || (mark.is_preference && options_.is_marked)) return true;
  return (mark.device == Device::Cpu) == (options_.device.kind == DeviceChoice::Kind::Cpu);
}

void Code::refuse_mark(const core::Attributed& mark) const {
  throw CannotTrace(
      Untraceable{words(Reason::OtherDevice, {syntax::text(mark.mark), name(options_.device)}),
                  mark.attribute_span, false, options_.is_marked ? nested_id : untraceable_id});
}

void Code::limit_statements() const {
  if (builder_.statement_count() > options_.statement_limit) refuse(Reason::TraceTooLong);
}

void Code::splice(ir::Body body) {
  for (const ir::Statement& statement : body.statements)
    if (const auto* check = std::get_if<ir::Check>(&statement.operation))
      sizes_.assume(check->condition);
  builder_.splice(std::move(body));
}

// ---- handles -----------------------------------------------------------------------------------

SymbolicScalar Code::handle(const Operand& operand) {
  if (operand.is_value()) return {SymbolicScalar::Kind::Value, operand.value().index};
  auto [at, is_new] = constant_indices_.try_emplace({operand.element(), operand.scalar().bits},
                                                    static_cast<std::uint32_t>(constants_.size()));
  if (is_new) constants_.push_back(operand);
  return {SymbolicScalar::Kind::Constant, at->second};
}

SymbolicValue Code::make_array(const Representation* type, std::vector<Operand> extents,
                               std::vector<ValueId> leaves) {
  assert(extents.size() == type->extent_count && leaves.size() == type->leaf_count);
  for (const Operand& extent : extents)
    if (!is_placeholder(extent)) sizes_.note_extent(extent);
  return SymbolicArrayRef(
      &arrays_.emplace_back(SymbolicArray{type, std::move(extents), std::move(leaves)}));
}

std::string Code::text(ElementType type, SymbolicScalar scalar) const {
  if (scalar.kind != SymbolicScalar::Kind::Constant) return "?";
  return print(type, constants_[scalar.index].scalar(), false);
}

// ---- scalars -----------------------------------------------------------------------------------

ir::Operand Code::primitive(const primitives::Primitive& row,
                            const std::vector<Operand>& arguments) {
  if (row.is_defined) {
    // What is undefined for some operands is an integer division, or a power.
    const Operand& right = arguments[1];
    if (right.is_constant() && arguments[0].is_constant()) {
      if (!row.is_defined(arguments[0].scalar(), right.scalar()))
        check(Operand::constant(ElementType::Bool, Scalar::of(false)), row.failure_id,
              std::string(row.failure));
    } else {
      const Operand zero = Operand::constant(row.operand, Scalar{});
      const bool is_power = row.operation == Operation::Power;
      check(binary(is_power ? Operation::GreaterEqual : Operation::NotEqual, right, zero),
            row.failure_id, std::string(row.failure));
    }
  }
  Operand result = builder_.primitive(row, arguments, span_);
  // An index that is widened is still one.
  if (row.operation == Operation::Convert && result.is_value() && arguments[0].is_value() &&
      row.result == ElementType::I64)
    if (auto bound = index_bounds_.find(arguments[0].value().index);
        bound != index_bounds_.end() && is_signed(row.operand))
      index_bounds_.try_emplace(result.value().index, to_i64(bound->second));
  return result;
}

ir::Operand Code::negation(const Operand& a) {
  return builder_.primitive(*primitives::find(Operation::Complement, ElementType::Bool),
                            std::span(&a, 1), span_);
}

ir::Operand Code::same_size(const Operand& a, const Operand& b) {
  if (sizes_.are_equal(a, b)) return Operand::constant(ElementType::Bool, Scalar::of(true));
  return binary(Operation::Equal, a, b);
}

ir::Operand Code::to_i64(const Operand& integer) {
  const ElementType type = builder_.type(integer).element;
  if (type == ElementType::I64) return integer;
  return builder_.primitive(*primitives::conversion(type, ElementType::I64), std::span(&integer, 1),
                            span_);
}

ir::Operand Code::is_index(const Operand& index, const Operand& extent) {
  const Operand zero = Operand::i64(0);
  if (index.is_value())
    if (auto bound = index_bounds_.find(index.value().index); bound != index_bounds_.end()) {
      if (sizes_.are_equal(bound->second, extent))
        return Operand::constant(ElementType::Bool, Scalar::of(true));
      return binary(Operation::Less, index, extent);
    }
  return both(binary(Operation::LessEqual, zero, index), binary(Operation::Less, index, extent));
}

void Code::note_copy(ValueId copy, ValueId of,
                     const std::function<Operand(const Operand&)>& renamed) {
  if (const auto bound = index_bounds_.find(of.index); bound != index_bounds_.end())
    index_bounds_.try_emplace(copy.index, renamed(bound->second));
}

SymbolicScalar Code::has_tag(const Value& sum, std::uint32_t tag) {
  auto known = [&](bool truth) { return literal(ElementType::Bool, Scalar::of(truth)); };
  if (!is_open(sum)) return known(sum.tag() == tag);
  std::span<const Value> fields = sum.fields();
  if (tag >= alternative_count(sum) || fields[1 + tag].kind() == Value::Kind::Nothing)
    return known(false);
  const Operand wanted =
      Operand::constant(ElementType::U8, Scalar::of(static_cast<std::uint8_t>(tag)));
  return handle(binary(Operation::Equal, operand(fields[0]), wanted));
}

std::span<const SymbolicValue> payload(const SymbolicValue& sum, std::uint32_t tag) {
  return is_open(sum) ? sum.fields()[1 + tag].fields() : sum.fields();
}
std::span<SymbolicValue> payload(SymbolicValue& sum, std::uint32_t tag) {
  return is_open(sum) ? sum.fields()[1 + tag].fields() : sum.fields();
}

// ---- checks ------------------------------------------------------------------------------------

void Code::check(const Operand& condition, ir::FailureSite failure) {
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

ir::FailureSite Code::failure(FailureKind kind, std::string message, std::string_view id) const {
  return {kind, std::move(message), span_,
          call_stack_ ? call_stack_(span_) : std::vector<StackFrame>(), id};
}

void Code::check(const Operand& condition, std::string_view id, std::string message) {
  check(condition, failure(FailureKind::Program, std::move(message), id));
}

void Code::leave_unless(const Operand& condition, std::string why) {
  check(condition, failure(FailureKind::OutOfMemory, std::move(why)));
}

ir::FailureSite Code::failure_site(const RuntimeError& error) {
  return {error.kind, error.message, error.span, error.frames, error.id};
}

SymbolicValue unless_it_fails(Code& code, const std::function<ir::Operand()>& never_runs,
                              const std::function<SymbolicValue()>& trace,
                              const std::function<SymbolicValue()>& without) {
  try {
    return trace();
  } catch (const RuntimeError& error) {
    if (error.kind != FailureKind::Program) throw;
    code.check(never_runs(), Code::failure_site(error));
  }
  return without();
}

// ---- sizes -------------------------------------------------------------------------------------

void Code::check_extent(const Operand& number) {
  if (sizes_.is_extent(number)) return;
  sizes_.note_extent(number);
  leave_unless(both(binary(Operation::LessEqual, Operand::i64(0), number),
                    binary(Operation::Less, number, Operand::i64(ir::extent_limit))),
               "a size that compiled code does not have: it is negative, or 2^48 or more");
}

ir::Operand Code::sum_of_extents(const Operand& a, const Operand& b) {
  const Operand sum = binary(Operation::Add, a, b);
  check_extent(sum);
  return sum;
}

ir::Operand Code::product_of_extents(const Operand& a, const Operand& b) {
  const Operand product = binary(Operation::Multiply, a, b);
  // (Factors that are constants and small leave the upper half 0 whatever the other one is.)
  constexpr std::int64_t small = INT64_MAX / ir::extent_limit;
  const auto is_small = [](const Operand& factor) {
    return factor.is_constant() && factor.scalar().as<std::int64_t>() <= small;
  };
  const Operand zero = Operand::i64(0);
  if (!is_small(a) && !is_small(b)) {
    const Operand upper = binary(Operation::MultiplyHigh, a, b);
    check_extent(select(binary(Operation::Equal, upper, zero), product, Operand::i64(-1)));
    sizes_.note_extent(product);
  }
  check_extent(product);
  return product;
}

std::vector<std::optional<ir::Operand>> Code::named_extents(SymbolicSite& site) {
  std::vector<std::optional<Operand>> result(site.type()->extent_count);
  try {
    const std::vector<std::optional<SymbolicScalar>> extents = site.extents();
    for (std::size_t i = 0; i < extents.size() && i < result.size(); ++i)
      if (extents[i]) result[i] = operand(*extents[i]);
  } catch (const RuntimeError&) { // a size that cannot be told
  } catch (const CannotTrace&) {  // nor traced
  }
  for (std::optional<Operand>& extent : result) {
    if (!extent) continue;
    if (extent->is_constant() && extent->scalar().as<std::int64_t>() < 0)
      extent = Operand::i64(0);
    else
      check_extent(*extent);
  }
  return result;
}

ir::Operand Code::name_outside(const Operand& size) const {
  const auto is_outside = [&](ValueId value) { return !builder_.is_defined_within(value, 1); };
  if (size.is_constant() || is_outside(size.value())) return size;
  return sizes_.name(size, is_outside).value_or(size);
}

void Code::compute_outside(const ir::Body& body, std::span<const std::size_t> which,
                           std::vector<Operand>& sizes) {
  if (which.empty()) return;
  Replay outside(builder_, Replay::Reads::No);
  outside.add(body);
  for (const std::size_t i : which) {
    const std::optional<Operand> size = outside(sizes[i]);
    if (!size) refuse(Reason::IrregularArray);
    check_extent(*size); // where there is no element, nothing else has looked at it
    builder_.rename(sizes[i].value(), *size);
    sizes[i] = *size;
  }
}

} // namespace sinter::jit
