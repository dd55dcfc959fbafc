// Where the results of chunks go: as bytes, or as lines.
#pragma once

#include "lang/values/byte_sink.h"
#include "lang/values/concrete.h"
#include "lang/values/extents.h"
#include "lang/values/file_writer.h"

namespace sinter::repl {

enum class ChunkFormat {
  Bytes, ///< the elements as they lie in memory (little-endian), and nothing else
  Lines, ///< each element in Futhark's notation, on a line of its own
};

/// Writes the elements of an array of scalars of that type.  Throws what `sink` does.
void write_chunk(ByteSink& sink, ChunkFormat format, const Value& array, const Representation* type,
                 Representations& representations);

/// The results of all chunks as one .npy array: its header, whose room is kept, is completed at the
/// end, when it is known how many there were.
class NpyChunks {
public:
  /// `type`: of the results.  Throws FormatError if the file is one whose beginning cannot be
  /// written at the end.  `file` must outlive this.
  NpyChunks(FileWriter& file, const Representation* type);
  /// Throws FormatError if the elements have another shape than those before.
  void write(const Value& array);
  void finish();

private:
  FileWriter& file_;
  ElementType element_;
  Extents shape_; ///< of all that was written
  std::size_t header_bytes_;
};

/// Writes any value: as `Bytes` the elements of its arrays and its scalars, in order (FormatError
/// for one with anything else in it), as `Lines` a line for each part of a tuple.
void write_whole(ByteSink& sink, ChunkFormat format, const Value& value,
                 const Representation* type);

} // namespace sinter::repl
