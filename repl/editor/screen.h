// What the editor shows, and the least output that turns what was shown before into it.
#pragma once

#include "repl/editor/styles.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::repl {

/// One glyph on the screen.
struct Cell {
  std::string glyph;
  std::size_t width = 1;
  Style style = Style::Plain;
  bool operator==(const Cell&) const = default;
};

/// Rows of cells from the left edge of the screen, and the place of the cursor.
struct Frame {
  std::vector<std::vector<Cell>> rows;
  std::size_t cursor_row = 0;
  std::size_t cursor_column = 0;
};

/// Lays text out in rows of a width.
class FrameWriter {
public:
  explicit FrameWriter(std::size_t columns);
  /// Adds text that goes on in the next row where the width ends.  Line breaks are the caller's;
  /// control characters show as `^A`, tabs as blanks up to the next multiple of four columns.
  void write(std::string_view text, Style style);
  void next_row();
  /// The cursor stands where the next glyph would.
  void place_cursor();
  std::size_t column() const { return column_; }
  Frame finish();

private:
  void put(std::string_view glyph, std::size_t width, Style style);

  std::size_t columns_;
  std::size_t column_ = 0;
  Frame frame_;
};

/// The part of a frame that fits into so many rows: around the cursor, and as near as possible to
/// the part that was shown before, which began at row `top` (updated).
Frame window(Frame frame, std::size_t rows, std::size_t& top);

/// Remembers what the terminal shows.
class Screen {
public:
  explicit Screen(bool color) : color_(color) {}
  void set_color(bool color) { color_ = color; }

  /// Output that shows a frame in the place of the last one; the terminal's cursor must not have
  /// moved since.
  std::string draw(Frame frame);
  /// The same, where the terminal may show anything at the rows of the last frame (it was resized
  /// to so many columns).
  std::string draw_afresh(Frame frame, std::size_t columns);
  /// Output that goes to the start of the row below the frame, and forgets it.
  std::string leave();
  /// The frame is gone: the terminal was cleared, and its cursor stands at the left.
  void forget() { shown_ = {}; }

private:
  std::string move(std::size_t row, std::size_t column);

  bool color_;
  Frame shown_;         ///< the cursor of this frame is where the terminal's is
  std::size_t row_ = 0; ///< of the terminal's cursor while output is made
};

} // namespace sinter::repl
