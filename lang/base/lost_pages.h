// Pages of mapped files, which are lost where somebody cuts the file, or the disk fails: who reads
// or writes one gets a signal, SIGBUS, that would end the process.
#pragma once

#include "lang/base/interrupt.h"

#include <cstddef>

namespace sinter {

/// While it lives, to read or write this memory ends nothing: a page that is lost, and all behind
/// it in the same memory, become zero pages, and `is_damaged` tells.  So compiled code on any
/// thread runs on, with zeros, to its next poll (the interrupt is raised), or to where somebody
/// asks.
///
/// The first one takes the process's handler of SIGBUS.  What is a fault of any other memory goes
/// to the handler that was there before, or ends the process as it would have.
///
/// Thread-safe, the handler too.
class LostPages {
public:
  /// What is done to the pages, and may be done to those in their place.
  enum class Access { Read, Write };
  /// Whole pages, mapped, that nobody unmaps before this ends.  `interrupt` (which may be null) is
  /// raised when one is lost, and must live as long.
  LostPages(const std::byte* base, std::size_t bytes, InterruptSource* interrupt = nullptr,
            Access access = Access::Read);
  ~LostPages();
  LostPages(const LostPages&) = delete;
  LostPages& operator=(const LostPages&) = delete;

  /// Whether a page was lost.
  bool is_damaged() const;

private:
  struct Range;
  /// Of all there are.  (Declared here, as `Range` is nobody else's.)
  class Ranges;
  Range* range_;
};

} // namespace sinter
