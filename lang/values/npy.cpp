// NumPy's .npy: a magic, a version, a header that is a Python dictionary in text, and the elements.

#include "lang/base/interruptible.h"
#include "lang/values/byte_sink.h"
#include "lang/values/elements.h"
#include "lang/values/readers.h"
#include "lang/values/strided.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace sinter {

namespace {

enum class NpyContents { Numbers, Complex, Bytes, Letters };

/// What the header says.
struct NpyHeader {
  NpyContents contents = NpyContents::Numbers;
  ElementType element{};  ///< u8 of strings
  std::int64_t parts = 1; ///< of each element: two of complex numbers, the length of strings
  bool big_endian = false;
  bool fortran_order = false;
  Extents shape;
};

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

void swap_bytes(std::byte* data, std::size_t count, std::size_t size) {
  SparsePoll poll;
  for (std::size_t i = 0; i < count; ++i) {
    poll();
    std::reverse(data + i * size, data + (i + 1) * size);
  }
}

constexpr std::size_t letter_bytes = 4; ///< of a code point in a file

void append_utf8(std::string& out, std::uint32_t letter) {
  auto byte = [&](std::uint32_t bits) { out += static_cast<char>(bits); };
  auto next = [&](unsigned shift) { byte(0x80 | (letter >> shift & 0x3f)); };
  if (letter < 0x80) return byte(letter);
  if (letter < 0x800) {
    byte(0xc0 | letter >> 6);
    return next(0);
  }
  if (letter < 0x10000) {
    byte(0xe0 | letter >> 12);
  } else {
    byte(0xf0 | (letter >> 18 & 7));
    next(12);
  }
  next(6);
  next(0);
}

/// Strings of code points as strings of UTF-8, as long as the longest one needs; the header's shape
/// then has that length.
std::string utf8_of(std::string_view bytes, NpyHeader& header) {
  const std::size_t length = static_cast<std::size_t>(header.parts) * letter_bytes;
  std::vector<std::string> strings;
  std::size_t longest = 0;
  SparsePoll poll;
  for (std::size_t begin = 0; length > 0 && begin < bytes.size(); begin += length) {
    std::string& text = strings.emplace_back();
    for (std::size_t at = begin; at < begin + length; at += letter_bytes) {
      poll();
      std::uint32_t letter = 0;
      for (std::size_t i = 0; i < letter_bytes; ++i) {
        const std::size_t position = header.big_endian ? i : letter_bytes - 1 - i;
        letter = letter << 8 | static_cast<unsigned char>(bytes[at + position]);
      }
      append_utf8(text, letter);
    }
    text.erase(text.find_last_not_of('\0') + 1);
    longest = std::max(longest, text.size());
  }
  header.shape.back() = static_cast<std::int64_t>(longest);
  std::string all;
  for (std::string& text : strings) {
    poll();
    text.resize(longest);
    all += text;
  }
  return all;
}

bool is_complex(const Representation* type) {
  if (!type->is_record() || type->record().fields.size() != 2 || !is_tuple(type->record()))
    return false;
  const std::vector<FieldRepresentation>& parts = type->record().fields;
  return parts[0].type == parts[1].type && parts[0].type->is_scalar() &&
         (parts[0].type->scalar() == ElementType::F32 ||
          parts[0].type->scalar() == ElementType::F64);
}

} // namespace

