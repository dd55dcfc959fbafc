// Branches on data: both sides are traced, and their results joined leaf by leaf.
//
// What is equal on both sides, or makes sense on one side only and is known outside, stays as it
// is; the rest become results of an `if`, extents before the arrays that have them.  Short scalar
// code without checks becomes a selection.
#include "jit/trace/symbolic_domain.h"

#include "jit/ir/walk.h"
#include "lang/core/core.h"

#include <algorithm>
#include <unordered_set>

namespace sinter::jit {

namespace {

using ir::Operand;
using ir::ValueId;

/// Scalar code that may run although its side was not chosen: how much of it.
constexpr unsigned speculation_cost = 24;

bool is_speculable(const ir::Body& body) {
  unsigned cost = 0;
  for (const ir::Statement& statement : body.statements) {
    if (const auto* primitive = std::get_if<ir::Primitive>(&statement.operation))
      cost += primitive->primitive->cost;
    else if (std::holds_alternative<ir::Select>(statement.operation))
      cost += 1;
    else
      return false;
    if (cost > speculation_cost) return false;
  }
  return true;
}

bool has_effects(const ir::Body& body) {
  return std::any_of(body.statements.begin(), body.statements.end(),
                     [](const ir::Statement& s) { return ir::may_fail(s.operation); });
}

/// A result of the branch, in the making.
struct Result {
  Operand then_value, else_value;
  ir::Type type; ///< extents may be placeholders
};

/// Joins two values; fills the list of results.
class Joiner {
public:
  using Value = SymbolicValue;

  struct Hooks {
    std::function<Operand(const Value&)> operand;
    std::function<Value(const Operand&)> scalar;
    std::function<ElementType(const Operand&)> element;
    std::function<bool(const Operand&, const Operand&)> same_size;
    std::function<ir::Type(ValueId)> type;
    std::function<ValueId(const ir::Type&)> empty_array;
    std::function<Value(const Representation*, std::vector<Operand>, std::vector<ValueId>)> array;
    std::function<void(std::string)> refuse;
  };
  Joiner(Hooks hooks, std::unordered_set<std::uint32_t> inside)
      : hooks_(std::move(hooks)), inside_(std::move(inside)) {}

  std::vector<Result> results;

  Value join(const Value& a, const Value& b) {
    if (a.kind() != b.kind()) hooks_.refuse("a branch whose sides give different things");
    switch (a.kind()) {
    case Value::Kind::Nothing:
      return a;
    case Value::Kind::Scalar: {
      const Operand then_value = hooks_.operand(a), else_value = hooks_.operand(b);
      return hooks_.scalar(either(then_value, else_value, {hooks_.element(then_value), {}}));
    }
    case Value::Kind::Array:
      return join_arrays(*a.array(), *b.array());
    case Value::Kind::Record:
      return join_fields(a, b);
    case Value::Kind::Sum:
      return join_sums(a, b);
    case Value::Kind::Function:
      return join_functions(a.function(), b.function());
    case Value::Kind::Accumulator:
      break;
    }
    hooks_.refuse("a branch that gives an accumulator");
    __builtin_unreachable();
  }

private:
  Operand add(const Operand& then_value, const Operand& else_value, ir::Type type) {
    results.push_back({then_value, else_value, std::move(type)});
    return ValueId{first_placeholder + static_cast<std::uint32_t>(results.size() - 1)};
  }
  Operand either(const Operand& then_value, const Operand& else_value, ir::Type type) {
    if (then_value == else_value) return then_value;
    return add(then_value, else_value, std::move(type));
  }

  /// A name that equal sizes have outside, or a result.
  Operand join_extents(const Operand& a, const Operand& b) {
    if (hooks_.same_size(a, b))
      for (const Operand& side : {a, b})
        if (!is_inside(side)) return side;
    return add(a, b, {ElementType::I64, {}});
  }
  bool is_inside(const Operand& operand) const {
    return operand.is_value() && inside_.contains(operand.value().index);
  }

