#include "jit/passes/simplify.h"

#include "jit/ir/groups.h"
#include "jit/ir/walk.h"
#include "jit/passes/algebra.h"
#include "jit/passes/facts.h"
#include "jit/passes/rewrite.h"
#include "jit/passes/shared_values.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

/// An `if` whose branches together cost at most this becomes a select.
constexpr unsigned select_cost_limit = 12;

/// Elements that are known without reading memory.
struct KnownElements {
  enum class Kind { Same, Number } kind = Kind::Same; ///< all one value; or the index itself
  Operand value;                                      ///< of Same
};

class Simplifier {
public:
  explicit Simplifier(Function& function)
      : function_(function), aliases_(function), facts_(function) {}

  void run() {
    for (ValueId parameter : function_.body.parameters)
      facts_.note_type(function_.type(parameter));
    body(function_.body);
  }

private:
  using Statements = std::vector<Statement>;

  // ---- bodies ----------------------------------------------------------------------------------

  /// Simplifies the statements of a body whose parameters have been introduced.
  void body(Body& body) {
    Statements before = std::move(body.statements);
    body.statements.clear();
    body.statements.reserve(before.size());
    for (ValueId parameter : body.parameters)
      substitution_.apply_to_type(function_, parameter);
    for (Statement& statement : before)
      this->statement(std::move(statement), body.statements);
    for (Operand& result : body.results)
      result = substitution_.resolve(result);
  }

  /// What is found inside is forgotten at the end, except what stands for what.
  template <typename Introduce>
  void scope(Body& inner, Introduce&& introduce) {
    const Facts::Mark facts = facts_.mark();
    const std::size_t shared = shared_.mark();
    for (ValueId parameter : inner.parameters)
      facts_.note_type(function_.type(parameter));
    introduce();
    ++depth_;
    body(inner);
    --depth_;
    shared_.back_to(shared);
    facts_.back_to(facts);
  }
  void scope(Body& inner) {
    scope(inner, [] {});
  }

  void statement(Statement statement, Statements& out) {
    substitution_.apply_to_head(function_, statement);
    std::visit([&](auto& operation) { this->operation(operation, statement, out); },
               statement.operation);
  }

  /// Appends a statement that stays.
  void keep(Statement statement, Statements& out) {
    facts_.define(statement);
    if (const auto* primitive = std::get_if<ir::Primitive>(&statement.operation))
      primitives_.insert_or_assign(statement.results[0].index, *primitive);
    out.push_back(std::move(statement));
  }

  void replace(const Statement& statement, std::size_t result, Operand by) {
    substitution_.set(statement.results[result], by);
  }

  /// Appends a pure operation with one result, unless an equal one was computed before.
  void share(Statement statement, Statements& out) {
    const ValueId result = statement.results[0];
    const Type& type = function_.type(result);
    auto key = SharedValues::key(statement.operation, type);
    // An array that is overwritten must stay apart from other values.
    if (key && (type.is_scalar() || !aliases_.is_consumed(result))) {
      if (const auto found = shared_.find(*key)) return substitution_.set(result, *found);
      shared_.add(std::move(*key), result);
    }
    views_.insert_or_assign(result.index, statement.operation);
    keep(std::move(statement), out);
  }

  // ---- scalars ---------------------------------------------------------------------------------

  const ir::Primitive* primitive(ValueId value) const {
    const auto found = primitives_.find(value.index);
    return found == primitives_.end() ? nullptr : &found->second;
  }
  PrimitiveDefinition definitions() const {
    return [this](ValueId value) { return primitive(value); };
  }

  /// The scalar operation's value, for use by rules that need a new one.
  Operand compute(primitives::Operation operation, std::vector<Operand> arguments, Span span,
                  Statements& out) {
    const primitives::Primitive& row = jit::row(operation, ElementType::I64);
    const ValueId result = function_.add_value({row.result, {}});
    Statement statement{{result}, ir::Primitive{&row, std::move(arguments)}, span};
    this->operation(std::get<ir::Primitive>(statement.operation), statement, out);
    return substitution_.resolve(result);
  }

