#include "repl/display/display.h"

#include "lang/base/unknown_names.h"
#include "lang/values/elements.h"
#include "lang/values/number_text.h"
#include "repl/display/table_display.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

namespace sinter::repl {

namespace {

constexpr std::string_view ellipsis = "…";
constexpr std::int64_t left_out = -1; ///< among indices: stands for those that are not shown
constexpr int array_digits = 6;       ///< of floats in arrays, if nobody asks for another number

/// Characters on the screen, as far as one can know them: code points.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

bool is_block(std::string_view text) {
  return text.find('\n') != std::string_view::npos;
}

std::string spaces(std::size_t count) {
  return std::string(count, ' ');
}

/// Which indices of a dimension are shown: all, or the first `head` and the last `tail`.
std::vector<std::int64_t> both_ends(std::int64_t extent, std::size_t head, std::size_t tail) {
  std::vector<std::int64_t> indices;
  if (extent <= 0) return indices;
  auto count = static_cast<std::size_t>(extent);
  bool whole = count <= head || count - head <= tail;
  for (std::size_t i = 0; i < (whole ? count : head); ++i)
    indices.push_back(static_cast<std::int64_t>(i));
  if (whole) return indices;
  indices.push_back(left_out);
  for (std::size_t i = count - tail; i < count; ++i)
    indices.push_back(static_cast<std::int64_t>(i));
  return indices;
}

/// At most `limit` of them, the ellipsis counted.
std::vector<std::int64_t> shown_indices(std::int64_t extent, std::size_t limit) {
  if (extent <= 0 || static_cast<std::size_t>(extent) <= limit) return both_ends(extent, limit, 0);
  std::size_t tail = limit >= 8 ? 3 : 1;
  return both_ends(extent, limit > tail + 2 ? limit - tail - 1 : 1, tail);
}

/// How wide the cells of a column are before their decimal points, and from there on.
struct ColumnWidth {
  std::size_t before = 0;
  std::size_t after = 0;

  static std::size_t point(std::string_view cell) { return std::min(cell.find('.'), cell.size()); }
  void include(std::string_view cell) {
    std::size_t point = ColumnWidth::point(cell);
    // Only a number's point is one to align at; other cells stand at the right.
    bool number = point < cell.size() && cell.find_first_of(" \"{(#[") == std::string_view::npos;
    if (!number) point = cell.size();
    before = std::max(before, columns(cell.substr(0, point)));
    after = std::max(after, cell.size() - point);
  }
  std::size_t total() const { return before + after; }
};

/// Writes values line by line, each construct knowing the column where it begins.
class Printer {
public:
  explicit Printer(const DisplayOptions& options) : options_(options) {}

  std::string print(const Value& value, const Representation* type, std::size_t indent,
                    const FieldOrder& order) {
    return std::visit([&](const auto& node) { return print_node(value, node, indent, order); },
                      type->node);
  }

private:
  // ---- scalars, records, sums -------------------------------------------------------------------

  std::string print_node(const Value& value, const ScalarRepresentation& node, std::size_t,
                         const FieldOrder&) {
    return number_text(node.element, value.scalar(), scalar_digits());
  }
  std::optional<int> scalar_digits() const {
    return options_.digits || exact_ ? options_.digits : array_digits;
  }

