// Sound: arrays of samples.
#pragma once

#include "lang/values/format.h"

#include <cstdint>
#include <vector>

namespace sinter::repl {

/// Samples from -1 to 1, the channels of each moment side by side.
struct Sound {
  enum class Format { Bits8, Bits16, Bits32, Float32, Float64 };
  int rate = 44100; ///< moments a second
  int channels = 1;
  Format format = Format::Float64; ///< how they are kept in files that leave the choice
  std::vector<double> samples;

  double seconds() const { return static_cast<double>(samples.size()) / channels / rate; }
};

/// The sound that an array is: [n]t, or [c][n]t with a row for each channel; t is i8, u8, i16, u16,
/// i32, u32 (all of their range) or a float from -1 to 1.  Throws FormatError for other types.
Sound sound_of(const Value& value, const Representation* type, int rate);
/// [channels][n]f64.  Throws RuntimeError{OutOfMemory}.
Value value_of(const Sound& sound, MemoryBudget& memory, Representations& representations);

} // namespace sinter::repl
