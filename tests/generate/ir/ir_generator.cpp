#include "tests/generate/ir/ir_generator.h"

#include "tests/generate/ir/ir_writer.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>
#include <variant>

namespace sinter::generate {
namespace {

using namespace ir;
using Op = primitives::Operation;
using Ownership = IrWriter::Ownership;

Type scalar_type(ElementType element) {
  return {element, {}};
}
const Type i64 = scalar_type(ElementType::I64);

Type array_of(const Operand& extent, const Type& element) {
  Type type{element.element, {extent}};
  type.extents.insert(type.extents.end(), element.extents.begin(), element.extents.end());
  return type;
}
Type row_of(const Type& type) {
  return {type.element, {type.extents.begin() + 1, type.extents.end()}};
}
Operand number(ElementType element, int value) {
  return Operand::constant(element, with_cpp_type(element, [&]<typename T>() {
                             return Scalar::of<T>(static_cast<T>(value));
                           }));
}

class Generator {
public:
  Generator(Random& random, const IrOptions& options)
      : random_(random), options_(options), writer_(random) {
    elements_ = {ElementType::I64, ElementType::I64, ElementType::I32, ElementType::U8,
                 ElementType::Bool};
    if (options.floats) {
      elements_.push_back(ElementType::F32);
      elements_.push_back(ElementType::F64);
    }
  }

  Function run() {
    const ValueId n = writer_.parameter(i64, true), m = writer_.parameter(i64, true);
    const std::vector<std::vector<Operand>> shapes = {{n}, {m}, {n, m}, {m, n}, {n}};
    for (const std::vector<Operand>& shape : shapes)
      writer_.parameter({random_.pick(elements_), shape}, true);
    for (int i = 0; i < 3; ++i)
      writer_.parameter(scalar_type(random_.pick(elements_)), true);
    statements(options_.statements);
    std::vector<Operand> results;
    for (std::size_t count = random_.between(1, 4); results.size() < count;)
      results.push_back(*writer_.find([](ValueId, const Type&) { return true; }));
    return writer_.finish(std::move(results));
  }

private:
  using Write = void (Generator::*)();

  void statements(std::size_t count) {
    static constexpr Write simple[] = {
        &Generator::arithmetic, &Generator::arithmetic, &Generator::conversion, &Generator::select,
        &Generator::element,    &Generator::view,       &Generator::fresh};
    static constexpr Write nested[] = {&Generator::branch, &Generator::loop, &Generator::soac,
                                       &Generator::soac,   &Generator::soac, &Generator::soac,
                                       &Generator::filter};
    static constexpr Write consuming[] = {&Generator::update, &Generator::update_slice,
                                          &Generator::scatter, &Generator::histogram};
    for (std::size_t i = 0; i < count; ++i) {
      const bool nests = writer_.depth() <= options_.depth;
      const std::size_t choice = random_.below(100);
      if (options_.checks && !is_in_post_ && choice < 2)
        check();
      else if (options_.updates && choice < 20)
        (this->*consuming[random_.below(nests ? 4 : 2)])();
      else if (nests && choice < 60)
        (this->*nested[random_.below(std::size(nested))])();
      else
        (this->*simple[random_.below(std::size(simple))])();
    }
  }
  /// Fewer statements the deeper.
  void few_statements() { statements(random_.below(5)); }

  // ---- operands

