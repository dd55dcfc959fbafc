#include "lang/values/csv_cells.h"
#include "lang/values/csv_kinds.h"
#include "lang/values/elements.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <unordered_map>

namespace sinter {

namespace {

using Cells = std::vector<std::string_view>;

/// The kinds of some cells of a column: how many there are, and the first row of each.
struct Counts {
  std::array<std::size_t, CsvCellKind::Count> count{};
  std::array<std::size_t, CsvCellKind::Count> first{};
  std::size_t first_negative = SIZE_MAX; ///< among integers
  std::size_t first_inexact = SIZE_MAX;  ///< an integer that no f64 is

  void add(CsvCellKind::Kind kind, std::size_t row) {
    if (count[kind]++ == 0) first[kind] = row;
  }
  std::size_t numbers() const {
    return count[CsvCellKind::Integer] + count[CsvCellKind::Unsigned] + count[CsvCellKind::Float] +
           count[CsvCellKind::Huge] + count[CsvCellKind::Grouped];
  }
  std::size_t times() const { return count[CsvCellKind::Time] + count[CsvCellKind::ZonedTime]; }
  std::size_t dates() const { return count[CsvCellKind::Date] + times(); }
  std::size_t filled() const {
    return numbers() + count[CsvCellKind::Boolean] + dates() + count[CsvCellKind::Word];
  }
};

bool is_of(CsvKind kind, CsvCellKind::Kind cell) {
  switch (cell) {
  case CsvCellKind::Boolean:
    return kind == CsvKind::Booleans;
  case CsvCellKind::Date:
    return kind == CsvKind::Dates || kind == CsvKind::Times;
  case CsvCellKind::Time:
  case CsvCellKind::ZonedTime:
    return kind == CsvKind::Times;
  case CsvCellKind::Word:
    return kind == CsvKind::Words || kind == CsvKind::Codes;
  default:
    return kind == CsvKind::Numbers;
  }
}

std::string_view single(CsvKind kind) {
  switch (kind) {
  case CsvKind::Numbers:
    return "number";
  case CsvKind::Booleans:
    return "truth value";
  case CsvKind::Dates:
    return "date";
  case CsvKind::Times:
    return "time";
  default:
    return "word";
  }
}

/// As a message or a command shows it: short, and in quotation marks where blanks stand in it.
std::string shown(std::string_view text) {
  constexpr std::size_t most = 60;
  return text.size() <= most ? std::string(text) : std::string(text.substr(0, most)) + "…";
}
std::string as_word(std::string_view text) {
  const std::string word = shown(text);
  return word.find_first_of(" \t\n\r") == std::string::npos ? word : "\"" + word + "\"";
}

bool is_exact(std::int64_t integer) {
  const auto number = static_cast<double>(integer);
  constexpr double beyond = 9223372036854775808.0;
  return number < beyond && static_cast<std::int64_t>(number) == integer;
}

std::int64_t integer_in(std::string_view cell) {
  if (cell.starts_with('+')) cell.remove_prefix(1);
  std::int64_t integer = 0;
  std::from_chars(cell.data(), cell.data() + cell.size(), integer);
  return integer;
}

class Reader {
public:
  Reader(std::string_view bytes, const CsvOptions& options, MemoryBudget& memory,
         Representations& representations)
      : options_(options), memory_(memory), representations_(representations) {
    if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF"))
      throw FormatError("the table is in UTF-16; `iconv -f UTF-16 -t UTF-8` makes one of UTF-8");
    table_.delimiter = options.delimiter ? *options.delimiter
                                         : find_delimiter(bytes, options.skip, options.decimal);
    read_cells(bytes);
    table_.decimal = options.decimal ? *options.decimal : find_decimal();
    classify();
    find_header();
  }

  CsvTable read() {
    table_.rows = lines_.size() - begin_;
    table_.columns.resize(columns_.size());
    if (table_.header_line)
      for (std::size_t c = 0; c < columns_.size(); ++c)
        table_.columns[c].name = columns_[c].front();
    const std::vector<std::optional<CsvType>> stated = stated_types();
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      CsvColumn& column = table_.columns[c];
      const CsvType type = stated[c] ? *stated[c] : found_type(c);
      column.kind = type.kind;
      column.missing = counts_[c].count[CsvCellKind::Missing];
      fill(column, c, type, stated[c].has_value());
      columns_[c] = {};
    }
    return std::move(table_);
  }

private:
  // ---- what the text has ------------------------------------------------------------------------

