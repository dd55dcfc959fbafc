#include "lang/core/attributes.h"

namespace sinter::core {

namespace {

constexpr std::string_view texts[] = {
#define SINTER_ATTRIBUTE(Id, name) "#[" name "]",
#include "lang/core/attributes.def"
#undef SINTER_ATTRIBUTE
};

} // namespace

std::string_view text(Attribute attribute) { return texts[static_cast<std::size_t>(attribute)]; }

std::optional<Attribute> attribute_called(std::string_view name) {
  for (std::size_t i = 0; i < std::size(texts); ++i)
    if (texts[i].substr(2, texts[i].size() - 3) == name) return static_cast<Attribute>(i);
  return std::nullopt;
}

} // namespace sinter::core
