#include "lang/values/csv.h"

#include "lang/base/interruptible.h"
#include "lang/values/elements.h"
#include "lang/values/number_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <deque>
#include <limits>
#include <map>

namespace sinter {

namespace {

constexpr std::string_view delimiters = ",;\t|";

std::string_view trimmed(std::string_view text) {
  std::size_t begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

bool is_missing(std::string_view cell) {
  return cell.empty() || cell == "NA" || cell == "N/A" || cell == "nan" || cell == "NaN" ||
         cell == "null" || cell == "?";
}

template <typename T>
bool parse(std::string_view cell, T& out) {
  if (cell.starts_with('+')) cell.remove_prefix(1);
  auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), out);
  return error == std::errc{} && end == cell.data() + cell.size();
}

/// Cuts the text into lines of cells.
class CsvReader {
public:
  CsvReader(std::string_view bytes, const CsvOptions& options) : bytes_(bytes) {
    if (bytes_.starts_with("\xEF\xBB\xBF")) at_ = 3; // the mark of UTF-8
    for (std::size_t i = 0; i < options.skip; ++i)
      skip_line();
    delimiter_ = options.delimiter.value_or(guess_delimiter());
  }

  /// The cells of the next line that is not blank; none at the end.
  bool next(std::vector<std::string_view>& cells) {
    cells.clear();
    while (at_ < bytes_.size() && is_blank_line())
      skip_line();
    if (at_ >= bytes_.size()) return false;
    begin_line_ = line_;
    for (;;) {
      cells.push_back(cell());
      if (at_ < bytes_.size() && bytes_[at_] == delimiter_) {
        ++at_;
        continue;
      }
      if (at_ < bytes_.size()) skip_line();
      return true;
    }
  }
  /// Of what `next` gave.
  std::size_t line() const { return begin_line_; }

private:
  void skip_line() {
    std::size_t end = bytes_.find('\n', at_);
    at_ = end == std::string_view::npos ? bytes_.size() : end + 1;
    ++line_;
  }
  std::string_view rest_of_line() const { return bytes_.substr(at_, bytes_.find('\n', at_) - at_); }
  bool is_blank_line() const { return trimmed(rest_of_line()).empty(); }

  char guess_delimiter() const {
    std::string_view line = rest_of_line();
    auto count = [&](char c) { return std::count(line.begin(), line.end(), c); };
    return *std::max_element(delimiters.begin(), delimiters.end(),
                             [&](char a, char b) { return count(a) < count(b); });
  }

  std::string_view cell() {
    poll_();
    while (at_ < bytes_.size() && bytes_[at_] == ' ' && delimiter_ != ' ')
      ++at_;
    if (at_ < bytes_.size() && bytes_[at_] == '"') return quoted();
    std::size_t begin = at_;
    while (at_ < bytes_.size() && bytes_[at_] != delimiter_ && bytes_[at_] != '\n')
      ++at_;
    return trimmed(bytes_.substr(begin, at_ - begin));
  }

  std::string_view quoted() {
    std::size_t begin_line = line_;
    std::string text;
    for (++at_;; ++at_) {
      if (at_ >= bytes_.size())
        throw FormatError("line " + std::to_string(begin_line) + ": a quoted cell has no end");
      if (bytes_[at_] == '"') {
        if (at_ + 1 >= bytes_.size() || bytes_[at_ + 1] != '"') break;
        ++at_;
      }
      if (bytes_[at_] == '\n') ++line_;
      text += bytes_[at_];
    }
    ++at_;
    while (at_ < bytes_.size() && (bytes_[at_] == ' ' || bytes_[at_] == '\r'))
      ++at_;
    if (at_ < bytes_.size() && bytes_[at_] != delimiter_ && bytes_[at_] != '\n')
      throw FormatError("line " + std::to_string(line_) +
                        ": something stands behind a quoted cell");
    return kept_.emplace_back(std::move(text));
  }

