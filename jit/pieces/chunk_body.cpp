// What a piece computes.
//
//   s: f32 = soac n (xs) { (i, x) … } reduce (0f32) { … }      a sum of floats shows its order:
//
//   v: [m]f32 = soac m () { (j)            -- row or block j of those that the piece has whole
//     t: f32 = soac len () { (l)
//       i = add base l   x = index xs[i - first]   …
//     } reduce (0f32) { … }
//     yield t
//   } map
#include "jit/ir/groups.h"
#include "jit/ir/walk.h"
#include "jit/pieces/piece_writer.h"
#include "lang/primitives/fold_order.h"

#include <cassert>
#include <optional>
#include <utility>

namespace sinter::jit {

namespace {

using namespace ir;
using primitives::Operation;

/// The rows and blocks that a piece has whole: rows up to a block's border, blocks, rows.
struct Entries {
  Operand count;
  Operand head, blocks;             ///< how many rows come first; then how many blocks
  Operand blocks_begin, blocks_end; ///< indices
  Operand end;                      ///< of the piece
};

class ChunkWriter : private StatementWriter {
public:
  ChunkWriter(Draft& draft, std::vector<ChunkArgument>& arguments,
              std::map<ValueId, ValueId>& own_blocks)
      : StatementWriter(draft.function, {}), draft_(draft), arguments_(arguments),
        own_blocks_(own_blocks) {}

  Body run() {
    write_parameters();
    const std::vector<Statement> statements = draft_.function.body.statements;
    for (std::size_t i = 0; i < statements.size(); ++i) {
      span_ = statements[i].span;
      const StatementCut& cut = draft_.cut_of(i);
      if (cut.stage == Stage::Whole) out().push_back(statements[i]);
      if (cut.stage == Stage::Cut) write_cut(i, statements[i]);
      if (cut.stage == Stage::Kept) write_soac(i, statements[i]);
    }
    return std::move(body_);
  }

private:
  struct Range { ///< of indices
    Operand begin, count;
  };
  Statements& out() { return body_.statements; }
  const Operand first() const { return draft_.first; }
  const Operand count() const { return draft_.count; }
  Operand i64(Operation operation, Operand a, Operand b) { return scalar(operation, a, b, out()); }
  Operand is(Operation operation, Operand a, Operand b, Statements& statements) {
    return scalar(row(operation, ElementType::I64), {a, b}, statements);
  }
  Operand chosen(Operand condition, Operand a, Operand b, Statements& statements) {
    const ValueId result = value(function_.type(a));
    statements.push_back({{result}, Select{condition, a, b}, span_});
    return result;
  }

  // ---- parameters

  void add_parameter(ValueId parameter, ChunkArgument argument) {
    body_.parameters.push_back(parameter);
    arguments_.push_back(argument);
  }

  void write_parameters() {
    using Kind = ChunkArgument::Kind;
    add_parameter(draft_.first, {Kind::First});
    add_parameter(draft_.count, {Kind::Count});
    for (std::size_t i = 0; i < draft_.function.body.parameters.size(); ++i) {
      const ValueId parameter = draft_.function.body.parameters[i];
      const auto found = draft_.plan.parameters.find(parameter);
      if (found == draft_.plan.parameters.end() || !found->second.is_cut) {
        add_parameter(parameter, {Kind::Whole, i});
        continue;
      }
      const ParameterCut& cut = found->second;
      if (cut.has_halo()) {
        begins_[parameter] = value({ElementType::I64, {}});
        add_parameter(begins_[parameter], {Kind::HaloBegin, i, cut.low, cut.high});
        add_parameter(value({ElementType::I64, {}}), {Kind::HaloCount, i, cut.low, cut.high});
      } else {
        draft_.shortened[parameter] = draft_.count;
      }
      add_parameter(parameter, {Kind::Block, i, cut.low, cut.high});
    }
    for (const auto& [parameter, begin] : begins_)
      own_blocks_[parameter] = part(parameter, {i64(Operation::Subtract, first(), begin), count()});
  }

  /// Some elements of an array.
  ValueId part(ValueId array, const Range& range) {
    Slice slice{array, {}};
    Type type = function_.type(array);
    slice.dimensions.assign(type.rank(), {Operand::i64(0), Operand::i64(1)});
    slice.dimensions[0].begin = range.begin;
    type.extents[0] = range.count;
    const ValueId result = value(std::move(type));
    out().push_back({{result}, std::move(slice), span_});
    return result;
  }

