// Elements that stay in the file that they lie in: chunks are views of it.
#pragma once

#include "lang/values/buffer.h"
#include "lang/values/mapped_file.h"
#include "repl/streaming/array_place.h"
#include "repl/streaming/fetch_ahead.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace sinter::repl {

/// A part of a mapped file, which is taken from front to back.  It takes no memory of the budget,
/// and little else: what was taken before the last time is not resident any more, unless somebody
/// still looks at it, and what comes next is fetched meanwhile (FetchAhead).
///
/// Who computes with the bytes asks afterwards whether the file has lost any (MemoryBudget::files).
/// That it gets longer meanwhile changes nothing.
class MappedElements {
public:
  /// Bytes of the file, `behind` places behind the beginning of a buffer.
  struct Taken {
    BufferRef buffer;
    std::size_t behind = 0;
  };

  /// Nothing if it is not worth it (see MappedFile::least_bytes), if the system does not map the
  /// file, or if elements, whose `scalar_bytes` are what the place has to be a multiple of, do not
  /// lie there as they have to in memory.  `name`: of the file, for messages.  See MappedFile::map
  /// and FetchAhead for what has to live as long, and what is thrown.
  static std::optional<MappedElements> map(int descriptor, const std::string& name,
                                           const FilePlace& place, std::size_t scalar_bytes,
                                           MemoryBudget& memory);

  /// Of the bytes that have not been taken.
  std::uint64_t left() const { return rest_.size(); }
  /// The next bytes, at most `left()`.  Waits for them, and polls interruption: if that throws,
  /// they are still the next ones.
  Taken take(std::size_t count);

private:
  MappedElements(std::shared_ptr<MappedFile> file, std::string_view all, MemoryBudget& memory);

  std::shared_ptr<MappedFile> file_;
  MemoryBudget* memory_;
  std::unique_ptr<FetchAhead> ahead_;
  std::size_t taken_ = 0; ///< bytes
  std::string_view rest_; ///< what is still to be taken
};

} // namespace sinter::repl
