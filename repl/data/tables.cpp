#include "repl/data/tables.h"

#include "lang/base/interruptible.h"
#include "lang/base/text_width.h"
#include "lang/values/elements.h"
#include "lang/values/table.h"
#include "repl/data/identifiers.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace sinter::repl {

namespace {

std::string quoted(std::string_view text) {
  return "`" + std::string(text) + "`";
}

std::string delimiter_text(char delimiter) {
  if (delimiter == '\t') return "tabs";
  if (delimiter == ' ') return "blanks";
  return quoted(std::string_view(&delimiter, 1));
}

/// What was found of a table as a whole.
std::string found_text(const CsvTable& table) {
  std::string text = std::to_string(table.rows) + (table.rows == 1 ? " row" : " rows");
  if (table.delimiter != one_cell_a_line)
    text += ", cells between " + delimiter_text(table.delimiter);
  text += table.header_line ? ", names in line " + std::to_string(*table.header_line)
                            : ", no line of names";
  if (table.decimal != '.') text += ", fractions behind " + delimiter_text(table.decimal);
  return text;
}

/// A few words as they can be shown on a line.
std::string list(const std::vector<std::string>& words) {
  constexpr std::size_t most_words = 12, most_columns = 24;
  std::string text;
  for (std::size_t i = 0; i < std::min(words.size(), most_words); ++i) {
    std::string word;
    for (std::size_t at = 0; at < words[i].size();) {
      const Glyph glyph = glyph_at(words[i], at);
      word += glyph.is_printable ? words[i].substr(at, glyph.size) : "?";
      at += glyph.size;
    }
    const bool is_long = text_width(word) > most_columns;
    text += (i > 0 ? ", " : "") + std::string(fitting(word, most_columns)) + (is_long ? "…" : "");
  }
  return text + (words.size() > most_words ? ", …" : "");
}

/// What the values of a column stand for, where numbers alone do not tell.
std::string meaning(const CsvColumn& column) {
  const std::size_t count = column.words.size();
  const std::string words = std::to_string(count) + (count == 1 ? " word" : " words");
  switch (column.kind) {
  case CsvKind::Dates:
    return "dates, as " + std::string(unit_text(*column.unit));
  case CsvKind::Times:
    return "times, as " + std::string(unit_text(*column.unit));
  case CsvKind::Words:
    return words + ": " + list(column.words);
  case CsvKind::Codes:
    return "codes of " + words + ", from 0: " + list(column.words);
  default:
    break;
  }
  if (column.missing == 0) return "";
  return std::to_string(column.missing) + (column.missing == 1 ? " cell is" : " cells are") +
         " missing, as nan";
}

const Representation* type_of(const CsvColumn& column, Representations& representations) {
  return representations.array(1, representations.scalar(column.element));
}

/// The element type that has all columns' numbers exactly; none if they cannot be a matrix.
std::optional<ElementType> matrix_element(const std::vector<CsvColumn>& columns) {
  const CsvColumn& first = columns.front();
  const bool plain = std::ranges::all_of(columns, [](const CsvColumn& column) {
    return column.kind == CsvKind::Numbers || column.kind == CsvKind::Booleans;
  });
  if (!plain) return std::nullopt;
  if (std::ranges::all_of(columns, [&](const CsvColumn& c) { return c.element == first.element; }))
    return first.element;
  SparsePoll poll;
  constexpr std::int64_t most = std::int64_t{1} << 53; // integers up to here are floats
  for (const CsvColumn& column : columns) {
    if (column.element == ElementType::F64) continue;
    if (column.element != ElementType::I64) return std::nullopt;
    for (std::int64_t r = 0; r < column.values.array()->shape[0]; ++r) {
      poll();
      const auto cell = get_element(column.values.array(), r).scalar().as<std::int64_t>();
      if (cell > most || cell < -most) return std::nullopt;
    }
  }
  return ElementType::F64;
}

Data matrix_of(const CsvTable& table, ElementType element, MemoryBudget& memory,
               Representations& representations) {
  const Representation* scalar = representations.scalar(element);
  const auto rows = static_cast<std::int64_t>(table.rows);
  const auto width = static_cast<std::int64_t>(table.columns.size());
  ArrayRef matrix = allocate_array(memory, scalar, Extents{rows, width});
  SparsePoll poll;
  for (std::int64_t c = 0; c < width; ++c) {
    const CsvColumn& column = table.columns[static_cast<std::size_t>(c)];
    for (std::int64_t r = 0; r < rows; ++r) {
      poll();
      Scalar cell = get_element(column.values.array(), r).scalar();
      if (element != column.element) // integers among floats
        cell = Scalar::of(static_cast<double>(cell.as<std::int64_t>()));
      store_scalar(element, matrix->leaves[0].buffer->overwrite(), r * width + c, cell);
    }
  }
  return {Value(std::move(matrix)), representations.array(2, scalar)};
}

/// What the name of the field has at its end that says what a column's numbers mean; empty if there
/// is no such field.
std::string_view ending_of_meaning(const CsvColumn& column) {
  if (column.kind == CsvKind::Words) return words_ending;
  return column.unit ? unit_ending : "";
}

/// Names for columns that differ from each other, and from the fields that their words and units
/// get.
std::vector<std::string> field_names(const std::vector<CsvColumn>& columns) {
  std::set<std::string> taken;
  std::vector<std::string> names;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    const std::string wish = columns[c].name.empty() ? "column_" + std::to_string(c + 1)
                                                     : identifier_for(columns[c].name);
    const std::string ending(ending_of_meaning(columns[c]));
    std::string name = wish;
    for (int i = 2; taken.contains(name) || taken.contains(name + ending); ++i)
      name = wish + "_" + std::to_string(i);
    taken.insert(name);
    taken.insert(name + ending);
    names.push_back(std::move(name));
  }
  return names;
}

} // namespace

