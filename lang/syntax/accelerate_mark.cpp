#include "lang/syntax/accelerate_mark.h"

#include "lang/syntax/ast.h"

#include <array>
#include <cassert>
#include <optional>
#include <string_view>
#include <utility>

namespace sinter::syntax {

namespace {

using Device = AccelerateMark::Device;

constexpr std::array<std::pair<Device, std::string_view>, 3> devices = {
    {{Device::Cpu, "cpu"}, {Device::Gpu, "gpu"}, {Device::Any, "any"}}};
constexpr std::string_view preference = "prefer";

std::optional<Device> device_called(std::string_view name) {
  for (const auto& [device, text] : devices)
    if (text == name) return device;
  return std::nullopt;
}

} // namespace

std::string text(const AccelerateMark& mark) {
  std::string options;
  for (const auto& [device, name] : devices)
    if (device == mark.device && device != Device::Any) options = name;
  if (mark.is_preference) options += (options.empty() ? "" : ", ") + std::string(preference);
  return "#[" + std::string(accelerate_name) + (options.empty() ? "" : "(" + options + ")") + "]";
}

std::variant<AccelerateMark, WrongMark> read_accelerate_mark(const Attribute& attribute) {
  assert(attribute.name == accelerate_name);
  AccelerateMark mark;
  std::optional<Device> device;
  if (attribute.has_arguments && attribute.arguments.empty())
    return WrongMark{&attribute, "nothing stands between the parentheses of `#[accelerate()]`"};
  for (const Attribute& argument : attribute.arguments) {
    const std::string name(argument.name);
    const std::optional<Device> named =
        argument.has_arguments ? std::nullopt : device_called(argument.name);
    if (named) {
      if (device && *device == *named) return WrongMark{&argument, "`" + name + "` stands twice"};
      if (device)
        return WrongMark{&argument,
                         "a mark names one device, and `" + name + "` would be a second one"};
      device = mark.device = *named;
    } else if (name == preference && !argument.has_arguments) {
      if (mark.is_preference) return WrongMark{&argument, "`" + name + "` stands twice"};
      mark.is_preference = true;
    } else {
      return WrongMark{
          &argument,
          (name.empty() ? "this" : "`" + name + (argument.has_arguments ? "(…)" : "") + "`") +
              std::string(" is no option of `#[accelerate]`")};
    }
  }
  return mark;
}

} // namespace sinter::syntax
