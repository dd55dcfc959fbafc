#include "jit/passes/row_operators.h"

#include "jit/ir/groups.h"
#include "jit/ir/operations.h"
#include "jit/ir/walk.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;

namespace {

using Statements = std::vector<Statement>;
using Operands = std::vector<Operand>;

/// Elements of a row.
constexpr std::int64_t longest = 16;
/// Of that many, if it is a power of two, a register holds whole rows.
constexpr std::size_t least_in_registers = 4;
/// Statements of an operator when it is written out.
constexpr std::size_t most_statements = 64;

std::optional<std::size_t> short_extent(const Operand& extent) {
  if (!extent.is_constant()) return std::nullopt;
  const auto count = extent.scalar().as<std::int64_t>();
  if (count < 1 || count > longest) return std::nullopt;
  return static_cast<std::size_t>(count);
}

/// How many elements a short row has; nothing for all other types.
std::optional<std::size_t> row_length(const Type& type) {
  if (type.rank() != 1) return std::nullopt;
  return short_extent(type.extents[0]);
}

/// An operator on elements, of one on rows.
class ElementOperator {
public:
  ElementOperator(Function& function, Span span) : function_(function), writer_(function, span) {}

  /// Nothing if something of it stays an array.
  std::optional<Body> of(const Body& combine) {
    const Body whole = clone(function_, combine);
    for (ValueId parameter : whole.parameters)
      add_parameter(parameter);
    for (const Statement& statement : whole.statements)
      if (!add(statement) || out_.statements.size() > most_statements) return std::nullopt;
    for (const Operand& result : whole.results) {
      const Operands* const row = row_of(result);
      if (row)
        out_.results.insert(out_.results.end(), row->begin(), row->end());
      else if (function_.type(result).is_scalar())
        out_.results.push_back(resolved(result));
      else
        return std::nullopt;
    }
    return std::move(out_);
  }

private:
  void add_parameter(ValueId parameter) {
    const Type type = function_.type(parameter);
    const std::optional<std::size_t> length = row_length(type);
    if (!length) {
      out_.parameters.push_back(parameter);
      return;
    }
    Operands& row = rows_[parameter];
    for (std::size_t i = 0; i < *length; ++i) {
      out_.parameters.push_back(writer_.value({type.element, {}}));
      row.emplace_back(out_.parameters.back());
    }
  }

  bool add(const Statement& original) {
    Statement statement = original;
    replace_uses(function_, statement, known_);
    if (const auto* soac = std::get_if<Soac>(&statement.operation)) return add(statement, *soac);
    if (const auto* index = std::get_if<Index>(&statement.operation))
      if (const std::optional<Operand> element = element_of(*index)) {
        known_.emplace_back(statement.results[0], *element);
        return true;
      }
    if (const auto* literal = std::get_if<ArrayLiteral>(&statement.operation)) {
      if (row_length(function_.type(statement.results[0])) != literal->elements.size())
        return false;
      rows_[statement.results[0]] = literal->elements;
      return true;
    }
    const bool is_of_scalars = std::ranges::all_of(
        statement.results, [&](ValueId result) { return function_.type(result).is_scalar(); });
    if (!is_of_scalars || uses_rows(statement)) return false;
    out_.statements.push_back(std::move(statement));
    return true;
  }

  /// A map over a row, element by element.
  bool add(const Statement& statement, const Soac& soac) {
    const std::optional<std::size_t> extent = short_extent(soac.extent);
    const bool gives_rows = extent && has_only<MapGroup>(soac) &&
                            std::ranges::all_of(soac.body.results, [&](const Operand& each) {
                              return function_.type(each).is_scalar();
                            });
    if (!gives_rows) return false;
    for (std::size_t i = 0; i < *extent; ++i) {
      const Operand position = Operand::i64(static_cast<std::int64_t>(i));
      std::vector<Replacement> replacements{{soac.body.parameters[0], position}};
      for (std::size_t input = 0; input < soac.inputs.size(); ++input) {
        const ValueId parameter = soac.body.parameters[input + 1];
        if (!function_.type(parameter).is_scalar()) return false;
        const Operands* const row = row_of(soac.inputs[input]);
        if (!row) return false;
        replacements.emplace_back(parameter, (*row)[i]);
      }
      Body body = soac.body;
      body.parameters.clear(); // what stands for them is known
      body = clone(function_, body, std::move(replacements));
      for (const Statement& inner : body.statements)
        if (!add(inner)) return false;
      for (std::size_t result = 0; result < statement.results.size(); ++result)
        rows_[statement.results[result]].push_back(resolved(body.results[result]));
    }
    return true;
  }

