#include "jit/passes/word_tables.h"

#include "jit/ir/operator_order.h"
#include "jit/ir/walk.h"
#include "jit/passes/statement_writer.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::jit {

using namespace ir;
using ScalarOperation = primitives::Operation;

namespace {

constexpr unsigned bits_of_row = 4;
constexpr std::int64_t row_length = std::int64_t{1} << bits_of_row;
/// Fewer are quickly combined as they stand.
constexpr std::size_t fewest_bits = 8;
/// Of fewer elements the tables take longer than they do.
constexpr std::int64_t fewest_elements = 64;

/// One bit of a number.
struct Bit {
  Operand number;
  unsigned place = 0;
  const primitives::Primitive* shift = nullptr; ///< what moves it; null: none does, it is the last
};

/// What a bit chooses, else the neutral element: an element of an array outside.
struct Choice {
  Operand constant;             ///< if there are no indices
  ValueId array;                ///< else
  std::vector<Operand> indices; ///< constants, or
  std::vector<bool> is_inner;   ///< by dimension: the index of the map inside
  const Soac* inner = nullptr;  ///< that map; null: there is none
};

/// A combination that may be looked up.
struct Combination {
  const primitives::Primitive* combine = nullptr;
  Scalar neutral;
  Operand number;
  const primitives::Primitive* shift = nullptr;
  /// The number is an exclusive or of these, each moved to the right by so many bits; of itself
  /// alone, if it is no such.
  struct Part {
    Operand number;
    std::int64_t shift = 0;
  };
  std::vector<Part> parts;
  std::map<unsigned, Choice> chosen; ///< by bit
  std::vector<Operand> rest;         ///< what else is combined
  const Soac* inner = nullptr;       ///< the map inside whose index counts
};

/// What the elements of a SOAC define, and how.
class Elements {
public:
  Elements(const Function& function, const Soac& soac) : function_(function), all_(soac) {
    visit(soac);
  }

  bool has(const Operand& operand) const {
    return operand.is_value() && inside_.contains(operand.value().index);
  }
  const Statement* statement(const Operand& operand) const {
    const auto found =
        operand.is_value() ? definitions_.find(operand.value().index) : definitions_.end();
    return found == definitions_.end() ? nullptr : found->second;
  }
  template <typename T>
  const T* definition(const Operand& operand) const {
    const Statement* const found = statement(operand);
    return found ? std::get_if<T>(&found->operation) : nullptr;
  }
  /// The SOAC whose body has that parameter, and which one it is.
  std::pair<const Soac*, std::size_t> parameter(const Operand& operand) const {
    const auto found =
        operand.is_value() ? parameters_.find(operand.value().index) : parameters_.end();
    return found == parameters_.end() ? std::pair<const Soac*, std::size_t>{} : found->second;
  }

  /// The bit that has to be set so that the condition holds.
  std::optional<Bit> bit(const Operand& condition) const {
    const auto* equal = definition<ir::Primitive>(condition);
    if (!equal || equal->primitive->operation != ScalarOperation::Equal ||
        !is_integer(equal->primitive->operand) || !is_number(equal->arguments[1], 1))
      return std::nullopt;
    const auto* masked = definition<ir::Primitive>(equal->arguments[0]);
    if (!masked || masked->primitive->operation != ScalarOperation::And ||
        !is_number(masked->arguments[1], 1) || masked->arguments[0].is_constant())
      return std::nullopt;
    const Operand& number = masked->arguments[0];
    const auto* shifted = definition<ir::Primitive>(number);
    if (!shifted ||
        (shifted->primitive->operation != ScalarOperation::ShiftRight &&
         shifted->primitive->operation != ScalarOperation::ShiftRightLogical) ||
        !shifted->arguments[1].is_constant() || shifted->arguments[0].is_constant())
      return Bit{number, 0, nullptr};
    const auto place = shifted->arguments[1].scalar().as<std::uint64_t>();
    if (place >= 8 * byte_size(shifted->primitive->operand)) return std::nullopt;
    return Bit{shifted->arguments[0], static_cast<unsigned>(place), shifted->primitive};
  }