  void operation(ir::Primitive& primitive, Statement& statement, Statements& out) {
    if (primitive.primitive->result == ElementType::Bool) {
      // Known conditions are constants; define them first so that the facts can look inside.
      Facts::Mark mark = facts_.mark();
      facts_.define(statement);
      const auto known = facts_.decide(statement.results[0]);
      facts_.back_to(mark);
      if (known)
        return replace(statement, 0, Operand::constant(ElementType::Bool, Scalar::of(*known)));
    }
    if (const auto found = known_extreme(primitive)) return replace(statement, 0, *found);
    if (const auto found = of_choice(primitive)) return choose(*found, statement, out);
    finish(simplify(primitive, definitions()), statement, out);
  }

  /// The lesser or greater of two numbers whose order is known.
  std::optional<Operand> known_extreme(const ir::Primitive& primitive) {
    const bool is_minimum = primitive.primitive->operation == primitives::Operation::Minimum;
    if (!is_minimum && primitive.primitive->operation != primitives::Operation::Maximum)
      return std::nullopt;
    const Operand &a = primitive.arguments[0], &b = primitive.arguments[1];
    if (facts_.is_at_most(a, b)) return is_minimum ? a : b;
    if (facts_.is_at_most(b, a)) return is_minimum ? b : a;
    return std::nullopt;
  }

  /// An operation on a choice between constants, and constants, is a choice between constants:
  /// `(if p then 0 else 1) == 0` is `p`.
  std::optional<Select> of_choice(const ir::Primitive& primitive) const {
    const primitives::Primitive& row = *primitive.primitive;
    const Select* choice = nullptr;
    std::array<Scalar, 3> if_true{}, if_false{};
    for (std::size_t i = 0; i < primitive.arguments.size(); ++i) {
      const Operand& argument = primitive.arguments[i];
      if (argument.is_constant()) {
        if_true[i] = if_false[i] = argument.scalar();
        continue;
      }
      const Select* found = view<Select>(argument.value());
      if (!found || choice || !found->then_value.is_constant() || !found->else_value.is_constant())
        return std::nullopt;
      choice = found;
      if_true[i] = found->then_value.scalar();
      if_false[i] = found->else_value.scalar();
    }
    if (!choice || row.is_defined) return std::nullopt;
    const auto value = [&](const std::array<Scalar, 3>& arguments) {
      return Operand::constant(row.result, row.apply(arguments[0], arguments[1], arguments[2]));
    };
    return Select{choice->condition, value(if_true), value(if_false)};
  }
  void choose(const Select& choice, Statement& statement, Statements& out) {
    Statement next{statement.results, choice, statement.span};
    operation(std::get<Select>(next.operation), next, out);
  }

  void operation(Select& select, Statement& statement, Statements& out) {
    if (const auto known = facts_.decide(select.condition))
      return replace(statement, 0, *known ? select.then_value : select.else_value);
    finish(simplify(select, definitions()), statement, out);
  }

  /// Puts what the algebra found in the statement's place.
  void finish(std::optional<Simplified> found, Statement& statement, Statements& out) {
    if (!found) return share(std::move(statement), out);
    std::visit(
        [&]<typename T>(T& simpler) {
          if constexpr (std::is_same_v<T, Operand>) {
            replace(statement, 0, simpler);
          } else {
            Statement next{statement.results, std::move(simpler), statement.span};
            this->operation(std::get<T>(next.operation), next, out);
          }
        },
        *found);
  }

  void operation(Check& check, Statement& statement, Statements& out) {
    const auto known = facts_.decide(check.condition);
    if (known == true) return;
    if (!known) check.condition = open_part(check.condition);
    facts_.assume(check.condition, true);
    if (depth_ == 0) unify_sizes(check.condition);
    keep(std::move(statement), out);
  }

