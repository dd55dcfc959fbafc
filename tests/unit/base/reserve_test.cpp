#include "lang/base/reserve.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <thread>

using namespace sinter;

TEST_CASE("a thread takes from its reserve, which serves those within it") {
  CHECK(Reserve::take(10, 1) == nullptr);
  const Reserve reserve(1 << 20);
  void* const first = Reserve::take(10, 1);
  REQUIRE(first);
  CHECK(Reserve::has(first));
  CHECK(Reserve::size_of(first) == 10);
  std::memset(first, 1, 10);
  {
    const Reserve inner(std::size_t{1} << 62); // more than there is
    void* const second = Reserve::take(100, 4096);
    REQUIRE(second);
    CHECK(reinterpret_cast<std::uintptr_t>(second) % 4096 == 0);
    CHECK(second > first);
  }
  CHECK(Reserve::take(0, 1) != Reserve::take(0, 1));
  CHECK(Reserve::take(2 << 20, 1) == nullptr);
  bool is_elsewhere = true;
  std::thread([&] { is_elsewhere = Reserve::take(10, 1) != nullptr; }).join();
  CHECK(!is_elsewhere);
}

TEST_CASE("what was taken from a reserve stays, whoever gives it back") {
  std::string* text = nullptr;
  {
    const Reserve reserve(1 << 20);
    text = static_cast<std::string*>(Reserve::take(sizeof(std::string), alignof(std::string)));
    REQUIRE(text);
    ::new (text) std::string("kept");
  }
  CHECK(Reserve::take(10, 1) == nullptr);
  CHECK(Reserve::has(text));
  CHECK(*text == "kept");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  text->~basic_string();
  ::operator delete(text);
  ::operator delete(text, sizeof(std::string));
  ::operator delete(text, sizeof(std::string), std::align_val_t(alignof(std::string)));
#endif
  const int here = 0;
  CHECK(!Reserve::has(&here));
  CHECK(!Reserve::has(nullptr));
}

TEST_CASE("addresses that there are not cannot be reserved") {
  CHECK_THROWS_AS(Reserve(std::size_t{1} << 62), std::bad_alloc);
}
