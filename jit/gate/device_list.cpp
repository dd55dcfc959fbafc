#include "jit/gate/device_list.h"

#include "lang/base/plugin.h"

#include <algorithm>

namespace sinter::jit {

DeviceList list_devices() {
  DeviceList result;
  reinterpret_cast<ListDevices>(sinter::open_plugin("sinter_jit_plugin", list_devices_name))(
      &result);
  return result;
}

std::optional<std::string> device_objection(const DeviceChoice& choice) {
  if (choice.kind != DeviceChoice::Kind::Gpu) return std::nullopt;
  const DeviceList list = list_devices();
  if (!list.no_gpu.empty()) return list.no_gpu;
  if (std::ranges::find(list.devices, choice, &DeviceDescription::choice) == list.devices.end())
    return "there is no GPU number " + std::to_string(choice.number) +
           " (`sinter devices` lists those there are)";
  return std::nullopt;
}

} // namespace sinter::jit
