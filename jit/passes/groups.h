// How many of a SOAC body's results each group takes, and how many results it gives.
#pragma once

#include "jit/ir/ir.h"

#include <cstddef>
#include <variant>

namespace sinter::jit {

struct GroupSize {
  std::size_t body_results = 1, results = 1;
};

inline GroupSize size_of(const ir::Group& group) {
  if (const auto* reduce = std::get_if<ir::ReduceGroup>(&group))
    return {reduce->neutral.size(), reduce->neutral.size()};
  if (const auto* scan = std::get_if<ir::ScanGroup>(&group))
    return {scan->neutral.size(), scan->neutral.size()};
  if (const auto* scatter = std::get_if<ir::ScatterGroup>(&group))
    return {scatter->index_count + 1, 1};
  if (const auto* histogram = std::get_if<ir::HistogramGroup>(&group))
    return {histogram->index_count + histogram->destinations.size(),
            histogram->destinations.size()};
  if (const auto* filter = std::get_if<ir::FilterGroup>(&group))
    return {filter->value_count + 1, filter->value_count + 1};
  return {};
}

/// Calls `visit(group, first body result, first result)` for each group.
template <typename SoacType, typename Visit>
void for_each_group(SoacType& soac, Visit&& visit) {
  std::size_t body_result = 0, result = 0;
  for (auto& group : soac.groups) {
    const GroupSize size = size_of(group);
    visit(group, body_result, result);
    body_result += size.body_results;
    result += size.results;
  }
}

} // namespace sinter::jit
