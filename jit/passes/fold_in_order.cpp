#include "jit/passes/fold_in_order.h"

#include "jit/ir/walk.h"
#include "jit/passes/algebra.h"
#include "jit/passes/cost.h"
#include "jit/passes/groups.h"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;
using primitives::Operation;

namespace {

/// Whether a float that it gives is always exact: an operand, or one with another sign.
bool is_exact(const primitives::Primitive& primitive) {
  switch (primitive.operation) {
  case Operation::Minimum:
  case Operation::Maximum:
  case Operation::Negate:
  case Operation::Absolute:
  case Operation::Sign:
    return true;
  default:
    return !is_float(primitive.result);
  }
}

/// A group whose operator rounds; null operator for groups without one.
const Body* operator_of(const Group& group) {
  if (const auto* reduce = std::get_if<ReduceGroup>(&group)) return &reduce->combine;
  if (const auto* scan = std::get_if<ScanGroup>(&group)) return &scan->combine;
  if (const auto* histogram = std::get_if<HistogramGroup>(&group)) return &histogram->combine;
  return nullptr;
}
bool has_order(const Group& group) {
  const Body* combine = operator_of(group);
  return combine && rounds(*combine);
}

/// What an element may cost for a loop on one core to make it beside folding it.
constexpr unsigned cheap = 8;

class Folder {
public:
  explicit Folder(Function& function) : function_(function) {}

  void body(Body& body, bool is_in_kernel) {
    std::vector<Statement> before = std::move(body.statements);
    body.statements.clear();
    for (Statement& statement : before) {
      const auto* soac = std::get_if<Soac>(&statement.operation);
      for_each_body(statement.operation,
                    [&](Body& inner) { this->body(inner, is_in_kernel || soac != nullptr); });
      if (soac && std::ranges::any_of(soac->groups, has_order))
        fold(std::move(statement), is_in_kernel, body.statements);
      else
        body.statements.push_back(std::move(statement));
    }
  }

private:
  using Statements = std::vector<Statement>;

  void fold(Statement statement, bool is_in_kernel, Statements& out) {
    const Soac& soac = std::get<Soac>(statement.operation);
    const bool can_be_loop = std::ranges::all_of(
        soac.groups, [](const Group& group) { return operator_of(group) != nullptr; });
    const bool is_made = std::ranges::any_of(
        soac.body.results, [&](const Operand& made) { return !is_at_hand(soac, made); });
    if (!can_be_loop || (is_made && !is_in_kernel && cost(soac.body) > cheap)) {
      Statement folding = split(statement);
      out.push_back(std::move(statement));
      statement = std::move(folding);
    }
    Statement folded = loop(std::move(statement), out);
    out.push_back(std::move(folded));
  }

  /// Whether nothing needs to be computed for it.
  static bool is_at_hand(const Soac& soac, const Operand& made) {
    return made.is_constant() ||
           std::ranges::find(soac.body.parameters, made.value()) != soac.body.parameters.end();
  }

  // ---- elements first, then folding -------------------------------------------------------------

  /// Leaves to the statement what has no order, and the making of the elements of what has; gives
  /// the statement that folds those.
  Statement split(Statement& statement) {
    Soac& making = std::get<Soac>(statement.operation);
    Soac folding;
    folding.extent = making.extent;
    const ValueId index = function_.add_value({ElementType::I64, {}});
    folding.body.parameters.push_back(index);
    Statement result{{}, {}, statement.span};

    std::vector<Operand> body_results;
    std::vector<ValueId> results;
    std::vector<Group> groups;
    std::vector<std::pair<Operand, Operand>> elements; // of the one body, of the other
    auto element_of = [&](const Operand& made) -> Operand {
      const auto known = std::ranges::find(elements, made, &std::pair<Operand, Operand>::first);
      if (known != elements.end()) return known->second;
      if (made.is_constant()) return made;
      if (made == Operand(making.body.parameters[0])) return index;
      Type type = function_.type(made);
      const ValueId element = function_.add_value(type);
      const auto parameter = std::ranges::find(making.body.parameters, made.value());
      if (parameter != making.body.parameters.end()) {
        folding.inputs.push_back(
            making
                .inputs[static_cast<std::size_t>(parameter - making.body.parameters.begin()) - 1]);
      } else {
        type.extents.insert(type.extents.begin(), making.extent);
        const ValueId stored = function_.add_value(std::move(type));
        folding.inputs.push_back(stored);
        body_results.push_back(made);
        groups.emplace_back(MapGroup{});
        results.push_back(stored);
      }
      folding.body.parameters.push_back(element);
      elements.emplace_back(made, element);
      return element;
    };
    for_each_group(making, [&](Group& group, std::size_t from, std::size_t to) {
      const GroupSize size = size_of(group);
      const bool is_ordered = has_order(group);
      for (std::size_t i = 0; i < size.body_results; ++i) {
        const Operand made = making.body.results[from + i];
        if (is_ordered)
          folding.body.results.push_back(element_of(made));
        else
          body_results.push_back(made);
      }
      for (std::size_t i = 0; i < size.results; ++i)
        (is_ordered ? result.results : results).push_back(statement.results[to + i]);
      (is_ordered ? folding.groups : groups).push_back(std::move(group));
    });
    making.body.results = std::move(body_results);
    making.groups = std::move(groups);
    statement.results = std::move(results);
    result.operation = std::move(folding);
    return result;
  }