  std::string_view bytes_;
  std::size_t at_ = 0;
  std::size_t line_ = 1;
  std::size_t begin_line_ = 1;
  char delimiter_ = ',';
  std::deque<std::string> kept_; ///< quoted cells
  SparsePoll poll_;
};

/// The numbers of a column, as long as its cells are all numbers.
struct Numbers {
  bool integers = true;
  bool floats = true;
  explicit Numbers(const std::vector<std::string_view>& cells) {
    SparsePoll poll;
    for (std::string_view cell : cells) {
      poll();
      std::int64_t integer;
      double number;
      integers = integers && parse(cell, integer);
      if (!integers) floats = floats && (is_missing(cell) || parse(cell, number));
      if (!floats) return;
    }
  }
};

template <typename T>
T* allocate(CsvColumn& column, std::size_t count, MemoryBudget& memory,
            Representations& representations) {
  column.element = element_type_of<T>;
  ArrayRef array = allocate_array(memory, representations.scalar(column.element),
                                  Extents{static_cast<std::int64_t>(count)});
  T* data = reinterpret_cast<T*>(array->leaves[0].buffer->data());
  column.values = Value(std::move(array));
  return data;
}

void fill(CsvColumn& column, const std::vector<std::string_view>& cells, MemoryBudget& memory,
          Representations& representations) {
  poll_interruption();
  Numbers numbers(cells);
  SparsePoll poll;
  if (numbers.integers && !cells.empty()) {
    std::int64_t* out = allocate<std::int64_t>(column, cells.size(), memory, representations);
    for (std::string_view cell : cells) {
      poll();
      parse(cell, *out++);
    }
    return;
  }
  if (numbers.floats) {
    double* out = allocate<double>(column, cells.size(), memory, representations);
    for (std::string_view cell : cells) {
      poll();
      *out = std::numeric_limits<double>::quiet_NaN();
      if (!is_missing(cell)) parse(cell, *out);
      ++out;
    }
    return;
  }
  std::int64_t* out = allocate<std::int64_t>(column, cells.size(), memory, representations);
  std::map<std::string_view, std::int64_t> known;
  for (std::string_view cell : cells) {
    poll();
    auto [found, is_new] = known.emplace(cell, static_cast<std::int64_t>(known.size()));
    if (is_new) column.categories.emplace_back(cell);
    *out++ = found->second;
  }
}

/// Whether a first line names columns: all its cells are words, and some column has numbers below.
bool looks_like_header(const std::vector<std::string_view>& first,
                       const std::vector<std::vector<std::string_view>>& columns) {
  double number;
  for (std::string_view cell : first)
    if (cell.empty() || parse(cell, number)) return false;
  for (const auto& column : columns)
    if (Numbers(std::vector(column.begin() + 1, column.end())).floats && column.size() > 1)
      return true;
  return false;
}

// ---- writing -----------------------------------------------------------------------------------

std::string quoted_if_needed(const std::string& text, char delimiter) {
  if (text.find_first_of(std::string("\"\n\r") + delimiter) == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string cell_text(ElementType element, Scalar scalar) {
  std::string text = print(element, scalar, false);
  if (std::size_t dot = text.find(".nan"); dot != std::string::npos) return "nan";
  if (std::size_t dot = text.find(".inf"); dot != std::string::npos)
    return text.starts_with('-') ? "-inf" : "inf";
  return text;
}

struct Columns {
  std::vector<std::string> names;
  std::vector<ArrayRef> arrays; ///< of one dimension, scalars
};

void add_columns(Columns& columns, const std::string& name, const Value& value,
                 const Representation* type, const Representation* whole) {
  if (type->is_record() && value.kind() == Value::Kind::Record) {
    for (std::size_t i = 0; i < value.fields().size(); ++i)
      add_columns(columns, type->record().fields[i].name, value.fields()[i],
                  type->record().fields[i].type, whole);
    return;
  }
  bool vector = type->is_array() && type->array().rank == 1;
  if (vector && type->array().element->is_record()) {
    const RecordRepresentation& record = type->array().element->record();
    for (std::uint32_t i = 0; i < record.fields.size(); ++i) {
      ArrayRef field = project(value.array(), i);
      if (!record.fields[i].type->is_scalar() || field->shape.size() != 1)
        throw FormatError("a value of type " + print(whole) + " cannot be written as a table");
      columns.names.push_back(record.fields[i].name);
      columns.arrays.push_back(std::move(field));
    }
    return;
  }
  if (!vector || !type->array().element->is_scalar())
    throw FormatError("a value of type " + print(whole) + " cannot be written as a table");
  columns.names.push_back(name);
  columns.arrays.push_back(value.array());
}

} // namespace

std::vector<CsvColumn> read_csv(std::string_view bytes, const CsvOptions& options,
                                MemoryBudget& memory, Representations& representations) {
  CsvReader reader(bytes, options);
  std::vector<std::string_view> cells;
  if (!reader.next(cells)) throw FormatError("the table is empty");
  const std::vector<std::string_view> first = cells;
  std::vector<std::vector<std::string_view>> columns(first.size());
  do {
    if (cells.size() != first.size())
      throw FormatError("line " + std::to_string(reader.line()) + " has " +
                        std::to_string(cells.size()) + " cells, the lines before it have " +
                        std::to_string(first.size()));
    for (std::size_t c = 0; c < cells.size(); ++c)
      columns[c].push_back(cells[c]);
  } while (reader.next(cells));
  bool header = options.header.value_or(looks_like_header(first, columns));
  std::vector<CsvColumn> result(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c) {
    if (header) {
      result[c].name = columns[c].front();
      columns[c].erase(columns[c].begin());
    }
    fill(result[c], columns[c], memory, representations);
    columns[c] = {};
  }
  return result;
}

void write_csv(std::string& out, const Value& value, const Representation* type, char delimiter) {
  Columns columns;
  bool matrix = type->is_array() && type->array().rank == 2 && type->array().element->is_scalar();
  if (matrix) {
    const ArrayRef& array = value.array();
    ArrayRef transposed = transpose_view(array, 0, 1);
    for (std::int64_t c = 0; c < array->shape[1]; ++c)
      columns.arrays.push_back(index_view(transposed, {&c, 1}));
  } else
    add_columns(columns, "", value, type, type);
  bool named = std::any_of(columns.names.begin(), columns.names.end(), [](const std::string& name) {
    return !name.empty() && !(name[0] >= '0' && name[0] <= '9'); // a tuple's are numbers
  });
  if (named) {
    for (std::size_t c = 0; c < columns.names.size(); ++c)
      out +=
          (c > 0 ? std::string(1, delimiter) : "") + quoted_if_needed(columns.names[c], delimiter);
    out += '\n';
  }
  std::int64_t rows = columns.arrays.empty() ? 0 : columns.arrays.front()->shape[0];
  for (const ArrayRef& column : columns.arrays)
    if (column->shape[0] != rows)
      throw FormatError("the columns of a table must be of one length, found " +
                        std::to_string(rows) + " and " + std::to_string(column->shape[0]));
  SparsePoll poll;
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns.arrays.size(); ++c) {
      poll();
      if (c > 0) out += delimiter;
      const ArrayRef& column = columns.arrays[c];
      out += cell_text(column->element->scalar(), get_element(column, r).scalar());
    }
    out += '\n';
  }
}

} // namespace sinter
