#include "jit/emit/plan.h"

#include "jit/emit/cost.h"
#include "jit/emit/kernel_shape.h"
#include "jit/ir/groups.h"
#include "jit/ir/nests.h"
#include "jit/ir/operations.h"
#include "jit/ir/operator_order.h"
#include "jit/ir/walk.h"
#include "lang/primitives/laws.h"

#include <algorithm>
#include <functional>
#include <span>

namespace sinter::jit {
namespace {

bool is_scalar_code(const ir::Function& function, const ir::Body& body) {
  for (const ir::Statement& statement : body.statements) {
    if (const auto* branch = std::get_if<ir::If>(&statement.operation)) {
      if (!is_scalar_code(function, branch->then_body) ||
          !is_scalar_code(function, branch->else_body))
        return false;
    } else if (!ir::is_scalar_operation(statement.operation)) {
      return false;
    }
  }
  return std::all_of(body.parameters.begin(), body.parameters.end(),
                     [&](ir::ValueId parameter) { return function.type(parameter).is_scalar(); });
}

} // namespace

bool is_commutative(const ir::ReduceGroup& group) {
  return group.is_commutative || is_commutative(group.combine);
}

bool is_commutative(const ir::Body& op) {
  if (ir::selects_by_order(op)) return true;
  // Each value by itself, by an operation that commutes.
  const std::size_t count = op.results.size();
  if (op.statements.size() != count) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const auto* primitive = std::get_if<ir::Primitive>(&op.statements[i].operation);
    if (!primitive || !primitives::combines_in_any_order(primitive->primitive->operation))
      return false;
    if (op.results[i] != ir::Operand(op.statements[i].results[0])) return false;
    const ir::Operand left(op.parameters[i]), right(op.parameters[count + i]);
    const auto& arguments = primitive->arguments;
    if (!(arguments[0] == left && arguments[1] == right) &&
        !(arguments[0] == right && arguments[1] == left))
      return false;
  }
  return true;
}

bool can_run_in_lanes(const ir::Function& function, const ir::Soac& soac) {
  // (How a histogram is cut would be each lane's own; so would places of what is partitioned.)
  bool has_segments = false;
  ir::for_each_body(soac, [&](const ir::Body& body) {
    has_segments = has_segments || has_segments_inside(body) || has_partitions(body);
  });
  if (has_segments) return false;
  bool result = true;
  ir::for_each_group(soac, [&](const ir::Group& group, std::size_t first, std::size_t) {
    const auto are_scalars = [&](std::size_t begin) {
      for (std::size_t i = first + begin; i < first + ir::arity(group).body_results; ++i)
        if (!function.type(soac.body.results[i]).is_scalar()) return false;
      return true;
    };
    switch (ir::kind_of(group)) {
    case ir::GroupKind::Reduce:
    case ir::GroupKind::Scan:
      result = result && is_scalar_code(function, *ir::operator_of(group));
      if (const ir::Post* post = ir::post_of(group))
        for (const ir::Group& inner : post->groups)
          if (const ir::Body* combine = ir::operator_of(inner))
            result = result && is_scalar_code(function, *combine);
      break;
    case ir::GroupKind::Histogram:
    case ir::GroupKind::Filter: // whose first result is a bool
    case ir::GroupKind::Partition:
      result = result && are_scalars(0);
      break;
    case ir::GroupKind::Map:
    case ir::GroupKind::Scatter:
      break;
    }
  });
  return result;
}

namespace {

/// Chooses for the SOACs of scalar code, and for those inside of them.
class Chooser {
public:
  Chooser(const ir::Function& function, unsigned width, AlongRows along_rows,
          std::vector<const ir::Soac*>& chosen)
      : function_(function), model_(function, width, along_rows), chosen_(chosen) {}

  /// `excluded`: a SOAC that lanes are not to run along; may be null.
  void choose(const ir::Body& body, const ir::Soac* excluded = nullptr) {
    model_.enter(body);
    for (const ir::Statement& statement : body.statements) {
      if (const auto* soac = std::get_if<ir::Soac>(&statement.operation))
        choose(*soac, soac != excluded);
      else
        ir::for_each_body(statement.operation, [&](const ir::Body& inner) { choose(inner); });
    }
  }

private:
  void choose(const ir::Soac& soac, bool is_allowed) {
    if (const ir::Soac* const row = row_of_all(soac)) {
      chosen_.push_back(row);
      return;
    }
    if (is_allowed && can_run_in_lanes(function_, soac) && model_.prefers_lanes(soac)) {
      chosen_.push_back(&soac);
      return;
    }
    model_.enter(soac);
    ir::for_each_body(soac, [&](const ir::Body& body) { choose(body); });
  }