  // ---- the loop ---------------------------------------------------------------------------------

  /// A loop that is being made.  States are added in the order of their next values.
  struct Loop {
    For loop;
    std::vector<ValueId> results;
    Span span;
  };
  ValueId add_state(Loop& made, const Operand& initial, ValueId result) {
    const ValueId state = function_.add_value(function_.type(result));
    made.loop.initial.push_back(initial);
    made.loop.body.parameters.push_back(state);
    made.results.push_back(result);
    return state;
  }
  ValueId define(Body& body, ir::Operation operation, Type type, Span span) {
    const ValueId result = function_.add_value(std::move(type));
    body.statements.push_back({{result}, std::move(operation), span});
    return result;
  }
  Operand scalar(Body& body, primitives::Operation operation, ElementType element,
                 std::vector<Operand> arguments, Span span) {
    const primitives::Primitive& primitive = row(operation, element);
    return define(body, ir::Primitive{&primitive, std::move(arguments)}, {primitive.result, {}},
                  span);
  }

  /// Appends what the operator makes of two sides.
  std::vector<Operand> combined(Body& body, const Body& combine, std::span<const ValueId> left,
                                std::span<const Operand> right) {
    std::vector<Replacement> sides;
    for (std::size_t i = 0; i < left.size(); ++i) {
      sides.emplace_back(combine.parameters[i], left[i]);
      sides.emplace_back(combine.parameters[left.size() + i], right[i]);
    }
    Body applied{{}, combine.statements, combine.results};
    replace_uses(function_, applied, sides);
    std::ranges::move(applied.statements, std::back_inserter(body.statements));
    return std::move(applied.results);
  }

  /// The statement as a loop; what the loop needs before goes to `out`.
  Statement loop(Statement statement, Statements& out) {
    Soac soac = std::move(std::get<Soac>(statement.operation));
    Loop made{{}, {}, statement.span};
    made.loop.bound = soac.extent;
    Body& body = made.loop.body;
    const ValueId index = soac.body.parameters[0];
    body.parameters.push_back(index);
    for (std::size_t i = 0; i < soac.inputs.size(); ++i)
      body.statements.push_back(
          {{soac.body.parameters[i + 1]}, Index{soac.inputs[i], {index}}, made.span});
    std::ranges::move(soac.body.statements, std::back_inserter(body.statements));
    for_each_group(soac, [&](Group& group, std::size_t from, std::size_t to) {
      const GroupSize size = size_of(group);
      const auto elements =
          std::span<const Operand>(soac.body.results).subspan(from, size.body_results);
      const auto results = std::span<const ValueId>(statement.results).subspan(to, size.results);
      if (const auto* reduce = std::get_if<ReduceGroup>(&group))
        add(made, *reduce, elements, results);
      else if (const auto* scan = std::get_if<ScanGroup>(&group))
        add(made, *scan, elements, results, out);
      else
        add(made, std::get<HistogramGroup>(group), elements, results);
    });
    return {std::move(made.results), std::move(made.loop), statement.span};
  }

