#include "jit/passes/joined_elements.h"

#include "jit/ir/walk.h"
#include "jit/passes/read_places.h"
#include "jit/passes/rewrite.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::jit {

using namespace ir;
using primitives::Operation;

namespace {

/// Parts that are chosen among, and choices of all the places that read the array.
constexpr std::size_t most_parts = 4, most_choices = 8;

/// What a joined array is made of.
struct JoinedPart {
  ValueId array{};                    ///< unless it is an element
  std::optional<Operand> element{};   ///< a scalar, or a row
  std::optional<ir::Index> read_as{}; ///< where that stands, if it is an array's
};

class JoinRewriter {
public:
  explicit JoinRewriter(Function& function)
      : function_(function), aliases_(function), places_(read_places(function)) {}

  std::unordered_set<std::uint32_t> run() && {
    body(function_.body);
    return std::move(written_);
  }

private:
  void body(Body& body) {
    std::vector<Statement> before = std::move(body.statements);
    body.statements.clear();
    for (Statement& statement : before) {
      for_each_body(statement.operation, [&](Body& inner) { this->body(inner); });
      if (const auto* literal = std::get_if<ArrayLiteral>(&statement.operation))
        literals_.emplace(statement.results[0].index, *literal);
      else if (const auto* index = std::get_if<ir::Index>(&statement.operation))
        reads_.emplace(statement.results[0].index, *index);
      const auto* concat = std::get_if<Concat>(&statement.operation);
      const auto parts = concat ? parts_of(*concat, statement.results[0])
                                : std::optional<std::vector<JoinedPart>>{};
      if (parts)
        write(*parts, statement, body.statements);
      else
        body.statements.push_back(std::move(statement));
    }
  }

  /// Nothing if the array is better made.
  std::optional<std::vector<JoinedPart>> parts_of(const Concat& concat, ValueId result) const {
    const auto found = places_.find(result.index);
    if (found == places_.end() || concat.arrays.size() > most_parts || may_change(result))
      return std::nullopt;
    const ReadPlaces& places = found->second;
    if (places.count == 0 || !places.is_only_read || !places.is_read_once) return std::nullopt;
    std::vector<JoinedPart> parts;
    for (const ValueId array : concat.arrays) {
      if (may_change(array)) return std::nullopt;
      const auto literal = literals_.find(array.index);
      if (literal == literals_.end()) {
        parts.push_back({array});
        continue;
      }
      for (const Operand& element : literal->second.elements) {
        if (element.is_value() && may_change(element.value())) return std::nullopt;
        parts.push_back({{}, element, read_of(element)});
      }
    }
    if (parts.size() > most_parts || (parts.size() - 1) * places.count > most_choices)
      return std::nullopt;
    return parts;
  }

  bool may_change(ValueId value) const {
    return !function_.type(value).is_scalar() && aliases_.is_consumed(value);
  }

  /// So that who reads an element of an array need not be given that.
  std::optional<ir::Index> read_of(const Operand& element) const {
    if (element.is_constant()) return std::nullopt;
    const auto read = reads_.find(element.value().index);
    if (read == reads_.end() || may_change(read->second.array)) return std::nullopt;
    return read->second;
  }

  void write(const std::vector<JoinedPart>& parts, const Statement& joined,
             std::vector<Statement>& out) {
    StatementWriter writer(function_, joined.span);
    const Type type = function_.type(joined.results[0]);
    writer.tabulate(type.extents, out,
                    [&](const std::vector<ValueId>& indices, std::vector<Statement>& inside) {
                      return choose(parts, {indices.begin(), indices.end()}, writer, inside);
                    });
    out.back().results = joined.results;
    written_.insert(joined.results[0].index);
  }

  Operand choose(std::span<const JoinedPart> parts, std::vector<Operand> indices,
                 StatementWriter& writer, std::vector<Statement>& out) {
    const JoinedPart& first = parts[0];
    if (parts.size() == 1) return read(first, std::move(indices), writer, out);
    const Operand size = first.element ? Operand::i64(1) : function_.type(first.array).extents[0];
    const Operand is_first = writer.scalar(Operation::Less, indices[0], size, out);
    If choice{is_first, {}, {}};
    choice.then_body.results = {read(first, indices, writer, choice.then_body.statements)};
    std::vector<Statement>& rest = choice.else_body.statements;
    indices[0] = writer.scalar(Operation::Subtract, indices[0], size, rest);
    choice.else_body.results = {choose(parts.subspan(1), std::move(indices), writer, rest)};
    const ValueId element = writer.value(function_.type(choice.else_body.results[0]));
    out.push_back({{element}, std::move(choice), writer.span()});
    return element;
  }

  Operand read(const JoinedPart& part, std::vector<Operand> indices, StatementWriter& writer,
               std::vector<Statement>& out) {
    if (!part.element) return writer.element(part.array, std::move(indices), out);
    if (indices.size() == 1 && !part.read_as) return *part.element;
    ir::Index whole = part.read_as ? *part.read_as : ir::Index{part.element->value(), {}};
    whole.indices.insert(whole.indices.end(), indices.begin() + 1, indices.end());
    return writer.element(whole.array, std::move(whole.indices), out);
  }

  Function& function_;
  AliasClasses aliases_;
  std::unordered_map<std::uint32_t, ReadPlaces> places_;
  std::unordered_map<std::uint32_t, ArrayLiteral> literals_; ///< by value
  std::unordered_map<std::uint32_t, ir::Index> reads_;       ///< by value
  std::unordered_set<std::uint32_t> written_;
};

} // namespace

std::unordered_set<std::uint32_t> choose_joined_elements(Function& function) {
  return JoinRewriter(function).run();
}

} // namespace sinter::jit
