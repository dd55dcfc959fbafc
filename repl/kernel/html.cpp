#include "repl/kernel/html.h"

#include "lang/values/elements.h"
#include "repl/display/table_display.h"

#include <algorithm>
#include <vector>

namespace sinter::repl {

namespace {

constexpr std::size_t elements_in_a_row = 10; ///< of an array with one dimension
constexpr std::size_t max_table_columns = 16; ///< of a matrix
constexpr std::size_t max_planes = 4;
constexpr std::size_t max_nested_rows = 6;
constexpr std::size_t max_depth = 4; ///< of tables in tables; what lies deeper is a line of text

constexpr int digits_in_arrays = 6; ///< of floats, unless one asks for others

constexpr std::string_view header_style = " style=\"text-align: right\"";
constexpr std::string_view text_style = " style=\"text-align: left\"";

/// Which indices of a dimension are shown, for at most `limit` places; -1 stands for those left
/// out.
std::vector<std::int64_t> shown_indices(std::int64_t extent, std::size_t limit) {
  const auto places = static_cast<std::int64_t>(limit);
  constexpr std::int64_t tail = 2;
  std::vector<std::int64_t> indices;
  const std::int64_t head = extent <= places ? extent : places - tail - 1;
  for (std::int64_t i = 0; i < head; ++i)
    indices.push_back(i);
  if (head == extent) return indices;
  indices.push_back(-1);
  for (std::int64_t i = extent - tail; i < extent; ++i)
    indices.push_back(i);
  return indices;
}

const RecordRepresentation* as_record(const Representation* representation) {
  return std::get_if<RecordRepresentation>(&representation->node);
}

/// Whether a line of text shows it as well as a table.
bool is_flat(const Representation* representation) {
  if (const auto* sum = std::get_if<SumRepresentation>(&representation->node))
    return std::all_of(sum->constructors.begin(), sum->constructors.end(), [](const auto& one) {
      return std::all_of(one.payload.begin(), one.payload.end(), is_flat);
    });
  if (const RecordRepresentation* record = as_record(representation)) return record->fields.empty();
  return !representation->is_array();
}

/// Rows of cells, written as they come.
class Table {
public:
  void begin_row() { html_ += "<tr>"; }
  void end_row() { html_ += "</tr>"; }
  void header(std::string_view text) { cell("th", header_style, escaped(text)); }
  void header_of_texts(std::string_view text) { cell("th", text_style, escaped(text)); }
  void number(std::string_view html) { cell("td", header_style, html); }
  void text(std::string_view html) { cell("td", text_style, html); }
  std::string finish() && { return "<table>" + std::move(html_) + "</table>"; }

private:
  void cell(std::string_view element, std::string_view style, std::string_view html) {
    html_ += "<" + std::string(element) + std::string(style) + ">" + std::string(html) + "</" +
             std::string(element) + ">";
  }
  std::string html_;
};

class Writer {
public:
  explicit Writer(const DisplayOptions& options) : options_(options) {}

  std::string write(const Value& value, const Representation* representation, std::size_t depth,
                    const FieldOrder& order) {
    if (is_flat(representation) || depth >= max_depth)
      return escaped(display(value, representation, options_, order));
    if (std::optional<sinter::Table> table = table_of(value, representation, order))
      return write_table(*table, depth);
    if (const RecordRepresentation* record = as_record(representation))
      return write_record(value, *record, depth, order);
    if (const auto* sum = std::get_if<SumRepresentation>(&representation->node))
      return write_sum(value, *sum, depth, order);
    return write_array(value.array(), depth, order.part(0));
  }

private:
  std::size_t row_limit(std::size_t depth) const {
    return depth == 0 ? std::max<std::size_t>(options_.max_rows, 4) : max_nested_rows;
  }

  /// An element of an array: floats have the digits of arrays.
  void cell(Table& table, const Value& value, const Representation* representation,
            std::size_t depth, const FieldOrder& order) {
    if (representation->is_scalar())
      table.number(escaped(number_text(representation->scalar(), value.scalar(),
                                       options_.digits.value_or(digits_in_arrays))));
    else
      table.text(write(value, representation, depth + 1, order));
  }

