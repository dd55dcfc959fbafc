#include "lang/base/runtime_error.h"
#include "lang/values/format.h"
#include "tests/unit/values/sample.h"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>

using namespace sinter;
using namespace sinter::test;

namespace {

std::string text_of(const Value& value, const Representation* type) {
  std::string out;
  write_text(out, value, type);
  return out;
}

const Representation* type_of(World& world, const ExternalValue& value) {
  return world.types.array(static_cast<std::uint32_t>(value.shape.size()), world.of(value.element));
}

/// All values of an input, as text again with a space between.
std::string reread(World& world, std::string_view input,
                   std::optional<ElementType> wanted = std::nullopt,
                   std::optional<std::uint32_t> rank = std::nullopt) {
  ValueReader reader(input, world.memory, world.types);
  std::string out;
  while (!reader.at_end()) {
    ExternalValue value = reader.read(wanted, rank);
    if (value.value.is_array()) CHECK(value.value.array()->shape == value.shape);
    if (!out.empty()) out += ' ';
    out += text_of(value.value, type_of(world, value));
  }
  return out;
}

std::string malformed(World& world, std::string_view input,
                      std::optional<ElementType> wanted = std::nullopt,
                      std::optional<std::uint32_t> rank = std::nullopt) {
  try {
    return "read as " + reread(world, input, wanted, rank);
  } catch (const FormatError& error) {
    return error.message;
  }
}

/// Bytes with zeros inside.
template <std::size_t N>
std::string bytes(const char (&text)[N]) {
  return {text, N - 1};
}

Value random_value(World& world, std::mt19937_64& engine, ElementType element,
                   const Extents& shape) {
  auto next = [&] {
    return with_cpp_type(element, [&]<typename T>() {
      if constexpr (std::is_same_v<T, bool>) return Scalar::of((engine() & 1) != 0);
      std::uint64_t bits = engine();
      if (engine() % 4 == 0) bits = engine() % 8; // small ones, zeros
      T value;
      std::memcpy(&value, &bits, sizeof value);
      // NaNs have many bit patterns and one text.
      if (value != value) value = static_cast<T>(0);
      return Scalar::of(value);
    });
  };
  if (shape.empty()) return next();
  ArrayRef array = allocate_array(world.memory, world.of(element), shape);
  for (std::int64_t i = 0; i < element_count(shape); ++i)
    store_scalar(element, array->leaves[0].buffer->overwrite(), i, next());
  return array;
}

} // namespace

TEST_CASE("values of every type and shape survive every format, also as views") {
  World world;
  const std::uint64_t seed = 7041;
  CAPTURE(seed);
  std::mt19937_64 engine(seed);
  const Extents shapes[] = {{},     {0},    {1},       {5},       {3, 4},
                            {0, 3}, {3, 0}, {2, 1, 3}, {1, 1, 1}, {2, 0, 2}};
  for (ElementType element : all_element_types)
    for (const Extents& shape : shapes)
      for (int view = 0; view < 4; ++view) {
        CAPTURE(std::string(name(element)));
        CAPTURE(shape_text(shape));
        CAPTURE(view);
        Value value = random_value(world, engine, element, shape);
        auto rank = static_cast<std::uint32_t>(shape.size());
        if (view > 0 && rank > 0) {
          ArrayRef array = value.array();
          if (view == 1) {
            array = slice_view(array, 0, shape[0] - 1, shape[0], -1);
          } else if (view == 2) {
            array = transpose_view(array, 0, rank - 1);
          } else if (shape[rank - 1] > 0) {
            array = slice_view(array, rank - 1, shape[rank - 1] - 1, (shape[rank - 1] + 1) / 2, -2);
            if (shape[rank - 1] == 1) array = slice_view(array, rank - 1, 0, 1, 1);
          }
          value = array;
        }
        const Representation* type = world.types.array(rank, world.of(element));
        Extents expected = value.is_array() ? value.array()->shape : Extents{};
        std::string text, binary, npy;
        write_text(text, value, type);
        write_binary(binary, value, type);
        write_npy(npy, value, type);
        std::string all = text + "\n" + binary + " " + npy + binary + text;
        ValueReader reader(all, world.memory, world.types);
        for (int i = 0; i < 5; ++i) {
          REQUIRE_FALSE(reader.at_end());
          ExternalValue back = i % 2 ? reader.read() : reader.read(element, rank);
          CHECK(back.element == element);
          CHECK(back.shape == expected);
          CHECK(equal(back.value, value, type));
          std::string again;
          write_binary(again, back.value, type);
          CHECK(again == binary); // to the bit
        }
        CHECK(reader.at_end());
        CHECK(equal(read_npy(npy, world.memory, world.types).value, value, type));
      }
  CHECK(world.memory.in_use() == 0);
}

