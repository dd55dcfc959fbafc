#include "repl/display/display.h"

#include "lang/values/format.h"

#include <doctest/doctest.h>

#include <string>

using namespace sinter;
using repl::display;

namespace {

struct Display {
  MemoryBudget memory;
  Representations representations;

  std::string show(std::string_view text, const repl::DisplayOptions& options = {}) {
    ValueReader reader(text, memory, representations);
    ExternalValue read = reader.read();
    const Representation* type = representations.scalar(read.element);
    if (!read.shape.empty())
      type = representations.array(static_cast<std::uint32_t>(read.shape.size()), type);
    return display(read.value, type, options);
  }
  static Value integer(std::int32_t value) { return Value(Scalar::of(value)); }
};

} // namespace

TEST_CASE_FIXTURE(Display, "scalars and short vectors stand on one line without suffixes") {
  CHECK(show("3i32") == "3");
  CHECK(show("true") == "true");
  CHECK(show("[1u8, 2u8, 3u8]") == "[1, 2, 3]");
  CHECK(show("empty([0]i32)") == "[]");
}

TEST_CASE_FIXTURE(Display, "the columns of a matrix are aligned") {
  CHECK(show("[[1, 20], [300, 4]]") == "[[  1, 20],\n [300,  4]]");
  CHECK(show("[[0.25, 3.5], [10.0, 4.0]]") == "[[ 0.25, 3.5],\n [10.0,  4.0]]");
}

TEST_CASE_FIXTURE(Display, "what does not fit into the line is left out of a matrix") {
  repl::DisplayOptions options;
  options.width = 20;
  options.max_rows = 4;
  std::string row = "[1000, 2, 3, 4, 5, 6, 7, 8, 9, 10]";
  std::string text = "[" + row;
  for (int i = 1; i < 9; ++i)
    text += ", " + row;
  CHECK(show(text + "]", options) == "[[1000, …, 8, 9, 10],\n"
                                     " [1000, …, 8, 9, 10],\n"
                                     " …,\n"
                                     " [1000, …, 8, 9, 10]]");
  options.width = 10;
  CHECK(show("[" + row + "]", options) == "[[1000, …, 10]]");
}

TEST_CASE_FIXTURE(Display, "higher ranks are planes under their indices") {
  CHECK(show("[[[1, 2]], [[3, 4]]]") == "[0]:\n[[1, 2]]\n[1]:\n[[3, 4]]");
  CHECK(show("[[[[1], [2]]]]") == "[0, 0]:\n[[1],\n [2]]");
  repl::DisplayOptions options;
  options.max_rows = 2;
  CHECK(show("[[[1]], [[2]], [[3]], [[4]], [[5]]]", options) == "[0]:\n[[1]]\n…\n[4]:\n[[5]]");
}

TEST_CASE_FIXTURE(Display, "an empty array of higher rank says its shape") {
  CHECK(show("empty([0][3]f64)") == "empty([0][3]f64)");
  CHECK(show("empty([3][0]i32)") == "empty([3][0]i32)");
}

TEST_CASE_FIXTURE(Display, "floats are rounded where there is no room, or as asked") {
  CHECK(show("3.141592653589793") == "3.141592653589793");
  CHECK(show("[3.141592653589793, 2.0]") == "[3.141592653589793, 2.0]");
  CHECK(show("[[3.141592653589793, 2.0]]") == "[[3.14159, 2.0]]");
  repl::DisplayOptions options;
  options.digits = 3;
  CHECK(show("3.141592653589793", options) == "3.14");
  CHECK(show("[0.000123456, 1234567.0, 0.5]", options) == "[0.000123, 1.23e6, 0.5]");
  options.digits = 17;
  CHECK(show("[[3.141592653589793]]", options) == "[[3.141592653589793]]");
  CHECK(show("f64.nan", options) == "f64.nan");
}

TEST_CASE_FIXTURE(Display, "long arrays are elided and keep both ends") {
  repl::DisplayOptions options;
  options.max_elements = 8;
  std::string text = "[0";
  for (int i = 1; i < 100; ++i)
    text += ", " + std::to_string(i);
  CHECK(show(text + "]", options) == "[0, 1, 2, 3, …, 97, 98, 99]");
}

TEST_CASE_FIXTURE(Display, "an array of exactly the limit is shown whole") {
  repl::DisplayOptions options;
  options.max_elements = 5;
  CHECK(show("[1, 2, 3, 4, 5]", options) == "[1, 2, 3, 4, 5]");
}

TEST_CASE_FIXTURE(Display, "vectors wider than the screen are wrapped and aligned") {
  repl::DisplayOptions options;
  options.width = 16;
  CHECK(show("[1, 22, 333, 4, 5, 6]", options) == "[  1,  22, 333,\n   4,   5,   6]");
}

