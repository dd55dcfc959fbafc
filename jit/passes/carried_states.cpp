#include "jit/passes/carried_states.h"

#include "jit/ir/operations.h"
#include "jit/ir/operator_order.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <cstdlib>

namespace sinter::jit {

using namespace ir;
using ScalarOperation = primitives::Operation;

std::optional<std::vector<StateChange>> CarriedStates::changes() const {
  // (Where a loop is marked, it is for the program to say what had better be one.)
  if (!loop_.is_parallel && !belongs_into_soac(loop_.body, true)) return std::nullopt;
  std::vector<StateChange> changes;
  for (std::size_t state = 0; state < loop_.initial.size(); ++state) {
    std::optional<StateChange> change = this->change(state);
    if (!change) return std::nullopt;
    changes.push_back(std::move(*change));
  }
  return changes;
}

CarriedStates::Next CarriedStates::next_of(std::size_t state) const {
  const Operand from = loop_.body.parameters[state + 1], to = loop_.body.results[state];
  const Next always{to, &loop_.body, std::nullopt, 0};
  const Statement* const statement = round_.definition(to);
  const auto* choice = statement ? std::get_if<If>(&statement->operation) : nullptr;
  if (!choice || choice->is_shortcut || round_.uses(to) != 1 ||
      !round_.is_computed_in(loop_.body, to))
    return always;
  const auto at = static_cast<std::size_t>(std::ranges::find(statement->results, to.value()) -
                                           statement->results.begin());
  const bool truth = choice->else_body.results[at] == from;
  const Body& other = truth ? choice->else_body : choice->then_body;
  const Body& body = truth ? choice->then_body : choice->else_body;
  if (other.results[at] != from) return always;
  return {body.results[at], &body, BranchOfRound{statement, truth}, 1};
}

std::optional<StateChange> CarriedStates::change(std::size_t state) const {
  const Next next = next_of(state);
  if (function_.type(loop_.body.parameters[state + 1]).is_scalar()) return fold(state, next);
  if (auto change = own(state, next)) return change;
  if (auto change = window(state, next)) return change;
  if (auto change = bin(state, next)) return change;
  return scatter(state, next);
}

// ---- folds -------------------------------------------------------------------------------------

std::optional<CarriedStates::Chain> CarriedStates::chain(const Operand& to, const Operand& from,
                                                         const Body& body) const {
  Chain chain;
  Operand at = to;
  while (at != from) {
    const Statement* const statement = round_.definition(at);
    const auto* primitive = statement ? std::get_if<Primitive>(&statement->operation) : nullptr;
    if (!primitive || primitive->arguments.size() != 2 || !round_.is_computed_in(body, at) ||
        round_.uses(at) != 1 || (chain.primitive && primitive->primitive != chain.primitive))
      return std::nullopt;
    if (!chain.primitive) {
      chain.subtracts = primitive->primitive->operation == ScalarOperation::Subtract &&
                        !is_float(primitive->primitive->result);
      const std::optional<Scalar> neutral =
          chain.subtracts ? Scalar{} : neutral_of_any_order(*primitive->primitive);
      if (!neutral) return std::nullopt;
      chain.primitive = primitive->primitive;
      chain.neutral = *neutral;
    }
    const Operand &left = primitive->arguments[0], &right = primitive->arguments[1];
    const auto leads_on = [&](const Operand& operand) {
      if (operand == from) return true;
      const Statement* const next = round_.definition(operand);
      const auto* inner = next ? std::get_if<Primitive>(&next->operation) : nullptr;
      return inner && inner->primitive == chain.primitive &&
             this->chain(operand, from, body).has_value();
    };
    const bool by_left = leads_on(left);
    if (!by_left && (chain.subtracts || !leads_on(right))) return std::nullopt;
    chain.terms.push_back(by_left ? right : left);
    chain.links.push_back(statement);
    at = by_left ? left : right;
  }
  if (!chain.primitive) return std::nullopt;
  if (chain.subtracts)
    chain.primitive = primitives::find(ScalarOperation::Add, chain.primitive->result);
  return chain;
}

std::optional<StateChange> CarriedStates::fold(std::size_t state, const Next& next) const {
  const Operand from = loop_.body.parameters[state + 1], to = next.value;
  std::optional<FoldChange::Guard> guard;
  Operand combined = to;
  // (In a branch, more would be asked of a choice than it is worth.)
  if (const Statement* const last = round_.definition(to);
      last && round_.uses(to) == 1 && !next.branch)
    if (const auto* choice = std::get_if<Select>(&last->operation)) {
      if (choice->else_value == from) {
        guard = {choice->condition, true};
        combined = choice->then_value;
      } else if (choice->then_value == from) {
        guard = {choice->condition, false};
        combined = choice->else_value;
      }
    }
  if (round_.uses(from) != (guard ? 2 : 1) + next.kept) return std::nullopt;
  std::optional<Chain> chain = this->chain(combined, from, *next.body);
  if (!chain) return std::nullopt;
  if (guard) chain->links.push_back(round_.definition(to));
  return FoldChange{chain->primitive, chain->neutral,          std::move(chain->terms), guard,
                    next.branch,      std::move(chain->links), chain->subtracts};
}

namespace {

/// Of a number of i64 that is not understood further.
LinearForm form_of(const Operand& number) {
  if (number.is_constant()) return {number.scalar().as<std::int64_t>(), {}};
  return {0, {{number.value().index, 1}}};
}

} // namespace

// ---- arrays ------------------------------------------------------------------------------------

std::optional<RoundIndex> CarriedStates::round_index(const Operand& operand) const {
  const Operand number(loop_.body.parameters[0]);
  if (operand == number && loop_.index_type == ElementType::I64) return RoundIndex{};
  const Statement* const statement = round_.definition(operand);
  const auto* primitive = statement ? std::get_if<Primitive>(&statement->operation) : nullptr;
  if (!primitive) return std::nullopt;
  // (A round's number is not negative: it is the same in 64 bits.)
  if (primitive->primitive == primitives::conversion(loop_.index_type, ElementType::I64) &&
      primitive->arguments[0] == number)
    return RoundIndex{};
  if (primitive->primitive->operand != ElementType::I64) return std::nullopt;
  if (primitive->primitive->operation == ScalarOperation::Multiply) {
    const bool is_left = primitive->arguments[1].is_constant();
    const Operand& factor = primitive->arguments[is_left ? 1 : 0];
    std::optional<RoundIndex> index = round_index(primitive->arguments[is_left ? 0 : 1]);
    const std::int64_t by = factor.is_constant() ? factor.scalar().as<std::int64_t>() : 0;
    if (!index || by == 0 || std::abs(by) > widest_window) return std::nullopt;
    const std::optional<LinearForm> offset = combine({}, index->offset, by);
    if (!offset || std::abs(index->step * by) > widest_window) return std::nullopt;
    return RoundIndex{index->step * by, *offset};
  }
  const bool adds = primitive->primitive->operation == ScalarOperation::Add;
  if (!adds && primitive->primitive->operation != ScalarOperation::Subtract) return std::nullopt;
  const Operand &left = primitive->arguments[0], &right = primitive->arguments[1];
  const bool is_left = is_inside(left);
  if (is_left == is_inside(right)) return std::nullopt;
  std::optional<RoundIndex> index = round_index(is_left ? left : right);
  if (!index) return std::nullopt;
  const LinearForm form = form_of(is_left ? right : left);
  const bool takes_away = !adds && !is_left; // from what is fixed
  const std::optional<LinearForm> offset =
      takes_away ? combine(form, index->offset, -1) : combine(index->offset, form, adds ? 1 : -1);
  if (!offset) return std::nullopt;
  return RoundIndex{takes_away ? -index->step : index->step, *offset};
}

const Statement* CarriedStates::update_of(std::size_t state, const Next& next) const {
  const Operand from = loop_.body.parameters[state + 1];
  const Statement* const statement = round_.definition(next.value);
  if (!statement || round_.uses(next.value) != 1 || !round_.is_computed_in(*next.body, next.value))
    return nullptr;
  if (!row_of(statement->operation).has(laws::Overwrites)) return nullptr;
  return source_array(statement->operation) == from.value() ? statement : nullptr;
}

bool CarriedStates::reads_own_only(ValueId array, const Statement& update, std::size_t dimension,
                                   const RoundIndex& at) const {
  return std::ranges::all_of(round_.users(array), [&](const Statement* by) {
    if (by == &update) return true;
    const auto* read = by ? std::get_if<Index>(&by->operation) : nullptr;
    return read && read->array == array && read->indices.size() > dimension &&
           (round_index(read->indices[dimension]) == at ||
            is_beside(read->indices[dimension], at)) &&
           std::ranges::count(read->indices, Operand(array)) == 0;
  });
}

bool CarriedStates::is_beside(const Operand& place, const RoundIndex& written) const {
  if (!facts_ || is_inside(place) || loop_.index_type != ElementType::I64) return false;
  // From the offset on, or down from it, there are as many places as rounds.
  if (std::abs(written.step) != 1) return false;
  const bool goes_up = written.step > 0;
  const auto end = combine(written.offset, form_of(loop_.bound), written.step);
  const LinearForm at = form_of(place);
  const auto is_up_to = [&](const LinearForm& a, const LinearForm& b) {
    const std::optional<LinearForm> behind = combine(b, {1, {}}, 1);
    return behind && facts_->is_less(a, *behind);
  };
  const auto is_before =
      goes_up ? facts_->is_less(at, written.offset) : facts_->is_less(written.offset, at);
  return is_before || (end && (goes_up ? is_up_to(*end, at) : is_up_to(at, *end)));
}

std::optional<StateChange> CarriedStates::own(std::size_t state, const Next& next) const {
  const Statement* const update = next.branch ? nullptr : update_of(state, next);
  if (!update) return std::nullopt;
  const ValueId array = loop_.body.parameters[state + 1];
  std::vector<Operand> indices; // or where slices begin
  const auto* element = std::get_if<Update>(&update->operation);
  if (element) {
    indices = element->indices;
  } else {
    const auto& slice = std::get<UpdateSlice>(update->operation);
    for (const Slice::Dimension& each : slice.dimensions) {
      if (is_inside(each.stride)) return std::nullopt;
      indices.push_back(each.begin);
    }
    if (std::ranges::any_of(function_.type(slice.value).extents,
                            [&](const Operand& extent) { return is_inside(extent); }))
      return std::nullopt;
  }
  std::optional<OwnChange> change;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    if (!is_inside(indices[i])) continue;
    std::optional<RoundIndex> at = round_index(indices[i]);
    if (!at || change || std::abs(at->step) != 1) return std::nullopt;
    if (!element) {
      const Type& type = function_.type(std::get<UpdateSlice>(update->operation).value);
      if (type.extents[i] != Operand::i64(1)) return std::nullopt;
    }
    change = OwnChange{update, i, std::move(*at)};
  }
  if (!change || !reads_own_only(array, *update, change->dimension, change->at))
    return std::nullopt;
  return change;
}

