// What a running kernel's code and the functions that it calls know: the thread that runs now.
#pragma once

#include "gpu/emulator/emulator.h"
#include "gpu/emulator/fiber.h"
#include "gpu/emulator/shadow.h"
#include "gpu/emulator/violation.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace sinter::gpu {

class BlockOrder;
class Scheduler;
struct EmulatedBlock;

/// What generated code itself reads; first of all in KernelRun.
struct ThreadPlace {
  std::uint32_t thread_index = 0, block_size = 0;
  std::array<std::uint32_t, 3> block_index = {}, grid_size = {};
  std::byte* shared = nullptr;
};

/// A thread of a block in flight.
struct EmulatedThread {
  enum class State : std::uint8_t { CanRun, AtBarrier, AtExchange, Ended };

  std::unique_ptr<Fiber> fiber;
  EmulatedBlock* block = nullptr;
  std::uint32_t index = 0;
  State state = State::Ended;
  std::uint32_t site = 0;         ///< where it waits
  std::span<std::uint32_t> words; ///< of an exchange, on the thread's stack; results later
  std::uint32_t operand = 0;
  /// What it observed last at some of the words that it looks at in turn, by their addresses.
  struct Seen {
    std::uint64_t address = 0, value = 0;
  };
  std::array<Seen, 16> seen = {};
};

/// Of up to 32 threads of a block: those that have come to an exchange, or have ended.
struct EmulatedWarp {
  std::uint32_t waiting = 0, ended = 0, site = 0;
  std::uint8_t kind = 0; ///< of the exchange
};

/// A place for a block in flight, used by one after the other.
struct EmulatedBlock {
  std::size_t slot = 0;     ///< number of this place
  std::uint32_t number = 0; ///< of the block in its grid
  std::array<std::uint32_t, 3> index = {};
  std::vector<EmulatedThread> threads;
  std::vector<EmulatedWarp> warps;
  std::uint32_t living = 0, at_barrier = 0, barrier_site = 0;
  std::byte* shared = nullptr;
  std::optional<Shadow> shared_shadow;

  // Times for accesses: they go on at barriers, and when the block tells others something.
  std::uint32_t time = 0, barrier_time = 0;
  std::uint32_t begin_time = 0; ///< accesses to shared memory before that are another block's
  /// Of each block: up to which of its times its accesses are before what happens here; empty if
  /// this block has learnt nothing from others.
  std::vector<std::uint32_t> seen;
  /// The same, and its own time, as the block's last fence found it.
  std::vector<std::uint32_t> fenced;
};

/// One launch.
struct KernelRun {
  ThreadPlace place;

  // The thread that runs now.
  EmulatedBlock* block = nullptr;
  EmulatedThread* thread = nullptr; ///< null where threads need no fibers
  ThreadName name = 0;

  EmulatedChecks checks;
  std::uint64_t memory_base = 0, memory_bytes = 0;
  Shadow* memory_shadow = nullptr;
  std::uint32_t shared_bytes = 0;
  Fiber* fiber = nullptr;                                             ///< that runs now
  std::span<const std::pair<std::uint64_t, std::uint64_t>> constants; ///< addresses and bytes
  std::uint32_t start_time = 0; ///< accesses before that are of earlier launches
  std::uint32_t end_time = 0;   ///< the last one of any block, when all is over
  BlockOrder* order = nullptr;  ///< null where races are not looked for
  Scheduler* scheduler = nullptr;

  Violation violation;
  bool has_violation = false;
  bool is_out_of_memory = false;

  /// Gives the launch up: control never comes back.
  [[noreturn]] void stop_with(const Violation& violation);
};

} // namespace sinter::gpu
