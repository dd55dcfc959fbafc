#include "jit/swap/words.h"

#include "jit/reasons/reasons.h"

#include <iostream>

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

std::string describe(const Region& region) {
  static constexpr const char* states[] = {"waiting", "compiled", "rejected", "stalled"};
  std::string text = region.name + ", " + states[static_cast<std::size_t>(region.state())] +
                     ", over (" + listed(region.key.inputs) + "), since " + region.why;
  if (region.state() == Region::State::Rejected) text += "; " + region.rejection().reason;
  return text;
}

void dump(const Region& region) {
  std::cerr << describe(region) << '\n';
}

std::string difference(const RegionKey& first, const RegionKey& second) {
  if (first.is_unsafe != second.is_unsafe)
    return second.is_unsafe ? "there is an `#[unsafe]` around it now"
                            : "there is no `#[unsafe]` around it now";
  if (first.device != second.device) return "it is for `" + name(second.device) + "` now";
  for (std::size_t i = 0; i < std::min(first.inputs.size(), second.inputs.size()); ++i) {
    if (first.inputs[i] == second.inputs[i]) continue;
    const std::string before = describe(first.inputs[i]), now = describe(second.inputs[i]);
    if (before == now) return "input " + std::to_string(i + 1) + " is another " + now;
    return "input " + std::to_string(i + 1) + " was " + before + ", and now is " + now;
  }
  return "its inputs are others";
}

std::string reason_to_compile(const Situation& situation, const Site& site, const RegionKey& key,
                              const std::string& asked) {
  std::string again;
  if (!site.regions.empty())
    again = words(Reason::OtherInputs, {difference(site.regions.back()->key, key)});
  else if (site.evicted > 0)
    again = words(Reason::HadToMakeRoom);
  if (situation.attributes.mark()) return again + words(Reason::AcceleratedByAttribute);
  switch (situation.mode()) {
  case Mode::Jit:
    return again + words(Reason::ModeCompilesAll);
  case Mode::Mixed:
    return again + words(Reason::ModeCompilesByChance);
  case Mode::Interpret:
  case Mode::Auto:
    break;
  }
  if (!asked.empty()) return again + asked;
  return again + words(Reason::RanForLong, {milliseconds(site.interpreted.nanoseconds)});
}

std::string reason_to_interpret(const Situation& situation, const Site& site) {
  const Mode mode = situation.options.mode;
  if (mode == Mode::Interpret) return words(Reason::ModeCompilesNothing);
  if (site.evicted > 0) return words(Reason::CodeMadeRoom);
  if (mode != Mode::Auto) return words(Reason::NeverOffered);
  if (site.interpreted.runs > 0 &&
      site.interpreted.nanoseconds <
          static_cast<std::int64_t>(site.interpreted.runs) * launching_cost)
    return words(Reason::ShorterThanLaunch);
  return words(Reason::NotYetWorthIt,
               {milliseconds(site.interpreted.nanoseconds), milliseconds(compiling_cost)});
}

} // namespace sinter::jit
