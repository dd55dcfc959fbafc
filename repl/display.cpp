#include "repl/display.h"

#include "lang/values/elements.h"

#include <algorithm>
#include <vector>

namespace sinter::repl {

namespace {

bool is_tuple(const RecordRepresentation& record) {
  if (record.fields.size() == 1) return false;
  for (std::size_t i = 0; i < record.fields.size(); ++i)
    if (record.fields[i].name != std::to_string(i)) return false;
  return true;
}

/// Characters on the screen, as far as one can know them: code points.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t width) {
  std::size_t have = columns(text);
  return have < width ? std::string(width - have, ' ') + text : text;
}

/// Which indices of a dimension are shown; -1 stands for those left out.
std::vector<std::int64_t> shown_indices(std::int64_t extent, std::size_t limit) {
  std::vector<std::int64_t> indices;
  if (extent <= static_cast<std::int64_t>(limit)) {
    for (std::int64_t i = 0; i < extent; ++i)
      indices.push_back(i);
    return indices;
  }
  constexpr std::int64_t tail = 3;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(limit) - tail - 1; ++i)
    indices.push_back(i);
  indices.push_back(-1);
  for (std::int64_t i = extent - tail; i < extent; ++i)
    indices.push_back(i);
  return indices;
}

class Printer {
public:
  explicit Printer(const DisplayOptions& options) : options_(options) {}

  std::string print(const Value& value, const Representation* representation, std::size_t indent) {
    return std::visit([&](const auto& node) { return print_node(value, node, indent); },
                      representation->node);
  }

private:
  std::string print_node(const Value& value, const ScalarRepresentation& node, std::size_t) {
    return sinter::print(node.element, value.scalar(), false);
  }
  std::string print_node(const Value& value, const RecordRepresentation& node, std::size_t indent) {
    bool tuple = is_tuple(node);
    std::string text = tuple ? "(" : "{";
    for (std::size_t i = 0; i < node.fields.size(); ++i) {
      if (i > 0) text += ", ";
      if (!tuple) text += node.fields[i].name + " = ";
      text += print(value.fields()[i], node.fields[i].type, indent + 1);
    }
    return text + (tuple ? ")" : "}");
  }
  std::string print_node(const Value& value, const SumRepresentation& node, std::size_t indent) {
    const ConstructorRepresentation& constructor = node.constructors[value.tag()];
    std::string text = "#" + constructor.name;
    for (std::size_t i = 0; i < constructor.payload.size(); ++i) {
      std::string part = print(value.fields()[i], constructor.payload[i], indent + 1);
      bool compound = std::holds_alternative<SumRepresentation>(constructor.payload[i]->node) &&
                      part.find(' ') != std::string::npos;
      text += compound ? " (" + part + ")" : " " + part;
    }
    return text;
  }
  std::string print_node(const Value&, const FunctionRepresentation&, std::size_t) {
    return "<function>";
  }
  std::string print_node(const Value&, const AccumulatorRepresentation&, std::size_t) {
    return "<accumulator>";
  }
  std::string print_node(const Value& value, const ArrayRepresentation&, std::size_t indent) {
    const ArrayRef& array = value.array();
    if (array->shape.size() == 1) return print_vector(array, indent);
    std::vector<std::size_t> widths;
    std::string text;
    for (bool measuring : {true, false}) {
      text.clear();
      std::vector<std::int64_t> at;
      print_matrix(array, at, indent, widths, measuring, text);
    }
    return text;
  }

