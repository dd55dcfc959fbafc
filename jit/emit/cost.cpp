#include "jit/emit/cost.h"

#include "jit/emit/kernel_shape.h"
#include "jit/emit/plan.h"
#include "jit/emit/rows_of_loops.h"
#include "jit/ir/costs.h"
#include "jit/ir/groups.h"
#include "jit/ir/operations.h"
#include "jit/ir/operator_order.h"
#include "jit/ir/walk.h"
#include "lang/primitives/fold_order.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace sinter::jit {

using costs::contiguous_access, costs::folding_step, costs::turned_access;

CostModel::CostModel(const ir::Function& function, unsigned width, AlongRows along_rows)
    : function_(function), width_(width), along_rows_(along_rows), known_(function.values.size()) {
  for (const ir::ValueId parameter : function.body.parameters)
    known_[parameter.index] = fresh(function.type(parameter), Code::Scalar);
}

// ---- what is known of values -------------------------------------------------------------------

CostModel::Known CostModel::known(const ir::Operand& operand) const {
  return operand.is_value() ? known_[operand.value().index] : Known{};
}

std::vector<CostModel::Known> CostModel::known(std::span<const ir::Operand> operands) const {
  std::vector<Known> result;
  for (const ir::Operand& operand : operands)
    result.push_back(known(operand));
  return result;
}

/// Dense in scalar code; in lane code each lane has its own, interleaved.
CostModel::Known CostModel::fresh(const ir::Type& type, Code code) const {
  Known result;
  result.has_unit_stride.assign(type.rank(), false);
  if (type.is_scalar()) {
    result.place = code == Code::Lanes ? Dependence::Other : Dependence::None;
  } else if (code == Code::Lanes) {
    result.place = Dependence::Unit;
  } else {
    result.has_unit_stride.back() = true;
  }
  return result;
}

CostModel::Dependence CostModel::sum(Dependence a, Dependence b) {
  if (a == Dependence::None) return b;
  if (b == Dependence::None) return a;
  return Dependence::Other;
}

CostModel::Dependence CostModel::element_place(const Known& array,
                                               std::span<const Known> indices) const {
  Dependence place = array.place;
  for (std::size_t d = 0; d < indices.size(); ++d) {
    const bool keeps = indices[d].place == Dependence::None ||
                       (indices[d].place == Dependence::Unit && array.has_unit_stride[d]);
    place = sum(place, keeps ? indices[d].place : Dependence::Other);
  }
  return place;
}

/// What is known of a result that has no memory of its own.
CostModel::Known CostModel::view(const ir::Statement& statement) const {
  return std::visit([&](const auto& op) { return view_of(statement, op); }, statement.operation);
}

/// Of all others, the laws decide.
template <typename OperationType>
CostModel::Known CostModel::view_of(const ir::Statement& statement, const OperationType& op) const {
  if (ir::row_of(statement.operation).has(ir::laws::Overwrites))
    return known(ir::source_array(statement.operation));
  Known result;
  result.has_unit_stride.assign(function_.type(statement.results[0]).rank(), false);
  ir::for_each_operand(op, [&](const ir::Operand& operand) {
    if (known(operand).place != Dependence::None) result.place = Dependence::Other;
  });
  return result;
}

CostModel::Known CostModel::view_of(const ir::Statement&, const ir::Index& op) const {
  Known result = known(op.array);
  result.place = element_place(result, known(op.indices));
  const auto strides = result.has_unit_stride.begin();
  result.has_unit_stride.erase(strides, strides + static_cast<std::ptrdiff_t>(op.indices.size()));
  // (A scalar, however near to the next lane's.)
  if (result.has_unit_stride.empty() && result.place != Dependence::None)
    result.place = Dependence::Other;
  return result;
}

CostModel::Known CostModel::view_of(const ir::Statement&, const ir::Slice& op) const {
  Known result = known(op.array);
  std::vector<Known> begins;
  for (std::size_t d = 0; d < op.dimensions.size(); ++d) {
    begins.push_back(known(op.dimensions[d].begin));
    if (op.dimensions[d].stride != ir::Operand::i64(1)) result.has_unit_stride[d] = false;
  }
  result.place = element_place(known(op.array), begins);
  return result;
}

CostModel::Known CostModel::view_of(const ir::Statement&, const ir::Transpose& op) const {
  const Known array = known(op.array);
  Known result = array;
  for (std::size_t d = 0; d < op.permutation.size(); ++d)
    result.has_unit_stride[d] = array.has_unit_stride[op.permutation[d]];
  return result;
}

CostModel::Known CostModel::view_of(const ir::Statement& statement, const ir::Reshape& op) const {
  const Known array = known(op.array);
  Known result{array.place, {}};
  result.has_unit_stride.assign(function_.type(statement.results[0]).rank(), false);
  result.has_unit_stride.back() = array.has_unit_stride.back();
  return result;
}

