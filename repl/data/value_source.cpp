#include "repl/data/value_source.h"

#include "lang/base/interruptible.h"
#include "lang/values/elements.h"
#include "lang/values/table.h"
#include "repl/data/raw_elements.h"

#include <utility>

namespace sinter::repl {

namespace {

std::string wanted_text(ElementType element, std::optional<std::uint32_t> rank) {
  std::string text;
  for (std::uint32_t i = 0; i < rank.value_or(0); ++i)
    text += "[]";
  return text + std::string(name(element));
}

/// Whether numbers of a table that are of one type may become those of another.
bool may_become(ElementType from, ElementType to) {
  if (from == to) return true;
  if (from == ElementType::Bool || to == ElementType::Bool) return false;
  return is_float(to) || is_integer(from);
}

template <typename From, typename To>
void require_range(From number, std::size_t row) {
  if constexpr (is_integer(element_type_of<From>) && is_integer(element_type_of<To>))
    if (!std::in_range<To>(number))
      throw FormatError("row " + std::to_string(row) + ": " + std::to_string(number) +
                        " does not fit into " + std::string(name(element_type_of<To>)));
}

/// The same numbers in another type; integers must be among its numbers.  Tables are dense.
ArrayRef converted(const ArrayRef& array, ElementType to, MemoryBudget& memory,
                   Representations& representations) {
  const ElementType from = array->element->scalar();
  if (from == to) return array;
  ArrayRef result = allocate_array(memory, representations.scalar(to), array->shape);
  const auto count = static_cast<std::size_t>(element_count(array->shape));
  with_cpp_type(from, [&]<typename From>() {
    with_cpp_type(to, [&]<typename To>() {
      const auto* in = reinterpret_cast<const From*>(array->leaves[0].buffer->contents());
      auto* out = reinterpret_cast<To*>(result->leaves[0].buffer->overwrite());
      SparsePoll poll;
      for (std::size_t i = 0; i < count; ++i) {
        poll();
        require_range<From, To>(in[i], i + 1);
        out[i] = static_cast<To>(in[i]);
      }
    });
  });
  return result;
}

} // namespace

ValueSource::ValueSource(FileContents contents, MemoryBudget& memory,
                         Representations& representations)
    : contents_(std::move(contents)), memory_(memory), representations_(representations),
      reader_(contents_.bytes(), memory, representations, contents_.file()),
      is_npy_(contents_.bytes().starts_with("\x93NUMPY")) {}

ValueSource::ValueSource(const std::string& path, const ReadOptions& options, MemoryBudget& memory,
                         Representations& representations)
    : ValueSource(repl::is_table(path, options) || repl::is_raw(path, options)
                      ? FileContents(std::string())
                      : FileContents::of(path),
                  memory, representations) {
  is_raw_ = repl::is_raw(path, options);
  if (is_raw_) {
    raw_ = read_raw(path, options.raw, memory, representations);
    return;
  }
  is_table_ = repl::is_table(path, options);
  if (!is_table_) return;
  Data data = read_data(path, options, memory, representations);
  if (data.value.is_array()) {
    columns_.push_back({"", data.value.array()});
    return;
  }
  const std::vector<FieldRepresentation>& fields = data.type->record().fields;
  const std::vector<bool> units = unit_fields(data.value, data.type->record());
  for (std::size_t seen = 0; seen < fields.size(); ++seen) {
    const std::size_t i = data.order.field(seen);
    if (units[i]) continue; // what a program has to know of its data
    columns_.push_back({fields[i].name, data.value.fields()[i].array()});
  }
}

bool ValueSource::at_end() {
  if (is_table_) return columns_.empty();
  if (is_raw_) return !raw_;
  return is_npy_ ? npy_is_read_ : reader_.at_end();
}

ExternalValue ValueSource::read_column(std::optional<ElementType> wanted,
                                       std::optional<std::uint32_t> rank) {
  if (columns_.empty()) throw FormatError("the table has no further column");
  const Column column = std::move(columns_.front());
  columns_.pop_front();
  const std::string place = column.name.empty() ? "" : "column `" + column.name + "`: ";
  const ArrayRef& values = column.values;
  const ElementType found = values->element->scalar();
  const ElementType element = wanted.value_or(found);
  const std::size_t dimensions = values->shape.size();
  if (rank.value_or(dimensions) != dimensions || !may_become(found, element))
    throw FormatError(place + "expected a value of type " +
                      wanted_text(element, rank.value_or(dimensions)) + ", found one of type " +
                      wanted_text(found, static_cast<std::uint32_t>(dimensions)));
  try {
    ArrayRef array = converted(values, element, memory_, representations_);
    ExternalValue value{.element = element, .shape = array->shape, .value = {}};
    value.value = std::move(array);
    return value;
  } catch (const FormatError& error) {
    throw FormatError(place + error.message);
  }
}

ExternalValue ValueSource::read(std::optional<ElementType> wanted,
                                std::optional<std::uint32_t> rank) {
  if (is_table_) return read_column(wanted, rank);
  if (is_raw_) {
    if (!raw_) throw FormatError("the file's elements have been read");
    require(*raw_, "the file of raw elements", wanted, rank);
    return *std::exchange(raw_, std::nullopt);
  }
  if (!is_npy_) return reader_.read(wanted, rank);
  npy_is_read_ = true;
  ExternalValue value = read_npy(contents_.bytes(), memory_, representations_, contents_.file());
  require(value, "the .npy file", wanted, rank);
  return value;
}

void ValueSource::require(const ExternalValue& value, std::string_view where,
                          std::optional<ElementType> wanted, std::optional<std::uint32_t> rank) {
  if ((wanted && *wanted != value.element) || (rank && *rank != value.shape.size()))
    throw FormatError("expected a value of type " +
                      wanted_text(wanted.value_or(value.element), rank) + ", found " +
                      value.type_text() + " in " + std::string(where));
}

} // namespace sinter::repl
