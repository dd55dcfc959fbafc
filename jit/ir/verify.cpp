#include "jit/ir/verify.h"

#include "jit/ir/consumption.h"
#include "jit/ir/groups.h"
#include "jit/ir/print.h"
#include "jit/ir/size_facts.h"
#include "jit/ir/walk.h"
#include "lang/primitives/operand_types.h"

#include <algorithm>
#include <functional>
#include <span>
#include <utility>

namespace sinter::ir {
namespace {

struct Violation {
  std::string what;
};

Type scalar_type(ElementType element) {
  return {element, {}};
}
/// The type without its first `count` dimensions.
Type rest_of(const Type& type, std::size_t count) {
  return {type.element,
          {type.extents.begin() + static_cast<std::ptrdiff_t>(count), type.extents.end()}};
}
/// An array of `extent` such elements.
Type array_of(const Operand& extent, const Type& element) {
  Type type{element.element, {extent}};
  type.extents.insert(type.extents.end(), element.extents.begin(), element.extents.end());
  return type;
}
std::optional<std::int64_t> constant(const Operand& operand) {
  if (!operand.is_constant()) return std::nullopt;
  return operand.scalar().as<std::int64_t>();
}
/// The number of elements if all extents are constants.
std::optional<std::int64_t> constant_size(const Type& type) {
  std::int64_t size = 1;
  for (const Operand& extent : type.extents) {
    const std::optional<std::int64_t> count = constant(extent);
    if (!count || __builtin_mul_overflow(size, *count, &size)) return std::nullopt;
  }
  return size;
}

class Verifier {
public:
  explicit Verifier(const Function& function)
      : function_(function), is_defined_(function.values.size(), false),
        is_in_scope_(function.values.size(), false), definitions_(function.values.size(), nullptr),
        sizes_([this](ValueId value) { return definitions_[value.index]; }) {}

  void run() {
    body(function_.body, [] {});
  }
  const Statement* statement() const { return statement_; }

private:
  using Substitution = std::vector<Replacement>;

  // ---- words

  static void require(bool holds, const char* what) {
    if (!holds) throw Violation{what};
  }
  std::string text(const Type& type) const {
    std::string text;
    for (const Operand& extent : type.extents)
      text += "[" + text_of(extent) + "]";
    return text + std::string(name(type.element));
  }
  std::string text_of(const Operand& operand) const {
    if (operand.is_constant()) return sinter::print(operand.element(), operand.scalar());
    const std::string& hint = function_.values[operand.value().index].name;
    return hint.empty() ? "v" + std::to_string(operand.value().index) : hint;
  }

  // ---- operands and types

  void in_scope(const Operand& operand) const {
    if (operand.is_constant()) return;
    const std::uint32_t index = operand.value().index;
    if (index >= is_in_scope_.size()) throw Violation{"there is no value " + std::to_string(index)};
    if (!is_in_scope_[index]) throw Violation{text_of(operand) + " is not in scope"};
  }
  void well_formed(const Type& type) const {
    for (const Operand& extent : type.extents) {
      in_scope(extent);
      if (this->type(extent) != scalar_type(ElementType::I64))
        throw Violation{"the extent " + text_of(extent) + " is not an i64"};
      const std::int64_t number = constant(extent).value_or(0);
      if ((number < 0 || number >= extent_limit) && !sizes_.is_never_reached())
        throw Violation{"an extent is negative or too large"};
    }
  }
  Type type(const Operand& operand) const { return function_.type(operand); }
  Type array(ValueId value) const {
    const Type& result = function_.type(value);
    if (result.is_scalar()) throw Violation{text_of(value) + " is not an array"};
    return result;
  }
  void same(const Type& actual, const Type& expected, const std::string& what) const {
    if (!sizes_.are_equal(actual, expected))
      throw Violation{what + " has type " + text(actual) + ", not " + text(expected)};
  }
  void has(const Operand& operand, const Type& expected) const {
    same(type(operand), expected, text_of(operand));
  }
  void is_scalar(const Operand& operand, ElementType element) const {
    has(operand, scalar_type(element));
  }
  void are_indices(const std::vector<Operand>& indices) const {
    for (const Operand& index : indices)
      is_scalar(index, ElementType::I64);
  }
  static Type substitute(Type type, const Substitution& substitution) {
    for (Operand& extent : type.extents)
      for (const auto& [from, to] : substitution)
        if (extent == Operand(from)) {
          extent = to;
          break;
        }
    return type;
  }
  /// `values` have the types of `models`, where models refer to each other by position.
  void same_types(std::span<const Operand> values, std::span<const ValueId> models) const {
    Substitution substitution;
    for (std::size_t i = 0; i < values.size(); ++i)
      substitution.emplace_back(models[i], values[i]);
    for (std::size_t i = 0; i < values.size(); ++i)
      has(values[i], substitute(function_.type(models[i]), substitution));
  }
  Type result_type(std::size_t position) const {
    return function_.type(statement_->results[position]);
  }
  void result_count(std::size_t count) const {
    if (statement_->results.size() != count)
      throw Violation{"the operation has " + std::to_string(count) + " results, not " +
                      std::to_string(statement_->results.size())};
  }
  void result_is(const Type& expected) const {
    result_count(1);
    same(result_type(0), expected, "the result");
  }