  /// A piece's own elements of an array over n.
  ValueId own(ValueId array) {
    if (const auto known = own_blocks_.find(array); known != own_blocks_.end())
      return known->second;
    return draft_.is_cut(array) ? array : part(array, {first(), count()});
  }

  /// Of an array over n, its elements at these indices.
  ValueId part_of(ValueId array, const Range& range) {
    if (range.begin == first()) return own(array);
    if (!draft_.is_cut(array)) return part(array, range);
    const Operand begin = begins_.at(array);
    return part(array, {i64(Operation::Subtract, range.begin, begin), range.count});
  }

  // ---- reads

  /// Indices of arrays that are cut count from where the block, or its halo, begins.
  void shift_reads(Body& body) {
    Statements shifted;
    for (Statement& statement : body.statements) {
      for_each_body(statement.operation, [&](Body& inner) { shift_reads(inner); });
      if (auto* index = std::get_if<Index>(&statement.operation))
        if (draft_.is_cut(index->array)) {
          const auto halo = begins_.find(index->array);
          const Operand begin = halo == begins_.end() ? first() : Operand(halo->second);
          index->indices[0] = scalar(Operation::Subtract, index->indices[0], begin, shifted);
        }
      shifted.push_back(std::move(statement));
    }
    body.statements = std::move(shifted);
  }

  // ---- statements

  void write_cut(std::size_t at, Statement statement) {
    if (std::holds_alternative<Soac>(statement.operation)) return write_soac(at, statement);
    for_each_operand(statement.operation, [&](Operand& operand) {
      if (operand.is_value() && draft_.is_cut(operand)) operand = own(operand.value());
    });
    shorten(statement);
    out().push_back(std::move(statement));
  }

  void shorten(const Statement& statement) {
    for (ValueId result : statement.results)
      if (draft_.is_cut(result)) draft_.shortened[result] = draft_.count;
  }

  void write_soac(std::size_t at, const Statement& statement) {
    const Soac& soac = std::get<Soac>(statement.operation);
    const StatementCut& cut = draft_.cut_of(at);
    Soac flat{soac.extent, soac.inputs, soac.body, {}};
    Soac folds = flat;
    flat.body.results.clear();
    folds.body.results.clear();
    Statement written{{}, {}, span_};
    std::vector<std::size_t> folded; // groups
    std::size_t number = 0;
    for_each_group(soac, [&](const Group& group, std::size_t taken, std::size_t given) {
      const std::span<const Operand> values =
          std::span(soac.body.results).subspan(taken, arity(group).body_results);
      const std::span<const ValueId> results =
          std::span(statement.results).subspan(given, arity(group).results);
      const GroupWay way = cut.ways[number];
      Soac& into = way == GroupWay::Entries ? folds : flat;
      into.body.results.insert(into.body.results.end(), values.begin(), values.end());
      if (way == GroupWay::Entries) {
        folded.push_back(number);
        folds.groups.push_back(group);
      } else if (way == GroupWay::Joined) {
        GroupCrossing& crossing = draft_.groups[{at, number}];
        for (const Operand& value : values)
          crossing.values.push_back(joined(soac.extent, cut.stage, function_.type(value)));
        flat.groups.insert(flat.groups.end(), values.size(), MapGroup{});
        written.results.insert(written.results.end(), crossing.values.begin(),
                               crossing.values.end());
      } else {
        flat.groups.push_back(way == GroupWay::Bins ? with_own_bins(group) : group);
        written.results.insert(written.results.end(), results.begin(), results.end());
        if (way != GroupWay::Block) stack(results, draft_.groups[{at, number}]);
      }
      ++number;
    });
    shorten(statement);
    if (!folded.empty()) write_entries(at, folded, std::move(folds));
    if (flat.groups.empty() && !folded.empty()) return; // (Else it is there for its checks.)
    if (!cut.halo.is_empty()) return write_widened(cut.halo, std::move(written), std::move(flat));
    if (cut.stage == Stage::Cut) flat = over(std::move(flat), {first(), count()});
    written.operation = std::move(flat);
    out().push_back(std::move(written));
  }

