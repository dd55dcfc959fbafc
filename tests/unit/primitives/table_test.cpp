// The table of primitives: every row is complete, and the ways to find one agree.
#include "lang/primitives/primitives.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace sinter;
using namespace sinter::primitives;

TEST_CASE("every primitive has a meaning, a name, documentation and a cost") {
  CHECK(all_primitives().size() > 500);
  for (const Primitive& row : all_primitives()) {
    CAPTURE(row.name);
    CAPTURE(name(row.operand));
    CHECK(bool(row.apply));
    CHECK_FALSE(row.name.empty());
    CHECK(row.documentation.size() > 10);
    CHECK(row.documentation.ends_with('.'));
    CHECK(row.cost >= 1);
    CHECK(row.arity >= 1);
    CHECK(row.arity <= 3);
    CHECK((row.is_defined == nullptr) == row.failure.empty());
    if (row.operation == Operation::Convert)
      CHECK(conversion(row.operand, row.result) == &row);
    else
      CHECK(find(row.operation, row.operand) == &row);
  }
}

TEST_CASE("primitives are total: any bits give a canonical scalar of the result's type") {
  const std::uint64_t patterns[] = {0,
                                    1,
                                    2,
                                    0x7f,
                                    0x80,
                                    0xff,
                                    0x7c00,
                                    0x7e00,
                                    0x8000,
                                    0xffff,
                                    0x7f800000,
                                    0x7fc00000,
                                    0x80000000,
                                    0xffffffff,
                                    0x7ff0000000000000,
                                    0x7ff8000000000000,
                                    0x8000000000000000,
                                    0xffffffffffffffff};
  // A scalar as the element type would store it.
  const auto canonical = [](ElementType element, Scalar scalar) {
    return with_cpp_type(element, [&]<typename T>() { return Scalar::of(scalar.as<T>()); });
  };
  for (const Primitive& row : all_primitives())
    for (std::uint64_t a : patterns)
      for (std::uint64_t b : patterns) {
        const Scalar x = canonical(row.operand, {a});
        const Scalar y = row.operation == Operation::LoadExponent ? canonical(ElementType::I32, {b})
                                                                  : canonical(row.operand, {b});
        const Scalar result = row.apply(x, y, x);
        if (canonical(row.result, result) != result) {
          CAPTURE(row.name);
          FAIL_CHECK("not canonical");
        }
      }
}

TEST_CASE("every intrinsic has a name of its own, a type and documentation") {
  std::set<std::string> names;
  for (const Intrinsic& row : all_intrinsics()) {
    CAPTURE(row.name);
    CHECK(names.insert(row.name).second);
    CHECK_FALSE(row.documentation.empty());
    CHECK(find_intrinsic(row.name) == &row);
    if (const auto* primitive = std::get_if<const Primitive*>(&row.meaning)) {
      REQUIRE(*primitive != nullptr);
      std::size_t arrows = 0;
      for (std::size_t at = row.type.find("->"); at != std::string::npos;
           at = row.type.find("->", at + 1))
        ++arrows;
      CHECK(arrows == (*primitive)->arity);
      CHECK(row.type.starts_with(name((*primitive)->operand)));
      CHECK(row.type.ends_with(name((*primitive)->result)));
    } else {
      CHECK(row.type.find(". ") != std::string::npos);
    }
  }
  CHECK(find_intrinsic("no_such_thing") == nullptr);
}

TEST_CASE("intrinsics are called as programs know them") {
  const auto type = [](std::string_view name) {
    const Intrinsic* row = find_intrinsic(name);
    return row ? row->type : std::string("missing");
  };
  CHECK(type("add8") == "i8 -> i8 -> i8");
  CHECK(type("sdiv32") == "i32 -> i32 -> i32");
  CHECK(type("udiv32") == "u32 -> u32 -> u32");
  CHECK(type("fadd16") == "f16 -> f16 -> f16");
  CHECK(type("slt32") == "i32 -> i32 -> bool");
  CHECK(type("eq_bool") == "bool -> bool -> bool");
  CHECK(type("sext_i8_i64") == "i8 -> i64");
  CHECK(type("zext_u8_i64") == "u8 -> i64");
  CHECK(type("zext_i8_u64") == "i8 -> u64");
  CHECK(type("sext_i8_u64") == "missing");
  CHECK(type("fptosi_f32_i32") == "f32 -> i32");
  CHECK(type("uitofp_u64_f16") == "u64 -> f16");
  CHECK(type("btoi_bool_i64") == "bool -> i64");
  CHECK(type("itob_i8_bool") == "i8 -> bool");
  CHECK(type("log1p_64") == "f64 -> f64");
  CHECK(type("ldexp32") == "f32 -> i32 -> f32");
  CHECK(type("fptobits_f64_u64") == "f64 -> u64");
  CHECK(type("bitstofp_u16_f16") == "u16 -> f16");
  CHECK(type("popc64") == "i64 -> i32");
  CHECK(type("sign_i8") == "u8 -> i8");
  CHECK(type("&&") == "bool -> bool -> bool");
  CHECK(type("map").starts_with("'a 'x [n]."));
  CHECK(type("bitstofp_u8_f8") == "missing");
  CHECK(std::get<ArrayOperation>(find_intrinsic("acc_write")->meaning) ==
        ArrayOperation::AccumulatorWrite);
}

TEST_CASE("operators exist at exactly the types of their class") {
  std::set<std::string_view> symbols;
  for (const OverloadedOperator& row : all_operators()) {
    CAPTURE(row.symbol);
    CHECK(symbols.insert(row.symbol).second);
    CHECK_FALSE(row.documentation.empty());
    for (ElementType element : all_element_types) {
      CAPTURE(name(element));
      const Primitive* primitive = find_operator(row.symbol, element);
      bool expected = true;
      if (row.symbol == "not")
        expected = !is_float(element);
      else if (row.constraint == types::Constraint::Number)
        expected = is_number(element);
      else if (row.constraint == types::Constraint::Integer)
        expected = is_integer(element);
      CHECK((primitive != nullptr) == expected);
      if (!primitive) continue;
      CHECK(primitive->operand == element);
      CHECK(primitive->result == (row.compares ? ElementType::Bool : element));
      CHECK(primitive->arity == (row.symbol == "neg" || row.symbol == "not" ? 1 : 2));
    }
  }
  CHECK(symbols.size() == 21);
  CHECK(find_operator(">>>", ElementType::I32) == nullptr);
  CHECK(find_operator("/", ElementType::F32)->operation == Operation::Divide);
}

TEST_CASE("operations exist where they mean something") {
  CHECK(find(Operation::Sine, ElementType::I32) == nullptr);
  CHECK(find(Operation::Quotient, ElementType::F32) == nullptr);
  CHECK(find(Operation::Add, ElementType::Bool) == nullptr);
  CHECK(find(Operation::FromBits, ElementType::U8) == nullptr);
  CHECK(find(Operation::FromBits, ElementType::U16)->result == ElementType::F16);
  CHECK(find(Operation::ToBits, ElementType::F64)->result == ElementType::U64);
  CHECK(find(Operation::CountOnes, ElementType::U8)->result == ElementType::I32);
  for (ElementType from : all_element_types)
    for (ElementType to : all_element_types)
      CHECK(conversion(from, to) != nullptr);
}
