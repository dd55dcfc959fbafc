#include "jit/pieces/cut_plan.h"

#include "jit/ir/groups.h"
#include "jit/ir/operator_order.h"
#include "jit/ir/walk.h"
#include "jit/pieces/index_interval.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <set>

namespace sinter::jit {

namespace {

using namespace ir;

/// Which scalars of the function's own body are equal, by its checks.
class EqualSizes {
public:
  explicit EqualSizes(const Function& function) : parent_(function.values.size()) {
    std::iota(parent_.begin(), parent_.end(), 0U);
    std::map<ValueId, const Primitive*> made;
    for (const Statement& statement : function.body.statements) {
      if (const auto* primitive = std::get_if<Primitive>(&statement.operation))
        made[statement.results[0]] = primitive;
      if (const auto* check = std::get_if<Check>(&statement.operation))
        hold(check->condition, made);
    }
  }
  std::uint32_t of(ValueId value) const {
    std::uint32_t at = value.index;
    while (parent_[at] != at)
      at = parent_[at];
    return at;
  }

private:
  void hold(const Operand& condition, const std::map<ValueId, const Primitive*>& made) {
    if (condition.is_constant() || !made.contains(condition.value())) return;
    const Primitive& primitive = *made.at(condition.value());
    const std::vector<Operand>& arguments = primitive.arguments;
    if (primitive.primitive->operation == primitives::Operation::And)
      for (const Operand& part : arguments)
        hold(part, made);
    if (primitive.primitive->operation != primitives::Operation::Equal ||
        primitive.primitive->operand != ElementType::I64 || arguments[0].is_constant() ||
        arguments[1].is_constant())
      return;
    const std::uint32_t a = of(arguments[0].value()), b = of(arguments[1].value());
    parent_[std::max(a, b)] = std::min(a, b);
  }

  std::vector<std::uint32_t> parent_;
};

/// Thrown where the plan has to begin anew, since an array that seemed to be cut has to be whole.
struct IsNeededWhole {
  ValueId array;
  NotCut why;
};
struct Refused {
  NotCut why;
};

constexpr const char* second_round =
    "with elements something is needed that is known only when all pieces are: that takes a second "
    "round over the inputs";

[[noreturn]] void refuse(std::string why, Span span) {
  throw Refused{{std::move(why), span}};
}

bool consumes(const Function& function, const Body& body) {
  return std::ranges::any_of(body.statements, [&](const Statement& statement) {
    return !consumed_values(function, statement.operation).empty();
  });
}

class Planner {
public:
  Planner(const Function& function, const EqualSizes& sizes, ValueId extent,
          const std::map<ValueId, NotCut>& whole)
      : function_(function), whole_(whole) {
    plan_.extent = extent;
    plan_.is_extent.resize(function.values.size());
    plan_.stages.resize(function.values.size(), Stage::Whole);
    for (ValueId parameter : function.body.parameters)
      if (function.type(parameter).is_scalar() && sizes.of(parameter) == sizes.of(extent))
        plan_.is_extent[parameter.index] = true;
  }

  CutPlan run() {
    for (ValueId parameter : function_.body.parameters)
      begin(parameter);
    for (const Statement& statement : function_.body.statements) {
      reads_.emplace_back();
      plan_.statements.push_back(placed(statement));
      for (ValueId result : statement.results)
        if (stage(result) == Stage::Whole) // (Groups have placed theirs.)
          plan_.stages[result.index] = plan_.statements.back().stage;
      note_distance(statement);
    }
    widen();
    const bool does_anything = std::ranges::any_of(
        plan_.statements, [](const StatementCut& cut) { return cut.stage == Stage::Cut; });
    if (does_anything) return std::move(plan_);
    const std::string nothing = "nothing is computed for each of its elements alone";
    if (whole_.empty()) refuse(nothing, {});
    const auto& [array, needed] = *whole_.begin();
    refuse(nothing + ": of an array over it, " + needed.why, needed.span);
  }

private:
  Stage stage(const Operand& operand) const { return plan_.stage(operand); }
  bool is_over_extent(const Type& type) const {
    return !type.is_scalar() && plan_.is_over_extent(type.extents[0]);
  }