  /// Of maps that are one row wherever their inputs' rows lie one after the other, as they mostly
  /// do: the inner one.
  const ir::Soac* row_of_all(const ir::Soac& soac) const {
    const ir::Soac* const row = nested_map(function_, soac);
    const bool is_one = row && ir::is_blind_to_rows(function_, soac.body, *row) &&
                        is_scalar_code(function_, row->body) &&
                        std::ranges::all_of(soac.inputs, [&](ir::ValueId input) {
                          return parameter_index(function_, input).has_value();
                        });
    return is_one ? row : nullptr;
  }

  const ir::Function& function_;
  CostModel model_;
  std::vector<const ir::Soac*>& chosen_;
};

bool has_unknown_size(const ir::Type& type) {
  return !std::ranges::all_of(type.extents, &ir::Operand::is_constant);
}

/// Whether the body makes arrays of unknown size that are not its results.
bool makes_arrays(const ir::Function& function, const ir::Body& body) {
  return std::any_of(
      body.statements.begin(), body.statements.end(), [&](const ir::Statement& statement) {
        if (ir::is_view(statement.operation)) return false; // views
        return std::any_of(
            statement.results.begin(), statement.results.end(), [&](ir::ValueId result) {
              const ir::Type& type = function.type(result);
              const bool is_result = std::find(body.results.begin(), body.results.end(),
                                               ir::Operand(result)) != body.results.end();
              const bool is_built_once =
                  is_result && std::holds_alternative<ir::Soac>(statement.operation);
              return has_unknown_size(type) && !is_built_once;
            });
      });
}

bool runs_in_lanes(const ir::Operation& operation, const LanePlan& plan) {
  const auto* soac = std::get_if<ir::Soac>(&operation);
  return soac && plan.runs_in_lanes(*soac);
}

/// Whether the operation is, or one in its bodies is, what `is_it` says; those of SOACs
/// that run in lanes are not looked at.
bool has_any(const ir::Operation& operation, const LanePlan& plan,
             const std::function<bool(const ir::Operation&)>& is_it) {
  bool found = is_it(operation);
  if (runs_in_lanes(operation, plan)) return found;
  ir::for_each_body(operation, [&](const ir::Body& body) {
    for (const ir::Statement& statement : body.statements)
      found = found || has_any(statement.operation, plan, is_it);
  });
  return found;
}

bool has_lanes(const ir::Operation& operation, const LanePlan& plan) {
  return has_any(operation, plan,
                 [&](const ir::Operation& inner) { return runs_in_lanes(inner, plan); });
}

/// Whether a loop's rounds read or write one element each.  (A search reads few, and has lanes
/// outside as well.)
bool is_one_by_one(const ir::Operation& loop, const LanePlan& plan) {
  const auto* counted = std::get_if<ir::For>(&loop);
  if (counted ? counted->bound.is_constant() : !std::holds_alternative<ir::While>(loop))
    return false;
  return !has_lanes(loop, plan) && has_any(loop, plan, [&](const ir::Operation& inner) {
    return std::holds_alternative<ir::Update>(inner) || std::holds_alternative<ir::Index>(inner);
  });
}

/// Whether a loop carries arrays of unknown size that lanes go along.
bool goes_again(const ir::Function& function, const ir::Operation& loop, const LanePlan& plan) {
  const auto* counted = std::get_if<ir::For>(&loop);
  const auto* other = std::get_if<ir::While>(&loop);
  if (!counted && !other) return false;
  const ir::Body& body = counted ? counted->body : other->body;
  const bool has_arrays = std::ranges::any_of(body.parameters, [&](ir::ValueId parameter) {
    return has_unknown_size(function.type(parameter));
  });
  return has_arrays && has_lanes(loop, plan);
}

/// What chunks of these leave for each other is the same wherever lanes are.
bool may_change_lanes(const ir::Group& group) {
  return std::holds_alternative<ir::MapGroup>(group) ||
         std::holds_alternative<ir::ReduceGroup>(group) ||
         std::holds_alternative<ir::ScanGroup>(group);
}

/// Whether a body reads elements of matrices that lie side by side for neighbours by `column`, and
/// far apart for those by `row`; and none that lie the other way.
bool reads_columns(const ir::Body& body, ir::ValueId column, ir::ValueId row) {
  bool is_any = false, is_other = false;
  for (const ir::Statement& statement : body.statements)
    if (const auto* index = std::get_if<ir::Index>(&statement.operation);
        index && index->indices.size() > 1) {
      const std::span<const ir::Operand> indices = index->indices;
      const std::span<const ir::Operand> before = indices.first(indices.size() - 1);
      is_any |= indices.back() == ir::Operand(column) &&
                std::ranges::find(before, ir::Operand(row)) != before.end();
      is_other |= indices.back() == ir::Operand(row);
    }
  return is_any && !is_other;
}

} // namespace

