// sinter devices: where compiled code may run.
#include "jit/gate/device_list.h"
#include "lang/base/byte_text.h"
#include "src/command.h"
#include "src/options.h"

#include <algorithm>
#include <iostream>

namespace sinter {

namespace {

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(text.size(), width), ' ');
  return text;
}

std::string line_of(const jit::DeviceDescription& device, std::size_t width) {
  const unsigned capability = device.compute_capability;
  return padded("--device " + jit::name(device.choice), width) + "  " + device.name +
         ", compute capability " + std::to_string(capability / 10) + "." +
         std::to_string(capability % 10) + ", " + std::to_string(device.multiprocessors) +
         (device.multiprocessors == 1 ? " multiprocessor, " : " multiprocessors, ") +
         byte_text(device.memory_bytes) + "\n";
}

int run() {
  const jit::DeviceList list = jit::list_devices();
  std::size_t width = 0;
  for (const jit::DeviceDescription& device : list.devices)
    width = std::max(width, jit::name(device.choice).size() + 9);
  std::cout << padded("--device cpu", width) << "  the processor, with all its cores\n";
  for (const jit::DeviceDescription& device : list.devices)
    std::cout << line_of(device, width);
  if (!list.no_gpu.empty()) std::cout << list.no_gpu << "\n";
  return exit_success;
}

} // namespace

std::function<int()> define_devices(Options& command_line) {
  command_line.footer("Each line begins with the option that has compiled code run there.\n"
                      "`--device emulated:64M` pretends to have a device with so much memory.");
  return run;
}

} // namespace sinter
