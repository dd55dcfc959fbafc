// Where in a file the elements of an array lie, if they lie there as they would in memory.
#pragma once

#include "repl/streaming/step.h"

#include <cstdint>
#include <optional>

namespace sinter::repl {

/// Bytes of a file: `begin` and behind.
struct FilePlace {
  std::uint64_t begin = 0, bytes = 0;
};

/// The elements of the array, .npy or in Futhark's binary format, that a regular file holds from
/// where it stands to its end: the array has to be one that `step` takes chunks of, row by row and
/// in this machine's byte order.  Nothing if any of that is not so, for whatever reason: others
/// (ValueSource) read such a file, or say what is wrong with it.  The file stands where it stood.
std::optional<FilePlace> array_place(int descriptor, const Step& step);

} // namespace sinter::repl