  /// The value, if it is known before the elements but for the index of one map.
  std::optional<Choice> choice(const Operand& value) const {
    Choice result;
    if (!has(value)) {
      result.constant = value;
      return result;
    }
    const auto* read = definition<Index>(value);
    if (!read || !function_.type(value).is_scalar()) return std::nullopt;
    result.array = read->array;
    const Type* type = &function_.type(read->array);
    if (const auto [soac, place] = parameter(read->array); soac) {
      if (place == 0 || !sets_inner(*soac, result)) return std::nullopt;
      result.array = soac->inputs[place - 1];
      result.indices.push_back(Operand::i64(0));
      result.is_inner.push_back(true);
    }
    if (has(result.array)) return std::nullopt;
    for (std::size_t i = 0; i < read->indices.size(); ++i) {
      const Operand &index = read->indices[i], &extent = type->extents[i];
      if (!extent.is_constant()) return std::nullopt;
      const auto count = extent.scalar().as<std::int64_t>();
      if (!index.is_constant()) {
        const auto [soac, place] = parameter(index);
        if (!soac || place != 0 || !sets_inner(*soac, result) ||
            soac->extent.scalar().as<std::int64_t>() > count)
          return std::nullopt;
      } else if (index.scalar().as<std::int64_t>() < 0 ||
                 index.scalar().as<std::int64_t>() >= count) {
        return std::nullopt;
      }
      result.indices.push_back(index);
      result.is_inner.push_back(!index.is_constant());
    }
    return result;
  }

private:
  void visit(const Soac& soac) {
    for (std::size_t i = 0; &soac != &all_ && i < soac.body.parameters.size(); ++i)
      parameters_[soac.body.parameters[i].index] = {&soac, i};
    for_each_body(soac, [&](const Body& body) { visit(body); });
  }
  void visit(const Body& body) {
    for (const ValueId parameter : body.parameters)
      inside_.insert(parameter.index);
    for (const Statement& statement : body.statements) {
      for (const ValueId result : statement.results) {
        inside_.insert(result.index);
        definitions_[result.index] = &statement;
      }
      if (const auto* soac = std::get_if<Soac>(&statement.operation))
        visit(*soac);
      else
        for_each_body(statement.operation, [&](const Body& inner) { visit(inner); });
    }
  }

  static bool is_number(const Operand& operand, std::int64_t number) {
    return operand.is_constant() && is_integer(operand.element()) &&
           operand.scalar() == Scalar::of(number);
  }
  /// Whether the map is the one whose index counts, or may be.
  static bool sets_inner(const Soac& soac, Choice& choice) {
    if (!soac.extent.is_constant() || (choice.inner && choice.inner != &soac)) return false;
    choice.inner = &soac;
    return true;
  }

  const Function& function_;
  const Soac& all_;
  std::set<std::uint32_t> inside_;
  std::map<std::uint32_t, const Statement*> definitions_;
  std::map<std::uint32_t, std::pair<const Soac*, std::size_t>> parameters_;
};

/// Finds what may be looked up.
class Finder {
public:
  Finder(const Function& function, const Soac& soac, const std::vector<std::uint32_t>& uses)
      : function_(function), elements_(function, soac), uses_(uses) {
    for_each_body(soac, [&](const Body& body) { visit(body); });
  }

  /// By the value that it comes to.
  const std::map<std::uint32_t, Combination>& found() const { return found_; }

private:
  void visit(const Body& body) {
    for (auto at = body.statements.rbegin(); at != body.statements.rend(); ++at) {
      for_each_body(at->operation, [&](const Body& inner) { visit(inner); });
      if (at->results.size() == 1 && !within_.contains(at->results[0].index)) look_at(*at);
    }
  }

  void look_at(const Statement& statement) {
    const Operand result(statement.results[0]);
    Combination all;
    all.combine = combined_by(statement);
    if (!all.combine || byte_size(all.combine->operand) != 4) return;
    const std::optional<Scalar> neutral = neutral_of_any_order(*all.combine);
    if (!neutral || all.combine->operand != all.combine->result) return;
    all.neutral = *neutral;
    std::vector<std::uint32_t> within;
    take_apart(result, all, within, /*is_all=*/true);
    if (all.chosen.size() < fewest_bits) return;
    all.parts = parts_of(all);
    within_.insert(within.begin(), within.end());
    found_.emplace(statement.results[0].index, std::move(all));
  }