  void begin(ValueId parameter) {
    const Type& type = function_.type(parameter);
    if (type.is_scalar()) return;
    ParameterCut& cut = plan_.parameters[parameter];
    if (!is_over_extent(type)) return;
    const auto whole = whole_.find(parameter);
    cut.is_cut = whole == whole_.end();
    if (cut.is_cut)
      plan_.stages[parameter.index] = Stage::Cut;
    else
      cut.why_whole = whole->second.why;
  }

  // ---- n + c

  void note_distance(const Statement& statement) {
    const auto* primitive = std::get_if<Primitive>(&statement.operation);
    if (!primitive || primitive->arguments.size() != 2) return;
    using primitives::Operation;
    const Operand& a = primitive->arguments[0];
    const Operand& b = primitive->arguments[1];
    const auto constant = [](const Operand& operand) -> std::optional<std::int64_t> {
      if (!operand.is_constant() || operand.element() != ElementType::I64) return std::nullopt;
      return operand.scalar().as<std::int64_t>();
    };
    const Operation operation = primitive->primitive->operation;
    if (operation == Operation::Add && plan_.is_over_extent(a) && constant(b))
      distances_[statement.results[0]] = *constant(b);
    if (operation == Operation::Add && plan_.is_over_extent(b) && constant(a))
      distances_[statement.results[0]] = *constant(a);
    if (operation == Operation::Subtract && plan_.is_over_extent(a) && constant(b))
      distances_[statement.results[0]] = -*constant(b);
  }

  std::optional<std::int64_t> distance(ValueId value) const {
    if (plan_.is_extent[value.index]) return 0;
    const auto known = distances_.find(value);
    if (known == distances_.end()) return std::nullopt;
    return known->second;
  }

  // ---- statements

  bool any_of(const std::vector<ValueId>& values, Stage wanted) const {
    return std::ranges::any_of(values, [&](ValueId value) { return stage(value) == wanted; });
  }

  StatementCut placed(const Statement& statement) {
    const std::vector<ValueId> used = free_values(function_, statement);
    const auto* soac = std::get_if<Soac>(&statement.operation);
    const bool is_needed_whole = std::ranges::any_of(
        statement.results, [&](ValueId result) { return whole_.contains(result); });
    const bool is_cut = any_of(used, Stage::Cut), is_kept = any_of(used, Stage::Kept);
    if (soac && plan_.is_over_extent(soac->extent) &&
        (is_cut || (!is_needed_whole && !any_of(used, Stage::Late) && !is_kept &&
                    !any_of(used, Stage::Count)))) {
      if (is_needed_whole) refuse_reading(statement);
      return placed_cut(statement, *soac);
    }
    if (soac && is_kept) return placed_kept(statement, *soac);
    if (!is_cut && !is_kept) {
      if (!any_of(used, Stage::Late) && !any_of(used, Stage::Count)) return {Stage::Whole, {}};
      require_no_input(used, statement.span);
      return {Stage::Late, {}};
    }
    if (is_needed_whole) refuse_reading(statement);
    if (keeps_blocks(statement)) return {Stage::Cut, {}};
    // What is given may be given whole.
    for (ValueId value : used)
      if (stage(value) == Stage::Cut)
        need_whole(value, "all of it is needed at once", statement.span);
    refuse("what a filter keeps is needed as a whole", statement.span);
  }

  /// What comes late reads no input over n: that would have to be in the state.
  void require_no_input(const std::vector<ValueId>& used, Span span) const {
    for (ValueId value : used)
      if (plan_.parameters.contains(value) && is_over_extent(function_.type(value)))
        refuse(second_round, span);
  }

  [[noreturn]] void refuse_reading(const Statement& statement) const {
    for (ValueId result : statement.results)
      if (const auto whole = whole_.find(result); whole != whole_.end())
        refuse("of an array that is computed from what is cut, " + whole->second.why,
               whole->second.span);
    refuse("an array that is computed from what is cut is needed as a whole", statement.span);
  }

  [[noreturn]] void need_whole(ValueId array, std::string why, Span span) const {
    throw IsNeededWhole{array, {std::move(why), span}};
  }

