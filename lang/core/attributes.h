// The attributes of expressions that mean something to the specialiser or to an evaluation.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sinter::core {

/// The rows of attributes.def.
enum class Attribute : std::uint8_t {
#define SINTER_ATTRIBUTE(Id, name) Id,
#include "lang/core/attributes.def"
#undef SINTER_ATTRIBUTE
};

/// The attribute of that name; none for one that means nothing here.
std::optional<Attribute> attribute_called(std::string_view name);
/// As it is written in the text, in brackets: "#[trace]".
std::string_view text(Attribute attribute);

} // namespace sinter::core