  // ---- bodies and scopes

  void define(ValueId value) {
    if (value.index >= is_defined_.size())
      throw Violation{"there is no value " + std::to_string(value.index)};
    if (is_defined_[value.index]) throw Violation{text_of(value) + " is defined twice"};
    is_defined_[value.index] = true;
    well_formed(function_.type(value));
    is_in_scope_[value.index] = true;
    scope_.push_back(value);
  }
  /// Checks a body; `before_end` sees its results in its scope.  `at_begin` tells what holds in it.
  void body(
      const Body& body, const std::function<void()>& before_end,
      const std::function<void()>& at_begin = [] {}) {
    const std::size_t scope = scope_.size();
    const std::size_t sizes = sizes_.mark();
    const Statement* around = statement_;
    at_begin();
    for (ValueId parameter : body.parameters)
      define(parameter);
    for (const Statement& inner : body.statements) {
      statement_ = &inner;
      statement(inner);
    }
    statement_ = around;
    for (const Operand& result : body.results)
      in_scope(result);
    before_end();
    for (; scope_.size() > scope; scope_.pop_back())
      is_in_scope_[scope_.back().index] = false;
    sizes_.undo_to(sizes);
  }
  void statement(const Statement& statement) {
    for_each_operand(statement.operation, [&](const Operand& operand) { in_scope(operand); });
    for (ValueId result : statement.results)
      require(result.index < function_.values.size(), "a result has no value");
    std::visit([&](const auto& o) { check(o); }, statement.operation);
    for (ValueId result : statement.results) {
      define(result);
      definitions_[result.index] = &statement.operation;
    }
    if (const auto* check = std::get_if<Check>(&statement.operation))
      sizes_.assume(check->condition);
  }
  void parameter_count(const Body& body, std::size_t count, const char* whose) const {
    if (body.parameters.size() != count)
      throw Violation{std::string(whose) + " has " + std::to_string(body.parameters.size()) +
                      " parameters, not " + std::to_string(count)};
  }
  void body_result_count(const Body& body, std::size_t count, const char* whose) const {
    if (body.results.size() != count)
      throw Violation{std::string(whose) + " has " + std::to_string(body.results.size()) +
                      " results, not " + std::to_string(count)};
  }

  // ---- operations