  /// Maps, over the block and its halo.
  void write_widened(const Halo& halo, Statement written, Soac soac) {
    const Operand all = draft_.plan.extent;
    const Operand end =
        i64(Operation::Minimum, all,
            i64(Operation::Add, i64(Operation::Add, first(), count()), Operand::i64(halo.high)));
    const Operand begin = i64(Operation::Maximum, Operand::i64(0),
                              i64(Operation::Subtract, first(), Operand::i64(halo.low)));
    const Operand extent = i64(Operation::Subtract, end, begin);
    written.operation = over(std::move(soac), {begin, extent});
    const std::vector<ValueId> results = written.results;
    out().push_back(std::move(written));
    for (ValueId result : results) {
      draft_.shortened[result] = extent.value();
      begins_[result] = begin.value();
      own_blocks_[result] = part(result, {i64(Operation::Subtract, first(), begin), count()});
    }
  }

  /// An array of all that a group takes, which is joined.
  ValueId joined(const Operand& extent, Stage stage, Type element) {
    const ValueId result = value(array_type(extent, std::move(element)));
    if (stage == Stage::Cut) draft_.shortened[result] = draft_.count;
    draft_.crossings.push_back({StateRole::Joined, result, result});
    return result;
  }

  /// Values of which each piece has one.
  void stack(std::span<const ValueId> results, GroupCrossing& crossing) {
    for (ValueId result : results) {
      crossing.values.push_back(value(array_type(draft_.pieces, function_.type(result))));
      draft_.crossings.push_back({StateRole::Stacked, result, crossing.values.back()});
    }
  }

  /// The histogram, into bins that are neutral.
  Group with_own_bins(const Group& group) {
    HistogramGroup histogram = std::get<HistogramGroup>(group);
    for (std::size_t i = 0; i < histogram.destinations.size(); ++i) {
      const Type& type = function_.type(histogram.destinations[i].value());
      const std::vector<Operand> bins(type.extents.begin(),
                                      type.extents.begin() + histogram.index_count);
      const Operand neutral = histogram.neutral[i];
      histogram.destinations[i] =
          tabulate(std::span<const Operand>(bins), out(),
                   [&](const std::vector<ValueId>&, Statements&) { return neutral; });
    }
    return histogram;
  }

  /// The SOAC over these of the indices.
  Soac over(Soac soac, const Range& range) {
    for (ValueId& input : soac.inputs)
      input = part_of(input, range);
    soac.extent = range.count;
    shift_reads(soac.body);
    const ValueId here = value({ElementType::I64, {}});
    const ValueId index = std::exchange(soac.body.parameters[0], here);
    define(index, Operation::Add, here, range.begin, soac.body.statements);
    return soac;
  }

  /// Puts the definition of a value in front of statements.
  void define(ValueId result, Operation operation, Operand a, Operand b, Statements& before) {
    const Statement definition{
        {result}, Primitive{&row(operation, ElementType::I64), {a, b}}, span_};
    before.insert(before.begin(), definition);
  }

  // ---- folds whose order shows

  const Entries& entries() {
    if (entries_) return *entries_;
    const auto block = Operand::i64(primitives::block_length);
    const auto row_of = Operand::i64(primitives::row_length);
    const auto up = [&](Operand number, Operand unit) {
      return rounded_up_quotient(number, unit.scalar().as<std::int64_t>(), out());
    };
    Entries result;
    result.end = i64(Operation::Add, first(), count());
    const Operand next_block = i64(Operation::Multiply, up(first(), block), block);
    result.blocks_begin = i64(Operation::Minimum, next_block, result.end);
    const Operand last_block =
        i64(Operation::Multiply, i64(Operation::Quotient, result.end, block), block);
    result.blocks_end = i64(Operation::Maximum, result.blocks_begin, last_block);
    result.head = up(i64(Operation::Subtract, result.blocks_begin, first()), row_of);
    result.blocks = i64(Operation::Quotient,
                        i64(Operation::Subtract, result.blocks_end, result.blocks_begin), block);
    const Operand tail = up(i64(Operation::Subtract, result.end, result.blocks_end), row_of);
    result.count = i64(Operation::Add, i64(Operation::Add, result.head, result.blocks), tail);
    draft_.crossings.push_back({StateRole::Sum, result.count, result.count.value()});
    entries_ = result;
    return *entries_;
  }

