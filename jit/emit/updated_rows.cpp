#include "jit/emit/updated_rows.h"

#include "jit/ir/consumption.h"
#include "jit/ir/operations.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <optional>
#include <span>

namespace sinter::jit {

namespace {

using ir::Operand;

bool has_updates_of_rows(const ir::Function& function, const ir::Body& body) {
  return std::ranges::any_of(body.statements, [&](const ir::Statement& statement) {
    const auto* update = std::get_if<ir::Update>(&statement.operation);
    bool result = update && !function.type(update->value).is_scalar();
    ir::for_each_body(statement.operation, [&](const ir::Body& inner) {
      result = result || has_updates_of_rows(function, inner);
    });
    return result;
  });
}

class RowFinder {
public:
  explicit RowFinder(const ir::Function& function)
      : function_(function), uses_(ir::count_uses(function)), roots_(function) {
    look_at(function.body);
  }
  std::unordered_map<std::uint32_t, RowOfUpdate> take() { return std::move(rows_); }

private:
  void look_at(const ir::Body& body) {
    for (std::size_t at = 0; at < body.statements.size(); ++at) {
      const ir::Statement& statement = body.statements[at];
      ir::for_each_body(statement.operation, [&](const ir::Body& inner) { look_at(inner); });
      const auto* update = std::get_if<ir::Update>(&statement.operation);
      if (update && update->value.is_value() && function_.type(update->value).rank() == 1 &&
          uses_[update->value.value().index] == 1 && may_be_made_there(body, at, *update))
        rows_.emplace(update->value.value().index,
                      RowOfUpdate{update, uses_[update->array.index] > 1});
    }
  }
  bool may_be_made_there(const ir::Body& body, std::size_t end, const ir::Update& update) const {
    const auto statements = std::span(body.statements).first(end);
    const auto maker = std::ranges::find_if(statements, [&](const ir::Statement& statement) {
      return defines(statement, update.value);
    });
    if (maker == statements.end()) return false;
    const auto* soac = std::get_if<ir::Soac>(&maker->operation);
    if (!soac || !ir::has_only<ir::MapGroup>(*soac)) return false;
    for (auto each = maker; each != statements.end(); ++each) {
      // What is needed for the place must be there before.
      if (defines(*each, update.array) ||
          std::ranges::any_of(update.indices,
                              [&](const Operand& index) { return defines(*each, index); }))
        return false;
      if (each != maker && reads(ir::free_values(function_, *each), update.array)) return false;
    }
    return reads_own_elements(body, *soac, update);
  }
  static bool defines(const ir::Statement& statement, const Operand& operand) {
    return operand.is_value() && std::ranges::count(statement.results, operand.value()) > 0;
  }
  bool reads(std::span<const ir::ValueId> values, ir::ValueId array) const {
    return std::ranges::any_of(values,
                               [&](ir::ValueId value) { return roots_.may_overlap(value, array); });
  }
  /// Whether the SOAC reads the array by inputs alone that are rows of it, as the update's.
  bool reads_own_elements(const ir::Body& body, const ir::Soac& soac,
                          const ir::Update& update) const {
    if (reads(ir::free_values(function_, soac.body), update.array)) return false;
    return std::ranges::all_of(soac.inputs, [&](ir::ValueId input) {
      if (!roots_.may_overlap(input, update.array)) return true;
      const auto row = std::ranges::find_if(body.statements, [&](const ir::Statement& statement) {
        return defines(statement, input);
      });
      if (row == body.statements.end()) return false;
      const auto* index = std::get_if<ir::Index>(&row->operation);
      return index && index->array == update.array &&
             index->indices.size() == update.indices.size();
    });
  }

  const ir::Function& function_;
  std::vector<std::uint32_t> uses_; ///< of each value
  ir::Roots roots_;
  std::unordered_map<std::uint32_t, RowOfUpdate> rows_;
};

class FillFinder {
public:
  explicit FillFinder(const ir::Function& function)
      : function_(function), uses_(ir::count_uses(function)), is_filled_(function.values.size()) {
    look_at(function.body);
  }
  std::vector<bool> take() { return std::move(is_filled_); }

private:
  void look_at(const ir::Body& body) {
    for (const ir::Statement& statement : body.statements) {
      ir::for_each_body(statement.operation, [&](const ir::Body& inner) { look_at(inner); });
      const auto* loop = std::get_if<ir::For>(&statement.operation);
      for (std::size_t state = 0; loop && state < loop->initial.size(); ++state) {
        const Operand& initial = loop->initial[state];
        if (initial.is_value() && is_made_in(body, initial.value()) &&
            uses_[initial.value().index] == 1 && fills(*loop, state, function_.type(initial), {}))
          is_filled_[initial.value().index] = true;
      }
    }
  }
  static bool is_made_in(const ir::Body& body, ir::ValueId value) {
    return std::ranges::any_of(body.statements, [&](const ir::Statement& statement) {
      return std::holds_alternative<ir::Soac>(statement.operation) &&
             std::ranges::count(statement.results, value) > 0;
    });
  }
  /// Whether rounds write all elements of the array `type` that have these first indices, and read
  /// none.
  bool fills(const ir::For& loop, std::size_t state, const ir::Type& type,
             std::vector<Operand> indices) const {
    if (loop.index_type != ElementType::I64 || indices.size() >= type.rank() ||
        loop.bound != type.extents[indices.size()])
      return false;
    indices.emplace_back(loop.body.parameters[0]);
    const ir::ValueId array = loop.body.parameters[state + 1];
    if (uses_[array.index] != 1) return false;
    for (const ir::Statement& statement : loop.body.statements) {
      const auto is_next = [&](std::size_t result) {
        return loop.body.results[state] == Operand(statement.results[result]);
      };
      if (const auto* update = std::get_if<ir::Update>(&statement.operation)) {
        if (update->array == array) return is_next(0) && update->indices == indices;
      } else if (const auto* inner = std::get_if<ir::For>(&statement.operation)) {
        for (std::size_t i = 0; i < inner->initial.size(); ++i)
          if (inner->initial[i] == Operand(array))
            return is_next(i) && fills(*inner, i, type, indices);
      }
    }
    return false;
  }

  const ir::Function& function_;
  std::vector<std::uint32_t> uses_; ///< of each value
  std::vector<bool> is_filled_;
};

} // namespace

std::unordered_map<std::uint32_t, RowOfUpdate> rows_of_updates(const ir::Function& function) {
  if (!has_updates_of_rows(function, function.body)) return {};
  return RowFinder(function).take();
}

std::vector<bool> filled_by_loops(const ir::Function& function) {
  return FillFinder(function).take();
}

} // namespace sinter::jit
