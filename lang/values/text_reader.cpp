// Values in Futhark's text notation: scalars, nested arrays, `empty([0][2]i32)`, strings as []u8.

#include "lang/base/interruptible.h"
#include "lang/values/number_text.h"
#include "lang/values/readers.h"
#include "lang/values/strided.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace sinter {

namespace {

/// Deeper nesting is a mistake, or an attack on the stack.
constexpr int deepest = 64;

bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/// Reads one value.  The elements go into one growing buffer in the order of the text, which is
/// row-major order; the shapes of all parts are compared as they are completed.
class TextReader {
public:
  TextReader(std::string_view bytes, std::size_t position, MemoryBudget& memory,
             std::optional<ElementType> wanted)
      : bytes_(bytes), at_(bytes.data() + position), end_(bytes.data() + bytes.size()),
        memory_(memory), type_(wanted) {}

  ExternalValue read(Representations& representations) {
    Extents shape = node(0);
    if (shape.empty()) {
      Scalar scalar = load_scalar(*type_, buffer_->contents(), 0);
      return external_scalar(*type_, scalar);
    }
    Leaf leaf;
    leaf.element = *type_;
    leaf.strides = row_major_strides(shape);
    leaf.extents = std::move(shape);
    if (!buffer_) grow(0);
    // The buffer has grown by doubling: give back what is clearly too much.
    if (buffer_->bytes() - used_ > used_ / 2 + 64) {
      BufferRef fitting = Buffer::allocate(memory_, used_);
      copy_in_pieces(fitting->overwrite(), buffer_->contents(), used_);
      buffer_ = std::move(fitting);
    }
    leaf.buffer = std::move(buffer_);
    return external_array(representations, *type_, std::move(leaf));
  }

  std::size_t position() const { return static_cast<std::size_t>(at_ - bytes_.data()); }

private:
  [[noreturn]] void fail_at(const char* place, const std::string& message) const {
    throw FormatError(text_place(bytes_, static_cast<std::size_t>(place - bytes_.data())) +
                      message);
  }
  [[noreturn]] void fail(const std::string& message) const { fail_at(at_, message); }

  void skip() {
    // Almost always there is one blank, or none.
    while (at_ < end_ && is_blank(*at_))
      ++at_;
    if (at_ < end_ && *at_ == '-' && at_ + 1 < end_ && at_[1] == '-') {
      std::size_t position = this->position();
      skip_blank(bytes_, position);
      at_ = bytes_.data() + position;
    }
  }

  /// What is here, for a message.
  std::string found() const {
    if (at_ == end_) return "the end of the input";
    const char* stop = at_;
    while (stop < end_ && is_scalar_character(*stop) && stop - at_ < 40)
      ++stop;
    if (stop == at_) {
      auto c = static_cast<unsigned char>(*at_);
      if (c < 0x20 || c >= 0x7f) {
        static constexpr char digits[] = "0123456789abcdef";
        return std::string("the byte 0x") + digits[c >> 4] + digits[c & 15];
      }
      ++stop;
    }
    return "`" + std::string(at_, stop) + "`";
  }

  void grow(std::size_t more) {
    std::size_t wanted = std::max<std::size_t>({64, used_ + more, used_ * 2});
    BufferRef larger = Buffer::allocate(memory_, wanted);
    if (used_ > 0) copy_in_pieces(larger->overwrite(), buffer_->contents(), used_);
    buffer_ = std::move(larger);
    capacity_ = wanted;
  }

  void require_type(ElementType type, const char* place, const std::string& what) {
    if (!type_) type_ = type;
    if (*type_ != type)
      fail_at(place, "expected a value of type " + std::string(name(*type_)) + ", found " + what);
  }

  Extents node(int depth) {
    poll_();
    skip();
    if (at_ == end_) fail("expected a value, found the end of the input");
    char c = *at_;
    if (c == '[') return array(depth);
    if (c == '"') return string();
    if (c == '\'') return character();
    if (c == 'e' && bytes_.substr(position()).starts_with("empty")) return empty();
    if (c == '(' || c == '{' || c == '#') fail("records, tuples and sums cannot be read as values");
    if (!is_scalar_character(c)) fail("expected a value, found " + found());
    element();
    return {};
  }