Data record_of(std::vector<std::pair<std::string, Data>> fields, Representations& representations) {
  std::set<std::string> taken;
  for (auto& [name, data] : fields) {
    const std::string wish = identifier_for(name);
    name = wish;
    for (int i = 2; !taken.insert(name).second; ++i)
      name = wish + "_" + std::to_string(i);
  }
  std::vector<std::uint32_t> sorted(fields.size()); // by bytes: the canonical order
  std::iota(sorted.begin(), sorted.end(), 0U);
  std::ranges::sort(sorted, {}, [&](std::uint32_t i) { return fields[i].first; });
  Data record;
  record.order.shown.resize(fields.size());
  std::vector<FieldRepresentation> types;
  std::vector<Value> values;
  for (std::uint32_t at = 0; at < sorted.size(); ++at) {
    auto& [name, data] = fields[sorted[at]];
    record.order.shown[sorted[at]] = at;
    types.push_back({name, data.type});
    values.push_back(std::move(data.value));
  }
  record.type = representations.record(types);
  record.value = Value::record(std::move(values));
  return record;
}

Data read_table(std::string_view bytes, const CsvOptions& options, MemoryBudget& memory,
                Representations& representations) {
  CsvOptions named = options;
  named.field_name = [](std::string_view text) { return identifier_for(text); };
  CsvTable table = read_csv(bytes, named, memory, representations);
  const std::string found = found_text(table);
  const bool is_named = table.header_line.has_value();
  const std::optional<ElementType> element =
      is_named ? std::nullopt : matrix_element(table.columns);
  Data data;
  std::vector<std::string> names;
  if (element && table.columns.size() > 1) {
    data = matrix_of(table, *element, memory, representations);
  } else if (element) {
    CsvColumn& column = table.columns.front();
    data = {column.values, type_of(column, representations)};
  } else {
    // (What a type can have: see types::WrittenSize.)
    constexpr std::size_t most_fields = 4000;
    const auto meanings = static_cast<std::size_t>(std::ranges::count_if(
        table.columns, [](const CsvColumn& column) { return !ending_of_meaning(column).empty(); }));
    if (table.columns.size() + meanings > most_fields)
      throw FormatError("the table has " + std::to_string(table.columns.size()) +
                        " named columns, a record has at most " + std::to_string(most_fields) +
                        "; with `--no-header --skip 1` numbers are read as a matrix");
    names = field_names(table.columns);
    std::vector<std::pair<std::string, Data>> fields;
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      CsvColumn& column = table.columns[c];
      fields.emplace_back(names[c], Data{column.values, type_of(column, representations)});
      const Representation* byte = representations.scalar(ElementType::U8);
      const std::string meaning = names[c] + std::string(ending_of_meaning(column));
      if (column.unit)
        fields.emplace_back(
            meaning, Data{Value(array_of_text(unit_text(*column.unit), memory, representations)),
                          representations.array(1, byte)});
      else if (column.kind == CsvKind::Words)
        fields.emplace_back(meaning,
                            Data{Value(array_of_words(column.words, memory, representations)),
                                 representations.array(2, byte)});
    }
    data = record_of(std::move(fields), representations);
  }
  data.remarks.push_back(found);
  constexpr std::size_t most_remarked = 20;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const CsvColumn& column = table.columns[c];
    std::string text = meaning(column);
    const bool is_spelled = std::ranges::any_of(
        column.name, [](char letter) { return static_cast<unsigned char>(letter) >= 0x80; });
    if (is_spelled)
      text = "the column " + quoted(list({column.name})) + (text.empty() ? "" : "; " + text);
    if (text.empty()) continue;
    if (data.remarks.size() > most_remarked) {
      data.remarks.push_back("…");
      break;
    }
    data.remarks.push_back((names.empty() ? "column " + std::to_string(c + 1) : quoted(names[c])) +
                           ": " + text);
  }
  return data;
}

} // namespace sinter::repl
