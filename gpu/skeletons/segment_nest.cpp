#include "gpu/skeletons/segment_nest.h"

#include "gpu/skeletons/body_functions.h"
#include "gpu/skeletons/wide_elements.h"
#include "jit/emit/kernel_shape.h"
#include "jit/emit/skeletons.h"
#include "jit/ir/operations.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace sinter::gpu {

using namespace ir;

namespace {

std::size_t count_checks(const Body& body) {
  std::size_t count = 0;
  for (const Statement& statement : body.statements) {
    if (std::holds_alternative<Check>(statement.operation)) ++count;
    for_each_body(statement.operation, [&](const Body& inner) { count += count_checks(inner); });
  }
  return count;
}

class SegmentFinder {
public:
  enum class Fold : bool { Reductions, Scans };
  SegmentFinder(const Function& function, Fold wanted) : function_(function), wanted_(wanted) {}

  std::optional<SegmentNest> find() {
    const Soac* map = jit::parallel_soac(function_);
    while (map && jit::has_only<MapGroup>(*map) && nest_.maps.size() < most_segment_rank) {
      nest_.maps.push_back(map);
      map = jit::nested_map(function_, *map);
    }
    if (map || nest_.maps.empty() || !match_body() || !match_fold()) return std::nullopt;
    if (count_checks(nest_.maps[0]->body) > 1) return std::nullopt;
    note_reads();
    return std::move(nest_);
  }

private:
  bool is_simple(const Statement& statement) const {
    return is_scalar_operation(statement.operation) ||
           (std::holds_alternative<Index>(statement.operation) &&
            function_.type(statement.results[0]).is_scalar());
  }
  static bool may_stand_before(const Statement& statement) {
    return is_scalar_operation(statement.operation) || is_strided_view(statement.operation) ||
           std::holds_alternative<Index>(statement.operation) ||
           std::holds_alternative<Check>(statement.operation);
  }

  bool match_body() {
    nest_.innermost = *nest_.maps.back();
    std::vector<Statement>& before = nest_.innermost.body.statements;
    before.clear();
    const Body& body = nest_.maps.back()->body;
    for (const Statement& each : body.statements) {
      if (nest_.fold) {
        if (!is_simple(each)) return false;
        nest_.after.statements.push_back(each);
        continue;
      }
      before.push_back(each);
      if (const auto* soac = std::get_if<Soac>(&each.operation)) {
        nest_.fold = soac;
        nest_.fold_statement = &each;
      } else if (!may_stand_before(each)) {
        return false;
      }
    }
    if (!nest_.fold) return false;
    if (wanted_ == Fold::Scans) return nest_.after.statements.empty() && match_stored(body);
    return std::ranges::all_of(
        body.results, [&](const Operand& result) { return function_.type(result).is_scalar(); });
  }
  /// Whether what the map gives is what the scans and the maps beside them do.
  bool match_stored(const Body& body) {
    const std::vector<ValueId>& results = nest_.fold_statement->results;
    for (const Operand& result : body.results) {
      const auto found =
          result.is_value() ? std::ranges::find(results, result.value()) : results.end();
      if (found == results.end()) return false;
      nest_.stored.push_back(static_cast<std::size_t>(found - results.begin()));
    }
    return true;
  }

  bool is_wanted(const Soac& soac) const {
    if (wanted_ == Fold::Reductions)
      return !soac.groups.empty() && jit::has_only<ReduceGroup>(soac);
    return !jit::has_only<MapGroup>(soac) &&
           std::ranges::all_of(soac.groups,
                               [](const Group& group) {
                                 return std::holds_alternative<ScanGroup>(group) ||
                                        std::holds_alternative<MapGroup>(group);
                               }) &&
           std::ranges::all_of(soac.body.results, [this](const Operand& result) {
             return function_.type(result).is_scalar();
           });
  }
  bool match_fold() {
    const Soac& fold = *nest_.fold;
    return is_wanted(fold) && jit::folds_scalars(function_, fold) &&
           copied_statements(fold.body) <= most_copied_statements &&
           std::ranges::all_of(folding_groups(fold),
                               [this](const FoldingGroup& group) {
                                 return is_plain_operator(function_, *group.combine);
                               }) &&
           is_known(fold.extent) &&
           std::ranges::all_of(nest_.maps,
                               [&](const Soac* map) { return is_known(map->extent); }) &&
           combines_anywhere(fold);
  }
  bool is_known(const Operand& extent) const {
    return extent.is_constant() || jit::parameter_index(function_, extent.value());
  }
  /// Whether its operators need nothing of the segment; what they begin with may be of it.
  bool combines_anywhere(const Soac& fold) {
    std::unordered_set<std::uint32_t> inside;
    for (const Soac* map : nest_.maps) {
      for (const ValueId parameter : map->body.parameters)
        inside.insert(parameter.index);
      for (const Statement& each : map->body.statements)
        for (const ValueId result : each.results)
          inside.insert(result.index);
    }
    const auto is_inside = [&](ValueId value) { return inside.contains(value.index); };
    for (const FoldingGroup& group : folding_groups(fold)) {
      if (std::ranges::any_of(free_values(function_, *group.combine), is_inside)) return false;
      for (const Operand& neutral : *group.neutral)
        nest_.has_own_neutral =
            nest_.has_own_neutral || (neutral.is_value() && is_inside(neutral.value()));
    }
    return true;
  }

  // ---- reads

