#include "lang/base/runtime_error.h"

#include "lang/base/heap.h"

namespace sinter {

RuntimeError interruption(InterruptSource::Reason reason) {
  switch (reason) {
  case InterruptSource::Reason::None:
  case InterruptSource::Reason::Interrupt:
    return {FailureKind::Interrupted, "interrupted"};
  case InterruptSource::Reason::Timeout:
    return {FailureKind::TimedOut, "the time limit is over"};
  case InterruptSource::Reason::MemoryLimit:
    return {FailureKind::OutOfMemory, HeapWatch::here()
                                          ? "out of memory: " + HeapWatch::here()->excess()
                                          : "out of memory: the memory limit is reached"};
  case InterruptSource::Reason::LostPages:
    return {FailureKind::Program, "a file was cut, or could not be read, while it was in use"};
  }
  __builtin_unreachable();
}

} // namespace sinter
