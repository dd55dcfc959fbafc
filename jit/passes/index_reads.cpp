#include "jit/passes/index_reads.h"

#include "jit/ir/groups.h"
#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/rewrite.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

class Reader {
public:
  Reader(Function& function, const std::function<bool(ValueId)>& is_meant)
      : function_(function), is_meant_(is_meant) {}

  void body(Body& body) {
    for (Statement& statement : body.statements) {
      if (is_strided_view(statement.operation))
        note_view(statement.results[0], source_array(statement.operation));
      if (auto* soac = std::get_if<Soac>(&statement.operation)) rewrite(*soac, statement.span);
      for_each_body(statement.operation, [&](Body& inner) { this->body(inner); });
    }
  }

private:
  bool is_view(ValueId array) const { return is_meant_(array) || views_.contains(array.index); }
  void note_view(ValueId result, ValueId of) {
    if (!function_.type(result).is_scalar() && is_view(of)) views_.insert(result.index);
  }

  void rewrite(Soac& soac, Span span) const {
    std::vector<Statement> reads;
    for (std::size_t i = soac.inputs.size(); i-- > 0;) {
      if (!is_view(soac.inputs[i])) continue;
      const auto at = static_cast<std::ptrdiff_t>(i);
      reads.push_back({{soac.body.parameters[i + 1]},
                       ir::Index{soac.inputs[i], {soac.body.parameters[0]}},
                       span});
      soac.inputs.erase(soac.inputs.begin() + at);
      soac.body.parameters.erase(soac.body.parameters.begin() + at + 1);
    }
    soac.body.statements.insert(soac.body.statements.begin(),
                                std::make_move_iterator(reads.begin()),
                                std::make_move_iterator(reads.end()));
  }

  Function& function_;
  const std::function<bool(ValueId)>& is_meant_;
  std::unordered_set<std::uint32_t> views_;
};

/// Whether it reads elements (or rows) at that index.
bool is_element_at(const Statement& statement, ValueId array, ValueId index) {
  const auto* read = std::get_if<ir::Index>(&statement.operation);
  return read && read->array == array && read->indices[0] == Operand(index);
}

class InputTaker {
public:
  explicit InputTaker(Function& function) : function_(function) {}

  void body(Body& body) {
    std::vector<ValueId> made;
    for (Statement& statement : body.statements) {
      if (auto* soac = std::get_if<Soac>(&statement.operation)) {
        for (ValueId array : made)
          take(*soac, array);
        for_each_group(*soac, [&](const Group& group, std::size_t, std::size_t result) {
          if (std::holds_alternative<MapGroup>(group)) made.push_back(statement.results[result]);
        });
      }
      for_each_body(statement.operation, [&](Body& inner) { this->body(inner); });
    }
  }

private:
  void take(Soac& soac, ValueId array) {
    const std::vector<Operand> extents = function_.type(array).extents;
    const ValueId index = soac.body.parameters[0];
    if (extents[0] != soac.extent || !is_used_in(soac.body, array) ||
        !is_only_read_at(soac.body, array, index))
      return;
    const auto input = std::ranges::find(soac.inputs, array);
    ValueId element;
    if (input != soac.inputs.end()) {
      element = soac.body.parameters[static_cast<std::size_t>(input - soac.inputs.begin()) + 1];
    } else {
      element = function_.add_value(
          {function_.type(array).element, {extents.begin() + 1, extents.end()}});
      soac.inputs.push_back(array);
      soac.body.parameters.push_back(element);
    }
    Substitution elements;
    replace(soac.body, array, index, element, elements);
    elements.apply(function_, soac.body);
  }

  bool is_used_in(const Body& body, ValueId array) const {
    return std::ranges::any_of(body.statements, [&](const Statement& statement) {
      bool is_used = false;
      for_each_operand(statement.operation, [&](const Operand& operand) {
        is_used = is_used || operand == Operand(array);
      });
      for_each_body(statement.operation,
                    [&](const Body& inner) { is_used = is_used || is_used_in(inner, array); });
      return is_used;
    });
  }

  static void replace(Body& body, ValueId array, ValueId index, ValueId element,
                      Substitution& elements) {
    for (Statement& statement : body.statements) {
      if (is_element_at(statement, array, index)) {
        auto& read = std::get<ir::Index>(statement.operation);
        read.array = element;
        read.indices.erase(read.indices.begin());
        if (read.indices.empty()) elements.set(statement.results[0], element);
      }
      for_each_body(statement.operation,
                    [&](Body& inner) { replace(inner, array, index, element, elements); });
    }
    std::erase_if(body.statements, [](const Statement& statement) {
      const auto* read = std::get_if<ir::Index>(&statement.operation);
      return read && read->indices.empty();
    });
  }

  Function& function_;
};

} // namespace

bool is_only_read_at(const Body& body, ValueId array, ValueId index) {
  for (const Statement& statement : body.statements) {
    if (is_element_at(statement, array, index)) continue;
    bool is_fine = true;
    for_each_operand(statement.operation, [&](const Operand& operand) {
      is_fine = is_fine && operand != Operand(array);
    });
    for_each_body(statement.operation, [&](const Body& inner) {
      is_fine = is_fine && is_only_read_at(inner, array, index);
    });
    if (!is_fine) return false;
  }
  return std::ranges::find(body.results, Operand(array)) == body.results.end();
}

void take_own_elements(Function& function) {
  InputTaker(function).body(function.body);
}

void read_by_index(Function& function, const std::function<bool(ValueId)>& is_meant) {
  Reader(function, is_meant).body(function.body);
}

} // namespace sinter::jit