  Value join_arrays(const SymbolicArray& a, const SymbolicArray& b) {
    if (a.type != b.type) hooks_.refuse("a branch whose sides give arrays of different types");
    std::vector<Operand> extents;
    for (std::size_t i = 0; i < a.extents.size(); ++i)
      extents.push_back(join_extents(a.extents[i], b.extents[i]));
    std::vector<ValueId> leaves;
    for (std::size_t i = 0; i < a.leaves.size(); ++i) {
      const LeafLayout& leaf = a.type->leaves[i];
      if (leaf.is_unit) {
        leaves.push_back(SymbolicArray::no_leaf);
        continue;
      }
      ir::Type type = leaf_type(leaf, extents);
      const bool may_stay = a.leaves[i] == b.leaves[i] &&
                            std::none_of(type.extents.begin(), type.extents.end(), is_placeholder);
      leaves.push_back(may_stay ? a.leaves[i]
                                : add(a.leaves[i], b.leaves[i], std::move(type)).value());
    }
    return hooks_.array(a.type, std::move(extents), std::move(leaves));
  }

  Value join_fields(const Value& a, const Value& b) {
    Value result = a.kind() == Value::Kind::Record ? Value::record_of_size(a.fields().size())
                                                   : Value::sum_of_size(a.tag(), a.fields().size());
    for (std::size_t i = 0; i < a.fields().size(); ++i)
      result.fields()[i] = join(a.fields()[i], b.fields()[i]);
    return result;
  }

  Operand tag_of(const Value& sum) const {
    if (is_open(sum)) return hooks_.operand(sum.fields()[0]);
    return Operand::constant(ElementType::U8, Scalar::of(static_cast<std::uint8_t>(sum.tag())));
  }
  /// The payload of a constructor as a record; Nothing if the sum cannot be that one.
  static Value alternative(const Value& sum, std::uint32_t tag) {
    if (is_open(sum)) return tag < alternative_count(sum) ? sum.fields()[1 + tag] : Value();
    if (sum.tag() != tag) return {};
    Value payload = Value::record_of_size(sum.fields().size());
    std::copy(sum.fields().begin(), sum.fields().end(), payload.fields().begin());
    return payload;
  }
  static std::uint32_t alternatives(const Value& sum) {
    return is_open(sum) ? alternative_count(sum) : sum.tag() + 1;
  }

  Value join_sums(const Value& a, const Value& b) {
    if (!is_open(a) && !is_open(b) && a.tag() == b.tag()) return join_fields(a, b);
    const std::uint32_t count = std::max(alternatives(a), alternatives(b));
    if (count > 256) hooks_.refuse("a sum of more than 256 constructors");
    Value result = Value::sum_of_size(open_tag, 1 + count);
    result.fields()[0] = hooks_.scalar(either(tag_of(a), tag_of(b), {ElementType::U8, {}}));
    for (std::uint32_t tag = 0; tag < count; ++tag) {
      const Value then_payload = alternative(a, tag), else_payload = alternative(b, tag);
      const bool in_then = then_payload.kind() != Value::Kind::Nothing;
      const bool in_else = else_payload.kind() != Value::Kind::Nothing;
      if (in_then && in_else)
        result.fields()[1 + tag] = join(then_payload, else_payload);
      else if (in_then || in_else)
        result.fields()[1 + tag] = one_side(in_then ? then_payload : else_payload, in_then);
    }
    return result;
  }

