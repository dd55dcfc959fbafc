#include "jit/passes/fusion_rules.h"

#include "jit/ir/groups.h"
#include "jit/ir/operator_order.h"
#include "jit/ir/walk.h"
#include "jit/passes/cost.h"

#include <algorithm>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

/// Bodies of scans run twice (once for the chunk's total, once for the prefixes): what costs more
/// than this is better stored.
constexpr unsigned scan_cost_limit = 200;
/// Statements in one body: beyond this, values no longer stay in registers.
constexpr std::size_t body_limit = 400;

/// Elements go to other places than their index.
bool writes_elsewhere(const Soac& soac) {
  return has_group<ScatterGroup>(soac) || has_group<HistogramGroup>(soac) ||
         has_group<FilterGroup>(soac) || has_group<PartitionGroup>(soac);
}

/// Elements are computed twice.
bool goes_through_twice(const Soac& soac) {
  return has_group<ScanGroup>(soac) || has_group<PartitionGroup>(soac);
}

/// Whether the one partitions its elements and the other one is more than a map.
bool is_beside_partition(const Soac& one, const Soac& other) {
  return has_group<PartitionGroup>(one) && !has_only<MapGroup>(other);
}

bool is_result(const Statement& statement, ValueId value) {
  return std::ranges::find(statement.results, value) != statement.results.end();
}

std::vector<ValueId> results_of_maps(const Statement& statement) {
  std::vector<ValueId> maps;
  for_each_group(std::get<Soac>(statement.operation),
                 [&](const Group& group, std::size_t, std::size_t result) {
                   if (std::holds_alternative<MapGroup>(group))
                     maps.push_back(statement.results[result]);
                 });
  return maps;
}

} // namespace

std::optional<Reason> FusionRules::against_joining(Node earlier, Node later) const {
  const Soac &a = *graph_.soac(earlier), &b = *graph_.soac(later);
  if (a.extent != b.extent) return Reason::OtherExtent;
  if (a.body.statements.size() + b.body.statements.size() > body_limit) return Reason::TooLong;
  if (goes_through_twice(a) || goes_through_twice(b)) {
    if (cost(a.body) > scan_cost_limit || cost(b.body) > scan_cost_limit)
      return Reason::ScannedTwice;
    if (is_beside_partition(a, b) || is_beside_partition(b, a)) return Reason::BesidePartition;
  }
  const bool scans = has_group<ScanGroup>(a) || has_group<ScanGroup>(b);
  if (scans && (writes_elsewhere(a) || writes_elsewhere(b))) return Reason::WritesBesideScan;
  if (are_cut_apart(a, b)) return Reason::CutApart;
  if (graph_.interfere(earlier, later)) return Reason::OneOverwrites;
  if (graph_.has_indirect_path(earlier, later)) return Reason::SomethingBetween;
  return std::nullopt;
}

/// Histograms of both keep an order that goes by their numbers of bins, which may differ.
bool FusionRules::are_cut_apart(const Soac& a, const Soac& b) const {
  const auto bins = [&](const Soac& soac) {
    std::vector<std::vector<Operand>> result;
    for (const Group& group : soac.groups)
      if (const auto* histogram = std::get_if<HistogramGroup>(&group);
          histogram && order_shows(*histogram)) {
        const auto& extents = function_.type(histogram->destinations[0]).extents;
        result.emplace_back(extents.begin(), extents.begin() + histogram->index_count);
      }
    return result;
  };
  const auto of_a = bins(a), of_b = bins(b);
  return !of_a.empty() && !of_b.empty() && of_a.front() != of_b.front();
}

std::optional<Reason> FusionRules::against_reading(Node producer, Node consumer) const {
  const Statement& from = graph_.statement(producer);
  const Soac& reader = *graph_.soac(consumer);
  const std::vector<ValueId> maps = results_of_maps(from);
  for (std::size_t i = 0; i < reader.inputs.size(); ++i) {
    if (!is_result(from, reader.inputs[i])) continue;
    if (std::ranges::find(maps, reader.inputs[i]) == maps.end()) return Reason::OnlyAtTheEnd;
    const ValueId element = reader.body.parameters[i + 1];
    if (!function_.type(element).is_scalar() && aliases_.is_consumed(element))
      return Reason::OneOverwrites;
  }
  if (is_read_elsewhere(producer, consumer)) return Reason::OtherElements;
  return std::nullopt;
}

/// Whether the consumer reads it apart from its inputs.
bool FusionRules::is_read_elsewhere(Node producer, Node consumer) const {
  const Statement &from = graph_.statement(producer), &to = graph_.statement(consumer);
  const Soac& reader = *graph_.soac(consumer);
  bool elsewhere = false;
  const auto note = [&](const Operand& operand) {
    if (operand.is_value() && is_result(from, operand.value())) elsewhere = true;
  };
  const auto note_body = [&](const Body& body) {
    for (ValueId value : free_values(function_, body))
      note(value);
  };
  note(reader.extent);
  note_body(reader.body);
  for (const Group& group : reader.groups) {
    for_each_operand(group, note);
    for_each_body(group, note_body);
  }
  for (ValueId result : to.results)
    for (const Operand& extent : function_.type(result).extents)
      note(extent);
  return elsewhere;
}

} // namespace sinter::jit
