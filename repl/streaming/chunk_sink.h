// Where the results of chunks go: as bytes, or as lines.
#pragma once

#include "lang/values/byte_sink.h"
#include "lang/values/concrete.h"

namespace sinter::repl {

enum class ChunkFormat {
  Bytes, ///< the elements as they lie in memory (little-endian), and nothing else
  Lines, ///< each element in Futhark's notation, on a line of its own
};

/// Writes the elements of an array of scalars of that type.  Throws what `sink` does.
void write_chunk(ByteSink& sink, ChunkFormat format, const Value& array, const Representation* type,
                 Representations& representations);

/// Writes any value: as `Bytes` the elements of its arrays and its scalars, in order (FormatError
/// for one with anything else in it), as `Lines` a line for each part of a tuple.
void write_whole(ByteSink& sink, ChunkFormat format, const Value& value,
                 const Representation* type);

} // namespace sinter::repl