  /// (Of a Gray code, high bits of a running index are seen as what they are only so.)
  std::vector<Combination::Part> parts_of(const Combination& all) const {
    const auto* const sum = elements_.definition<ir::Primitive>(all.number);
    std::vector<Combination::Part> alone = {{all.number}};
    if (!all.shift || !all.inner || !sum || sum->primitive->operation != ScalarOperation::Xor)
      return alone;
    const unsigned highest = all.chosen.rbegin()->first;
    const std::int64_t last = highest - highest % bits_of_row;
    std::vector<Combination::Part> parts;
    for (const Operand& argument : sum->arguments) {
      const auto* const shifted = elements_.definition<ir::Primitive>(argument);
      const bool is_moved =
          shifted && shifted->primitive == all.shift && shifted->arguments[1].is_constant();
      const auto bits = static_cast<std::int64_t>(8 * byte_size(all.shift->operand));
      const std::int64_t by = is_moved ? shifted->arguments[1].scalar().as<std::int64_t>() : 0;
      if (by < 0 || last + by >= bits) return alone;
      parts.push_back({is_moved ? shifted->arguments[0] : argument, by});
    }
    return parts;
  }

  /// The operation of the last step of a combination.
  const primitives::Primitive* combined_by(const Statement& statement) const {
    if (const auto* primitive = std::get_if<ir::Primitive>(&statement.operation))
      return primitive->primitive;
    const auto way = branches(statement);
    const auto* step = way ? elements_.definition<ir::Primitive>(way->then_value) : nullptr;
    return step ? step->primitive : nullptr;
  }

  /// A choice of one of two numbers, however it is written.
  std::optional<Select> branches(const Statement& statement) const {
    if (const auto* select = std::get_if<Select>(&statement.operation)) return *select;
    const auto* branch = std::get_if<If>(&statement.operation);
    if (!branch || statement.results.size() != 1 || may_fail(statement.operation))
      return std::nullopt;
    return Select{branch->condition, branch->then_body.results[0], branch->else_body.results[0]};
  }

  void take_apart(const Operand& value, Combination& all, std::vector<std::uint32_t>& within,
                  bool is_all) {
    const Statement* const statement = elements_.statement(value);
    // (What others need, too, is there anyway.)
    constexpr std::uint32_t most_uses = 2;
    if (!statement || (!is_all && uses_[value.value().index] > most_uses))
      return all.rest.push_back(value);
    if (const auto* primitive = std::get_if<ir::Primitive>(&statement->operation);
        primitive && primitive->primitive == all.combine) {
      within.push_back(value.value().index);
      for (const Operand& argument : primitive->arguments)
        take_apart(argument, all, within, false);
      return;
    }
    const std::optional<Select> way = branches(*statement);
    if (!way) return all.rest.push_back(value);
    const Operand neutral = Operand::constant(all.combine->operand, all.neutral);
    if (way->else_value == neutral) {
      if (!choose(way->condition, way->then_value, all)) all.rest.push_back(value);
      return;
    }
    // A step that is made or not.
    const auto* step = elements_.definition<ir::Primitive>(way->then_value);
    if (step && step->primitive == all.combine)
      for (const std::size_t before : {0, 1})
        if (step->arguments[before] == way->else_value &&
            choose(way->condition, step->arguments[1 - before], all)) {
          within.push_back(value.value().index);
          within.push_back(way->then_value.value().index);
          return take_apart(way->else_value, all, within, false);
        }
    all.rest.push_back(value);
  }

  /// Whether the bits of the number at hand, and no others, choose it.
  bool choose(const Operand& condition, const Operand& value, Combination& all) const {
    const std::optional<Bit> bit = elements_.bit(condition);
    const std::optional<Choice> choice = bit ? elements_.choice(value) : std::nullopt;
    if (!choice || (!all.chosen.empty() && all.number != bit->number) ||
        (choice->inner && all.inner && choice->inner != all.inner) ||
        !all.chosen.emplace(bit->place, *choice).second)
      return false;
    all.number = bit->number;
    if (bit->shift) all.shift = bit->shift;
    if (choice->inner) all.inner = choice->inner;
    return true;
  }

  const Function& function_;
  Elements elements_;
  const std::vector<std::uint32_t>& uses_;
  std::set<std::uint32_t> within_; ///< steps of what was found
  std::map<std::uint32_t, Combination> found_;
};

/// Writes tables, and what looks into them.
class TableWriter : StatementWriter {
public:
  TableWriter(Function& function, const Combination& all, Span span)
      : StatementWriter(function, span), all_(all), element_(all.combine->operand),
        rows_(all.chosen.rbegin()->first / bits_of_row + 1) {
    if (all.inner) inner_ = all.inner->body.parameters[0];
  }