  void check(const Primitive& o) {
    require(o.primitive != nullptr, "the primitive is missing");
    require(o.arguments.size() == o.primitive->arity, "the number of operands is wrong");
    for (std::size_t i = 0; i < o.arguments.size(); ++i)
      is_scalar(o.arguments[i], primitives::operand_type(*o.primitive, i));
    result_is(scalar_type(o.primitive->result));
  }
  void check(const Select& o) {
    is_scalar(o.condition, ElementType::Bool);
    const Type type = this->type(o.then_value);
    require(type.is_scalar(), "select chooses between scalars only");
    has(o.else_value, type);
    result_is(type);
  }
  void check(const If& o) {
    is_scalar(o.condition, ElementType::Bool);
    for (const Body* branch : {&o.then_body, &o.else_body}) {
      parameter_count(*branch, 0, "the branch");
      body_result_count(*branch, statement_->results.size(), "the branch");
      body(
          *branch, [&] { same_types(branch->results, statement_->results); },
          [&] {
            const bool is_then = branch == &o.then_body;
            if (is_then || !o.is_shortcut) sizes_.assume(o.condition, is_then);
          });
    }
  }
  /// A loop's body is open: its state (parameters from `first` on) against initial values, next
  /// state and results.
  void loop_state(const Body& body, std::size_t first, const std::vector<Operand>& initial) {
    const std::span<const ValueId> state = std::span(body.parameters).subspan(first);
    same_types(initial, state);
    body_result_count(body, initial.size(), "the loop's body");
    same_types(body.results, state);
    result_count(initial.size());
    const std::vector<Operand> results(statement_->results.begin(), statement_->results.end());
    same_types(results, state);
  }
  void check(const For& o) {
    require(is_integer(o.index_type), "the index is not an integer");
    is_scalar(o.bound, o.index_type);
    parameter_count(o.body, 1 + o.initial.size(), "the loop's body");
    const auto with_state = [&] {
      is_scalar(o.body.parameters[0], o.index_type);
      loop_state(o.body, 1, o.initial);
    };
    body(o.body, with_state, [&] { sizes_.assume_some(o.bound); });
  }
  void check(const While& o) {
    parameter_count(o.condition, o.initial.size(), "the condition");
    parameter_count(o.body, o.initial.size(), "the loop's body");
    body_result_count(o.condition, 1, "the condition");
    body(o.condition, [&] {
      is_scalar(o.condition.results[0], ElementType::Bool);
      same_types(o.initial, o.condition.parameters);
    });
    body(o.body, [&] { loop_state(o.body, 0, o.initial); });
  }

  void check(const Stream& o) {
    require(o.unit > 0, "the unit is not positive");
    require(soacs_ == 0, "a stream is on the host's level only");
    is_scalar(o.extent, ElementType::I64);
    parameter_count(o.body, 2 + o.initial.size(), "the stream's body");
    body(o.body, [&] {
      for (std::size_t i = 0; i < 2; ++i)
        is_scalar(o.body.parameters[i], ElementType::I64);
      loop_state(o.body, 2, o.initial);
    });
  }