  /// Names, types, the first and the last rows.
  std::string write_table(const sinter::Table& columns, std::size_t depth) {
    Table table;
    auto row = [&](std::string_view number, auto&& write_cell) {
      table.begin_row();
      table.header(number);
      for (const TableColumn& column : columns.columns)
        write_cell(column);
      table.end_row();
    };
    row("", [&](const TableColumn& column) {
      is_aligned_right(column) ? table.header(column.name) : table.header_of_texts(column.name);
    });
    row("", [&](const TableColumn& column) {
      const std::string type = "<em>" + escaped(shown_type(column)) + "</em>";
      is_aligned_right(column) ? table.number(type) : table.text(type);
    });
    for (std::int64_t index : shown_rows(columns.rows, row_limit(depth)))
      row(index < 0 ? "⋮" : std::to_string(index), [&](const TableColumn& column) {
        const std::string text =
            index < 0 ? "⋮" : escaped(shown_cell(column, index, options_.digits));
        is_aligned_right(column) ? table.number(text) : table.text(text);
      });
    return std::move(table).finish();
  }

  std::string write_record(const Value& value, const RecordRepresentation& record,
                           std::size_t depth, const FieldOrder& order) {
    Table table;
    for (std::size_t seen = 0; seen < record.fields.size(); ++seen) {
      const std::size_t i = order.field(seen);
      table.begin_row();
      table.header(record.fields[i].name);
      table.text(write(value.fields()[i], record.fields[i].type, depth + 1, order.part(i)));
      table.end_row();
    }
    return std::move(table).finish();
  }

  std::string write_sum(const Value& value, const SumRepresentation& sum, std::size_t depth,
                        const FieldOrder& order) {
    const ConstructorRepresentation& constructor = sum.constructors[value.tag()];
    std::size_t before = 0; // payloads of the constructors before it
    for (std::size_t tag = 0; tag < value.tag(); ++tag)
      before += sum.constructors[tag].payload.size();
    Table table;
    table.begin_row();
    table.header("#" + constructor.name);
    for (std::size_t i = 0; i < constructor.payload.size(); ++i)
      table.text(
          write(value.fields()[i], constructor.payload[i], depth + 1, order.part(before + i)));
    table.end_row();
    return std::move(table).finish();
  }

  std::string write_array(const ArrayRef& array, std::size_t depth, const FieldOrder& order) {
    if (std::any_of(array->shape.begin(), array->shape.end(), [](auto n) { return n == 0; }))
      return "<em>empty</em>";
    if (array->shape.size() > 1) return write_planes(array, depth, order);
    if (const RecordRepresentation* record = as_record(array->element);
        record && !record->fields.empty())
      return write_records(array, *record, depth, order);
    if (!is_flat(array->element)) return write_column(array, depth, order);
    return write_run(array, depth, order);
  }

  /// A column for each field.
  std::string write_records(const ArrayRef& array, const RecordRepresentation& record,
                            std::size_t depth, const FieldOrder& order) {
    Table table;
    table.begin_row();
    table.header("");
    for (std::size_t seen = 0; seen < record.fields.size(); ++seen)
      table.header(record.fields[order.field(seen)].name);
    table.end_row();
    for (std::int64_t index : shown_indices(array->shape[0], row_limit(depth))) {
      table.begin_row();
      table.header(index < 0 ? "⋮" : std::to_string(index));
      const Value row = index < 0 ? Value() : get_element(array, index);
      for (std::size_t seen = 0; seen < record.fields.size(); ++seen)
        if (const std::size_t i = order.field(seen); index < 0)
          table.number("⋮");
        else
          cell(table, row.fields()[i], record.fields[i].type, depth, order.part(i));
      table.end_row();
    }
    return std::move(table).finish();
  }

  /// An element a row, for elements that are tables themselves.
  std::string write_column(const ArrayRef& array, std::size_t depth, const FieldOrder& order) {
    Table table;
    for (std::int64_t index : shown_indices(array->shape[0], row_limit(depth))) {
      table.begin_row();
      table.header(index < 0 ? "⋮" : std::to_string(index));
      table.text(index < 0 ? "⋮"
                           : write(get_element(array, index), array->element, depth + 1, order));
      table.end_row();
    }
    return std::move(table).finish();
  }

