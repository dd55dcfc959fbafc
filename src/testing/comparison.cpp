#include "src/testing/comparison.h"

#include "lang/values/elements.h"

#include <cmath>

namespace sinter::testing {

namespace {

double as_double(ElementType element, Scalar scalar) {
  return with_cpp_type(element, [&]<typename T>() { return static_cast<double>(scalar.as<T>()); });
}

Extents shape_of(const Value& value) {
  return value.is_array() ? value.array()->shape : Extents{};
}

std::string type_text(ElementType element, const Extents& shape) {
  return shape_text(shape) + std::string(name(element));
}

ElementType element_of(const TypedValue& value) {
  return value.representation->is_array() ? value.representation->array().element->scalar()
                                          : value.representation->scalar();
}

/// Visits all elements in row-major order with their indices.
template <typename Visit>
void for_each_element(const Value& value, const Extents& shape, Visit&& visit) {
  if (shape.empty()) return visit(Extents{}, value.scalar());
  for (std::int64_t extent : shape)
    if (extent == 0) return;
  Extents at(shape.size(), 0);
  while (true) {
    visit(at, get_element(value.array(), at).scalar());
    std::size_t dimension = shape.size();
    while (dimension > 0 && ++at[dimension - 1] == shape[dimension - 1])
      at[--dimension] = 0;
    if (dimension == 0) return;
  }
}

std::optional<std::string> difference(const TypedValue& expected, const TypedValue& found) {
  if (!found.representation->is_scalar() &&
      !(found.representation->is_array() && found.representation->array().element->is_scalar()))
    return "expected a value of type " + print(expected.representation) +
           ", found one of the opaque type " + print(found.representation);
  ElementType element = element_of(expected);
  Extents shape = shape_of(expected.value), found_shape = shape_of(found.value);
  if (element != element_of(found) || !(shape == found_shape))
    return "expected a value of type " + type_text(element, shape) + ", found " +
           type_text(element_of(found), found_shape);
  double largest = 0;
  if (is_float(element))
    for_each_element(expected.value, shape, [&](const Extents&, Scalar scalar) {
      double magnitude = std::fabs(as_double(element, scalar));
      if (std::isfinite(magnitude)) largest = std::max(largest, magnitude);
    });
  double tolerance = std::max(float_tolerance, float_tolerance * largest);
  std::optional<std::string> result;
  for_each_element(expected.value, shape, [&](const Extents& at, Scalar wanted) {
    if (result) return;
    Scalar got =
        shape.empty() ? found.value.scalar() : get_element(found.value.array(), at).scalar();
    bool agrees = wanted == got;
    if (!agrees && is_float(element)) {
      double a = as_double(element, wanted), b = as_double(element, got);
      agrees = a == b || (std::isnan(a) && std::isnan(b)) ||
               (std::isfinite(a) && std::isfinite(b) && std::fabs(a - b) <= tolerance);
    }
    if (agrees) return;
    std::string place;
    for (std::size_t i = 0; i < at.size(); ++i)
      place += (i == 0 ? " at [" : ", ") + std::to_string(at[i]);
    if (!at.empty()) place += "]";
    result = "expected " + sinter::print(element, wanted) + ", found " +
             sinter::print(element, got) + place;
  });
  return result;
}

} // namespace

std::optional<std::string> difference(const std::vector<TypedValue>& expected,
                                      const std::vector<TypedValue>& found) {
  if (expected.size() != found.size())
    return "expected " + std::to_string(expected.size()) + " values, found " +
           std::to_string(found.size());
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (auto text = difference(expected[i], found[i]))
      return expected.size() == 1 ? *text : "value " + std::to_string(i) + ": " + *text;
  return std::nullopt;
}

} // namespace sinter::testing