CostModel::Known CostModel::view_of(const ir::Statement&, const ir::Primitive& op) const {
  using primitives::Operation;
  Dependence all = Dependence::None;
  for (const ir::Operand& argument : op.arguments)
    all = std::max(all, known(argument).place);
  if (all != Dependence::Unit) return {all, {}};
  const auto place = [&](std::size_t i) { return known(op.arguments[i]).place; };
  const Operation operation = op.primitive->operation;
  const bool keeps = (operation == Operation::Add && sum(place(0), place(1)) == Dependence::Unit) ||
                     (operation == Operation::Subtract && place(1) == Dependence::None) ||
                     operation == Operation::Convert;
  return {keeps ? Dependence::Unit : Dependence::Other, {}};
}

// ---- costs -------------------------------------------------------------------------------------

double CostModel::trips(const ir::Operand& extent, double step) const {
  if (!extent.is_constant()) return costs::unknown_count_in_plan / step;
  return std::ceil(std::max(0.0, static_cast<double>(extent.scalar().as<std::int64_t>())) / step);
}

double CostModel::cost_of_access(Dependence place, Code code) {
  if (code == Code::Scalar || place == Dependence::None) return 1;
  gathers_ = gathers_ || place == Dependence::Other;
  return place == Dependence::Unit ? contiguous_access : 2 + width_;
}

double CostModel::cost(const ir::Body& body, Code code) {
  double total = 0;
  for (const ir::Statement& statement : body.statements)
    total += cost(statement, code);
  return total;
}

double CostModel::cost(const ir::Statement& statement, Code code) {
  return std::visit([&](const auto& op) { return cost_of(statement, op, code); },
                    statement.operation);
}

void CostModel::note_fresh(std::span<const ir::ValueId> values, Code code) {
  for (const ir::ValueId value : values)
    known_[value.index] = fresh(function_.type(value), code);
}

/// Of all others, the laws decide.
template <typename OperationType>
double CostModel::cost_of(const ir::Statement& statement, const OperationType&, Code code) {
  if (!ir::row_of(statement.operation).has(ir::laws::Fresh)) {
    for (const ir::ValueId result : statement.results)
      known_[result.index] = view(statement);
    return 1;
  }
  // Elements that are read and written.
  double total = 0;
  for (const ir::ValueId result : statement.results) {
    double count = 1;
    for (const ir::Operand& extent : function_.type(result).extents)
      count *= trips(extent, 1);
    total += (code == Code::Scalar ? count / width_ + 1 : count) * 2 * contiguous_access;
  }
  note_fresh(statement.results, code);
  return total;
}

double CostModel::cost_of(const ir::Statement& statement, const ir::If& op, Code code) {
  const double total = 1 + (cost(op.then_body, code) + cost(op.else_body, code));
  note_fresh(statement.results, code);
  return total;
}

double CostModel::cost_of(const ir::Statement& statement, const ir::For& op, Code code) {
  note_fresh(std::span(op.body.parameters).subspan(1), code);
  if (code == Code::Lanes && along_rows_ != AlongRows::Never)
    for (const RowOfLoop& read : rows_of_loop(op)) {
      const Known array = known(read.array);
      const bool is_along = read.base && known(*read.base).place == Dependence::Other &&
                            array.place == Dependence::None &&
                            array.has_unit_stride == std::vector<bool>{true} &&
                            (!read.is_narrow || is_narrow(*read.base));
      if (is_along)
        read_along_[read.element.index] =
            along_rows_ == AlongRows::InShortVectors && known(op.bound).place != Dependence::None
                ? costs::turned_access_under_masks
                : turned_access;
      else
        read_along_.erase(read.element.index);
    }
  const bool outer_gathers = std::exchange(gathers_, false);
  const double round = 2 + cost(op.body, code);
  double rounds = trips(op.bound, 1);
  if (code == Code::Lanes && known(op.bound).place != Dependence::None)
    rounds *= gathers_ ? costs::uneven_trips : costs::uneven_rounds;
  gathers_ = gathers_ || outer_gathers;
  const double total = 1 + rounds * round;
  note_fresh(statement.results, code);
  return total;
}

double CostModel::cost_of(const ir::Statement& statement, const ir::While& op, Code code) {
  note_fresh(op.condition.parameters, code);
  note_fresh(op.body.parameters, code);
  const double total =
      1 + costs::unknown_count_in_plan * (2 + cost(op.condition, code) + cost(op.body, code));
  note_fresh(statement.results, code);
  return total;
}

