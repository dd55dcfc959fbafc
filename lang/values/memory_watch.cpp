#include "lang/values/memory_watch.h"

#include "lang/base/byte_text.h"

#include <algorithm>

namespace sinter {

namespace {

/// To trim the heap takes some time: only for so much.
constexpr std::size_t worth_trimming = std::size_t{16} << 20;

/// So much is nobody's: what of the prelude is checked and prepared when it is first needed.
constexpr std::ptrdiff_t of_prelude = std::ptrdiff_t{4} << 20;

std::size_t difference(std::size_t a, std::size_t b) {
  return a - std::min(a, b);
}

} // namespace

std::size_t MemoryWatch::heap_bytes() const noexcept {
  const std::ptrdiff_t grown = heap_in_use() - base_.load(std::memory_order_relaxed) - of_prelude;
  return static_cast<std::size_t>(std::max<std::ptrdiff_t>(grown, 0));
}

void MemoryWatch::grew() noexcept {
  refused_.store(0, std::memory_order_relaxed);
  make_room(0);
  if (used() > budget_.limit() && interrupt_.reason() == InterruptSource::Reason::None)
    interrupt_.raise(InterruptSource::Reason::MemoryLimit);
}

bool MemoryWatch::allows(std::size_t bytes) noexcept {
  if (bytes > difference(budget_.limit(), used())) {
    refused_.store(bytes, std::memory_order_relaxed);
    return false;
  }
  make_room(bytes);
  return true;
}

void MemoryWatch::make_room(std::size_t bytes) noexcept {
  const std::size_t room = difference(budget_.limit(), bytes);
  const std::size_t held = used() + heap_slack();
  if (held + budget_.spare() <= room) return;
  budget_.release_spare();
  if (held > room && heap_slack() >= worth_trimming) trim_heap();
}

std::string MemoryWatch::excess() const {
  const std::size_t refused = refused_.load(std::memory_order_relaxed);
  return byte_text(used()) + " are in use, " +
         (refused > 0 ? byte_text(refused) + " more are needed, " : std::string()) +
         "the limit is " + byte_text(budget_.limit());
}

} // namespace sinter
