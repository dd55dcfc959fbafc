#include "jit/reasons/reasons.h"

#include <cassert>

namespace sinter::jit {

std::span<const ReasonRow> all_reasons() {
  static constexpr ReasonRow rows[] = {
#define SINTER_REASON(Id, kind, name, words) {ReasonKind::kind, name, words},
#include "jit/reasons/reasons.def"
#undef SINTER_REASON
  };
  return rows;
}

const ReasonRow& row_of(Reason reason) {
  return all_reasons()[static_cast<std::size_t>(reason)];
}

std::string words(Reason reason, std::initializer_list<std::string> details) {
  std::string result;
  auto detail = details.begin();
  for (const char letter : row_of(reason).words) {
    if (letter != '%') {
      result += letter;
      continue;
    }
    assert(detail != details.end());
    result += *detail++;
  }
  assert(detail == details.end());
  return result;
}

} // namespace sinter::jit
