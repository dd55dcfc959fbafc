#include "lang/syntax/literals.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace sinter::syntax {
namespace {

/// Splits the suffix off; in a hexadecimal integer `f32` would be digits.
std::optional<ElementType> take_suffix(std::string_view& text, bool hexadecimal_integer) {
  for (ElementType t : all_element_types) {
    if (hexadecimal_integer && is_float(t)) continue;
    if (text.ends_with(name(t))) {
      text.remove_suffix(name(t).size());
      return t;
    }
  }
  return std::nullopt;
}

bool starts_with_radix(std::string_view text, char lower) {
  return text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == lower;
}

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return (c | 0x20) - 'a' + 10;
}

/// A magnitude of any size, as 32-bit limbs, least significant first.
class BigInteger {
public:
  void multiply_add(std::uint32_t factor, std::uint32_t addend) {
    std::uint64_t carry = addend;
    for (std::uint32_t& limb : limbs_) {
      carry += std::uint64_t(limb) * factor;
      limb = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs_.push_back(static_cast<std::uint32_t>(carry));
  }
  std::uint32_t divide(std::uint32_t divisor) {
    std::uint64_t rest = 0;
    for (std::size_t i = limbs_.size(); i-- > 0;) {
      rest = rest << 32 | limbs_[i];
      limbs_[i] = static_cast<std::uint32_t>(rest / divisor);
      rest %= divisor;
    }
    while (!limbs_.empty() && limbs_.back() == 0)
      limbs_.pop_back();
    return static_cast<std::uint32_t>(rest);
  }
  bool is_zero() const { return limbs_.empty(); }

private:
  std::vector<std::uint32_t> limbs_;
};

/// Digits of a base that is a power of two, in decimal.
std::string to_decimal(std::string_view digits, std::uint32_t base) {
  BigInteger value;
  for (char c : digits)
    value.multiply_add(base, static_cast<std::uint32_t>(digit_value(c)));
  std::string text;
  while (!value.is_zero())
    text.push_back(static_cast<char>('0' + value.divide(10)));
  std::reverse(text.begin(), text.end());
  return text.empty() ? "0" : text;
}

std::string without_underscores(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (char c : text)
    if (c != '_') result.push_back(c);
  return result;
}

std::uint64_t roman_value(std::string_view text) {
  static constexpr std::array<std::pair<std::string_view, int>, 13> numerals = {{
      {"M", 1000},
      {"CM", 900},
      {"D", 500},
      {"CD", 400},
      {"C", 100},
      {"XC", 90},
      {"L", 50},
      {"XL", 40},
      {"X", 10},
      {"IX", 9},
      {"V", 5},
      {"IV", 4},
      {"I", 1},
  }};
  std::uint64_t value = 0;
  while (!text.empty()) {
    // Two-letter numerals first: `CM` must not be read as `C`.
    auto found = std::find_if(numerals.begin(), numerals.end(), [&](const auto& numeral) {
      return numeral.first.size() == 2 && text.starts_with(numeral.first);
    });
    if (found == numerals.end())
      found = std::find_if(numerals.begin(), numerals.end(),
                           [&](const auto& numeral) { return text.starts_with(numeral.first); });
    value += static_cast<std::uint64_t>(found->second);
    text.remove_prefix(found->first.size());
  }
  return value;
}

void append_utf8(std::string& out, std::uint32_t c) {
  if (c < 0x80) {
    out.push_back(static_cast<char>(c));
  } else if (c < 0x800) {
    out.push_back(static_cast<char>(0xC0 | c >> 6));
    out.push_back(static_cast<char>(0x80 | (c & 0x3F)));
  } else if (c < 0x10000) {
    out.push_back(static_cast<char>(0xE0 | c >> 12));
    out.push_back(static_cast<char>(0x80 | (c >> 6 & 0x3F)));
    out.push_back(static_cast<char>(0x80 | (c & 0x3F)));
  } else {
    out.push_back(static_cast<char>(0xF0 | c >> 18));
    out.push_back(static_cast<char>(0x80 | (c >> 12 & 0x3F)));
    out.push_back(static_cast<char>(0x80 | (c >> 6 & 0x3F)));
    out.push_back(static_cast<char>(0x80 | (c & 0x3F)));
  }
}

/// Reads the escape after a backslash at the front of `text` and removes it; nothing if unknown.
std::optional<std::uint32_t> take_escape(std::string_view& text) {
  static constexpr std::string_view letters = "abfnrtv\\\"'";
  static constexpr std::string_view values = "\a\b\f\n\r\t\v\\\"'";
  if (text.empty()) return std::nullopt;
  if (std::size_t i = letters.find(text[0]); i != std::string_view::npos) {
    text.remove_prefix(1);
    return static_cast<unsigned char>(values[i]);
  }
  int base = 10;
  if (text[0] == 'x' || text[0] == 'o') {
    base = text[0] == 'x' ? 16 : 8;
    text.remove_prefix(1);
  }
  std::uint32_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || value > 0x10FFFF) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

} // namespace