  /// Sizes that are equal from here to the end of the function get one name.
  void unify_sizes(const Operand& condition) {
    const ir::Primitive* definition = condition.is_value() ? primitive(condition.value()) : nullptr;
    if (!definition) return;
    if (definition->primitive->operation == primitives::Operation::And &&
        definition->primitive->operand == ElementType::Bool) {
      const std::vector<Operand> parts = definition->arguments;
      for (const Operand& part : parts)
        unify_sizes(part);
    } else if (definition->primitive->operation == primitives::Operation::Equal &&
               definition->primitive->operand == ElementType::I64) {
      Operand a = substitution_.resolve(definition->arguments[0]);
      Operand b = substitution_.resolve(definition->arguments[1]);
      if (a == b) return;
      if (b.is_constant() || (a.is_value() && b.value() < a.value())) std::swap(a, b);
      if (b.is_value() && may_be_size(a)) substitution_.set(b.value(), a);
    }
  }
  /// What is equal to another number is no size, or what follows is never reached: its name stays.
  static bool may_be_size(const Operand& operand) {
    if (operand.is_value()) return true;
    const auto number = operand.scalar().as<std::int64_t>();
    return number >= 0 && number < extent_limit;
  }

  /// A conjunction without its parts that hold anyway.
  Operand open_part(Operand condition) {
    while (condition.is_value()) {
      const ir::Primitive* both = primitive(condition.value());
      if (!both || both->primitive->operation != primitives::Operation::And) break;
      if (facts_.decide(both->arguments[0]) == true)
        condition = both->arguments[1];
      else if (facts_.decide(both->arguments[1]) == true)
        condition = both->arguments[0];
      else
        break;
    }
    return condition;
  }

  // ---- control ---------------------------------------------------------------------------------

  /// Runs the body's statements here: its results stand for the statement's.
  void inline_body(Body& inner, const Statement& statement, Statements& out) {
    for (Statement& each : inner.statements)
      this->statement(std::move(each), out);
    for (std::size_t i = 0; i < inner.results.size(); ++i)
      replace(statement, i, substitution_.resolve(inner.results[i]));
  }

  void operation(If& choice, Statement& statement, Statements& out) {
    if (const auto known = facts_.decide(choice.condition))
      return inline_body(*known ? choice.then_body : choice.else_body, statement, out);
    scope(choice.then_body, [&] { facts_.assume(choice.condition, true); });
    scope(choice.else_body, [&] {
      if (!choice.is_shortcut) facts_.assume(choice.condition, false);
    });
    if (becomes_select(choice, statement)) {
      for (Body* inner : {&choice.then_body, &choice.else_body})
        for (Statement& each : inner->statements)
          this->statement(std::move(each), out);
      for (std::size_t i = 0; i < statement.results.size(); ++i) {
        Statement select{{statement.results[i]},
                         Select{choice.condition,
                                substitution_.resolve(choice.then_body.results[i]),
                                substitution_.resolve(choice.else_body.results[i])},
                         statement.span};
        this->operation(std::get<Select>(select.operation), select, out);
      }
      return;
    }
    drop_equal_results(choice, statement);
    keep(std::move(statement), out);
  }

  bool becomes_select(const If& choice, const Statement& statement) const {
    for (ValueId result : statement.results)
      if (!function_.type(result).is_scalar()) return false;
    unsigned cost = 0;
    for (const Body* inner : {&choice.then_body, &choice.else_body})
      for (const Statement& each : inner->statements) {
        if (std::holds_alternative<Select>(each.operation))
          ++cost;
        else if (const auto* scalar = std::get_if<ir::Primitive>(&each.operation);
                 scalar && !scalar->primitive->is_defined)
          cost += scalar->primitive->cost;
        else
          return false;
      }
    return cost <= select_cost_limit;
  }

  /// Results that both branches agree on need no branch.
  void drop_equal_results(If& choice, Statement& statement) {
    for (std::size_t i = statement.results.size(); i-- > 0;) {
      if (choice.then_body.results[i] != choice.else_body.results[i]) continue;
      if (!has_same_extents(choice.then_body.results[i], statement.results[i], 0)) continue;
      replace(statement, i, choice.then_body.results[i]);
      const auto at = static_cast<std::ptrdiff_t>(i);
      statement.results.erase(statement.results.begin() + at);
      choice.then_body.results.erase(choice.then_body.results.begin() + at);
      choice.else_body.results.erase(choice.else_body.results.begin() + at);
    }
    for (ValueId result : statement.results)
      substitution_.apply_to_type(function_, result);
  }