  /// Whether it does the same to each block of its one array.
  bool keeps_blocks(const Statement& statement) const {
    if (const auto* copy = std::get_if<Copy>(&statement.operation))
      return stage(copy->array) == Stage::Cut;
    if (const auto* transpose = std::get_if<Transpose>(&statement.operation))
      return transpose->permutation[0] == 0 && stage(transpose->array) == Stage::Cut;
    const auto* slice = std::get_if<Slice>(&statement.operation);
    if (!slice || stage(slice->array) != Stage::Cut) return false;
    const Slice::Dimension& outer = slice->dimensions[0];
    return outer.begin == Operand::i64(0) && outer.stride == Operand::i64(1) &&
           is_over_extent(function_.type(statement.results[0]));
  }

  StatementCut placed_cut(const Statement& statement, const Soac& soac) {
    if (std::ranges::all_of(soac.groups, [](const Group& group) {
          return std::holds_alternative<MapGroup>(group);
        }))
      can_be_widened_.insert(statement.results.begin(), statement.results.end());
    for (ValueId input : soac.inputs)
      if (stage(input) == Stage::Cut) reads_.back().push_back({input, {}});
    const std::vector<ValueId> inside = free_values(function_, soac.body);
    require_known(inside, soac.inputs, statement.span);
    IndexIntervals intervals([&](ValueId value) { return distance(value); });
    intervals.set(soac.body.parameters[0], {0, 0, true});
    look_at(soac.body, intervals);
    StatementCut result{Stage::Cut, {}};
    for_each_group(soac, [&](const Group& group, std::size_t, std::size_t first) {
      look_at_operators(group, statement.span);
      result.ways.push_back(way_of(group, false, statement.span));
      place_results(group, result.ways.back(), statement, first, Stage::Cut);
    });
    return result;
  }

  StatementCut placed_kept(const Statement& statement, const Soac& soac) {
    const std::vector<ValueId> inside = free_values(function_, soac.body);
    if (soac.extent.is_constant() || stage(soac.extent) != Stage::Count ||
        !std::ranges::all_of(soac.inputs,
                             [&](ValueId input) { return stage(input) == Stage::Kept; }))
      refuse("what a filter keeps is combined with other arrays", statement.span);
    std::vector<ValueId> used = inside;
    std::erase(used, soac.extent.value());
    require_known(used, {}, statement.span);
    for (ValueId value : used)
      if (stage(value) == Stage::Cut || stage(value) == Stage::Kept)
        need_whole_or_refuse(value, statement.span);
    if (is_used(soac.body, soac.body.parameters[0]))
      refuse("the position among what a filter keeps is used", statement.span);
    StatementCut result{Stage::Kept, {}};
    for_each_group(soac, [&](const Group& group, std::size_t, std::size_t first) {
      look_at_operators(group, statement.span);
      result.ways.push_back(way_of(group, true, statement.span));
      place_results(group, result.ways.back(), statement, first, Stage::Kept);
    });
    return result;
  }

  [[noreturn]] void need_whole_or_refuse(ValueId value, Span span) const {
    if (stage(value) == Stage::Cut) need_whole(value, "elements are read at any place", span);
    refuse("what a filter keeps is read at any place", span);
  }

  bool is_used(const Body& body, ValueId value) const {
    Body without = body;
    std::erase(without.parameters, value);
    const std::vector<ValueId> used = free_values(function_, without);
    return std::ranges::find(used, value) != used.end();
  }

  /// Nothing that a piece computes with is known only when all pieces are.
  void require_known(const std::vector<ValueId>& inside, const std::vector<ValueId>& inputs,
                     Span span) const {
    for (const std::vector<ValueId>* values : {&inside, &inputs})
      for (ValueId value : *values) {
        if (stage(value) == Stage::Late) refuse(second_round, span);
        if (stage(value) == Stage::Count)
          refuse("for each element it is needed how many a filter keeps of all", span);
        if (stage(value) == Stage::Kept) refuse("what a filter keeps is read at any place", span);
      }
  }

  void place_results(const Group& group, GroupWay way, const Statement& statement,
                     std::size_t first, Stage of_block) {
    const bool is_filter = std::holds_alternative<FilterGroup>(group);
    for (std::size_t i = 0; i < arity(group).results; ++i) {
      Stage& stage = plan_.stages[statement.results[first + i].index];
      if (way != GroupWay::Block)
        stage = Stage::Late;
      else if (is_filter)
        stage = i == 0 ? Stage::Count : Stage::Kept;
      else
        stage = of_block;
    }
  }

