// Sound files through libsndfile, in memory.
#include "lang/base/interruptible.h"
#include "repl/pictures/codecs/parts.h"

#include <sndfile.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>

namespace sinter::repl::parts {

namespace {

constexpr std::int64_t max_samples = std::int64_t{1} << 30;

/// A file that is a string.
struct Memory {
  std::string bytes;
  sf_count_t position = 0;

  static Memory& of(void* self) { return *static_cast<Memory*>(self); }
  static sf_count_t length(void* self) { return static_cast<sf_count_t>(of(self).bytes.size()); }
  static sf_count_t seek(sf_count_t offset, int whence, void* self) {
    sf_count_t base = whence == SEEK_SET   ? 0
                      : whence == SEEK_CUR ? of(self).position
                                           : length(self);
    of(self).position = std::max<sf_count_t>(base + offset, 0);
    return of(self).position;
  }
  static sf_count_t read(void* out, sf_count_t count, void* self) {
    Memory& memory = of(self);
    count = std::clamp<sf_count_t>(length(self) - memory.position, 0, count);
    if (count > 0) std::memcpy(out, memory.bytes.data() + memory.position, count);
    memory.position += count;
    return count;
  }
  static sf_count_t write(const void* in, sf_count_t count, void* self) {
    Memory& memory = of(self);
    auto end = static_cast<std::size_t>(memory.position + count);
    if (memory.bytes.size() < end) memory.bytes.resize(end);
    std::memcpy(memory.bytes.data() + memory.position, in, static_cast<std::size_t>(count));
    memory.position += count;
    return count;
  }
  static sf_count_t tell(void* self) { return of(self).position; }
};

SF_VIRTUAL_IO operations() {
  return {Memory::length, Memory::seek, Memory::read, Memory::write, Memory::tell};
}

struct Close {
  void operator()(SNDFILE* file) const { sf_close(file); }
};
using File = std::unique_ptr<SNDFILE, Close>;

int subtype(Sound::Format format, bool floats) {
  switch (format) {
  case Sound::Format::Bits8:
    return floats ? SF_FORMAT_PCM_U8 : SF_FORMAT_PCM_S8;
  case Sound::Format::Bits16:
    return SF_FORMAT_PCM_16;
  case Sound::Format::Bits32:
    return floats ? SF_FORMAT_PCM_32 : SF_FORMAT_PCM_24;
  case Sound::Format::Float32:
    return floats ? SF_FORMAT_FLOAT : SF_FORMAT_PCM_24;
  case Sound::Format::Float64:
    return floats ? SF_FORMAT_DOUBLE : SF_FORMAT_PCM_24;
  }
  __builtin_unreachable();
}

int file_format(Sound::Format format, std::string_view ending) {
  if (ending == "wav") return SF_FORMAT_WAV | subtype(format, true);
  if (ending == "flac") return SF_FORMAT_FLAC | subtype(format, false);
  if (ending == "ogg") return SF_FORMAT_OGG | SF_FORMAT_VORBIS;
  throw FormatError("sounds can be written as wav, flac or ogg, not as `" + std::string(ending) +
                    "`");
}

} // namespace

std::string write_sound(const Sound& sound, std::string_view format) {
  SF_INFO info{};
  info.samplerate = sound.rate;
  info.channels = sound.channels;
  info.format = file_format(sound.format, format);
  Memory memory;
  SF_VIRTUAL_IO io = operations();
  File file(sf_open_virtual(&io, SFM_WRITE, &info, &memory));
  if (!file) throw FormatError(std::string("the sound cannot be written: ") + sf_strerror(nullptr));
  bool integers = sound.format == Sound::Format::Bits8 || sound.format == Sound::Format::Bits16 ||
                  sound.format == Sound::Format::Bits32;
  const bool is_exact = integers && format != "ogg";
  if (!is_exact) sf_command(file.get(), SFC_SET_CLIPPING, nullptr, SF_TRUE);
  const std::size_t piece = std::size_t{1} << 14; // frames
  const std::span<const double> all(sound.samples);
  std::vector<int> words;
  for (std::size_t begin = 0; begin < all.size();) {
    poll_interruption();
    const std::span<const double> some = all.subspan(
        begin, std::min(piece * static_cast<std::size_t>(sound.channels), all.size() - begin));
    const auto count = static_cast<sf_count_t>(some.size());
    sf_count_t written = 0;
    if (is_exact) {
      words.clear();
      for (double sample : some)
        words.push_back(static_cast<int>(std::clamp(sample * 0x1p31, -0x1p31, 0x1p31 - 1)));
      written = sf_write_int(file.get(), words.data(), count);
    } else {
      written = sf_write_double(file.get(), some.data(), count);
    }
    if (written != count)
      throw FormatError(std::string("the sound cannot be written: ") + sf_strerror(file.get()));
    begin += some.size();
  }
  file.reset();
  return std::move(memory.bytes);
}

Sound read_sound(std::string_view bytes) {
  Memory memory{std::string(bytes)};
  SF_VIRTUAL_IO io = operations();
  SF_INFO info{};
  File file(sf_open_virtual(&io, SFM_READ, &info, &memory));
  if (!file)
    throw FormatError(std::string("this is no sound that can be read: ") + sf_strerror(nullptr));
  if (info.channels < 1) throw FormatError("the sound has no channels");
  Sound sound{.rate = info.samplerate, .channels = info.channels, .samples = {}};
  // What the header says of the length is believed when the samples are there.
  constexpr sf_count_t piece = 1 << 14;
  for (;;) {
    poll_interruption();
    std::size_t before = sound.samples.size();
    if (static_cast<std::int64_t>(before) > max_samples) throw FormatError("the sound is too long");
    sound.samples.resize(before + static_cast<std::size_t>(piece * info.channels));
    sf_count_t got = sf_readf_double(file.get(), sound.samples.data() + before, piece);
    sound.samples.resize(before +
                         static_cast<std::size_t>(std::max<sf_count_t>(got, 0) * info.channels));
    if (got < piece) break;
  }
  return sound;
}

} // namespace sinter::repl::parts
