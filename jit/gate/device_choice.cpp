#include "jit/gate/device_choice.h"

#include "lang/base/byte_text.h"

#include <array>
#include <charconv>

namespace sinter::jit {

namespace {

using Kind = DeviceChoice::Kind;

constexpr std::array<std::pair<Kind, std::string_view>, 3> kinds = {
    {{Kind::Cpu, "cpu"}, {Kind::Gpu, "gpu"}, {Kind::Emulated, "emulated"}}};

/// What stands behind the colon; whether it is right.
bool read_detail(std::string_view text, DeviceChoice& choice) {
  switch (choice.kind) {
  case Kind::Cpu:
    return false;
  case Kind::Gpu: {
    const char* const end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, choice.number);
    return error == std::errc() && read == end;
  }
  case Kind::Emulated: {
    const std::optional<std::size_t> bytes = parse_byte_text(text);
    if (bytes) choice.memory_bytes = *bytes;
    return bytes.has_value();
  }
  }
  __builtin_unreachable();
}

} // namespace

DeviceChoice device_for(const syntax::AccelerateMark& mark, const DeviceChoice& session) {
  using Device = syntax::AccelerateMark::Device;
  switch (mark.device) {
  case Device::Any:
    return session;
  case Device::Cpu:
    return {};
  case Device::Gpu:
    return session.kind == Kind::Cpu ? DeviceChoice{.kind = Kind::Gpu} : session;
  }
  __builtin_unreachable();
}

std::string name(const DeviceChoice& choice) {
  std::string result;
  for (const auto& [kind, text] : kinds)
    if (kind == choice.kind) result = text;
  if (choice.number != 0) result += ":" + std::to_string(choice.number);
  if (choice.memory_bytes != DeviceChoice::usual_memory_bytes)
    result += ":" + exact_byte_text(choice.memory_bytes);
  return result;
}

std::optional<DeviceChoice> device_choice_of(std::string_view name) {
  const std::size_t colon = name.find(':');
  for (const auto& [kind, text] : kinds) {
    if (name.substr(0, colon) != text) continue;
    DeviceChoice choice{.kind = kind};
    if (colon == std::string_view::npos || read_detail(name.substr(colon + 1), choice))
      return choice;
  }
  return std::nullopt;
}

} // namespace sinter::jit
