// Whether a pipe begins as an .npy file does.
#pragma once

#include "lang/base/interrupt.h"
#include "lang/values/npy_header.h"

#include <optional>
#include <string>

namespace sinter::repl {

/// What was read of a pipe before its elements.
struct PipeBegin {
  std::optional<NpyHeader> header; ///< the elements come next
  /// Without a header: bytes that were read and are elements' own, fewer than a header's magic.
  std::string elements;
};

/// Reads a header, if it is one that comes, and nothing behind it; bytes that are no header are
/// known for that as soon as one differs.  Waits, and polls interruption; nothing more is read when
/// somebody raises `end`.  Throws FormatError for a header that is malformed or ends early, and if
/// the system does not read.
PipeBegin read_pipe_begin(int descriptor, const InterruptSource& end);

} // namespace sinter::repl