  /// A scalar, slowly and with all forms.
  void element() {
    const char* begin = at_;
    std::string spaced;
    while (at_ < end_ && is_scalar_character(*at_))
      ++at_;
    std::string_view text(begin, static_cast<std::size_t>(at_ - begin));
    if (text == "-") { // the sign may stand apart
      skip();
      const char* digits = at_;
      while (at_ < end_ && is_scalar_character(*at_))
        ++at_;
      spaced = "-" + std::string(digits, at_);
      text = spaced;
    }
    if (!type_) {
      type_ = type_of_scalar_text(text);
      if (!type_) {
        at_ = begin;
        fail("expected a value, found " + found());
      }
    }
    std::string why;
    std::optional<Scalar> scalar = parse_scalar(text, *type_, why);
    if (!scalar) fail_at(begin, why);
    std::size_t size = byte_size(*type_);
    if (capacity_ - used_ < size) grow(size);
    store_scalar(*type_, buffer_->overwrite() + used_, 0, *scalar);
    used_ += size;
  }

  /// Behind an element: whether a comma follows, which is passed over, and not the `]`.
  bool goes_on() {
    skip();
    if (at_ < end_ && *at_ == ',') {
      ++at_;
      return true;
    }
    if (at_ < end_ && *at_ == ']') return false;
    fail("expected `,` or `]`, found " + found());
  }

  /// Elements without brackets up to and including the `]`; returns how many.
  template <typename T>
  std::int64_t row() {
    std::int64_t count = 0;
    for (;;) {
      poll_();
      skip();
      if (at_ < end_ && *at_ == ']' && count > 0) break; // behind a last comma
      if (capacity_ - used_ < sizeof(T)) grow(sizeof(T));
      T value;
      if (const char* next = scan_scalar<T>(at_, end_, value)) {
        std::memcpy(buffer_->overwrite() + used_, &value, sizeof(T));
        used_ += sizeof(T);
        at_ = next;
      } else {
        if (at_ < end_ && !is_scalar_character(*at_))
          fail(*at_ == '[' || *at_ == '"' ? "irregular array: an array among scalars"
                                          : "expected an element or `]`, found " + found());
        if (at_ == end_) fail("expected an element or `]`, found the end of the input");
        element();
      }
      ++count;
      if (!goes_on()) break;
    }
    ++at_;
    return count;
  }

  /// Whether the element here is a plain scalar, that `row` can read.
  bool at_scalar() const {
    return at_ < end_ && is_scalar_character(*at_) &&
           !bytes_.substr(position()).starts_with("empty");
  }

  Extents array(int depth) {
    if (depth == deepest) fail("arrays are nested more than " + std::to_string(deepest) + " deep");
    const char* begin = at_++;
    skip();
    if (at_ < end_ && *at_ == ']')
      fail_at(begin, "the type of `[]` is not known: an empty array is written `empty([0]i32)`");
    if (at_scalar()) {
      if (!type_) type_ = type_of_first();
      return {with_cpp_type(*type_, [&]<typename T>() { return row<T>(); })};
    }
    Extents first;
    std::int64_t count = 0;
    for (;;) {
      skip();
      if (at_ < end_ && *at_ == ']' && count > 0) break;
      const char* element = at_;
      Extents shape = node(depth + 1);
      if (count == 0)
        first = std::move(shape);
      else if (shape != first)
        fail_at(element, "irregular array: an element of shape " + dimensions(shape) +
                             " among elements of shape " + dimensions(first));
      ++count;
      if (!goes_on()) break;
    }
    ++at_;
    first.insert(first.begin(), count);
    return first;
  }

  static std::string dimensions(const Extents& shape) {
    std::string text;
    for (std::int64_t extent : shape)
      text += "[" + std::to_string(extent) + "]";
    return text.empty() ? "of a scalar" : text;
  }

  ElementType type_of_first() const {
    const char* stop = at_;
    while (stop < end_ && is_scalar_character(*stop))
      ++stop;
    std::string_view text(at_, static_cast<std::size_t>(stop - at_));
    if (text == "-") {
      // The sign stands apart: look behind it.
      std::size_t position = static_cast<std::size_t>(stop - bytes_.data());
      skip_blank(bytes_, position);
      const char* digits = bytes_.data() + position;
      stop = digits;
      while (stop < end_ && is_scalar_character(*stop))
        ++stop;
      text = {digits, static_cast<std::size_t>(stop - digits)};
    }
    std::optional<ElementType> type = type_of_scalar_text(text);
    if (!type) fail("expected an element or `]`, found " + found());
    return *type;
  }

