#include "tests/generate/ir/ir_outcome.h"

#include <cmath>

namespace sinter::generate {

namespace {

bool same(ElementType element, Scalar a, Scalar b) {
  if (a == b || !is_float(element)) return a == b;
  return with_cpp_type(element, [&]<typename T>() {
    return std::isnan(static_cast<double>(a.as<T>())) && std::isnan(static_cast<double>(b.as<T>()));
  });
}

bool same(const ir::Type& type, const ir::DenseValue& a, const ir::DenseValue& b) {
  if (type.is_scalar()) return same(type.element, std::get<Scalar>(a), std::get<Scalar>(b));
  const ir::DenseArray& left = std::get<ir::DenseArray>(a);
  const ir::DenseArray& right = std::get<ir::DenseArray>(b);
  if (left.extents != right.extents) return false;
  for (std::size_t i = 0; i < left.elements.size(); ++i)
    if (!same(type.element, left.elements[i], right.elements[i])) return false;
  return true;
}

} // namespace

bool same_outcome(const ir::Function& function, const ir::Evaluation& a, const ir::Evaluation& b) {
  if (a.index() != b.index()) return false;
  const auto* left = std::get_if<std::vector<ir::DenseValue>>(&a);
  if (!left) return true;
  const auto& right = std::get<std::vector<ir::DenseValue>>(b);
  for (std::size_t i = 0; i < left->size(); ++i)
    if (!same(function.type(function.body.results[i]), (*left)[i], right[i])) return false;
  return true;
}

} // namespace sinter::generate