  /// Rows of ten elements, headed by the index of the first.
  std::string write_run(const ArrayRef& array, std::size_t depth, const FieldOrder& order) {
    constexpr auto width = static_cast<std::int64_t>(elements_in_a_row);
    const std::int64_t count = array->shape[0];
    Table table;
    table.begin_row();
    table.header("");
    for (std::int64_t i = 0; i < std::min(count, width); ++i)
      table.header(std::to_string(i));
    table.end_row();
    const std::size_t limit = std::max<std::size_t>(options_.max_elements / elements_in_a_row, 4);
    for (std::int64_t row : shown_indices((count + width - 1) / width, depth == 0 ? limit : 4)) {
      table.begin_row();
      table.header(row < 0 ? "⋮" : std::to_string(row * width));
      for (std::int64_t i = 0; i < width; ++i)
        if (row < 0 && i < count)
          table.number("⋮");
        else if (row >= 0 && row * width + i < count)
          cell(table, get_element(array, row * width + i), array->element, depth, order);
      table.end_row();
    }
    return std::move(table).finish();
  }

  /// The last two dimensions are tables; those before them label one each.
  std::string write_planes(const ArrayRef& array, std::size_t depth, const FieldOrder& order) {
    const std::size_t outer = array->shape.size() - 2;
    if (outer == 0) return write_plane(array, {}, depth, order);
    std::int64_t count = 1;
    for (std::size_t d = 0; d < outer; ++d)
      count *= array->shape[d];
    std::string html;
    for (std::int64_t number : shown_indices(count, max_planes)) {
      if (number < 0) {
        html += "<div>⋮</div>";
        continue;
      }
      std::vector<std::int64_t> at(outer);
      std::int64_t rest = number;
      for (std::size_t d = outer; d-- > 0; rest /= array->shape[d])
        at[d] = rest % array->shape[d];
      html += "<div>" + escaped(shape_text(at)) + "</div>" + write_plane(array, at, depth, order);
    }
    return html;
  }

  std::string write_plane(const ArrayRef& array, std::vector<std::int64_t> at, std::size_t depth,
                          const FieldOrder& order) {
    const std::size_t dimension = at.size();
    const auto rows = shown_indices(array->shape[dimension], row_limit(depth));
    const auto columns = shown_indices(array->shape[dimension + 1],
                                       depth == 0 ? max_table_columns : max_nested_rows);
    Table table;
    table.begin_row();
    table.header("");
    for (std::int64_t column : columns)
      table.header(column < 0 ? "…" : std::to_string(column));
    table.end_row();
    at.resize(dimension + 2);
    for (std::int64_t row : rows) {
      table.begin_row();
      table.header(row < 0 ? "⋮" : std::to_string(row));
      for (std::int64_t column : columns) {
        at[dimension] = row;
        at[dimension + 1] = column;
        if (row < 0 || column < 0)
          table.number(row >= 0 ? "…" : column >= 0 ? "⋮" : "⋱");
        else
          cell(table, get_element(array, at), array->element, depth, order);
      }
      table.end_row();
    }
    return std::move(table).finish();
  }

  const DisplayOptions& options_;
};

} // namespace

std::string escaped(std::string_view text) {
  std::string html;
  html.reserve(text.size());
  for (char c : text) {
    switch (c) {
    case '&':
      html += "&amp;";
      break;
    case '<':
      html += "&lt;";
      break;
    case '>':
      html += "&gt;";
      break;
    case '"':
      html += "&quot;";
      break;
    case '\'':
      html += "&#39;";
      break;
    default:
      html += c;
    }
  }
  return html;
}

std::string value_html(std::string_view type, const Value& value,
                       const Representation* representation, const DisplayOptions& options,
                       const FieldOrder& order) {
  if (is_flat(representation)) return {};
  return "<div><code>" + escaped(type) + "</code></div>" +
         Writer(options).write(value, representation, 0, order);
}

} // namespace sinter::repl
