#include "lang/base/interruptible.h"
#include "lang/values/csv.h"
#include "lang/values/elements.h"
#include "lang/values/table.h"

#include <algorithm>

namespace sinter {

namespace {

std::string quoted_if_needed(const std::string& text, char delimiter) {
  const bool has_blanks = text.starts_with(' ') || text.ends_with(' ') || text.starts_with('\t') ||
                          text.ends_with('\t'); // which mean nothing in a cell without quotes
  if (!has_blanks && text.find_first_of(std::string("\"\n\r") + delimiter) == std::string::npos)
    return text;
  std::string quoted = "\"";
  for (char c : text)
    quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string number_cell(ElementType element, Scalar scalar) {
  std::string text = print(element, scalar, false);
  if (std::size_t dot = text.find(".nan"); dot != std::string::npos) return "nan";
  if (std::size_t dot = text.find(".inf"); dot != std::string::npos)
    return text.starts_with('-') ? "-inf" : "inf";
  return text;
}

[[noreturn]] void fail(const Representation* type) {
  throw FormatError("a value of type " + print(type) + " cannot be written as a table");
}

void add_field(std::vector<TableColumn>& columns, const std::string& name, ArrayRef values,
               const Representation* whole) {
  if (values->shape.size() != 1 || !values->element->is_scalar()) fail(whole);
  columns.push_back({name, std::move(values)});
}

/// The columns of a vector, of a record of columns, of an array of records.
void add_columns(std::vector<TableColumn>& columns, const std::string& name, const Value& value,
                 const Representation* type, const Representation* whole, const FieldOrder& order) {
  if (std::optional<Table> table = table_of(value, type, order)) {
    for (TableColumn& column : table->columns) {
      if (!column.values->element->is_scalar()) fail(whole);
      columns.push_back(std::move(column));
    }
    return;
  }
  if (type->is_record() && value.kind() == Value::Kind::Record) {
    const std::vector<FieldRepresentation>& fields = type->record().fields;
    for (std::size_t seen = 0; seen < fields.size(); ++seen) {
      const std::size_t i = order.field(seen);
      add_columns(columns, fields[i].name, value.fields()[i], fields[i].type, whole, order.part(i));
    }
    return;
  }
  if (!type->is_array() || type->array().rank != 1) fail(whole);
  if (!type->array().element->is_record()) return add_field(columns, name, value.array(), whole);
  const std::vector<FieldRepresentation>& fields = type->array().element->record().fields;
  for (std::size_t seen = 0; seen < fields.size(); ++seen) {
    const std::size_t i = order.part(0).field(seen);
    add_field(columns, fields[i].name, project(value.array(), static_cast<std::uint32_t>(i)),
              whole);
  }
}

/// A matrix has no names.
std::vector<TableColumn> columns_of(const Value& value, const Representation* type,
                                    const FieldOrder& order) {
  std::vector<TableColumn> columns;
  if (type->is_array() && type->array().rank == 2 && type->array().element->is_scalar()) {
    const ArrayRef transposed = transpose_view(value.array(), 0, 1);
    for (std::int64_t c = 0; c < value.array()->shape[1]; ++c)
      columns.push_back({"", index_view(transposed, {&c, 1})});
  } else {
    add_columns(columns, "", value, type, type, order);
  }
  return columns;
}

} // namespace

void write_csv(std::string& out, const Value& value, const Representation* type, char delimiter,
               const FieldOrder& order) {
  const std::vector<TableColumn> columns = columns_of(value, type, order);
  const bool named = std::ranges::any_of(columns, [](const TableColumn& column) {
    return !column.name.empty() && !(column.name[0] >= '0' && column.name[0] <= '9'); // a tuple's
  });
  if (named) {
    for (std::size_t c = 0; c < columns.size(); ++c)
      out +=
          (c > 0 ? std::string(1, delimiter) : "") + quoted_if_needed(columns[c].name, delimiter);
    out += '\n';
  }
  const std::int64_t rows = columns.empty() ? 0 : columns.front().values->shape[0];
  for (const TableColumn& column : columns)
    if (column.values->shape[0] != rows)
      throw FormatError("the columns of a table must be of one length, found " +
                        std::to_string(rows) + " and " + std::to_string(column.values->shape[0]));
  SparsePoll poll;
  for (std::int64_t r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      poll();
      if (c > 0) out += delimiter;
      const ArrayRef& values = columns[c].values;
      if (const std::optional<std::string> text = columns[c].text(r))
        out += quoted_if_needed(*text, delimiter);
      else
        out += number_cell(values->element->scalar(), get_element(values, r).scalar());
    }
    out += '\n';
  }
}

} // namespace sinter