  /// State that the body hands on as it is stands for its initial value.  `first` is the position
  /// of the state among the parameters; `others` are bodies with the same state.
  void drop_constant_state(Statement& statement, std::vector<Operand>& initial, Body& body,
                           std::size_t first, Body* other) {
    for (std::size_t i = initial.size(); i-- > 0;) {
      const ValueId parameter = body.parameters[first + i];
      const Operand next = substitution_.resolve(body.results[i]);
      if (next != Operand(parameter) && next != initial[i]) continue;
      // An array that is overwritten on the way is not the same any more.
      if (!function_.type(parameter).is_scalar() && next != Operand(parameter)) continue;
      const auto at = static_cast<std::ptrdiff_t>(i);
      substitution_.set(parameter, initial[i]);
      replace(statement, i, initial[i]);
      if (other) {
        substitution_.set(other->parameters[i], initial[i]);
        other->parameters.erase(other->parameters.begin() + at);
      }
      body.parameters.erase(body.parameters.begin() + static_cast<std::ptrdiff_t>(first) + at);
      body.results.erase(body.results.begin() + at);
      initial.erase(initial.begin() + at);
      statement.results.erase(statement.results.begin() + at);
    }
    for (ValueId result : statement.results)
      substitution_.apply_to_type(function_, result);
  }

  void operation(For& loop, Statement& statement, Statements& out) {
    const Operand zero = Operand::constant(loop.index_type, Scalar::of<std::int64_t>(0));
    const bool is_empty = loop.bound.is_constant() && is_signed(loop.index_type) &&
                          loop.bound.scalar().as<std::int64_t>() <= 0;
    if (is_empty || loop.bound == zero) {
      for (std::size_t i = 0; i < loop.initial.size(); ++i)
        replace(statement, i, loop.initial[i]);
      return;
    }
    if (loop.bound.is_constant() && loop.bound.scalar().as<std::int64_t>() == 1) {
      substitution_.set(loop.body.parameters[0], zero);
      for (std::size_t i = 0; i < loop.initial.size(); ++i)
        substitution_.set(loop.body.parameters[i + 1], loop.initial[i]);
      return inline_body(loop.body, statement, out);
    }
    drop_constant_state(statement, loop.initial, loop.body, 1, nullptr);
    scope(loop.body, [&] {
      if (is_signed(loop.index_type)) facts_.index_below(loop.body.parameters[0], loop.bound);
    });
    if (loop.initial.empty() && !may_fail(statement.operation)) return;
    keep(std::move(statement), out);
  }

  void operation(While& loop, Statement& statement, Statements& out) {
    drop_constant_state(statement, loop.initial, loop.body, 0, &loop.condition);
    scope(loop.condition);
    scope(loop.body);
    keep(std::move(statement), out);
  }

  void operation(Soac& soac, Statement& statement, Statements& out) {
    const ValueId index = soac.body.parameters[0];
    drop_known_inputs(soac);
    scope(soac.body, [&] {
      facts_.index_below(index, soac.extent);
      for (std::size_t i = 0; i < soac.inputs.size(); ++i) {
        const ValueId element = soac.body.parameters[i + 1];
        const Type& type = function_.type(element);
        if (!type.is_scalar() && aliases_.is_consumed(element)) continue;
        if (auto key = SharedValues::key(ir::Index{soac.inputs[i], {index}}, type))
          shared_.add(std::move(*key), element);
      }
    });
    for (Group& group : soac.groups)
      for_each_body(group, [&](Body& combine) { scope(combine); });
    note_elements(soac, statement);
    keep(std::move(statement), out);
  }

