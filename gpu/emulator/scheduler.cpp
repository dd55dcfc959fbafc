#include "gpu/emulator/scheduler.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>

namespace sinter::gpu {

namespace {

constexpr std::uint32_t lanes = 32;

/// A number that multiplication by which permutes the numbers below `count`.
std::uint32_t permuting_factor(std::uint64_t random, std::uint32_t count) {
  auto factor = static_cast<std::uint32_t>(random % count);
  while (std::gcd(factor, count) != 1)
    factor = (factor + 1) % count;
  return count == 1 ? 1 : factor;
}

std::uint32_t permuted(std::uint32_t position, std::uint32_t factor, std::uint32_t shift,
                       std::uint32_t count) {
  return static_cast<std::uint32_t>((std::uint64_t{position} * factor + shift) % count);
}

/// Gives each of a warp's threads that are there its word from the one that it asks.
void exchange_word(std::span<EmulatedThread> threads, std::uint32_t present, std::size_t word,
                   Scheduler::Exchange kind) {
  std::array<std::uint32_t, lanes> values = {};
  std::uint32_t have = 0, ballot = 0;
  for (std::uint32_t i = 0; i < threads.size(); ++i)
    if ((present >> i & 1) != 0 && word < threads[i].words.size()) {
      have |= 1u << i;
      values[i] = threads[i].words[word];
      if (values[i] != 0) ballot |= 1u << i;
    }
  for (std::uint32_t i = 0; i < threads.size(); ++i) {
    if ((have >> i & 1) == 0) continue;
    std::uint32_t source = i;
    switch (kind) {
    case Scheduler::Exchange::Shuffle:
      source = threads[i].operand;
      break;
    case Scheduler::Exchange::Down:
      source = i + threads[i].operand;
      break;
    case Scheduler::Exchange::Up:
      source = i - threads[i].operand;
      break;
    case Scheduler::Exchange::Xor:
      source = i ^ threads[i].operand;
      break;
    case Scheduler::Exchange::Ballot:
      break;
    }
    if (kind == Scheduler::Exchange::Ballot)
      threads[i].words[word] = ballot;
    else if (source < lanes && (have >> source & 1) != 0)
      threads[i].words[word] = values[source];
  }
}

} // namespace

void KernelRun::stop_with(const Violation& found) {
  violation = found;
  has_violation = true;
  scheduler->stop();
}

void ReadyThreads::start(std::uint64_t seed, std::size_t slots, std::size_t threads) {
  is_in_order_ = seed == 0;
  chance_ = RepeatableChance(seed);
  first_ = count_ = favoured_ = 0;
  if (seed == 0) {
    ring_.resize(std::max(ring_.size(), slots * threads));
    return;
  }
  by_slot_.resize(slots);
  for (std::vector<EmulatedThread*>& ready : by_slot_) {
    ready.clear();
    ready.reserve(threads);
  }
}

void ReadyThreads::add(EmulatedThread& thread, std::size_t slot) {
  if (by_slot_.empty() || is_in_order_) {
    const std::size_t place = first_ + count_;
    ring_[place < ring_.size() ? place : place - ring_.size()] = &thread;
  } else {
    by_slot_[slot].push_back(&thread);
  }
  ++count_;
}

void ReadyThreads::add_first(EmulatedThread& thread, std::size_t slot) {
  if (!by_slot_.empty() && !is_in_order_) return add(thread, slot);
  first_ = (first_ == 0 ? ring_.size() : first_) - 1;
  ring_[first_] = &thread;
  ++count_;
}

EmulatedThread* ReadyThreads::take() {
  if (count_ == 0) return nullptr;
  --count_;
  if (by_slot_.empty() || is_in_order_) {
    EmulatedThread* const thread = ring_[first_];
    if (++first_ == ring_.size()) first_ = 0;
    return thread;
  }
  const std::uint64_t chance = random();
  const std::size_t slots = by_slot_.size();
  if ((chance & 31) == 0) favoured_ = (chance >> 8) % slots;
  std::size_t slot = (chance & 0xE0) != 0 ? favoured_ : (chance >> 16) % slots;
  while (by_slot_[slot].empty())
    slot = (slot + 1) % slots;
  std::vector<EmulatedThread*>& ready = by_slot_[slot];
  std::swap(ready[(chance >> 32) % ready.size()], ready.back());
  EmulatedThread* const thread = ready.back();
  ready.pop_back();
  return thread;
}

Scheduler::Scheduler(const EmulationOptions& options) : options_(options) {}
Scheduler::~Scheduler() = default;

void Scheduler::forget_accesses() {
  for (const std::unique_ptr<EmulatedBlock>& block : slots_)
    if (block->shared_shadow) block->shared_shadow->forget_accesses();
}

std::uint32_t Scheduler::block_at(std::uint32_t position) const {
  return permuted(position, stride_, shift_, blocks_);
}

/// As many as are in flight, with a thread's fiber each where there are such.
void Scheduler::make_slots() {
  const std::size_t threads = launch_->shape.threads;
  const std::size_t count =
      launch_->is_synchronising
          ? std::min<std::size_t>(std::max(options_.blocks_in_flight, 1u), blocks_)
          : 1;
  constexpr std::size_t between = 4096; // shared memories
  const std::size_t shared_room = (options_.shared_bytes + 255) / 256 * 256 + between;
  const std::size_t most = std::max(options_.blocks_in_flight, 1u);
  if (!shared_) shared_ = std::make_unique_for_overwrite<std::byte[]>(most * shared_room + 256);
  while (slots_.size() < count) {
    auto block = std::make_unique<EmulatedBlock>();
    block->slot = slots_.size();
    const auto begin = (reinterpret_cast<std::uintptr_t>(shared_.get()) + 255) / 256 * 256;
    block->shared = reinterpret_cast<std::byte*>(begin + block->slot * shared_room);
    if (options_.checks.memory && options_.shared_bytes > 0)
      block->shared_shadow.emplace(options_.shared_bytes, options_.checks.races);
    slots_.push_back(std::move(block));
  }
  for (const std::unique_ptr<EmulatedBlock>& block : slots_)
    block->time = run_->start_time;
  if (!launch_->is_synchronising) return;
  for (std::size_t slot = 0; slot < count; ++slot) {
    EmulatedBlock& block = *slots_[slot];
    while (block.threads.size() < threads) {
      EmulatedThread& thread = block.threads.emplace_back();
      thread.block = &block;
      thread.index = static_cast<std::uint32_t>(block.threads.size() - 1);
    }
    for (std::size_t i = 0; i < threads; ++i)
      if (!block.threads[i].fiber)
        block.threads[i].fiber =
            std::make_unique<Fiber>(options_.stack_bytes, static_cast<unsigned>(i + slot * 5));
  }
}

void Scheduler::run(KernelRun& run, const KernelLaunch& launch) {
  run_ = &run;
  launch_ = &launch;
  run.scheduler = this;
  run.place.grid_size = launch.shape.blocks;
  run.place.block_size = launch.shape.threads;
  run.shared_bytes = launch.shape.shared_bytes;
  blocks_ = launch.shape.blocks[0] * launch.shape.blocks[1] * launch.shape.blocks[2];
  idle_looks_ = 0;
  make_slots();
  ready_.start(options_.seed, slots_.size(), launch.shape.threads);
  const bool is_shuffled = options_.seed != 0;
  stride_ = is_shuffled ? permuting_factor(ready_.random(), blocks_) : 1;
  shift_ = is_shuffled ? static_cast<std::uint32_t>(ready_.random() % blocks_) : 0;
  if (launch.is_synchronising)
    run_fibers();
  else
    run_plainly();
  run.end_time = run.start_time;
  for (const std::unique_ptr<EmulatedBlock>& block : slots_)
    run.end_time = std::max(run.end_time, block->time);
}

void Scheduler::place_block(EmulatedBlock& block, std::uint32_t number) {
  block.number = number;
  const std::array<std::uint32_t, 3>& grid = launch_->shape.blocks;
  block.index = {number % grid[0], number / grid[0] % grid[1], number / grid[0] / grid[1]};
  block.time = block.barrier_time = block.begin_time = block.time + 1;
  block.seen.clear();
  block.fenced.clear();
  if (block.shared_shadow)
    std::memset(block.shared_shadow->states(), byte_living, run_->shared_bytes);
}

void Scheduler::run_plainly() {
  if (!plain_fiber_)
    plain_fiber_ = std::make_unique<Fiber>(std::max<std::size_t>(options_.stack_bytes, 1 << 18), 0);
  run_->thread = nullptr;
  run_->fiber = plain_fiber_.get();
  plain_fiber_->prepare(plain_main, this);
  host_.switch_to(*plain_fiber_);
}

void Scheduler::plain_main(void* argument) {
  Scheduler& self = *static_cast<Scheduler*>(argument);
  KernelRun& run = *self.run_;
  const KernelLaunch& launch = *self.launch_;
  EmulatedBlock& block = *self.slots_.front();
  const std::uint32_t threads = launch.shape.threads;
  const bool is_shuffled = self.options_.seed != 0;
  run.block = &block;
  run.place.shared = block.shared;
  for (std::uint32_t i = 0; i < self.blocks_; ++i) {
    self.place_block(block, self.block_at(i));
    run.place.block_index = block.index;
    const std::uint32_t stride = is_shuffled ? permuting_factor(self.ready_.random(), threads) : 1;
    const std::uint32_t shift = is_shuffled ? self.ready_.random() % threads : 0;
    for (std::uint32_t j = 0; j < threads; ++j) {
      const std::uint32_t thread = permuted(j, stride, shift, threads);
      run.place.thread_index = thread;
      run.name = thread_name(block.number, thread);
      launch.code(launch.words.data(), launch.entry);
    }
  }
  self.stop();
}

void Scheduler::stop() {
  run_->fiber->leave_to(host_);
}

void Scheduler::start_block(EmulatedBlock& block, std::uint32_t number) {
  place_block(block, number);
  const std::uint32_t threads = launch_->shape.threads;
  block.living = threads;
  block.at_barrier = 0;
  block.warps.assign((threads + lanes - 1) / lanes, {});
  for (std::uint32_t i = 0; i < threads; ++i) {
    EmulatedThread& thread = block.threads[i];
    thread.seen = {};
    thread.fiber->prepare(thread_main, this);
    can_run(thread);
  }
}

void Scheduler::run_fibers() {
  std::uint32_t next_block = 0;
  const std::size_t in_flight =
      std::min<std::size_t>(std::max(options_.blocks_in_flight, 1u), blocks_);
  for (std::size_t slot = 0; slot < in_flight; ++slot)
    start_block(*slots_[slot], block_at(next_block++));
  while (EmulatedThread* const thread = ready_.take()) {
    make_current(*thread);
    host_.switch_to(*thread->fiber);
    if (run_->has_violation || run_->is_out_of_memory) return;
    // A block has ended, or nobody can go on.
    EmulatedBlock& block = *run_->block;
    if (block.living == 0 && next_block < blocks_) start_block(block, block_at(next_block++));
  }
  note_deadlock();
}

void Scheduler::thread_main(void* argument) {
  Scheduler& self = *static_cast<Scheduler*>(argument);
  self.launch_->code(self.launch_->words.data(), self.launch_->entry);
  self.end_thread();
}

void Scheduler::make_current(EmulatedThread& thread) {
  EmulatedBlock& block = *thread.block;
  KernelRun& run = *run_;
  run.thread = &thread;
  run.fiber = thread.fiber.get();
  run.block = &block;
  run.name = thread_name(block.number, thread.index);
  run.place.thread_index = thread.index;
  run.place.block_index = block.index;
  run.place.shared = block.shared;
}

void Scheduler::can_run(EmulatedThread& thread) {
  thread.state = EmulatedThread::State::CanRun;
  ready_.add(thread, thread.block->slot);
}

/// The running thread gives way: it waits for something, or can run again already.
void Scheduler::go_on() {
  EmulatedThread& self = *run_->thread;
  EmulatedThread* const next = ready_.take();
  if (next == &self) return;
  if (next) {
    make_current(*next);
    self.fiber->switch_to(*next->fiber);
  } else {
    self.fiber->switch_to(host_);
  }
}

void Scheduler::end_thread() {
  EmulatedThread& self = *run_->thread;
  EmulatedBlock& block = *self.block;
  EmulatedWarp& warp = block.warps[self.index / lanes];
  self.state = EmulatedThread::State::Ended;
  --block.living;
  ++warp.ended;
  note_progress();
  if (run_->checks.convergence && (block.at_barrier > 0 || warp.waiting > 0)) {
    const bool is_barrier = block.at_barrier > 0;
    stop_for_divergence(is_barrier ? block.barrier_site : warp.site, nullptr,
                        is_barrier ? "this thread has returned while others of its block wait"
                                   : "this thread has returned while others of its warp wait");
  }
  if (block.at_barrier > 0 && block.at_barrier == block.living) release_barrier(block);
  const std::uint32_t first = self.index / lanes * lanes;
  const std::uint32_t count = std::min(lanes, launch_->shape.threads - first);
  if (warp.waiting > 0 && warp.waiting + warp.ended == count)
    finish_exchange(block, warp, first, count, static_cast<Exchange>(warp.kind));
  EmulatedThread* const next = block.living > 0 ? ready_.take() : nullptr;
  if (!next) self.fiber->leave_to(host_);
  make_current(*next);
  self.fiber->leave_to(*next->fiber);
}

void Scheduler::release_barrier(EmulatedBlock& block) {
  block.at_barrier = 0;
  block.barrier_time = ++block.time;
  note_progress();
  for (std::uint32_t i = 0; i < launch_->shape.threads; ++i)
    if (block.threads[i].state == EmulatedThread::State::AtBarrier) can_run(block.threads[i]);
}

void Scheduler::wait_at_barrier(std::uint32_t site) {
  EmulatedThread& self = *run_->thread;
  EmulatedBlock& block = *self.block;
  if (run_->checks.convergence) {
    if (block.living < launch_->shape.threads)
      stop_for_divergence(site, nullptr, "another thread of the block has returned");
    if (block.at_barrier > 0 && block.barrier_site != site) {
      const auto other = std::find_if(block.threads.begin(), block.threads.end(),
                                      [](const EmulatedThread& thread) {
                                        return thread.state == EmulatedThread::State::AtBarrier;
                                      });
      stop_for_divergence(site, &*other, "another thread waits at another barrier");
    }
  }
  block.barrier_site = site;
  self.site = site;
  self.state = EmulatedThread::State::AtBarrier;
  if (++block.at_barrier == block.living) release_barrier(block);
  go_on();
}

/// The threads of the warp go on at once, in their order: what they touch is near.
void Scheduler::finish_exchange(EmulatedBlock& block, EmulatedWarp& warp, std::uint32_t first,
                                std::uint32_t count, Exchange kind) {
  const std::span threads(&block.threads[first], count);
  std::uint32_t present = 0;
  std::size_t most_words = 0;
  for (std::uint32_t i = 0; i < count; ++i)
    if (threads[i].state == EmulatedThread::State::AtExchange) {
      present |= 1u << i;
      most_words = std::max(most_words, threads[i].words.size());
    }
  for (std::size_t word = 0; word < most_words; ++word)
    exchange_word(threads, present, word, kind);
  for (std::uint32_t i = count; i-- > 0;) {
    if ((present >> i & 1) == 0) continue;
    threads[i].state = EmulatedThread::State::CanRun;
    ready_.add_first(threads[i], block.slot);
  }
  warp.waiting = 0;
  note_progress();
}

void Scheduler::exchange(Exchange kind, std::span<std::uint32_t> words, std::uint32_t operand,
                         std::uint32_t site) {
  EmulatedThread& self = *run_->thread;
  EmulatedBlock& block = *self.block;
  EmulatedWarp& warp = block.warps[self.index / lanes];
  const std::uint32_t first = self.index / lanes * lanes;
  const std::uint32_t count = std::min(lanes, launch_->shape.threads - first);
  if (run_->checks.convergence) {
    if (operand >= lanes) {
      Violation violation;
      violation.kind = ViolationKind::Limit;
      violation.thread = run_->name;
      violation.site = site;
      violation.what = "the lane or the distance is not below 32";
      run_->stop_with(violation);
    }
    if (warp.ended > 0)
      stop_for_divergence(site, nullptr, "another thread of the warp has returned");
    if (warp.waiting > 0 && warp.site != site) {
      const auto other =
          std::find_if(block.threads.begin() + first, block.threads.begin() + first + count,
                       [](const EmulatedThread& thread) {
                         return thread.state == EmulatedThread::State::AtExchange;
                       });
      stop_for_divergence(site, &*other, "another thread of the warp waits at another exchange");
    }
  }
  warp.site = site;
  warp.kind = static_cast<std::uint8_t>(kind);
  self.site = site;
  self.words = words;
  self.operand = operand;
  self.state = EmulatedThread::State::AtExchange;
  if (++warp.waiting + warp.ended == count) finish_exchange(block, warp, first, count, kind);
  go_on();
}

void Scheduler::give_way() {
  if (!run_->thread) return;
  can_run(*run_->thread);
  go_on();
}

void Scheduler::give_way_after(std::uint64_t address, std::uint64_t value, std::uint32_t site) {
  EmulatedThread& self = *run_->thread;
  EmulatedThread::Seen& seen = self.seen[address / 8 % self.seen.size()];
  if (seen.address != address || seen.value != value) {
    seen = {address, value};
    note_progress();
  } else if (++idle_looks_ > std::uint64_t{options_.patience} * (ready_.count() + 1)) {
    Violation violation;
    violation.kind = ViolationKind::NoProgress;
    violation.thread = run_->name;
    violation.site = site;
    violation.what = "all threads wait, or look at words that stay as they are";
    run_->stop_with(violation);
  }
  give_way();
}

void Scheduler::stop_for_divergence(std::uint32_t site, const EmulatedThread* other,
                                    const char* what) {
  Violation violation;
  violation.kind = ViolationKind::Divergence;
  violation.thread = run_->name;
  violation.site = site;
  violation.what = what;
  if (other) {
    violation.other = thread_name(other->block->number, other->index);
    violation.other_site = other->site;
    violation.has_other_site = true;
  }
  run_->stop_with(violation);
}

/// If there are threads that wait though none can run.
void Scheduler::note_deadlock() {
  const EmulatedThread* first = nullptr;
  for (const std::unique_ptr<EmulatedBlock>& block : slots_) {
    if (block->living == 0) continue;
    for (std::uint32_t i = 0; i < launch_->shape.threads; ++i) {
      const EmulatedThread& thread = block->threads[i];
      if (thread.state == EmulatedThread::State::Ended) continue;
      if (first && (thread.site == first->site || thread.block != first->block)) continue;
      Violation& violation = run_->violation;
      violation.kind = ViolationKind::Divergence;
      run_->has_violation = true;
      if (!first) {
        first = &thread;
        violation.thread = thread_name(block->number, thread.index);
        violation.site = thread.site;
        violation.what = "no thread can go on";
      } else if (!violation.has_other_site) {
        violation.other = thread_name(block->number, thread.index);
        violation.other_site = thread.site;
        violation.has_other_site = true;
        return;
      }
    }
  }
}

} // namespace sinter::gpu