  void add(Loop& made, const ReduceGroup& reduce, std::span<const Operand> elements,
           std::span<const ValueId> results) {
    std::vector<ValueId> states;
    for (std::size_t i = 0; i < results.size(); ++i)
      states.push_back(add_state(made, reduce.neutral[i], results[i]));
    Body& body = made.loop.body;
    std::ranges::move(combined(body, reduce.combine, states, elements),
                      std::back_inserter(body.results));
  }

  void add(Loop& made, const ScanGroup& scan, std::span<const Operand> elements,
           std::span<const ValueId> results, Statements& out) {
    std::vector<ValueId> prefixes;
    for (const Operand& neutral : scan.neutral)
      prefixes.push_back(add_state(made, neutral, function_.add_value(function_.type(neutral))));
    Body& body = made.loop.body;
    const std::vector<Operand> next = combined(body, scan.combine, prefixes, elements);
    body.results.insert(body.results.end(), next.begin(), next.end());
    for (std::size_t i = 0; i < results.size(); ++i) {
      const Type type = function_.type(results[i]); // a copy, as values are added
      const ValueId state = add_state(made, blank(type, made.span, out), results[i]);
      body.results.emplace_back(
          define(body, Update{state, {body.parameters[0]}, next[i]}, type, made.span));
    }
  }

  void add(Loop& made, const HistogramGroup& histogram, std::span<const Operand> elements,
           std::span<const ValueId> results) {
    const std::vector<Operand> bin(elements.begin(), elements.begin() + histogram.index_count);
    std::vector<ValueId> states;
    for (std::size_t i = 0; i < results.size(); ++i)
      states.push_back(add_state(made, histogram.destinations[i], results[i]));
    Body& body = made.loop.body;
    const std::vector<Operand> extents = function_.type(states[0]).extents;
    Operand is_inside = Operand::constant(ElementType::Bool, Scalar::of(true));
    for (std::size_t i = 0; i < bin.size(); ++i) {
      const Operand is_low = scalar(body, Operation::GreaterEqual, ElementType::I64,
                                    {bin[i], Operand::i64(0)}, made.span);
      const Operand is_high =
          scalar(body, Operation::Less, ElementType::I64, {bin[i], extents[i]}, made.span);
      for (const Operand& holds : {is_low, is_high})
        is_inside = scalar(body, Operation::And, ElementType::Bool, {is_inside, holds}, made.span);
    }
    If choice{is_inside, {}, {}};
    std::vector<ValueId> old, chosen;
    for (std::size_t i = 0; i < states.size(); ++i)
      old.push_back(define(choice.then_body, Index{states[i], bin},
                           function_.type(histogram.neutral[i]), made.span));
    const std::vector<Operand> values =
        combined(choice.then_body, histogram.combine, old, elements.subspan(bin.size()));
    for (std::size_t i = 0; i < states.size(); ++i) {
      const Type type = function_.type(states[i]);
      choice.then_body.results.emplace_back(
          define(choice.then_body, Update{states[i], bin, values[i]}, type, made.span));
      choice.else_body.results.emplace_back(states[i]);
      chosen.push_back(function_.add_value(type));
    }
    body.results.insert(body.results.end(), chosen.begin(), chosen.end());
    body.statements.push_back({std::move(chosen), std::move(choice), made.span});
  }

  /// An array that is to be overwritten.
  Operand blank(const Type& type, Span span, Statements& out) {
    if (type.is_scalar()) return Operand::constant(type.element, {});
    Type element{type.element, {type.extents.begin() + 1, type.extents.end()}};
    Soac fill;
    fill.extent = type.extents[0];
    fill.body.parameters.push_back(function_.add_value({ElementType::I64, {}}));
    fill.body.results.push_back(blank(element, span, fill.body.statements));
    fill.groups.emplace_back(MapGroup{});
    const ValueId result = function_.add_value(type);
    out.push_back({{result}, std::move(fill), span});
    return result;
  }

  Function& function_;
};

} // namespace

bool rounds(const Body& combine) {
  return std::ranges::any_of(combine.statements, [](const Statement& statement) {
    const auto* primitive = std::get_if<ir::Primitive>(&statement.operation);
    bool found = primitive && !is_exact(*primitive->primitive);
    for_each_body(statement.operation, [&](const Body& inner) { found = found || rounds(inner); });
    return found;
  });
}

void fold_in_order(Function& function) {
  Folder(function).body(function.body, false);
}

} // namespace sinter::jit
