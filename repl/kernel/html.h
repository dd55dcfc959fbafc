// Values and explanations as HTML.  Everything that comes from a program or its data is escaped:
// no value, name or message can become an element, an attribute or a script.
#pragma once

#include "repl/display/display.h"

#include "jit/gate/hot_swap.h"
#include "lang/base/source_map.h"

#include <string>
#include <string_view>

namespace sinter::repl {

/// The text as HTML shows it, also between the quotes of an attribute.
std::string escaped(std::string_view text);

/// The type, then arrays, records and tuples as nested tables: long dimensions elided as `options`
/// say, an array of records and a record of columns with a column for each field, an array of more
/// than two dimensions as labelled planes.  Empty for what a line of text shows as well: scalars,
/// functions, `()`.
std::string value_html(std::string_view type, const Value& value,
                       const Representation* representation, const DisplayOptions& options,
                       const FieldOrder& order = {});

/// A part for each region that opens on a click, with kernels and intermediate code in parts of
/// their own.
std::string explanation_html(const SourceMap& sources, const jit::Report& report);

} // namespace sinter::repl
