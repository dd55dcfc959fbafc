#include "repl/display/field_order.h"

#include "lang/types/build.h"

#include <algorithm>

namespace sinter::repl {

namespace {

/// Types share their parts, so that written out one may have any number of them: nobody looks at
/// more than these.
constexpr std::size_t most_parts = 10'000;

class Finder {
public:
  FieldOrder find(const types::Type* type) {
    if (++parts_ > most_parts) return {};
    while (const auto* array = types::as<types::ArrayType>(type))
      if (type = array->element; !types::as<types::ArrayType>(type)) return of_parts({}, {type});
    if (const auto* record = types::as<types::RecordType>(type)) {
      std::vector<const types::Type*> fields;
      for (const types::Field& field : record->fields)
        fields.push_back(field.type);
      return of_parts(record->shown, fields);
    }
    if (const auto* sum = types::as<types::SumType>(type)) {
      std::vector<const types::Type*> payloads;
      for (const types::Constructor& constructor : sum->constructors)
        payloads.insert(payloads.end(), constructor.payload.begin(), constructor.payload.end());
      return of_parts({}, payloads);
    }
    return {};
  }

private:
  FieldOrder of_parts(std::vector<std::uint32_t> shown,
                      const std::vector<const types::Type*>& types) {
    FieldOrder order{std::move(shown), {}};
    for (const types::Type* type : types)
      order.parts.push_back(find(type));
    if (std::ranges::all_of(order.parts, &FieldOrder::is_canonical)) order.parts.clear();
    return order;
  }

  std::size_t parts_ = 0;
};

} // namespace

FieldOrder field_order(const types::Type* type) {
  return Finder().find(type);
}

} // namespace sinter::repl