  /// A value that only one side has: the other side gives zeros and empty arrays for what is not
  /// known outside.
  Value one_side(const Value& value, bool is_then) {
    auto give = [&](const Operand& one, const Operand& other, ir::Type type) {
      return is_then ? add(one, other, std::move(type)) : add(other, one, std::move(type));
    };
    switch (value.kind()) {
    case Value::Kind::Nothing:
      return value;
    case Value::Kind::Scalar: {
      const Operand operand = hooks_.operand(value);
      if (!is_inside(operand)) return value;
      const ElementType element = hooks_.element(operand);
      return hooks_.scalar(give(operand, Operand::constant(element, {}), {element, {}}));
    }
    case Value::Kind::Array: {
      const SymbolicArray& array = *value.array();
      bool stays = true;
      for (const Operand& extent : array.extents)
        stays &= !is_inside(extent);
      for (ValueId leaf : array.leaves)
        stays &= leaf == SymbolicArray::no_leaf || !is_inside(leaf);
      if (stays) return value;
      const std::vector<Operand> none(array.extents.size(), Operand::i64(0));
      std::vector<Operand> extents;
      for (const Operand& extent : array.extents)
        extents.push_back(give(extent, Operand::i64(0), {ElementType::I64, {}}));
      std::vector<ValueId> leaves;
      for (std::size_t i = 0; i < array.leaves.size(); ++i) {
        const LeafLayout& leaf = array.type->leaves[i];
        leaves.push_back(leaf.is_unit
                             ? SymbolicArray::no_leaf
                             : give(array.leaves[i], hooks_.empty_array(leaf_type(leaf, none)),
                                    leaf_type(leaf, extents))
                                   .value());
      }
      return hooks_.array(array.type, std::move(extents), std::move(leaves));
    }
    case Value::Kind::Record:
    case Value::Kind::Sum: {
      Value result = value.kind() == Value::Kind::Record
                         ? Value::record_of_size(value.fields().size())
                         : Value::sum_of_size(value.tag(), value.fields().size());
      for (std::size_t i = 0; i < value.fields().size(); ++i)
        result.fields()[i] = one_side(value.fields()[i], is_then);
      return result;
    }
    case Value::Kind::Function: {
      const FunctionObject<Symbolic>& object = value.function();
      std::vector<Value> captures, arguments;
      for (const Value& capture : object.captures)
        captures.push_back(one_side(capture, is_then));
      for (const Value& argument : object.arguments)
        arguments.push_back(one_side(argument, is_then));
      return Value::function(object.function, std::move(captures), std::move(arguments));
    }
    case Value::Kind::Accumulator:
      break;
    }
    hooks_.refuse("a branch that gives an accumulator");
    __builtin_unreachable();
  }

  Value join_functions(const FunctionObject<Symbolic>& a, const FunctionObject<Symbolic>& b) {
    if (a.function != b.function || a.arguments.size() != b.arguments.size())
      hooks_.refuse("a branch that chooses between functions");
    std::vector<Value> captures, arguments;
    for (std::size_t i = 0; i < a.captures.size(); ++i)
      captures.push_back(join(a.captures[i], b.captures[i]));
    for (std::size_t i = 0; i < a.arguments.size(); ++i)
      arguments.push_back(join(a.arguments[i], b.arguments[i]));
    return Value::function(a.function, std::move(captures), std::move(arguments));
  }

