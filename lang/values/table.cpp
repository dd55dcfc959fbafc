#include "lang/values/table.h"

#include "lang/base/interruptible.h"
#include "lang/values/elements.h"

#include <algorithm>
#include <array>
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

bool holds_positions(const Representation* type) {
  return is_column(type) && type->array().element->is_scalar() &&
         is_integer(type->array().element->scalar());
}

bool holds_bytes(const Representation* type) {
  return type->is_array() && type->array().rank == 2 && type->array().element->is_scalar() &&
         type->array().element->scalar() == ElementType::U8;
}

/// The position of the field that has another's words; none if there is none.
std::optional<std::size_t> words_of(const RecordRepresentation& record, std::size_t field) {
  if (!holds_positions(record.fields[field].type)) return std::nullopt;
  const std::string name = record.fields[field].name + std::string(words_ending);
  for (std::size_t i = 0; i < record.fields.size(); ++i)
    if (record.fields[i].name == name && holds_bytes(record.fields[i].type)) return i;
  return std::nullopt;
}

} // namespace

std::optional<std::string> TableColumn::word(std::int64_t row) const {
  if (!words) return std::nullopt;
  const Scalar position = get_element(values, row).scalar();
  const auto at = with_cpp_type(values->element->scalar(), [&]<typename T>() -> std::int64_t {
    return static_cast<std::int64_t>(position.as<T>()); // u64 beyond i64: negative
  });
  if (at < 0 || at >= (*words)->shape[0]) return std::nullopt;
  std::string word;
  for (std::int64_t i = 0; i < (*words)->shape[1]; ++i)
    word += static_cast<char>(get_element(*words, std::array{at, i}).scalar().as<std::uint8_t>());
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
  std::vector<bool> are_words(count);
  for (std::size_t i = 0; i < count; ++i)
    if ((words[i] = words_of(record, i))) are_words[*words[i]] = true;
  Table table;
  for (std::size_t seen = 0; seen < count; ++seen) {
    const std::size_t i = order.field(seen);
    if (are_words[i]) continue;
    if (!is_column(record.fields[i].type)) return std::nullopt;
    const ArrayRef& values = value.fields()[i].array();
    if (table.columns.empty()) table.rows = values->shape[0];
    if (values->shape[0] != table.rows) return std::nullopt;
    TableColumn& column = table.columns.emplace_back(TableColumn{record.fields[i].name, values});
    if (words[i]) column.words = value.fields()[*words[i]].array();
  }
  return table;
}

ArrayRef array_of_words(const std::vector<std::string>& words, MemoryBudget& memory,
                        Representations& representations) {
  std::size_t longest = 0;
  for (const std::string& word : words)
    longest = std::max(longest, word.size());
  const Extents shape{static_cast<std::int64_t>(words.size()), static_cast<std::int64_t>(longest)};
  ArrayRef array = allocate_array(memory, representations.scalar(ElementType::U8), shape);
  auto* bytes = reinterpret_cast<char*>(array->leaves[0].buffer->data());
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