  void check(const Soac& o) {
    ++soacs_;
    is_scalar(o.extent, ElementType::I64);
    parameter_count(o.body, 1 + o.inputs.size(), "the body");
    const auto with_elements = [&] {
      is_scalar(o.body.parameters[0], ElementType::I64);
      for (std::size_t i = 0; i < o.inputs.size(); ++i) {
        const Type input = array(o.inputs[i]);
        if (!sizes_.are_equal(input.extents[0], o.extent))
          throw Violation{text_of(o.inputs[i]) + " has extent " + text_of(input.extents[0]) +
                          ", not " + text_of(o.extent)};
        has(o.body.parameters[1 + i], rest_of(input, 1));
      }
      groups(o);
    };
    body(o.body, with_elements, [&] { sizes_.assume_some(o.extent); });
    for (const Group& group : o.groups)
      std::visit([&](const auto& g) { check_operator(g); }, group);
    for_each_group(o, [&](const Group& group, std::size_t from, std::size_t to) {
      if (post_of(group)) check_post(o, std::get<ScanGroup>(group), from, to);
    });
    --soacs_;
  }
  /// A body's results and the statement's, taken by the groups in order.
  struct GroupCursor {
    const Body& body;
    Operand extent; ///< of the SOAC
    std::size_t body_result = 0;
    std::size_t result = 0;
  };
  void groups(const Soac& o) {
    GroupCursor cursor{o.body, o.extent};
    for (const Group& group : o.groups)
      std::visit([&](const auto& g) { check_group(g, cursor); }, group);
    body_result_count(o.body, cursor.body_result, "the body");
    result_count(cursor.result);
  }
  /// The scan takes the body's results from `from` on, and gives the statement's from `to` on.
  void check_post(const Soac& o, const ScanGroup& scan, std::size_t from, std::size_t to) {
    const Post& post = scan.post[0];
    const std::size_t count = scan.neutral.size() + post.value_count;
    require(scan.post.size() == 1, "a scan has one post at most");
    require(!post.groups.empty(), "a post has groups");
    for (const Statement& statement : post.body.statements)
      require(!may_fail(statement.operation), "a post does not fail");
    parameter_count(post.body, 1 + count, "the post");
    body(post.body, [&] {
      is_scalar(post.body.parameters[0], ElementType::I64);
      for (std::size_t i = 0; i < count; ++i)
        is_scalar(post.body.parameters[1 + i], type(o.body.results[from + i]).element);
      GroupCursor cursor{post.body, o.extent, 0, to};
      for (const Group& group : post.groups) {
        require(kind_of(group) == GroupKind::Map || kind_of(group) == GroupKind::Reduce,
                "the groups of a post are maps and reductions");
        std::visit([&](const auto& g) { check_group(g, cursor); }, group);
      }
      body_result_count(post.body, cursor.body_result, "the post");
      for (const Operand& result : post.body.results)
        require(type(result).is_scalar(), "a post's results are scalars");
    });
    for (const Group& group : post.groups)
      std::visit([&](const auto& g) { check_operator(g); }, group);
  }
  Operand take_body_result(GroupCursor& cursor) const {
    require(cursor.body_result < cursor.body.results.size(), "the body has too few results");
    return cursor.body.results[cursor.body_result++];
  }
  void take_result(GroupCursor& cursor, const Type& expected) const {
    require(cursor.result < statement_->results.size(), "the statement has too few results");
    same(result_type(cursor.result++), expected, "the result");
  }
  void check_group(const MapGroup&, GroupCursor& cursor) {
    const Type element = type(take_body_result(cursor));
    take_result(cursor, array_of(cursor.extent, element));
  }
  void check_group(const ReduceGroup& g, GroupCursor& cursor) {
    for (const Operand& neutral : g.neutral) {
      has(take_body_result(cursor), type(neutral));
      take_result(cursor, type(neutral));
    }
  }
  void check_group(const ScanGroup& g, GroupCursor& cursor) {
    for (const Operand& neutral : g.neutral) {
      has(take_body_result(cursor), type(neutral));
      if (g.post.empty()) take_result(cursor, array_of(cursor.extent, type(neutral)));
    }
    if (g.post.empty()) return;
    for (std::uint32_t i = 0; i < g.post[0].value_count; ++i)
      take_body_result(cursor);
    for (const Group& group : g.post[0].groups) // which check_post looks at
      cursor.result += arity(group).results;
  }
  void check_group(const ScatterGroup& g, GroupCursor& cursor) {
    const Type destination = type(g.destination);
    require(g.index_count >= 1 && g.index_count <= destination.rank(),
            "the destination's rank is less than the number of indices");
    for (std::uint32_t i = 0; i < g.index_count; ++i)
      is_scalar(take_body_result(cursor), ElementType::I64);
    has(take_body_result(cursor), rest_of(destination, g.index_count));
    take_result(cursor, destination);
  }
  void check_group(const HistogramGroup& g, GroupCursor& cursor) {
    require(!g.destinations.empty() && g.destinations.size() == g.neutral.size(),
            "a histogram has as many neutral elements as destinations");
    for (std::uint32_t i = 0; i < g.index_count; ++i)
      is_scalar(take_body_result(cursor), ElementType::I64);
    const Type first = type(g.destinations[0]);
    require(g.index_count >= 1, "a histogram has an index");
    for (std::size_t i = 0; i < g.destinations.size(); ++i) {
      const Type destination = type(g.destinations[i]);
      require(g.index_count <= destination.rank(),
              "the destination's rank is less than the number of indices");
      for (std::uint32_t d = 0; d < g.index_count; ++d)
        require(sizes_.are_equal(destination.extents[d], first.extents[d]),
                "a histogram's destinations have the same bins");
      has(take_body_result(cursor), rest_of(destination, g.index_count));
      has(g.neutral[i], rest_of(destination, g.index_count));
      take_result(cursor, destination);
    }
  }
  void check_group(const FilterGroup& g, GroupCursor& cursor) {
    is_scalar(take_body_result(cursor), ElementType::Bool);
    require(cursor.result < statement_->results.size(), "the statement has too few results");
    const ValueId count = statement_->results[cursor.result];
    take_result(cursor, scalar_type(ElementType::I64));
    for (std::uint32_t i = 0; i < g.value_count; ++i) {
      const Type element = type(take_body_result(cursor));
      take_result(cursor, array_of(count, element));
    }
  }
  void check_group(const PartitionGroup& g, GroupCursor& cursor) {
    is_scalar(g.kinds, ElementType::I64);
    const std::optional<std::int64_t> kinds = constant(g.kinds);
    require(!kinds || (*kinds >= 1 && *kinds <= most_kinds), "that is no number of kinds");
    is_scalar(take_body_result(cursor), ElementType::I32);
    take_result(cursor, array_of(g.kinds, scalar_type(ElementType::I64)));
    for (std::uint32_t i = 0; i < g.value_count; ++i) {
      const Type element = type(take_body_result(cursor));
      take_result(cursor, array_of(cursor.extent, element));
    }
  }

