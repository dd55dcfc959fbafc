#include "lang/types/type.h"

namespace sinter::types {

const Type* resolve(const Type* type) {
  while (type) {
    const auto* meta = std::get_if<MetaType>(&type->node);
    if (!meta || !meta->link) break;
    // Chains become half as long with each walk: a record that is found field by field makes one
    // link a field.
    if (const auto* next = std::get_if<MetaType>(&meta->link->node); next && next->link)
      meta->link = next->link;
    type = meta->link;
  }
  return type;
}

} // namespace sinter::types
