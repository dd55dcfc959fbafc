#include "lang/base/persistent_list.h"
#include "lang/base/persistent_map.h"

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <vector>

using namespace sinter;

namespace {

std::map<int, int> contents(const PersistentMap<int, int>& map) {
  std::map<int, int> found;
  int last = -1;
  map.for_each([&](int key, int value) {
    CHECK(key > last);
    last = key;
    found.emplace(key, value);
  });
  CHECK(found.size() == map.size());
  return found;
}

} // namespace

TEST_CASE("a persistent map is a map, and so is each of its copies") {
  std::minstd_rand random(1);
  PersistentMap<int, int> map;
  std::map<int, int> model;
  std::vector<std::pair<PersistentMap<int, int>, std::map<int, int>>> copies;
  for (int step = 0; step < 20000; ++step) {
    const int key = static_cast<int>(random() % 500);
    if (random() % 3 == 0) {
      map.erase(key);
      model.erase(key);
    } else {
      map.set(key, step);
      model[key] = step;
    }
    const int asked = static_cast<int>(random() % 500);
    const auto known = model.find(asked);
    const int* found = map.find(asked);
    REQUIRE((found != nullptr) == (known != model.end()));
    if (found) CHECK(*found == known->second);
    if (step % 1000 == 0) copies.emplace_back(map, model);
  }
  CHECK(contents(map) == model);
  for (const auto& [copy, what] : copies)
    CHECK(contents(copy) == what);
}

TEST_CASE("a persistent map is walked from a key on, as far as one wants") {
  PersistentMap<int, int> map;
  for (int i = 0; i < 1000; ++i)
    map.set(i * 37 % 1000 * 2, i);
  for (int first : {0, 1, 500, 501, 1998, 1999}) {
    std::vector<int> keys;
    map.for_each_from(first, [&](int key, int) {
      if (keys.size() == 3) return false;
      keys.push_back(key);
      return true;
    });
    std::vector<int> expected;
    for (int key = first + first % 2; key < 2000 && expected.size() < 3; key += 2)
      expected.push_back(key);
    CHECK(keys == expected);
  }
}

TEST_CASE("what is given in order does not make a persistent map slow") {
  struct Counted {
    int key;
    bool operator<(const Counted& other) const {
      ++comparisons();
      return key < other.key;
    }
    static int& comparisons() {
      static int count = 0;
      return count;
    }
  };
  PersistentMap<Counted, int> map;
  for (int i = 0; i < 100000; ++i)
    map.set({i}, i);
  Counted::comparisons() = 0;
  CHECK(*map.find({77777}) == 77777);
  CHECK(Counted::comparisons() <= 2 * 25);
}

TEST_CASE("a persistent list tells what it has more than another one") {
  PersistentList<int> list;
  for (int i = 0; i < 1'000'000; ++i) // to let go of so many needs no deep stack
    list.push_back(i);
  PersistentList<int> longer = list, other = list;
  CHECK(longer.since(list) == std::vector<int>{});
  longer.push_back(1);
  longer.push_back(2);
  other.push_back(3);
  CHECK(longer.size() == 1'000'002);
  CHECK(longer.since(list) == std::vector<int>{1, 2});
  CHECK(other.since(list) == std::vector<int>{3});
  CHECK_FALSE(other.since(longer));
  CHECK_FALSE(list.since(longer));
  CHECK(PersistentList<int>().since({}) == std::vector<int>{});
}