double CostModel::cost_of(const ir::Statement& statement, const ir::Soac& op, Code code) {
  double total = 0;
  if (code == Code::Lanes) {
    const bool is_uneven = known(op.extent).place != Dependence::None && !goes_along_rows(op);
    total = trips(op.extent, 1) * (is_uneven ? costs::uneven_trips : 1) *
            (1 + cost_of_element(op, Known{}, code) + cost_of_groups(op, false, code));
  } else {
    total = trips(op.extent, 1) * cost_of_scalar(op);
    if (can_run_in_lanes(function_, op)) total = std::min(total, cost_of_range(op));
  }
  note_fresh(statement.results, code);
  return 1 + total;
}

/// Whether a number, of an index, is known to be one of 32 bits.
bool CostModel::is_narrow(const ir::Operand& operand) const {
  return operand.is_value() && (function_.type(operand.value()).element == ElementType::I32 ||
                                extended_.contains(operand.value().index));
}

double CostModel::cost_of(const ir::Statement& statement, const ir::Primitive& op, Code) {
  if (op.primitive->operation == primitives::Operation::Convert &&
      op.primitive->operand == ElementType::I32 && op.primitive->result == ElementType::I64)
    extended_.insert(statement.results[0].index);
  known_[statement.results[0].index] = view(statement);
  return op.primitive->cost;
}

double CostModel::cost_of(const ir::Statement& statement, const ir::Index& op, Code code) {
  const Dependence place = element_place(known(op.array), known(op.indices));
  known_[statement.results[0].index] = view(statement);
  const auto along = read_along_.find(statement.results[0].index);
  if (code == Code::Lanes && along != read_along_.end()) return along->second;
  return function_.type(statement.results[0]).is_scalar() ? cost_of_access(place, code) : 1;
}

double CostModel::cost_of(const ir::Statement& statement, const ir::Update& op, Code code) {
  const Dependence place = element_place(known(op.array), known(op.indices));
  known_[statement.results[0].index] = view(statement);
  const bool is_scattered = code == Code::Lanes && place == Dependence::Other;
  return cost_of_access(place, code) + (is_scattered ? costs::scattered_update * width_ : 0);
}

double CostModel::cost_of(const ir::Statement& statement, const ir::ArrayLiteral& op, Code code) {
  note_fresh(statement.results, code);
  return static_cast<double>(op.elements.size()) * contiguous_access;
}

/// Whether rows of so many elements, of which each lane has one, are turned over: of a few, whose
/// number is known, each element is gathered (BodyEmitter::may_turn_rows).
bool CostModel::may_turn(const ir::Operand& extent) const {
  return !extent.is_constant() ||
         static_cast<double>(extent.scalar().as<std::int64_t>()) >= width_ / 2;
}

/// Whether each lane has a row of memory of its own, which is computed along.
bool CostModel::goes_along_rows(const ir::Soac& soac) const {
  return along_rows_ != AlongRows::Never && folds_along_rows(function_, soac) &&
         std::all_of(soac.inputs.begin(), soac.inputs.end(), [&](ir::ValueId input) {
           const Known array = known(input);
           return array.place == Dependence::Other && array.has_unit_stride.size() == 1 &&
                  array.has_unit_stride[0];
         });
}

double CostModel::cost_of_element(const ir::Soac& soac, const Known& index, Code code) {
  double total = 0;
  known_[soac.body.parameters[0].index] = index;
  for (std::size_t i = 0; i < soac.inputs.size(); ++i) {
    const Known input = known(soac.inputs[i]);
    const Dependence place = element_place(input, {&index, 1});
    Known element{place, {input.has_unit_stride.begin() + 1, input.has_unit_stride.end()}};
    if (element.has_unit_stride.empty()) {
      // (Lanes that each go along a row of their own turn squares of them over.)
      const bool is_row = code == Code::Lanes && place == Dependence::Other &&
                          index.place == Dependence::None && input.has_unit_stride[0] &&
                          may_turn(soac.extent);
      turns_rows_ = turns_rows_ || is_row;
      total += is_row ? turned_access : cost_of_access(place, code);
      if (place != Dependence::None) element.place = Dependence::Other;
    }
    known_[soac.body.parameters[i + 1].index] = std::move(element);
  }
  return total + cost(soac.body, code);
}

/// What becomes of one element's values, or of W elements' in lane code.
double CostModel::cost_of_groups(const ir::Soac& soac, bool across_lanes, Code code) {
  double total = 0;
  ir::for_each_group(soac, [&](const ir::Group& group, std::size_t first, std::size_t) {
    const GroupCode at{soac.body.results[first], across_lanes, code};
    total += std::visit([&](const auto& kind) { return cost_of_group(kind, at); }, group);
  });
  return total;
}

double CostModel::cost_of_operator(const ir::Body& op, Code code) {
  for (const ir::ValueId parameter : op.parameters)
    known_[parameter.index] = fresh(function_.type(parameter), code);
  return cost(op, code);
}

