// What simplification knows at a point of a function, and how its pieces answer: known_scalars.h,
// known_elements.h, views.h, joins.h, checks.h, branches.h and loop_state.h ask here, and note here
// what they find.  The walk (simplify.cpp) sees to what is forgotten at the end of a body.
#pragma once

#include "jit/ir/fold.h"
#include "jit/ir/ir.h"
#include "jit/passes/facts.h"
#include "jit/passes/rewrite.h"
#include "jit/passes/shared_values.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::jit {

/// What stands for an operation with one result, instead of it.
struct Simpler {
  std::variant<ir::Operand, ir::Operation> instead;
  std::vector<ir::Statement> before; ///< what that needs: to be simplified, and computed first
};

/// The elements of an array that are known without reading memory.
struct KnownElement {
  bool is_index = false; ///< each is its index
  ir::Operand value;     ///< else all are this
  ir::Operand at(const ir::Operand& index) const { return is_index ? index : value; }
};

struct Knowledge {
  explicit Knowledge(ir::Function& simplified)
      : function(simplified), aliases(simplified), facts(simplified) {}

  ir::Function& function;
  AliasClasses aliases;
  Facts facts;               ///< which conditions hold, and which sizes are equal
  Substitution substitution; ///< which values stand for others
  SharedValues shared;       ///< which values were computed already
  std::unordered_map<std::uint32_t, ir::Operation> definitions;    ///< by result
  std::unordered_map<std::uint32_t, KnownElement> element_of_each; ///< by array
  /// The elements of small arrays of one dimension, by array, where they are known one by one.
  std::unordered_map<std::uint32_t, std::vector<std::optional<ir::Operand>>> elements;

  /// From here on it is known by what the value is defined, until the function's end: a scalar
  /// operation, a view, or an array made of parts that stay as they are.
  void define(ir::ValueId value, ir::Operation operation) {
    definitions.insert_or_assign(value.index, std::move(operation));
  }
  /// The value's definition, if that is known and of this type.
  template <typename Wanted>
  const Wanted* definition(ir::ValueId value) const {
    const auto found = definitions.find(value.index);
    return found == definitions.end() ? nullptr : std::get_if<Wanted>(&found->second);
  }
  const ir::Primitive* primitive(const ir::Operand& operand) const {
    return operand.is_value() ? definition<ir::Primitive>(operand.value()) : nullptr;
  }
  /// What is known of the elements of an array, or null.
  const KnownElement* known_element(ir::ValueId array) const {
    const auto found = element_of_each.find(array.index);
    return found == element_of_each.end() ? nullptr : &found->second;
  }

  /// Whether the value is an array that is overwritten, or may share memory with one that is: it
  /// has to stay apart from others, and its elements from what they were.
  bool is_overwritten(ir::ValueId value) const {
    return !function.type(value).is_scalar() && aliases.is_consumed(value);
  }
  /// Whether an array may stand for another one, or for the rows inside of its `outer` dimensions,
  /// wherever that is seen: asked where that one is defined.
  bool has_same_extents(const ir::Operand& value, ir::ValueId array, std::size_t outer = 0) const;
};

/// Takes one element away.
template <typename T>
void erase_at(std::vector<T>& from, std::size_t position) {
  from.erase(from.begin() + static_cast<std::ptrdiff_t>(position));
}

} // namespace sinter::jit
