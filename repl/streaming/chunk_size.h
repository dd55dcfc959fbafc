// How many elements a chunk should have, found while chunks are computed (after Madsen et al.,
// Functional array streams, FHPC 2015, and Clifton-Everest's thesis).
//
// Larger chunks cost less for each element, until they leave the caches.  So the size doubles while
// the time for an element falls, shrinks where it rises, and stays otherwise.  Chunks of less than
// two milliseconds tell nothing, but that they are too small.  Where memory is
// short it is halved, and never grows beyond that again.
#pragma once

#include "lang/base/trial_times.h"

#include <cstdint>

namespace sinter::repl {

class ChunkSize {
public:
  /// Begins with `first` elements, at most `most`.
  ChunkSize(std::int64_t first, std::int64_t most);

  std::int64_t elements() const { return size_; }
  /// A chunk of that size took so long.
  void note(double seconds);
  /// A chunk of `count` elements was too much for the memory.
  void halve(std::int64_t count);

private:
  std::int64_t size_, most_;
  TrialTimes times_;
};

} // namespace sinter::repl