  std::optional<Operand> element_of(const Index& index) {
    const Operands* const row = row_of(index.array);
    if (!row || !index.indices[0].is_constant()) return std::nullopt;
    const auto at = index.indices[0].scalar().as<std::int64_t>();
    if (at < 0 || at >= static_cast<std::int64_t>(row->size())) return std::nullopt;
    return resolved((*row)[static_cast<std::size_t>(at)]);
  }

  const Operands* row_of(const Operand& operand) const {
    const auto found = operand.is_value() ? rows_.find(operand.value()) : rows_.end();
    return found == rows_.end() ? nullptr : &found->second;
  }
  bool uses_rows(const Statement& statement) const {
    return std::ranges::any_of(free_values(function_, statement),
                               [&](ValueId used) { return rows_.contains(used); });
  }
  Operand resolved(Operand operand) const {
    for (;;) {
      const auto known = operand.is_value()
                             ? std::ranges::find(known_, operand.value(), &Replacement::first)
                             : known_.end();
      if (known == known_.end()) return operand;
      operand = known->second;
    }
  }

  Function& function_;
  StatementWriter writer_;
  Body out_;
  std::map<ValueId, Operands> rows_; ///< their elements
  std::vector<Replacement> known_;   ///< elements that were read
};

class Writer {
public:
  explicit Writer(Function& function) : function_(function) {}

  void body(Body& body) {
    Statements out;
    for (Statement& statement : body.statements) {
      for_each_body(statement.operation, [&](Body& inner) { this->body(inner); });
      if (!std::holds_alternative<Soac>(statement.operation)) {
        out.push_back(std::move(statement));
        continue;
      }
      made_.insert(statement.results.begin(), statement.results.end());
      if (has_rows(statement))
        write(std::move(statement), out);
      else
        out.push_back(std::move(statement));
    }
    body.statements = std::move(out);
  }

private:
  /// Whether something is folded that is a short row.
  bool has_rows(const Statement& statement) const {
    bool result = false;
    for_each_group(std::get<Soac>(statement.operation),
                   [&](const Group& group, std::size_t, std::size_t) {
                     const Operands* const neutral = neutral_of(group);
                     result = result || (neutral && std::ranges::any_of(*neutral, [&](auto& each) {
                                           return row_length(function_.type(each)).has_value();
                                         }));
                   });
    return result;
  }
  static const Operands* neutral_of(const Group& group) {
    if (const auto* reduce = std::get_if<ReduceGroup>(&group)) return &reduce->neutral;
    if (const auto* scan = std::get_if<ScanGroup>(&group); scan && scan->post.empty())
      return &scan->neutral;
    return nullptr;
  }

  void write(Statement statement, Statements& out) {
    auto& soac = std::get<Soac>(statement.operation);
    Statement changed{{}, Soac{soac.extent, soac.inputs, std::move(soac.body), {}}, statement.span};
    auto& to = std::get<Soac>(changed.operation);
    const Operands body_results = std::move(to.body.results);
    to.body.results.clear();
    Statements after;
    std::size_t from = 0, at = 0;
    for (Group& group : soac.groups) {
      const GroupArity size = arity(group);
      const auto folded = std::span(body_results).subspan(from, size.body_results);
      const auto results = std::span(statement.results).subspan(at, size.results);
      if (!(write<ReduceGroup>(group, folded, results, changed, out, after) ||
            write<ScanGroup>(group, folded, results, changed, out, after))) {
        to.body.results.insert(to.body.results.end(), folded.begin(), folded.end());
        changed.results.insert(changed.results.end(), results.begin(), results.end());
        to.groups.push_back(std::move(group));
      }
      from += size.body_results;
      at += size.results;
    }
    out.push_back(std::move(changed));
    std::ranges::move(after, std::back_inserter(out));
  }

