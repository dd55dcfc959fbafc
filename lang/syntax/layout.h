// Line breaking for the printer: text with possible breaks in nested groups (after D. Oppen,
// "Prettyprinting", 1980).  A group stays on one line if it fits; otherwise its breaks become line
// breaks, except that a `fill` break becomes one only where the next piece would not fit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::syntax {

class Layout {
public:
  void text(std::string_view text);
  /// Line breaks inside are indented by `indent` columns more.
  void open(int indent = 0);
  void close();
  void line() { add(Kind::Line); } ///< a space, or a line break in a broken group
  void soft() { add(Kind::Soft); } ///< nothing, or a line break in a broken group
  void fill() { add(Kind::Fill); } ///< a space, or a line break if the next piece does not fit
  void hard() { add(Kind::Hard); } ///< always a line break; breaks all groups around it

  std::string render(int width) const;

private:
  enum class Kind : std::uint8_t { Text, Open, Close, Line, Soft, Fill, Hard };
  struct Item {
    Kind kind{};
    std::uint32_t begin = 0; ///< of the text in `characters_`
    std::int32_t size = 0;   ///< of the text, or the indent
  };
  /// What `render` has to know about the items that follow one.
  struct Reach {
    std::int64_t before = 0; ///< columns of all items before this one, on one line
    std::size_t end = 0;     ///< of an Open or Fill: where the piece that must fit ends
    std::size_t next_break = 0;
  };
  void add(Kind kind) { items_.push_back({kind, 0, 0}); }
  std::vector<Reach> reaches() const;

  std::string characters_;
  std::vector<Item> items_;
};

} // namespace sinter::syntax
