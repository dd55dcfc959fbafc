#include "lang/values/number_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace sinter {

// ---- writing -----------------------------------------------------------------------------------

namespace {

char* append(char* out, std::string_view text) {
  return std::copy(text.begin(), text.end(), out);
}

/// Puts ".0" behind a number that looks like an integer.
char* finish_fixed(const char* begin, char* end) {
  if (std::find(begin, static_cast<const char*>(end), '.') == end) end = append(end, ".0");
  return end;
}

/// Makes "1e+20" into "1.0e20".
char* finish_scientific(char* begin, char* end) {
  char* e = std::find(begin, end, 'e');
  int exponent = 0;
  const char* digits = e + 1 + (e[1] == '+' ? 1 : 0);
  std::from_chars(digits, end, exponent);
  end = finish_fixed(begin, e);
  *end++ = 'e';
  return std::to_chars(end, end + 8, exponent).ptr;
}

/// Positional notation is used for magnitudes from this one up to `fixed_limit`, below which whole
/// numbers are exact.
constexpr double fixed_least = 1e-5;
template <typename T>
constexpr T fixed_limit = std::is_same_v<T, double> ? T(1e15) : T(1e7);

template <typename T>
char* write_finite(char* out, T value) {
  T magnitude = std::fabs(value);
  bool fixed =
      magnitude == 0 || (magnitude >= static_cast<T>(fixed_least) && magnitude < fixed_limit<T>);
  char* end = std::to_chars(out, out + longest_scalar_text, value,
                            fixed ? std::chars_format::fixed : std::chars_format::scientific)
                  .ptr;
  return fixed ? finish_fixed(out, end) : finish_scientific(out, end);
}

/// The shortest decimal that rounds to a positive half below 2048: digits · 10^exponent.
struct Decimal16 {
  std::uint32_t digits = 0;
  int exponent = 0;
};
Decimal16 shortest(std::uint16_t bits) {
  std::uint32_t fraction = bits & 0x3ff;
  int biased = bits >> 10;
  std::uint64_t significand = biased == 0 ? fraction : fraction | 0x400;
  int shift = biased == 0 ? 0 : biased - 1; // value = significand · 2^(shift-24)
  // In units of 2^-26: the value, and what rounds to it; the border belongs to it if it is even.
  // Five digits suffice, so nothing below is larger than 10^6 · 2^26.
  std::uint64_t value = significand << (shift + 2);
  std::uint64_t above = std::uint64_t{1} << (shift + 1);
  std::uint64_t below = fraction == 0 && biased > 1 ? above / 2 : above;
  bool closed = (significand & 1) == 0;
  for (int exponent = 3;; --exponent) {
    // Is a multiple of 10^exponent in there?  Both sides are scaled to whole numbers.
    std::uint64_t unit = std::uint64_t{1} << 26;
    std::uint64_t scale = 1;
    for (int i = 0; i < exponent; ++i)
      unit *= 10;
    for (int i = exponent; i < 0; ++i)
      scale *= 10;
    std::uint64_t wanted = value * scale;
    std::uint64_t digits = (wanted + unit / 2) / unit; // nearest
    std::uint64_t found = digits * unit;
    std::uint64_t distance = found > wanted ? found - wanted : wanted - found;
    std::uint64_t room = (found > wanted ? above : below) * scale;
    if (digits > 0 && (distance < room || (closed && distance == room)))
      return {static_cast<std::uint32_t>(digits), exponent};
  }
}

char* write_finite(char* out, Half value) {
  auto bits = std::bit_cast<std::uint16_t>(value);
  if (bits & 0x8000) *out++ = '-';
  bits &= 0x7fff;
  if (bits == 0) return append(out, "0.0");
  double magnitude = static_cast<double>(std::bit_cast<Half>(bits));
  // From here on every half is a whole number; all its digits are no longer than the shortest ones.
  if (magnitude >= 2048) {
    out = std::to_chars(out, out + 8, static_cast<int>(magnitude)).ptr;
    return append(out, ".0");
  }
  auto [digits, exponent] = shortest(bits);
  char text[8];
  char* end = std::to_chars(text, text + sizeof text, digits).ptr;
  while (end - text > 1 && end[-1] == '0') {
    --end;
    ++exponent;
  }
  int count = static_cast<int>(end - text);
  int point = count + exponent; // value = 0.digits · 10^point
  if (magnitude < fixed_least) {
    *out++ = text[0];
    *out++ = '.';
    out = count > 1 ? std::copy(text + 1, end, out) : append(out, "0");
    *out++ = 'e';
    return std::to_chars(out, out + 8, point - 1).ptr;
  }
  if (point <= 0) {
    out = append(out, "0.");
    out = std::fill_n(out, -point, '0');
    return std::copy(text, end, out);
  }
  if (count <= point) {
    out = std::copy(text, end, out);
    out = std::fill_n(out, point - count, '0');
    return append(out, ".0");
  }
  out = std::copy(text, text + point, out);
  *out++ = '.';
  return std::copy(text + point, end, out);
}

template <typename T>
constexpr bool is_float_type =
    std::is_same_v<T, Half> || std::is_same_v<T, float> || std::is_same_v<T, double>;

} // namespace

