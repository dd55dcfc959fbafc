// Of states that a round overwrites at several places.
#include "jit/passes/carried_states.h"

#include "jit/ir/operations.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <cstdlib>

namespace sinter::jit {

using namespace ir;

namespace {

const Update& update_by(const Statement& statement) {
  return std::get<Update>(statement.operation);
}
bool is_i64(const Operand& operand) {
  return operand.is_constant() && operand.element() == ElementType::I64;
}
/// `a - b`, if that is a small number.
std::optional<std::int64_t> distance(const LinearForm& a, const LinearForm& b) {
  const std::optional<LinearForm> difference = combine(a, b, -1);
  if (!difference || !difference->terms.empty()) return std::nullopt;
  const std::int64_t number = difference->constant;
  if (number <= -widest_window || number >= widest_window) return std::nullopt;
  return number;
}

} // namespace

std::vector<const Statement*> CarriedStates::updates_of(std::size_t state, const Next& next) const {
  const Operand from = loop_.body.parameters[state + 1];
  std::vector<const Statement*> result;
  if (round_.uses(next.value) != 1) return {};
  for (Operand at = next.value; at != from;) {
    const Statement* const statement = round_.definition(at);
    const auto* update = statement ? std::get_if<Update>(&statement->operation) : nullptr;
    if (!update || !round_.is_computed_in(*next.body, at)) return {};
    result.push_back(statement);
    at = update->array;
  }
  std::ranges::reverse(result);
  return result;
}

std::optional<WindowChange> CarriedStates::window_of(std::vector<const Statement*> updates) const {
  const std::vector<Operand>& first = update_by(*updates[0]).indices;
  std::optional<std::size_t> dimension, across;
  for (std::size_t i = 0; i < first.size(); ++i) {
    const auto each_of = [&](auto&& holds) {
      return std::ranges::all_of(updates, [&](const Statement* update) {
        return update_by(*update).indices.size() == first.size() &&
               function_.type(update_by(*update).value) ==
                   function_.type(update_by(*updates[0]).value) &&
               holds(update_by(*update).indices[i]);
      });
    };
    if (is_inside(first[i])) {
      if (dimension || !each_of([&](const Operand& index) { return is_inside(index); }))
        return std::nullopt;
      dimension = i;
    } else if (!each_of([&](const Operand& index) { return index == first[i]; })) {
      if (across || !each_of(is_i64)) return std::nullopt;
      across = i;
    }
  }
  std::optional<RoundIndex> at = dimension ? round_index(first[*dimension]) : std::nullopt;
  if (!at || (across && *across < *dimension)) return std::nullopt;
  WindowChange window{
      std::move(updates), *dimension, across.value_or(*dimension), std::move(*at), 0, 1, {}, {}};
  std::vector<std::int64_t> places;
  for (const Statement* update : window.updates) {
    const std::optional<std::int64_t> place = place_in(window, update_by(*update).indices);
    if (!place) return std::nullopt;
    places.push_back(*place);
  }
  const auto [least, most] = std::ranges::minmax(places);
  if (most - least >= widest_window) return std::nullopt;
  window.first = least;
  window.width = most - least + 1;
  // Windows must not meet.
  const bool is_along = window.across == window.dimension;
  if (is_along ? window.at.step < window.width : std::abs(window.at.step) != 1) return std::nullopt;
  window.by_place.resize(static_cast<std::size_t>(window.width));
  for (std::size_t i = 0; i < places.size(); ++i)
    window.by_place[static_cast<std::size_t>(places[i] - least)] = window.updates[i];
  return window;
}

std::optional<std::int64_t> CarriedStates::place_in(const WindowChange& window,
                                                    const std::vector<Operand>& indices) const {
  const std::vector<Operand>& first = update_by(*window.updates[0]).indices;
  if (indices.size() < first.size()) return std::nullopt;
  for (std::size_t i = 0; i < first.size(); ++i)
    if (i != window.dimension && i != window.across && indices[i] != first[i]) return std::nullopt;
  const std::optional<RoundIndex> at = round_index(indices[window.dimension]);
  if (!at || at->step != window.at.step) return std::nullopt;
  const std::optional<std::int64_t> along = distance(at->offset, window.at.offset);
  if (!along) return std::nullopt;
  if (window.across == window.dimension) return *along - window.first;
  if (*along != 0 || !is_i64(indices[window.across])) return std::nullopt;
  return indices[window.across].scalar().as<std::int64_t>() - window.first;
}

bool CarriedStates::look_at_reads(WindowChange& window, ValueId array, std::size_t count) const {
  const bool is_along = window.across == window.dimension;
  return std::ranges::all_of(round_.users(array), [&](const Statement* by) {
    if (!by) return count == window.updates.size(); // the next state
    if (count < window.updates.size() && by == window.updates[count]) return true;
    const auto* read = std::get_if<Index>(&by->operation);
    if (!read || read->array != array) return false;
    const std::optional<std::int64_t> place = place_in(window, read->indices);
    // Where in its own window a round reads what it finds, does not matter.
    if (count == 0 && !is_along)
      return read->indices.size() > window.dimension &&
             round_index(read->indices[window.dimension]) == window.at;
    if (!place || (is_along && (*place < 0 || *place >= window.at.step))) return false;
    for (std::size_t i = count; i-- > 0;) {
      if (place_in(window, update_by(*window.updates[i]).indices) != place) continue;
      if (read->indices.size() != update_by(*window.updates[i]).indices.size() ||
          !round_.is_computed_in(loop_.body, by->results[0]))
        return false;
      window.forwards.push_back({by, update_by(*window.updates[i]).value});
      break;
    }
    return true;
  });
}

std::optional<StateChange> CarriedStates::window(std::size_t state, const Next& next) const {
  if (next.branch) return std::nullopt;
  std::vector<const Statement*> updates = updates_of(state, next);
  if (updates.size() < 2) return std::nullopt;
  std::optional<WindowChange> window = window_of(std::move(updates));
  if (!window) return std::nullopt;
  if (!look_at_reads(*window, loop_.body.parameters[state + 1], 0)) return std::nullopt;
  for (std::size_t i = 0; i < window->updates.size(); ++i)
    if (!look_at_reads(*window, window->updates[i]->results[0], i + 1)) return std::nullopt;
  return *window;
}

} // namespace sinter::jit
