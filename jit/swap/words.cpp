#include "jit/swap/words.h"

namespace sinter::jit {

namespace {

std::string listed(const std::vector<Layout>& parts) {
  std::string text;
  for (const Layout& part : parts)
    text += (text.empty() ? "" : ", ") + describe(part);
  return text;
}

std::string name_of(const core::Function& function) {
  return function.name.empty() ? "a function without a name" : "function " + function.name;
}

} // namespace

std::string describe(const Layout& layout) {
  switch (layout.kind) {
  case Layout::Kind::Nothing:
    return "nothing";
  case Layout::Kind::Scalar:
    return std::string(name(layout.scalar));
  case Layout::Kind::Array:
    return print(layout.array);
  case Layout::Kind::Record:
    return "(" + listed(layout.parts) + ")";
  case Layout::Kind::Sum:
    return "constructor " + std::to_string(layout.tag) + " of a sum" +
           (layout.parts.empty() ? "" : ", with " + listed(layout.parts));
  case Layout::Kind::OpenSum:
    return "a sum";
  case Layout::Kind::Function:
    return name_of(*layout.function) +
           (layout.parts.empty() ? "" : " over " + listed(layout.parts));
  }
  __builtin_unreachable();
}

std::string difference(const RegionKey& first, const RegionKey& second) {
  if (first.is_unsafe != second.is_unsafe)
    return second.is_unsafe ? "there is an `#[unsafe]` around it now"
                            : "there is no `#[unsafe]` around it now";
  for (std::size_t i = 0; i < std::min(first.inputs.size(), second.inputs.size()); ++i) {
    if (first.inputs[i] == second.inputs[i]) continue;
    const std::string before = describe(first.inputs[i]), now = describe(second.inputs[i]);
    if (before == now) return "input " + std::to_string(i + 1) + " is another " + now;
    return "input " + std::to_string(i + 1) + " was " + before + ", and now is " + now;
  }
  return "its inputs are others";
}

} // namespace sinter::jit
