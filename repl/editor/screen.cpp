#include "repl/editor/screen.h"

#include "lang/base/text_width.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace sinter::repl {

namespace {

constexpr std::size_t tab_width = 4;

std::size_t row_width(const std::vector<Cell>& row) {
  std::size_t width = 0;
  for (const Cell& cell : row)
    width += cell.width;
  return width;
}

} // namespace

// ---- layout
// ------------------------------------------------------------------------------------------------

FrameWriter::FrameWriter(std::size_t columns) : columns_(std::max<std::size_t>(columns, 2)) {
  frame_.rows.emplace_back();
}

void FrameWriter::put(std::string_view glyph, std::size_t width, Style style) {
  if (column_ + width > columns_) next_row();
  if (width == 0 && !frame_.rows.back().empty()) { // a mark without a base
    frame_.rows.back().back().glyph += glyph;
    return;
  }
  frame_.rows.back().push_back({std::string(glyph), width, style});
  column_ += width;
}

void FrameWriter::write(std::string_view text, Style style) {
  for (std::size_t at = 0; at < text.size();) {
    Glyph glyph = glyph_at(text, at);
    std::string_view bytes = text.substr(at, glyph.size);
    at += glyph.size;
    if (glyph.is_printable) {
      put(bytes, glyph.width, style);
    } else if (bytes == "\t") {
      std::size_t count = tab_width - column_ % tab_width;
      for (std::size_t i = 0; i < count; ++i)
        put(" ", 1, style);
    } else if (static_cast<unsigned char>(bytes[0]) < 0x80) {
      put("^", 1, Style::Wrong);
      put(std::string(1, static_cast<char>(bytes[0] ^ 0x40)), 1, Style::Wrong);
    } else {
      put("\uFFFD", 1, Style::Wrong);
    }
  }
}

void FrameWriter::next_row() {
  frame_.rows.emplace_back();
  column_ = 0;
}

void FrameWriter::place_cursor() {
  if (column_ >= columns_) next_row();
  frame_.cursor_row = frame_.rows.size() - 1;
  frame_.cursor_column = column_;
}

Frame FrameWriter::finish() {
  return std::move(frame_);
}

Frame window(Frame frame, std::size_t rows, std::size_t& top) {
  rows = std::max<std::size_t>(rows, 1);
  if (frame.rows.size() <= rows) {
    top = 0;
    return frame;
  }
  top = std::min(top, frame.rows.size() - rows);
  top = std::min(top, frame.cursor_row);
  if (frame.cursor_row >= top + rows) top = frame.cursor_row - rows + 1;
  auto first = frame.rows.begin() + static_cast<std::ptrdiff_t>(top);
  Frame part;
  part.rows.assign(std::make_move_iterator(first),
                   std::make_move_iterator(first + static_cast<std::ptrdiff_t>(rows)));
  part.cursor_row = frame.cursor_row - top;
  part.cursor_column = frame.cursor_column;
  return part;
}

// ---- output
// ------------------------------------------------------------------------------------------------

std::string Screen::move(std::size_t row, std::size_t column) {
  std::string out = "\r";
  if (row < row_) out += "\x1b[" + std::to_string(row_ - row) + "A";
  // Line feeds, not a movement: at the bottom of the screen they make room.
  if (row > row_) out.append(row - row_, '\n');
  if (column > 0) out += "\x1b[" + std::to_string(column) + "C";
  row_ = row;
  return out;
}

std::string Screen::draw(Frame frame) {
  std::string out;
  row_ = shown_.cursor_row;
  for (std::size_t i = 0; i < frame.rows.size(); ++i) {
    const std::vector<Cell>& row = frame.rows[i];
    static const std::vector<Cell> empty;
    const std::vector<Cell>& before = i < shown_.rows.size() ? shown_.rows[i] : empty;
    if (row == before && i < shown_.rows.size()) continue;
    std::size_t first = 0, column = 0;
    while (first < row.size() && first < before.size() && row[first] == before[first])
      column += row[first++].width;
    out += move(i, column);
    Style style = Style::Plain;
    for (std::size_t k = first; k < row.size(); ++k) {
      if (color_ && row[k].style != style) {
        if (style != Style::Plain) out += style_end;
        style = row[k].style;
        out += style_begin(style);
      }
      out += row[k].glyph;
    }
    if (style != Style::Plain && color_) out += style_end;
    if (row_width(row) < row_width(before)) out += "\x1b[K";
  }
  if (shown_.rows.size() > frame.rows.size()) {
    out += move(frame.rows.size(), 0);
    out += "\x1b[J";
  }
  bool moved =
      row_ != frame.cursor_row || !out.empty() || shown_.cursor_column != frame.cursor_column;
  if (moved) out += move(frame.cursor_row, frame.cursor_column);
  shown_ = std::move(frame);
  return out;
}

std::string Screen::draw_afresh(Frame frame, std::size_t columns) {
  // A terminal that became narrower may have broken rows into several.
  columns = std::max<std::size_t>(columns, 1);
  std::size_t above = shown_.cursor_column / columns;
  for (std::size_t i = 0; i < shown_.cursor_row && i < shown_.rows.size(); ++i)
    above += std::max<std::size_t>((row_width(shown_.rows[i]) + columns - 1) / columns, 1);
  std::string out = "\r";
  if (above > 0) out += "\x1b[" + std::to_string(above) + "A";
  out += "\x1b[J";
  shown_ = {};
  return out + draw(std::move(frame));
}

std::string Screen::leave() {
  row_ = shown_.cursor_row;
  std::string out = move(std::max<std::size_t>(shown_.rows.size(), 1) - 1, 0);
  out += "\r\n";
  shown_ = {};
  return out;
}

} // namespace sinter::repl