  /// Elements that are known, or read twice, are not inputs.
  void drop_known_inputs(Soac& soac) {
    for (std::size_t i = soac.inputs.size(); i-- > 0;) {
      const ValueId input = soac.inputs[i], element = soac.body.parameters[i + 1];
      if (aliases_.is_consumed(element) && !function_.type(element).is_scalar()) continue;
      std::optional<Operand> value;
      const auto known = elements_.find(input.index);
      if (known != elements_.end())
        value = known->second.kind == KnownElements::Kind::Number ? Operand(soac.body.parameters[0])
                                                                  : known->second.value;
      const auto first = std::find(soac.inputs.begin(), soac.inputs.end(), input);
      const auto position = static_cast<std::size_t>(first - soac.inputs.begin());
      if (!value && position < i) value = soac.body.parameters[position + 1];
      if (!value) continue;
      substitution_.set(element, *value);
      soac.inputs.erase(soac.inputs.begin() + static_cast<std::ptrdiff_t>(i));
      soac.body.parameters.erase(soac.body.parameters.begin() + static_cast<std::ptrdiff_t>(i + 1));
    }
  }

  /// Whether an array may stand for another one, or for the rows inside of its `outer` dimensions,
  /// wherever that is seen: asked where that one is defined.
  bool has_same_extents(const Operand& value, ValueId array, std::size_t outer) const {
    const Type& whole = function_.type(array);
    const std::span<const Operand> rows = std::span(whole.extents).subspan(outer);
    return facts_.sizes().are_equal(function_.type(value),
                                    Type{whole.element, {rows.begin(), rows.end()}});
  }

  /// Results whose elements are the index, or a value from outside of the body.
  void note_elements(const Soac& soac, const Statement& statement) {
    std::vector<ValueId> defined = soac.body.parameters;
    for (const Statement& each : soac.body.statements)
      defined.insert(defined.end(), each.results.begin(), each.results.end());
    for_each_group(soac, [&](const Group& group, std::size_t from, std::size_t to) {
      if (!std::holds_alternative<MapGroup>(group)) return;
      const Operand element = soac.body.results[from];
      const ValueId result = statement.results[to];
      if (aliases_.is_consumed(result) || !has_same_extents(element, result, 1)) return;
      if (element == Operand(soac.body.parameters[0]))
        elements_.insert_or_assign(result.index,
                                   KnownElements{KnownElements::Kind::Number, element});
      else if (element.is_constant() ||
               (std::find(defined.begin(), defined.end(), element.value()) == defined.end() &&
                (function_.type(element).is_scalar() || !aliases_.is_consumed(element.value()))))
        elements_.insert_or_assign(result.index, KnownElements{KnownElements::Kind::Same, element});
      else if (element.is_value())
        note_identity(soac, element, result);
    });
  }

  /// `map (\x -> x) xs` is `xs`, where nobody overwrites either.
  void note_identity(const Soac& soac, const Operand& element, ValueId result) {
    for (std::size_t i = 0; i < soac.inputs.size(); ++i)
      if (element == Operand(soac.body.parameters[i + 1]) && !aliases_.is_consumed(soac.inputs[i]))
        substitution_.set(result, soac.inputs[i]);
  }

  // ---- views -----------------------------------------------------------------------------------

  template <typename View>
  const View* view(ValueId array) const {
    const auto found = views_.find(array.index);
    return found == views_.end() ? nullptr : std::get_if<View>(&found->second);
  }

  void again(ir::Operation operation, Statement& statement, Statements& out) {
    Statement next{statement.results, std::move(operation), statement.span};
    std::visit([&](auto& inner) { this->operation(inner, next, out); }, next.operation);
  }

