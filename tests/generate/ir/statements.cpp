// Statements on values at hand, branches and loops.
#include "jit/ir/operator_order.h"
#include "tests/generate/ir/function_generator.h"

#include <algorithm>
#include <utility>

namespace sinter::generate::of_ir {

// ---- simple statements

void Generator::arithmetic() {
  static const std::vector<Op> anywhere = {Op::Add,     Op::Subtract, Op::Multiply, Op::Minimum,
                                           Op::Maximum, Op::Negate,   Op::Absolute, Op::Less,
                                           Op::Equal,   Op::LessEqual};
  static const std::vector<Op> on_integers = {Op::And, Op::Xor, Op::ShiftLeft, Op::ShiftRight,
                                              Op::CountOnes};
  static const std::vector<Op> on_floats = {Op::SquareRoot, Op::Divide, Op::Floor, Op::IsNan};
  static const std::vector<Op> on_bools = {Op::And, Op::Or, Op::Xor, Op::Complement, Op::Equal};
  const ElementType element = random_.pick(elements_);
  const bool is_special = random_.chance(25);
  const Op operation = !is_number(element) ? random_.pick(on_bools)
                       : !is_special       ? random_.pick(anywhere)
                       : is_float(element) ? random_.pick(on_floats)
                                           : random_.pick(on_integers);
  const primitives::Primitive* row = primitives::find(operation, element);
  if (!row) return; // unsigned numbers have no such row
  std::vector<Operand> arguments;
  for (std::uint8_t i = 0; i < row->arity; ++i)
    arguments.push_back(scalar(element));
  primitive(*row, std::move(arguments));
}

void Generator::conversion() {
  const ElementType from = random_.pick(elements_), to = random_.pick(elements_);
  primitive(*primitives::conversion(from, to), {scalar(from)});
}

void Generator::select() {
  const ElementType element = random_.pick(elements_);
  const Operand condition = scalar(ElementType::Bool);
  const Operand then_value = scalar(element);
  writer_.append_one(Select{condition, then_value, scalar(element)}, scalar_type(element));
}

void Generator::chosen_bits() {
  static const std::vector<Op> operations = {Op::Xor, Op::Add, Op::Or, Op::And, Op::Multiply};
  const primitives::Primitive& combine =
      *primitives::find(random_.pick(operations), ElementType::I32);
  static const std::vector<ElementType> types = {ElementType::I64, ElementType::I32,
                                                 ElementType::U8};
  const ElementType type = random_.pick(types);
  const Operand neutral = random_.chance(90)
                              ? Operand::constant(ElementType::I32, *neutral_of_any_order(combine))
                              : number(ElementType::I32, 2);
  const Operand bits = scalar(type);
  const auto row = writer_.find([](ValueId, const Type& candidate) {
    return candidate.element == ElementType::I32 && candidate.rank() == 1 &&
           candidate.extents[0].is_constant() && candidate.extents[0] != Operand::i64(0);
  });
  Operand sum = scalar(ElementType::I32);
  for (int place = 0, count = static_cast<int>(random_.between(6, 12)); place < count; ++place) {
    if (random_.chance(10)) continue;
    const Operand shifted =
        place == 0 ? bits : Operand(primitive(Op::ShiftRight, type, {bits, number(type, place)}));
    const ValueId bit = primitive(Op::And, type, {shifted, number(type, 1)});
    const ValueId is_set = primitive(Op::Equal, type, {bit, number(type, 1)});
    Operand value = number(ElementType::I32, static_cast<int>(random_.below(1000)));
    if (row && random_.chance(50))
      value = writer_.append_one(Index{*row, {index_below(writer_.type(*row).extents[0])}},
                                 scalar_type(ElementType::I32));
    else if (random_.chance(10))
      value = scalar(ElementType::I32);
    if (random_.chance(50)) {
      const ValueId chosen =
          writer_.append_one(Select{is_set, value, neutral}, scalar_type(ElementType::I32));
      sum = primitive(combine, {sum, chosen});
    } else {
      const ValueId next = primitive(combine, {sum, value});
      sum = writer_.append_one(Select{is_set, next, sum}, scalar_type(ElementType::I32));
    }
  }
}

void Generator::element() {
  const auto found = array();
  if (!found) return;
  const Type type = writer_.type(*found);
  const std::size_t count = random_.between(1, type.rank());
  Type element{type.element,
               {type.extents.begin() + static_cast<std::ptrdiff_t>(count), type.extents.end()}};
  const auto take = [&] {
    std::vector<Operand> indices;
    for (std::size_t i = 0; i < count; ++i)
      indices.push_back(index_below(type.extents[i]));
    return writer_.append_one(Index{*found, std::move(indices)}, element,
                              element.is_scalar() ? std::nullopt : found);
  };
  if (is_indexable(type, count)) {
    take();
    return;
  }
  if (count > 1 || !element.is_scalar()) return;
  const ValueId is_there =
      primitive(Op::Less, ElementType::I64, {Operand::i64(0), type.extents[0]});
  Body then_body = writer_.body(Ownership::Branch, [&]() -> std::vector<Operand> {
    writer_.assume_positive(type.extents[0]);
    return {take()};
  });
  Body else_body = writer_.body(
      Ownership::Branch, [&]() -> std::vector<Operand> { return {constant(element.element)}; });
  writer_.append_one(If{is_there, std::move(then_body), std::move(else_body)}, element);
}

void Generator::view() {
  const auto found = array();
  if (!found) return;
  const Type type = writer_.type(*found);
  const std::size_t choice = random_.below(3);
  if (choice == 0) {
    Transpose transpose{*found, {}};
    Type result{type.element, {}};
    for (std::size_t i = type.rank(); i-- > 0;) {
      transpose.permutation.push_back(static_cast<std::uint32_t>(i));
      result.extents.push_back(type.extents[i]);
    }
    writer_.append_one(std::move(transpose), result, found);
  } else if (choice == 1) {
    // Reversed in the first dimension.
    const ValueId last =
        primitive(Op::Subtract, ElementType::I64, {type.extents[0], Operand::i64(1)});
    Slice slice{*found, {{last, Operand::i64(-1)}}};
    for (std::size_t i = 1; i < type.rank(); ++i)
      slice.dimensions.push_back({Operand::i64(0), Operand::i64(1)});
    writer_.append_one(std::move(slice), type, found);
  } else if (type.rank() > 1) {
    const ValueId count =
        primitive(Op::Multiply, ElementType::I64, {type.extents[0], type.extents[1]});
    Type flat{type.element, {count}};
    flat.extents.insert(flat.extents.end(), type.extents.begin() + 2, type.extents.end());
    writer_.append_one(Reshape{*found}, flat, found);
  }
}

void Generator::fresh() {
  const auto found = array();
  switch (random_.below(4)) {
  case 0:
    if (found) writer_.append_one(Copy{*found}, Type(writer_.type(*found)));
    break;
  case 1: {
    const ElementType element = random_.pick(elements_);
    std::vector<Operand> members;
    for (std::size_t count = random_.between(1, 3); members.size() < count;)
      members.push_back(scalar(element));
    const auto count = static_cast<std::int64_t>(members.size());
    writer_.append_one(ArrayLiteral{std::move(members)}, {element, {Operand::i64(count)}});
    break;
  }
  case 2:
    if (found) {
      const Type type = writer_.type(*found);
      const auto other = writer_.find([&](ValueId, const Type& candidate) {
        return !candidate.is_scalar() && candidate.element == type.element &&
               row_of(candidate) == row_of(type);
      });
      const ValueId total =
          primitive(Op::Add, ElementType::I64, {type.extents[0], writer_.type(*other).extents[0]});
      writer_.append_one(Concat{{*found, *other}}, array_of(total, row_of(type)));
    }
    break;
  default:
    filled({random_.pick(elements_), {extent()}});
  }
}

void Generator::check() {
  const ValueId condition = primitive(Op::NotEqual, ElementType::I64,
                                      {scalar(ElementType::I64), constant(ElementType::I64)});
  writer_.append(Check{condition, writer_.add_failure("check")}, {});
}

// ---- control

void Generator::branch() {
  const Operand condition = scalar(ElementType::Bool);
  const auto model = writer_.find([](ValueId, const Type&) { return true; });
  const Type type = model ? Type(writer_.type(*model)) : i64;
  // Arrays that branches make anew, so that the result may be consumed.
  const auto write = [&]() -> std::vector<Operand> {
    few_statements();
    const Operand result = operand(type);
    if (type.is_scalar()) return {result, scalar(ElementType::I64)};
    return {Operand(writer_.append_one(Copy{result.value()}, type)), scalar(ElementType::I64)};
  };
  Body then_body = writer_.body(Ownership::Branch, write);
  Body else_body = writer_.body(Ownership::Branch, write);
  writer_.append(If{condition, std::move(then_body), std::move(else_body)}, {type, i64});
}

void Generator::loop() {
  // The state: a scalar, and an array that the loop owns.
  const ElementType element = random_.pick(elements_);
  std::vector<Operand> initial = {scalar(element)};
  std::vector<Type> types = {scalar_type(element)};
  if (const auto owned = random_.chance(70) ? own_array() : std::nullopt) {
    initial.push_back(*owned);
    types.push_back(writer_.type(*owned));
    writer_.consume(*owned);
  }
  const auto step = [&]() -> std::vector<Operand> {
    few_statements();
    std::vector<Operand> next = {scalar(element)};
    if (types.size() > 1) {
      const auto own = writer_.find([&](ValueId value, const Type& type) {
        return type == types[1] && writer_.is_of_this_body(value);
      });
      const ValueId result = own ? *own : operand(types[1]).value();
      next.push_back(own ? result : writer_.append_one(Copy{result}, types[1]));
    }
    return next;
  };
  if (random_.chance(60)) {
    const ElementType index = random_.chance(70) ? ElementType::I64 : ElementType::I32;
    const Operand bound = random_.chance(50) && index == ElementType::I64
                              ? extent()
                              : Operand(number(index, static_cast<int>(random_.below(4))));
    Body body = writer_.body(Ownership::Own, [&] {
      writer_.parameter(scalar_type(index), true);
      writer_.assume_positive(bound); // else the body does not run
      for (const Type& type : types)
        writer_.parameter(type, true);
      return step();
    });
    writer_.append(For{bound, index, std::move(initial), std::move(body)}, types);
    return;
  }
  // A countdown: the state's first part.
  initial.insert(initial.begin(), Operand::i64(static_cast<std::int64_t>(random_.below(4))));
  std::vector<Type> state = types;
  state.insert(state.begin(), i64);
  Body condition = writer_.body(Ownership::Own, [&]() -> std::vector<Operand> {
    const ValueId left = writer_.parameter(i64, false);
    for (const Type& type : types)
      writer_.parameter(type, false);
    return {primitive(Op::Less, ElementType::I64, {Operand::i64(0), left})};
  });
  Body body = writer_.body(Ownership::Own, [&] {
    const ValueId left = writer_.parameter(i64, true);
    for (const Type& type : types)
      writer_.parameter(type, true);
    std::vector<Operand> next = step();
    next.insert(next.begin(),
                Operand(primitive(Op::Subtract, ElementType::I64, {left, Operand::i64(1)})));
    return next;
  });
  writer_.append(While{std::move(initial), std::move(condition), std::move(body)}, state);
}

void Generator::stream() {
  const auto found = writer_.find([](ValueId, const Type& type) {
    return type.rank() == 1 && !is_float(type.element) && type.element != ElementType::Bool;
  });
  if (!found) return;
  const Type type = writer_.type(*found);
  const Type element = scalar_type(type.element);
  const auto written = writer_.find([&](ValueId candidate, const Type& other) {
    return other == type && writer_.may_consume(candidate) &&
           !writer_.may_overlap(candidate, *found);
  });
  const Op fold = random_.chance(50) ? Op::Add : Op::Xor;
  std::vector<Operand> initial = {scalar(type.element)};
  std::vector<Type> types = {element};
  if (written) {
    initial.push_back(*written);
    types.push_back(type);
    writer_.consume(*written);
  }
  const Operand factor = constant(type.element);
  Body body = writer_.body(Ownership::Own, [&]() -> std::vector<Operand> {
    const ValueId begin = writer_.parameter(i64, true), count = writer_.parameter(i64, true);
    writer_.assume_positive(count);
    const ValueId before = writer_.parameter(element, true);
    std::optional<ValueId> array;
    if (written) array = writer_.parameter(type, true);
    const Type part{type.element, {count}};
    const ValueId piece =
        writer_.append_one(Slice{*found, {{begin, Operand::i64(1)}}}, part, *found);
    // What an element gives depends on where it is in the whole, as its place in a piece may not.
    Soac soac{count, {piece}, {}, {MapGroup{}}};
    soac.body = writer_.body(Ownership::Own, [&]() -> std::vector<Operand> {
      const ValueId here = writer_.parameter(i64, false);
      const ValueId x = writer_.parameter(element, false);
      const ValueId index = primitive(Op::Add, ElementType::I64, {begin, here});
      const ValueId weight =
          primitive(*primitives::conversion(ElementType::I64, type.element), {index});
      const ValueId scaled = primitive(Op::Multiply, type.element, {x, factor});
      const ValueId result = primitive(Op::Xor, type.element, {scaled, weight});
      return {result};
    });
    const ValueId made = writer_.append_one(std::move(soac), part);
    Soac sum{count, {made}, {}, {}};
    sum.body = writer_.body(Ownership::Own, [&]() -> std::vector<Operand> {
      writer_.parameter(i64, false);
      return {writer_.parameter(element, false)};
    });
    Body combine = writer_.body(Ownership::Own, [&]() -> std::vector<Operand> {
      const ValueId a = writer_.parameter(element, false), b = writer_.parameter(element, false);
      return {primitive(fold, type.element, {a, b})};
    });
    sum.groups = {ReduceGroup{{number(type.element, 0)}, std::move(combine)}};
    const ValueId total = writer_.append_one(std::move(sum), element);
    std::vector<Operand> next = {primitive(fold, type.element, {before, total})};
    if (array)
      next.emplace_back(
          writer_.append_one(UpdateSlice{*array, {{begin, Operand::i64(1)}}, made}, type));
    return next;
  });
  writer_.append(Stream{type.extents[0], static_cast<std::uint32_t>(random_.between(1, 3)), 8,
                        std::move(initial), std::move(body)},
                 types);
}

} // namespace sinter::generate::of_ir