TEST_CASE("text that readers accept") {
  World world;
  struct {
    const char* input;
    const char* expected;
  } table[] = {
      {"1", "1i32"},
      {"  -- a comment\n 2.5 -- behind", "2.5f64"},
      {"[1, 2,3]", "[1i32, 2i32, 3i32]"},
      {"[1i8]", "[1i8]"},
      {"[1,]", "[1i32]"},
      {"[[1, 2], [3, 4],]", "[[1i32, 2i32], [3i32, 4i32]]"},
      {"[[1_0, 0x1_0], [0b11, -4]]", "[[10i32, 16i32], [3i32, -4i32]]"},
      {"[ -- nothing\n 1 -- one\n , 2 ]", "[1i32, 2i32]"},
      {"[1.0, 2, 3e2, .5, 0x1p4, nan, -inf]",
       "[1.0f64, 2.0f64, 300.0f64, 0.5f64, 16.0f64, f64.nan, -f64.inf]"},
      {"[f32.inf, 1f32, -f32.inf, f32.nan]", "[f32.inf, 1.0f32, -f32.inf, f32.nan]"},
      {"[true,false]", "[true, false]"},
      {"true false", "true false"},
      {"empty([0]i32)", "empty([0]i32)"},
      {"empty ( [0] [2] f64 )", "empty([0][2]f64)"},
      {"empty([2][0]bool)", "empty([2][0]bool)"},
      {"empty(i32)", "empty([0]i32)"},
      {"empty([]i32)", "empty([0]i32)"},
      {"[empty([0]i32), empty([0]i32)]", "empty([2][0]i32)"},
      {"\"ab\\n\\\"\"", "[97u8, 98u8, 10u8, 34u8]"},
      {"\"\"", "empty([0]u8)"},
      {"[\"ab\", \"cd\"]", "[[97u8, 98u8], [99u8, 100u8]]"},
      {"'a' '\\n'", "97u8 10u8"},
      {"- 5", "-5i32"},
      {"[- 5, - 6.0]", "malformed"},
      {"1 2\t3\r\n4", "1i32 2i32 3i32 4i32"},
      {"[1i64]5u8[true]", "[1i64] 5u8 [true]"},
  };
  for (auto& row : table) {
    CAPTURE(row.input);
    if (std::string_view(row.expected) == "malformed")
      CHECK_THROWS_AS(reread(world, row.input), FormatError);
    else
      CHECK(reread(world, row.input) == row.expected);
  }
  CHECK(reread(world, "[1, 2]", ElementType::F32) == "[1.0f32, 2.0f32]");
  CHECK(reread(world, "7", ElementType::U8, 0) == "7u8");
  CHECK(reread(world, "'a'", ElementType::I32) == "97i32");
  CHECK(reread(world, "[0xff]", ElementType::F16) == "[255.0f16]");
  CHECK(reread(world, "nan", ElementType::F16) == "f16.nan");
  CHECK(reread(world, "") == "");
  CHECK(reread(world, " -- only a comment") == "");
}

