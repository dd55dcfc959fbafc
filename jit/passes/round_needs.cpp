#include "jit/passes/round_needs.h"

#include "jit/ir/walk.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

std::optional<BranchOfRound> branch_of(const StateChange& change) {
  return std::visit(
      [](const auto& each) -> std::optional<BranchOfRound> {
        if constexpr (requires { each.branch; }) return each.branch;
        return std::nullopt;
      },
      change);
}

const std::vector<Operand>& indices_of(const Statement& update) {
  return std::get<Update>(update.operation).indices;
}

std::vector<Operand> needs(const StateChange& change) {
  std::vector<Operand> result;
  if (const auto* fold = std::get_if<FoldChange>(&change)) {
    if (fold->guard) result.push_back(fold->guard->condition);
    result.insert(result.end(), fold->terms.begin(), fold->terms.end());
  } else if (const auto* own = std::get_if<OwnChange>(&change)) {
    result = {written_by(*own->update)};
  } else if (const auto* window = std::get_if<WindowChange>(&change)) {
    for (const Statement* update : window->by_place)
      if (update) result.push_back(written_by(*update));
  } else if (const auto* scatter = std::get_if<ScatterChange>(&change)) {
    result = indices_of(*scatter->update);
    result.push_back(written_by(*scatter->update));
  } else {
    const auto& bin = std::get<BinChange>(change);
    result = indices_of(*bin.update);
    result.insert(result.end(), bin.terms.begin(), bin.terms.end());
  }
  return result;
}

/// As many values, which change nothing.
std::vector<Operand> no_change(const Function& function, const StateChange& change) {
  std::vector<Operand> result;
  if (const auto* scatter = std::get_if<ScatterChange>(&change)) {
    result.assign(indices_of(*scatter->update).size(), Operand::i64(-1));
    const Type written = function.type(written_by(*scatter->update));
    result.push_back(Operand::constant(written.element, {}));
  } else if (const auto* bin = std::get_if<BinChange>(&change)) {
    result.assign(indices_of(*bin->update).size(), Operand::i64(-1));
    result.resize(result.size() + bin->terms.size(),
                  Operand::constant(bin->primitive->result, bin->neutral));
  } else {
    const auto& fold = std::get<FoldChange>(change);
    result.assign(fold.terms.size(), Operand::constant(fold.primitive->result, fold.neutral));
  }
  return result;
}

class RoundWriter {
public:
  RoundWriter(Function& function, const For& loop, std::span<const StateChange> changes)
      : function_(function), loop_(loop), changes_(changes), needed_(changes.size()) {}

  Body write() {
    Body round;
    round.parameters = loop_.body.parameters;
    for (const Statement& each : loop_.body.statements) {
      if (is_replaced(each)) continue;
      const bool is_choice = std::ranges::any_of(
          changes_, [&](const StateChange& change) { return is_changed_in(each, change); });
      round.statements.push_back(is_choice ? choice_of_needs(each) : each);
    }
    for (std::size_t state = 0; state < changes_.size(); ++state) {
      if (!branch_of(changes_[state])) needed_[state] = needs(changes_[state]);
      round.results.insert(round.results.end(), needed_[state].begin(), needed_[state].end());
    }
    for (std::size_t state = 0; state < changes_.size(); ++state)
      if (const auto* window = std::get_if<WindowChange>(&changes_[state]))
        forward(*window, loop_.body.parameters[state + 1], round);
    return round;
  }

private:
  bool is_replaced(const Statement& statement) const {
    return std::ranges::any_of(changes_, [&](const StateChange& change) {
      return std::visit(
          [&](const auto& each) {
            bool is = false;
            if constexpr (requires { each.update; }) is = each.update == &statement;
            if constexpr (requires { each.updates; })
              is = std::ranges::count(each.updates, &statement) > 0;
            if constexpr (requires { each.replaced; })
              is = is || std::ranges::count(each.replaced, &statement) > 0;
            return is;
          },
          change);
    });
  }
  /// What reads what the round has written has that; what it reads else has been there before.
  void forward(const WindowChange& window, ValueId state, Body& round) {
    std::vector<Replacement> now;
    for (const Statement* update : window.updates)
      now.emplace_back(update->results[0], state);
    for (const WindowChange::Forward& each : window.forwards) {
      std::erase_if(round.statements,
                    [&](const Statement& read) { return read.results == each.read->results; });
      // (A round may write what it has read.)
      Operand value = each.value;
      for (const auto& [read, given] : forwarded_)
        if (value == Operand(read)) value = given;
      forwarded_.emplace_back(each.read->results[0], value);
      replace(function_, round, {forwarded_.back()});
    }
    replace(function_, round, now);
  }
  static void replace(Function& function, Body& round, const std::vector<Replacement>& now) {
    replace_uses(function, round, now);
    for (Operand& result : round.results)
      for (const auto& [old, given] : now)
        if (result == Operand(old)) result = given;
  }
  static bool is_changed_in(const Statement& choice, const StateChange& change) {
    const std::optional<BranchOfRound> branch = branch_of(change);
    return branch && branch->choice == &choice;
  }
  Body without_replaced(const Body& body) const {
    Body result;
    std::ranges::copy_if(body.statements, std::back_inserter(result.statements),
                         [&](const Statement& each) { return !is_replaced(each); });
    return result;
  }

  Statement choice_of_needs(const Statement& statement) {
    const If& before = std::get<If>(statement.operation);
    If choice{before.condition, without_replaced(before.then_body),
              without_replaced(before.else_body)};
    std::vector<ValueId> results;
    for (std::size_t i = 0; i < statement.results.size(); ++i) {
      if (is_changed_state(statement, statement.results[i])) continue;
      results.push_back(statement.results[i]);
      choice.then_body.results.push_back(before.then_body.results[i]);
      choice.else_body.results.push_back(before.else_body.results[i]);
    }
    for (std::size_t state = 0; state < changes_.size(); ++state) {
      if (!is_changed_in(statement, changes_[state])) continue;
      const bool truth = branch_of(changes_[state])->truth;
      Body& changing = truth ? choice.then_body : choice.else_body;
      Body& keeping = truth ? choice.else_body : choice.then_body;
      const std::vector<Operand> some = needs(changes_[state]);
      const std::vector<Operand> none = no_change(function_, changes_[state]);
      for (std::size_t i = 0; i < some.size(); ++i) {
        results.push_back(function_.add_value(function_.type(none[i])));
        needed_[state].emplace_back(results.back());
        changing.results.push_back(some[i]);
        keeping.results.push_back(none[i]);
      }
    }
    return {std::move(results), std::move(choice), statement.span};
  }
  bool is_changed_state(const Statement& choice, ValueId result) const {
    for (std::size_t state = 0; state < changes_.size(); ++state)
      if (is_changed_in(choice, changes_[state]) && loop_.body.results[state] == Operand(result))
        return true;
    return false;
  }

  Function& function_;
  const For& loop_;
  std::span<const StateChange> changes_;
  std::vector<std::vector<Operand>> needed_; ///< by change
  std::vector<Replacement> forwarded_;       ///< reads of what the round has written
};

} // namespace

Operand written_by(const Statement& update) {
  if (const auto* element = std::get_if<Update>(&update.operation)) return element->value;
  return std::get<UpdateSlice>(update.operation).value;
}

Body round_of_needs(Function& function, const For& loop, std::span<const StateChange> changes) {
  return RoundWriter(function, loop, changes).write();
}

} // namespace sinter::jit
