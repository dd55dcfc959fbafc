#include "repl/comparing/scalars_of.h"

#include "lang/values/elements.h"
#include "lang/values/strided.h"

#include <algorithm>

namespace sinter::comparing {
namespace {

/// One step from a value to a part of it.
struct Step {
  const std::string* field = nullptr; ///< null: an element of an array
  std::int64_t index = 0;
};

bool has_no_scalars(const ArrayObject& array) {
  return std::ranges::all_of(
      array.leaves, [](const Leaf& leaf) { return !leaf.buffer || is_empty(leaf.extents); });
}

/// Goes through a value; `visit(element, scalar)` says whether to go on.
template <typename Visit, typename Structure>
class Walk {
public:
  Walk(Representations& representations, Visit visit, Structure structure)
      : representations_(representations), visit_(visit), structure_(structure) {}

  bool go(const Value& value, const Representation* type) {
    if (type->is_scalar()) return visit_(type->scalar(), value.scalar());
    if (type->is_array()) {
      const ArrayRef& array = value.array();
      for (std::int64_t extent : array->shape)
        structure_(extent);
      if (has_no_scalars(*array)) { // of such elements there may be any number
        for (const Leaf& leaf : array->leaves)
          std::ranges::for_each(leaf.extents, structure_);
        return true;
      }
      const Representation* element = indexed(representations_, type, 1);
      path.push_back({});
      for (std::int64_t i = 0; i < array->shape.front(); ++i) {
        path.back().index = i;
        if (!go(get_element(array, i), element)) return false;
      }
      path.pop_back();
      return true;
    }
    if (type->is_sum()) structure_(value.tag());
    for (std::size_t i = 0; i < value.fields().size(); ++i) {
      const bool is_sum = type->is_sum();
      const FieldRepresentation* field = is_sum ? nullptr : &type->record().fields[i];
      path.push_back({field ? &field->name : &type->sum().constructors[value.tag()].name, 0});
      if (!go(value.fields()[i],
              field ? field->type : type->sum().constructors[value.tag()].payload[i]))
        return false;
      path.pop_back();
    }
    return true;
  }

  std::vector<Step> path;

private:
  Representations& representations_;
  Visit visit_;
  Structure structure_;
};

} // namespace

ScalarsOf scalars_of(Representations& representations, const Value& value,
                     const Representation* type) {
  ScalarsOf result;
  Walk walk(
      representations,
      [&](ElementType element, Scalar scalar) {
        result.scalars.push_back({element, scalar});
        return true;
      },
      [&](std::int64_t size) { result.structure.push_back(size); });
  walk.go(value, type);
  return result;
}

std::string place_of(Representations& representations, const Value& value,
                     const Representation* type, std::size_t position) {
  std::size_t left = position;
  Walk walk(
      representations, [&](ElementType, Scalar) { return left-- > 0; }, [](std::int64_t) {});
  if (walk.go(value, type)) return {}; // there is no such scalar
  std::string text;
  bool is_in_brackets = false;
  for (const Step& step : walk.path) {
    if (step.field) {
      if (is_in_brackets) text += "]";
      is_in_brackets = false;
      text += "." + *step.field;
      continue;
    }
    text += is_in_brackets ? ", " : "[";
    is_in_brackets = true;
    text += std::to_string(step.index);
  }
  return is_in_brackets ? text + "]" : text;
}

} // namespace sinter::comparing