TEST_CASE("malformed text is an error with its place") {
  World world;
  struct {
    const char* input;
    const char* expected;
  } table[] = {
      {"[1, 2", "line 1, column 6: expected `,` or `]`, found the end of the input"},
      {"[1,\n 2 3]", "line 2, column 4: expected `,` or `]`, found `3`"},
      {"[", "line 1, column 2: expected a value, found the end of the input"},
      {"[]", "line 1, column 1: the type of `[]` is not known: an empty array is written "
             "`empty([0]i32)`"},
      {"[1,,2]", "line 1, column 4: expected an element or `]`, found `,`"},
      {"]", "line 1, column 1: expected a value, found `]`"},
      {"[[1, 2], [3]]",
       "line 1, column 10: irregular array: an element of shape [1] among elements of shape [2]"},
      {"[1, [2]]", "line 1, column 5: irregular array: an array among scalars"},
      {"[[1], 2]", "line 1, column 7: irregular array: an element of shape of a scalar among "
                   "elements of shape [1]"},
      {"[1, 2.0]", "line 1, column 5: expected a value of type i32, found `2.0` of type f64"},
      {"[1i8, 2u8]", "line 1, column 7: expected a value of type i8, found `2u8` of type u8"},
      {"[true, 1]", "line 1, column 8: expected a value of type bool, found `1` of type i32"},
      {"hello", "line 1, column 1: expected a value, found `hello`"},
      {"1e", "line 1, column 1: malformed number `1e`"},
      {"0x", "line 1, column 1: malformed number `0x`"},
      {"99999999999", "line 1, column 1: the number `99999999999` does not fit into i32"},
      {"[1, -300i8]", "line 1, column 5: expected a value of type i32, found `-300i8` of type i8"},
      {"(1, 2)", "line 1, column 1: records, tuples and sums cannot be read as values"},
      {"{a = 1}", "line 1, column 1: records, tuples and sums cannot be read as values"},
      {"#some 1", "line 1, column 1: records, tuples and sums cannot be read as values"},
      {"\"abc", "line 1, column 1: the string has no end"},
      {"\"\\q\"", "line 1, column 2: unknown escape in a string"},
      {"'ab'", "line 1, column 1: the character has no end"},
      {"'", "line 1, column 1: the character has no end"},
      {"'\\", "line 1, column 2: unknown escape in a string"},
      {"empty", "line 1, column 6: expected `(` behind `empty`, found the end of the input"},
      {"empty([1]i32)", "line 1, column 1: `empty` needs a size of 0, found [1]"},
      {"empty([0]x)", "line 1, column 10: expected an element type, found `x`"},
      {"empty([-1]i32)", "line 1, column 8: expected a size, found `-1`"},
      {"empty([0]i32", "line 1, column 13: expected `)`, found the end of the input"},
      {"emptyness", "line 1, column 1: expected a value, found `emptyness`"},
      {"\x01", "line 1, column 1: expected a value, found the byte 0x01"},
      {"b", "line 1, column 1: expected a value, found `b`"},
  };
  for (auto& row : table) {
    CAPTURE(row.input);
    CHECK(malformed(world, row.input) == row.expected);
  }
  CHECK(malformed(world, "[1.0]", ElementType::I32, 1) ==
        "line 1, column 2: expected a value of type i32, found `1.0` of type f64");
  CHECK(malformed(world, "\n 1", ElementType::I32, 1) ==
        "line 2, column 2: expected a value of type []i32, found one of type i32");
  CHECK(malformed(world, "[1]", std::nullopt, 2) ==
        "line 1, column 1: expected a value of rank 2, found one of type []i32");
  CHECK(malformed(world, "\"ab\"", ElementType::I32, 1) ==
        "line 1, column 1: expected a value of type i32, found a string, which has type []u8");
  CHECK(malformed(world, "empty([0]i64)", ElementType::I32, 1) ==
        "line 1, column 1: expected a value of type i32, found an array of type i64");
  CHECK(malformed(world, "'a'", ElementType::F32) ==
        "line 1, column 1: expected a value of type f32, found a character, which has type u8");
  ValueReader reader("  ", world.memory, world.types);
  CHECK_THROWS_WITH_AS(reader.read(ElementType::I32, 2),
                       "expected a value of type [][]i32, found the end of the input", FormatError);
  CHECK(malformed(world, std::string(100, '[')).find("nested more than 64 deep") !=
        std::string::npos);
  CHECK(malformed(world, std::string(1'000'000, '[')).find("nested") != std::string::npos);
  CHECK(world.memory.in_use() == 0);
}