  template <typename Kind>
  bool write(const Group& group, std::span<const Operand> folded, std::span<const ValueId> results,
             Statement& changed, Statements& before, Statements& after) {
    const auto* const whole = std::get_if<Kind>(&group);
    if (!whole || !neutral_of(group)) return false;
    const auto length = [&](std::size_t i) {
      return row_length(function_.type(whole->neutral[i]));
    };
    const std::size_t count = whole->neutral.size();
    std::size_t rows = 0;
    for (std::size_t i = 0; i < count; ++i)
      if (length(i))
        ++rows;
      else if (!function_.type(whole->neutral[i]).is_scalar())
        return false;
    if (rows == 0) return false;
    assert(!before_of(group)); // that is of scalars
    for (std::size_t i = 0; i < count; ++i)
      if (length(i) && lies_well(changed, folded[i], *length(i))) return false;
    std::optional<Body> combine = ElementOperator(function_, changed.span).of(whole->combine);
    if (!combine) return false;

    StatementWriter writer(function_, changed.span);
    auto& soac = std::get<Soac>(changed.operation);
    Kind elements = *whole;
    elements.neutral.clear();
    elements.combine = *std::move(combine);
    for (std::size_t i = 0; i < count; ++i) {
      const std::optional<std::size_t> extent = length(i);
      if (!extent) {
        elements.neutral.push_back(whole->neutral[i]);
        soac.body.results.push_back(folded[i]);
        changed.results.push_back(results[i]);
        continue;
      }
      std::vector<ValueId> parts;
      for (std::size_t j = 0; j < *extent; ++j) {
        const Operands position{Operand::i64(static_cast<std::int64_t>(j))};
        elements.neutral.push_back(writer.element(whole->neutral[i].value(), position, before));
        soac.body.results.push_back(
            writer.element(folded[i].value(), position, soac.body.statements));
        Type type = function_.type(results[i]);
        type.extents.pop_back();
        parts.push_back(writer.value(std::move(type)));
      }
      changed.results.insert(changed.results.end(), parts.begin(), parts.end());
      after.push_back({{results[i]}, whole_of(parts, soac.extent, Kind{}), changed.span});
    }
    soac.groups.push_back(std::move(elements));
    return true;
  }

  /// Whether the rows lie in memory so that registers hold whole ones: lanes that take one element
  /// of each would lose.
  bool lies_well(const Statement& statement, const Operand& row, std::size_t length) const {
    if (!std::has_single_bit(length) || length < least_in_registers || !row.is_value())
      return false;
    const auto& soac = std::get<Soac>(statement.operation);
    const auto& parameters = soac.body.parameters;
    const auto found = std::ranges::find(parameters, row.value());
    if (found == parameters.end()) return false;
    const auto input = static_cast<std::size_t>(found - parameters.begin()) - 1;
    return !made_.contains(soac.inputs[input]);
  }

  /// The row of such elements.
  static ir::Operation whole_of(const std::vector<ValueId>& parts, const Operand&,
                                const ReduceGroup&) {
    return ArrayLiteral{{parts.begin(), parts.end()}};
  }
  /// The rows that have such columns.
  ir::Operation whole_of(const std::vector<ValueId>& parts, const Operand& extent,
                         const ScanGroup&) {
    Soac soac{extent, parts, {}, {MapGroup{}}};
    soac.body.parameters.push_back(function_.add_value({ElementType::I64, {}}));
    ArrayLiteral row;
    for (ValueId part : parts) {
      soac.body.parameters.push_back(function_.add_value({function_.type(part).element, {}}));
      row.elements.emplace_back(soac.body.parameters.back());
    }
    const ValueId result =
        function_.add_value({function_.type(parts[0]).element,
                             {Operand::i64(static_cast<std::int64_t>(parts.size()))}});
    soac.body.statements.push_back({{result}, std::move(row), {}});
    soac.body.results.emplace_back(result);
    return soac;
  }

  Function& function_;
  std::set<ValueId> made_; ///< by SOACs, with which a fold of their rows will be one
};

} // namespace

void write_row_operators(Function& function) {
  Writer(function).body(function.body);
}

} // namespace sinter::jit