  void check_operator(const MapGroup&) {}
  void check_operator(const ScatterGroup&) {}
  void check_operator(const FilterGroup&) {}
  void check_operator(const PartitionGroup&) {}
  void check_operator(const ReduceGroup& g) {
    combine(g.neutral, g.combine);
    before(g.neutral, g.before);
  }
  void check_operator(const ScanGroup& g) {
    combine(g.neutral, g.combine);
    before(g.neutral, g.before);
  }
  void check_operator(const HistogramGroup& g) { combine(g.neutral, g.combine); }
  void before(const std::vector<Operand>& neutral, const std::vector<Before>& before) {
    if (before.empty()) return;
    require(before.size() == 1, "a fold goes on from one thing");
    require(soacs_ == 1, "a fold goes on from something on the host's level only");
    is_scalar(before[0].are_there, ElementType::Bool);
    require(before[0].values.size() == neutral.size(),
            "a fold goes on from as many values as neutral elements");
    for (std::size_t i = 0; i < neutral.size(); ++i)
      is_scalar(before[0].values[i], type(neutral[i]).element);
  }
  void combine(const std::vector<Operand>& neutral, const Body& combine) {
    const std::size_t count = neutral.size();
    parameter_count(combine, 2 * count, "the operator");
    body_result_count(combine, count, "the operator");
    body(combine, [&] {
      for (std::size_t i = 0; i < count; ++i) {
        has(combine.parameters[i], type(neutral[i]));
        has(combine.parameters[count + i], type(neutral[i]));
        has(combine.results[i], type(neutral[i]));
      }
    });
  }