const Statement* CarriedStates::fixed_element(std::size_t state) const {
  const ValueId array = loop_.body.parameters[state + 1];
  if (function_.type(array).is_scalar()) return nullptr;
  const Next next = next_of(state);
  const Statement* const update = next.branch ? nullptr : update_of(state, next);
  const auto* element = update ? std::get_if<Update>(&update->operation) : nullptr;
  if (!element || !function_.type(element->value).is_scalar()) return nullptr;
  if (std::ranges::any_of(element->indices, [&](const Operand& index) { return is_inside(index); }))
    return nullptr;
  const bool is_only_one = std::ranges::all_of(round_.users(array), [&](const Statement* by) {
    if (by == update) return true;
    const auto* read = by ? std::get_if<Index>(&by->operation) : nullptr;
    return read && read->array == array && read->indices == element->indices;
  });
  return is_only_one ? update : nullptr;
}

std::optional<PreviousElements> CarriedStates::previous_elements(std::size_t state) const {
  const ValueId array = loop_.body.parameters[state + 1];
  if (function_.type(array).is_scalar()) return std::nullopt;
  const Next next = next_of(state);
  const Statement* const update = next.branch ? nullptr : update_of(state, next);
  const auto* element = update ? std::get_if<Update>(&update->operation) : nullptr;
  if (!element || !function_.type(element->value).is_scalar()) return std::nullopt;
  std::optional<PreviousElements> found;
  for (std::size_t i = 0; i < element->indices.size(); ++i) {
    if (!is_inside(element->indices[i])) continue;
    std::optional<RoundIndex> at = round_index(element->indices[i]);
    if (!at || found) return std::nullopt;
    found = PreviousElements{update, i, std::move(*at), {}};
  }
  if (!found) return std::nullopt;
  const std::optional<LinearForm> offset =
      combine(found->at.offset, LinearForm{found->at.step, {}}, -1);
  if (!offset) return std::nullopt;
  const RoundIndex before{found->at.step, *offset};
  for (const Statement* by : round_.users(array)) {
    const auto* read = by ? std::get_if<Index>(&by->operation) : nullptr;
    if (!read || read->array != array || read->indices.size() != element->indices.size()) continue;
    bool is_before = true;
    for (std::size_t i = 0; i < read->indices.size(); ++i)
      is_before = is_before && (i == found->dimension ? round_index(read->indices[i]) == before
                                                      : read->indices[i] == element->indices[i]);
    if (is_before) found->reads.push_back(by);
  }
  return found->reads.empty() ? std::nullopt : found;
}