  /// One dimension: on a line if it fits, else filled lines.
  std::string print_vector(const ArrayRef& array, std::size_t indent) {
    std::vector<std::string> cells;
    for (std::int64_t i : shown_indices(array->shape[0], options_.max_elements))
      cells.push_back(i < 0 ? "…" : print(get_element(array, i), array->element, indent + 1));
    std::size_t total = 2;
    bool is_block = false;
    for (const std::string& cell : cells) {
      total += columns(cell) + 2;
      is_block = is_block || cell.find('\n') != std::string::npos;
    }
    bool scalars = array->element->is_scalar();
    if (!is_block && indent + total <= options_.width + 2) {
      std::string text = "[";
      for (std::size_t i = 0; i < cells.size(); ++i)
        text += (i > 0 ? ", " : "") + cells[i];
      return text + "]";
    }
    std::size_t width = 0;
    for (const std::string& cell : cells)
      width = std::max(width, columns(cell));
    std::string margin = "\n" + std::string(indent + 1, ' ');
    std::string text = "[";
    std::size_t column = indent + 1;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      std::string cell = scalars ? padded(cells[i], width) : cells[i];
      std::string separator = i + 1 < cells.size() ? "," : "]";
      if (i > 0) {
        bool breaks = !scalars || column + columns(cell) + 2 > options_.width;
        text += breaks ? margin : " ";
        column = breaks ? indent + 1 : column + 1;
      }
      text += cell + separator;
      column += columns(cell) + 1;
    }
    return text;
  }

  /// Two or more dimensions, columns aligned.  The first pass measures the columns, the second
  /// writes.
  void print_matrix(const ArrayRef& array, std::vector<std::int64_t>& at, std::size_t indent,
                    std::vector<std::size_t>& widths, bool measuring, std::string& text) {
    std::size_t depth = at.size();
    std::size_t rank = array->shape.size();
    bool innermost = depth + 1 == rank;
    auto indices =
        shown_indices(array->shape[depth], innermost ? options_.max_columns : options_.max_rows);
    text += "[";
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (innermost) {
        if (i > 0) text += ", ";
        std::string cell = "…";
        if (indices[i] >= 0) {
          at.push_back(indices[i]);
          cell = print(get_element(array, at), array->element, indent + depth + 1);
          at.pop_back();
        }
        if (measuring) {
          if (widths.size() <= i) widths.resize(i + 1);
          widths[i] = std::max(widths[i], columns(cell));
        } else
          text += padded(cell, widths[i]);
      } else {
        if (i > 0) text += ",\n" + std::string(indent + depth + 1, ' ');
        if (indices[i] < 0) {
          text += "…";
          continue;
        }
        at.push_back(indices[i]);
        print_matrix(array, at, indent, widths, measuring, text);
        at.pop_back();
      }
    }
    text += "]";
  }

  const DisplayOptions& options_;
};

/// The types of a record's or sum's parts may be unknown to the value where it is a function or an
/// abstract type: then the type speaks alone.
std::string with_sizes(const types::Type* type, const Value& value) {
  type = types::resolve(type);
  if (const auto* unique = std::get_if<types::UniqueType>(&type->node))
    return with_sizes(unique->inner, value);
  if (const auto* record = std::get_if<types::RecordType>(&type->node);
      record && value.kind() == Value::Kind::Record &&
      value.fields().size() == record->fields.size()) {
    bool tuple = record->fields.size() != 1;
    for (std::size_t i = 0; i < record->fields.size(); ++i)
      tuple = tuple && record->fields[i].name == std::to_string(i);
    std::string text = tuple ? "(" : "{";
    for (std::size_t i = 0; i < record->fields.size(); ++i) {
      if (i > 0) text += ", ";
      if (!tuple) text += std::string(record->fields[i].name) + ": ";
      text += with_sizes(record->fields[i].type, value.fields()[i]);
    }
    return text + (tuple ? ")" : "}");
  }
  if (std::holds_alternative<types::ArrayType>(type->node) && value.is_array()) {
    std::string text;
    const Extents& shape = value.array()->shape;
    std::size_t dimension = 0;
    while (const auto* array = std::get_if<types::ArrayType>(&type->node)) {
      if (dimension == shape.size()) break;
      text += "[" + std::to_string(shape[dimension++]) + "]";
      type = types::resolve(array->element);
    }
    std::string element = types::print(type);
    bool sum = std::holds_alternative<types::SumType>(type->node);
    return text + (sum ? "(" + element + ")" : element);
  }
  return types::print(type);
}

} // namespace

std::string type_text(const types::Type* type, const Value& value) {
  return with_sizes(type, value);
}

std::string display(const Value& value, const Representation* representation,
                    const DisplayOptions& options) {
  return Printer(options).print(value, representation, 0);
}

std::string display_result(std::string_view type, const Value& value,
                           const Representation* representation, const DisplayOptions& options) {
  std::string text = display(value, representation, options);
  std::string head = std::string(type) + ":";
  bool one_line =
      text.find('\n') == std::string::npos && columns(head) + 1 + columns(text) <= options.width;
  return head + (one_line ? " " : "\n") + text;
}

} // namespace sinter::repl
