#include "gpu/emulator/access_check.h"

#include "gpu/emulator/block_order.h"

#include <cstring>
#include <new>

namespace sinter::gpu {

namespace {

constexpr bool is_atomic(Access access) {
  return access != Access::Read && access != Access::Write;
}
constexpr bool is_write(Access access) {
  return access != Access::Read && access != Access::AtomicRead;
}
constexpr bool is_read(Access access) {
  return access != Access::Write && access != Access::AtomicWrite;
}

/// What is accessed, and where in the code.
struct Point {
  std::uint64_t address;
  std::uint32_t bytes, site;
};

[[gnu::cold, gnu::noinline]] Violation violation_at(const KernelRun& run, Access access,
                                                    const Point& point, ViolationKind kind) {
  Violation violation;
  violation.kind = kind;
  violation.thread = run.name;
  violation.site = point.site;
  violation.access = access;
  violation.address = point.address;
  violation.bytes = point.bytes;
  return violation;
}

std::uint32_t time_of(const AccessRecord& record) {
  return record.when & AccessRecord::time_mask;
}

/// Whether what another block did is before what happens here.
bool is_before(const EmulatedBlock& block, const AccessRecord& record) {
  return !block.seen.empty() && block.seen[block_of(record.who)] >= time_of(record);
}

/// Whether an access by the running thread is in no order with a record of earlier ones, where
/// those before `start` do not count.
bool is_race(const KernelRun& run, const AccessRecord& record, std::uint32_t start,
             bool is_atomic) {
  const std::uint32_t time = time_of(record);
  if (record.who == 0 || time < start) return false;
  constexpr std::uint32_t several = AccessRecord::several_threads | AccessRecord::several_blocks;
  if (record.who == run.name && (record.when & several) == 0) return false;
  if (is_atomic && (record.when & AccessRecord::atomic) != 0) return false;
  const EmulatedBlock& block = *run.block;
  if (block_of(record.who) != block.number) return !is_before(block, record);
  if (time >= block.barrier_time &&
      (record.who != run.name || (record.when & AccessRecord::several_threads) != 0))
    return true;
  // Of the other blocks it is not known which; without any word from one there is no order.
  return (record.when & AccessRecord::several_blocks) != 0 && block.seen.empty();
}

void note(const KernelRun& run, AccessRecord& record, std::uint32_t start, bool is_atomic) {
  const EmulatedBlock& block = *run.block;
  const std::uint32_t before = record.when & ~AccessRecord::time_mask;
  std::uint32_t flags = is_atomic ? AccessRecord::atomic : 0;
  if (record.who == 0 || time_of(record) < start) {
    // The first one.
  } else if (block_of(record.who) != block.number) {
    // (What is before this one need not be remembered.)
    if (!is_before(block, record)) flags = (flags & before) | AccessRecord::several_blocks;
  } else if (time_of(record) < block.barrier_time) {
    flags |= before & AccessRecord::several_blocks;
  } else {
    flags = (flags & before) |
            (before & (AccessRecord::several_threads | AccessRecord::several_blocks));
    if (record.who != run.name) flags |= AccessRecord::several_threads;
  }
  record.who = run.name;
  record.when = block.time | flags;
}

[[noreturn, gnu::cold, gnu::noinline]] void stop_for_race(KernelRun& run, Access access,
                                                          const AccessRecord& record,
                                                          bool other_wrote, const Point& point) {
  Violation violation = violation_at(run, access, point, ViolationKind::Race);
  violation.other = record.who;
  violation.other_wrote = other_wrote;
  run.stop_with(violation);
}

template <Access access>
void visit_cell(KernelRun& run, AccessCell& cell, std::uint32_t start, const Point& point) {
  if (is_race(run, cell.write, start, is_atomic(access)))
    stop_for_race(run, access, cell.write, true, point);
  if constexpr (is_write(access)) {
    if (is_race(run, cell.read, start, is_atomic(access)))
      stop_for_race(run, access, cell.read, false, point);
    note(run, cell.write, start, is_atomic(access));
  } else {
    note(run, cell.read, start, is_atomic(access));
  }
}

bool is_split(const AccessCell& cell, std::uint32_t start) {
  return cell.write.who == AccessCell::split && time_of(cell.write) >= start;
}

/// Has bytes of the word be looked at one by one from now on.
void split(AccessCell& cell, AccessCell* bytes, std::uint32_t start) {
  for (int i = 0; i < 4; ++i)
    bytes[i] = cell;
  cell.write = {AccessCell::split, start};
}

template <Access access>
void visit_cells(KernelRun& run, const Shadow& shadow, std::uint64_t offset, std::uint32_t start,
                 const Point& point) {
  const std::uint64_t end = offset + point.bytes;
  while (offset < end) {
    AccessCell& word = shadow.word_cells()[offset / 4];
    const std::uint64_t word_end = (offset & ~std::uint64_t{3}) + 4;
    AccessCell* const of_bytes = shadow.byte_cells() + (offset & ~std::uint64_t{3});
    const bool is_whole = offset % 4 == 0 && word_end <= end;
    if (!is_split(word, start)) {
      if (is_whole) {
        visit_cell<access>(run, word, start, point);
        offset = word_end;
        continue;
      }
      split(word, of_bytes, start);
    }
    for (; offset < end && offset < word_end; ++offset)
      visit_cell<access>(run, of_bytes[offset & 3], start, point);
  }
}

constexpr std::uint64_t eight_times(std::uint8_t byte) {
  return byte * 0x0101010101010101ull;
}

/// Whether all of the bytes' states have all of the mask.
bool all_have(const std::uint8_t* states, std::uint32_t bytes, std::uint8_t mask) {
  while (bytes >= 8) {
    std::uint64_t word;
    std::memcpy(&word, states, 8);
    if ((word & eight_times(mask)) != eight_times(mask)) return false;
    states += 8;
    bytes -= 8;
  }
  if (bytes >= 4) {
    std::uint32_t word;
    std::memcpy(&word, states, 4);
    const auto wanted = static_cast<std::uint32_t>(eight_times(mask));
    if ((word & wanted) != wanted) return false;
    states += 4;
    bytes -= 4;
  }
  for (; bytes > 0; --bytes, ++states)
    if ((*states & mask) != mask) return false;
  return true;
}

[[gnu::cold]] ViolationKind kind_of_bad_states(const std::uint8_t* states, std::uint32_t bytes) {
  for (std::uint32_t i = 0; i < bytes; ++i) {
    if ((states[i] & byte_released) != 0) return ViolationKind::Released;
    if ((states[i] & byte_living) == 0) return ViolationKind::OutOfBounds;
  }
  return ViolationKind::Uninitialised;
}

/// What is neither device memory nor shared: the thread's own stack, or the module's constants.
[[gnu::cold]] bool is_own_or_constant(const KernelRun& run, bool writes, std::uint64_t address,
                                      std::uint32_t bytes) {
  auto lies_in = [&](std::uint64_t begin, std::uint64_t size) {
    return address >= begin && address - begin <= size && bytes <= size - (address - begin);
  };
  const auto low = reinterpret_cast<std::uint64_t>(run.fiber->low());
  if (lies_in(low, reinterpret_cast<std::uint64_t>(run.fiber->high()) - low)) return true;
  if (writes) return false;
  for (const auto& [begin, size] : run.constants)
    if (lies_in(begin, size)) return true;
  return false;
}

[[gnu::cold, gnu::noinline]] void order_atomic(KernelRun& run, Access access, const Point& point) {
  try {
    if (is_write(access))
      run.order->write_atomically(*run.block, point.address);
    else
      run.order->observe(*run.block, point.address);
    return;
  } catch (const std::bad_alloc&) {
    run.is_out_of_memory = true;
  }
  run.stop_with(violation_at(run, access, point, ViolationKind::Limit));
}

template <Access access>
[[gnu::always_inline]] inline void check(KernelRun& run, std::uint64_t address, std::uint32_t bytes,
                                         std::uint32_t alignment_log2, std::uint32_t site) {
  const Point point{address, bytes, site};
  auto stop = [&](ViolationKind kind) { run.stop_with(violation_at(run, access, point, kind)); };
  if ((address & ((std::uint64_t{1} << alignment_log2) - 1)) != 0) [[unlikely]]
    stop(ViolationKind::Misaligned);
  std::uint64_t offset = address - run.memory_base;
  const Shadow* shadow = run.memory_shadow;
  std::uint64_t size = run.memory_bytes;
  std::uint32_t start = run.start_time;
  bool is_shared = false;
  if (offset >= size) {
    offset = address - reinterpret_cast<std::uint64_t>(run.place.shared);
    size = run.shared_bytes;
    if (offset >= size) {
      if (is_own_or_constant(run, is_write(access), address, bytes)) return;
      stop(ViolationKind::OutOfBounds);
    }
    shadow = &*run.block->shared_shadow;
    start = run.block->begin_time;
    is_shared = true;
  }
  if (bytes > size - offset) [[unlikely]]
    stop(ViolationKind::OutOfBounds);
  std::uint8_t* const states = shadow->states() + offset;
  const std::uint8_t wanted =
      is_read(access) && run.checks.definition ? byte_living | byte_defined : byte_living;
  if (!all_have(states, bytes, wanted)) [[unlikely]]
    stop(kind_of_bad_states(states, bytes));
  if constexpr (is_write(access)) std::memset(states, byte_living | byte_defined, bytes);
  if (!run.checks.races) return;
  visit_cells<access>(run, *shadow, offset, start, point);
  if constexpr (is_atomic(access))
    if (!is_shared && run.order && (run.order->has_words() || !run.block->fenced.empty()))
      order_atomic(run, access, point);
}

template <Access access>
void check_any(KernelRun* run, std::uint64_t address, std::uint32_t shape, std::uint32_t site) {
  check<access>(*run, address, shape >> 8, shape & 0xFF, site);
}

/// Code of its own for the sizes of scalars and for four words: it is what most of the time of a
/// launch goes to.
template <Access access, std::uint32_t bytes>
void check_sized(KernelRun* run, std::uint64_t address, std::uint32_t shape, std::uint32_t site) {
  check<access>(*run, address, bytes, shape & 0xFF, site);
}

template <Access access>
AccessCheck check_of(std::uint32_t bytes) {
  switch (bytes) {
  case 1:
    return check_sized<access, 1>;
  case 2:
    return check_sized<access, 2>;
  case 4:
    return check_sized<access, 4>;
  case 8:
    return check_sized<access, 8>;
  case 16:
    return check_sized<access, 16>;
  default:
    return check_any<access>;
  }
}

} // namespace

void check_access(KernelRun& run, Access access, std::uint64_t address, std::uint32_t bytes,
                  std::uint32_t alignment_log2, std::uint32_t site) {
  if (!run.checks.memory) return;
  access_check(access, bytes)(&run, address, access_shape(bytes, alignment_log2), site);
}

AccessCheck access_check(Access access, std::uint32_t bytes) {
  switch (access) {
  case Access::Read:
    return check_of<Access::Read>(bytes);
  case Access::Write:
    return check_of<Access::Write>(bytes);
  case Access::AtomicRead:
    return check_of<Access::AtomicRead>(bytes);
  case Access::AtomicWrite:
    return check_of<Access::AtomicWrite>(bytes);
  case Access::AtomicUpdate:
    return check_of<Access::AtomicUpdate>(bytes);
  }
  return nullptr;
}

void check_range(KernelRun* run, std::uint64_t address, std::uint64_t bytes, std::uint32_t writes,
                 std::uint32_t site) {
  constexpr std::uint64_t most = std::uint64_t{1} << 20; // that a shape has room for
  while (bytes > 0) {
    const auto part = static_cast<std::uint32_t>(bytes < most ? bytes : most);
    check_access(*run, writes != 0 ? Access::Write : Access::Read, address, part, 0, site);
    address += part;
    bytes -= part;
  }
}

void check_within(KernelRun* run, std::uint64_t address, std::uint32_t shape, std::uint64_t object,
                  std::uint64_t object_bytes, std::uint32_t site) {
  const std::uint64_t offset = address - object, bytes = shape >> 8;
  if (offset <= object_bytes && bytes <= object_bytes - offset) return;
  Violation violation;
  violation.thread = run->name;
  violation.site = site;
  violation.address = address;
  violation.bytes = static_cast<std::uint32_t>(bytes);
  violation.what = "of the thread's own array or of a constant one";
  run->stop_with(violation);
}

} // namespace sinter::gpu