TEST_CASE_FIXTURE(Display, "records, tuples, units and sums") {
  const Representation* i32 = representations.scalar(ElementType::I32);
  Value two = Value::record({integer(1), integer(2)});
  CHECK(display(two, representations.tuple({i32, i32})) == "(1, 2)");
  CHECK(display(two, representations.record({{"a", i32}, {"b", i32}})) == "{a = 1, b = 2}");
  CHECK(display(Value::unit(), representations.unit()) == "()");
  const Representation* inner = representations.sum({{"none", {}}, {"some", {i32}}});
  const Representation* outer = representations.sum({{"just", {inner}}});
  Value some = Value::sum(1, {integer(3)});
  CHECK(display(some, inner) == "#some 3");
  CHECK(display(Value::sum(0, {some}), outer) == "#just (#some 3)");
  CHECK(display(Value::sum(0, {Value::sum(0, {})}), outer) == "#just #none");
}

TEST_CASE_FIXTURE(Display, "a long record has a line for each field") {
  const Representation* i32 = representations.scalar(ElementType::I32);
  const Representation* type = representations.record({{"first", i32}, {"second", i32}});
  Value two = Value::record({integer(1), integer(2)});
  repl::DisplayOptions narrow;
  narrow.width = 20;
  CHECK(display(two, type, narrow) == "{first = 1,\n second = 2}");
  const Representation* matrix = representations.array(2, i32);
  Value rows = ValueReader("[[1], [2]]", memory, representations).read().value;
  CHECK(display(Value::record({integer(7), rows}),
                representations.record({{"a", i32}, {"m", matrix}})) ==
        "{a = 7,\n m = [[1],\n      [2]]}");
}

TEST_CASE_FIXTURE(Display, "a result that does not fit beside its type stands below it") {
  const Representation* i32 = representations.scalar(ElementType::I32);
  CHECK(repl::display_result("i32", integer(3), i32) == "i32: 3");
  repl::DisplayOptions narrow;
  narrow.width = 5;
  CHECK(repl::display_result("i32", integer(3), i32, narrow) == "i32:\n3");
}

namespace {

/// A table of three columns, one of them words, whose fields are seen in another order.
struct TableDisplay : Display {
  std::string show_table(std::int64_t rows, const repl::DisplayOptions& options) {
    std::string numbers = "[", codes = "[";
    for (std::int64_t i = 0; i < rows; ++i) {
      numbers += (i > 0 ? ", " : "") + std::to_string(i * i) + ".5f64";
      codes += (i > 0 ? ", " : "") + std::to_string(i % 3) + "i64";
    }
    const std::string words = "[[195u8, 188u8, 0u8, 0u8], [27u8, 10u8, 98u8, 0u8]]";
    auto read = [&](const std::string& text) {
      return ValueReader(text, memory, representations).read().value;
    };
    const Representation* f64s = representations.array(1, representations.scalar(ElementType::F64));
    const Representation* i64s = representations.array(1, representations.scalar(ElementType::I64));
    const Representation* bytes = representations.array(2, representations.scalar(ElementType::U8));
    const Representation* type = representations.record(
        {{"code", i64s}, {"kind", i64s}, {"kind_words", bytes}, {"x", f64s}});
    const Value table =
        Value::record({read(codes + "]"), read(codes + "]"), read(words), read(numbers + "]")});
    return display(table, type, options, {{3, 1, 0, 2}, {}});
  }
};

} // namespace

TEST_CASE_FIXTURE(TableDisplay, "a record of columns is a table in the order of its source") {
  CHECK(show_table(3, {}) == "     x  kind     code\n"
                             "   f64  words     i64\n"
                             "0  0.5  ü           0\n"
                             "1  1.5  \\x1b\\nb     1\n"
                             "2  4.5  2           2");
}

TEST_CASE_FIXTURE(TableDisplay, "a long table has its first and last rows, a wide one columns") {
  repl::DisplayOptions options;
  options.max_rows = 5;
  CHECK(show_table(100, options) == "         x  kind     code\n"
                                    "       f64  words     i64\n"
                                    " 0     0.5  ü           0\n"
                                    " 1     1.5  \\x1b\\nb     1\n"
                                    " 2     4.5  2           2\n"
                                    " …       …  …           …\n"
                                    "99  9801.5  ü           0\n"
                                    "100 rows, 3 columns");
  options.width = 16;
  CHECK(show_table(2, options) == "     x  …  code\n"
                                  "   f64  …   i64\n"
                                  "0  0.5  …     0\n"
                                  "1  1.5  …     1\n"
                                  "2 rows, 3 columns");
}
