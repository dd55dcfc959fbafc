#include "lang/primitives/fold_order.h"

#include <doctest/doctest.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

using namespace sinter::primitives;

namespace {

// The definition once more, in the words of fold_order.h: on whole lists, with nothing running.

template <typename V, typename Combine>
V from_the_left(std::span<const V> values, const Combine& combine) {
  V result = values[0];
  for (const V& value : values.subspan(1))
    result = combine(result, value);
  return result;
}

template <typename V>
std::vector<std::span<const V>> cut(std::span<const V> values, std::size_t length) {
  std::vector<std::span<const V>> pieces;
  for (std::size_t begin = 0; begin < values.size(); begin += length)
    pieces.push_back(values.subspan(begin, std::min(length, values.size() - begin)));
  return pieces;
}

template <typename V, typename Combine>
std::vector<V> prefixes_of_row(const V& neutral, std::span<const V> row, const Combine& combine) {
  std::vector<V> prefixes;
  for (const V& value : row)
    prefixes.push_back(combine(prefixes.empty() ? neutral : prefixes.back(), value));
  return prefixes;
}

template <typename V, typename Combine>
V reduced(const V& neutral, std::span<const V> values, const Combine& combine) {
  if (values.empty()) return neutral;
  std::vector<V> blocks;
  for (std::span<const V> block : cut(values, 4096)) {
    std::vector<V> rows;
    for (std::span<const V> row : cut(block, 64))
      rows.push_back(prefixes_of_row(neutral, row, combine).back());
    blocks.push_back(from_the_left<V>(rows, combine));
  }
  return from_the_left<V>(blocks, combine);
}

template <typename V, typename Combine>
std::vector<V> scanned(const V& neutral, std::span<const V> values, const Combine& combine) {
  std::vector<V> result, blocks;
  for (std::span<const V> block : cut(values, 4096)) {
    std::vector<V> rows;
    for (std::span<const V> row : cut(block, 64)) {
      const std::vector<V> prefixes = prefixes_of_row(neutral, row, combine);
      for (const V& prefix : prefixes) {
        if (blocks.empty() && rows.empty())
          result.push_back(prefix);
        else if (blocks.empty())
          result.push_back(combine(from_the_left<V>(rows, combine), prefix));
        else if (rows.empty())
          result.push_back(combine(from_the_left<V>(blocks, combine), prefix));
        else
          result.push_back(combine(
              combine(from_the_left<V>(blocks, combine), from_the_left<V>(rows, combine)), prefix));
      }
      rows.push_back(prefixes.back());
    }
    blocks.push_back(from_the_left<V>(rows, combine));
  }
  return result;
}

template <typename V, typename Combine>
V running_fold(const V& neutral, std::span<const V> values, const Combine& combine) {
  RunningFold fold(neutral, combine);
  for (const V& value : values)
    fold.push(V(value));
  return std::move(fold).result();
}

template <typename V, typename Combine>
std::vector<V> running_scan(const V& neutral, std::span<const V> values, const Combine& combine) {
  RunningScan scan(neutral, combine);
  std::vector<V> result;
  for (const V& value : values)
    result.push_back(scan.push(V(value)));
  return result;
}

/// The same where the first so many blocks are folded beforehand.
template <typename V, typename Combine>
std::vector<V> resumed(const V& neutral, std::span<const V> values, std::size_t blocks,
                       const Combine& combine) {
  const std::size_t cut = blocks * 4096;
  RunningFold first(neutral, combine);
  std::vector<V> result = running_scan(neutral, values.first(cut), combine);
  for (const V& value : values.first(cut))
    first.push(V(value));
  std::optional<V> before;
  if (blocks > 0) before = std::move(first).result();
  RunningFold fold(neutral, combine, before);
  RunningScan scan(neutral, combine, before);
  for (const V& value : values.subspan(cut)) {
    fold.push(V(value));
    result.push_back(scan.push(V(value)));
  }
  result.push_back(std::move(fold).result());
  return result;
}

std::string bracketed(const std::string& left, const std::string& right) {
  return "(" + left + " " + right + ")";
}

/// Neither associative nor commutative, and nearly injective.
std::uint64_t mix(std::uint64_t left, std::uint64_t right) {
  const std::uint64_t mixed = left * 0x9e3779b97f4a7c15u + (right ^ (right >> 29));
  return (mixed ^ (mixed >> 32)) * 0xd6e8feb86659fd93u;
}

std::vector<std::uint64_t> numbers(std::size_t count) {
  std::vector<std::uint64_t> result;
  for (std::size_t i = 0; i < count; ++i)
    result.push_back(i * i + 17);
  return result;
}

} // namespace

TEST_CASE("up to a row, a reduction is the fold from the left") {
  const std::vector<std::string> values = {"a", "b", "c"};
  CHECK(running_fold<std::string>("0", values, bracketed) == "(((0 a) b) c)");
  CHECK(running_fold<std::string>("0", {}, bracketed) == "0");
  CHECK(running_scan<std::string>("0", values, bracketed) ==
        std::vector<std::string>{"(0 a)", "((0 a) b)", "(((0 a) b) c)"});
}