TEST_CASE("the binary format, byte by byte") {
  World world;
  std::string one = bytes("b\x02\x00 i32\x05\x00\x00\x00");
  CHECK(reread(world, one) == "5i32");
  std::string out;
  write_binary(out, scalar(5), world.i32());
  CHECK(out == one);
  std::string matrix = bytes("b\x02\x02  u8\x02\0\0\0\0\0\0\0\x03\0\0\0\0\0\0\0\1\2\3\4\5\6");
  CHECK(reread(world, matrix) == "[[1u8, 2u8, 3u8], [4u8, 5u8, 6u8]]");
  CHECK(reread(world, "1 " + matrix + "true\n" + one + "\n[2]") ==
        "1i32 [[1u8, 2u8, 3u8], [4u8, 5u8, 6u8]] true 5i32 [2i32]");
  std::string bools = bytes("b\x02\x01"
                            "bool\x02\0\0\0\0\0\0\0\1\0");
  CHECK(reread(world, bools) == "[true, false]");

  // Every prefix is an error.
  for (std::size_t i = 1; i < matrix.size(); ++i) {
    CAPTURE(i);
    CHECK_THROWS_AS(reread(world, matrix.substr(0, i)), FormatError);
  }
  CHECK(malformed(world, bytes("b\x03\x00 i32\x05\0\0\0")) ==
        "byte 1: the binary format has version 3, only version 2 can be read");
  CHECK(malformed(world, bytes("b\x02\x00 x32\x05\0\0\0")) ==
        "byte 3: ` x32` is no element type of the binary format");
  CHECK(malformed(world, bytes("b\x02\x00i32 \x05\0\0\0")) ==
        "byte 3: `i32 ` is no element type of the binary format");
  CHECK(malformed(world, bytes("b\x02\x00"
                               "bool\x02")) == "byte 7: a bool must be a byte 0 or 1, found 2");
  CHECK(malformed(world, one, ElementType::I64, 0) ==
        "byte 0: expected a value of type i64, found one of type i32");
  // 2^60 elements, and extents whose product overflows.
  CHECK(malformed(world, bytes("b\x02\x01 i64\0\0\0\0\0\0\0\x10xx")) ==
        "byte 0: an array of shape [1152921504606846976] and type i64 needs more elements than the "
        "0 that follow");
  CHECK(malformed(world, bytes("b\x02\x02  i8\0\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0x"))
            .find("needs more elements than the 1 that follow") != std::string::npos);
  CHECK(malformed(world, bytes("b\x02\x01  i8\0\0\0\0\0\0\0\x80"))
            .find("is larger than any array's") != std::string::npos);
  CHECK(reread(world, bytes("b\x02\x02  i8\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x10")) ==
        "empty([0][1152921504606846976]i8)");
  CHECK(world.memory.in_use() == 0);
}

