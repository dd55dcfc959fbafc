#include "lang/values/compression.h"
#include "lang/values/csv.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

struct Fixture {
  MemoryBudget memory;
  Representations representations;

  std::vector<CsvColumn> read(std::string_view text, const CsvOptions& options = {}) {
    return read_csv(text, options, memory, representations);
  }
  std::string text(const CsvColumn& column) {
    std::string out;
    write_text(out, column.values,
               representations.array(1, representations.scalar(column.element)));
    return out;
  }
  std::string written(std::string_view value) {
    ExternalValue read = ValueReader(value, memory, representations).read();
    std::string out;
    write_csv(out, read.value,
              representations.array(static_cast<std::uint32_t>(read.shape.size()),
                                    representations.scalar(read.element)));
    return out;
  }
};

} // namespace

TEST_CASE_FIXTURE(Fixture, "a table has a type for each column, and names if the first line does") {
  auto columns = read("n,x,word\n1,0.5,b\n2,,a\n\n3,1e3,b\n");
  REQUIRE(columns.size() == 3);
  CHECK(columns[0].name == "n");
  CHECK(text(columns[0]) == "[1i64, 2i64, 3i64]");
  CHECK(text(columns[1]) == "[0.5f64, f64.nan, 1000.0f64]");
  CHECK(text(columns[2]) == "[0i64, 1i64, 0i64]");
  CHECK(columns[2].categories == std::vector<std::string>{"b", "a"});
}

TEST_CASE_FIXTURE(Fixture, "numbers in the first line are no header, unless one says so") {
  CHECK(read("1,2\n3,4")[0].name.empty());
  CHECK(text(read("1,2\n3,4")[1]) == "[2i64, 4i64]");
  CsvOptions options;
  options.header = true;
  auto columns = read("1,2\n3,4", options);
  CHECK(columns[1].name == "2");
  CHECK(text(columns[1]) == "[4i64]");
}

TEST_CASE_FIXTURE(Fixture, "other delimiters, lines to skip, quotes, a byte order mark") {
  CHECK(read("1;2;3\n4;5;6").size() == 3);
  CHECK(read("1\t2\n4\t5").size() == 2);
  CsvOptions options;
  options.skip = 2;
  CHECK(text(read("about\nthis, file\n7,8\n", options)[0]) == "[7i64]");
  options = {};
  options.delimiter = ':';
  CHECK(read("1:2\n3:4", options).size() == 2);
  auto quoted = read("\xEF\xBB\xBFname,x\n\"a \"\"b\"\", c\nd\",1\r\n\"e\" , 2\r\n");
  REQUIRE(quoted.size() == 2);
  CHECK(quoted[0].name == "name");
  CHECK(quoted[0].categories == std::vector<std::string>{"a \"b\", c\nd", "e"});
  CHECK(text(quoted[1]) == "[1i64, 2i64]");
}

TEST_CASE_FIXTURE(Fixture, "what is wrong with a table is said with its line") {
  auto message = [&](std::string_view text) {
    try {
      read(text);
      return std::string("read");
    } catch (const FormatError& error) {
      return error.message;
    }
  };
  CHECK(message("1,2\n3,4,5\n") == "line 2 has 3 cells, the lines before it have 2");
  CHECK(message("") == "the table is empty");
  CHECK(message("1,\"a\nb") == "line 1: a quoted cell has no end");
  CHECK(message("\"a\"b,1\n") == "line 1: something stands behind a quoted cell");
}

TEST_CASE_FIXTURE(Fixture, "tables are written as they are read") {
  CHECK(written("[[1, 2], [3, 4]]") == "1,2\n3,4\n");
  CHECK(written("[1.5, f64.nan, -f64.inf]") == "1.5\nnan\n-inf\n");
  auto columns = read("a,b\n1,2.5\n3,4.5\n");
  const Representation* type = representations.record(
      {{"a", representations.array(1, representations.scalar(ElementType::I64))},
       {"b", representations.array(1, representations.scalar(ElementType::F64))}});
  std::string out;
  write_csv(out, Value::record({columns[0].values, columns[1].values}), type);
  CHECK(out == "a,b\n1,2.5\n3,4.5\n");
  CHECK_THROWS_AS(written("3"), FormatError);
}

TEST_CASE("what is compressed is read as it was") {
  std::string text(200'000, 'x');
  text += "end";
  std::string compressed = compress(text);
  CHECK(compressed.size() < 2000);
  CHECK(compressed.starts_with("\x1f\x8b"));
}