ExternalValue read_npy_value(std::string_view bytes, std::size_t& position, MemoryBudget& memory,
                             Representations& representations,
                             const std::shared_ptr<MappedFile>& file) {
  const std::size_t begin = position;
  auto fail = [](std::size_t at, const std::string& message) {
    throw FormatError(byte_place(at) + message);
  };
  std::string_view rest = bytes.substr(begin);
  if (!rest.starts_with(npy_magic)) fail(begin, "this is no .npy file: it lacks the magic bytes");
  if (rest.size() < 10) fail(bytes.size(), "the .npy header is cut short");
  auto byte = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<unsigned char>(rest[i]));
  };
  std::size_t version = byte(6);
  if (version < 1 || version > 3)
    fail(begin + 6, ".npy version " + std::to_string(version) + " cannot be read, only 1 to 3");
  std::size_t start = 10;
  std::size_t length = byte(8) | byte(9) << 8;
  if (version > 1) {
    if (rest.size() < 12) fail(bytes.size(), "the .npy header is cut short");
    length |= byte(10) << 16 | byte(11) << 24;
    start = 12;
  }
  if (rest.size() - start < length) fail(bytes.size(), "the .npy header is cut short");
  NpyHeader header = HeaderParser(rest.substr(start, length), begin + start).parse();

  const std::size_t at = begin + start + length;
  const bool are_letters = header.contents == NpyContents::Letters;
  const std::size_t size = are_letters ? letter_bytes : byte_size(header.element);
  const std::size_t payload = bytes.size() - at;
  if (header.contents != NpyContents::Numbers) header.shape.push_back(header.parts);
  std::size_t needed = is_empty(header.shape) ? 0 : size;
  if (needed > 0)
    for (std::int64_t extent : header.shape)
      if (__builtin_mul_overflow(needed, static_cast<std::size_t>(extent), &needed))
        needed = SIZE_MAX;
  if (needed > payload)
    fail(begin, "an array of shape " + shape_text(header.shape) + " and type " +
                    std::string(name(header.element)) + " needs more elements than the " +
                    std::to_string(payload / size) + " that follow");
  if (header.element == ElementType::Bool) require_bools(bytes, at, needed);
  position = at + needed;

  if (header.shape.empty()) {
    std::byte scalar[8];
    std::memcpy(scalar, bytes.data() + at, size);
    if (header.big_endian) swap_bytes(scalar, 1, size);
    return external_scalar(header.element, load_scalar(header.element, scalar, 0));
  }
  // Column by column is row by row of the transposed array: then it is seen through a view.
  const auto outer_end = header.contents == NpyContents::Numbers ? 0 : 1;
  if (header.fortran_order) std::reverse(header.shape.begin(), header.shape.end() - outer_end);
  std::string text;
  if (are_letters) text = utf8_of(bytes.substr(at, needed), header);
  const bool is_swapped = header.big_endian && size > 1 && !are_letters;
  Leaf leaf =
      leaf_of_bytes(memory, header.element, header.shape,
                    are_letters ? text.data() : bytes.data() + at, is_swapped ? nullptr : file);
  if (is_swapped) swap_bytes(leaf.buffer->overwrite(), needed / size, size);
  if (header.fortran_order) {
    std::reverse(leaf.extents.begin(), leaf.extents.end() - outer_end);
    std::reverse(leaf.strides.begin(), leaf.strides.end() - outer_end);
  }
  ExternalValue value = external_array(representations, header.element, std::move(leaf));
  value.is_complex = header.contents == NpyContents::Complex;
  return value;
}

ExternalValue read_npy(std::string_view bytes, MemoryBudget& memory,
                       Representations& representations, const std::shared_ptr<MappedFile>& file) {
  return read_unchanged(file, [&] {
    std::size_t position = 0;
    ExternalValue value = read_npy_value(bytes, position, memory, representations, file);
    if (position != bytes.size())
      throw FormatError(byte_place(position) + std::to_string(bytes.size() - position) +
                        " bytes are left behind the .npy array");
    return value;
  });
}

void write_npy(ByteSink& out, const Value& value, const Representation* type) {
  const Representation* base = type->is_array() ? type->array().element : type;
  const bool complex = type->is_array() && is_complex(base);
  if (!base->is_scalar() && !complex)
    throw FormatError("a value of type " + print(type) + " cannot be written as .npy");
  ElementType element = complex ? base->record().fields[0].type->scalar() : base->scalar();
  std::size_t size = byte_size(element) * (complex ? 2 : 1);
  std::string header = "{'descr': '";
  header += size == 1 ? '|' : '<';
  header += complex                        ? 'c'
            : element == ElementType::Bool ? 'b'
            : is_float(element)            ? 'f'
            : is_signed(element)           ? 'i'
                                           : 'u';
  header += std::to_string(size) + "', 'fortran_order': False, 'shape': (";
  if (value.is_array()) {
    const Extents& shape = value.array()->shape;
    for (std::size_t i = 0; i < shape.size(); ++i)
      header += (i > 0 ? " " : "") + std::to_string(shape[i]) +
                (i + 1 < shape.size() || i == 0 ? "," : "");
  }
  header += "), }";
  // The data begins at a multiple of 64, behind spaces and a line break.
  std::size_t length = header.size() + 1;
  length += (64 - (10 + length) % 64) % 64;
  header.resize(length - 1, ' ');
  header += '\n';
  std::string begin(npy_magic);
  begin += '\1';
  begin += '\0';
  begin += static_cast<char>(length & 0xff);
  begin += static_cast<char>(length >> 8);
  out.write(begin + header);
  if (value.is_array()) {
    const std::span<const Leaf> leaves = value.array()->leaves;
    return write_elements(out, leaves.first(complex ? 2 : 1));
  }
  char bytes[8];
  store_scalar(element, bytes, 0, value.scalar());
  out.write({bytes, size});
}

void write_npy(std::string& out, const Value& value, const Representation* type) {
  StringSink sink(out);
  sink.reserve(value);
  write_npy(sink, value, type);
}

} // namespace sinter
