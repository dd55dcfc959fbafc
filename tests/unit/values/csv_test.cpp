#include "lang/values/csv.h"
#include "lang/values/table.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

struct Fixture {
  MemoryBudget memory;
  Representations representations;

  CsvTable table(std::string_view text, const CsvOptions& options = {}) {
    return read_csv(text, options, memory, representations);
  }
  std::vector<CsvColumn> read(std::string_view text, const CsvOptions& options = {}) {
    return table(text, options).columns;
  }
  std::string text(const CsvColumn& column) {
    std::string out;
    write_text(out, column.values,
               representations.array(1, representations.scalar(column.element)));
    return out;
  }
  std::string message(std::string_view text, const CsvOptions& options = {}) {
    try {
      read(text, options);
      return "read";
    } catch (const FormatError& error) {
      return error.message;
    }
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

CsvOptions with_type(const std::string& column, std::string_view type) {
  CsvOptions options;
  options.types.emplace_back(column, *csv_type(type));
  return options;
}

} // namespace

TEST_CASE_FIXTURE(Fixture, "a table has a type for each column, and names if the first line does") {
  auto columns = read("n,x,word,is\n1,0.5,b,true\n2,,a,False\n\n3,1e3,b,TRUE\n");
  REQUIRE(columns.size() == 4);
  CHECK(columns[0].name == "n");
  CHECK(text(columns[0]) == "[1i64, 2i64, 3i64]");
  CHECK(text(columns[1]) == "[0.5f64, f64.nan, 1000.0f64]");
  CHECK(columns[1].missing == 1);
  CHECK(text(columns[2]) == "[0i64, 1i64, 0i64]");
  CHECK(columns[2].kind == CsvKind::Words);
  CHECK(columns[2].words == std::vector<std::string>{"b", "a"});
  CHECK(text(columns[3]) == "[true, false, true]");
}

TEST_CASE_FIXTURE(Fixture, "dates are days, and times microseconds, since 1970") {
  auto columns = read("day,at\n1970-01-02,1970-01-01T00:00:01.5\n1969-12-31,1970-01-01 00:01\n"
                      "2024-02-29,2024-02-29\n");
  CHECK(text(columns[0]) == "[1i64, -1i64, 19782i64]");
  CHECK(columns[0].kind == CsvKind::Dates);
  CHECK(text(columns[1]) == "[1500000i64, 60000000i64, 1709164800000000i64]");
  CHECK(columns[1].kind == CsvKind::Times);
  CHECK(text(read("at\n1970-01-01T01:00:00+01:00\n1970-01-01T00:00:01Z\n")[0]) ==
        "[0i64, 1000000i64]");
  CHECK(message("d\n2024-02-29\n2023-02-29\n") ==
        "line 3, column `d`: `2023-02-29` is no date, as other cells of the column are; `--na "
        "2023-02-29` says that it stands for nothing, `--type d=words` that the column has words");
  CHECK(message("t\n2024-01-01T00:00Z\n2024-01-01T00:00\n") ==
        "line 3, column `t`: `2024-01-01T00:00` says no zone, as other times of the column do");
}

TEST_CASE_FIXTURE(Fixture, "what is said to be times, and is none, is an error") {
  CHECK(message("t\n2024-01-01T00:00Z\nx\n", with_type("t", "time")) ==
        "line 3, column `t`: `x` is no time");
  CHECK(message("t\n2024-01-01\nx\n", with_type("t", "date")) ==
        "line 3, column `t`: `x` is no date");
}

TEST_CASE_FIXTURE(Fixture, "a column that is nearly numbers is an error, unless one says more") {
  const std::string_view table = "g,y\n1,2\n2,x3\n";
  CHECK(message(table) ==
        "line 3, column `y`: `x3` is no number, as other cells of the column are; `--na x3` says "
        "that it stands for nothing, `--type y=words` that the column has words");
  CsvOptions options;
  options.missing = {"x3"};
  CHECK(text(read(table, options)[1]) == "[2.0f64, f64.nan]");
  auto words = read(table, with_type("y", "words"));
  CHECK(words[1].words == std::vector<std::string>{"2", "x3"});
  CHECK(message("b\ntrue\n\"\"\n") ==
        "line 3, column `b`: nothing stands here, and no truth value means that; `--type b=words` "
        "reads the column as words");
  CHECK(read("w\n7\nseven\nacht\n")[0].words == std::vector<std::string>{"7", "seven", "acht"});
  CHECK(message("1,a\n2,b\nc,c\n", with_type("1", "i8")) == "line 3, column 1: `c` is no i8");
}

TEST_CASE_FIXTURE(Fixture, "no number is changed: those that have no type are errors") {
  CHECK(text(read("n\n18446744073709551615\n0\n")[0]) == "[18446744073709551615u64, 0u64]");
  CHECK(message("n\n18446744073709551616\n0\n") ==
        "line 2, column `n`: `18446744073709551616` is larger or smaller than numbers of 64 bits "
        "are");
  CHECK(message("x\n0.5\n1e999\n") ==
        "line 3, column `x`: `1e999` is larger or smaller than numbers of 64 bits are");
  CHECK(message("n\n9007199254740993\n0.5\n") ==
        "line 2, column `n`: `9007199254740993` has more digits than f64, which the column's other "
        "cells need; `--type n=f64` rounds it");
  CHECK(text(read("n\n9007199254740993\n0.5\n", with_type("n", "f64"))[0]) ==
        "[9.007199254740992e15f64, 0.5f64]");
  CHECK(message("n\n300\n", with_type("n", "u8")) == "line 2, column `n`: `300` is no u8");
  CHECK(message("n\n1e39\n", with_type("n", "f32")) == "line 2, column `n`: `1e39` is no f32");
  CHECK(message("n\n1\n", with_type("m", "f32")) == "the table has no column `m`: they are `n`");
}

TEST_CASE_FIXTURE(Fixture, "which line names the columns is found where it shows") {
  CHECK(!table("1,2\n3,4").header_line);
  CHECK(text(read("1,2\n3,4")[1]) == "[2i64, 4i64]");
  CsvOptions options;
  options.header = true;
  auto columns = read("1,2\n3,4", options);
  CHECK(columns[1].name == "2");
  CHECK(text(columns[1]) == "[4i64]");
  // Of words: unless they stand below as well.
  CHECK(table("name,kind\nAda,cat\nBo,dog\n").header_line == 1);
  CHECK(!table("cat\ndog\ncat\n").header_line);
  // Of nothing else.
  const CsvTable empty = table("\nname,kind\n");
  CHECK(empty.header_line == 2);
  CHECK(empty.rows == 0);
  CHECK(text(empty.columns[0]) == "empty([0]f64)");
  // A row has words and numbers, but names may be years.
  CHECK(!table("Ada,1.5\nBo,2.5\n").header_line);
  CHECK(message("land,2019,2020\nA,1,2\n") ==
        "line 1 has words and other cells: `--header` says that it names the columns, "
        "`--no-header` that it is a row");
  options.header = false;
  CHECK(read("land,2019\nA,1\n", options)[1].name.empty());
}

TEST_CASE_FIXTURE(Fixture, "delimiters and decimal signs are found") {
  CHECK(read("1;2;3\n4;5;6").size() == 3);
  CHECK(read("1\t2\n4\t5").size() == 2);
  CHECK(read("a b\n1  2\n 3 4\n").size() == 2);
  CHECK(table("a phrase\nanother one\n").columns.size() == 1);
  const CsvTable comma = table("1,5;2\n");
  CHECK(comma.delimiter == ';');
  CHECK(comma.decimal == ',');
  CHECK(text(comma.columns[0]) == "[1.5f64]");
  CHECK(text(comma.columns[1]) == "[2i64]");
  CHECK(message("a;b\n1,234;2\n") ==
        "line 2, column `a`: `1,234` may be meant as a number: `--decimal` says which sign is "
        "before the fraction, `--type a=words` reads the column as words (signs between thousands "
        "are not read)");
  CsvOptions options;
  options.decimal = ',';
  CHECK(text(read("a;b\n1,234;2\n", options)[0]) == "[1.234f64]");
  CHECK(message("a;b\n1,5;2.5\n").starts_with("line 2, column `a`: `1,5` may be meant"));
  options = {};
  options.delimiter = ':';
  CHECK(read("1:2\n3:4", options).size() == 2);
  options.delimiter = one_cell_a_line;
  CHECK(read("name\na, b\nc\n", options)[0].words == std::vector<std::string>{"a, b", "c"});
  CHECK(message("name\na, b\nc\n") ==
        "line 2 has a `,`, the first line has none: `--delimiter` says what separates cells "
        "(`none`: each line is a cell)");
}

TEST_CASE_FIXTURE(Fixture, "lines to skip, quotes, a byte order mark, other line ends") {
  CsvOptions options;
  options.skip = 2;
  CHECK(text(read("about\nthis, file\n7,8\n", options)[0]) == "[7i64]");
  auto quoted = read("\xEF\xBB\xBFname,x\n\"a \"\"b\"\", c\nd\",1\r\n\" e\" , 2\r\n");
  REQUIRE(quoted.size() == 2);
  CHECK(quoted[0].name == "name");
  CHECK(quoted[0].words == std::vector<std::string>{"a \"b\", c\nd", " e"});
  CHECK(text(quoted[1]) == "[1i64, 2i64]");
  CHECK(text(read("a,b\r1,2\r3,4\r")[1]) == "[2i64, 4i64]");
}

TEST_CASE_FIXTURE(Fixture, "what is wrong with a table is said with its line") {
  CHECK(message("1,2\n3,4,5\n") == "line 2 has 3 cells, the lines before it have 2");
  CHECK(message("") == "the table is empty");
  CHECK(message("1,\"a\nb") == "line 1: a quoted cell has no end");
  CHECK(message("\"a\"b,1\n") == "line 1: something stands behind a quoted cell");
  CHECK(message("\xFF\xFE"
                "1\n")
            .starts_with("the table is in UTF-16"));
}

TEST_CASE_FIXTURE(Fixture, "tables are written as they are read") {
  CHECK(written("[[1, 2], [3, 4]]") == "1,2\n3,4\n");
  CHECK(written("[1.5, f64.nan, -f64.inf]") == "1.5\nnan\n-inf\n");
  auto columns = read("b,a\n1,\"x, y\"\n3,z\n");
  const Representation* i64s = representations.array(1, representations.scalar(ElementType::I64));
  const Representation* bytes = representations.array(2, representations.scalar(ElementType::U8));
  const Representation* type =
      representations.record({{"a", i64s}, {"a_words", bytes}, {"b", i64s}});
  const Value words(array_of_words(columns[1].words, memory, representations));
  const Value record = Value::record({columns[1].values, words, columns[0].values});
  std::string out;
  write_csv(out, record, type, ',', {{2, 0, 1}, {}});
  CHECK(out == "b,a\n1,\"x, y\"\n3,z\n");
  out.clear();
  write_csv(out, record, type);
  CHECK(out == "a,b\n\"x, y\",1\nz,3\n");
  CHECK_THROWS_AS(written("3"), FormatError);
}