  /// On a line if that suffices, else a line for each field.
  std::string print_node(const Value& value, const RecordRepresentation& node, std::size_t indent,
                         const FieldOrder& order) {
    bool tuple = is_tuple(node);
    std::vector<std::string> parts;
    std::size_t total = 2;
    bool block = false;
    for (std::size_t seen = 0; seen < node.fields.size(); ++seen) {
      const std::size_t i = order.field(seen);
      std::string part = tuple ? "" : node.fields[i].name + " = ";
      part +=
          print(value.fields()[i], node.fields[i].type, indent + 1 + columns(part), order.part(i));
      total += columns(part) + 2;
      block = block || is_block(part);
      parts.push_back(std::move(part));
    }
    bool lines =
        array_depth_ == 0 && parts.size() > 1 && (block || indent + total > options_.width + 2);
    std::string text = tuple ? "(" : "{";
    for (std::size_t i = 0; i < parts.size(); ++i)
      text += (i == 0 ? "" : lines ? ",\n" + spaces(indent + 1) : ", ") + parts[i];
    return text + (tuple ? ")" : "}");
  }
  std::string print_node(const Value& value, const SumRepresentation& node, std::size_t indent,
                         const FieldOrder& order) {
    const ConstructorRepresentation& constructor = node.constructors[value.tag()];
    std::size_t before = 0; // payloads of the constructors before it
    for (std::size_t tag = 0; tag < value.tag(); ++tag)
      before += node.constructors[tag].payload.size();
    std::string text = "#" + constructor.name;
    std::size_t column = indent + columns(text);
    for (std::size_t i = 0; i < constructor.payload.size(); ++i) {
      std::string part =
          print(value.fields()[i], constructor.payload[i], column + 1, order.part(before + i));
      bool compound = constructor.payload[i]->is_sum() && part.find(' ') != std::string::npos &&
                      !is_block(part);
      text += compound ? " (" + part + ")" : " " + part;
      column = indent + columns(std::string_view(text).substr(text.rfind('\n') + 1));
    }
    return text;
  }
  std::string print_node(const Value&, const FunctionRepresentation&, std::size_t,
                         const FieldOrder&) {
    return "<function>";
  }
  std::string print_node(const Value&, const AccumulatorRepresentation&, std::size_t,
                         const FieldOrder&) {
    return "<accumulator>";
  }

  // ---- arrays -----------------------------------------------------------------------------------

  std::string print_node(const Value& value, const ArrayRepresentation&, std::size_t indent,
                         const FieldOrder& order) {
    const ArrayRef& array = value.array();
    const Extents& shape = array->shape;
    if (shape.size() == 1 && shape[0] == 0) return "[]";
    if (std::find(shape.begin(), shape.end(), 0) != shape.end())
      return "empty(" + shape_text(shape) + sinter::print(array->element) + ")";
    if (array_depth_ > 0) {
      const FieldOrder* outer = std::exchange(element_order_, &order.part(0));
      std::string text = print_flat(array);
      element_order_ = outer;
      return text;
    }
    ++array_depth_;
    const FieldOrder* outer = std::exchange(element_order_, &order.part(0));
    bool before = std::exchange(exact_, false);
    std::string text = shape.size() == 1   ? print_vector(array, indent)
                       : shape.size() == 2 ? print_matrix(array, indent, options_.max_rows)
                                           : print_planes(array, indent);
    --array_depth_;
    element_order_ = outer;
    exact_ = before;
    return text;
  }

  std::string cell(const ArrayRef& array, std::span<const std::int64_t> at) {
    return print(get_element(array, at), array->element, 0, *element_order_);
  }

  /// An array inside an element of another: on one line, a few of its elements.
  std::string print_flat(const ArrayRef& array) {
    bool all = options_.max_elements == SIZE_MAX;
    std::size_t limit = all ? SIZE_MAX : std::max<std::size_t>(options_.max_elements / 8, 4);
    if (array_depth_ > 2 && !all) limit = 3;
    ++array_depth_;
    std::string text = "[";
    for (std::int64_t i : shown_indices(array->shape[0], limit)) {
      if (text.size() > 1) text += ", ";
      if (i == left_out)
        text += ellipsis;
      else if (array->shape.size() == 1)
        text += cell(array, {&i, 1});
      else
        text += print_flat(index_view(array, {&i, 1}));
    }
    --array_depth_;
    return text + "]";
  }

  /// One dimension, on a line.
  std::string print_line(const ArrayRef& array) {
    std::string text = "[";
    for (std::int64_t i : shown_indices(array->shape[0], options_.max_elements)) {
      if (text.size() > 1) text += ", ";
      text += i == left_out ? std::string(ellipsis) : cell(array, {&i, 1});
    }
    return text + "]";
  }