  /// `is_kept`: elements are what a filter keeps, whose positions in the whole a piece doesn't
  /// know.
  GroupWay way_of(const Group& group, bool is_kept, Span span) const {
    if (std::holds_alternative<MapGroup>(group) || std::holds_alternative<FilterGroup>(group))
      return GroupWay::Block;
    if (const auto* scan = std::get_if<ScanGroup>(&group)) {
      if (!scan->post.empty()) refuse("a scan with what follows it", span);
      return GroupWay::Joined;
    }
    if (depends_on_late(group)) return GroupWay::Joined;
    if (const auto* reduce = std::get_if<ReduceGroup>(&group)) {
      if (!order_shows(*reduce)) return GroupWay::Single;
      return is_kept || consumes(function_, reduce->combine) ? GroupWay::Joined : GroupWay::Entries;
    }
    if (const auto* histogram = std::get_if<HistogramGroup>(&group))
      return order_shows(*histogram) || consumes(function_, histogram->combine) ? GroupWay::Joined
                                                                                : GroupWay::Bins;
    return GroupWay::Joined;
  }

  /// Whether it needs what is late, besides the elements.
  bool depends_on_late(const Group& group) const {
    std::vector<ValueId> used;
    if (const Body* combine = operator_of(group)) used = free_values(function_, *combine);
    const auto add = [&](const std::vector<Operand>& operands) {
      for (const Operand& operand : operands)
        if (operand.is_value()) used.push_back(operand.value());
    };
    if (const auto* reduce = std::get_if<ReduceGroup>(&group)) add(reduce->neutral);
    if (const auto* histogram = std::get_if<HistogramGroup>(&group)) {
      add(histogram->neutral);
      add(histogram->destinations);
    }
    return any_of(used, Stage::Late) || any_of(used, Stage::Count);
  }

  /// What an operator or a destination reads is whole, or comes late.
  void look_at_operators(const Group& group, Span span) {
    std::vector<ValueId> used;
    if (const Body* combine = operator_of(group)) used = free_values(function_, *combine);
    for (const Operand& destination : destinations(group))
      if (destination.is_value()) used.push_back(destination.value());
    const auto add = [&](const std::vector<Operand>& operands) {
      for (const Operand& operand : operands)
        if (operand.is_value()) used.push_back(operand.value());
    };
    if (const auto* reduce = std::get_if<ReduceGroup>(&group)) add(reduce->neutral);
    if (const auto* scan = std::get_if<ScanGroup>(&group)) add(scan->neutral);
    if (const auto* histogram = std::get_if<HistogramGroup>(&group)) add(histogram->neutral);
    if (const auto* partition = std::get_if<PartitionGroup>(&group)) add({partition->kinds});
    for (ValueId value : used) {
      if (stage(value) == Stage::Cut) need_whole(value, "a fold needs all of it", span);
      if (stage(value) == Stage::Kept)
        refuse("what a filter keeps is the destination of a fold", span);
    }
  }

  // ---- reads

  void look_at(const Body& body, IndexIntervals& intervals) {
    for (const Statement& statement : body.statements) {
      look_at_operands(statement, intervals);
      intervals.enter(statement);
      for_each_body(statement.operation, [&](const Body& inner) { look_at(inner, intervals); });
      intervals.define(statement);
    }
    for (const Operand& result : body.results)
      require_whole(result, "each element needs all of it", {});
  }

  void look_at_operands(const Statement& statement, const IndexIntervals& intervals) {
    if (const auto* index = std::get_if<Index>(&statement.operation))
      if (stage(index->array) == Stage::Cut) {
        note_read(*index, intervals, statement.span);
        return;
      }
    for_each_operand(statement.operation, [&](const Operand& operand) {
      require_whole(operand, "each element needs all of it", statement.span);
    });
  }

  void require_whole(const Operand& operand, const char* why, Span span) const {
    if (operand.is_value() && stage(operand) == Stage::Cut) need_whole(operand.value(), why, span);
  }

