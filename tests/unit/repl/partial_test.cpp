// States of pieces: combined, and in files.
#include "repl/pieces/partial_file.h"

#include "lang/values/byte_sink.h"
#include "tests/generate/random.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace sinter;
using namespace sinter::repl;

namespace {

struct Pieces {
  MemoryBudget memory{std::size_t{1} << 26};
  Representations representations;

  Leaf numbers(const std::string& text) {
    return ValueReader(text, memory, representations).read().value.array()->leaves.front();
  }
  std::string text_of(const Leaf& leaf) {
    auto* object = new ArrayObject;
    object->element = representations.scalar(leaf.element);
    object->shape = leaf.extents;
    object->leaves.push_back(leaf);
    std::string text;
    write_text(
        text, Value(ArrayRef::adopt(object)),
        representations.array(static_cast<std::uint32_t>(leaf.extents.size()), object->element));
    return text;
  }

  /// One of a run over 10 indices.
  Partial piece(std::int64_t first, std::int64_t count, const std::string& joined) {
    using jit::StateRole;
    Partial partial;
    partial.work.program = 0xfedcba9876543210;
    partial.work.version = "1";
    partial.work.entry = "main";
    partial.work.extent = 10;
    partial.work.inputs = {"[10]f32", "i64 12"};
    partial.work.state = {{StateRole::Sum, ElementType::I64, 0},
                          {StateRole::Shared, ElementType::F32, 0},
                          {StateRole::Joined, ElementType::I32, 1},
                          {StateRole::Stacked, ElementType::I64, 1}};
    partial.first = first;
    partial.count = count;
    partial.source = std::to_string(first) + ".part";
    partial.state =
        stacked({Scalar::of(count), Scalar::of(1.5F), numbers(joined), Scalar::of(first * 100)},
                partial.work.state, memory, representations);
    return partial;
  }
  std::string written(const Partial& partial) {
    std::string bytes;
    StringSink sink(bytes);
    write_partial(sink, partial, representations);
    return bytes;
  }
  Partial read(const std::string& bytes) {
    return read_partial(FileContents(bytes), "some.part", memory, representations);
  }
  std::string error_in(const std::string& bytes) {
    try {
      (void)read(bytes);
      return "none";
    } catch (const FormatError& error) {
      return error.message;
    }
  }
  std::string error_of(std::vector<Partial> partials) {
    try {
      (void)combined(std::move(partials), memory, representations);
      return "none";
    } catch (const FormatError& error) {
      return error.message;
    }
  }
  std::string words(const Partial& partial) {
    return std::to_string(partial.first) + "+" + std::to_string(partial.count) + " " +
           std::to_string(std::get<Scalar>(partial.state[0]).as<std::int64_t>()) + " " +
           text_of(std::get<Leaf>(partial.state[2])) + " " +
           text_of(std::get<Leaf>(partial.state[3]));
  }
};

} // namespace

TEST_CASE_FIXTURE(Pieces, "states are combined in the order of their indices, in any grouping") {
  const Partial a = piece(0, 4, "[1i32, 2i32]"), b = piece(4, 0, "empty([0]i32)"),
                c = piece(4, 6, "[3i32]");
  const std::string all = "0+10 10 [1i32, 2i32, 3i32] [0i64, 400i64, 400i64]";
  CHECK(words(combined({a, b, c}, memory, representations)) == all);
  CHECK(words(combined({c, a, b}, memory, representations)) == all);
  const Partial left = combined({b, a}, memory, representations);
  CHECK(words(combined({c, left}, memory, representations)) == all);
  const Partial right = combined({c, b}, memory, representations);
  CHECK(words(combined({right, a}, memory, representations)) == all);
}

TEST_CASE_FIXTURE(Pieces, "what does not belong together is told") {
  const Partial a = piece(0, 4, "[1i32]"), c = piece(4, 6, "[3i32]");
  CHECK(error_of({a, piece(5, 5, "[3i32]")}) ==
        "between 0.part (indices 0 to 4) and 5.part (indices 5 to 10) a piece is missing");
  CHECK(error_of({a, piece(3, 7, "[3i32]")}) ==
        "3.part (indices 3 to 10) and 0.part (indices 0 to 4) are of the same indices");
  Partial other = c;
  other.work.program = 1;
  CHECK(error_of({a, other}) == "0.part and 4.part are of different programs");
  other = c;
  other.work.entry = "f";
  CHECK(error_of({a, other}) == "0.part and 4.part are of different entry points: `main` and `f`");
  other = c;
  other.work.inputs[1] = "i64 13";
  CHECK(error_of({a, other}) == "0.part and 4.part are of runs with different inputs");
  other = c;
  other.work.extent = 11;
  CHECK(error_of({a, other}) == "0.part and 4.part are of runs over 10 and 11 indices");
  other = c;
  other.work.version = "2";
  CHECK(error_of({a, other}) == "0.part and 4.part are of versions 1 and 2 of Sinter");
  other = c;
  other.work.state[1].role = jit::StateRole::Stacked;
  CHECK(error_of({a, other}) == "0.part and 4.part are of states of different form");
}

TEST_CASE_FIXTURE(Pieces, "files bring every bit back") {
  const Partial partial = piece(4, 6, "[3i32, -1i32]");
  const std::string bytes = written(partial);
  const Partial back = read(bytes);
  CHECK(!difference(partial, back));
  CHECK(words(back) == words(partial));
  CHECK(std::get<Scalar>(back.state[1]) == Scalar::of(1.5F));
  CHECK(written(back) == bytes);
  CHECK(back.source == "some.part");
}

TEST_CASE_FIXTURE(Pieces, "a file that is cut or damaged anywhere is one clear error") {
  const std::string bytes = written(piece(4, 6, "[3i32, -1i32]"));
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    CHECK(error_in(bytes.substr(0, size)).starts_with("some.part: "));
  }
  for (std::size_t at = 0; at < bytes.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      CAPTURE(at);
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      CHECK(error_in(damaged).starts_with("some.part: "));
    }
  CHECK(error_in(bytes + "x") == "some.part: it is damaged or cut short");
  CHECK(error_in("[1, 2]") == "some.part: it is no partial");
}

TEST_CASE("cuts are even, at multiples of the row, and at blocks where there are many") {
  for (const std::int64_t extent : {0, 1, 63, 64, 65, 1000, 4096, 100'000, 10'000'000})
    for (const std::int64_t pieces : {1, 2, 3, 7, 64})
      for (const std::int64_t row : {1, 64}) {
        CAPTURE(extent);
        CAPTURE(pieces);
        CHECK(cut_before(0, pieces, extent, row) == 0);
        CHECK(cut_before(pieces, pieces, extent, row) == extent);
        std::int64_t least = extent, most = 0;
        for (std::int64_t i = 0; i < pieces; ++i) {
          const std::int64_t begin = cut_before(i, pieces, extent, row),
                             end = cut_before(i + 1, pieces, extent, row);
          REQUIRE(begin <= end);
          CHECK((begin % row == 0 || begin == extent));
          least = std::min(least, end - begin);
          most = std::max(most, end - begin);
        }
        CHECK(most - least <= (row == 1 ? 1 : 2 * 4096));
      }
  CHECK(cut_before(1, 2, 10'000'000, 64) % 4096 == 0);
}
