// The JIT as a plugin: its only entries.  Everything of `lang` comes from the executable that opens
// it; LLVM and the rest of the JIT are inside and hidden.
#include "jit/cpu/object_cache.h"
#include "jit/gate/device_list.h"
#include "jit/gate/early_opening.h"
#include "jit/gate/ir_text.h"
#include "jit/ir/parse.h"
#include "jit/ir/print.h"
#include "jit/passes/pipeline.h"
#include "jit/runtime/backend.h"
#include "jit/runtime/places.h"
#include "jit/swap/swapper.h"

#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

using namespace sinter::jit;

namespace {

/// The host, and each device from when it is first asked for.
class PlacesByChoice {
public:
  Places of(const DeviceChoice& choice) {
    if (choice.kind == DeviceChoice::Kind::Cpu) return *host_;
    const std::lock_guard lock(mutex_);
    std::unique_ptr<Backend>& device = devices_[choice];
    try {
      if (!device) device = make_device_backend(choice, *host_);
    } catch (const std::runtime_error& error) {
      throw AbsentDevice(error.what());
    }
    return {{device.get(), host_.get()}, std::make_shared<const PlaceChooser>()};
  }

  /// Those of the devices.
  std::vector<std::string> remarks() {
    std::vector<std::string> result;
    const std::lock_guard lock(mutex_);
    for (const auto& [choice, device] : devices_)
      if (std::string remark = device ? device->remark() : std::string(); !remark.empty())
        result.push_back(std::move(remark));
    return result;
  }

private:
  std::unique_ptr<Backend> host_ = make_cpu_backend();
  std::mutex mutex_;
  std::map<DeviceChoice, std::unique_ptr<Backend>> devices_;
};

} // namespace

extern "C" [[gnu::visibility("default")]] HotSwap*
sinter_make_hot_swap(const SwapOptions* options, const SwapContext* context, const char** error) {
  try {
    const auto places = std::make_shared<PlacesByChoice>();
    const std::string refusal = object_cache_refusal();
    return new Swapper(
        *options, *context,
        [places](sinter::ir::Function function, const CompileOptions& options) {
          std::shared_ptr<Executable> executable =
              make_executable(std::move(function), places->of(options.device), options);
          if (!options.is_plan_only) executable->compile_all();
          return executable;
        },
        [places, refusal] {
          std::vector<std::string> remarks = places->remarks();
          if (!refusal.empty())
            remarks.push_back("compiled code is not kept: the cache " + refusal);
          return remarks;
        });
  } catch (const std::exception& caught) {
    static std::string message;
    message = caught.what();
    *error = message.c_str();
    return nullptr;
  }
}

extern "C" [[gnu::visibility("default")]] void sinter_warm_up(const SwapOptions* options) {
  try {
    make_cpu_backend()->warm_up({.tier = first_tier(*options)});
  } catch (const std::exception&) {
    // Whoever compiles will be told.
  }
}

extern "C" [[gnu::visibility("default")]] void sinter_list_devices(DeviceList* result) {
  *result = describe_devices();
}

extern "C" [[gnu::visibility("default")]] void
sinter_run_passes(const std::string* text, const PassOptions* options, IrText* result) {
  try {
    sinter::ir::Function function = sinter::ir::parse(*text);
    result->passes = optimise(function, *options, {}, host_passes());
    result->result = sinter::ir::print(function);
  } catch (const std::exception& caught) {
    result->error = caught.what();
  }
}