  void note_read(const Index& index, const IndexIntervals& intervals, Span span) {
    const std::optional<Interval> interval = intervals.of(index.indices[0]);
    if (!interval || !interval->is_relative)
      need_whole(index.array, "elements are read that are no constant distance away", span);
    const Halo reach = {std::max<std::int64_t>(-interval->low, 0),
                        std::max<std::int64_t>(interval->high, 0)};
    if (!plan_.parameters.contains(index.array) && !reach.is_empty() &&
        !can_be_widened_.contains(index.array))
      need_whole(index.array, "neighbours of an element are read", span);
    reads_.back().push_back({index.array, reach});
  }

  // ---- halos

  /// From the last statement to the first: what reads neighbours of an array, for the block and for
  /// its own halo, says how far that is computed, or given.
  void widen() {
    std::map<ValueId, Halo> needed;
    for (std::size_t i = reads_.size(); i-- > 0;) {
      Halo& own = plan_.statements[i].halo;
      const std::vector<ValueId>& results = function_.body.statements[i].results;
      for (ValueId result : results)
        if (const auto of_result = needed.find(result); of_result != needed.end())
          own = either(own, of_result->second);
      if (!own.is_empty() && !can_be_widened_.contains(results.front()))
        refuse("of an array that is computed from what is cut, neighbours of an element are read",
               function_.body.statements[i].span);
      for (const Read& read : reads_[i]) {
        Halo& of_array = needed[read.array];
        Halo reach = read.reach;
        if (__builtin_add_overflow(reach.low, own.low, &reach.low) ||
            __builtin_add_overflow(reach.high, own.high, &reach.high))
          refuse("neighbours are read from too far away", function_.body.statements[i].span);
        of_array = either(of_array, reach);
      }
    }
    for (auto& [parameter, cut] : plan_.parameters)
      if (const auto halo = needed.find(parameter); halo != needed.end() && cut.is_cut) {
        cut.low = halo->second.low;
        cut.high = halo->second.high;
      }
  }

  static Halo either(const Halo& a, const Halo& b) {
    return {std::max(a.low, b.low), std::max(a.high, b.high)};
  }

  const Function& function_;
  const std::map<ValueId, NotCut>& whole_;    ///< arrays that are needed whole, and why
  std::map<ValueId, std::int64_t> distances_; ///< behind the end
  struct Read {
    ValueId array; ///< that is cut
    Halo reach;    ///< from an element's own index
  };
  std::vector<std::vector<Read>> reads_; ///< by statement
  std::set<ValueId> can_be_widened_;     ///< by computing more of their elements
  CutPlan plan_;
};

} // namespace

bool CutPlan::any_cut_is_exact() const {
  return std::ranges::none_of(statements, [](const StatementCut& statement) {
    return std::ranges::find(statement.ways, GroupWay::Entries) != statement.ways.end();
  });
}

const PassNames& passes_before_cutting() {
  static const PassNames names = {
      "simplify", "split-operators", "dead-code",      "hoist", "unroll-outer",
      "flatten",  "delay",           "parallel-loops", "fuse",  "fuse",
      "filters",  "simplify",        "dead-code"};
  return names;
}

std::vector<ValueId> sizes_to_cut(const Function& function) {
  const EqualSizes sizes(function);
  std::vector<ValueId> result;
  const auto add = [&](const Operand& size) {
    if (size.is_constant()) return;
    const auto parameter = std::ranges::find_if(function.body.parameters, [&](ValueId candidate) {
      return function.type(candidate).is_scalar() && sizes.of(candidate) == sizes.of(size.value());
    });
    if (parameter != function.body.parameters.end() &&
        std::ranges::find(result, *parameter) == result.end())
      result.push_back(*parameter);
  };
  for (ValueId parameter : function.body.parameters)
    if (const Type& type = function.type(parameter); !type.is_scalar()) add(type.extents[0]);
  for (const Statement& statement : function.body.statements)
    if (const auto* soac = std::get_if<Soac>(&statement.operation)) add(soac->extent);
  return result;
}

std::variant<CutPlan, NotCut> plan_cut(const Function& function, ValueId extent) {
  const EqualSizes sizes(function);
  std::map<ValueId, NotCut> whole;
  // (Each turn makes one more array whole.)
  while (true)
    try {
      return Planner(function, sizes, extent, whole).run();
    } catch (const IsNeededWhole& needed) {
      if (!whole.emplace(needed.array, needed.why).second) return needed.why;
    } catch (const Refused& refused) {
      return refused.why;
    }
}

} // namespace sinter::jit
