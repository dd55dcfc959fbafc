// What follows from the states of all pieces.
//
// Totals of rows and blocks are combined as lang/primitives/fold_order.h says, one after the other:
//
//   for e < entries, (blocks, block count, rows' total, row count)
//     total = row count = 0 ? entry : rows' total op entry
//     at a block's end (the entry is one, or there are 64 rows):
//       blocks = block count = 0 ? total : blocks op total
#include "jit/ir/groups.h"
#include "jit/ir/walk.h"
#include "jit/pieces/piece_writer.h"
#include "lang/primitives/fold_order.h"

#include <utility>

namespace sinter::jit {

namespace {

using namespace ir;
using primitives::Operation;

class FinishWriter : private StatementWriter {
public:
  explicit FinishWriter(Draft& draft) : StatementWriter(draft.function, {}), draft_(draft) {}

  Body run() {
    const std::vector<Statement> statements = draft_.function.body.statements;
    for (std::size_t i = 0; i < statements.size(); ++i) {
      span_ = statements[i].span;
      const StatementCut& cut = draft_.cut_of(i);
      if (cut.stage == Stage::Late) body_.statements.push_back(statements[i]);
      if (const auto* soac = std::get_if<Soac>(&statements[i].operation); soac && !cut.ways.empty())
        write_groups(i, statements[i], *soac, cut);
    }
    body_.results = draft_.function.body.results;
    return std::move(body_);
  }

private:
  using Values = std::vector<ValueId>;
  using Operands = std::vector<Operand>;

  void write_groups(std::size_t at, const Statement& statement, const Soac& soac,
                    const StatementCut& cut) {
    std::size_t number = 0;
    for_each_group(soac, [&](const Group& group, std::size_t, std::size_t given) {
      const Values results(statement.results.begin() + static_cast<std::ptrdiff_t>(given),
                           statement.results.begin() +
                               static_cast<std::ptrdiff_t>(given + arity(group).results));
      const auto crossing = draft_.groups.find({at, number});
      switch (cut.ways[number]) {
      case GroupWay::Block:
        break;
      case GroupWay::Single:
        write_over(draft_.pieces, crossing->second.values, group, results);
        break;
      case GroupWay::Joined:
        write_over(soac.extent, crossing->second.values, group, results);
        break;
      case GroupWay::Bins:
        write_bins(std::get<HistogramGroup>(group), crossing->second, results);
        break;
      case GroupWay::Entries:
        write_entries(std::get<ReduceGroup>(group), crossing->second, results);
        break;
      }
      ++number;
    });
  }

  /// The group over arrays of what it takes.
  void write_over(Operand extent, const Values& inputs, const Group& group, const Values& results) {
    Soac soac{extent, inputs, {}, {group}};
    soac.body.parameters = {value({ElementType::I64, {}})};
    for (ValueId input : inputs) {
      Type type = function_.type(input);
      type.extents.erase(type.extents.begin());
      soac.body.parameters.push_back(value(std::move(type)));
      soac.body.results.emplace_back(soac.body.parameters.back());
    }
    body_.statements.push_back({results, std::move(soac), span_});
  }

  /// The bins of all pieces into the destination.
  void write_bins(const HistogramGroup& group, const GroupCrossing& crossing,
                  const Values& results) {
    const std::vector<Operand> extents = function_.type(crossing.values[0]).extents;
    Operand all = draft_.pieces;
    for (std::size_t d = 1; d <= group.index_count; ++d)
      all = scalar(Operation::Multiply, all, extents[d], body_.statements);
    Soac soac{all, {}, {}, {group}};
    const ValueId index = value({ElementType::I64, {}});
    soac.body.parameters = {index};
    Statements& inside = soac.body.statements;
    Operands place(group.index_count + 1);
    Operand rest = index;
    for (std::size_t d = group.index_count; d >= 1; --d) {
      place[d] = scalar(Operation::Remainder, rest, extents[d], inside);
      rest = scalar(Operation::Quotient, rest, extents[d], inside);
    }
    place[0] = rest;
    soac.body.results.assign(place.begin() + 1, place.end());
    for (ValueId bins : crossing.values) {
      Type type = function_.type(bins);
      type.extents.erase(type.extents.begin(), type.extents.begin() + group.index_count + 1);
      const ValueId one = value(std::move(type));
      inside.push_back({{one}, Index{bins, place}, span_});
      soac.body.results.emplace_back(one);
    }
    body_.statements.push_back({results, std::move(soac), span_});
  }

  // ---- totals of rows and blocks