char* write_scalar(char* out, ElementType element, Scalar scalar, bool with_suffix) {
  return with_cpp_type(element, [&]<typename T>() {
    T value = scalar.as<T>();
    if constexpr (std::is_same_v<T, bool>) {
      return append(out, value ? "true" : "false");
    } else if constexpr (is_float_type<T>) {
      double wide = static_cast<double>(value);
      if (std::isnan(wide)) return append(append(out, name(element)), ".nan");
      if (std::isinf(wide))
        return append(append(append(out, wide < 0 ? "-" : ""), name(element)), ".inf");
      char* end = write_finite(out, value);
      return with_suffix ? append(end, name(element)) : end;
    } else {
      char* end = std::to_chars(out, out + longest_scalar_text, value).ptr;
      return with_suffix ? append(end, name(element)) : end;
    }
  });
}

std::string print(ElementType element, Scalar scalar, bool with_suffix) {
  char text[longest_scalar_text];
  return {text, write_scalar(text, element, scalar, with_suffix)};
}

// ---- reading -----------------------------------------------------------------------------------

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool has_prefix(std::string_view text, char letter) {
  return text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == letter;
}

/// A scalar's text without sign and suffix.
struct Parts {
  bool negative = false;
  std::string_view body;
  std::optional<ElementType> suffix;
};

Parts split(std::string_view text) {
  Parts parts{.body = text};
  if (!parts.body.empty() && parts.body[0] == '-') {
    parts.negative = true;
    parts.body.remove_prefix(1);
  }
  bool hexadecimal = has_prefix(parts.body, 'x');
  bool has_exponent = parts.body.find_first_of("pP") != std::string_view::npos;
  for (ElementType element : all_element_types) {
    // The last digits of a hexadecimal integer may look like a float's suffix.
    if (hexadecimal && is_float(element) && !has_exponent) continue;
    std::string_view suffix = name(element);
    if (element == ElementType::Bool || parts.body.size() <= suffix.size()) continue;
    if (!parts.body.ends_with(suffix)) continue;
    char before = parts.body[parts.body.size() - suffix.size() - 1];
    bool after_number = hexadecimal ? std::isxdigit(static_cast<unsigned char>(before)) != 0
                                    : is_digit(before) || before == '.';
    if (!after_number && before != '_') continue;
    parts.suffix = element;
    parts.body.remove_suffix(suffix.size());
    break;
  }
  return parts;
}

/// "nan" or "inf", with the type in front if there is one.
struct SpecialFloat {
  std::optional<ElementType> type;
  bool is_nan = false;
};
std::optional<SpecialFloat> special_float(std::string_view body) {
  SpecialFloat special;
  if (std::size_t dot = body.find('.'); dot != std::string_view::npos) {
    special.type = element_type_named(body.substr(0, dot));
    if (!special.type || !is_float(*special.type)) return std::nullopt;
    body.remove_prefix(dot + 1);
  }
  if (body != "nan" && body != "inf") return std::nullopt;
  special.is_nan = body == "nan";
  return special;
}

/// The text without underscores, or none if one stands before a digit came.
std::optional<std::string> without_underscores(std::string_view text) {
  if (text.starts_with('_')) return std::nullopt;
  std::string plain(text);
  std::erase(plain, '_');
  return plain;
}

