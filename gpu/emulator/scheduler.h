// Runs the threads of a launch: one after the other where none waits for another; otherwise as
// fibers that give way where they may wait.
#pragma once

#include "gpu/emulator/kernel_run.h"
#include "lang/base/chance.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace sinter::gpu {

/// Code of an entry point: what it is given, and which entry it is.
using EntryCode = void (*)(const std::uint64_t* words, std::uint64_t entry);

struct KernelLaunch {
  EntryCode code = nullptr;
  std::uint64_t entry = 0;
  bool is_synchronising = false;
  std::span<const std::uint64_t> words;
  LaunchShape shape;
};

/// Which thread goes on.  In order, the one that has waited longest; otherwise by chance, where
/// some blocks are favoured for a while, so that others fall behind.
class ReadyThreads {
public:
  void start(std::uint64_t seed, std::size_t slots, std::size_t threads);
  void add(EmulatedThread& thread, std::size_t slot);
  /// In order, it goes on before all others.
  void add_first(EmulatedThread& thread, std::size_t slot);
  /// Null if there is none.
  EmulatedThread* take();
  std::size_t count() const { return count_; }
  std::uint64_t random() { return chance_.next(); }

private:
  bool is_in_order_ = true;
  RepeatableChance chance_;
  std::vector<EmulatedThread*> ring_;
  std::size_t first_ = 0, count_ = 0;
  std::vector<std::vector<EmulatedThread*>> by_slot_;
  std::size_t favoured_ = 0;
};

/// Keeps stacks and shared memory between launches.
class Scheduler {
public:
  explicit Scheduler(const EmulationOptions& options);
  ~Scheduler();

  /// Runs all of it; `run` says what came of it.  Throws std::bad_alloc.
  void run(KernelRun& run, const KernelLaunch& launch);

  /// Times begin anew.
  void forget_accesses();

  // What running threads call.
  void wait_at_barrier(std::uint32_t site);
  enum class Exchange : std::uint8_t { Shuffle, Down, Up, Xor, Ballot };
  /// Of several words at once, which become what they are given for.
  void exchange(Exchange kind, std::span<std::uint32_t> words, std::uint32_t operand,
                std::uint32_t site);
  /// Lets others go on first.
  void give_way();
  /// The same, after a look at a word: the launch stops if nothing changes any more.
  void give_way_after(std::uint64_t address, std::uint64_t value, std::uint32_t site);
  /// Something has happened that others may wait for.
  void note_progress() { idle_looks_ = 0; }
  [[noreturn]] void stop();

private:
  void run_plainly();
  void run_fibers();
  void start_block(EmulatedBlock& block, std::uint32_t number);
  void place_block(EmulatedBlock& block, std::uint32_t number);
  void make_slots();
  std::uint32_t block_at(std::uint32_t position) const;
  void make_current(EmulatedThread& thread);
  void go_on();
  [[noreturn]] void end_thread();
  void can_run(EmulatedThread& thread);
  void finish_exchange(EmulatedBlock& block, EmulatedWarp& warp, std::uint32_t first,
                       std::uint32_t count, Exchange kind);
  void release_barrier(EmulatedBlock& block);
  [[noreturn]] void stop_for_divergence(std::uint32_t site, const EmulatedThread* other,
                                        const char* what);
  void note_deadlock();
  static void thread_main(void* thread);
  static void plain_main(void* scheduler);

  const EmulationOptions& options_;
  KernelRun* run_ = nullptr;
  const KernelLaunch* launch_ = nullptr;
  Fiber host_;
  std::unique_ptr<Fiber> plain_fiber_;
  std::vector<std::unique_ptr<EmulatedBlock>> slots_;
  std::unique_ptr<std::byte[]> shared_;
  ReadyThreads ready_;
  std::uint64_t idle_looks_ = 0;
  std::uint32_t blocks_ = 0, stride_ = 1, shift_ = 0; ///< of the launch, and in which order
};

} // namespace sinter::gpu
