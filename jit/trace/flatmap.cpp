#include "jit/trace/flatmap.h"

#include "jit/trace/replay.h"

#include <algorithm>

namespace sinter::jit {

namespace {

using ir::Operand;
using ir::ValueId;

bool are_maps(const ir::Soac& soac) {
  return std::ranges::all_of(soac.groups, [](const ir::Group& group) {
    return std::holds_alternative<ir::MapGroup>(group);
  });
}

/// Element k of an array that a closed body made, computed without making the array; nothing if
/// that takes more than scalar code.
std::optional<Operand> element_of(ValueId array, const Operand& k, ir::Builder& builder,
                                  Replay& again) {
  const ir::Statement* made = again.definition(array);
  if (!made) {
    const std::optional<Operand> known = again(array);
    if (!known) return std::nullopt;
    return builder.index(known->value(), {k});
  }
  if (const auto* reshape = std::get_if<ir::Reshape>(&made->operation)) {
    // (From one dimension to one: a view under another name for its extent.)
    if (builder.type(reshape->array).rank() != 1) return std::nullopt;
    return element_of(reshape->array, k, builder, again);
  }
  if (const auto* slice = std::get_if<ir::Slice>(&made->operation)) {
    if (slice->dimensions.size() != 1) return std::nullopt;
    const std::optional<Operand> begin = again(slice->dimensions[0].begin);
    const std::optional<Operand> stride = again(slice->dimensions[0].stride);
    if (!begin || !stride) return std::nullopt;
    const Operand offset = builder.binary(primitives::Operation::Multiply, k, *stride);
    return element_of(slice->array, builder.binary(primitives::Operation::Add, *begin, offset),
                      builder, again);
  }
  if (std::holds_alternative<ir::Index>(made->operation)) { // a row of something
    const std::optional<Operand> row = again(array);
    if (!row) return std::nullopt;
    return builder.index(row->value(), {k});
  }
  const auto* soac = std::get_if<ir::Soac>(&made->operation);
  if (!soac || !are_maps(*soac)) return std::nullopt;
  again.add(soac->body);
  again.rename(soac->body.parameters[0], k);
  for (std::size_t i = 0; i < soac->inputs.size(); ++i) {
    const ValueId input = soac->inputs[i];
    if (builder.type(input).rank() != 1) return std::nullopt;
    const std::optional<Operand> element = element_of(input, k, builder, again);
    if (!element) return std::nullopt;
    again.rename(soac->body.parameters[i + 1], *element);
  }
  const auto position = std::find(made->results.begin(), made->results.end(), array);
  return again(soac->body.results[static_cast<std::size_t>(position - made->results.begin())]);
}

/// One application of flatmap, while it is traced.
class Pieces {
public:
  using Value = SymbolicValue;

  Pieces(Code& code, Leaves& leaves, Soacs& soacs, Loops& loops, std::span<Value> arguments,
         SymbolicSite& site)
      : code_(code), leaves_(leaves), soacs_(soacs), loops_(loops), builder_(code.builder()),
        site_(site), function_(arguments[0]), elements_(arguments.subspan(1, 1)),
        count_(elements_[0].array()->length()), type_(joined_field(site)) {}

  Value run() {
    const std::vector<std::optional<Operand>> known = code_.named_extents(site_);
    const auto joined_at = known.begin() + 3; // after those of three arrays of numbers
    const auto others_at = joined_at + type_->extent_count;
    for (auto extent = joined_at + 1; extent != others_at; ++extent) {
      if (!*extent) code_.refuse(Reason::PiecesWithoutSizes);
      inner_.push_back(**extent);
    }
    const std::vector<std::optional<Operand>> others(others_at + 1, known.end());
    return soacs_.unless_all_fail(
        count_, [&] { return pieces(others); }, [&] { return without_pieces(others); });
  }

private:
  Value pieces(const std::vector<std::optional<Operand>>& others) {
    const Value measured = measure(others);
    lengths_ = measured.fields()[0].array()->leaves[0];
    const ValueId ends = number_scan(lengths_, primitives::Operation::Add);
    begins_ = combined(ends, lengths_, primitives::Operation::Subtract);
    total_ = sum_of_extents(lengths_);
    code_.check_extent(total_);
    piece_of_ = pieces_of_positions();

    std::optional<std::vector<ValueId>> leaves = all_at_once();
    if (!leaves) leaves = one_by_one();
    Value result = Value::record_of_size(5);
    result.fields()[0] = measured.fields()[0];
    result.fields()[1] = leaves_.numbers(ElementType::Bool, total_, firsts());
    result.fields()[2] = leaves_.numbers(ElementType::I64, count_, begins_);
    result.fields()[3] = code_.make_array(type_, extents(), std::move(*leaves));
    result.fields()[4] = measured.fields()[1];
    return result;
  }
  Value without_pieces(const std::vector<std::optional<Operand>>& others) {
    const auto& fields = site_.type()->record().fields;
    Value result = Value::record_of_size(5);
    for (const std::size_t numbers : {0, 1, 2})
      result.fields()[numbers] = soacs_.without_elements(fields[numbers].type, {});
    result.fields()[3] = soacs_.without_elements(type_, {inner_.begin(), inner_.end()});
    result.fields()[4] = soacs_.without_elements(fields[4].type, others);
    return result;
  }

