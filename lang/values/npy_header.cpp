#include "lang/values/npy_header.h"

#include "lang/values/readers.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace sinter {

namespace {

/// Reads the dictionary: keys 'descr', 'fortran_order' and 'shape', in any order.
class HeaderParser {
public:
  HeaderParser(std::string_view text, std::size_t base) : text_(text), base_(base) {}

  NpyHeader parse() {
    bool has_descr = false, has_order = false, has_shape = false;
    expect('{');
    for (;;) {
      skip();
      if (accept('}')) break;
      std::string_view key = quoted();
      expect(':');
      skip();
      if (key == "descr") {
        descr();
        has_descr = true;
      } else if (key == "fortran_order") {
        if (text_.substr(at_).starts_with("True")) {
          header_.fortran_order = true;
          at_ += 4;
        } else if (text_.substr(at_).starts_with("False")) {
          at_ += 5;
        } else {
          fail("expected True or False as 'fortran_order'");
        }
        has_order = true;
      } else if (key == "shape") {
        header_.shape.clear();
        shape();
        has_shape = true;
      } else {
        fail("unknown key '" + std::string(key.substr(0, 40)) + "' in the .npy header");
      }
      skip();
      if (accept(',')) continue;
      expect('}');
      break;
    }
    if (!has_descr || !has_order || !has_shape)
      fail("the .npy header lacks 'descr', 'fortran_order' or 'shape'");
    return header_;
  }

private:
  [[noreturn]] void fail(const std::string& message) const {
    throw FormatError(byte_place(base_ + at_) + message);
  }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t'))
      ++at_;
  }
  bool accept(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    skip();
    if (!accept(c)) fail(std::string("expected `") + c + "` in the .npy header");
  }
  std::string_view quoted() {
    if (at_ == text_.size() || (text_[at_] != '\'' && text_[at_] != '"'))
      fail("expected a quoted name in the .npy header");
    std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) fail("a quoted name in the .npy header has no end");
    std::string_view text = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return text;
  }
  void descr() {
    std::size_t place = at_;
    if (at_ < text_.size() && text_[at_] == '[')
      fail("records in .npy files cannot be read, only arrays of numbers, bools and strings");
    std::string_view text = quoted();
    static constexpr std::pair<std::string_view, ElementType> types[] = {
        {"b1", ElementType::Bool}, {"i1", ElementType::I8},  {"i2", ElementType::I16},
        {"i4", ElementType::I32},  {"i8", ElementType::I64}, {"u1", ElementType::U8},
        {"u2", ElementType::U16},  {"u4", ElementType::U32}, {"u8", ElementType::U64},
        {"f2", ElementType::F16},  {"f4", ElementType::F32}, {"f8", ElementType::F64}};
    char order = text.empty() ? ' ' : text[0];
    header_.big_endian = order == '>';
    bool known = order == '<' || order == '>' || order == '|' || order == '=';
    for (auto& [letters, element] : types)
      if (known && text.substr(1) == letters) {
        header_.element = element;
        return;
      }
    if (known && (text.substr(1) == "c8" || text.substr(1) == "c16")) {
      header_.contents = NpyContents::Complex;
      header_.element = text.ends_with('8') ? ElementType::F32 : ElementType::F64;
      header_.parts = 2;
      return;
    }
    if (known && text.size() > 2 && (text[1] == 'S' || text[1] == 'a' || text[1] == 'U')) {
      header_.contents = text[1] == 'U' ? NpyContents::Letters : NpyContents::Bytes;
      header_.element = ElementType::U8;
      const char* last = text.data() + text.size();
      auto [end, error] = std::from_chars(text.data() + 2, last, header_.parts);
      constexpr std::int64_t longest = std::int64_t{1} << 32;
      if (error == std::errc{} && end == last && header_.parts >= 0 && header_.parts <= longest)
        return;
    }
    at_ = place;
    fail("the element type '" + std::string(text.substr(0, 40)) +
         "' of a .npy file is none of ours");
  }
  void shape() {
    expect('(');
    for (;;) {
      skip();
      if (accept(')')) return;
      std::int64_t extent = -1;
      const char* begin = text_.data() + at_;
      auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), extent);
      if (error != std::errc{} || extent < 0) fail("expected a size in the .npy header");
      at_ += static_cast<std::size_t>(end - begin);
      accept('L'); // as Python 2 wrote them
      header_.shape.push_back(extent);
      if (header_.shape.size() > 64) fail("an .npy array has at most 64 dimensions");
      skip();
      if (accept(',')) continue;
      expect(')');
      return;
    }
  }

  std::string_view text_;
  std::size_t base_;
  std::size_t at_ = 0;
  NpyHeader header_;
};

std::size_t byte_at(std::string_view bytes, std::size_t i) {
  return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i]));
}

/// Where the dictionary begins.
std::size_t dictionary_at(std::string_view begin) {
  return byte_at(begin, npy_magic.size()) == 1 ? 10 : npy_prelude_bytes;
}

} // namespace

std::size_t npy_header_bytes(std::string_view begin, std::size_t base) {
  const auto fail = [](std::size_t at, const std::string& message) {
    throw FormatError(byte_place(at) + message);
  };
  if (!begin.starts_with(npy_magic)) fail(base, "this is no .npy file: it lacks the magic bytes");
  if (begin.size() < 10) fail(base + begin.size(), "the .npy header is cut short");
  const std::size_t version = byte_at(begin, 6);
  if (version < 1 || version > 3)
    fail(base + 6, ".npy version " + std::to_string(version) + " cannot be read, only 1 to 3");
  std::size_t length = byte_at(begin, 8) | byte_at(begin, 9) << 8;
  if (version > 1) {
    if (begin.size() < npy_prelude_bytes) fail(base + begin.size(), "the .npy header is cut short");
    length |= byte_at(begin, 10) << 16 | byte_at(begin, 11) << 24;
  }
  return dictionary_at(begin) + length;
}

NpyHeader read_npy_header(std::string_view header, std::size_t base) {
  const std::size_t at = dictionary_at(header);
  return HeaderParser(header.substr(at), base + at).parse();
}

std::string npy_header_of(ElementType element, bool is_complex, const Extents& shape,
                          std::size_t least) {
  constexpr std::size_t before = 10; // of the dictionary, in version 1
  const std::size_t size = byte_size(element) * (is_complex ? 2 : 1);
  std::string header = "{'descr': '";
  header += size == 1 ? '|' : '<';
  header += is_complex                     ? 'c'
            : element == ElementType::Bool ? 'b'
            : is_float(element)            ? 'f'
            : is_signed(element)           ? 'i'
                                           : 'u';
  header += std::to_string(size) + "', 'fortran_order': False, 'shape': (";
  for (std::size_t i = 0; i < shape.size(); ++i)
    header +=
        (i > 0 ? " " : "") + std::to_string(shape[i]) + (i + 1 < shape.size() || i == 0 ? "," : "");
  header += "), }";
  // The data begins at a multiple of 64, behind spaces and a line break.
  std::size_t length = std::max(header.size() + 1, least > before ? least - before : 0);
  length += (64 - (before + length) % 64) % 64;
  header.resize(length - 1, ' ');
  header += '\n';
  std::string begin(npy_magic);
  begin += '\1';
  begin += '\0';
  begin += static_cast<char>(length & 0xff);
  begin += static_cast<char>(length >> 8);
  return begin + header;
}

} // namespace sinter
