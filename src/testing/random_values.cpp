#include "src/testing/random_values.h"

#include "lang/values/elements.h"

#include <cctype>
#include <charconv>

namespace sinter::testing {

namespace {

Scalar random_scalar(ElementType element, Random& random) {
  return with_cpp_type(element, [&]<typename T>() {
    if constexpr (std::is_same_v<T, bool>)
      return Scalar::of<bool>((random.next() >> 40 & 1) != 0);
    else if constexpr (std::is_integral_v<T>)
      return Scalar::of<T>(static_cast<T>(random.next()));
    else
      return Scalar::of<T>(static_cast<T>(random.unit()));
  });
}

Scalar small_scalar(ElementType element, std::int64_t magnitude, Random& random) {
  auto width = static_cast<std::uint64_t>(magnitude) * 2 + 1;
  std::int64_t integer = static_cast<std::int64_t>(random.next() % width) - magnitude;
  return with_cpp_type(element, [&]<typename T>() {
    if constexpr (std::is_same_v<T, bool>)
      return Scalar::of<bool>(integer % 2 != 0);
    else if constexpr (std::is_integral_v<T>)
      return Scalar::of<T>(static_cast<T>(std::is_signed_v<T> ? integer : std::abs(integer)));
    else
      return Scalar::of<T>(static_cast<T>(static_cast<double>(integer) + random.unit()));
  });
}

TypedValue random_array(repl::Session& session, ElementType element, const Extents& shape,
                        Random& random) {
  const Representation* scalar = session.representations().scalar(element);
  ArrayRef array = allocate_array(session.memory(), scalar, shape);
  std::int64_t count = element_count(shape);
  for (std::int64_t i = 0; i < count; ++i)
    store_scalar(element, array->leaves[0].buffer->overwrite(), i, random_scalar(element, random));
  auto rank = static_cast<std::uint32_t>(shape.size());
  return {Value(std::move(array)), session.representations().array(rank, scalar)};
}

} // namespace

std::vector<TypedValue> random_values(repl::Session& session, std::string_view types,
                                      Random& random) {
  std::vector<TypedValue> values;
  std::size_t at = 0;
  while (true) {
    at = types.find_first_not_of(" \t\r\n,", at);
    if (at == std::string_view::npos) return values;
    Extents shape;
    while (at < types.size() && types[at] == '[') {
      std::size_t close = types.find(']', at);
      std::string_view digits = types.substr(at + 1, close - at - 1);
      std::int64_t extent = -1;
      if (close != std::string_view::npos)
        std::from_chars(digits.data(), digits.data() + digits.size(), extent);
      if (extent < 0) throw FormatError("`random input`: expected a size in square brackets");
      shape.push_back(extent);
      at = close + 1;
    }
    std::size_t end = types.find_first_of(" \t\r\n,", at);
    std::string_view word = types.substr(at, end - at);
    at = std::min(end, types.size());
    if (std::optional<ElementType> element = element_type_named(word)) {
      if (shape.empty())
        values.push_back(
            {Value(random_scalar(*element, random)), session.representations().scalar(*element)});
      else
        values.push_back(random_array(session, *element, shape, random));
    } else if (shape.empty()) {
      ValueReader reader(word, session.memory(), session.representations());
      ExternalValue constant = reader.read();
      values.push_back({constant.value, session.representations().scalar(constant.element)});
    } else
      throw FormatError("`random input`: unknown type `" + std::string(word) + "`");
  }
}

Value random_value(repl::Session& session, const Representation* representation,
                   std::int64_t extent, std::int64_t magnitude, Random& random) {
  struct Visitor {
    repl::Session& session;
    const Representation* representation;
    std::int64_t extent, magnitude;
    Random& random;

    Value recurse(const Representation* part) {
      return random_value(session, part, extent, magnitude, random);
    }
    Value operator()(const ScalarRepresentation& node) {
      return Value(small_scalar(node.element, magnitude, random));
    }
    Value operator()(const ArrayRepresentation&) {
      const Representation* row = indexed(session.representations(), representation, 1);
      Extents known(extent_count(row), extent);
      ArrayBuilder builder(session.memory(), row, extent, known);
      for (std::int64_t i = 0; i < extent; ++i)
        builder.append(recurse(row));
      return Value(builder.finish());
    }
    Value operator()(const RecordRepresentation& node) {
      std::vector<Value> fields;
      for (const FieldRepresentation& field : node.fields)
        fields.push_back(recurse(field.type));
      return Value::record(std::move(fields));
    }
    Value operator()(const SumRepresentation& node) {
      auto tag = static_cast<std::uint32_t>(random.next() % node.constructors.size());
      std::vector<Value> payload;
      for (const Representation* part : node.constructors[tag].payload)
        payload.push_back(recurse(part));
      return Value::sum(tag, std::move(payload));
    }
    Value operator()(const FunctionRepresentation&) {
      throw FormatError("there are no random functions");
    }
    Value operator()(const AccumulatorRepresentation&) {
      throw FormatError("there are no random accumulators");
    }
  };
  return std::visit(Visitor{session, representation, extent, magnitude, random},
                    representation->node);
}

} // namespace sinter::testing