TEST_CASE("a fold goes on after whole blocks as if it had begun with them") {
  for (const std::size_t blocks : {0, 1, 2, 3})
    for (const std::size_t more : {0, 1, 63, 64, 65, 4096, 5000}) {
      CAPTURE(blocks);
      CAPTURE(more);
      const std::vector<std::uint64_t> values = numbers(blocks * 4096 + more);
      std::vector<std::uint64_t> whole = running_scan<std::uint64_t>(7, values, mix);
      whole.push_back(running_fold<std::uint64_t>(7, values, mix));
      CHECK(resumed<std::uint64_t>(7, values, blocks, mix) == whole);
    }
}

TEST_CASE("every row begins with the neutral element, rows and blocks with the first of them") {
  std::string row = "0";
  for (int i = 0; i < 64; ++i)
    row = bracketed(row, "x");
  std::string block = row;
  for (int i = 1; i < 64; ++i)
    block = bracketed(block, row);
  const auto fold_of = [](std::size_t count) {
    return running_fold<std::string>("0", std::vector<std::string>(count, "x"), bracketed);
  };
  CHECK(fold_of(64) == row);
  CHECK(fold_of(65) == bracketed(row, "(0 x)"));
  CHECK(fold_of(129) == bracketed(bracketed(row, row), "(0 x)"));
  CHECK(fold_of(4096) == block);
  CHECK(fold_of(4097) == bracketed(block, "(0 x)"));
  CHECK(fold_of(2 * 4096 + 65) == bracketed(bracketed(block, block), bracketed(row, "(0 x)")));
  const std::vector<std::string> prefixes =
      running_scan<std::string>("0", std::vector<std::string>(2 * 4096 + 130, "x"), bracketed);
  CHECK(prefixes[63] == row);
  CHECK(prefixes[64] == bracketed(row, "(0 x)"));
  CHECK(prefixes[128] == bracketed(bracketed(row, row), "(0 x)"));
  CHECK(prefixes[4096] == bracketed(block, "(0 x)"));
  CHECK(prefixes[4096 + 64] == bracketed(bracketed(block, row), "(0 x)"));
  CHECK(prefixes[2 * 4096 + 129] ==
        bracketed(bracketed(bracketed(block, block), bracketed(row, row)), "((0 x) x)"));
}

TEST_CASE("reductions and scans of every size have the order that is defined") {
  std::vector<std::size_t> sizes;
  for (std::size_t n = 0; n <= 5 * 64; ++n)
    sizes.push_back(n);
  for (std::size_t around : {64 * 64, 2 * 64 * 64, 64 * 64 * 64})
    for (std::size_t n : {around - 1, around, around + 1, around + 63, around + 64, around + 65})
      sizes.push_back(n);
  const auto minus = [](std::int64_t a, std::int64_t b) { return a - b; };
  for (std::size_t n : sizes) {
    CAPTURE(n);
    const std::vector<std::uint64_t> values = numbers(n);
    CHECK(running_fold<std::uint64_t>(5, values, mix) == reduced<std::uint64_t>(5, values, mix));
    CHECK((running_scan<std::uint64_t>(5, values, mix) == scanned<std::uint64_t>(5, values, mix)));
    const std::vector<std::int64_t> integers(values.begin(), values.end());
    CHECK(running_fold<std::int64_t>(3, integers, minus) ==
          reduced<std::int64_t>(3, integers, minus));
  }
}

TEST_CASE("nothing is combined that the result does not need") {
  for (std::size_t n : {0u, 1u, 64u, 65u, 4096u, 4097u}) {
    std::size_t combined = 0;
    const auto count = [&](int, int) { return static_cast<int>(++combined); };
    CAPTURE(n);
    running_fold<int>(0, std::vector<int>(n, 1), count);
    const std::size_t rows = (n + 63) / 64;
    CHECK(combined == n + (rows == 0 ? 0 : rows - 1));
  }
}

TEST_CASE("histograms are cut where there are many elements for each bin") {
  const auto is = [](Segments cut, std::int64_t count, std::int64_t length) {
    return cut.count == count && cut.length == length;
  };
  CHECK(is(segments(0, 10), 1, 0));
  CHECK(is(segments(8191, 1), 1, 8191));
  CHECK(is(segments(8192, 1), 2, 4096));
  CHECK(is(segments(8193, 1), 2, 8192)); // whole blocks
  CHECK(is(segments(8192, 256), 2, 4096));
  CHECK(is(segments(8192, 257), 1, 8192));
  CHECK(is(segments(64 * 4096, 1), 64, 4096));
  CHECK(is(segments(std::int64_t{1} << 40, 100), 64, std::int64_t{1} << 34));
  CHECK(is(segments(1 << 20, INT64_MAX), 1, 1 << 20));
  for (std::int64_t elements = 0; elements < 600'000; elements += 777)
    for (std::int64_t bins : {0, 1, 200, 1000, 5000}) {
      const Segments cut = segments(elements, bins);
      CAPTURE(elements);
      CAPTURE(bins);
      if (cut.count == 1) continue;
      CHECK(cut.count <= 64);
      CHECK(cut.length % row_length == 0);
      CHECK((cut.count - 1) * cut.length < elements);
      CHECK(cut.count * cut.length >= elements);
      CHECK(cut.length >= 16 * bins);
    }
}