/// An integer without sign; none if it is malformed or does not fit into 64 bits (`too_large`).
std::optional<std::uint64_t> parse_magnitude(std::string_view body, bool& too_large) {
  int base = 10;
  if (has_prefix(body, 'x')) base = 16;
  if (has_prefix(body, 'b')) base = 2;
  if (base != 10) body.remove_prefix(2);
  std::optional<std::string> plain = without_underscores(body);
  if (!plain || plain->empty()) return std::nullopt;
  std::uint64_t magnitude = 0;
  const char* end = plain->data() + plain->size();
  auto [stop, error] = std::from_chars(plain->data(), end, magnitude, base);
  if (error == std::errc::invalid_argument || stop != end) return std::nullopt;
  too_large = error == std::errc::result_out_of_range;
  if (too_large) return std::nullopt;
  return magnitude;
}

/// The digits of a decimal number, without zeros around them: 0.digits · 10^exponent.
struct Decimal {
  std::string digits;
  std::int64_t exponent = 0;
};
/// `plain` is a well-formed unsigned decimal number.
Decimal decimal_of(std::string_view plain) {
  Decimal decimal;
  std::int64_t point = 0;
  bool after_point = false;
  std::size_t i = 0;
  for (; i < plain.size() && (plain[i] | 0x20) != 'e'; ++i) {
    if (plain[i] == '.') {
      after_point = true;
      continue;
    }
    if (!after_point) ++point;
    decimal.digits += plain[i];
  }
  std::int64_t written = 0;
  if (i < plain.size()) {
    const char* begin = plain.data() + i + 1 + (plain[i + 1] == '+' ? 1 : 0);
    if (std::from_chars(begin, plain.data() + plain.size(), written).ec ==
        std::errc::result_out_of_range)
      written = *begin == '-' ? -1'000'000'000 : 1'000'000'000;
    written = std::clamp<std::int64_t>(written, -1'000'000'000, 1'000'000'000);
  }
  std::size_t zeros = std::min(decimal.digits.find_first_not_of('0'), decimal.digits.size());
  decimal.digits.erase(0, zeros);
  while (decimal.digits.ends_with('0'))
    decimal.digits.pop_back();
  decimal.exponent = point - static_cast<std::int64_t>(zeros) + written;
  return decimal;
}

/// The value of a half's magnitude bits; infinity's place is where the next finite one would be.
double magnitude_of(std::uint16_t bits) {
  return bits == 0x7c00 ? 65536.0 : static_cast<double>(std::bit_cast<Half>(bits));
}

/// Rounds a decimal number to half once.  `nearest` is the double next to it: rounding that again
/// is right unless it lies exactly between two halfs, where the decimal itself may not.
Half round_to_half(double nearest, std::string_view plain) {
  Half rounded = static_cast<Half>(nearest);
  auto bits = std::bit_cast<std::uint16_t>(rounded);
  double value = magnitude_of(bits);
  if (nearest >= 65536 || value == nearest) return rounded;
  std::uint16_t other = static_cast<std::uint16_t>(value > nearest ? bits - 1 : bits + 1);
  double middle = (value + magnitude_of(other)) / 2;
  if (middle != nearest) return rounded;
  char text[64];
  char* end = std::to_chars(text, text + sizeof text, middle, std::chars_format::fixed, 30).ptr;
  Decimal exact = decimal_of({text, end});
  Decimal given = decimal_of(plain);
  if (given.exponent == exact.exponent && given.digits == exact.digits) return rounded;
  bool above = given.exponent != exact.exponent ? given.exponent > exact.exponent
                                                : given.digits > exact.digits;
  return std::bit_cast<Half>(above ? std::max(bits, other) : std::min(bits, other));
}

bool is_decimal_float(std::string_view plain) {
  std::size_t i = 0, digits = 0;
  while (i < plain.size() && is_digit(plain[i]))
    ++i, ++digits;
  if (i < plain.size() && plain[i] == '.') {
    ++i;
    while (i < plain.size() && is_digit(plain[i]))
      ++i, ++digits;
  }
  if (digits == 0) return false;
  if (i == plain.size()) return true;
  if ((plain[i] | 0x20) != 'e') return false;
  ++i;
  if (i < plain.size() && (plain[i] == '+' || plain[i] == '-')) ++i;
  if (i == plain.size()) return false;
  return std::all_of(plain.begin() + static_cast<std::ptrdiff_t>(i), plain.end(), is_digit);
}