  Operand constant(ElementType element) {
    return number(element, static_cast<int>(random_.below(8)) - (is_signed(element) ? 3 : 0));
  }
  /// A scalar in scope, or a constant.
  Operand scalar(ElementType element) {
    if (random_.chance(15)) return constant(element);
    const auto found =
        writer_.find([&](ValueId, const Type& type) { return type == scalar_type(element); });
    return found ? Operand(*found) : constant(element);
  }
  /// Any value of the type: one in scope, or a new one.
  Operand operand(const Type& type) {
    if (type.is_scalar()) return scalar(type.element);
    const auto found =
        writer_.find([&](ValueId, const Type& candidate) { return candidate == type; });
    return found ? *found : filled(type);
  }
  /// A fresh array of the type.
  ValueId filled(const Type& type) {
    Body body = writer_.body(Ownership::Own, [&]() -> std::vector<Operand> {
      const ValueId i = writer_.parameter(i64, false);
      if (type.rank() > 1) return {filled(row_of(type))};
      return {primitive(*primitives::conversion(ElementType::I64, type.element), {i})};
    });
    return writer_.append_one(Soac{type.extents[0], {}, std::move(body), {MapGroup{}}}, type);
  }
  std::optional<ValueId> array(std::size_t least_rank = 1) {
    return writer_.find(
        [&](ValueId, const Type& type) { return type.rank() >= least_rank && type.rank() <= 3; });
  }
  /// An array that may be consumed here.
  std::optional<ValueId> own_array() {
    const auto found = array();
    if (!found) return std::nullopt;
    if (writer_.may_consume(*found) && random_.chance(70)) return found;
    return writer_.append_one(Copy{*found}, Type(writer_.type(*found)));
  }
  ValueId primitive(const primitives::Primitive& primitive, std::vector<Operand> arguments) {
    return writer_.append_one(Primitive{&primitive, std::move(arguments)},
                              scalar_type(primitive.result));
  }
  ValueId primitive(Op operation, ElementType element, std::vector<Operand> arguments) {
    return primitive(*primitives::find(operation, element), std::move(arguments));
  }
  /// An index into an extent that is surely not 0.
  Operand index_below(const Operand& extent) {
    return primitive(Op::Modulo, ElementType::I64, {scalar(ElementType::I64), extent});
  }
  /// An extent: one in scope that some array has, or a small constant.
  Operand extent() {
    if (random_.chance(20)) return Operand::i64(static_cast<std::int64_t>(random_.below(4)));
    const auto found = array();
    return found ? writer_.type(*found).extents[0] : Operand::i64(3);
  }
  bool is_indexable(const Type& type, std::size_t count) const {
    return std::all_of(type.extents.begin(),
                       type.extents.begin() + static_cast<std::ptrdiff_t>(count),
                       [&](const Operand& extent) { return writer_.is_positive(extent); });
  }

  // ---- simple statements

