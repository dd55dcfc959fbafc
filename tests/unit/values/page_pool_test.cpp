#include "lang/values/page_pool.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <random>
#include <thread>
#include <vector>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#endif

using namespace sinter;

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

bool is_all(const PagePool::Piece& piece, std::byte byte) {
  for (std::size_t i = 0; i < piece.bytes; i += 4096)
    if (piece.base[i] != byte) return false;
  return true;
}

} // namespace

TEST_CASE("fresh pages lie at a huge page's border and are zero") {
  PagePool pool(64 * mebibyte);
  CHECK(pool.find(mebibyte).base == nullptr);
  PagePool::Piece piece = pool.map(3 * mebibyte + 1);
  REQUIRE(piece.base);
  CHECK(reinterpret_cast<std::uintptr_t>(piece.base) % (2 * mebibyte) == 0);
  CHECK(piece.bytes == 3 * mebibyte + PagePool::unit);
  CHECK(piece.is_zero);
  CHECK(piece.base[0] == std::byte{0});
  // The rest of the last huge page is there for others, and zero still.
  CHECK(pool.kept() == mebibyte - PagePool::unit);
  const PagePool::Piece rest = pool.find(mebibyte / 2);
  CHECK(rest.base == piece.base + piece.bytes);
  CHECK(rest.is_zero);
  pool.give_back(rest, SIZE_MAX);
  pool.give_back(piece, SIZE_MAX);
}

TEST_CASE("a piece is cut to size and grows together again") {
  PagePool pool(64 * mebibyte);
  const PagePool::Piece whole = pool.map(16 * mebibyte);
  std::memset(whole.base, 1, whole.bytes);
  pool.give_back(whole, SIZE_MAX);
  const PagePool::Piece a = pool.find(5 * mebibyte), b = pool.find(8 * mebibyte);
  CHECK(a.base == whole.base);
  CHECK(b.base == a.base + a.bytes);
  CHECK_FALSE(a.is_zero);
  CHECK(pool.kept() == 3 * mebibyte);
  CHECK(pool.find(4 * mebibyte).base == nullptr);
  pool.give_back(a, SIZE_MAX);
  pool.give_back(b, SIZE_MAX);
  const PagePool::Piece again = pool.find(16 * mebibyte);
  CHECK(again.base == whole.base);
  pool.give_back(again, SIZE_MAX);
}

TEST_CASE("pieces are moved together to become a larger one") {
  PagePool pool(256 * mebibyte);
  std::vector<PagePool::Piece> small;
  for (int i = 0; i < 8; ++i) {
    small.push_back(pool.map(6 * mebibyte));
    std::memset(small.back().base, i + 1, small.back().bytes);
  }
  // Every other one, so that there are no neighbours.
  for (std::size_t i = 0; i < small.size(); i += 2)
    pool.give_back(small[i], SIZE_MAX);
  const PagePool::Piece large = pool.map(25 * mebibyte);
  CHECK_FALSE(large.is_zero);
  CHECK(pool.kept() == mebibyte);
  std::size_t moved = 0;
  for (std::size_t i = 0; i < 24 * mebibyte; i += 4096)
    moved += large.base[i] != std::byte{0};
  CHECK(moved == 24 * mebibyte / 4096);
  CHECK(large.base[24 * mebibyte] == std::byte{0});
  std::memset(large.base, 77, large.bytes);
  for (std::size_t i = 1; i < small.size(); i += 2) {
    CHECK(is_all(small[i], static_cast<std::byte>(i + 1)));
    pool.give_back(small[i], SIZE_MAX);
  }
  CHECK(is_all(large, std::byte{77}));
  pool.give_back(large, SIZE_MAX);
  // What was moved can be moved again.
  const PagePool::Piece larger = pool.map(49 * mebibyte);
  CHECK(is_all({larger.base, 25 * mebibyte, false}, std::byte{77}));
  pool.give_back(larger, SIZE_MAX);
}

#ifdef __SANITIZE_ADDRESS__
TEST_CASE("the address sanitizer knows what is no buffer's") {
  PagePool pool(64 * mebibyte);
  const PagePool::Piece piece = pool.map(3 * mebibyte + 64);
  CHECK_FALSE(__asan_address_is_poisoned(piece.base + 3 * mebibyte + 63));
  CHECK(__asan_address_is_poisoned(piece.base + 3 * mebibyte + 64));
  pool.give_back(piece, SIZE_MAX);
  CHECK(__asan_address_is_poisoned(piece.base));
  const PagePool::Piece again = pool.find(2 * mebibyte);
  REQUIRE(again.base == piece.base);
  CHECK_FALSE(__asan_address_is_poisoned(piece.base));
  CHECK(__asan_address_is_poisoned(piece.base + 2 * mebibyte));
  pool.give_back(again, 0);
  CHECK_FALSE(__asan_address_is_poisoned(piece.base)); // not even mapped
}
#endif

TEST_CASE("no more is kept than may be, and what is unwanted goes") {
  PagePool pool(8 * mebibyte, std::chrono::milliseconds(30));
  const PagePool::Piece a = pool.map(6 * mebibyte), b = pool.map(6 * mebibyte);
  pool.give_back(a, SIZE_MAX);
  pool.give_back(b, SIZE_MAX);
  CHECK(pool.kept() <= 8 * mebibyte);
  for (int i = 0; pool.kept() > 0 && i < 500; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  CHECK(pool.kept() == 0);
  pool.give_back(pool.map(6 * mebibyte), 2 * mebibyte);
  CHECK(pool.kept() <= 2 * mebibyte);
}

TEST_CASE("pieces never overlap, and are zero where they say so") {
  PagePool pool(48 * mebibyte);
  std::mt19937 random(3);
  struct Held {
    PagePool::Piece piece;
    std::byte content;
  };
  std::vector<Held> held;
  for (int i = 0; i < 2000; ++i) {
    if (held.size() < 12 && random() % 2 == 0) {
      const std::size_t bytes = 1 + random() % (random() % 4 == 0 ? 9 * mebibyte : mebibyte);
      PagePool::Piece piece = pool.find(bytes);
      if (!piece.base) piece = pool.map(bytes);
      REQUIRE(piece.base);
      CHECK(piece.bytes >= bytes);
      if (piece.is_zero) CHECK(is_all({piece.base, bytes, true}, std::byte{0}));
      const auto content = static_cast<std::byte>(1 + i % 255);
      std::memset(piece.base, static_cast<int>(content), bytes);
      held.push_back({{piece.base, piece.bytes, false}, content});
    } else if (!held.empty()) {
      const std::size_t at = random() % held.size();
      CHECK(held[at].piece.base[0] == held[at].content);
      pool.give_back(held[at].piece, random() % 50 == 0 ? 4 * mebibyte : SIZE_MAX);
      held[at] = held.back();
      held.pop_back();
    }
  }
  for (const Held& one : held)
    pool.give_back(one.piece, SIZE_MAX);
}