  /// A parameter, or a part of it, at which dimensions are left.
  struct Part {
    SegmentRead read;
    std::vector<std::size_t> dimensions;
  };

  Part at(Part part, const Operand& index) const {
    if (index == Operand(nest_.innermost.body.parameters[0]))
      part.read.segment_dimension = part.dimensions[0];
    if (index == Operand(nest_.fold->body.parameters[0]))
      part.read.position_dimension = part.dimensions[0];
    part.dimensions.erase(part.dimensions.begin());
    return part;
  }
  void define(ValueId value, Part part) {
    if (part.dimensions.empty())
      nest_.reads.push_back(part.read);
    else
      parts_.insert_or_assign(value.index, std::move(part));
  }
  void note_elements(const Soac& soac) {
    for (std::size_t i = 0; i < soac.inputs.size(); ++i)
      if (const auto found = parts_.find(soac.inputs[i].index); found != parts_.end())
        define(soac.body.parameters[i + 1], at(found->second, soac.body.parameters[0]));
  }
  void note_views(const Body& body) {
    for (const Statement& each : body.statements) {
      if (const auto* index = std::get_if<Index>(&each.operation)) {
        const auto found = parts_.find(index->array.index);
        if (found == parts_.end()) continue;
        Part part = found->second;
        for (const Operand& operand : index->indices)
          part = at(std::move(part), operand);
        define(each.results[0], std::move(part));
      } else if (const auto* transpose = std::get_if<Transpose>(&each.operation)) {
        const auto found = parts_.find(transpose->array.index);
        if (found == parts_.end()) continue;
        Part part = found->second;
        for (std::size_t d = 0; d < transpose->permutation.size(); ++d)
          part.dimensions[d] = found->second.dimensions[transpose->permutation[d]];
        define(each.results[0], std::move(part));
      }
    }
  }
  void note_reads() {
    for (std::uint32_t p = 0; p < function_.body.parameters.size(); ++p) {
      Part part{{p, {}, {}},
                std::vector<std::size_t>(function_.type(function_.body.parameters[p]).rank())};
      std::iota(part.dimensions.begin(), part.dimensions.end(), std::size_t{0});
      if (!part.dimensions.empty()) define(function_.body.parameters[p], std::move(part));
    }
    note_views(function_.body);
    for (const Soac* map : nest_.maps) {
      note_elements(*map);
      note_views(map->body);
    }
    nest_.reads.clear(); // (What stands around the fold is read once for a segment.)
    note_rows(*nest_.fold);
    note_elements(*nest_.fold);
    note_views(nest_.fold->body);
  }
  void note_rows(const Soac& fold) {
    for (const ValueId input : fold.inputs)
      if (const auto found = parts_.find(input.index); found != parts_.end())
        nest_.rows.push_back({found->second.read.parameter, found->second.dimensions[0]});
    if (nest_.rows.size() != fold.inputs.size()) nest_.rows.clear();
  }

  const Function& function_;
  Fold wanted_;
  SegmentNest nest_;
  std::unordered_map<std::uint32_t, Part> parts_;
};

} // namespace

std::vector<FoldingGroup> folding_groups(const Soac& soac) {
  std::vector<FoldingGroup> result;
  const std::vector<jit::GroupPosition> positions = jit::group_positions(soac);
  for (std::size_t g = 0; g < soac.groups.size(); ++g) {
    const auto add = [&](const auto& group) {
      result.push_back(
          {&group.neutral, &group.combine, positions[g].body_result, positions[g].result});
    };
    if (const auto* reduce = std::get_if<ReduceGroup>(&soac.groups[g])) add(*reduce);
    if (const auto* scan = std::get_if<ScanGroup>(&soac.groups[g])) add(*scan);
  }
  return result;
}

std::optional<SegmentNest> find_segment_nest(const Function& kernel) {
  return SegmentFinder(kernel, SegmentFinder::Fold::Reductions).find();
}

std::optional<SegmentNest> find_segmented_scan(const Function& kernel) {
  return SegmentFinder(kernel, SegmentFinder::Fold::Scans).find();
}

SegmentLayout layout_of_reads(const LaunchSizes& sizes, const std::vector<SegmentRead>& reads) {
  std::int64_t rows = 0, columns = 0;
  for (const SegmentRead& read : reads) {
    const Extents& strides = std::get<Leaf>(sizes.arguments[read.parameter]).strides;
    const auto stride = [&](const std::optional<std::size_t>& dimension) {
      return dimension ? std::abs(strides[*dimension]) : std::int64_t{0};
    };
    const std::int64_t segment = stride(read.segment_dimension);
    const std::int64_t position = stride(read.position_dimension);
    if (position == 0 || segment == 0) continue;
    ++(position < segment ? rows : columns);
  }
  return {rows > 0 && rows >= columns, columns > rows};
}

bool are_aligned(const LaunchSizes& sizes, const std::vector<SegmentRow>& rows, unsigned lanes) {
  return std::ranges::all_of(rows, [&](const SegmentRow& row) {
    const Leaf& array = std::get<Leaf>(sizes.arguments[row.parameter]);
    bool is_aligned = array.strides[row.dimension] == 1 && array.offset % lanes == 0;
    for (std::size_t d = 0; d < array.strides.size(); ++d)
      is_aligned = is_aligned && (d == row.dimension || array.extents[d] <= 1 ||
                                  array.strides[d] % std::int64_t{lanes} == 0);
    return is_aligned;
  });
}

} // namespace sinter::gpu
