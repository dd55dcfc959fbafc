#include "lang/values/value_generator.h"

#include "lang/values/number_text.h"
#include "lang/values/readers.h"

#include <cmath>
#include <limits>

namespace sinter {

namespace {

class SplitMix64 {
public:
  explicit SplitMix64(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

private:
  std::uint64_t state_;
};

template <typename T>
T next_of(SplitMix64& generator, T low, T high) {
  std::uint64_t bits = generator.next();
  if constexpr (std::is_same_v<T, bool>) {
    return low == high ? low : (bits & 1) != 0;
  } else if constexpr (std::is_integral_v<T>) {
    std::uint64_t width = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    if (width == UINT64_MAX) return static_cast<T>(bits);
    auto product = static_cast<unsigned __int128>(bits) * (width + 1);
    return static_cast<T>(static_cast<std::uint64_t>(low) +
                          static_cast<std::uint64_t>(product >> 64));
  } else {
    double fraction = static_cast<double>(bits >> 11) * 0x1p-53;
    double value = static_cast<double>(low) +
                   fraction * (static_cast<double>(high) - static_cast<double>(low));
    T rounded = static_cast<T>(value);
    // Rounding up could reach beyond the upper bound's neighbour, and makes 1 too likely.
    if (static_cast<double>(rounded) > value) {
      if constexpr (std::is_same_v<T, Half>) {
        auto image = std::bit_cast<std::uint16_t>(rounded);
        if (image == 0)
          image = 0x8001;
        else
          image = static_cast<std::uint16_t>(image & 0x8000 ? image + 1 : image - 1);
        rounded = std::bit_cast<Half>(image);
      } else {
        rounded = std::nextafter(rounded, -std::numeric_limits<T>::infinity());
      }
    }
    return rounded < low ? low : rounded;
  }
}

} // namespace

RandomBounds::RandomBounds() {
  for (ElementType element : all_element_types)
    with_cpp_type(element, [&]<typename T>() {
      if constexpr (std::is_same_v<T, bool>)
        (*this)[element] = {Scalar::of(false), Scalar::of(true)};
      else if constexpr (std::is_integral_v<T>)
        (*this)[element] = {Scalar::of(std::numeric_limits<T>::min()),
                            Scalar::of(std::numeric_limits<T>::max())};
      else
        (*this)[element] = {Scalar::of(static_cast<T>(0)), Scalar::of(static_cast<T>(1))};
    });
}

ExternalValue generate_value(ElementType element, const Extents& shape, std::uint64_t seed,
                             MemoryBudget& memory, Representations& representations,
                             const RandomBounds& bounds) {
  SplitMix64 generator(seed);
  return with_cpp_type(element, [&]<typename T>() {
    T low = bounds[element].low.as<T>();
    T high = bounds[element].high.as<T>();
    if (shape.empty()) return external_scalar(element, Scalar::of(next_of(generator, low, high)));
    ArrayRef array = allocate_array(memory, representations.scalar(element), shape);
    auto* data = reinterpret_cast<T*>(array->leaves.front().buffer->overwrite());
    std::int64_t count = element_count(shape);
    for (std::int64_t i = 0; i < count; ++i)
      data[i] = next_of(generator, low, high);
    ExternalValue result{.element = element, .shape = shape, .value = {}};
    result.value = std::move(array);
    return result;
  });
}

std::vector<ExternalValue> generate_values(std::string_view types, std::uint64_t seed,
                                           MemoryBudget& memory, Representations& representations,
                                           const RandomBounds& bounds,
                                           std::span<const ElementType> wanted) {
  std::vector<ExternalValue> values;
  std::size_t at = 0;
  auto fail = [&](const std::string& message) {
    throw FormatError(text_place(types, at) + message);
  };
  auto word = [&] {
    std::size_t begin = at;
    while (at < types.size() && is_scalar_character(types[at]))
      ++at;
    return types.substr(begin, at - begin);
  };
  for (skip_blank(types, at); at < types.size(); skip_blank(types, at)) {
    std::size_t begin = at;
    SplitMix64 position(seed + values.size());
    std::uint64_t value_seed = position.next();
    if (types[at] != '[' && !element_type_named(word())) {
      at = begin;
      std::optional<ElementType> type;
      if (values.size() < wanted.size()) type = wanted[values.size()];
      if (!is_scalar_character(types[at])) fail("expected a type such as `[10]f32`, or a number");
      values.push_back(read_text_value(types, at, memory, representations, type));
      continue;
    }
    at = begin;
    Extents shape;
    while (at < types.size() && types[at] == '[') {
      ++at;
      skip_blank(types, at);
      std::string_view text = word();
      std::string why;
      std::optional<Scalar> extent = parse_scalar(text, ElementType::I64, why);
      if (!extent || extent->as<std::int64_t>() < 0) {
        at -= text.size();
        fail("expected a size between `[` and `]`");
      }
      shape.push_back(extent->as<std::int64_t>());
      skip_blank(types, at);
      if (at == types.size() || types[at] != ']') fail("expected `]` behind a size");
      ++at;
      skip_blank(types, at);
    }
    std::size_t place = at;
    std::optional<ElementType> element = element_type_named(word());
    if (!element) {
      at = place;
      fail("expected an element type, from i8 to f64 or bool");
    }
    values.push_back(generate_value(*element, shape, value_seed, memory, representations, bounds));
  }
  return values;
}

} // namespace sinter