TEST_CASE(".npy files as NumPy writes them") {
  World world;
  auto file = [](const std::string& head, const std::string& dictionary, std::size_t length,
                 const std::string& data) {
    std::string padded = dictionary;
    padded.resize(length - 1, ' ');
    return head + padded + "\n" + data;
  };
  auto read = [&](const std::string& data) {
    ExternalValue value = read_npy(data, world.memory, world.types);
    return text_of(value.value, type_of(world, value));
  };
  std::string i32 = file(bytes("\x93NUMPY\x01\0v\0"),
                         "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }", 0x76,
                         bytes("\1\0\0\0\2\0\0\0\3\0\0\0\4\0\0\0\5\0\0\0\6\0\0\0"));
  CHECK(read(i32) == "[[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]]");
  std::string out;
  write_npy(out, world.matrix(2, 3), world.types.array(2, world.i32()));
  CHECK(out.substr(0, 128) == i32.substr(0, 128)); // the same header, to the byte
  std::string fortran =
      file(bytes("\x93NUMPY\x02\0t\0\0\0"),
           "{'descr': '<f8', 'fortran_order': True, 'shape': (2, 3), }", 0x74,
           bytes("\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\x10\x40\0\0\0\0\0\0\0\x40\0\0\0\0\0\0\x14\x40\0"
                 "\0\0\0\0\0\x08\x40\0\0\0\0\0\0\x18\x40"));
  CHECK(read(fortran) == "[[1.0f64, 2.0f64, 3.0f64], [4.0f64, 5.0f64, 6.0f64]]");
  CHECK(read(file(bytes("\x93NUMPY\x03\0t\0\0\0"),
                  "{'descr': '>i2', 'fortran_order': False, 'shape': (2,), }", 0x74,
                  "\x01\x02\xff\xff")) == "[258i16, -1i16]");
  CHECK(read(file(bytes("\x93NUMPY\x01\0v\0"),
                  "{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }", 0x76,
                  bytes("\1\0"))) == "[true, false]");
  CHECK(read(file(bytes("\x93NUMPY\x01\0v\0"),
                  "{'descr': '<f2', 'fortran_order': False, 'shape': (1,), }", 0x76,
                  bytes("\0\x3e"))) == "[1.5f16]");
  CHECK(read(file(bytes("\x93NUMPY\x01\0v\0"),
                  "{'descr': '<u8', 'fortran_order': False, 'shape': (), }", 0x76,
                  bytes("\7\0\0\0\0\0\0\0"))) == "7u64");
  CHECK(read(file(bytes("\x93NUMPY\x01\0v\0"),
                  "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3), }", 0x76, "")) ==
        "empty([0][3]f32)");

  CHECK(read(file(bytes("\x93NUMPY\x01\0v\0"),
                  "{'descr': '>c8', 'fortran_order': False, 'shape': (2,), }", 0x76,
                  bytes("\x3f\x80\0\0\x40\0\0\0\x40\x40\0\0\x40\x80\0\0"))) ==
        "[[1.0f32, 2.0f32], [3.0f32, 4.0f32]]");
  CHECK(read(file(bytes("\x93NUMPY\x01\0v\0"),
                  "{'descr': '|S3', 'fortran_order': True, 'shape': (2, 2), }", 0x76,
                  bytes("ab\0c\0\0def\0\0\0"))) ==
        "[[[97u8, 98u8, 0u8], [100u8, 101u8, 102u8]], [[99u8, 0u8, 0u8], [0u8, 0u8, 0u8]]]");
  // Letters of four bytes become UTF-8, as long as the longest string needs.
  CHECK(read(file(bytes("\x93NUMPY\x01\0v\0"),
                  "{'descr': '<U3', 'fortran_order': False, 'shape': (2,), }", 0x76,
                  bytes("\xfc\0\0\0a\0\0\0\0\0\0\0b\0\0\0\0\0\0\0\0\0\0\0"))) ==
        "[[195u8, 188u8, 97u8], [98u8, 0u8, 0u8]]");
  CHECK(read(file(bytes("\x93NUMPY\x01\0v\0"),
                  "{'descr': '>U1', 'fortran_order': False, 'shape': (2,), }", 0x76,
                  bytes("\0\0\x20\xac\0\x01\xf6\0"))) == // a sign of money, a face
        "[[226u8, 130u8, 172u8, 0u8], [240u8, 159u8, 152u8, 128u8]]");
  {
    const Representation* f64 = world.types.scalar(ElementType::F64);
    const std::string numbers = "[[1.0f64, 2.0f64], [3.0f64, 4.0f64], [5.0f64, 6.0f64]]";
    ExternalValue pairs = ValueReader(numbers, world.memory, world.types).read();
    ArrayRef array = ArrayRef::adopt(new ArrayObject);
    array->element = world.types.tuple({f64, f64});
    array->shape = Extents{3};
    for (std::int64_t part : {0, 1}) {
      Leaf leaf = pairs.value.array()->leaves[0];
      leaf.offset = part;
      leaf.extents = Extents{3};
      leaf.strides = Extents{2};
      array->leaves.push_back(std::move(leaf));
    }
    std::string written;
    write_npy(written, Value(array), world.types.array(1, array->element));
    CHECK(written.find("'<c16'") != std::string::npos);
    CHECK(read(written) == numbers);
    CHECK(read_npy(written, world.memory, world.types).is_complex);
  }

  auto fails = [&](const std::string& data) -> std::string {
    try {
      return "read as " + read(data);
    } catch (const FormatError& error) {
      return error.message;
    }
  };
  for (std::size_t i = 0; i < i32.size(); ++i)
    CHECK(fails(i32.substr(0, i)).starts_with("byte "));
  CHECK(fails(i32 + "x") == "byte 152: 1 bytes are left behind the .npy array");
  auto dictionary = [&](const std::string& text) {
    return fails(file(bytes("\x93NUMPY\x01\0v\0"), text, 0x76, ""));
  };
  CHECK(dictionary("{'descr': '<c8', 'fortran_order': False, 'shape': (2,), }") ==
        "byte 0: an array of shape [2][2] and type f32 needs more elements than the 0 that follow");
  CHECK(dictionary("{'descr': '<M8[ns]', 'fortran_order': False, 'shape': (2,), }") ==
        "byte 20: the element type '<M8[ns]' of a .npy file is none of ours");
  CHECK(dictionary("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (2,), }") ==
        "byte 20: records in .npy files cannot be read, only arrays of numbers, bools and "
        "strings");
  CHECK(dictionary("{'descr': '<i4', 'fortran_order': 1, 'shape': (2,), }")
            .ends_with("expected True or False as 'fortran_order'"));
  CHECK(dictionary("{'descr': '<i4', 'fortran_order': False, 'shape': (-2,), }")
            .ends_with("expected a size in the .npy header"));
  CHECK(dictionary("{'descr': '<i4', 'fortran_order': False, 'shape': (1152921504606846976,), }")
            .find("needs more elements than the 0 that follow") != std::string::npos);
  CHECK(dictionary("{'descr': '<i8', 'fortran_order': True, 'shape': (4294967296, 4294967296), }")
            .find("needs more elements than the 0 that follow") != std::string::npos);
  CHECK(dictionary("{'descr': <i4, 'fortran_order': False, 'shape': (1,), }") ==
        "byte 20: expected a quoted name in the .npy header");
  CHECK(dictionary("{'descr': '<i4', 'shape': (1,), }").find("lacks") != std::string::npos);
  CHECK(dictionary("{'colour': 1}").find("unknown key 'colour'") != std::string::npos);
  CHECK(dictionary("").starts_with("byte 128: expected `{`"));
  CHECK(fails(bytes("\x93NUMPY\x04\0v\0")) == "byte 6: .npy version 4 cannot be read, only 1 to 3");
  CHECK(fails("hello, world") == "byte 0: this is no .npy file: it lacks the magic bytes");
  CHECK(world.memory.in_use() == 0);
}