  /// In front of all elements.
  void write_table(Statements& out) {
    if (!inner_) {
      table_ = rows({}, out);
      return;
    }
    table_ = map(all_.inner->extent, out, [&](ValueId index, Statements& inside) {
      return std::vector<Operand>{rows(index, inside)};
    })[0];
  }

  /// In the place of the statement that defines the result.
  void look_up(ValueId result, Statements& out) {
    std::vector<Operand> parts;
    const ElementType type = function_.type(all_.number).element;
    for (unsigned at = 0; at < rows_; ++at) {
      const auto first = all_.chosen.lower_bound(at * bits_of_row);
      if (first == all_.chosen.end() || first->first >= (at + 1) * bits_of_row) continue;
      const auto constant = [&](std::int64_t number) {
        return Operand::constant(type, Scalar::of(number));
      };
      const Operand shifted = at == 0 ? all_.number : moved(std::int64_t{at} * bits_of_row, out);
      const Operand digit =
          scalar(row(ScalarOperation::And, type), {shifted, constant(row_length - 1)}, out);
      std::vector<Operand> indices;
      if (inner_) indices.emplace_back(*inner_);
      indices.push_back(Operand::i64(at));
      indices.push_back(
          type == ElementType::I64
              ? digit
              : scalar(*primitives::conversion(type, ElementType::I64), {digit}, out));
      parts.emplace_back(element(table_, std::move(indices), out));
    }
    parts.insert(parts.end(), all_.rest.begin(), all_.rest.end());
    Operand sum = parts[0];
    for (std::size_t i = 1; i + 1 < parts.size(); ++i)
      sum = scalar(*all_.combine, {sum, parts[i]}, out);
    out.push_back({{result}, ir::Primitive{all_.combine, {sum, parts.back()}}, span_});
  }

private:
  Operand neutral() const { return Operand::constant(element_, all_.neutral); }

  /// The number, by so many bits to the right.
  Operand moved(std::int64_t bits, Statements& out) {
    std::optional<Operand> sum;
    for (const auto& [number, shift] : all_.parts) {
      const ElementType type = all_.shift->operand;
      const Operand part =
          scalar(*all_.shift, {number, Operand::constant(type, Scalar::of(bits + shift))}, out);
      sum = sum ? scalar(row(ScalarOperation::Xor, type), {*sum, part}, out) : part;
    }
    return sum.value();
  }

  /// A way along an array: bit by bit, one dimension's index goes on by a step.
  struct Line {
    std::size_t dimension = 0;
    std::int64_t first = 0, step = 0;
  };

  /// The way along which all that is chosen lies, if it does.
  std::optional<Line> line() const {
    if (all_.chosen.size() != std::size_t{rows_} * bits_of_row) return std::nullopt;
    const Choice &start = all_.chosen.at(0), &next = all_.chosen.at(1);
    if (start.indices.empty() || next.indices.size() != start.indices.size()) return std::nullopt;
    const auto differs = std::ranges::mismatch(start.indices, next.indices);
    if (differs.in1 == start.indices.end() || !differs.in1->is_constant() ||
        !differs.in2->is_constant())
      return std::nullopt;
    Line result;
    result.dimension = static_cast<std::size_t>(differs.in1 - start.indices.begin());
    result.first = differs.in1->scalar().as<std::int64_t>();
    result.step = differs.in2->scalar().as<std::int64_t>() - result.first;
    for (const auto& [place, choice] : all_.chosen) {
      std::vector<Operand> indices = start.indices;
      indices[result.dimension] = Operand::i64(result.first + result.step * std::int64_t{place});
      if (choice.array != start.array || choice.indices != indices ||
          choice.is_inner != start.is_inner)
        return std::nullopt;
    }
    return result;
  }

  static std::vector<Operand> indices_of(const Choice& choice, std::optional<ValueId> inner) {
    std::vector<Operand> indices = choice.indices;
    for (std::size_t i = 0; i < indices.size(); ++i)
      if (choice.is_inner[i]) indices[i] = Operand(inner.value());
    return indices;
  }

