#include "repl/display/table_display.h"

#include "lang/base/text_width.h"
#include "lang/values/elements.h"

#include <algorithm>

namespace sinter::repl {

namespace {

constexpr std::string_view left_out_mark = "…";
constexpr std::size_t widest_cell = 40;
constexpr std::size_t gap = 2;     ///< columns of the terminal between those of the table
constexpr int digits_in_table = 6; ///< of floats, unless somebody asks for others

/// On one line, and nothing that a terminal obeys.
std::string harmless(std::string_view text) {
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string shown;
  for (std::size_t at = 0; at < text.size();) {
    const Glyph glyph = glyph_at(text, at);
    const auto byte = static_cast<unsigned char>(text[at]);
    if (glyph.is_printable)
      shown += text.substr(at, glyph.size);
    else if (text[at] == '\n')
      shown += "\\n";
    else if (text[at] == '\t')
      shown += "\\t";
    else
      ((shown += "\\x") += digits[byte >> 4]) += digits[byte & 15];
    at += glyph.is_printable ? glyph.size : 1;
  }
  return shown;
}

std::string cut(const std::string& text) {
  if (text_width(text) <= widest_cell) return text;
  return std::string(fitting(text, widest_cell - 1)) + std::string(left_out_mark);
}

/// A column of the table as text: the name, the type, the rows.
struct Texts {
  std::vector<std::string> cells;
  bool at_right = false;
  std::size_t width = 0;

  /// Lets the points of numbers stand below each other.
  void align_points(std::size_t first) {
    std::size_t most = 0;
    auto is_number = [](const std::string& cell) { // neither nan nor the mark
      return cell.find_first_of("0123456789") != std::string::npos;
    };
    auto behind = [](const std::string& cell) {
      return cell.size() - std::min(cell.find('.'), cell.size());
    };
    for (std::size_t i = first; i < cells.size(); ++i)
      if (is_number(cells[i])) most = std::max(most, behind(cells[i]));
    for (std::size_t i = first; i < cells.size(); ++i)
      if (is_number(cells[i])) cells[i] += std::string(most - behind(cells[i]), ' ');
  }
  void measure() {
    for (const std::string& cell : cells)
      width = std::max(width, text_width(cell));
  }
  std::string padded(std::size_t row) const {
    const std::string blanks(width - text_width(cells[row]), ' ');
    return at_right ? blanks + cells[row] : cells[row] + blanks;
  }
};

/// Which of the columns (the first has the rows' numbers) fit into a line; nothing stands for those
/// left out.
std::vector<const Texts*> fitting_columns(const std::vector<Texts>& columns, std::size_t width) {
  std::size_t total = 0;
  for (const Texts& column : columns)
    total += column.width + gap;
  std::vector<const Texts*> shown;
  if (total <= width + gap || columns.size() <= 3) {
    for (const Texts& column : columns)
      shown.push_back(&column);
    return shown;
  }
  std::size_t used = columns.back().width + gap + 1; // the last one, and the mark
  for (std::size_t i = 0; i + 1 < columns.size(); ++i) {
    used += columns[i].width + gap;
    if (i > 1 && used > width) break;
    shown.push_back(&columns[i]);
  }
  if (shown.size() + 1 < columns.size()) shown.push_back(nullptr);
  shown.push_back(&columns.back());
  return shown;
}

} // namespace

std::vector<std::int64_t> shown_rows(std::int64_t count, std::size_t limit) {
  std::vector<std::int64_t> rows;
  const auto most = static_cast<std::int64_t>(std::min<std::size_t>(limit, INT64_MAX));
  const std::int64_t tail = std::max<std::int64_t>(most / 3, 1);
  const std::int64_t head = count <= most ? count : std::max<std::int64_t>(most - tail - 1, 1);
  for (std::int64_t i = 0; i < head; ++i)
    rows.push_back(i);
  if (head == count) return rows;
  rows.push_back(-1);
  for (std::int64_t i = count - tail; i < count; ++i)
    rows.push_back(i);
  return rows;
}

std::string shown_cell(const TableColumn& column, std::int64_t row, std::optional<int> digits) {
  if (std::optional<std::string> text = column.text(row)) return cut(harmless(*text));
  const Representation* element = column.values->element;
  const Value value = get_element(column.values, row);
  if (!element->is_scalar()) return cut(display(value, element));
  const std::string text =
      number_text(element->scalar(), value.scalar(), digits.value_or(digits_in_table));
  // "nan": the type stands above it.
  const std::size_t module = is_float(element->scalar()) ? text.find_first_of("ni") : text.npos;
  return module == text.npos ? text : (text.starts_with('-') ? "-" : "") + text.substr(module);
}

std::string shown_type(const TableColumn& column) {
  if (column.unit) return *column.unit == TimeUnit::Days ? "date" : "time";
  return column.words ? "words" : cut(print(column.values->element));
}

bool is_aligned_right(const TableColumn& column) {
  return !column.words && !column.unit && column.values->element->is_scalar();
}

std::string display_table(const Table& table, const DisplayOptions& options) {
  const std::vector<std::int64_t> rows =
      shown_rows(table.rows, std::max<std::size_t>(options.max_rows, 3));
  constexpr std::size_t header = 2; // the name and the type
  // No column is narrower than a character: of the others nothing is made.
  const std::size_t most = options.width == SIZE_MAX ? SIZE_MAX : options.width / (gap + 1) + 2;
  std::vector<Texts> columns(1);
  columns[0] = {{"", ""}, true};
  for (std::int64_t row : rows)
    columns[0].cells.push_back(row < 0 ? std::string(left_out_mark) : std::to_string(row));
  columns[0].measure();
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (i + 1 > most && i + 1 < table.columns.size()) continue;
    const TableColumn& column = table.columns[i];
    Texts texts{{cut(column.name), shown_type(column)}, is_aligned_right(column)};
    for (std::int64_t row : rows)
      texts.cells.push_back(row < 0 ? std::string(left_out_mark)
                                    : shown_cell(column, row, options.digits));
    if (texts.at_right) texts.align_points(header);
    texts.measure();
    columns.push_back(std::move(texts));
  }
  const std::vector<const Texts*> shown = fitting_columns(columns, options.width);
  std::string text;
  for (std::size_t row = 0; row < rows.size() + header; ++row) {
    std::string line;
    for (const Texts* column : shown) {
      if (column != shown.front()) line += std::string(gap, ' ');
      line += column ? column->padded(row) : std::string(left_out_mark);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  const bool all_columns = std::ranges::count(shown, nullptr) == 0;
  if (!all_columns || static_cast<std::int64_t>(rows.size()) != table.rows)
    text += std::to_string(table.rows) + " rows, " + std::to_string(table.columns.size()) +
            " columns\n";
  text.pop_back();
  return text;
}

} // namespace sinter::repl
