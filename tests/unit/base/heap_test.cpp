#include "lang/base/heap.h"

#include "lang/base/interruptible.h"
#include "lang/base/runtime_error.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <sys/resource.h>

using namespace sinter;

namespace {

constexpr std::ptrdiff_t mebibyte = std::ptrdiff_t{1} << 20;

/// Sanitizers have a heap of their own.
bool is_counted() {
  const std::ptrdiff_t before = heap_in_use();
  const std::vector<char> block(8 * mebibyte);
  return heap_in_use() >= before + 7 * mebibyte;
}

struct Counting final : HeapWatch {
  int told = 0;
  bool may_have = true;
  void grew() noexcept override { ++told; }
  bool allows(std::size_t) noexcept override { return may_have; }
  std::size_t heap_bytes() const noexcept override { return 0; }
  void make_room(std::size_t) noexcept override {}
  std::string excess() const override { return "it is too much"; }
};

} // namespace

TEST_CASE("what lies on the heap is counted, small pieces and large ones, and given back") {
  if (!is_counted()) return;
  const std::ptrdiff_t before = heap_in_use();
  {
    std::vector<std::unique_ptr<int>> pieces;
    for (int i = 0; i < 200'000; ++i)
      pieces.push_back(std::make_unique<int>(i));
    constexpr auto piece = static_cast<std::ptrdiff_t>(sizeof(int*) + sizeof(int));
    CHECK(heap_in_use() >= before + 200'000 * piece - mebibyte);
  }
  CHECK(heap_in_use() <= before + mebibyte);
  CHECK(heap_slack() >= std::size_t{2 * mebibyte});
  trim_heap();
  CHECK(heap_slack() <= std::size_t{mebibyte});
}

TEST_CASE("what is given back serves what comes next, without fresh pages") {
  if (!is_counted()) return;
  keep_heap();
  const auto faults = [] {
    rusage usage{};
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_minflt;
  };
  const auto come_and_go = [] {
    std::vector<std::vector<char>> blocks(40);
    for (std::vector<char>& block : blocks)
      block.assign(800'000, 'x');
  };
  for (int i = 0; i < 3; ++i)
    come_and_go();
  const long before = faults();
  for (int i = 0; i < 10; ++i)
    come_and_go();
  CHECK(faults() - before < 1000); // there are 78,000 pages to be written
}

TEST_CASE("what was not counted when it was taken hides nothing when it is given back") {
  if (!is_counted()) return;
  std::vector<std::string> pieces;
  {
    const UncountedHeap own;
    pieces.assign(100'000, std::string(1000, 'x'));
  }
  pieces = {};
  const std::ptrdiff_t before = heap_in_use();
  const std::vector<char> block(8 * mebibyte);
  CHECK(heap_in_use() >= before + 7 * mebibyte);
}

TEST_CASE("a thread's watch is told that the heap grows, and refuses what is large") {
  if (!is_counted()) return;
  Counting watch;
  {
    const HeapWatch::Here here(&watch);
    CHECK(HeapWatch::here() == &watch);
    std::vector<std::string> texts(10'000, std::string(1000, 'x'));
    CHECK(watch.told >= 10'000'000 / (1 << 20));
    watch.may_have = false;
    CHECK_THROWS_AS(std::vector<char>(32 * mebibyte), std::bad_alloc);
    const int told = watch.told;
    std::thread([] { std::vector<std::string> others(1000, std::string(10'000, 'x')); }).join();
    CHECK(watch.told == told);
    const UncountedHeap own;
    texts.insert(texts.end(), 1000, std::string(10'000, 'x'));
    CHECK(watch.told == told);
  }
  CHECK(HeapWatch::here() == nullptr);
}

TEST_CASE("words for too little memory say how much there may be, if somebody knows") {
  CHECK(memory_shortage() == "out of memory");
  Counting watch;
  const HeapWatch::Here here(&watch);
  CHECK(memory_shortage() == "out of memory: it is too much");
}

TEST_CASE("polls end what is interrupted, and nothing else") {
  InterruptSource source;
  poll_interruption(); // nobody asks
  const Interruptible outer(source);
  poll_interruption();
  source.raise(InterruptSource::Reason::Timeout);
  try {
    poll_interruption();
    FAIL("it went on");
  } catch (const RuntimeError& error) {
    CHECK(error.kind == FailureKind::TimedOut);
  }
  {
    const Uninterruptible whole;
    poll_interruption();
  }
  CHECK_THROWS_AS(poll_interruption(), RuntimeError);
  source.clear();
  CHECK_THROWS_AS(poll_interruption(), RuntimeError); // what was raised for it counts
  const Interruptible inner(source);
  poll_interruption(); // it began afterwards
}