  void arithmetic() {
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
  void conversion() {
    const ElementType from = random_.pick(elements_), to = random_.pick(elements_);
    primitive(*primitives::conversion(from, to), {scalar(from)});
  }
  void select() {
    const ElementType element = random_.pick(elements_);
    const Operand condition = scalar(ElementType::Bool);
    const Operand then_value = scalar(element);
    writer_.append_one(Select{condition, then_value, scalar(element)}, scalar_type(element));
  }
  /// An element or a row; where the extents may be 0, in a branch.
  void element() {
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
  void view() {
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
  /// A copy, a literal, a join, a tabulation.
  void fresh() {
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
        const ValueId total = primitive(Op::Add, ElementType::I64,
                                        {type.extents[0], writer_.type(*other).extents[0]});
        writer_.append_one(Concat{{*found, *other}}, array_of(total, row_of(type)));
      }
      break;
    default:
      filled({random_.pick(elements_), {extent()}});
    }
  }
  void check() {
    const ValueId condition = primitive(Op::NotEqual, ElementType::I64,
                                        {scalar(ElementType::I64), constant(ElementType::I64)});
    writer_.append(Check{condition, writer_.add_failure("check")}, {});
  }

  // ---- control

  void branch() {
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
  void loop() {
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

  // ---- operators

  /// Neutral elements, and the operator over as many parameters on each side.
  struct Operator {
    std::vector<Operand> neutral;
    std::vector<Type> types;
    Body combine;
    bool is_commutative = true;
  };
  /// Of scalars, on one element type: + and * (which wrap around), min, max, and, or.
  Operator scalar_operator(ElementType element) {
    Op operation = Op::Or;
    Operand neutral = number(element, 0);
    if (is_float(element)) {
      operation = Op::Add;
    } else if (is_number(element)) {
      switch (random_.below(4)) {
      case 0:
        operation = Op::Multiply;
        neutral = number(element, 1);
        break;
      case 1:
        operation = Op::Xor;
        break;
      default:
        operation = Op::Add;
      }
    }
    Body combine = writer_.body(Ownership::Own, [&]() -> std::vector<Operand> {
      const ValueId a = writer_.parameter(scalar_type(element), false);
      const ValueId b = writer_.parameter(scalar_type(element), false);
      return {primitive(operation, element, {a, b})};
    });
    return {{neutral}, {scalar_type(element)}, std::move(combine)};
  }
  /// Composition of x -> a*x + b: associative, not commutative.
  Operator composition() {
    const ElementType element = random_.chance(50) ? ElementType::I64 : ElementType::I32;
    const Type type = scalar_type(element);
    Body combine = writer_.body(Ownership::Own, [&]() -> std::vector<Operand> {
      const ValueId a = writer_.parameter(type, false), b = writer_.parameter(type, false);
      const ValueId c = writer_.parameter(type, false), d = writer_.parameter(type, false);
      const ValueId slope = primitive(Op::Multiply, element, {a, c});
      const ValueId scaled = primitive(Op::Multiply, element, {b, c});
      return {slope, primitive(Op::Add, element, {scaled, d})};
    });
    return {{number(element, 1), number(element, 0)}, {type, type}, std::move(combine), false};
  }
  /// Elementwise addition of rows.
  Operator row_operator(const Type& row) {
    const ValueId zero = zeros(row);
    Body combine = writer_.body(Ownership::Own, [&]() -> std::vector<Operand> {
      const ValueId a = writer_.parameter(row, false), b = writer_.parameter(row, false);
      Body add = writer_.body(Ownership::Own, [&]() -> std::vector<Operand> {
        const Type element = row_of(row);
        writer_.parameter(i64, false);
        const ValueId x = writer_.parameter(element, false);
        const ValueId y = writer_.parameter(element, false);
        return {primitive(Op::Add, row.element, {x, y})};
      });
      return {writer_.append_one(Soac{row.extents[0], {a, b}, std::move(add), {MapGroup{}}}, row)};
    });
    return {{zero}, {row}, std::move(combine)};
  }
  ValueId zeros(const Type& type) {
    Body body = writer_.body(Ownership::Own, [&]() -> std::vector<Operand> {
      writer_.parameter(i64, false);
      return {number(type.element, 0)};
    });
    return writer_.append_one(Soac{type.extents[0], {}, std::move(body), {MapGroup{}}}, type);
  }
  /// What a body may give to an operator: floats as small whole numbers, so that sums are exact.
  Operand element_for(const Type& type) {
    const Operand value = operand(type);
    if (!is_float(type.element) || !options_.exact_sums) return value;
    const ElementType small = ElementType::I8;
    if (type.is_scalar()) {
      const ValueId cut = primitive(*primitives::conversion(type.element, small), {value});
      return primitive(*primitives::conversion(small, type.element), {cut});
    }
    Body body = writer_.body(Ownership::Own, [&]() -> std::vector<Operand> {
      writer_.parameter(i64, false);
      const ValueId x = writer_.parameter(row_of(type), false);
      const ValueId cut = primitive(*primitives::conversion(type.element, small), {x});
      return {primitive(*primitives::conversion(small, type.element), {cut})};
    });
    return writer_.append_one(Soac{type.extents[0], {value.value()}, std::move(body), {MapGroup{}}},
                              type);
  }

  // ---- SOACs

  /// Opens a SOAC's body over an extent: index and elements; `write` gives the results.
  Body soac_body(const Operand& extent, const std::vector<ValueId>& inputs,
                 const std::function<std::vector<Operand>()>& write) {
    return writer_.body(Ownership::Own, [&] {
      writer_.assume_positive(extent); // else the body does not run
      writer_.parameter(i64, false);
      for (ValueId input : inputs)
        writer_.parameter(row_of(writer_.type(input)), false);
      few_statements();
      return write();
    });
  }
  std::vector<ValueId> inputs_of(const Operand& extent) {
    std::vector<ValueId> inputs;
    for (std::size_t count = random_.below(3); inputs.size() < count;) {
      const auto input = writer_.find([&](ValueId, const Type& type) {
        return !type.is_scalar() && type.rank() <= 3 && type.extents[0] == extent;
      });
      if (!input) break;
      inputs.push_back(*input);
    }
    return inputs;
  }

  /// Maps, reductions and scans, several at once.
  void soac() {
    const Operand extent = this->extent();
    const std::vector<ValueId> inputs = inputs_of(extent);
    struct Planned {
      std::size_t kind; ///< 0 map, 1 reduce, 2 scan
      Operator operation;
      std::optional<PlannedPost> post;
    };
    std::vector<Planned> plan;
    for (std::size_t count = random_.between(1, 2); plan.size() < count;) {
      const std::size_t kind = random_.below(3);
      Planned planned{kind, {}};
      if (kind != 0) {
        const auto row = random_.chance(25) ? writer_.find([&](ValueId, const Type& type) {
          return type.rank() == 1 && is_number(type.element);
        })
                                            : std::nullopt;
        planned.operation = row                  ? row_operator(Type(writer_.type(*row)))
                            : random_.chance(25) ? composition()
                                                 : scalar_operator(random_.pick(elements_));
        if (kind == 2 && !row && random_.chance(40)) planned.post = planned_post();
      }
      plan.push_back(std::move(planned));
    }
    std::vector<Type> types;
    Soac soac{extent, inputs, {}, {}};
    soac.body = soac_body(extent, inputs, [&] {
      std::vector<Operand> results;
      for (const Planned& planned : plan) {
        if (planned.kind == 0) {
          const auto result = writer_.find([&](ValueId, const Type& type) {
            return type.rank() <= 2 && writer_.is_known_outside(type, 1);
          });
          results.push_back(*result);
          types.push_back(array_of(extent, Type(writer_.type(*result))));
        }
        for (const Type& type : planned.operation.types) {
          results.push_back(element_for(type));
          if (!planned.post) types.push_back(planned.kind == 1 ? type : array_of(extent, type));
        }
        if (!planned.post) continue;
        for (const ElementType element : planned.post->passed)
          results.push_back(scalar(element));
        const std::vector<Type> made = types_of(*planned.post, extent);
        types.insert(types.end(), made.begin(), made.end());
      }
      return results;
    });
    for (Planned& planned : plan) {
      Operator& operation = planned.operation;
      if (planned.kind == 0)
        soac.groups.push_back(MapGroup{});
      else if (planned.kind == 1)
        soac.groups.push_back(ReduceGroup{std::move(operation.neutral),
                                          std::move(operation.combine),
                                          operation.is_commutative && random_.chance(50)});
      else
        soac.groups.push_back(ScanGroup{std::move(operation.neutral), std::move(operation.combine),
                                        post(planned.post, operation.types)});
    }
    writer_.append(std::move(soac), types);
  }
  /// What becomes of a scan's prefixes: maps (of an element), reductions (by an operator).
  struct PlannedPost {
    std::vector<ElementType> passed;
    std::vector<std::variant<ElementType, Operator>> groups;
  };
  PlannedPost planned_post() {
    PlannedPost planned;
    while (planned.passed.size() < 2 && random_.chance(50))
      planned.passed.push_back(random_.pick(elements_));
    for (std::size_t count = random_.between(1, 2); planned.groups.size() < count;)
      if (random_.chance(50))
        planned.groups.emplace_back(random_.pick(elements_));
      else
        planned.groups.emplace_back(random_.chance(25) ? composition()
                                                       : scalar_operator(random_.pick(elements_)));
    return planned;
  }
  static std::vector<Type> types_of(const PlannedPost& planned, const Operand& extent) {
    std::vector<Type> types;
    for (const auto& group : planned.groups)
      if (const auto* element = std::get_if<ElementType>(&group))
        types.push_back(array_of(extent, scalar_type(*element)));
      else
        types.insert(types.end(), std::get<Operator>(group).types.begin(),
                     std::get<Operator>(group).types.end());
    return types;
  }
  std::vector<Post> post(std::optional<PlannedPost>& planned, const std::vector<Type>& prefixes) {
    if (!planned) return {};
    Post post;
    post.value_count = static_cast<std::uint32_t>(planned->passed.size());
    post.body = writer_.body(Ownership::Own, [&] {
      writer_.parameter(i64, false);
      for (const Type& type : prefixes)
        writer_.parameter(type, false);
      for (const ElementType element : planned->passed)
        writer_.parameter(scalar_type(element), false);
      const bool outside = std::exchange(is_in_post_, true);
      few_statements();
      is_in_post_ = outside;
      std::vector<Operand> results;
      for (const auto& group : planned->groups)
        if (const auto* element = std::get_if<ElementType>(&group))
          results.push_back(scalar(*element));
        else
          for (const Type& type : std::get<Operator>(group).types)
            results.push_back(element_for(type));
      return results;
    });
    for (auto& group : planned->groups)
      if (std::holds_alternative<ElementType>(group)) {
        post.groups.push_back(MapGroup{});
      } else {
        Operator& operation = std::get<Operator>(group);
        post.groups.push_back(ReduceGroup{std::move(operation.neutral),
                                          std::move(operation.combine),
                                          operation.is_commutative && random_.chance(50)});
      }
    std::vector<Post> result;
    result.push_back(std::move(post));
    return result;
  }
  void filter() {
    const Operand extent = this->extent();
    const std::vector<ValueId> inputs = inputs_of(extent);
    const ValueId count = writer_.new_value(i64);
    std::vector<ValueId> results = {count};
    Body body = soac_body(extent, inputs, [&]() -> std::vector<Operand> {
      const Operand keeps = scalar(ElementType::Bool);
      const auto value = writer_.find([&](ValueId, const Type& type) {
        return type.rank() <= 2 && writer_.is_known_outside(type, 1);
      });
      results.push_back(writer_.new_value(array_of(count, Type(writer_.type(*value)))));
      return {keeps, *value};
    });
    writer_.append_defined(Soac{extent, inputs, std::move(body), {FilterGroup{1}}}, results);
  }

  // ---- consumption

  void update() {
    const auto array = own_array();
    if (!array) return;
    const Type type = writer_.type(*array);
    const auto write = [&] {
      std::vector<Operand> indices;
      for (const Operand& extent : type.extents)
        indices.push_back(index_below(extent));
      const Operand value = scalar(type.element);
      return writer_.append_one(Update{*array, std::move(indices), value}, type);
    };
    if (is_indexable(type, type.rank())) {
      const ValueId result = write();
      writer_.consume(*array);
      if (random_.chance(50)) writer_.append_one(Copy{result}, type);
      return;
    }
    // Where there may be no element, in a branch; the other hands the array on.
    if (type.rank() > 1) return;
    const ValueId is_there =
        primitive(Op::Less, ElementType::I64, {Operand::i64(0), type.extents[0]});
    Body then_body = writer_.body(Ownership::Branch, [&]() -> std::vector<Operand> {
      writer_.assume_positive(type.extents[0]);
      return {write()};
    });
    Body else_body =
        writer_.body(Ownership::Branch, [&]() -> std::vector<Operand> { return {*array}; });
    writer_.consume(*array);
    writer_.append_one(If{is_there, std::move(then_body), std::move(else_body)}, type);
  }
  /// The whole array, from behind.
  void update_slice() {
    const auto array = own_array();
    if (!array) return;
    const Type type = writer_.type(*array);
    const auto value = writer_.find([&](ValueId candidate, const Type& other) {
      return other == type && !writer_.may_overlap(candidate, *array);
    });
    if (!value) return;
    UpdateSlice update{*array, {}, *value};
    for (const Operand& extent : type.extents) {
      const ValueId last = primitive(Op::Subtract, ElementType::I64, {extent, Operand::i64(1)});
      update.dimensions.push_back({last, Operand::i64(-1)});
    }
    writer_.consume(*array);
    writer_.append_one(std::move(update), type);
  }
  void scatter() {
    const auto destination = own_array();
    if (!destination) return;
    const Type type = writer_.type(*destination);
    const auto indices = static_cast<std::uint32_t>(random_.between(1, type.rank()));
    const Type value{type.element, {type.extents.begin() + indices, type.extents.end()}};
    writer_.consume(*destination);
    const Operand extent = this->extent();
    const std::vector<ValueId> inputs = inputs_of(extent);
    Body body = soac_body(extent, inputs, [&] {
      std::vector<Operand> results;
      for (std::uint32_t i = 0; i < indices; ++i)
        results.push_back(scalar(ElementType::I64));
      results.push_back(operand(value));
      return results;
    });
    writer_.append_one(Soac{extent, inputs, std::move(body), {ScatterGroup{*destination, indices}}},
                       type);
  }
  void histogram() {
    const auto destination = own_array();
    if (!destination) return;
    const Type type = writer_.type(*destination);
    if (type.rank() > 2) return;
    // The destination's own elements must be small whole numbers too.
    const ElementType element = type.element;
    if (is_float(element)) return;
    Operator operation = type.rank() == 1     ? scalar_operator(element)
                         : is_number(element) ? row_operator(row_of(type))
                                              : Operator{};
    if (operation.neutral.empty()) return;
    writer_.consume(*destination);
    const Operand extent = this->extent();
    const std::vector<ValueId> inputs = inputs_of(extent);
    Body body = soac_body(extent, inputs, [&]() -> std::vector<Operand> {
      const Operand bin = scalar(ElementType::I64);
      return {bin, element_for(operation.types[0])};
    });
    writer_.append_one(
        Soac{extent,
             inputs,
             std::move(body),
             {HistogramGroup{
                 {*destination}, std::move(operation.neutral), std::move(operation.combine), 1}}},
        type);
  }

  Random& random_;
  IrOptions options_;
  IrWriter writer_;
  std::vector<ElementType> elements_;
  bool is_in_post_ = false; ///< where nothing fails
};

} // namespace

Function random_function(Random& random, const IrOptions& options) {
  return Generator(random, options).run();
}

std::vector<DenseValue> random_arguments(const Function& function, Random& random,
                                         std::size_t largest_extent) {
  const auto scalar = [&](ElementType element) {
    return number(element, static_cast<int>(random.below(9)) - (is_unsigned(element) ? 0 : 4))
        .scalar();
  };
  std::vector<bool> is_extent(function.values.size(), false);
  for (ValueId parameter : function.body.parameters)
    for (const Operand& extent : function.type(parameter).extents)
      if (extent.is_value()) is_extent[extent.value().index] = true;
  std::vector<Scalar> scalars(function.values.size());
  std::vector<DenseValue> arguments;
  for (ValueId parameter : function.body.parameters) {
    const Type& type = function.type(parameter);
    if (type.is_scalar()) {
      scalars[parameter.index] =
          is_extent[parameter.index]
              ? Scalar::of(static_cast<std::int64_t>(random.below(largest_extent + 1)))
              : scalar(type.element);
      arguments.push_back(scalars[parameter.index]);
      continue;
    }
    DenseArray array{type.element, {}, {}};
    std::int64_t count = 1;
    for (const Operand& extent : type.extents) {
      const Scalar size = extent.is_constant() ? extent.scalar() : scalars[extent.value().index];
      array.extents.push_back(size.as<std::int64_t>());
      count *= array.extents.back();
    }
    for (std::int64_t i = 0; i < count; ++i)
      array.elements.push_back(scalar(type.element));
    arguments.push_back(std::move(array));
  }
  return arguments;
}

} // namespace sinter::generate
