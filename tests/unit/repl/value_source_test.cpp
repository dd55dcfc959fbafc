#include "repl/data/value_source.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

struct Values {
  MemoryBudget memory;
  Representations representations;
};

} // namespace

TEST_CASE_FIXTURE(Values, "text values one after another") {
  repl::ValueSource source("1i32 [1, 2] -- comment\n", memory, representations);
  CHECK(source.read().element == ElementType::I32);
  CHECK(source.read(ElementType::F32, 1).type_text() == "[]f32");
  CHECK(source.at_end());
}

TEST_CASE_FIXTURE(Values, "a .npy file is one value, told by its first bytes") {
  ValueReader reader("[1i64, 2i64]", memory, representations);
  ExternalValue value = reader.read();
  std::string bytes;
  write_npy(bytes, value.value, representations.array(1, representations.scalar(ElementType::I64)));
  repl::ValueSource source(bytes, memory, representations);
  CHECK_FALSE(source.at_end());
  CHECK(source.read().type_text() == value.type_text());
  CHECK(source.at_end());
  repl::ValueSource wrong(bytes, memory, representations);
  CHECK_THROWS_AS(wrong.read(ElementType::F32, 1), FormatError);
}