IntegerLiteral decode_integer(std::string_view text) {
  IntegerLiteral literal;
  bool hexadecimal = starts_with_radix(text, 'x');
  literal.suffix = take_suffix(text, hexadecimal);
  std::string digits = without_underscores(text);
  std::uint32_t base = 10;
  if (hexadecimal)
    base = 16;
  else if (starts_with_radix(text, 'b'))
    base = 2;
  else if (starts_with_radix(text, 'r')) {
    literal.value = roman_value(std::string_view(digits).substr(2));
    literal.digits_value = std::to_string(literal.value);
    return literal;
  }
  if (base != 10) digits.erase(0, 2);
  for (char c : digits)
    literal.value = literal.value * base + static_cast<std::uint64_t>(digit_value(c));
  if (base == 10) {
    std::size_t first = std::min(digits.find_first_not_of('0'), digits.size() - 1);
    literal.digits_value = digits.substr(first);
  } else {
    literal.digits_value = to_decimal(digits, base);
  }
  return literal;
}

FloatLiteral decode_float(std::string_view text) {
  FloatLiteral literal;
  bool hexadecimal = starts_with_radix(text, 'x');
  literal.suffix = take_suffix(text, false);
  literal.text = without_underscores(text);
  std::string_view digits = literal.text;
  if (hexadecimal) digits.remove_prefix(2);
  auto format = hexadecimal ? std::chars_format::hex : std::chars_format::general;
  auto result =
      std::from_chars(digits.data(), digits.data() + digits.size(), literal.value, format);
  if (result.ec == std::errc::result_out_of_range) {
    std::size_t exponent = digits.find_first_of(hexadecimal ? "pP" : "eE");
    bool is_small =
        exponent == std::string_view::npos ? digits[0] == '0' : digits[exponent + 1] == '-';
    literal.value = is_small ? 0.0 : std::numeric_limits<double>::infinity();
  }
  return literal;
}

std::optional<std::string> decode_string(std::string_view text, std::size_t& bad_escape) {
  std::string bytes;
  std::string_view rest = text.substr(1, text.size() - 2);
  while (!rest.empty()) {
    char c = rest[0];
    rest.remove_prefix(1);
    if (c != '\\') {
      bytes.push_back(c);
      continue;
    }
    std::size_t at = text.size() - 1 - rest.size() - 1;
    if (!rest.empty() && rest[0] == '&') { // separates a numeric escape from a digit
      rest.remove_prefix(1);
      continue;
    }
    auto code_point = take_escape(rest);
    if (!code_point) {
      bad_escape = at;
      return std::nullopt;
    }
    append_utf8(bytes, *code_point);
  }
  return bytes;
}

std::optional<std::uint32_t> decode_character(std::string_view text) {
  std::string_view inner = text.substr(1, text.size() - 2);
  if (inner[0] == '\\') {
    inner.remove_prefix(1);
    auto code_point = take_escape(inner);
    return inner.empty() ? code_point : std::nullopt;
  }
  auto byte = static_cast<unsigned char>(inner[0]);
  if (byte < 0x80) return byte;
  std::uint32_t code_point = byte & (0x7F >> inner.size());
  for (char c : inner.substr(1))
    code_point = code_point << 6 | (static_cast<unsigned char>(c) & 0x3F);
  return code_point;
}

} // namespace sinter::syntax