std::optional<StateChange> CarriedStates::scatter(std::size_t state, const Next& next) const {
  const Statement* const update = update_of(state, next);
  if (!update) return std::nullopt;
  const auto* element = std::get_if<Update>(&update->operation);
  // (Of rows there is none to give where none is written.)
  if (!element || (next.branch && !function_.type(element->value).is_scalar())) return std::nullopt;
  const ValueId array = loop_.body.parameters[state + 1];
  const bool reads = round_.uses(array) != 1 + next.kept;
  if (reads && !reads_written_only(array, *update, next.kept)) return std::nullopt;
  return ScatterChange{update, reads, next.branch};
}

bool CarriedStates::reads_written_only(ValueId array, const Statement& update,
                                       std::size_t kept) const {
  if (!loop_.is_parallel) return false;
  const std::span<const Statement* const> uses = round_.users(array);
  if (static_cast<std::size_t>(std::ranges::count(uses, nullptr)) != kept) return false;
  return std::ranges::all_of(uses, [&](const Statement* by) {
    return !by || by == &update || reads_written(array, update, *by);
  });
}

bool CarriedStates::reads_written(ValueId array, const Statement& update,
                                  const Statement& by) const {
  const auto& element = std::get<Update>(update.operation);
  const auto* read = std::get_if<Index>(&by.operation);
  return read && read->array == array && read->indices.size() >= element.indices.size() &&
         std::equal(element.indices.begin(), element.indices.end(), read->indices.begin()) &&
         !combines_floats(element.value, by.results[0]);
}