  /// One dimension: on a line if it fits, else filled lines, or a line for each compound element.
  std::string print_vector(const ArrayRef& array, std::size_t indent) {
    std::vector<std::string> cells;
    bool scalars = array->element->is_scalar();
    for (bool exact : {true, false}) { // all digits are welcome where there is room for them
      exact_ = exact;
      if (std::string text = print_line(array); indent + columns(text) <= options_.width)
        return text;
    }
    for (std::int64_t i : shown_indices(array->shape[0], options_.max_elements)) {
      cells.push_back(i == left_out ? std::string(ellipsis) : cell(array, {&i, 1}));
    }
    if (!scalars && cells.size() > options_.max_rows) {
      std::vector<std::string> fewer;
      for (std::int64_t i :
           shown_indices(static_cast<std::int64_t>(cells.size()), options_.max_rows))
        fewer.push_back(i == left_out ? std::string(ellipsis)
                                      : std::move(cells[static_cast<std::size_t>(i)]));
      cells = std::move(fewer);
      std::erase_if(cells, [seen = false](const std::string& text) mutable {
        return text == ellipsis && std::exchange(seen, true);
      });
    }
    ColumnWidth width;
    for (const std::string& text : cells)
      if (text != ellipsis) width.include(text);
    std::string margin = "\n" + spaces(indent + 1);
    std::string text = "[";
    std::size_t column = indent + 1;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      bool last = i + 1 == cells.size();
      bool new_line = i > 0 && (!scalars || column + width.total() + 1 > options_.width);
      if (new_line) {
        while (text.ends_with(' '))
          text.pop_back();
        text += margin;
        column = indent + 1;
      }
      text += scalars ? aligned(cells[i], width, last ? "]" : ", ") : cells[i] + (last ? "]" : ",");
      column += width.total() + 2;
    }
    return text;
  }

  /// A cell in its column, with what separates it from the next one right behind it.
  static std::string aligned(std::string_view cell, const ColumnWidth& width,
                             std::string_view separator) {
    std::size_t point = ColumnWidth::point(cell);
    std::size_t before = columns(cell.substr(0, point));
    std::size_t after = cell.size() - point;
    if (cell == ellipsis || before > width.before) { // at the right
      std::size_t have = columns(cell);
      return spaces(width.total() > have ? width.total() - have : 0) + std::string(cell) +
             std::string(separator);
    }
    std::string text = spaces(width.before - before) + std::string(cell) + std::string(separator);
    if (separator != "]") text += spaces(width.after > after ? width.after - after : 0);
    return text;
  }

  /// Two dimensions: as many columns as the line has room for.
  std::string print_matrix(const ArrayRef& array, std::size_t indent, std::size_t max_rows) {
    std::vector<std::int64_t> rows = shown_indices(array->shape[0], max_rows);
    constexpr std::size_t tail = 3;
    // No cell is narrower than a character with its separator.
    std::size_t most = options_.width > SIZE_MAX / 2 ? SIZE_MAX / 2 : options_.width / 3 + 1;
    std::vector<std::int64_t> candidates = both_ends(array->shape[1], most, tail);
    std::vector<ColumnWidth> widths(candidates.size());
    for (std::size_t c = 0; c < candidates.size(); ++c)
      for (std::int64_t row : rows)
        if (row != left_out && candidates[c] != left_out)
          widths[c].include(cell(array, std::array{row, candidates[c]}));
    std::vector<std::size_t> shown = fitting(candidates, widths, indent, tail);
    std::string text = "[";
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (r > 0) text += ",\n" + spaces(indent + 1);
      if (rows[r] == left_out) {
        text += ellipsis;
        continue;
      }
      text += "[";
      for (std::size_t i = 0; i < shown.size(); ++i) {
        std::string_view separator = i + 1 == shown.size() ? "]" : ", ";
        std::size_t c = shown[i];
        if (c == SIZE_MAX)
          (text += ellipsis) += separator;
        else
          text += aligned(cell(array, std::array{rows[r], candidates[c]}), widths[c], separator);
      }
    }
    return text + "]";
  }