LanePlan::LanePlan(const ir::Function& function, unsigned width, AlongRows along_rows,
                   Where where) {
  if (width > 1)
    Chooser(function, width, along_rows, chosen_)
        .choose(function.body, where == Where::InsideKernel ? parallel_soac(function) : nullptr);
}

std::optional<LaneChoice> lane_choice(const ir::Function& function, unsigned outside,
                                      unsigned inside, AlongRows along_rows) {
  const ir::Soac* const soac = parallel_soac(function);
  if (!soac || soac->extent.is_constant() || !std::ranges::all_of(soac->groups, may_change_lanes))
    return std::nullopt;
  LaneChoice choice{.outside = LanePlan(function, outside, along_rows),
                    .inside =
                        LanePlan(function, inside, along_rows, LanePlan::Where::InsideKernel)};
  if (!choice.outside.runs_in_lanes(*soac)) return std::nullopt;
  CostModel model(function, outside, along_rows);
  model.enter(function.body);
  choice.turns_rows = model.turns_rows(*soac);
  const auto is_parameter = [&](const ir::Operand& extent) {
    return !extent.is_constant() && parameter_index(function, extent.value());
  };
  for (const ir::Soac* inner : choice.inside.chosen())
    if (is_parameter(inner->extent)) choice.inner_extents.push_back(inner->extent);
  for (const ir::Statement& statement : soac->body.statements)
    if (const auto* slice = std::get_if<ir::Slice>(&statement.operation); slice) {
      const ir::Type& whole = function.type(slice->array);
      const ir::Type& piece = function.type(statement.results[0]);
      for (const ir::Soac* inner : choice.inside.chosen())
        if (whole.rank() == 1 && inner->extent == piece.extents[0] &&
            is_parameter(whole.extents[0]) &&
            !(along_rows != AlongRows::Never && folds_along_rows(function, *inner)))
          choice.cut_extents.push_back(whole.extents[0]);
    }
  if (choice.inner_extents.empty() && choice.cut_extents.empty()) return std::nullopt;
  choice.has_private_arrays = makes_arrays(function, soac->body);
  const LanePlan& inside_plan = choice.inside;
  choice.goes_in_order = std::ranges::any_of(
      inside_plan.chosen(), [](const ir::Soac* inner) { return keeps_fold_order(*inner); });
  choice.has_scans = std::ranges::any_of(inside_plan.chosen(), [](const ir::Soac* inner) {
    return ir::has_group<ir::ScanGroup>(*inner);
  });
  for (const ir::Statement& statement : soac->body.statements) {
    const auto has = [&](const std::function<bool(const ir::Operation&)>& is_it) {
      return has_any(statement.operation, inside_plan, is_it);
    };
    choice.scatters |= has([](const ir::Operation& operation) {
      const auto* inner = std::get_if<ir::Soac>(&operation);
      return inner && ir::has_group<ir::ScatterGroup>(*inner);
    });
    choice.goes_one_by_one |=
        has([&](const ir::Operation& operation) { return is_one_by_one(operation, inside_plan); });
    choice.goes_over_again |= has([&](const ir::Operation& operation) {
      return goes_again(function, operation, inside_plan);
    });
  }
  choice.makes_rows = std::ranges::any_of(soac->body.results, [&](const ir::Operand& result) {
    return !function.type(result).is_scalar();
  });
  choice.goes_down_columns = std::ranges::all_of(choice.inside.chosen(), [&](const auto* inner) {
    // (Numbers that all columns have in common are one for all lanes outside.)
    return std::ranges::all_of(inner->inputs,
                               [&](ir::ValueId input) {
                                 return function.type(input).rank() == 1 &&
                                        !ir::is_defined_in(soac->body, input);
                               }) &&
           reads_columns(inner->body, soac->body.parameters[0], inner->body.parameters[0]);
  });
  return choice;
}

} // namespace sinter::jit