  void operation(ir::Index& index, Statement& statement, Statements& out) {
    const std::size_t count = index.indices.size();
    const bool is_element = count == function_.type(index.array).rank();
    if (const auto* outer = view<ir::Index>(index.array)) {
      std::vector<Operand> indices = outer->indices;
      indices.insert(indices.end(), index.indices.begin(), index.indices.end());
      return again(ir::Index{outer->array, std::move(indices)}, statement, out);
    }
    if (is_element)
      if (const auto* slice = view<Slice>(index.array)) {
        std::vector<Operand> indices;
        const Slice source = *slice;
        for (std::size_t i = 0; i < count; ++i)
          indices.push_back(position(source.dimensions[i], index.indices[i], statement.span, out));
        return again(ir::Index{source.array, std::move(indices)}, statement, out);
      }
    if (const auto* transpose = view<Transpose>(index.array))
      if (is_element) {
        std::vector<Operand> indices(count);
        for (std::size_t i = 0; i < count; ++i)
          indices[transpose->permutation[i]] = index.indices[i];
        return again(ir::Index{transpose->array, std::move(indices)}, statement, out);
      }
    if (const auto* literal = view<ArrayLiteral>(index.array))
      if (index.indices[0].is_constant()) {
        const std::int64_t at = index.indices[0].scalar().as<std::int64_t>();
        if (at >= 0 && at < static_cast<std::int64_t>(literal->elements.size()))
          return element(literal->elements[static_cast<std::size_t>(at)], index, statement, out);
      }
    const auto known = elements_.find(index.array.index);
    if (known != elements_.end())
      return element(known->second.kind == KnownElements::Kind::Number ? index.indices[0]
                                                                       : known->second.value,
                     index, statement, out);
    share(std::move(statement), out);
  }

  /// The outermost index led to this value.
  void element(Operand found, const ir::Index& index, Statement& statement, Statements& out) {
    if (index.indices.size() == 1) return replace(statement, 0, found);
    again(ir::Index{found.value(), {index.indices.begin() + 1, index.indices.end()}}, statement,
          out);
  }

  Operand position(const Slice::Dimension& dimension, const Operand& index, Span span,
                   Statements& out) {
    const Operand scaled =
        compute(primitives::Operation::Multiply, {index, dimension.stride}, span, out);
    return compute(primitives::Operation::Add, {dimension.begin, scaled}, span, out);
  }

  void operation(Slice& slice, Statement& statement, Statements& out) {
    const Type& type = function_.type(statement.results[0]);
    const auto is_whole = [](const Slice::Dimension& dimension) {
      return dimension.begin == Operand::i64(0) && dimension.stride == Operand::i64(1);
    };
    if (std::all_of(slice.dimensions.begin(), slice.dimensions.end(), is_whole) &&
        facts_.sizes().are_equal(type, function_.type(slice.array)))
      return replace(statement, 0, slice.array);
    if (const auto* inner = view<Slice>(slice.array)) {
      Slice whole = *inner;
      for (std::size_t i = 0; i < whole.dimensions.size(); ++i) {
        const Slice::Dimension outer = slice.dimensions[i];
        const Slice::Dimension source = whole.dimensions[i];
        whole.dimensions[i] = {position(source, outer.begin, statement.span, out),
                               compute(primitives::Operation::Multiply,
                                       {outer.stride, source.stride}, statement.span, out)};
      }
      Statement next{statement.results, std::move(whole), statement.span};
      return share(std::move(next), out);
    }
    share(std::move(statement), out);
  }

  void operation(Transpose& transpose, Statement& statement, Statements& out) {
    if (const auto* inner = view<Transpose>(transpose.array)) {
      Transpose whole{inner->array, {}};
      for (const std::uint32_t dimension : transpose.permutation)
        whole.permutation.push_back(inner->permutation[dimension]);
      return again(std::move(whole), statement, out);
    }
    if (std::is_sorted(transpose.permutation.begin(), transpose.permutation.end()))
      return replace(statement, 0, transpose.array);
    share(std::move(statement), out);
  }

  void operation(Reshape& reshape, Statement& statement, Statements& out) {
    if (const auto* inner = view<Reshape>(reshape.array)) reshape.array = inner->array;
    if (has_same_extents(reshape.array, statement.results[0], 0))
      return replace(statement, 0, reshape.array);
    share(std::move(statement), out);
  }

  void operation(ArrayLiteral& literal, Statement& statement, Statements& out) {
    // Elements that are arrays are copied into it; the originals may be overwritten later.
    const auto may_change = [&](const Operand& element) {
      return !function_.type(element).is_scalar() && aliases_.is_consumed(element.value());
    };
    if (!aliases_.is_consumed(statement.results[0]) &&
        std::none_of(literal.elements.begin(), literal.elements.end(), may_change))
      views_.insert_or_assign(statement.results[0].index, literal);
    keep(std::move(statement), out);
  }