std::optional<StateChange> CarriedStates::bin(std::size_t state, const Next& next) const {
  const Statement* const update = update_of(state, next);
  const Operand array = loop_.body.parameters[state + 1];
  const auto* element = update ? std::get_if<Update>(&update->operation) : nullptr;
  if (!element || round_.uses(array) != 2 + next.kept ||
      !function_.type(element->value).is_scalar())
    return std::nullopt;
  for (const Statement* by : round_.users(array.value())) {
    const auto* read = by && by != update ? std::get_if<Index>(&by->operation) : nullptr;
    if (!read || read->indices != element->indices || round_.uses(by->results[0]) != 1) continue;
    if (!round_.is_computed_in(*next.body, by->results[0])) continue;
    std::optional<Chain> chain = this->chain(element->value, by->results[0], *next.body);
    if (!chain) return std::nullopt;
    chain->links.push_back(by);
    return BinChange{update,
                     next.branch,
                     chain->primitive,
                     chain->neutral,
                     std::move(chain->terms),
                     std::move(chain->links),
                     chain->subtracts};
  }
  return std::nullopt;
}

// ---- what a round may hold ---------------------------------------------------------------------

bool CarriedStates::changes_states(const Statement& choice) const {
  const auto is_scalar = [&](ValueId result) { return function_.type(result).is_scalar(); };
  const auto is_state = [&](ValueId result) {
    return std::ranges::count(loop_.body.results, Operand(result)) > 0;
  };
  return std::holds_alternative<If>(choice.operation) &&
         !std::ranges::all_of(choice.results, is_scalar) &&
         std::ranges::all_of(choice.results,
                             [&](ValueId result) { return is_scalar(result) || is_state(result); });
}

bool CarriedStates::belongs_into_soac(const Body& body, bool is_round) const {
  const auto has_scalars_only = [&](const Statement& statement) {
    return std::ranges::all_of(statement.results,
                               [&](ValueId result) { return function_.type(result).is_scalar(); });
  };
  return std::ranges::all_of(body.statements, [&](const Statement& statement) {
    const OperationRow& row = row_of(statement.operation);
    if (row.has(laws::Scalar) || row.has(laws::View) ||
        std::holds_alternative<Check>(statement.operation))
      return true;
    if (is_round && row.has(laws::Overwrites)) return true; // a state's, or nothing comes of it
    const bool is_round_of_some = is_round && changes_states(statement);
    bool is_meant = is_round_of_some;
    if (const auto* soac = std::get_if<Soac>(&statement.operation))
      is_meant = std::ranges::all_of(soac->groups, [](const Group& group) {
        return std::holds_alternative<MapGroup>(group) ||
               std::holds_alternative<ReduceGroup>(group);
      });
    else if (!is_meant)
      is_meant =
          has_scalars_only(statement) && (std::holds_alternative<If>(statement.operation) ||
                                          std::holds_alternative<For>(statement.operation) ||
                                          std::holds_alternative<While>(statement.operation));
    for_each_body(statement.operation, [&](const Body& inner) {
      is_meant = is_meant && belongs_into_soac(inner, is_round_of_some);
    });
    return is_meant;
  });
}

} // namespace sinter::jit