/// A decimal number without sign, rounded once to T.
template <typename T>
T decimal_to(std::string_view plain) {
  using Wide = std::conditional_t<std::is_same_v<T, Half>, double, T>;
  Wide value{};
  auto [end, error] = std::from_chars(plain.data(), plain.data() + plain.size(), value);
  if (error == std::errc::result_out_of_range) {
    Decimal decimal = decimal_of(plain);
    bool huge = !decimal.digits.empty() && decimal.exponent > 0;
    return huge ? static_cast<T>(std::numeric_limits<Wide>::infinity()) : T{};
  }
  if constexpr (std::is_same_v<T, Half>)
    return round_to_half(value, plain);
  else
    return value;
}

/// A hexadecimal float without sign and suffix, or none.
std::optional<long double> parse_hexadecimal(std::string_view body) {
  std::optional<std::string> plain = without_underscores(body.substr(2));
  if (!plain) return std::nullopt;
  std::uint64_t significand = 0;
  std::int64_t exponent = 0;
  bool any = false, after_point = false;
  const char* p = plain->data();
  const char* end = p + plain->size();
  for (; p < end && (*p | 0x20) != 'p'; ++p) {
    if (*p == '.') {
      if (after_point) return std::nullopt;
      after_point = true;
      continue;
    }
    unsigned digit = 0;
    if (std::from_chars(p, p + 1, digit, 16).ec != std::errc{}) return std::nullopt;
    any = true;
    if (significand >> 59 == 0) {
      significand = significand << 4 | digit;
      if (after_point) exponent -= 4;
    } else {
      // Past what a float can hold: it only matters whether something is there.
      significand |= digit != 0;
      if (!after_point) exponent += 4;
    }
  }
  if (!any || p == end) return std::nullopt;
  ++p;
  if (p < end && *p == '+') ++p;
  std::int64_t written = 0;
  auto [stop, error] = std::from_chars(p, end, written);
  if (stop != end || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) written = *p == '-' ? -1'000'000 : 1'000'000;
  exponent = std::clamp<std::int64_t>(
      exponent + std::clamp<std::int64_t>(written, -1'000'000'000, 1'000'000'000), -100'000,
      100'000);
  return std::ldexp(static_cast<long double>(significand), static_cast<int>(exponent));
}

template <typename T>
std::optional<T> parse_float(std::string_view body) {
  if (has_prefix(body, 'x') && body.find_first_of("pP") != std::string_view::npos) {
    std::optional<long double> wide = parse_hexadecimal(body);
    if (!wide) return std::nullopt;
    return static_cast<T>(*wide);
  }
  if (has_prefix(body, 'x') || has_prefix(body, 'b')) {
    bool too_large = false;
    std::optional<std::uint64_t> magnitude = parse_magnitude(body, too_large);
    if (!magnitude) return std::nullopt;
    return static_cast<T>(static_cast<long double>(*magnitude));
  }
  std::optional<std::string> plain = without_underscores(body);
  if (!plain || !is_decimal_float(*plain)) return std::nullopt;
  return decimal_to<T>(*plain);
}

std::string quoted(std::string_view text) {
  std::string shown(text.substr(0, 40));
  if (text.size() > 40) shown += "…";
  return "`" + shown + "`";
}

} // namespace

std::optional<ElementType> type_of_scalar_text(std::string_view text) {
  if (text == "true" || text == "false") return ElementType::Bool;
  Parts parts = split(text);
  if (parts.body.empty()) return std::nullopt;
  if (parts.suffix) return parts.suffix;
  if (std::optional<SpecialFloat> special = special_float(parts.body))
    return special->type.value_or(ElementType::F64);
  if (!is_digit(parts.body[0]) && parts.body[0] != '.') return std::nullopt;
  bool hexadecimal = has_prefix(parts.body, 'x');
  bool is_float = parts.body.find_first_of(hexadecimal ? ".pP" : ".eE") != std::string_view::npos;
  return is_float ? ElementType::F64 : ElementType::I32;
}

