#include "jit/runtime/piece_sizes.h"

#include <doctest/doctest.h>

#include <cstdint>

using namespace sinter;
using jit::PieceReason;
using jit::PieceSizes;

namespace {

constexpr std::int64_t block = 4096;
constexpr std::int64_t in_caches = 16 * block; ///< of `facts`

/// Two threads with caches of 1 MiB, for 16 bytes an element.
jit::PieceFacts facts() {
  return {.unit = 1, .element_bytes = 16, .threads = 2, .cache_bytes = std::int64_t{1} << 20};
}
/// Some pieces of the size at hand, each of whose elements takes so long.
void take(PieceSizes& sizes, double nanoseconds, int pieces = 4) {
  for (int i = 0; i < pieces; ++i)
    sizes.took(sizes.size(), static_cast<double>(sizes.size()) * nanoseconds);
}
/// Behind the first piece, whose time is not looked at.
PieceSizes begun(const jit::PieceFacts& of) {
  PieceSizes sizes(of);
  sizes.took(sizes.size(), 1e12);
  return sizes;
}

} // namespace

TEST_CASE("first pieces fill half of the threads' caches") {
  PieceSizes sizes(facts());
  CHECK(sizes.size() == in_caches);
  CHECK(sizes.why() == PieceReason::Caches);
  jit::PieceFacts other = facts();
  other.threads = 1;
  CHECK(PieceSizes(other).size() == in_caches / 2);
  other.element_bytes = 1 << 30; // not even a row: still some at once
  CHECK(PieceSizes(other).size() == 1);
}

TEST_CASE("pieces are multiples of the unit") {
  jit::PieceFacts of = facts();
  of.unit = 3 * block;
  CHECK(PieceSizes(of).size() == 15 * block);
  of.unit = 100;
  CHECK(PieceSizes(of).size() % 100 == 0);
  of.unit = in_caches * 5;
  CHECK(PieceSizes(of).size() == in_caches * 5);
  of = facts();
  of.unit = 64;
  of.forced_size = 130;
  CHECK(PieceSizes(of).size() == 128);
  of.forced_size = 1;
  CHECK(PieceSizes(of).size() == 64);
}

TEST_CASE("a size that was asked for stays") {
  jit::PieceFacts of = facts();
  of.forced_size = 7;
  PieceSizes sizes = begun(of);
  CHECK(sizes.size() == 7);
  CHECK(sizes.why() == PieceReason::Forced);
  take(sizes, 1, 100);
  CHECK(sizes.size() == 7);
}

TEST_CASE("pieces grow by half while that pays, and go back by a quarter") {
  PieceSizes sizes = begun(facts());
  take(sizes, 1.0, 3);
  CHECK(sizes.size() == in_caches); // too early to tell
  take(sizes, 1.0, 1);
  CHECK(sizes.size() == in_caches / 2 * 3);
  CHECK(sizes.why() == PieceReason::Faster);
  SUBCASE("it pays") {
    take(sizes, 0.9);
    CHECK(sizes.size() == in_caches / 4 * 9);
    take(sizes, 0.8);
    take(sizes, 0.7);
    take(sizes, 0.6);
    take(sizes, 0.5);
    CHECK(sizes.size() == 4 * in_caches); // no more
    take(sizes, 0.1, 100);
    CHECK(sizes.size() == 4 * in_caches);
  }
  SUBCASE("it makes no difference") {
    take(sizes, 1.0);
    take(sizes, 0.1, 100);
    CHECK(sizes.size() == in_caches / 2 * 3);
  }
  SUBCASE("it is slower") {
    take(sizes, 1.2);
    CHECK(sizes.size() == 18 * block);
    CHECK(sizes.why() == PieceReason::Slower);
    take(sizes, 0.1, 100);
    CHECK(sizes.size() == 18 * block);
  }
}

TEST_CASE("what is not of the size says nothing of it") {
  PieceSizes sizes = begun(facts());
  for (int i = 0; i < 100; ++i)
    sizes.took(10, 1); // last pieces
  CHECK(sizes.size() == in_caches);
}

TEST_CASE("memory that is short makes pieces smaller") {
  jit::PieceFacts of = facts();
  of.room_bytes = 3 * block * of.element_bytes;
  PieceSizes sizes = begun(of);
  CHECK(sizes.size() == 3 * block);
  CHECK(sizes.why() == PieceReason::Room);
  take(sizes, 1, 100);
  CHECK(sizes.size() == 3 * block);
  CHECK(sizes.has_no_room());
  CHECK(sizes.size() == block);
  CHECK(sizes.why() == PieceReason::NoRoom);
  take(sizes, 0.1, 100);
  CHECK(sizes.size() == block);
  int times = 0;
  while (sizes.has_no_room())
    ++times;
  CHECK(times == 12);
  CHECK(sizes.size() == 1);
  of.room_bytes = 0;
  CHECK(PieceSizes(of).size() == 1);
}

TEST_CASE("runs are counted for reports") {
  jit::PieceMeter meter;
  CHECK(meter.totals().runs == 0);
  PieceSizes sizes = begun(facts());
  take(sizes, 1.0);
  meter.add(20, in_caches, sizes);
  meter.add(22, in_caches, sizes);
  const jit::PieceMeter::Totals totals = meter.totals();
  CHECK(totals.runs == 2);
  CHECK(totals.pieces == 42);
  CHECK(totals.first_size == in_caches);
  CHECK(totals.last_size == in_caches / 2 * 3);
  CHECK(totals.why == PieceReason::Faster);
}
