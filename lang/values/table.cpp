#include "lang/values/table.h"

#include "lang/base/interruptible.h"
#include "lang/values/elements.h"

#include <algorithm>
#include <cstring>

namespace sinter {

namespace {

bool is_cell(const Representation* type) {
  if (type->is_scalar()) return true;
  return type->is_sum() &&
         std::ranges::all_of(type->sum().constructors, [](const ConstructorRepresentation& one) {
           return std::ranges::all_of(one.payload, is_cell);
         });
}

bool is_column(const Representation* type) {
  return type->is_array() && type->array().rank == 1 && is_cell(type->array().element);
}

bool holds_integers(const Representation* type) {
  return is_column(type) && type->array().element->is_scalar() &&
         is_integer(type->array().element->scalar());
}

std::string text_in(const ArrayRef& bytes) {
  std::string text;
  for (std::int64_t i = 0; i < bytes->shape[0]; ++i)
    text += static_cast<char>(get_element(bytes, i).scalar().as<std::uint8_t>());
  return text;
}

bool holds_bytes(const Representation* type, std::uint32_t rank) {
  return type->is_array() && type->array().rank == rank && type->array().element->is_scalar() &&
         type->array().element->scalar() == ElementType::U8;
}

/// The position of the field that says what the integers of another mean, a text or texts whose
/// name ends so; none if there is none.
std::optional<std::size_t> meaning_of(const RecordRepresentation& record, std::size_t field,
                                      std::string_view ending, std::uint32_t rank) {
  if (!holds_integers(record.fields[field].type)) return std::nullopt;
  const std::string name = record.fields[field].name + std::string(ending);
  for (std::size_t i = 0; i < record.fields.size(); ++i)
    if (record.fields[i].name == name && holds_bytes(record.fields[i].type, rank)) return i;
  return std::nullopt;
}
std::optional<std::size_t> words_of(const RecordRepresentation& record, std::size_t field) {
  return meaning_of(record, field, words_ending, 2);
}

struct Unit {
  std::size_t field;
  TimeUnit unit;
};
std::optional<Unit> unit_of(const Value& value, const RecordRepresentation& record,
                            std::size_t field) {
  const std::optional<std::size_t> found = meaning_of(record, field, unit_ending, 1);
  constexpr std::int64_t longest = 100;
  if (!found || value.fields()[*found].array()->shape[0] > longest) return std::nullopt;
  const std::optional<TimeUnit> unit = time_unit(text_in(value.fields()[*found].array()));
  return unit ? std::optional(Unit{*found, *unit}) : std::nullopt;
}

std::int64_t integer_at(const ArrayRef& values, std::int64_t row) {
  const Scalar number = get_element(values, row).scalar();
  return with_cpp_type(values->element->scalar(), [&]<typename T>() -> std::int64_t {
    return static_cast<std::int64_t>(number.as<T>()); // u64 beyond i64: negative
  });
}

} // namespace

std::optional<std::string> TableColumn::text(std::int64_t row) const {
  if (!words && !unit) return std::nullopt;
  const std::int64_t at = integer_at(values, row);
  if (unit) return time_text(*unit, at);
  if (at < 0 || at >= (*words)->shape[0]) return std::nullopt;
  std::string word = text_in(index_view(*words, {&at, 1}));
  word.erase(word.find_last_not_of('\0') + 1);
  return word;
}

std::optional<Table> table_of(const Value& value, const Representation* type,
                              const FieldOrder& order) {
  if (!type->is_record() || value.kind() != Value::Kind::Record) return std::nullopt;
  const RecordRepresentation& record = type->record();
  const std::size_t count = record.fields.size();
  if (count < 2 || is_tuple(record)) return std::nullopt;
  std::vector<std::optional<std::size_t>> words(count);
  std::vector<bool> are_meanings = unit_fields(value, record);
  for (std::size_t i = 0; i < count; ++i)
    if ((words[i] = words_of(record, i))) are_meanings[*words[i]] = true;
  Table table;
  for (std::size_t seen = 0; seen < count; ++seen) {
    const std::size_t i = order.field(seen);
    if (are_meanings[i]) continue;
    if (!is_column(record.fields[i].type)) return std::nullopt;
    const ArrayRef& values = value.fields()[i].array();
    if (table.columns.empty()) table.rows = values->shape[0];
    if (values->shape[0] != table.rows) return std::nullopt;
    TableColumn& column = table.columns.emplace_back(TableColumn{record.fields[i].name, values});
    if (words[i])
      column.words = value.fields()[*words[i]].array();
    else if (const std::optional<Unit> unit = unit_of(value, record, i))
      column.unit = unit->unit;
  }
  return table;
}

std::vector<bool> unit_fields(const Value& value, const RecordRepresentation& record) {
  std::vector<bool> units(record.fields.size());
  for (std::size_t i = 0; i < record.fields.size(); ++i)
    if (const std::optional<Unit> unit = unit_of(value, record, i)) units[unit->field] = true;
  return units;
}

ArrayRef array_of_text(std::string_view text, MemoryBudget& memory,
                       Representations& representations) {
  const Extents shape{static_cast<std::int64_t>(text.size())};
  ArrayRef array = allocate_array(memory, representations.scalar(ElementType::U8), shape);
  if (!text.empty()) std::memcpy(array->leaves[0].buffer->overwrite(), text.data(), text.size());
  return array;
}

ArrayRef array_of_words(const std::vector<std::string>& words, MemoryBudget& memory,
                        Representations& representations) {
  std::size_t longest = 0;
  for (const std::string& word : words)
    longest = std::max(longest, word.size());
  const Extents shape{static_cast<std::int64_t>(words.size()), static_cast<std::int64_t>(longest)};
  ArrayRef array = allocate_array(memory, representations.scalar(ElementType::U8), shape);
  auto* bytes = reinterpret_cast<char*>(array->leaves[0].buffer->overwrite());
  SparsePoll poll;
  for (const std::string& word : words) {
    poll();
    std::memset(bytes, 0, longest);
    std::memcpy(bytes, word.data(), word.size());
    bytes += longest;
  }
  return array;
}

} // namespace sinter