/// Lanes along this index write neighbours only if the elements are scalars.
double CostModel::cost_of_group(const ir::MapGroup&, const GroupCode& at) {
  const ir::Type type = function_.type(at.result);
  double rows = 1;
  for (const ir::Operand& extent : type.extents)
    rows *= trips(extent, 1);
  if (at.code == Code::Scalar) return type.is_scalar() ? 1 : rows / width_;
  if (type.is_scalar()) return rows * contiguous_access;
  return rows * (type.rank() == 1 && may_turn(type.extents[0]) ? turned_access : 2 + width_);
}

double CostModel::cost_of_group(const ir::ReduceGroup& group, const GroupCode& at) {
  const double steps = std::log2(width_);
  const double once = cost_of_operator(group.combine, at.code);
  if (at.across_lanes && ir::selects_by_order(group.combine)) return once;
  if (at.across_lanes && ir::order_shows(group))
    return once + 2 * contiguous_access + steps; // by way of a tile that is turned over
  if (at.code == Code::Scalar && ir::order_shows(group)) return std::max(once, folding_step);
  return at.across_lanes && !is_commutative(group) ? once * (steps + 1) : once;
}

double CostModel::cost_of_group(const ir::ScanGroup& group, const GroupCode& at) {
  const double steps = std::log2(width_);
  const double once = cost_of_operator(group.combine, at.code);
  double left = 0; // what becomes of prefixes
  for (const ir::Post& post : group.post)
    left += cost_of_post(post, at);
  if (group.post.empty()) left = contiguous_access;
  if (at.across_lanes && ir::order_shows(group))
    return 2 * once + 3 * contiguous_access + 2 * steps + left;
  if (at.code == Code::Scalar && ir::order_shows(group)) return std::max(once, folding_step) + left;
  return (at.across_lanes ? (once + 2) * (steps + 1) : once) + left;
}

double CostModel::cost_of_post(const ir::Post& post, const GroupCode& at) {
  for (const ir::ValueId parameter : post.body.parameters)
    known_[parameter.index] = fresh(function_.type(parameter), at.code);
  if (at.across_lanes) known_[post.body.parameters[0].index] = Known{Dependence::Unit, {}};
  double total = cost(post.body, at.code);
  ir::for_each_group(post, [&](const ir::Group& group, std::size_t first, std::size_t) {
    const GroupCode inner{post.body.results[first], at.across_lanes, at.code};
    total += std::visit([&](const auto& kind) { return cost_of_group(kind, inner); }, group);
  });
  return total;
}

double CostModel::cost_of_group(const ir::ScatterGroup&, const GroupCode& at) {
  return at.code == Code::Lanes ? 2 + width_ : 2;
}

double CostModel::cost_of_group(const ir::HistogramGroup& group, const GroupCode& at) {
  const double once = 4 + cost_of_operator(group.combine, at.code);
  return at.code == Code::Lanes ? (once + costs::lane_to_number) * width_ : once;
}

double CostModel::cost_of_group(const ir::FilterGroup&, const GroupCode& at) {
  return at.code == Code::Lanes && !at.across_lanes ? 2 + width_ : 4;
}

/// Counted, and moved one by one.
double CostModel::cost_of_group(const ir::PartitionGroup& group, const GroupCode&) {
  return 4 + 4 * static_cast<double>(group.value_count);
}

double CostModel::cost_of_lanes(const ir::Soac& soac) {
  const double element = cost_of_element(soac, Known{Dependence::Unit, {}}, Code::Lanes);
  return 1 + element + cost_of_groups(soac, true, Code::Lanes);
}

double CostModel::cost_of_range(const ir::Soac& soac) {
  double total = costs::range_of_lanes + (trips(soac.extent, width_) + 0.5) * cost_of_lanes(soac);
  if (keeps_fold_order(soac) &&
      !only_selects(soac)) // a row is folded step by step, however many lanes there are
    total += folding_step * std::min<double>(trips(soac.extent, 1), primitives::row_length);
  return total;
}

double CostModel::cost_of_scalar(const ir::Soac& soac) {
  const double element = cost_of_element(soac, Known{}, Code::Scalar);
  return 1 + element + cost_of_groups(soac, false, Code::Scalar);
}

// ---- the question ------------------------------------------------------------------------------

bool CostModel::prefers_lanes(const ir::Soac& soac) {
  const double inside = cost_of_scalar(soac) * trips(soac.extent, 1);
  return cost_of_range(soac) <= inside;
}

bool CostModel::turns_rows(const ir::Soac& soac) {
  turns_rows_ = false;
  cost_of_lanes(soac);
  return turns_rows_;
}

void CostModel::enter(const ir::Body& body) {
  cost(body, Code::Scalar);
}

void CostModel::enter(const ir::Soac& soac) {
  cost_of_element(soac, Known{}, Code::Scalar);
  cost_of_groups(soac, false, Code::Scalar);
}

} // namespace sinter::jit
