#include "jit/emit/abreast.h"

#include "jit/emit/body.h"
#include "jit/emit/kernel_shape.h"
#include "jit/ir/groups.h"
#include "jit/ir/operations.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace sinter::jit {

using llvm::Value;

// ---- which maps --------------------------------------------------------------------------------

namespace {

/// Goes through what an element of a map does.
class ElementCode {
public:
  ElementCode(const ir::Function& function, const ir::Soac& soac, const Uniformity& uniformity,
              const AscendingSelections& ascending)
      : function_(function), uniformity_(uniformity), ascending_(ascending),
        is_of_element_(function.values.size()) {
    mark_all(soac.body.parameters);
  }

  /// Whether it is scalar code and folds that may go beside those of other elements.
  bool fits(const ir::Body& body) {
    return std::ranges::all_of(body.statements, [&](const ir::Statement& statement) {
      const bool result = fits(statement);
      note(statement);
      return result;
    });
  }

private:
  bool fits(const ir::Statement& statement) {
    if (const auto* soac = std::get_if<ir::Soac>(&statement.operation)) return is_fold(*soac);
    if (const auto* branch = std::get_if<ir::If>(&statement.operation)) {
      const bool is_fold_inside = has_fold(branch->then_body) || has_fold(branch->else_body);
      return is_fold_inside && is_of_all(branch->condition) && vary(statement.results) &&
             fits(branch->then_body) && fits(branch->else_body);
    }
    return is_straight(statement);
  }

  /// Whether it selects by values and indices alone, so many times for each element.
  bool is_fold(const ir::Soac& soac) const {
    return is_of_all(soac.extent) &&
           std::ranges::all_of(
               soac.groups,
               [&](const ir::Group& group) {
                 const auto* const reduce = std::get_if<ir::ReduceGroup>(&group);
                 return reduce && reduce->before.empty() && ascending_.find(reduce->combine) &&
                        ir::free_values(function_, reduce->combine).empty() &&
                        std::ranges::all_of(reduce->neutral, [&](const ir::Operand& neutral) {
                          return is_of_all(neutral);
                        });
               }) &&
           std::ranges::all_of(soac.body.statements,
                               [&](const ir::Statement& inner) { return is_straight(inner); });
  }

  bool is_straight(const ir::Statement& statement) const {
    if (std::holds_alternative<ir::Index>(statement.operation))
      return function_.type(statement.results[0]).is_scalar();
    return ir::is_scalar_operation(statement.operation) ||
           std::holds_alternative<ir::Check>(statement.operation);
  }

  /// Whether it is one number for all lanes and all elements.
  bool is_of_all(const ir::Operand& operand) const {
    return operand.is_constant() ||
           (!uniformity_.varies(operand) && !is_of_element_[operand.value().index]);
  }
  bool vary(const std::vector<ir::ValueId>& values) const {
    return std::ranges::all_of(values, [&](ir::ValueId value) {
      return function_.type(value).is_scalar() && uniformity_.varies(ir::Operand(value));
    });
  }

  void mark_all(const std::vector<ir::ValueId>& values) {
    for (const ir::ValueId value : values)
      is_of_element_[value.index] = true;
  }
  void note(const ir::Statement& statement) {
    bool any = !ir::is_scalar_operation(statement.operation);
    ir::for_each_operand(statement.operation, [&](const ir::Operand& operand) {
      any = any || (operand.is_value() && is_of_element_[operand.value().index]);
    });
    if (any) mark_all(statement.results);
  }

  const ir::Function& function_;
  const Uniformity& uniformity_;
  const AscendingSelections& ascending_;
  std::vector<bool> is_of_element_; ///< what may differ between elements
};

} // namespace

bool has_fold(const ir::Body& body) {
  return std::ranges::any_of(body.statements, [](const ir::Statement& statement) {
    const auto* const branch = std::get_if<ir::If>(&statement.operation);
    return std::holds_alternative<ir::Soac>(statement.operation) ||
           (branch && (has_fold(branch->then_body) || has_fold(branch->else_body)));
  });
}

bool may_go_abreast(const ir::Function& function, const ir::Soac& soac,
                    const Uniformity& uniformity, const AscendingSelections& ascending) {
  return ir::has_only<ir::MapGroup>(soac) && has_fold(soac.body) &&
         std::ranges::all_of(
             soac.body.results,
             [&](const ir::Operand& result) { return function.type(result).is_scalar(); }) &&
         ElementCode(function, soac, uniformity, ascending).fits(soac.body);
}

// ---- code --------------------------------------------------------------------------------------

namespace {

/// What the body defines itself, and its branches.
void find_own(const ir::Body& body, std::vector<std::uint32_t>& own) {
  const auto note = [&](const std::vector<ir::ValueId>& values) {
    for (const ir::ValueId value : values)
      own.push_back(value.index);
  };
  note(body.parameters);
  for (const ir::Statement& statement : body.statements) {
    note(statement.results);
    if (const auto* branch = std::get_if<ir::If>(&statement.operation)) {
      find_own(branch->then_body, own);
      find_own(branch->else_body, own);
    }
  }
}

} // namespace

/// How many elements go abreast: as many as have, together, the running values that a processor
/// computes with while one waits for itself.
unsigned BodyEmitter::count_abreast(const ir::Soac& soac, const LaneValue& end) const {
  constexpr std::size_t least_registers = 16;
  const TargetFacts& facts = b.kernel.facts();
  if (!b.in_lanes() || !outer_index_ || abreast_ || b.kernel.is_compact ||
      end.shape != Shape::Uniform || facts.vector_registers < least_registers)
    return 1;
  const std::size_t registers =
      std::max<std::size_t>(1, b.lanes() * sizeof(float) / facts.vector_bytes);
  const auto count = static_cast<unsigned>(facts.vector_registers / (4 * registers));
  const auto* const known = llvm::dyn_cast<llvm::ConstantInt>(end.value);
  if (count < 2 || (known && known->getSExtValue() < std::int64_t{count})) return 1;
  return may_go_abreast(source_, soac, uniformity_, ascending_) ? count : 1;
}

