// A value with its floats changed, everything else as it is.
#pragma once

#include "lang/core/core.h"
#include "lang/values/elements.h"

#include <vector>

namespace sinter::eval {

/// The value with `change(element, scalar)` for each float in it, also for those that a function
/// closes over; arrays in fresh memory.
template <typename Change>
Value change_floats(MemoryBudget& memory, const Value& value, const Representation* type,
                    const Change& change) {
  switch (value.kind()) {
  case Value::Kind::Scalar:
    return is_float(type->scalar()) ? Value(change(type->scalar(), value.scalar())) : value;
  case Value::Kind::Array: {
    const ArrayObject& array = *value.array();
    ArrayRef result = ArrayRef::adopt(new ArrayObject);
    result->element = array.element;
    result->shape = array.shape;
    for (const Leaf& leaf : array.leaves) {
      if (!leaf.buffer || !is_float(leaf.element)) {
        result->leaves.push_back(leaf);
        continue;
      }
      Leaf changed = copy(memory, leaf); // row-major
      const std::int64_t count = element_count(changed.extents);
      for (std::int64_t i = changed.offset; i < changed.offset + count; ++i) {
        std::byte* data = changed.buffer->overwrite();
        store_scalar(leaf.element, data, i,
                     change(leaf.element, load_scalar(leaf.element, data, i)));
      }
      result->leaves.push_back(std::move(changed));
    }
    return result;
  }
  case Value::Kind::Record:
  case Value::Kind::Sum: {
    const bool is_sum = value.kind() == Value::Kind::Sum;
    std::vector<Value> fields;
    for (std::size_t i = 0; i < value.fields().size(); ++i)
      fields.push_back(change_floats(memory, value.fields()[i],
                                     is_sum ? type->sum().constructors[value.tag()].payload[i]
                                            : type->record().fields[i].type,
                                     change));
    return is_sum ? Value::sum(value.tag(), std::move(fields)) : Value::record(std::move(fields));
  }
  case Value::Kind::Function: {
    const FunctionObject<Concrete>& object = value.function();
    std::vector<Value> captures, arguments;
    for (std::size_t i = 0; i < object.captures.size(); ++i)
      captures.push_back(
          change_floats(memory, object.captures[i], object.function->capture_types[i], change));
    for (std::size_t i = 0; i < object.arguments.size(); ++i)
      arguments.push_back(
          change_floats(memory, object.arguments[i], object.function->parameters[i]->type, change));
    return Value::function(object.function, std::move(captures), std::move(arguments));
  }
  case Value::Kind::Nothing:
  case Value::Kind::Accumulator:
    break;
  }
  return value;
}

} // namespace sinter::eval
