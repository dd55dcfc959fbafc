#include "jit/trace/loops.h"

#include <algorithm>

namespace sinter::jit {

using ir::ValueId;

/// What a loop's state looks like, and how it goes around.
class Loops::Form {
public:
  Form(Code& code, Leaves& leaves, Value start)
      : code_(code), leaves_(leaves), start_(std::move(start)) {}

  /// The state as parameters of the innermost body.
  Value enter() {
    std::vector<ValueId> parameters;
    return instantiate([&](const Operand&, const ir::Type& type) -> Operand {
      parameters.push_back(code_.builder().parameter(type));
      return parameters.back();
    });
  }
  /// The parts of the state that change, as they begin.
  std::vector<Operand> initial() {
    std::vector<Operand> result;
    instantiate([&](const Operand& old, const ir::Type& type) {
      result.push_back(type.is_scalar() ? old : leaves_.with_extents(old, type));
      return result.back();
    });
    return result;
  }
  /// The state from results of the loop, in the same order.
  Value leave(std::span<const ValueId> results) {
    std::size_t next = 0;
    return instantiate([&](const Operand&, const ir::Type&) -> Operand { return results[next++]; });
  }
  /// Types of the results.
  ir::Type type(std::size_t position, std::span<const ValueId> results) {
    std::size_t next = 0;
    ir::Type found;
    instantiate([&](const Operand&, const ir::Type& type) -> Operand {
      if (next == position) found = type;
      return results[next++];
    });
    return found;
  }

  /// The next state's operands; nothing if the form has to become more general: then `widen` is
  /// called, and the body is traced again.
  std::optional<std::vector<Operand>> next(const Value& state, const Value& following) {
    results_.clear();
    extent_ = 0;
    must_open_ = changed_ = false;
    align(state, following);
    if (must_open_) opened_by_ = following;
    if (must_open_ || changed_) return std::nullopt;
    return std::move(results_);
  }
  /// When the body is closed: what the form gains is part of the state that the loop begins with,
  /// and so is made before it.
  void widen() {
    if (!opened_by_) return;
    start_ = generalise(start_, *opened_by_);
    varying_.clear();
    opened_by_.reset();
  }

private:
  bool is_varying(std::size_t extent) const { return extent < varying_.size() && varying_[extent]; }
  Value instantiate(const std::function<Operand(const Operand&, const ir::Type&)>& change) {
    std::size_t extent = 0;
    return leaves_.rebuild(start_, [&](const Operand& old, const ir::Type& type, bool is_extent) {
      if (is_extent && !is_varying(extent++)) return old;
      return change(old, type);
    });
  }

  void vary(std::size_t extent) {
    if (varying_.size() <= extent) varying_.resize(extent + 1, false);
    varying_[extent] = changed_ = true;
  }

  /// Collects the operands of `following` in the order of the form's parameters.
  void align(const Value& state, const Value& following) {
    if (state.kind() != following.kind()) code_.refuse(Reason::StateChangesKind);
    switch (state.kind()) {
    case Value::Kind::Nothing:
      break;
    case Value::Kind::Accumulator:
      code_.refuse(Reason::AccumulatorInLoop);
    case Value::Kind::Scalar:
      if (state.scalar().kind != SymbolicScalar::Kind::None)
        results_.push_back(code_.operand(following));
      break;
    case Value::Kind::Array:
      align_arrays(*state.array(), *following.array());
      break;
    case Value::Kind::Record:
      for (std::size_t i = 0; i < state.fields().size(); ++i)
        align(state.fields()[i], following.fields()[i]);
      break;
    case Value::Kind::Sum:
      align_sums(state, following);
      break;
    case Value::Kind::Function: {
      const FunctionObject<Symbolic>&a = state.function(), &b = following.function();
      if (a.function != b.function || a.arguments.size() != b.arguments.size())
        code_.refuse(Reason::FunctionChangedByLoop);
      for (std::size_t i = 0; i < a.captures.size(); ++i)
        align(a.captures[i], b.captures[i]);
      for (std::size_t i = 0; i < a.arguments.size(); ++i)
        align(a.arguments[i], b.arguments[i]);
      break;
    }
    }
  }