  void read_cells(std::string_view bytes) {
    CsvLines lines(bytes, options_.skip, table_.delimiter);
    Cells cells;
    if (!lines.next(cells)) throw FormatError("the table is empty");
    columns_.resize(cells.size());
    do {
      if (cells.size() != columns_.size())
        throw FormatError("line " + std::to_string(lines.line()) + " has " +
                          std::to_string(cells.size()) + (cells.size() == 1 ? " cell" : " cells") +
                          ", the lines before it have " + std::to_string(columns_.size()));
      for (std::size_t c = 0; c < cells.size(); ++c)
        columns_[c].push_back(cells[c]);
      lines_.push_back(lines.line());
    } while (lines.next(cells));
    quoted_ = std::move(lines).take_quoted();
    if (table_.delimiter == one_cell_a_line && !options_.delimiter) require_one_cell_a_line(bytes);
  }

  /// Nothing was found to separate the cells: then it does not stand in some lines only, either.
  void require_one_cell_a_line(std::string_view bytes) const {
    SparsePoll poll;
    const std::less<> less;
    for (std::size_t row = 0; row < lines_.size(); ++row) {
      poll();
      const char* cell = columns_[0][row].data();
      const bool is_quoted = less(cell, bytes.data()) || less(bytes.data() + bytes.size(), cell);
      const std::size_t at = columns_[0][row].find_first_of(",;\t|");
      if (at == std::string_view::npos || is_quoted) continue;
      throw FormatError("line " + std::to_string(lines_[row]) + " has a `" + columns_[0][row][at] +
                        "`, the first line has none: `--delimiter` says what separates cells "
                        "(`none`: each line is a cell)");
    }
  }

  bool is_missing(std::string_view cell) const {
    return cell.empty() || std::ranges::find(options_.missing, cell) != options_.missing.end();
  }

  /// The comma only if numbers need it and none has a point.
  char find_decimal() const {
    SparsePoll poll;
    bool needs_comma = false;
    for (const Cells& column : columns_)
      for (std::string_view cell : column) {
        poll();
        if (cell.find_first_of(",.") == std::string_view::npos || is_missing(cell)) continue;
        if (is_csv_number(cell, '.')) return '.';
        needs_comma = needs_comma || needs_decimal_comma(cell);
      }
    return needs_comma ? ',' : '.';
  }

  CsvCellKind::Kind kind_of(std::string_view cell) const {
    return is_missing(cell) ? CsvCellKind::Missing : csv_cell_kind(cell, table_.decimal);
  }

  void add(Counts& counts, std::size_t column, std::size_t row) const {
    const std::string_view cell = columns_[column][row];
    const CsvCellKind::Kind kind = kind_of(cell);
    counts.add(kind, row);
    if (kind != CsvCellKind::Integer) return;
    const std::int64_t integer = integer_in(cell);
    if (integer < 0) counts.first_negative = std::min(counts.first_negative, row);
    if (!is_exact(integer)) counts.first_inexact = std::min(counts.first_inexact, row);
  }

  /// All rows but the first, of which nobody knows yet what it is.
  void classify() {
    SparsePoll poll;
    counts_.resize(columns_.size());
    for (std::size_t c = 0; c < columns_.size(); ++c)
      for (std::size_t row = 1; row < lines_.size(); ++row) {
        poll();
        add(counts_[c], c, row);
      }
  }

  // ---- the header -------------------------------------------------------------------------------

  void find_header() {
    const bool header = options_.header ? *options_.header : has_header();
    if (header) {
      table_.header_line = lines_.front();
      begin_ = 1;
      return;
    }
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      Counts all; // the first row's first
      add(all, c, 0);
      for (std::size_t kind = 0; kind < CsvCellKind::Count; ++kind) {
        if (all.count[kind] == 0) all.first[kind] = counts_[c].first[kind];
        all.count[kind] += counts_[c].count[kind];
      }
      all.first_negative = std::min(all.first_negative, counts_[c].first_negative);
      all.first_inexact = std::min(all.first_inexact, counts_[c].first_inexact);
      counts_[c] = all;
    }
  }