  static const Representation* joined_field(SymbolicSite& site) {
    return site.type()->record().fields[3].type;
  }
  /// Of the joined array.
  std::vector<Operand> extents() const {
    std::vector<Operand> all{total_};
    all.insert(all.end(), inner_.begin(), inner_.end());
    return all;
  }
  Value piece(std::span<Value> element) { return site_.call(function_, element).fields()[0]; }

  /// A record of arrays: the pieces' lengths, the second results.
  Value measure(const std::vector<std::optional<Operand>>& known) {
    Representations& table = code_.representations();
    const Representation* other = indexed(table, site_.type()->record().fields[4].type, 1);
    const Representation* pair = table.tuple({table.scalar(ElementType::I64), other});
    const Value measured = soacs_.map_elements(
        count_, elements_, table.array(1, pair), known, [&](Elements& elements) {
          const Value made = site_.call(function_, elements.values);
          Value result = Value::record_of_size(2);
          result.fields()[0] = Value(code_.handle(made.fields()[0].array()->length()));
          result.fields()[1] = made.fields()[1];
          return result;
        });
    return leaves_.unzip(measured);
  }

  // ---- arrays of numbers

  ir::Body number_operator(primitives::Operation operation) {
    BodyScope scope(code_);
    const ValueId a = builder_.parameter({ElementType::I64, {}});
    const ValueId b = builder_.parameter({ElementType::I64, {}});
    const Operand result = code_.binary(operation, a, b);
    return scope.close({result});
  }
  /// A SOAC over arrays of numbers with one group.
  ValueId over(std::vector<ValueId> inputs, ir::Group group, ir::Type type,
               const std::function<std::vector<Operand>(Operand, std::span<const ValueId>)>& body) {
    ir::Soac soac;
    soac.extent = builder_.type(inputs[0]).extents[0];
    BodyScope scope(code_);
    const ValueId index = builder_.parameter({ElementType::I64, {}});
    std::vector<ValueId> parameters;
    for (ValueId input : inputs)
      parameters.push_back(builder_.parameter({builder_.type(input).element, {}}));
    soac.inputs = std::move(inputs);
    std::vector<Operand> results = body(index, parameters);
    soac.body = scope.close(std::move(results));
    soac.groups.push_back(std::move(group));
    return builder_.append_one(std::move(soac), std::move(type), code_.span());
  }
  ValueId number_scan(ValueId array, primitives::Operation operation) {
    ir::ScanGroup group;
    group.neutral = {Operand::i64(0)};
    group.combine = number_operator(operation);
    return over({array}, std::move(group), builder_.type(array),
                [](Operand, std::span<const ValueId> x) { return std::vector<Operand>{x[0]}; });
  }
  /// No more than it may be and one, so that nothing wraps around.
  Operand sum_of_extents(ValueId array) {
    ir::ReduceGroup group;
    group.neutral = {Operand::i64(0)};
    {
      BodyScope scope(code_);
      const ValueId a = builder_.parameter({ElementType::I64, {}});
      const ValueId b = builder_.parameter({ElementType::I64, {}});
      const Operand result = code_.binary(primitives::Operation::Minimum,
                                          code_.binary(primitives::Operation::Add, a, b),
                                          Operand::i64(ir::extent_limit));
      group.combine = scope.close({result});
    }
    group.is_commutative = true;
    return over({array}, std::move(group), {ElementType::I64, {}},
                [](Operand, std::span<const ValueId> x) { return std::vector<Operand>{x[0]}; });
  }
  ValueId combined(ValueId a, ValueId b, primitives::Operation operation) {
    return over({a, b}, ir::MapGroup{}, builder_.type(a), [&](Operand, std::span<const ValueId> x) {
      return std::vector<Operand>{code_.binary(operation, x[0], x[1])};
    });
  }

  /// Which piece each position of the joined array lies in.
  ValueId pieces_of_positions() {
    const ir::Type type{ElementType::I64, {total_}};
    ir::ScatterGroup group;
    group.destination = leaves_.filled(type, Operand::i64(0));
    const ValueId marks =
        over({lengths_, begins_}, std::move(group), type,
             [&](const Operand& number, std::span<const ValueId> x) {
               const Operand is_there =
                   code_.binary(primitives::Operation::Less, Operand::i64(0), x[0]);
               return std::vector<Operand>{code_.select(is_there, x[1], Operand::i64(-1)), number};
             });
    return number_scan(marks, primitives::Operation::Maximum);
  }