  Values like(const Values& values) {
    Values result;
    for (ValueId one : values)
      result.push_back(value(function_.type(one)));
    return result;
  }
  static Operands operands(const Values& values) { return {values.begin(), values.end()}; }
  static Body yielding(Operands results) { return {{}, {}, std::move(results)}; }
  Values branch(Operand condition, Body then_body, Body else_body, const Values& types,
                Statements& out) {
    Values results = like(types);
    out.push_back({results, If{condition, std::move(then_body), std::move(else_body)}, span_});
    return results;
  }
  Operand is_zero(Operand number, Statements& out) {
    return scalar(row(Operation::Equal, ElementType::I64), {number, Operand::i64(0)}, out);
  }
  Operand chosen(Operand condition, Operand a, Operand b, Statements& out) {
    const ValueId result = value({ElementType::I64, {}});
    out.push_back({{result}, Select{condition, a, b}, span_});
    return result;
  }
  /// The sum of what there is and one more; that one alone where there is nothing.
  Values added(const ReduceGroup& group, Operand none, const Values& sum, const Values& more,
               Statements& out) {
    return branch(none, yielding(operands(more)),
                  draft_.applied(group.combine, operands(sum), operands(more)), more, out);
  }
  /// The same, with memory of its own.
  Operand fresh(const Operand& operand) {
    if (operand.is_constant() || function_.type(operand).is_scalar()) return operand;
    const ValueId result = value(function_.type(operand));
    body_.statements.push_back({{result}, Copy{operand.value()}, span_});
    return result;
  }
  /// A body with statements of its own.
  template <typename Write>
  Body written(Write&& write) {
    Body body;
    const Values results = write(body.statements);
    body.results = operands(results);
    return body;
  }

  void write_entries(const ReduceGroup& group, const GroupCrossing& crossing,
                     const Values& results) {
    const Type number{ElementType::I64, {}};
    For loop;
    loop.bound = crossing.count;
    for (int i = 0; i < 2; ++i) {
      for (const Operand& neutral : group.neutral)
        loop.initial.push_back(fresh(neutral));
      loop.initial.push_back(Operand::i64(0));
    }
    const ValueId entry = value(number), block_count = value(number), row_count = value(number);
    const Values blocks = like(results), rows = like(results);
    Statements& inside = loop.body.statements;
    loop.body.parameters = {entry};
    const auto add_state = [](Values& to, const Values& blocks, ValueId block_count,
                              const Values& rows, ValueId row_count) {
      to.insert(to.end(), blocks.begin(), blocks.end());
      to.push_back(block_count);
      to.insert(to.end(), rows.begin(), rows.end());
      to.push_back(row_count);
    };
    add_state(loop.body.parameters, blocks, block_count, rows, row_count);

    const Values more = like(results);
    for (std::size_t i = 0; i < more.size(); ++i)
      inside.push_back({{more[i]}, Index{crossing.values[i], {entry}}, span_});
    const Operand is_block = element(crossing.is_block, {entry}, inside);
    const Values total = added(group, is_zero(row_count, inside), rows, more, inside);
    const Operand counted = scalar(Operation::Add, row_count, Operand::i64(1), inside);
    const Operand is_full = scalar(row(Operation::Equal, ElementType::I64),
                                   {counted, Operand::i64(primitives::rows_in_block)}, inside);
    const Operand ends = scalar(row(Operation::Or, ElementType::Bool), {is_block, is_full}, inside);
    const Values next = branch(ends, written([&](Statements& out) {
                                 return added(group, is_zero(block_count, out), blocks, total, out);
                               }),
                               yielding(operands(blocks)), results, inside);
    const Operand one_more = scalar(Operation::Add, block_count, Operand::i64(1), inside);
    loop.body.results = operands(next);
    loop.body.results.push_back(chosen(ends, one_more, block_count, inside));
    const Operands kept = operands(total);
    loop.body.results.insert(loop.body.results.end(), kept.begin(), kept.end());
    loop.body.results.push_back(chosen(ends, Operand::i64(0), counted, inside));

    const Values all_blocks = like(results), last_rows = like(results);
    const ValueId all_count = value(number), last_count = value(number);
    Statement statement{{}, std::move(loop), span_};
    add_state(statement.results, all_blocks, all_count, last_rows, last_count);
    body_.statements.push_back(std::move(statement));
    Body rest = written([&](Statements& out) {
      return added(group, is_zero(all_count, out), all_blocks, last_rows, out);
    });
    const Operand has_no_rest = is_zero(last_count, body_.statements);
    body_.statements.push_back(
        {results, If{has_no_rest, yielding(operands(all_blocks)), std::move(rest)}, span_});
  }

  Draft& draft_;
  Body body_;
};

} // namespace

Body finish_body(Draft& draft) {
  return FinishWriter(draft).run();
}

} // namespace sinter::jit
