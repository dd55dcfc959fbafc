// What the type of a function that takes chunks says: `step : state -> [k]a -> (state, [l]b)`.
#pragma once

#include "lang/core/specialise.h"
#include "lang/values/extents.h"

#include <optional>
#include <string>

namespace sinter::repl {

/// A function that takes chunk after chunk.  Without a state it is `[k]a -> [l]b`; a result that is
/// the state alone has no elements.
struct Step {
  core::EntryPoint entry;
  const Representation* state = nullptr;   ///< null: there is none
  const Representation* chunk = nullptr;   ///< an array of scalars
  const Representation* results = nullptr; ///< an array of scalars; null: there are none
  Extents inner;                           ///< the shape of an element of a chunk

  ElementType element() const { return chunk->array().element->scalar(); }
  /// Of an element of a chunk.
  std::size_t element_bytes() const;
  /// "[1][28]f32": an element's type, for messages.
  std::string element_text() const;
};

/// `inner`: the shape of an element, if it was stated; else it is that of the parameter's type.
/// Throws FormatError, a sentence, where the function is none of that kind or the shape is not
/// known.
Step step_of(core::EntryPoint entry, const std::optional<Extents>& inner);

/// The type of the state as an expression can be ascribed it: sizes by name are left out.
std::string state_type_text(const Step& step);

} // namespace sinter::repl
