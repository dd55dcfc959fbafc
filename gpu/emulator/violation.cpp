#include "gpu/emulator/violation.h"

namespace sinter::gpu {

std::string_view name(ViolationKind kind) {
  switch (kind) {
  case ViolationKind::OutOfBounds:
    return "out of bounds";
  case ViolationKind::Misaligned:
    return "misaligned";
  case ViolationKind::Released:
    return "use after release";
  case ViolationKind::Uninitialised:
    return "uninitialised";
  case ViolationKind::Race:
    return "race";
  case ViolationKind::Divergence:
    return "divergence";
  case ViolationKind::Limit:
    return "limit";
  case ViolationKind::NoProgress:
    return "no progress";
  }
  return "";
}

} // namespace sinter::gpu
