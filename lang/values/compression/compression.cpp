#include "lang/values/compression.h"

#include "lang/base/interruptible.h"
#include "lang/base/plugin.h"
#include "lang/values/compression/stream.h"
#include "lang/values/file_memory.h"
#include "lang/values/format.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>

namespace sinter {

namespace {

struct Kind {
  Compression compression;
  std::string_view name;
  std::string_view magic; ///< what its files begin with
};
constexpr Kind kinds[] = {{Compression::Gzip, "gzip", "\x1f\x8b"},
                          {Compression::Bzip2, "bzip2", "BZh"},
                          {Compression::Xz,
                           "xz",
                           {"\xFD"
                            "7zXZ\0",
                            6}},
                          {Compression::Zstandard, "Zstandard", "\x28\xB5\x2F\xFD"}};

const Kind& kind_of(Compression compression) {
  return *std::ranges::find(kinds, compression, &Kind::compression);
}

struct Ending {
  std::string_view text;
  Compression compression;
};
constexpr Ending endings[] = {{".gz", Compression::Gzip},
                              {".bz2", Compression::Bzip2},
                              {".xz", Compression::Xz},
                              {".zst", Compression::Zstandard},
                              {".zstd", Compression::Zstandard}};

const Ending* ending_of_name(std::string_view path) {
  for (const Ending& ending : endings) {
    if (path.size() < ending.text.size()) continue;
    const std::string_view end = path.substr(path.size() - ending.text.size());
    if (std::ranges::equal(end, ending.text, [](char a, char b) {
          return std::tolower(static_cast<unsigned char>(a)) == b;
        }))
      return &ending;
  }
  return nullptr;
}

std::unique_ptr<CompressionStream> stream_of(Compression compression, Direction direction) {
  if (compression == Compression::Gzip) return gzip_stream(direction);
  try {
    static const auto make =
        reinterpret_cast<StreamMaker>(open_plugin("sinter_compression", stream_maker));
    return std::unique_ptr<CompressionStream>(make(compression, direction));
  } catch (const std::runtime_error& error) {
    throw FormatError("the library for " + std::string(kind_of(compression).name) +
                      " cannot be opened: " + error.what());
  }
}

} // namespace

Compression compression_of(std::string_view contents) {
  for (const Kind& kind : kinds) {
    if (!contents.starts_with(kind.magic)) continue;
    // (A text, too, may begin with these letters: what follows is the size of a block.)
    const bool is_text = kind.compression == Compression::Bzip2 &&
                         (contents.size() < 10 || contents[3] < '1' || contents[3] > '9' ||
                          (contents.substr(4, 6) != "1AY&SY" &&
                           contents.substr(4, 6) != "\x17\x72\x45\x38\x50\x90"));
    return is_text ? Compression::None : kind.compression;
  }
  return Compression::None;
}

Compression compression_named(std::string_view path) {
  const Ending* ending = ending_of_name(path);
  return ending ? ending->compression : Compression::None;
}

std::string_view without_compression(std::string_view path) {
  const Ending* ending = ending_of_name(path);
  return ending ? path.substr(0, path.size() - ending->text.size()) : path;
}

std::string compress(std::string_view bytes, Compression compression) {
  // (What repeats itself, but not quite, takes longest: 1 MiB of a range of numbers 70 ms in zlib.)
  constexpr std::size_t bytes_between_polls = std::size_t{1} << 16;
  const std::unique_ptr<CompressionStream> stream = stream_of(compression, Direction::Compress);
  std::string packed;
  char buffer[1 << 16];
  CompressionStream::Status status{};
  while (status != CompressionStream::Status::End) {
    poll_interruption();
    std::string_view piece = bytes.substr(0, bytes_between_polls);
    const std::size_t before = piece.size();
    const bool is_last = before == bytes.size();
    std::span<char> room(buffer);
    status = stream->step(piece, room, is_last);
    packed.append(buffer, sizeof buffer - room.size());
    bytes.remove_prefix(before - piece.size());
  }
  return packed;
}

std::string decompress(std::string_view bytes, Compression compression, const std::string& path) {
  std::unique_ptr<CompressionStream> stream = stream_of(compression, Direction::Decompress);
  GrowingBytes unpacked(path);
  std::size_t taken = 0;
  auto corrupt = [&](const std::string& why) {
    throw FormatError("`" + path + "` is not valid " + std::string(kind_of(compression).name) +
                      " data: " + why + " at byte " + std::to_string(taken));
  };
  for (;;) {
    poll_interruption();
    std::string_view piece = bytes.substr(taken, bytes_at_once);
    std::span<char> room = unpacked.room();
    const std::size_t before_in = piece.size(), before_out = room.size();
    const bool is_last = taken + before_in == bytes.size();
    const CompressionStream::Status status = stream->step(piece, room, is_last);
    taken += before_in - piece.size();
    unpacked.add(before_out - room.size());
    if (status == CompressionStream::Status::Damaged) corrupt(stream->fault());
    if (status == CompressionStream::Status::End) {
      // Several compressed files, one behind the other, are their contents one behind the other.
      const std::string_view rest = bytes.substr(taken);
      if (rest.empty()) break;
      if (compression_of(rest) != compression) corrupt("something else follows");
      stream = stream_of(compression, Direction::Decompress);
    } else if (taken == bytes.size() && before_out == room.size() && before_in == 0) {
      corrupt("it is cut short");
    }
  }
  return unpacked.take();
}

} // namespace sinter