TEST_CASE("values for people") {
  World world;
  auto& t = world.types;
  const Representation* option = t.sum({{"none", {}}, {"some", {world.i32()}}});
  const Representation* two = t.sum({{"two", {option, option}}});
  Value some = Value::sum(1, {scalar(1)});
  Value none = Value::sum(0, {});
  CHECK(print_value(scalar(1), world.i32()) == "1i32");
  CHECK(print_value(Value::unit(), t.unit()) == "()");
  CHECK(print_value(Value::record({scalar(1), scalar(true)}),
                    t.tuple({world.i32(), world.boolean()})) == "(1i32, true)");
  CHECK(print_value(Value::record({scalar(1)}), t.record({{"a", world.i32()}})) == "{a = 1i32}");
  // Not a tuple, though it has a field 0.
  CHECK(print_value(Value::record({scalar(1), scalar(2)}),
                    t.record({{"0", world.i32()}, {"a", world.i32()}})) == "{0 = 1i32, a = 2i32}");
  CHECK(print_value(some, option) == "#some 1i32");
  CHECK(print_value(Value::sum(0, {some, none}), two) == "#two (#some 1i32) #none");
  std::vector<Value> elements{some, none};
  CHECK(print_value(make_array_from_elements(world.memory, option, elements), t.array(1, option)) ==
        "[#some 1i32, #none]");
  CHECK(print_value(replicate(world.memory, option, 0, none), t.array(1, option)) ==
        "empty([0](#none | #some i32))");
  CHECK(print_value(Value::function(nullptr, {}), t.function()) == "<function>");
  CHECK(print_value(world.matrix(2, 2), t.array(2, world.i32())) == "[[0i32, 1i32], [2i32, 3i32]]");
  CHECK(print_value(world.matrix(1, 100), t.array(2, world.i32()), 50) ==
        "[[0i32, 1i32, 2i32, ..., 97i32, 98i32, 99i32]]");
  CHECK(print_value(world.matrix(20, 1), t.array(2, world.i32()), 10) ==
        "[[0i32], [1i32], [2i32], ..., [17i32], [18i32], [19i32]]");
  CHECK(print_value(world.matrix(20, 1), t.array(2, world.i32()), 20).find("...") ==
        std::string::npos);
  CHECK(text_of(Value::unit(), t.unit()) == "()");
  CHECK(text_of(replicate(world.memory, t.unit(), 2, Value::unit()), t.array(1, t.unit())) ==
        "[(), ()]");
  std::string out;
  CHECK_THROWS_AS(write_text(out, some, option), FormatError);
  CHECK_THROWS_AS(write_binary(out, some, option), FormatError);
  CHECK_THROWS_AS(write_npy(out, some, option), FormatError);
}

TEST_CASE("reading stays within the budget") {
  World world;
  world.memory.set_limit(1000);
  std::string many = "[1";
  for (int i = 0; i < 1000; ++i)
    many += ",1";
  CHECK_THROWS_AS(reread(world, many + "]"), RuntimeError);
  CHECK(world.memory.in_use() == 0);
}

TEST_CASE("long arrays of all types read fast and right") {
  World world;
  for (ElementType element : all_element_types) {
    std::mt19937_64 engine(3);
    Value value = random_value(world, engine, element, {300, 100});
    const Representation* type = world.types.array(2, world.of(element));
    std::string text = text_of(value, type);
    ValueReader reader(text, world.memory, world.types);
    ExternalValue back = reader.read(element, 2);
    CHECK(equal(back.value, value, type));
    // No more than a third of the buffer is wasted.
    CHECK(back.value.array()->leaves[0].buffer->bytes() <= 30000 * byte_size(element) * 3 / 2 + 64);
  }
}