  Hooks hooks_;
  std::unordered_set<std::uint32_t> inside_; ///< what the sides define themselves
};

/// Whether a failure ends the path that is being traced, and does not say something about the
/// trace.
bool ends_the_path(const RuntimeError& error) {
  return error.kind == FailureKind::Program || error.kind == FailureKind::Unsupported ||
         error.kind == FailureKind::Deferred;
}

} // namespace

void SymbolicDomain::splice(ir::Body body) {
  for (const ir::Statement& statement : body.statements)
    if (const auto* check = std::get_if<ir::Check>(&statement.operation))
      sizes_.assume(check->condition);
  builder_.splice(std::move(body));
}

SymbolicValue SymbolicDomain::branch_on(const Operand& condition,
                                        const std::function<Value()>& then_branch,
                                        const std::function<Value()>& else_branch) {
  limit_statements();
  std::unordered_set<std::uint32_t> inside;
  Value then_value, else_value;
  std::optional<ir::FailureSite> failure;
  // One side on its own; nothing if it always fails.
  auto trace_side = [&](const std::function<Value()>& side, bool is_then, Value& value) {
    BodyScope scope(*this, Runs::AtMostOnce);
    sizes_.assume(condition, is_then);
    try {
      value = side();
    } catch (const RuntimeError& error) {
      if (!ends_the_path(error)) refuse(error.message);
      failure = failure_site(error);
      return ir::Body();
    }
    rebuild(value, [&](const Operand& old, const ir::Type&, bool) {
      if (old.is_value() && builder_.is_defined_within(old.value(), 1))
        inside.insert(old.value().index);
      return old;
    });
    return scope.close({});
  };
  // Where one side always fails, the other one is what follows a check.
  ir::Body then_body = trace_side(then_branch, true, then_value);
  if (failure) {
    // It still is but one path of two if the failure is none of the program's.
    const bool is_conditional = failure->kind == FailureKind::Deferred;
    check(negation(condition), std::move(*failure));
    if (!is_conditional) return else_branch();
    ConditionalScope scope(*this);
    return else_branch();
  }
  ir::Body else_body = trace_side(else_branch, false, else_value);
  if (failure) {
    check(condition, std::move(*failure));
    splice(std::move(then_body));
    return then_value;
  }

  as_steps(then_value, else_value);
  Joiner joiner(
      Joiner::Hooks{[this](const Value& value) { return operand(value); },
                    [this](const Operand& result) { return Value(handle(result)); },
                    [this](const Operand& known) { return builder_.type(known).element; },
                    [this](const Operand& a, const Operand& b) { return sizes_.are_equal(a, b); },
                    [this](ValueId value) { return builder_.type(value); },
                    [this](const ir::Type& type) { return empty_array(type); },
                    [this](const Representation* type, std::vector<Operand> extents,
                           std::vector<ValueId> leaves) {
                      return make_array(type, std::move(extents), std::move(leaves));
                    },
                    [this](std::string reason) { refuse(std::move(reason)); }},
      std::move(inside));
  const Value joined = joiner.join(then_value, else_value);
  const std::vector<Result>& results = joiner.results;
  if (results.empty() && !has_effects(then_body) && !has_effects(else_body)) return joined;

  std::vector<Operand> values;
  const bool is_scalar = std::all_of(results.begin(), results.end(),
                                     [](const Result& r) { return r.type.is_scalar(); });
  if (is_scalar && is_speculable(then_body) && is_speculable(else_body)) {
    std::unordered_map<std::uint32_t, Operand> copies;
    auto renamed = [&](const Operand& old) {
      if (!old.is_value()) return old;
      auto copy = copies.find(old.value().index);
      return copy == copies.end() ? old : copy->second;
    };
    for (const ir::Body* body : {&then_body, &else_body})
      for (const ir::Statement& statement : body->statements) {
        const std::uint32_t old = statement.results[0].index;
        Operand copy;
        if (const auto* primitive = std::get_if<ir::Primitive>(&statement.operation)) {
          std::vector<Operand> arguments;
          for (const Operand& argument : primitive->arguments)
            arguments.push_back(renamed(argument));
          copy = builder_.primitive(*primitive->primitive, arguments, statement.span);
        } else {
          const auto& chosen = std::get<ir::Select>(statement.operation);
          copy = select(renamed(chosen.condition), renamed(chosen.then_value),
                        renamed(chosen.else_value));
        }
        copies.emplace(old, copy);
        if (!copy.is_value()) continue;
        if (auto bound = index_bounds_.find(old); bound != index_bounds_.end())
          index_bounds_.try_emplace(copy.value().index, renamed(bound->second));
      }
    for (const Result& result : results) {
      const Operand then_operand = renamed(result.then_value),
                    else_operand = renamed(result.else_value);
      auto is_bool = [](const Operand& operand, bool truth) {
        return operand.is_constant() && operand.element() == ElementType::Bool &&
               operand.scalar().as<bool>() == truth;
      };
      values.push_back(is_bool(else_operand, false) ? both(condition, then_operand)
                       : is_bool(then_operand, true)
                           ? either(condition, else_operand)
                           : select(condition, then_operand, else_operand));
    }
  } else {
    for (const Result& result : results) {
      then_body.results.push_back(result.then_value);
      else_body.results.push_back(result.else_value);
    }
    const std::vector<ValueId> made = builder_.append_dependent(
        ir::If{condition, std::move(then_body), std::move(else_body)}, results.size(),
        [&](std::size_t i, std::span<const ValueId> all) {
          ir::Type type = results[i].type;
          for (Operand& extent : type.extents)
            if (is_placeholder(extent)) extent = all[extent.value().index - first_placeholder];
          return type;
        },
        span_);
    values.assign(made.begin(), made.end());
  }
  return rebuild(joined, [&](const Operand& old, const ir::Type&, bool) {
    return is_placeholder(old) ? values[old.value().index - first_placeholder] : old;
  });
}

} // namespace sinter::jit