  /// The columns (positions among the candidates) that fit into a line, SIZE_MAX where some are
  /// left out.
  std::vector<std::size_t> fitting(const std::vector<std::int64_t>& candidates,
                                   const std::vector<ColumnWidth>& widths, std::size_t indent,
                                   std::size_t tail) const {
    std::size_t room = options_.width > indent + 4 ? options_.width - indent - 2 : 2;
    bool all = true;
    std::size_t total = 0;
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      all = all && candidates[c] != left_out;
      total += widths[c].total() + 2;
    }
    std::vector<std::size_t> shown;
    if (all && (total <= room + 2 || candidates.size() < 3)) {
      for (std::size_t c = 0; c < candidates.size(); ++c)
        shown.push_back(c);
      return shown;
    }
    std::size_t count = candidates.size();
    for (; tail > 1; --tail) { // fewer of the last columns if they leave no room for the first
      std::size_t used = widths[0].total() + 5;
      for (std::size_t c = count - tail; c < count; ++c)
        used += widths[c].total() + 2;
      if (used <= room + 2) break;
    }
    tail = std::min(tail, count - 2);
    std::size_t used = 3;
    for (std::size_t c = count - tail; c < count; ++c)
      used += widths[c].total() + 2;
    for (std::size_t c = 0; c + tail < count && candidates[c] != left_out; ++c) {
      used += widths[c].total() + 2;
      if (c > 0 && used > room + 2) break;
      shown.push_back(c);
    }
    shown.push_back(SIZE_MAX);
    for (std::size_t c = count - tail; c < count; ++c)
      shown.push_back(c);
    return shown;
  }

  /// Three dimensions and more: the matrices of the last two, each under the indices that lead to
  /// it.
  std::string print_planes(const ArrayRef& array, std::size_t indent) {
    std::span<const std::int64_t> shape = array->shape;
    std::span<const std::int64_t> outer = shape.first(shape.size() - 2);
    std::int64_t planes = element_count(outer);
    std::size_t lines = options_.max_rows > SIZE_MAX / 2 ? SIZE_MAX : options_.max_rows * 2;
    std::size_t rows = options_.max_rows;
    auto height = static_cast<std::size_t>(shape[shape.size() - 2]) + 1;
    bool fits = static_cast<std::size_t>(planes) <= lines / height;
    if (!fits) rows = std::max<std::size_t>(options_.max_rows / 2, 4);
    std::size_t most = fits ? SIZE_MAX : std::max<std::size_t>(lines / (rows + 1), 3);
    std::string margin = "\n" + spaces(indent);
    std::string text;
    for (std::int64_t plane : shown_indices(planes, most)) {
      if (!text.empty()) text += margin;
      if (plane == left_out) {
        text += ellipsis;
        continue;
      }
      std::vector<std::int64_t> at(outer.size());
      for (std::size_t d = outer.size(); d-- > 0; plane /= outer[d])
        at[d] = plane % outer[d];
      text += "[";
      for (std::size_t d = 0; d < at.size(); ++d)
        text += (d > 0 ? ", " : "") + std::to_string(at[d]);
      text += "]:" + margin + print_matrix(index_view(array, at), indent, rows);
    }
    return text;
  }

  const DisplayOptions& options_;
  int array_depth_ = 0;                       ///< arrays around what is printed
  const FieldOrder* element_order_ = nullptr; ///< of the array's elements, while one is printed
  bool exact_ = true; ///< floats have all their digits, if nobody asks for another number
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
    for (std::size_t seen = 0; seen < record->fields.size(); ++seen) {
      const std::size_t i = record->shown.empty() ? seen : record->shown[seen];
      if (seen > 0) text += ", ";
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
  return with_named_unknowns(types::print(type));
}

} // namespace

DisplayOptions DisplayOptions::everything(std::size_t width) {
  DisplayOptions options;
  options.width = width;
  options.max_elements = options.max_rows = SIZE_MAX;
  options.digits = 17;
  return options;
}