  Extents string() {
    const char* begin = at_;
    require_type(ElementType::U8, begin, "a string, which has type []u8");
    ++at_;
    std::int64_t count = 0;
    for (;;) {
      if (at_ == end_) fail_at(begin, "the string has no end");
      if (*at_ == '"') break;
      push_byte(*at_ == '\\' ? escape() : static_cast<unsigned char>(*at_++));
      ++count;
    }
    ++at_;
    return {count};
  }

  Extents character() {
    const char* begin = at_++;
    if (!type_) type_ = ElementType::U8;
    if (!is_integer(*type_))
      fail_at(begin, "expected a value of type " + std::string(name(*type_)) +
                         ", found a character, which has type u8");
    if (at_ == end_) fail_at(begin, "the character has no end");
    unsigned char c = *at_ == '\\' ? escape() : static_cast<unsigned char>(*at_++);
    if (at_ == end_ || *at_ != '\'') fail_at(begin, "the character has no end");
    ++at_;
    std::size_t size = byte_size(*type_);
    if (capacity_ - used_ < size) grow(size);
    store_scalar(*type_, buffer_->overwrite() + used_, 0, Scalar::of(c));
    used_ += size;
    return {};
  }

  unsigned char escape() {
    const char* begin = at_++;
    static constexpr std::string_view letters = "ntr0abfv\\\"'";
    static constexpr std::string_view meanings{"\n\t\r\0\a\b\f\v\\\"'", 11};
    std::size_t which = at_ < end_ ? letters.find(*at_) : std::string_view::npos;
    if (which == std::string_view::npos) fail_at(begin, "unknown escape in a string");
    ++at_;
    return static_cast<unsigned char>(meanings[which]);
  }

  void push_byte(unsigned char c) {
    poll_();
    if (capacity_ == used_) grow(1);
    buffer_->overwrite()[used_++] = static_cast<std::byte>(c);
  }

  void expect(char c, const char* what) {
    skip();
    if (at_ == end_ || *at_ != c) fail(std::string("expected ") + what + ", found " + found());
    ++at_;
  }

  std::string_view word() {
    skip();
    const char* begin = at_;
    while (at_ < end_ && is_scalar_character(*at_))
      ++at_;
    return {begin, static_cast<std::size_t>(at_ - begin)};
  }

  /// `empty([0][2]i32)`; without dimensions the array has one, of extent 0.
  Extents empty() {
    const char* begin = at_;
    if (word() != "empty") {
      at_ = begin;
      fail("expected a value, found " + found());
    }
    expect('(', "`(` behind `empty`");
    Extents shape;
    for (skip(); at_ < end_ && *at_ == '['; skip()) {
      ++at_;
      const char* place = at_;
      std::string_view text = word();
      std::int64_t extent = 0;
      std::string why;
      if (!text.empty()) {
        std::optional<Scalar> scalar = parse_scalar(text, ElementType::I64, why);
        if (!scalar || scalar->as<std::int64_t>() < 0)
          fail_at(place, "expected a size, found `" + std::string(text.substr(0, 40)) + "`");
        extent = scalar->as<std::int64_t>();
      }
      if (shape.size() == deepest)
        fail("arrays are nested more than " + std::to_string(deepest) + " deep");
      shape.push_back(extent);
      expect(']', "`]`");
    }
    const char* place = at_;
    std::string_view type = word();
    std::optional<ElementType> element = element_type_named(type);
    if (!element)
      fail_at(place, "expected an element type, found `" + std::string(type.substr(0, 40)) + "`");
    require_type(*element, begin, "an array of type " + std::string(type));
    expect(')', "`)`");
    if (shape.empty()) shape.push_back(0);
    if (!is_empty(shape)) fail_at(begin, "`empty` needs a size of 0, found " + dimensions(shape));
    return shape;
  }

  std::string_view bytes_;
  const char* at_;
  const char* end_;
  MemoryBudget& memory_;
  std::optional<ElementType> type_; ///< once it is known
  BufferRef buffer_;
  std::size_t used_ = 0;
  std::size_t capacity_ = 0;
  SparsePoll poll_;
};

} // namespace

ExternalValue read_text_value(std::string_view bytes, std::size_t& position, MemoryBudget& memory,
                              Representations& representations, std::optional<ElementType> wanted) {
  TextReader reader(bytes, position, memory, wanted);
  ExternalValue value = reader.read(representations);
  position = reader.position();
  return value;
}

} // namespace sinter