  void check(const Index& o) {
    const Type array = this->array(o.array);
    require(!o.indices.empty() && o.indices.size() <= array.rank(),
            "the number of indices is not between 1 and the rank");
    are_indices(o.indices);
    result_is(rest_of(array, o.indices.size()));
  }
  void dimensions(const std::vector<Slice::Dimension>& dimensions, const Type& array) const {
    require(dimensions.size() == array.rank(), "a slice has a part for each dimension");
    for (const Slice::Dimension& dimension : dimensions) {
      is_scalar(dimension.begin, ElementType::I64);
      is_scalar(dimension.stride, ElementType::I64);
    }
  }
  /// The result's element type and rank; its extents are its own.
  void result_has(ElementType element, std::size_t rank) const {
    result_count(1);
    require(result_type(0).element == element, "the result has another element type");
    require(result_type(0).rank() == rank, "the result has another rank");
  }
  void check(const Slice& o) {
    const Type array = this->array(o.array);
    dimensions(o.dimensions, array);
    result_has(array.element, array.rank());
  }
  void check(const Transpose& o) {
    const Type array = this->array(o.array);
    require(o.permutation.size() == array.rank(), "the permutation has another rank");
    Type expected{array.element, {}};
    std::vector<bool> seen(array.rank(), false);
    for (std::uint32_t dimension : o.permutation) {
      require(dimension < array.rank() && !seen[dimension], "that is no permutation");
      seen[dimension] = true;
      expected.extents.push_back(array.extents[dimension]);
    }
    result_is(expected);
  }
  void check(const Reshape& o) {
    const Type array = this->array(o.array);
    result_count(1);
    require(result_type(0).element == array.element, "the result has another element type");
    require(!result_type(0).is_scalar(), "the result is not an array");
    const std::optional<std::int64_t> before = constant_size(array),
                                      after = constant_size(result_type(0));
    require(!before || !after || before == after || sizes_.is_never_reached(),
            "the number of elements changes");
  }
  void check(const Update& o) {
    const Type array = this->array(o.array);
    require(!o.indices.empty() && o.indices.size() <= array.rank(),
            "the number of indices is not between 1 and the rank");
    are_indices(o.indices);
    has(o.value, rest_of(array, o.indices.size()));
    result_is(array);
  }
  void check(const UpdateSlice& o) {
    const Type array = this->array(o.array), value = this->array(o.value);
    dimensions(o.dimensions, array);
    require(value.element == array.element && value.rank() == array.rank(),
            "the value is no slice of such an array");
    result_is(array);
  }
  void check(const Concat& o) {
    require(!o.arrays.empty(), "there is nothing to join");
    const Type first = array(o.arrays[0]);
    result_has(first.element, first.rank());
    std::optional<std::int64_t> total = 0;
    for (ValueId part : o.arrays) {
      const Type type = array(part);
      same(rest_of(type, 1), rest_of(first, 1), "an element of " + text_of(part));
      const std::optional<std::int64_t> count = constant(type.extents[0]);
      if (!total || !count || __builtin_add_overflow(*total, *count, &*total)) total.reset();
    }
    const Type result = result_type(0);
    same(rest_of(result, 1), rest_of(first, 1), "an element of the result");
    const std::optional<std::int64_t> count = constant(result.extents[0]);
    require(!total || !count || total == count, "the result has another number of elements");
  }
  void check(const ArrayLiteral& o) {
    result_count(1);
    const Type result = result_type(0);
    require(!result.is_scalar(), "the result is not an array");
    require(result.extents[0] == Operand::i64(static_cast<std::int64_t>(o.elements.size())),
            "the result has another number of elements");
    for (const Operand& element : o.elements)
      has(element, rest_of(result, 1));
  }
  void check(const Copy& o) { result_is(array(o.array)); }
  void check(const Check& o) {
    is_scalar(o.condition, ElementType::Bool);
    require(o.site.index < function_.failures.size(), "there is no such failure site");
    result_count(0);
  }

  const Function& function_;
  std::vector<bool> is_defined_;
  std::vector<bool> is_in_scope_;
  std::vector<const Operation*> definitions_; ///< by value
  std::vector<ValueId> scope_;                ///< in order of definition
  SizeFacts sizes_;
  unsigned soacs_ = 0;                   ///< around
  const Statement* statement_ = nullptr; ///< that is being checked
};

} // namespace

std::optional<std::string> verify(const Function& function) {
  Verifier verifier(function);
  try {
    verifier.run();
  } catch (const Violation& violation) {
    std::string message = violation.what;
    if (verifier.statement()) message += "\nin: " + print(function, *verifier.statement());
    return message;
  }
  return find_consumption_error(function);
}

} // namespace sinter::ir