void BodyEmitter::range_abreast(const ir::Soac& soac, std::vector<GroupState>& states, Value* begin,
                                Value* end, unsigned count) {
  const std::int64_t step = count;
  Value* const number = b.greater_of(b.ir.CreateSub(end, begin), b.i64(0));
  Value* const whole = b.ir.CreateAdd(begin, b.ir.CreateAnd(number, b.i64(-step)));
  b.loop(begin, whole, step, [&](Value* first) { elements_abreast(soac, states, first, count); });
  b.loop(whole, end, 1, [&](Value* i) { element(soac, states, b.uniform(i)); });
}

void BodyEmitter::elements_abreast(const ir::Soac& soac, std::vector<GroupState>& states,
                                   Value* first, unsigned count) {
  Abreast all;
  find_own(soac.body, all.own);
  all.elements.resize(count, std::vector<std::optional<Emitted>>(all.own.size()));
  const auto index = [&](std::size_t number) {
    return b.uniform(b.ir.CreateAdd(first, b.i64(static_cast<std::int64_t>(number))));
  };
  with_scratch([&] {
    abreast_ = &all;
    for_each_abreast([&](std::size_t number) { bind_element(soac, index(number)); });
    statements_abreast(soac.body);
    for_each_abreast([&](std::size_t number) { apply(soac, states, index(number)); });
    abreast_ = nullptr;
  });
}

/// Calls `body` for each of the elements, with its values in the environment.  Between such calls
/// those of the first one are there.
void BodyEmitter::for_each_abreast(const std::function<void(std::size_t number)>& body) {
  for (std::size_t number = 0; number < abreast_->elements.size(); ++number) {
    const auto exchange = [&] {
      for (std::size_t i = 0; number != 0 && i < abreast_->own.size(); ++i)
        std::swap(environment_[abreast_->own[i]], abreast_->elements[number][i]);
    };
    exchange();
    body(number);
    exchange();
  }
}

void BodyEmitter::statements_abreast(const ir::Body& body) {
  for (const ir::Statement& statement : body.statements) {
    const auto* const branch = std::get_if<ir::If>(&statement.operation);
    if (const auto* fold = std::get_if<ir::Soac>(&statement.operation))
      fold_abreast(statement, *fold);
    else if (branch)
      branch_abreast(statement, *branch);
    else
      for_each_abreast([&](std::size_t) { emit(statement); });
  }
}

/// On a condition that is the same for all.
void BodyEmitter::branch_abreast(const ir::Statement& statement, const ir::If& op) {
  std::vector<std::vector<Variable>> results(abreast_->elements.size());
  for (std::vector<Variable>& of_element : results)
    for (const ir::ValueId result : statement.results)
      of_element.push_back(b.variable(source_.type(result).element, Shape::Varying));
  const auto run = [&](const ir::Body& body) {
    statements_abreast(body);
    for_each_abreast([&](std::size_t number) {
      for (std::size_t i = 0; i < body.results.size(); ++i)
        b.set(results[number][i], scalar(body.results[i]));
    });
  };
  b.if_then_else(
      scalar(op.condition).value, [&] { run(op.then_body); }, [&] { run(op.else_body); });
  for_each_abreast([&](std::size_t number) {
    for (std::size_t i = 0; i < statement.results.size(); ++i)
      bind(statement.results[i], b.get(results[number][i]));
  });
}

/// Reductions of all the elements, as groups of one fold.
void BodyEmitter::fold_abreast(const ir::Statement& statement, const ir::Soac& op) {
  std::vector<GroupState> states;
  for_each_abreast([&](std::size_t) {
    for (const ir::Group& group : op.groups)
      states.emplace_back(begin_group(std::get<ir::ReduceGroup>(group), op, {}));
  });
  const std::vector<GroupState> own(states.begin(),
                                    std::next(states.begin(), std::ssize(op.groups)));
  const LaneValue extent = scalar(op.extent);
  if (may_go_along_rows(op, own)) return for_each_abreast([&](std::size_t) { emit(statement); });
  abreast_->fold = &op;
  if (keeps_fold_order(op) && !is_one_row(extent)) {
    begin_folding(states);
    fold_range(op, states, b.i64(0), extent, {});
  } else {
    begin_ascending(op, states);
    range_in_strips(extent, strip_length, [&](Value* begin, const LaneValue& end) {
      soac_range(op, states, begin, end);
    });
    end_ascending(states, extent);
  }
  abreast_->fold = nullptr;
  for_each_abreast([&](std::size_t number) {
    std::size_t next = 0;
    for (std::size_t g = 0; g < op.groups.size(); ++g)
      for (Emitted& result :
           results_of(std::get<ReduceState>(states[number * op.groups.size() + g])))
        bind(statement.results[next++], std::move(result));
  });
}

/// A range of such a fold: of `states` each of the elements has its part.
void BodyEmitter::steps_abreast(const ir::Soac& soac, const std::vector<GroupState>& states,
                                Value* begin, const LaneValue& end) {
  const std::ptrdiff_t of_each = std::ssize(soac.groups);
  sequential_range(begin, end, [&](const LaneValue& index) {
    for_each_abreast([&](std::size_t number) {
      const auto first = std::next(states.begin(), static_cast<std::ptrdiff_t>(number) * of_each);
      std::vector<GroupState> own(first, std::next(first, of_each));
      element(soac, own, index);
    });
  });
}

} // namespace sinter::jit
