#include "gpu/emulator/host_functions.h"

#include "gpu/emulator/access_check.h"
#include "gpu/emulator/block_order.h"
#include "gpu/emulator/scheduler.h"

#include <atomic>
#include <bit>
#include <new>

namespace sinter::gpu {

namespace {

std::uint64_t barrier(KernelRun* run, std::uint64_t, std::uint64_t, std::uint32_t site) {
  run->scheduler->wait_at_barrier(site);
  return 0;
}

/// Of several words that lie there; how many stands above the operand.
template <Scheduler::Exchange kind>
std::uint64_t exchange(KernelRun* run, std::uint64_t address, std::uint64_t shape,
                       std::uint32_t site) {
  run->scheduler->exchange(kind, {reinterpret_cast<std::uint32_t*>(address), shape >> 32},
                           static_cast<std::uint32_t>(shape), site);
  return 0;
}

/// Changes the order of blocks, for which memory may be short.
template <typename Change>
void change_order(KernelRun& run, Change change) {
  if (!run.order) return;
  try {
    change(*run.order);
  } catch (const std::bad_alloc&) {
    run.is_out_of_memory = true;
  }
  if (run.is_out_of_memory) run.scheduler->stop();
}

template <typename Word>
std::uint64_t publish(KernelRun* run, std::uint64_t address, std::uint64_t value,
                      std::uint32_t site) {
  check_access(*run, Access::AtomicWrite, address, sizeof(Word), std::countr_zero(sizeof(Word)),
               site);
  change_order(*run, [&](BlockOrder& order) { order.publish(*run->block, address); });
  std::atomic_ref(*reinterpret_cast<Word*>(address))
      .store(static_cast<Word>(value), std::memory_order_release);
  run->scheduler->note_progress();
  run->scheduler->give_way();
  return 0;
}

/// (Others go on before the look: what they say meanwhile is seen.)
template <typename Word>
std::uint64_t observe(KernelRun* run, std::uint64_t address, std::uint64_t, std::uint32_t site) {
  check_access(*run, Access::AtomicRead, address, sizeof(Word), std::countr_zero(sizeof(Word)),
               site);
  const std::atomic_ref word(*reinterpret_cast<Word*>(address));
  run->scheduler->give_way_after(address, word.load(std::memory_order_relaxed), site);
  const Word value = word.load(std::memory_order_acquire);
  change_order(*run, [&](BlockOrder& order) { order.observe(*run->block, address); });
  return value;
}

/// As they, but whoever hears a word learns of no other.
template <typename Word>
std::uint64_t tell(KernelRun* run, std::uint64_t address, std::uint64_t value, std::uint32_t site) {
  check_access(*run, Access::AtomicWrite, address, sizeof(Word), std::countr_zero(sizeof(Word)),
               site);
  std::atomic_ref(*reinterpret_cast<Word*>(address))
      .store(static_cast<Word>(value), std::memory_order_relaxed);
  run->scheduler->note_progress();
  run->scheduler->give_way();
  return 0;
}
std::uint64_t hear(KernelRun* run, std::uint64_t address, std::uint64_t, std::uint32_t site) {
  check_access(*run, Access::AtomicRead, address, 8, 3, site);
  const std::atomic_ref word(*reinterpret_cast<std::uint64_t*>(address));
  run->scheduler->give_way_after(address, word.load(std::memory_order_relaxed), site);
  return word.load(std::memory_order_relaxed);
}

std::uint64_t fence(KernelRun* run, std::uint64_t, std::uint64_t, std::uint32_t) {
  change_order(*run, [&](BlockOrder& order) { order.fence(*run->block); });
  run->scheduler->note_progress();
  run->scheduler->give_way();
  return 0;
}

/// The host may write at any time: no race is looked for.
std::uint64_t poll(KernelRun* run, std::uint64_t address, std::uint64_t, std::uint32_t site) {
  const bool races = run->checks.races;
  run->checks.races = false;
  check_access(*run, Access::AtomicRead, address, 4, 2, site);
  run->checks.races = races;
  run->scheduler->give_way();
  return std::atomic_ref(*reinterpret_cast<std::uint32_t*>(address))
      .load(std::memory_order_relaxed);
}

} // namespace

HostFunction host_function(AbstractFunction function) {
  switch (function) {
  case AbstractFunction::thread_index:
  case AbstractFunction::block_size:
  case AbstractFunction::block_index_x:
  case AbstractFunction::block_index_y:
  case AbstractFunction::block_index_z:
  case AbstractFunction::grid_size_x:
  case AbstractFunction::grid_size_y:
  case AbstractFunction::grid_size_z:
  case AbstractFunction::shared_memory:
    return nullptr;
  case AbstractFunction::barrier:
    return barrier;
  case AbstractFunction::shuffle:
    return exchange<Scheduler::Exchange::Shuffle>;
  case AbstractFunction::shuffle_down:
    return exchange<Scheduler::Exchange::Down>;
  case AbstractFunction::shuffle_up:
    return exchange<Scheduler::Exchange::Up>;
  case AbstractFunction::shuffle_xor:
    return exchange<Scheduler::Exchange::Xor>;
  case AbstractFunction::ballot:
    return exchange<Scheduler::Exchange::Ballot>;
  case AbstractFunction::publish_i32:
    return publish<std::uint32_t>;
  case AbstractFunction::publish_i64:
    return publish<std::uint64_t>;
  case AbstractFunction::observe_i32:
    return observe<std::uint32_t>;
  case AbstractFunction::observe_i64:
    return observe<std::uint64_t>;
  case AbstractFunction::tell_i32:
    return tell<std::uint32_t>;
  case AbstractFunction::tell_i64:
    return tell<std::uint64_t>;
  case AbstractFunction::hear_i64:
    return hear;
  case AbstractFunction::fence:
    return fence;
  case AbstractFunction::poll:
    return poll;
  }
  return nullptr;
}

bool is_exchange(AbstractFunction function) {
  switch (function) {
  case AbstractFunction::shuffle:
  case AbstractFunction::shuffle_down:
  case AbstractFunction::shuffle_up:
  case AbstractFunction::shuffle_xor:
  case AbstractFunction::ballot:
    return true;
  default:
    return false;
  }
}

} // namespace sinter::gpu