  /// Whether a piece begins there.
  ValueId firsts() {
    return over({piece_of_}, ir::MapGroup{}, {ElementType::Bool, {total_}},
                [&](const Operand& j, std::span<const ValueId> piece) {
                  const Operand begin = builder_.index(begins_, {piece[0]}, code_.span());
                  return std::vector<Operand>{code_.binary(primitives::Operation::Equal, j, begin)};
                });
  }

  // ---- the joined array

  /// By a map over all positions; nothing if the function does more than such code can.
  std::optional<std::vector<ValueId>> all_at_once() {
    for (const LeafLayout& leaf : type_->leaves)
      if (leaf.dimensions.size() != 1) return std::nullopt;
    // What the function does with one element.
    ir::Body body;
    std::vector<ValueId> inputs, made;
    {
      BodyScope scope(code_);
      Elements elements = soacs_.open_elements(elements_, count_);
      made = piece(elements.values).array()->leaves;
      inputs = elements.inputs;
      body = scope.close({});
    }
    ir::Soac soac;
    soac.extent = total_;
    soac.inputs = {piece_of_};
    BodyScope scope(code_);
    const ValueId j = builder_.parameter({ElementType::I64, {}});
    const ValueId p = builder_.parameter({ElementType::I64, {}});
    const Operand begin = builder_.index(begins_, {p}, code_.span());
    const Operand k = code_.binary(primitives::Operation::Subtract, j, begin);
    Replay again(builder_, Replay::Reads::Yes);
    again.add(body);
    again.rename(body.parameters[0], p);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      again.rename(body.parameters[i + 1], builder_.index(inputs[i], {p}, code_.span()));
    std::vector<Operand> results;
    for (std::size_t i = 0; i < made.size(); ++i) {
      if (type_->leaves[i].is_unit) continue;
      std::optional<Operand> element;
      if (auto pattern = leaves_.pattern(made[i]))
        element = pattern->is_iota ? k : again(pattern->uniform);
      else
        element = element_of(made[i], k, builder_, again);
      if (!element) return std::nullopt;
      results.push_back(*element);
    }
    soac.groups.assign(results.size(), ir::MapGroup{});
    soac.body = scope.close(std::move(results));
    return with_units(
        builder_.append(std::move(soac), Leaves::types(type_, extents()), code_.span()));
  }

  /// By a loop over the pieces.
  std::vector<ValueId> one_by_one() {
    std::vector<ValueId> blank;
    for (const LeafLayout& leaf : type_->leaves) {
      if (leaf.is_unit) continue;
      const Operand zero = Operand::constant(leaf.element, {});
      blank.push_back(leaves_.filled(leaf_type(leaf, extents()), zero));
    }
    Value start = leaves_.array_of(type_, extents(), blank);
    const Value joined =
        loops_.trace_for(ElementType::I64, Operand::i64(0), count_, std::move(start),
                         [&](SymbolicScalar i, Value entered) {
                           const Operand number = code_.operand(i);
                           Value element = leaves_.element(*elements_[0].array(), {number});
                           const Value made = piece(std::span<Value>(&element, 1));
                           return written(*entered.array(), *made.array(),
                                          builder_.index(begins_, {number}, code_.span()));
                         });
    return joined.array()->leaves;
  }

  /// The joined array with a piece in its place.
  Value written(const SymbolicArray& target, const SymbolicArray& piece, const Operand& begin) {
    std::vector<Operand> own{piece.length()};
    own.insert(own.end(), inner_.begin(), inner_.end());
    std::vector<ValueId> results;
    for (std::size_t i = 0; i < target.leaves.size(); ++i) {
      const LeafLayout& leaf = type_->leaves[i];
      if (leaf.is_unit) continue;
      const Operand source = leaves_.with_extents(piece.leaves[i], leaf_type(leaf, own));
      const ir::Type type = builder_.type(target.leaves[i]);
      ir::UpdateSlice update{target.leaves[i], {}, source.value()};
      update.dimensions.assign(type.rank(), {Operand::i64(0), Operand::i64(1)});
      update.dimensions[0].begin = begin;
      results.push_back(builder_.append_one(std::move(update), type, code_.span()));
    }
    return leaves_.array_of(type_, target.extents, results);
  }

  std::vector<ValueId> with_units(const std::vector<ValueId>& results) {
    return leaves_.array_of(type_, extents(), results).array()->leaves;
  }

  Code& code_;
  Leaves& leaves_;
  Soacs& soacs_;
  Loops& loops_;
  ir::Builder& builder_;
  SymbolicSite& site_;
  const Value& function_;
  std::span<const Value> elements_;
  Operand count_;              ///< of pieces
  const Representation* type_; ///< of the joined array
  std::vector<Operand> inner_; ///< its extents but the first
  ValueId lengths_, begins_, piece_of_;
  Operand total_;
};

} // namespace

SymbolicValue flatmap(Code& code, Leaves& leaves, Soacs& soacs, Loops& loops,
                      std::span<SymbolicValue> arguments, SymbolicSite& site) {
  return Pieces(code, leaves, soacs, loops, arguments, site).run();
}

} // namespace sinter::jit