  /// For an index of the map inside: by group of bits, what each set of those chooses.
  ValueId rows(std::optional<ValueId> inner, Statements& out) {
    const std::vector<Operand> extents = {Operand::i64(rows_), Operand::i64(row_length)};
    if (const std::optional<Line> along = line())
      return tabulate(extents, out, [&](const std::vector<ValueId>& at, Statements& inside) {
        return combined(at[0], at[1], inside, [&](const Operand& place) {
          const Choice& start = all_.chosen.at(0);
          std::vector<Operand> indices = indices_of(start, inner);
          Operand& moved = indices[along->dimension];
          moved = along->step == 1
                      ? place
                      : scalar(ScalarOperation::Multiply, place, Operand::i64(along->step), inside);
          if (along->first != 0)
            moved = scalar(ScalarOperation::Add, moved, Operand::i64(along->first), inside);
          return element(start.array, std::move(indices), inside);
        });
      });
    std::vector<Operand> chosen(std::size_t{rows_} * bits_of_row, neutral());
    for (const auto& [place, choice] : all_.chosen)
      chosen[place] = choice.indices.empty()
                          ? choice.constant
                          : Operand(element(choice.array, indices_of(choice, inner), out));
    const ValueId values = value({element_, {Operand::i64(std::ssize(chosen))}});
    out.push_back({{values}, ArrayLiteral{chosen}, span_});
    return tabulate(extents, out, [&](const std::vector<ValueId>& at, Statements& inside) {
      return combined(at[0], at[1], inside,
                      [&](const Operand& place) { return element(values, {place}, inside); });
    });
  }

  /// Of a group of bits, what a set of those chooses; `chosen_by` reads what one bit does.
  Operand combined(const Operand& group, const Operand& set, Statements& out,
                   const std::function<ValueId(const Operand& place)>& chosen_by) {
    const Operand first = scalar(ScalarOperation::Multiply, group, Operand::i64(bits_of_row), out);
    Operand sum;
    for (unsigned place = 0; place < bits_of_row; ++place) {
      const Operand at = scalar(ScalarOperation::Add, first, Operand::i64(place), out);
      const Operand one(chosen_by(at));
      const Operand shifted = scalar(ScalarOperation::ShiftRight, set, Operand::i64(place), out);
      const Operand bit = scalar(ScalarOperation::And, shifted, Operand::i64(1), out);
      const Operand is_set =
          scalar(row(ScalarOperation::Equal, ElementType::I64), {bit, Operand::i64(1)}, out);
      const ValueId chosen = value({element_, {}});
      out.push_back({{chosen}, Select{is_set, one, neutral()}, span_});
      sum = place == 0 ? Operand(chosen) : scalar(*all_.combine, {sum, chosen}, out);
    }
    return sum;
  }

  const Combination& all_;
  ElementType element_;
  unsigned rows_;
  std::optional<ValueId> inner_;
  ValueId table_;
};

class Rewriter {
public:
  explicit Rewriter(Function& function) : function_(function), uses_(count_uses(function)) {}

  /// Code of the host's level.
  void run(Body& body) {
    std::vector<Statement> before = std::move(body.statements);
    body.statements.clear();
    for (Statement& statement : before) {
      if (auto* soac = std::get_if<Soac>(&statement.operation))
        run(*soac, statement.span, body.statements);
      else
        for_each_body(statement.operation, [&](Body& inner) { run(inner); });
      body.statements.push_back(std::move(statement));
    }
  }

private:
  void run(Soac& soac, Span span, std::vector<Statement>& out) {
    if (soac.extent.is_constant() && soac.extent.scalar().as<std::int64_t>() < fewest_elements)
      return;
    const Finder finder(function_, soac, uses_);
    if (finder.found().empty()) return;
    std::map<std::uint32_t, TableWriter> writers;
    for (const auto& [result, all] : finder.found())
      writers.emplace(result, TableWriter(function_, all, span)).first->second.write_table(out);
    for_each_body(soac, [&](Body& body) { replace(body, writers); });
  }

  static void replace(Body& body, std::map<std::uint32_t, TableWriter>& writers) {
    std::vector<Statement> before = std::move(body.statements);
    body.statements.clear();
    for (Statement& statement : before) {
      for_each_body(statement.operation, [&](Body& inner) { replace(inner, writers); });
      const auto writer =
          statement.results.size() == 1 ? writers.find(statement.results[0].index) : writers.end();
      if (writer != writers.end())
        writer->second.look_up(statement.results[0], body.statements);
      else
        body.statements.push_back(std::move(statement));
    }
  }

  Function& function_;
  std::vector<std::uint32_t> uses_; ///< as they were before
};

} // namespace

void write_bit_tables(Function& function) {
  Rewriter(function).run(function.body);
}

} // namespace sinter::jit
