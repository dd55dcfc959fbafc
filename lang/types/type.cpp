#include "lang/types/type.h"

namespace sinter::types {

const Type* resolve(const Type* type) {
  while (type) {
    const auto* meta = std::get_if<MetaType>(&type->node);
    if (!meta || !meta->link) break;
    type = meta->link;
  }
  return type;
}

const Size* resolve(const Size* size) {
  while (size) {
    const auto* meta = std::get_if<MetaSize>(&size->node);
    if (!meta || !meta->link) break;
    size = meta->link;
  }
  return size;
}

} // namespace sinter::types
