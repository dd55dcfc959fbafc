#include "jit/emit/turn_latency.h"

#include "jit/emit/analysis.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <ranges>
#include <span>
#include <variant>
#include <vector>

namespace sinter::jit {

namespace {

using primitives::Operation;

/// Cycles until a primitive's result is there, of its lanes.  (As uops.info has them for processors
/// with registers of 64 bytes; functions are chains of fused multiply-adds for the most part.)
double latency_of(const primitives::Primitive& primitive) {
  constexpr double float_latency = 4, product_latency = 10, latency_of_addition = 3;
  if (primitive.cost > 3) return latency_of_addition * primitive.cost;
  switch (primitive.operation) {
  case Operation::Negate:
  case Operation::Absolute:
  case Operation::CopySign:
  case Operation::ToBits:
  case Operation::FromBits:
    return 1;
  case Operation::Multiply:
    return is_float(primitive.operand) ? float_latency : product_latency;
  default:
    return is_float(primitive.operand) || is_float(primitive.result)
               ? float_latency * primitive.cost
               : primitive.cost;
  }
}

/// What one turn of a loop takes.
struct Turn {
  double work = 0;    ///< additions, of values that differ between lanes
  double latency = 0; ///< cycles from the values that it starts with to its last result
  int steps = 0;      ///< primitives on that way, at most
};

class Turns {
public:
  Turns(const ir::Function& function, const ir::Body& body)
      : function_(function), uniformity_(function) {
    uniformity_.analyse(body);
  }

  /// Whether all lanes take equally many turns of each loop within.
  bool go_together(const ir::Body& body) const {
    return std::ranges::all_of(body.statements, [&](const ir::Statement& statement) {
      bool together = true;
      if (const auto* loop = std::get_if<ir::For>(&statement.operation))
        together = !uniformity_.varies(loop->bound);
      else if (const auto* soac = std::get_if<ir::Soac>(&statement.operation))
        together = !uniformity_.varies(soac->extent);
      else if (const auto* ended = std::get_if<ir::While>(&statement.operation))
        together = !uniformity_.varies(ended->condition.results[0]);
      ir::for_each_body(statement.operation,
                        [&](const ir::Body& inner) { together = together && go_together(inner); });
      return together;
    });
  }

  /// Whether one of the loops within waits for itself.
  bool one_waits(const ir::Body& body) const {
    return std::ranges::any_of(body.statements, [&](const ir::Statement& statement) {
      bool found = false;
      if (const auto* loop = std::get_if<ir::For>(&statement.operation))
        found = waits(*loop);
      else if (const auto* soac = std::get_if<ir::Soac>(&statement.operation))
        found = waits(*soac);
      ir::for_each_body(statement.operation,
                        [&](const ir::Body& inner) { found = found || one_waits(inner); });
      return found;
    });
  }

private:
  // Two registers of each value take two instructions, and a processor begins two in each cycle: so
  // the work is also the cycles that it takes where nothing waits.

  bool waits(const ir::For& loop) const {
    if (!is_straight(loop.body)) return false;
    const bool carries_scalars = std::ranges::all_of(loop.initial, [&](const ir::Operand& initial) {
      return function_.type(initial).is_scalar();
    });
    if (!carries_scalars) return false;
    const std::span<const ir::ValueId> states = std::span(loop.body.parameters).subspan(1);
    const Turn turn = measure(loop.body, states);
    return turn.latency > turn.work;
  }
  /// Elements do not wait for each other, but the processor does not see the next one.
  bool waits(const ir::Soac& soac) const {
    const bool reads_own = std::ranges::any_of(
        soac.inputs, [&](ir::ValueId input) { return uniformity_.varies(input); });
    if (reads_own || !is_straight(soac.body)) return false;
    const Turn turn = measure(soac.body, {});
    return turn.steps >= long_chain && turn.latency > turn.work;
  }

  /// Computes alone, and reads at most what is the same for all lanes.
  bool is_straight(const ir::Body& body) const {
    return std::ranges::all_of(body.statements, [&](const ir::Statement& statement) {
      if (std::holds_alternative<ir::Index>(statement.operation))
        return function_.type(statement.results[0]).is_scalar() &&
               !uniformity_.varies(statement.results[0]);
      return std::holds_alternative<ir::Primitive>(statement.operation) ||
             std::holds_alternative<ir::Select>(statement.operation) ||
             std::holds_alternative<ir::Check>(statement.operation);
    });
  }

  /// Of a straight body.  Ways begin at `states`; if there are none, anywhere.
  Turn measure(const ir::Body& body, std::span<const ir::ValueId> states) const {
    struct Way {
      bool is_on = false; ///< comes from a state
      double latency = 0;
      int steps = 0;
    };
    std::vector<Way> ways(function_.values.size(), Way{states.empty()});
    for (const ir::ValueId state : states)
      ways[state.index].is_on = uniformity_.varies(state);
    Turn turn;
    for (const ir::Statement& statement : body.statements) {
      if (statement.results.empty() || !uniformity_.varies(statement.results[0])) continue;
      Way way = {states.empty()};
      ir::for_each_operand(statement.operation, [&](const ir::Operand& operand) {
        if (!operand.is_value()) return;
        const Way& before = ways[operand.value().index];
        if (!before.is_on) return;
        way = {true, std::max(way.latency, before.latency), std::max(way.steps, before.steps)};
      });
      const auto* primitive = std::get_if<ir::Primitive>(&statement.operation);
      turn.work += primitive ? primitive->primitive->cost : 1;
      way.latency += primitive ? latency_of(*primitive->primitive) : 1;
      way.steps += primitive ? 1 : 0;
      ways[statement.results[0].index] = way;
    }
    for (const ir::Operand& result : body.results) {
      if (!result.is_value() || !ways[result.value().index].is_on) continue;
      turn.latency = std::max(turn.latency, ways[result.value().index].latency);
      turn.steps = std::max(turn.steps, ways[result.value().index].steps);
    }
    return turn;
  }

  const ir::Function& function_;
  Uniformity uniformity_;
};

} // namespace

bool waits_in_turns(const ir::Function& function, const ir::Body& body) {
  const Turns turns(function, body);
  return turns.go_together(body) && turns.one_waits(body);
}

} // namespace sinter::jit