std::string number_text(ElementType element, Scalar scalar, std::optional<int> digits) {
  std::string exact = sinter::print(element, scalar, false);
  if (!digits || !is_float(element)) return exact;
  double value = with_cpp_type(
      element, [&]<typename T>() -> double { return static_cast<double>(scalar.as<T>()); });
  if (!std::isfinite(value)) return exact;
  // The shortest text is the best one as long as it has no more digits than asked for.
  std::string_view mantissa = std::string_view(exact).substr(0, exact.find('e'));
  std::size_t first = mantissa.find_first_of("123456789");
  if (first == std::string_view::npos) return exact;
  std::size_t last = mantissa.find_last_of("123456789");
  auto significant = std::count_if(mantissa.begin() + static_cast<std::ptrdiff_t>(first),
                                   mantissa.begin() + static_cast<std::ptrdiff_t>(last) + 1,
                                   [](char c) { return c >= '0' && c <= '9'; });
  if (significant <= *digits) return exact;
  char buffer[longest_scalar_text];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value,
                                    std::chars_format::scientific, *digits - 1);
  if (error != std::errc{}) return exact;
  double rounded = 0;
  std::from_chars(buffer, end, rounded);
  if (!std::isfinite(rounded)) return exact;
  if (std::abs(rounded) < std::pow(10.0, *digits)) // as an exact number looks
    return sinter::print(ElementType::F64, Scalar::of(rounded), false);
  // Zeros in place of unknown digits would lie.
  std::string text(buffer, end);
  std::size_t e = text.find('e');
  std::string power = text.substr(text.find_first_not_of("e+0", e));
  std::string digits_text = text.substr(0, e);
  if (digits_text.find('.') != std::string::npos)
    digits_text.erase(digits_text.find_last_not_of('0') + 1);
  if (digits_text.ends_with('.')) digits_text += '0';
  return digits_text + "e" + power;
}

std::size_t scalar_count(const Value& value) {
  if (value.is_array())
    return static_cast<std::size_t>(element_count(value.array()->shape)) *
           std::max<std::size_t>(value.array()->leaves.size(), 1);
  if (value.kind() != Value::Kind::Record && value.kind() != Value::Kind::Sum) return 1;
  std::size_t count = 0;
  for (const Value& field : value.fields())
    count += scalar_count(field);
  return count;
}

std::string type_text(const types::Type* type, const Value& value) {
  return with_sizes(type, value);
}

std::string type_text(const Representation* type, const Value& value, const FieldOrder& order) {
  if (type->is_record() && value.kind() == Value::Kind::Record) {
    const RecordRepresentation& record = type->record();
    bool tuple = is_tuple(record);
    std::string text = tuple ? "(" : "{";
    for (std::size_t seen = 0; seen < record.fields.size(); ++seen) {
      const std::size_t i = order.field(seen);
      text += (seen > 0 ? ", " : "") + (tuple ? "" : record.fields[i].name + ": ") +
              type_text(record.fields[i].type, value.fields()[i], order.part(i));
    }
    return text + (tuple ? ")" : "}");
  }
  if (!type->is_array() || !value.is_array()) return print(type);
  std::string element = print(type->array().element);
  bool sum = type->array().element->is_sum();
  return shape_text(value.array()->shape) + (sum ? "(" + element + ")" : element);
}

std::string display(const Value& value, const Representation* representation,
                    const DisplayOptions& options, const FieldOrder& order) {
  if (std::optional<Table> table = table_of(value, representation, order))
    return display_table(*table, options);
  return Printer(options).print(value, representation, 0, order);
}

std::string display_result(std::string_view type, const Value& value,
                           const Representation* representation, const DisplayOptions& options,
                           const FieldOrder& order) {
  std::string text = display(value, representation, options, order);
  std::string head = std::string(type) + ":";
  bool one_line = !is_block(text) && columns(head) + 1 + columns(text) <= options.width;
  return head + (one_line ? " " : "\n") + text;
}

} // namespace sinter::repl