  void align_arrays(const SymbolicArray& state, const SymbolicArray& following) {
    if (state.type != following.type) code_.refuse(Reason::StateChangesType);
    std::vector<Operand> extents;
    for (std::size_t i = 0; i < state.extents.size(); ++i, ++extent_) {
      if (is_varying(extent_)) {
        results_.push_back(following.extents[i]);
        extents.push_back(following.extents[i]);
      } else {
        if (!code_.sizes().are_equal(state.extents[i], following.extents[i])) vary(extent_);
        extents.push_back(state.extents[i]);
      }
    }
    for (std::size_t i = 0; i < state.leaves.size(); ++i) {
      const LeafLayout& leaf = state.type->leaves[i];
      if (leaf.is_unit) continue;
      // (If the form changes, the operand is not needed.)
      results_.push_back(changed_
                             ? Operand(following.leaves[i])
                             : leaves_.with_extents(following.leaves[i], leaf_type(leaf, extents)));
    }
  }

  void align_sums(const Value& state, const Value& following) {
    if (!is_open(state)) {
      if (is_open(following) || state.tag() != following.tag()) {
        must_open_ = true;
        return;
      }
      for (std::size_t i = 0; i < state.fields().size(); ++i)
        align(state.fields()[i], following.fields()[i]);
      return;
    }
    results_.push_back(
        is_open(following)
            ? code_.operand(following.fields()[0])
            : Operand::constant(ElementType::U8,
                                Scalar::of(static_cast<std::uint8_t>(following.tag()))));
    for (std::uint32_t tag = 0; tag < std::max(alternatives(state), alternatives(following));
         ++tag) {
      const Value old = alternative(state, tag), made = alternative(following, tag);
      if (!is_there(old) && is_there(made)) must_open_ = true;
      // A payload that the next state does not have may be anything: the old one.
      if (is_there(old)) align(old, is_there(made) ? made : old);
    }
  }

  /// `start` with its sums open for what `following` has.
  Value generalise(const Value& start, const Value& following) {
    switch (start.kind()) {
    case Value::Kind::Nothing:
    case Value::Kind::Scalar:
    case Value::Kind::Array:
    case Value::Kind::Accumulator:
      return start;
    case Value::Kind::Record: {
      Value result = Value::record_of_size(start.fields().size());
      for (std::size_t i = 0; i < start.fields().size(); ++i)
        result.fields()[i] = generalise(start.fields()[i], following.fields()[i]);
      return result;
    }
    case Value::Kind::Function: {
      const FunctionObject<Symbolic>&a = start.function(), &b = following.function();
      std::vector<Value> captures, arguments;
      for (std::size_t i = 0; i < a.captures.size(); ++i)
        captures.push_back(generalise(a.captures[i], b.captures[i]));
      for (std::size_t i = 0; i < a.arguments.size(); ++i)
        arguments.push_back(generalise(a.arguments[i], b.arguments[i]));
      return Value::function(a.function, std::move(captures), std::move(arguments));
    }
    case Value::Kind::Sum:
      break;
    }
    if (!is_open(start) && !is_open(following) && start.tag() == following.tag()) {
      Value result = Value::sum_of_size(start.tag(), start.fields().size());
      for (std::size_t i = 0; i < start.fields().size(); ++i)
        result.fields()[i] = generalise(start.fields()[i], following.fields()[i]);
      return result;
    }
    const std::uint32_t count = std::max(alternatives(start), alternatives(following));
    if (count > 256) code_.refuse(Reason::ManyConstructors);
    Value result = Value::sum_of_size(open_tag, 1 + count);
    result.fields()[0] = is_open(start)
                             ? start.fields()[0]
                             : Value(code_.literal(ElementType::U8, Scalar::of(start.tag())));
    for (std::uint32_t tag = 0; tag < count; ++tag) {
      const Value old = alternative(start, tag), made = alternative(following, tag);
      if (is_there(old))
        result.fields()[1 + tag] = is_there(made) ? generalise(old, made) : old;
      else if (is_there(made))
        result.fields()[1 + tag] = without_data(made);
    }
    return result;
  }
  /// A value of the same form: zeros and empty arrays.
  Value without_data(const Value& value) {
    return leaves_.rebuild(value,
                           [&](const Operand&, const ir::Type& type, bool is_extent) -> Operand {
                             if (is_extent) return Operand::i64(0);
                             if (type.is_scalar()) return Operand::constant(type.element, {});
                             return leaves_.empty_array(type);
                           });
  }

