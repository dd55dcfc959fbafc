#include "repl/pictures/sound.h"

#include "lang/base/interruptible.h"
#include "lang/values/elements.h"

#include <cstring>
#include <limits>

namespace sinter::repl {

namespace {

constexpr std::int64_t max_channels = 256;

Sound::Format format_of(ElementType element) {
  if (element == ElementType::F64) return Sound::Format::Float64;
  if (is_float(element)) return Sound::Format::Float32;
  std::size_t size = byte_size(element);
  return size == 1   ? Sound::Format::Bits8
         : size == 2 ? Sound::Format::Bits16
                     : Sound::Format::Bits32;
}

/// From -1 to 1; an unsigned integer is silent in the middle of its range.
template <typename T>
double sample_of(T value) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    using Signed = std::make_signed_t<T>;
    double half = -static_cast<double>(std::numeric_limits<Signed>::min());
    double number = static_cast<double>(value);
    return (std::is_signed_v<T> ? number : number - half) / half;
  } else
    return static_cast<double>(value);
}

bool is_sample(ElementType element) {
  return element != ElementType::Bool && (is_float(element) || byte_size(element) <= 4);
}

} // namespace

Sound sound_of(const Value& value, const Representation* type, int rate) {
  const Representation* element = type->is_array() ? type->array().element : nullptr;
  if (!element || !element->is_scalar() || !is_sample(element->scalar()) || type->array().rank > 2)
    throw FormatError("a value of type " + print(type) +
                      " is no sound; sounds are [n]t or [channels][n]t of i8, u8, i16, u16, i32, "
                      "u32, f32 or f64");
  if (rate < 1 || rate > 1'000'000)
    throw FormatError("a sampling frequency of " + std::to_string(rate) + " Hz cannot be used");
  const ArrayObject& array = *value.array();
  const Leaf& leaf = array.leaves.front();
  bool many = array.shape.size() == 2;
  std::int64_t channels = many ? array.shape[0] : 1;
  std::int64_t count = array.shape.back();
  if (channels == 0 || channels > max_channels)
    throw FormatError("a sound of " + std::to_string(channels) + " channels cannot be kept");
  Sound sound{.rate = rate,
              .channels = static_cast<int>(channels),
              .format = format_of(element->scalar()),
              .samples = {}};
  sound.samples.reserve(static_cast<std::size_t>(channels * count));
  with_cpp_type(leaf.element, [&]<typename T>() {
    const std::byte* first = first_element(leaf);
    SparsePoll poll;
    for (std::int64_t i = 0; i < count; ++i)
      for (std::int64_t c = 0; c < channels; ++c) {
        poll();
        std::int64_t at = many ? c * leaf.strides[0] + i * leaf.strides[1] : i * leaf.strides[0];
        T sample;
        std::memcpy(&sample, first + at * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
        sound.samples.push_back(sample_of(sample));
      }
  });
  return sound;
}

Value value_of(const Sound& sound, MemoryBudget& memory, Representations& representations) {
  std::int64_t channels = sound.channels;
  std::int64_t count = static_cast<std::int64_t>(sound.samples.size()) / channels;
  ArrayRef array =
      allocate_array(memory, representations.scalar(ElementType::F64), Extents{channels, count});
  double* out = reinterpret_cast<double*>(array->leaves[0].buffer->overwrite());
  SparsePoll poll;
  for (std::int64_t c = 0; c < channels; ++c)
    for (std::int64_t i = 0; i < count; ++i) {
      poll();
      *out++ = sound.samples[static_cast<std::size_t>(i * channels + c)];
    }
  return Value(std::move(array));
}

} // namespace sinter::repl
