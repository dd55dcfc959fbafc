// What compressors have in common: bytes go in and come out piece by piece.
//
// gzip is the executable's own; the others are a library that is opened on first need, so that
// nobody waits for what hardly anybody uses when the program starts.
#pragma once

#include "lang/values/compression.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace sinter {

/// Compresses or decompresses one member of a file.
class CompressionStream {
public:
  enum class Status { More, End, Damaged };
  virtual ~CompressionStream() = default;
  /// Takes from the front of `in`, writes to the front of `out`, and leaves what is left of both.
  /// `is_last`: nothing follows `in`.  Throws std::bad_alloc.
  virtual Status step(std::string_view& in, std::span<char>& out, bool is_last) = 0;
  /// What is wrong, behind Damaged.
  virtual std::string fault() const { return "its data are damaged"; }
};

enum class Direction : std::uint8_t { Compress, Decompress };

/// Of gzip.
std::unique_ptr<CompressionStream> gzip_stream(Direction direction);

/// The function of this name in the library `sinter_compression`, for the others.
inline constexpr const char* stream_maker = "sinter_make_compression_stream";
using StreamMaker = CompressionStream* (*)(Compression compression, Direction direction);

} // namespace sinter
