#include "tests/differential/arguments.h"

#include "repl/data/value_source.h"

namespace sinter::differential {

std::vector<Value> arguments_of(repl::Session& session, const core::EntryPoint& entry,
                                const std::string& input) {
  repl::ValueSource source(input, session.memory(), session.representations());
  std::vector<Value> values;
  for (const core::EntryType& parameter : entry.parameters) {
    const Representation* type = parameter.representation;
    const bool is_array = type->is_array();
    const ElementType element = is_array ? type->array().element->scalar() : type->scalar();
    values.push_back(source.read(element, is_array ? type->array().rank : 0).value);
  }
  return values;
}

} // namespace sinter::differential