  /// Words in the first line name columns, unless they stand below as well.
  bool has_header() const {
    std::size_t words = 0, others = 0;
    bool contradicts = false; // a word over what are no words
    bool recurs = false;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const std::string_view first = columns_[c].front();
      const CsvCellKind::Kind kind = kind_of(first);
      if (kind == CsvCellKind::Missing) continue;
      if (kind != CsvCellKind::Word) {
        ++others;
        continue;
      }
      ++words;
      const Counts& below = counts_[c];
      contradicts = contradicts || (below.filled() > 0 && below.count[CsvCellKind::Word] == 0);
      recurs = recurs ||
               std::find(columns_[c].begin() + 1, columns_[c].end(), first) != columns_[c].end();
    }
    if (words == 0) return false;
    if (others == 0) return contradicts || !recurs;
    // Words among numbers: a row like the others, unless the words stand over numbers.
    const bool is_row = !contradicts && std::ranges::any_of(counts_, [](const Counts& below) {
      return below.numbers() + below.dates() + below.count[CsvCellKind::Boolean] > 0;
    });
    if (is_row && !looks_like_names()) return false;
    throw FormatError("line " + std::to_string(lines_.front()) +
                      " has words and other cells: `--header` says that it names the columns, "
                      "`--no-header` that it is a row");
  }

  /// Of a first line with words and other cells: whether the others, too, may be names, as years
  /// are.
  bool looks_like_names() const {
    return std::ranges::all_of(columns_, [&](const Cells& column) {
      const CsvCellKind::Kind kind = kind_of(column.front());
      if (kind == CsvCellKind::Word || kind == CsvCellKind::Missing) return true;
      return kind == CsvCellKind::Integer && column.front().size() == 4;
    });
  }

  // ---- types ------------------------------------------------------------------------------------

  [[noreturn]] void fail(std::size_t column, std::size_t row, const std::string& what) const {
    throw FormatError("line " + std::to_string(lines_[row]) + ", column " + called(column) + ": " +
                      what);
  }
  std::string called(std::size_t column) const {
    return table_.header_line && !columns_[column].empty() && !columns_[column].front().empty()
               ? "`" + shown(columns_[column].front()) + "`"
               : std::to_string(column + 1);
  }
  /// How one states the type of a column.
  std::string type_option(std::size_t column, std::string_view type) const {
    const bool named = table_.header_line && !columns_[column].front().empty();
    const std::string name = named ? shown(columns_[column].front()) : std::to_string(column + 1);
    const std::string stated = name + "=" + std::string(type);
    return "`--type " + as_word(stated) + "`";
  }
  std::string cell_text(std::size_t column, std::size_t row) const {
    return "`" + shown(columns_[column][row]) + "`";
  }

  CsvType found_type(std::size_t column) const {
    const Counts& counts = counts_[column];
    const std::size_t filled = counts.filled();
    struct Candidate {
      CsvKind kind;
      std::size_t count;
    };
    const Candidate candidates[] = {
        {CsvKind::Numbers, counts.numbers()},
        {CsvKind::Booleans, counts.count[CsvCellKind::Boolean]},
        {counts.times() > 0 ? CsvKind::Times : CsvKind::Dates, counts.dates()}};
    const Candidate& best = *std::ranges::max_element(candidates, {}, &Candidate::count);
    if (filled == 0) return {CsvKind::Numbers, ElementType::F64};
    if (best.count * 2 < filled) return {CsvKind::Words, {}};
    if (best.count < filled) fail_of_other(column, best.kind);
    return {best.kind, {}};
  }

  /// The first cell that is not what most of its column is.
  [[noreturn]] void fail_of_other(std::size_t column, CsvKind kind) const {
    std::size_t row = SIZE_MAX;
    for (std::size_t cell = 0; cell < CsvCellKind::Count; ++cell)
      if (counts_[column].count[cell] > 0 && cell != CsvCellKind::Missing &&
          !is_of(kind, static_cast<CsvCellKind::Kind>(cell)))
        row = std::min(row, counts_[column].first[cell]);
    fail(column, row,
         cell_text(column, row) + " is no " + std::string(single(kind)) +
             ", as other cells of the column are; `--na " + as_word(columns_[column][row]) +
             "` says that it stands for nothing, " + type_option(column, "words") +
             " that the column has words");
  }

  std::vector<std::optional<CsvType>> stated_types() const {
    std::vector<std::optional<CsvType>> types(columns_.size());
    for (const auto& [name, type] : options_.types) {
      std::size_t found = SIZE_MAX;
      for (std::size_t c = 0; c < columns_.size() && table_.header_line; ++c)
        if (columns_[c].front() == name) found = std::min(found, c);
      for (std::size_t c = 0; c < columns_.size() && table_.header_line && options_.field_name; ++c)
        if (found == SIZE_MAX && options_.field_name(columns_[c].front()) == name) found = c;
      std::size_t number = 0;
      const char* end = name.data() + name.size();
      if (const auto [stop, error] = std::from_chars(name.data(), end, number);
          found == SIZE_MAX && error == std::errc{} && stop == end && number >= 1 &&
          number <= columns_.size())
        found = number - 1;
      if (found == SIZE_MAX)
        throw FormatError(
            "the table has no column `" + shown(name) + "`" +
            (table_.header_line ? ": they are " + column_names() : ": they are numbered from 1"));
      types[found] = type;
    }
    return types;
  }
  std::string column_names() const {
    constexpr std::size_t most = 20;
    std::string names;
    for (std::size_t c = 0; c < std::min(columns_.size(), most); ++c)
      names += (c > 0 ? ", `" : "`") + shown(columns_[c].front()) + "`";
    return names + (columns_.size() > most ? ", …" : "");
  }

  // ---- values -----------------------------------------------------------------------------------

  template <typename T>
  T* allocate(CsvColumn& column) {
    column.element = element_type_of<T>;
    ArrayRef array = allocate_array(memory_, representations_.scalar(column.element),
                                    Extents{static_cast<std::int64_t>(table_.rows)});
    T* data = reinterpret_cast<T*>(array->leaves[0].buffer->overwrite());
    column.values = Value(std::move(array));
    return data;
  }

  void fill(CsvColumn& column, std::size_t index, const CsvType& type, bool is_stated) {
    poll_interruption();
    switch (type.kind) {
    case CsvKind::Numbers:
      return is_stated && type.element ? fill_stated(column, index, *type.element)
                                       : fill_numbers(column, index, is_stated);
    case CsvKind::Booleans:
      return fill_each<bool>(column, index, CsvKind::Booleans, csv_boolean);
    case CsvKind::Dates:
      column.unit = TimeUnit::Days;
      return fill_each<std::int64_t>(column, index, CsvKind::Dates, csv_date);
    case CsvKind::Times:
      require_one_clock(index);
      column.unit = counts_[index].count[CsvCellKind::ZonedTime] > 0 ? TimeUnit::MicrosecondsOfUtc
                                                                     : TimeUnit::Microseconds;
      return fill_each<std::int64_t>(column, index, CsvKind::Times, csv_time);
    case CsvKind::Words:
    case CsvKind::Codes:
      return fill_words(column, index);
    }
  }

  /// Each cell must be of the kind, and there.
  template <typename T, typename Parse>
  void fill_each(CsvColumn& column, std::size_t index, CsvKind kind, Parse&& parse) {
    T* out = allocate<T>(column);
    SparsePoll poll;
    for (std::size_t row = begin_; row < lines_.size(); ++row) {
      poll();
      const std::string_view cell = columns_[index][row];
      if (is_missing(cell)) fail_of_missing(index, row, kind);
      const auto value = parse(cell);
      if (!value) fail(index, row, cell_text(index, row) + " is no " + std::string(single(kind)));
      *out++ = *value;
    }
  }
  [[noreturn]] void fail_of_missing(std::size_t column, std::size_t row, CsvKind kind) const {
    fail(column, row,
         "nothing stands here, and no " + std::string(single(kind)) + " means that; " +
             type_option(column, "words") + " reads the column as words");
  }

  /// Times with and without a zone cannot be told apart once they are numbers.
  void require_one_clock(std::size_t column) const {
    const Counts& counts = counts_[column];
    std::size_t row = SIZE_MAX;
    for (CsvCellKind::Kind kind : {CsvCellKind::Date, CsvCellKind::Time})
      if (counts.count[kind] > 0) row = std::min(row, counts.first[kind]);
    if (counts.count[CsvCellKind::ZonedTime] == 0 || row == SIZE_MAX) return;
    fail(column, row, cell_text(column, row) + " says no zone, as other times of the column do");
  }

  /// Each cell is a number: the narrowest of i64, u64 and f64 that has them all exactly, as far as
  /// the cells are written exactly.
  void fill_numbers(CsvColumn& column, std::size_t index, bool is_stated) {
    const Counts& counts = counts_[index];
    if (is_stated && counts.numbers() < counts.filled()) fail_of_other(index, CsvKind::Numbers);
    if (counts.count[CsvCellKind::Grouped] > 0) {
      const std::size_t row = counts.first[CsvCellKind::Grouped];
      fail(index, row,
           cell_text(index, row) +
               " may be meant as a number: `--decimal` says which sign is before the fraction, " +
               type_option(index, "words") +
               " reads the column as words (signs between thousands "
               "are not read)");
    }
    if (counts.count[CsvCellKind::Huge] > 0) {
      const std::size_t row = counts.first[CsvCellKind::Huge];
      fail(index, row, cell_text(index, row) + " is larger or smaller than numbers of 64 bits are");
    }
    const bool floats =
        counts.count[CsvCellKind::Float] > 0 || column.missing > 0 || counts.filled() == 0;
    if (floats) {
      const std::size_t natural =
          counts.count[CsvCellKind::Unsigned] > 0 ? counts.first[CsvCellKind::Unsigned] : SIZE_MAX;
      if (const std::size_t row = std::min(counts.first_inexact, natural); row != SIZE_MAX)
        fail(index, row,
             cell_text(index, row) +
                 " has more digits than f64, which the column's other cells "
                 "need; " +
                 type_option(index, "f64") + " rounds it");
      return fill_stated(column, index, ElementType::F64);
    }
    if (counts.count[CsvCellKind::Unsigned] == 0)
      return fill_stated(column, index, ElementType::I64);
    if (counts.first_negative != SIZE_MAX)
      fail(index, counts.first[CsvCellKind::Unsigned],
           cell_text(index, counts.first[CsvCellKind::Unsigned]) +
               " does not fit into i64, which the column's negative numbers need; " +
               type_option(index, "f64") + " rounds it");
    fill_stated(column, index, ElementType::U64);
  }

  void fill_stated(CsvColumn& column, std::size_t index, ElementType element) {
    if (element == ElementType::Bool)
      return fill_each<bool>(column, index, CsvKind::Booleans, csv_boolean);
    with_cpp_type(element, [&]<typename T>() {
      if constexpr (!std::is_same_v<T, bool>) fill_as<T>(column, index);
    });
  }

  template <typename T>
  void fill_as(CsvColumn& column, std::size_t index) {
    T* out = allocate<T>(column);
    constexpr ElementType element = element_type_of<T>;
    SparsePoll poll;
    for (std::size_t row = begin_; row < lines_.size(); ++row) {
      poll();
      std::string_view cell = columns_[index][row];
      const bool missing = is_missing(cell);
      if constexpr (is_float(element)) {
        const std::optional<double> number =
            missing ? std::numeric_limits<double>::quiet_NaN() : csv_number(cell, table_.decimal);
        if (!number || (std::isfinite(*number) &&
                        !std::isfinite(static_cast<double>(static_cast<T>(*number)))))
          fail_of_type(index, row, element);
        *out++ = static_cast<T>(*number);
      } else {
        if (missing) fail_of_missing(index, row, CsvKind::Numbers);
        if (cell.starts_with('+')) cell.remove_prefix(1);
        T number{};
        const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
        if (error != std::errc{} || end != cell.data() + cell.size())
          fail_of_type(index, row, element);
        *out++ = number;
      }
    }
  }
  [[noreturn]] void fail_of_type(std::size_t column, std::size_t row, ElementType element) const {
    fail(column, row, cell_text(column, row) + " is no " + std::string(name(element)));
  }

  void fill_words(CsvColumn& column, std::size_t index) {
    std::int64_t* out = allocate<std::int64_t>(column);
    std::unordered_map<std::string_view, std::int64_t> known;
    SparsePoll poll;
    for (std::size_t row = begin_; row < lines_.size(); ++row) {
      poll();
      const std::string_view cell = columns_[index][row];
      const std::string_view word = is_missing(cell) ? std::string_view() : cell;
      const auto [found, is_new] = known.emplace(word, static_cast<std::int64_t>(known.size()));
      if (is_new) {
        if (word.ends_with('\0')) fail(index, row, "a word ends with a zero byte");
        column.words.emplace_back(word);
      }
      *out++ = found->second;
    }
  }

  const CsvOptions& options_;
  MemoryBudget& memory_;
  Representations& representations_;
  CsvTable table_;
  std::vector<Cells> columns_;
  std::vector<std::size_t> lines_; ///< where each row begins
  std::deque<std::string> quoted_;
  std::vector<Counts> counts_; ///< of each column, from the row `begin_` on
  std::size_t begin_ = 0;      ///< 1 behind a header
};

} // namespace

std::optional<CsvType> csv_type(std::string_view text) {
  if (text == "number") return CsvType{CsvKind::Numbers, {}};
  if (text == "date") return CsvType{CsvKind::Dates, {}};
  if (text == "time") return CsvType{CsvKind::Times, {}};
  if (text == "words") return CsvType{CsvKind::Words, {}};
  if (text == "codes") return CsvType{CsvKind::Codes, {}};
  if (text == "bool") return CsvType{CsvKind::Booleans, {}};
  for (ElementType element : all_element_types)
    if (text == name(element)) return CsvType{CsvKind::Numbers, element};
  return std::nullopt;
}

CsvTable read_csv(std::string_view bytes, const CsvOptions& options, MemoryBudget& memory,
                  Representations& representations) {
  return Reader(bytes, options, memory, representations).read();
}

} // namespace sinter