std::optional<Scalar> parse_scalar(std::string_view text, ElementType element, std::string& why) {
  auto no = [&](std::string reason) -> std::optional<Scalar> {
    why = std::move(reason);
    return std::nullopt;
  };
  std::string wanted = std::string(name(element));
  std::optional<ElementType> own = type_of_scalar_text(text);
  if (!own) return no("expected a value of type " + wanted + ", found " + quoted(text));
  Parts parts = split(text);
  std::optional<SpecialFloat> special = special_float(parts.body);
  bool typed = parts.suffix || own == ElementType::Bool || (special && special->type);
  bool fits =
      typed ? *own == element : is_float(element) || (is_integer(element) && is_integer(*own));
  if (!fits)
    return no("expected a value of type " + wanted + ", found " + quoted(text) + " of type " +
              std::string(name(*own)));
  return with_cpp_type(element, [&]<typename T>() -> std::optional<Scalar> {
    if constexpr (std::is_same_v<T, bool>) {
      return Scalar::of(text == "true");
    } else if constexpr (is_float_type<T>) {
      std::optional<T> value;
      if (special)
        value = static_cast<T>(special->is_nan ? std::numeric_limits<float>::quiet_NaN()
                                               : std::numeric_limits<float>::infinity());
      else
        value = parse_float<T>(parts.body);
      if (!value) return no("malformed number " + quoted(text));
      return Scalar::of(static_cast<T>(parts.negative ? -*value : *value));
    } else {
      bool too_large = false;
      std::optional<std::uint64_t> magnitude = parse_magnitude(parts.body, too_large);
      if (!magnitude && !too_large) return no("malformed number " + quoted(text));
      constexpr std::uint64_t highest = std::numeric_limits<std::make_unsigned_t<T>>::max();
      // Either reading of the bits is accepted, as existing data files use both: `255i8` is -1, and
      // `-1u8` is 255.
      const std::uint64_t limit = parts.negative ? highest / 2 + 1 : highest;
      if (too_large || *magnitude > limit)
        return no("the number " + quoted(text) + " does not fit into " + wanted);
      return Scalar::of(static_cast<T>(parts.negative ? 0 - *magnitude : *magnitude));
    }
  });
}

template <typename T>
const char* scan_scalar(const char* begin, const char* end, T& out) {
  const char* p = begin;
  constexpr ElementType element = element_type_of<T>;
  bool negative = p < end && *p == '-';
  p += negative;
  if constexpr (std::is_same_v<T, bool>) {
    std::string_view rest(begin, static_cast<std::size_t>(end - begin));
    if (rest.starts_with("true")) {
      out = true;
      p = begin + 4;
    } else if (rest.starts_with("false")) {
      out = false;
      p = begin + 5;
    } else {
      return nullptr;
    }
  } else if constexpr (is_float_type<T>) {
    if (p == end || !is_digit(*p)) return nullptr;
    using Wide = std::conditional_t<std::is_same_v<T, Half>, double, T>;
    Wide value{};
    auto [stop, error] = std::from_chars(p, end, value);
    if (error != std::errc{}) return nullptr;
    if constexpr (std::is_same_v<T, Half>)
      out = round_to_half(value, {p, stop});
    else
      out = value;
    if (negative) out = -out;
    p = stop;
  } else {
    const char* digits = p;
    std::uint64_t magnitude = 0;
    while (p < end && is_digit(*p))
      magnitude = magnitude * 10 + static_cast<std::uint64_t>(*p++ - '0');
    if (p == digits || p - digits > 20) return nullptr;
    // Twenty digits have wrapped around unless they begin with 1 and are still that large.
    if (p - digits == 20 && (*digits != '1' || magnitude < 10'000'000'000'000'000'000u))
      return nullptr;
    constexpr std::uint64_t highest = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
    if (magnitude > highest || (negative && std::is_unsigned_v<T>)) return nullptr;
    out = static_cast<T>(negative ? 0 - magnitude : magnitude);
  }
  if constexpr (!std::is_same_v<T, bool>) {
    constexpr std::string_view suffix = name(element);
    if (static_cast<std::size_t>(end - p) >= suffix.size() &&
        std::memcmp(p, suffix.data(), suffix.size()) == 0)
      p += suffix.size();
  }
  return p == end || !is_scalar_character(*p) ? p : nullptr;
}

template const char* scan_scalar(const char*, const char*, std::int8_t&);
template const char* scan_scalar(const char*, const char*, std::int16_t&);
template const char* scan_scalar(const char*, const char*, std::int32_t&);
template const char* scan_scalar(const char*, const char*, std::int64_t&);
template const char* scan_scalar(const char*, const char*, std::uint8_t&);
template const char* scan_scalar(const char*, const char*, std::uint16_t&);
template const char* scan_scalar(const char*, const char*, std::uint32_t&);
template const char* scan_scalar(const char*, const char*, std::uint64_t&);
template const char* scan_scalar(const char*, const char*, Half&);
template const char* scan_scalar(const char*, const char*, float&);
template const char* scan_scalar(const char*, const char*, double&);
template const char* scan_scalar(const char*, const char*, bool&);

} // namespace sinter