  Code& code_;
  Leaves& leaves_;
  Value start_;
  std::vector<bool> varying_;      ///< extents that are part of the state, in order
  std::optional<Value> opened_by_; ///< a state with constructors that the form lacks
  // While aligning:
  std::vector<Operand> results_;
  std::size_t extent_ = 0;
  bool must_open_ = false, changed_ = false;
};

SymbolicValue Loops::trace_for(ElementType type, const Operand& first, const Operand& bound,
                               Value state, const Iteration& body, const core::Loop* parallel) {
  return unless_it_fails(
      code_, [&] { return code_.binary(Operation::LessEqual, bound, first); },
      [&] { return trace_iterations(type, first, bound, state, body, parallel); },
      [&] { return state; });
}

void Loops::name_parts(const Value& state, const std::string& name) {
  switch (state.kind()) {
  case Value::Kind::Scalar:
    if (state.scalar().kind == SymbolicScalar::Kind::Value)
      code_.builder().name(code_.operand(state).value(), name);
    break;
  case Value::Kind::Array:
    for (const ValueId leaf : state.array()->leaves)
      code_.builder().name(leaf, name);
    break;
  case Value::Kind::Record:
    for (const Value& field : state.fields())
      name_parts(field, name);
    break;
  default:
    break;
  }
}

void Loops::name_state(const core::Pattern& pattern, const Value& state,
                       const core::ParallelMark& names) {
  if (const auto* record = std::get_if<core::RecordPattern>(&pattern.node)) {
    if (state.kind() != Value::Kind::Record) return;
    for (std::size_t i = 0; i < record->fields.size(); ++i)
      name_state(*record->fields[i], state.fields()[i], names);
  } else if (const auto* slot = std::get_if<core::SlotPattern>(&pattern.node)) {
    for (const auto& [named, name] : names.names)
      if (named == slot->slot) name_parts(state, name);
  }
}

SymbolicValue Loops::trace_iterations(ElementType type, const Operand& first, const Operand& bound,
                                      Value state, const Iteration& body,
                                      const core::Loop* parallel) {
  const bool from_zero = first.is_constant() && first.scalar().bits == 0;
  const Operand count = from_zero ? bound : code_.binary(Operation::Subtract, bound, first);
  Form form(code_, leaves_, std::move(state));
  while (true) {
    code_.limit_statements();
    BodyScope scope(code_);
    const ValueId counter = code_.builder().parameter({type, {}});
    if (from_zero) code_.note_index(counter, bound);
    const Operand index =
        from_zero ? Operand(counter) : code_.binary(Operation::Add, first, counter);
    const Value entered = form.enter();
    if (parallel) name_state(*parallel->pattern, entered, *parallel->parallel);
    const Value following = body(code_.handle(index), entered);
    std::optional<std::vector<Operand>> next = form.next(entered, following);
    ir::Body traced = scope.close(next ? std::move(*next) : std::vector<Operand>());
    if (!next) {
      form.widen();
      continue;
    }
    std::vector<Operand> initial = form.initial();
    const std::size_t size = initial.size();
    const std::vector<ValueId> results = code_.builder().append_dependent(
        ir::For{count, type, std::move(initial), std::move(traced), parallel != nullptr}, size,
        [&](std::size_t i, std::span<const ValueId> all) { return form.type(i, all); },
        code_.span());
    return form.leave(results);
  }
}

SymbolicValue Loops::trace_while(Value state, const Condition& condition, const Repetition& body) {
  return unless_it_fails(
      code_, [&] { return code_.negation(condition(state)); },
      [&] { return trace_repetitions(state, condition, body); }, [&] { return state; });
}

SymbolicValue Loops::trace_repetitions(Value state, const Condition& condition,
                                       const Repetition& body) {
  Form form(code_, leaves_, std::move(state));
  while (true) {
    code_.limit_statements();
    ir::While loop;
    {
      BodyScope scope(code_);
      const Value entered = form.enter();
      const Value following = body(entered);
      std::optional<std::vector<Operand>> next = form.next(entered, following);
      loop.body = scope.close(next ? std::move(*next) : std::vector<Operand>());
      if (!next) {
        form.widen();
        continue;
      }
    }
    {
      BodyScope scope(code_);
      const Value entered = form.enter();
      const Operand holds = condition(entered);
      loop.condition = scope.close({holds});
    }
    loop.initial = form.initial();
    const std::size_t size = loop.initial.size();
    const std::vector<ValueId> results = code_.builder().append_dependent(
        std::move(loop), size,
        [&](std::size_t i, std::span<const ValueId> all) { return form.type(i, all); },
        code_.span());
    return form.leave(results);
  }
}

} // namespace sinter::jit