  // Arrays that are overwritten or made anew are left to other passes.
  void operation(Update&, Statement& statement, Statements& out) {
    keep(std::move(statement), out);
  }
  void operation(UpdateSlice&, Statement& statement, Statements& out) {
    keep(std::move(statement), out);
  }
  void operation(Concat& concat, Statement& statement, Statements& out) {
    const ValueId result = statement.results[0];
    const auto is_kept = [&](ValueId array) { return !aliases_.is_consumed(array); };
    // `(a ++ b) ++ c` copies a and b once.
    std::vector<ValueId> parts;
    for (ValueId array : concat.arrays) {
      const auto* inner = view<Concat>(array);
      if (inner && is_kept(array))
        parts.insert(parts.end(), inner->arrays.begin(), inner->arrays.end());
      else
        parts.push_back(array);
    }
    concat.arrays = std::move(parts);
    if (is_kept(result) && std::all_of(concat.arrays.begin(), concat.arrays.end(), is_kept))
      views_.insert_or_assign(result.index, concat);
    if (concat.arrays.size() == 1 && !aliases_.is_consumed(result) &&
        !aliases_.is_consumed(concat.arrays[0]))
      return replace(statement, 0, concat.arrays[0]);
    if (const auto whole = cut_and_joined(concat, result)) return replace(statement, 0, *whole);
    keep(std::move(statement), out);
  }

  /// `xs[:k] ++ xs[k:]` is `xs`: the array of which the parts are all the slices, in order.
  std::optional<ValueId> cut_and_joined(const Concat& concat, ValueId result) const {
    const auto is_overwritten = [&](ValueId array) { return aliases_.is_consumed(array); };
    const Slice* before = nullptr;
    for (std::size_t i = 0; i < concat.arrays.size(); ++i) {
      const auto* part = view<Slice>(concat.arrays[i]);
      if (!part || is_overwritten(concat.arrays[i])) return std::nullopt;
      const bool is_next = before
                               ? part->array == before->array &&
                                     is_sum(part->dimensions[0].begin, before->dimensions[0].begin,
                                            function_.type(concat.arrays[i - 1]).extents[0])
                               : part->dimensions[0].begin == Operand::i64(0);
      if (!is_next || part->dimensions[0].stride != Operand::i64(1)) return std::nullopt;
      for (std::size_t d = 1; d < part->dimensions.size(); ++d)
        if (part->dimensions[d].begin != Operand::i64(0) ||
            part->dimensions[d].stride != Operand::i64(1))
          return std::nullopt;
      before = part;
    }
    if (!before || is_overwritten(result) || is_overwritten(before->array) ||
        !has_same_extents(before->array, result, 0))
      return std::nullopt;
    return before->array;
  }
  /// Whether that is known without adding anything.
  bool is_sum(const Operand& sum, const Operand& a, const Operand& b) const {
    if (a == Operand::i64(0)) return sum == b;
    const ir::Primitive* added = sum.is_value() ? primitive(sum.value()) : nullptr;
    return added && added->primitive->operation == primitives::Operation::Add &&
           (added->arguments == std::vector{a, b} || added->arguments == std::vector{b, a});
  }
  void operation(Copy& copy, Statement& statement, Statements& out) {
    // A copy is there to be overwritten; if neither side is, it is the same value.
    if (!aliases_.is_consumed(statement.results[0]) && !aliases_.is_consumed(copy.array))
      return replace(statement, 0, copy.array);
    keep(std::move(statement), out);
  }

  Function& function_;
  AliasClasses aliases_;
  Facts facts_;
  Substitution substitution_;
  unsigned depth_ = 0; ///< bodies around, the function's not counted
  SharedValues shared_;
  std::unordered_map<std::uint32_t, ir::Primitive> primitives_; ///< by result
  std::unordered_map<std::uint32_t, ir::Operation> views_;      ///< by result
  std::unordered_map<std::uint32_t, KnownElements> elements_;   ///< by array
};

} // namespace

void simplify(Function& function) {
  Simplifier(function).run();
}

} // namespace sinter::jit