  void write_entries(std::size_t at, const std::vector<std::size_t>& folded, Soac folds) {
    const Entries cut = entries();
    std::vector<ValueId> inputs;
    for (ValueId input : folds.inputs)
      inputs.push_back(own(input));
    Soac outer;
    outer.extent = cut.count;
    const ValueId entry = value({ElementType::I64, {}});
    outer.body.parameters = {entry};
    Statements& inside = outer.body.statements;

    // Where the entry begins and ends.
    const auto block = Operand::i64(primitives::block_length);
    const auto row_of = Operand::i64(primitives::row_length);
    const Operand behind_head = scalar(Operation::Subtract, entry, cut.head, inside);
    const Operand behind_blocks = scalar(Operation::Subtract, behind_head, cut.blocks, inside);
    const Operand in_head = is(Operation::Less, entry, cut.head, inside);
    const Operand before_tail = is(Operation::Less, behind_head, cut.blocks, inside);
    const auto from = [&](Operand begin, Operand steps, Operand step) {
      return scalar(Operation::Add, begin, scalar(Operation::Multiply, steps, step, inside),
                    inside);
    };
    const Operand of_head = from(first(), entry, row_of);
    const Operand of_block = from(cut.blocks_begin, behind_head, block);
    const Operand of_tail = from(cut.blocks_end, behind_blocks, row_of);
    const auto row_end = [&](Operand begin, Operand limit) {
      return scalar(Operation::Minimum, scalar(Operation::Add, begin, row_of, inside), limit,
                    inside);
    };
    const Operand begin =
        chosen(in_head, of_head, chosen(before_tail, of_block, of_tail, inside), inside);
    const Operand end = chosen(in_head, row_end(of_head, cut.blocks_begin),
                               chosen(before_tail, scalar(Operation::Add, of_block, block, inside),
                                      row_end(of_tail, cut.end), inside),
                               inside);
    const Operand length = scalar(Operation::Subtract, end, begin, inside);
    const Operand is_block = chosen(
        in_head, Operand::constant(ElementType::Bool, Scalar::of(false)), before_tail, inside);

    // Its total.
    Body body = clone(function_, folds.body);
    shift_reads(body);
    Soac inner;
    inner.extent = length;
    const ValueId within = value({ElementType::I64, {}});
    Statements elements;
    elements.push_back({{body.parameters[0]},
                        Primitive{&row(Operation::Add, ElementType::I64), {begin, within}},
                        span_});
    const Operand place = scalar(Operation::Subtract, body.parameters[0], first(), elements);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      elements.push_back({{body.parameters[i + 1]}, Index{inputs[i], {place}}, span_});
    body.statements.insert(body.statements.begin(), elements.begin(), elements.end());
    body.parameters = {within};
    inner.body = std::move(body);
    inner.groups = std::move(folds.groups);
    std::vector<ValueId> totals;
    outer.body.results = {is_block};
    Statement whole{{value({ElementType::Bool, {cut.count}})}, {}, span_};
    draft_.crossings.push_back({StateRole::Joined, whole.results[0], whole.results[0]});
    for (std::size_t i = 0; i < folded.size(); ++i) {
      GroupCrossing& crossing = draft_.groups[{at, folded[i]}];
      crossing.count = cut.count.value();
      crossing.is_block = whole.results[0];
      for (const Operand& neutral : std::get<ReduceGroup>(inner.groups[i]).neutral) {
        const Type type = function_.type(neutral);
        totals.push_back(value(type));
        outer.body.results.push_back(totals.back());
        crossing.values.push_back(value(array_type(cut.count, type)));
        whole.results.push_back(crossing.values.back());
        draft_.crossings.push_back(
            {StateRole::Joined, crossing.values.back(), crossing.values.back()});
      }
    }
    inside.push_back({totals, std::move(inner), span_});
    outer.groups.assign(outer.body.results.size(), MapGroup{});
    whole.operation = std::move(outer);
    out().push_back(std::move(whole));
  }

  Draft& draft_;
  std::vector<ChunkArgument>& arguments_;
  std::map<ValueId, ValueId>& own_blocks_;
  std::map<ValueId, ValueId> begins_; ///< of blocks that have a halo: its first index
  std::optional<Entries> entries_;
  Body body_;
};

} // namespace

Body chunk_body(Draft& draft, std::vector<ChunkArgument>& arguments,
                std::map<ValueId, ValueId>& own_blocks) {
  return ChunkWriter(draft, arguments, own_blocks).run();
}

} // namespace sinter::jit
