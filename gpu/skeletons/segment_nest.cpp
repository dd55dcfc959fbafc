#include "gpu/skeletons/segment_nest.h"

#include "gpu/skeletons/body_functions.h"
#include "gpu/skeletons/wide_elements.h"
#include "jit/emit/kernel_shape.h"
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
  explicit SegmentFinder(const Function& function) : function_(function) {}

  std::optional<SegmentNest> find() {
    const Soac* map = jit::parallel_soac(function_);
    while (map && jit::has_only<MapGroup>(*map) && nest_.maps.size() < most_segment_rank) {
      nest_.maps.push_back(map);
      map = jit::nested_map(function_, *map);
    }
    if (map || nest_.maps.empty() || !match_body() || !match_reduction()) return std::nullopt;
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
      if (nest_.reduction) {
        if (!is_simple(each)) return false;
        nest_.after.statements.push_back(each);
        continue;
      }
      before.push_back(each);
      if (const auto* soac = std::get_if<Soac>(&each.operation)) {
        nest_.reduction = soac;
        nest_.reduction_statement = &each;
      } else if (!may_stand_before(each)) {
        return false;
      }
    }
    return nest_.reduction && std::ranges::all_of(body.results, [&](const Operand& result) {
             return function_.type(result).is_scalar();
           });
  }

  bool match_reduction() {
    const Soac& reduction = *nest_.reduction;
    if (reduction.groups.empty() || !jit::has_only<ReduceGroup>(reduction) ||
        !jit::folds_scalars(function_, reduction) ||
        copied_statements(reduction.body) > most_copied_statements)
      return false;
    for (const Group& group : reduction.groups) {
      const auto& reduce = std::get<ReduceGroup>(group);
      if (!is_plain_operator(function_, reduce.combine)) return false;
    }
    return is_known(reduction.extent) &&
           std::ranges::all_of(nest_.maps,
                               [&](const Soac* map) { return is_known(map->extent); }) &&
           needs_no_segment(reduction);
  }
  bool is_known(const Operand& extent) const {
    return extent.is_constant() || jit::parameter_index(function_, extent.value());
  }
  /// Its operators and what they begin with.
  bool needs_no_segment(const Soac& reduction) const {
    std::unordered_set<std::uint32_t> inside;
    for (const Soac* map : nest_.maps) {
      for (const ValueId parameter : map->body.parameters)
        inside.insert(parameter.index);
      for (const Statement& each : map->body.statements)
        for (const ValueId result : each.results)
          inside.insert(result.index);
    }
    const auto is_outside = [&](ValueId value) { return !inside.contains(value.index); };
    return std::ranges::all_of(reduction.groups, [&](const Group& group) {
      const auto& reduce = std::get<ReduceGroup>(group);
      return std::ranges::all_of(free_values(function_, reduce.combine), is_outside) &&
             std::ranges::all_of(reduce.neutral, [&](const Operand& neutral) {
               return neutral.is_constant() || is_outside(neutral.value());
             });
    });
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
    if (index == Operand(nest_.reduction->body.parameters[0]))
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
    nest_.reads.clear(); // (What stands around the reduction is read once for a segment.)
    note_elements(*nest_.reduction);
    note_views(nest_.reduction->body);
  }

  const Function& function_;
  SegmentNest nest_;
  std::unordered_map<std::uint32_t, Part> parts_;
};

} // namespace

std::optional<SegmentNest> find_segment_nest(const Function& kernel) {
  return SegmentFinder(kernel).find();
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

} // namespace sinter::gpu
