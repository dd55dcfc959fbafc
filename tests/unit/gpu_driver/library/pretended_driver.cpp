// A library with those functions of NVIDIA's driver that are used, without a GPU.
//
// As the driver does, it does work in streams when somebody waits for it, not before; a fault is
// told at whatever is called next, and then at every call.  It is stricter than the driver: memory
// of the host has to be pinned, and each call needs the thread's context.
#include "tests/unit/gpu_driver/library/machine.h"

#include "gpu/driver/driver_types.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <type_traits>
#include <vector>

using namespace sinter::gpu::driver;

namespace sinter::gpu::driver {

struct ContextObject {};
struct ModuleObject {
  std::uint64_t number = 0;
};
struct FunctionObject {
  ModuleObject* module = nullptr;
  std::string entry;
  std::size_t words = 0;
};
/// Work is done in order, by whoever waits for it.
struct StreamObject {
  bool is_urgent = false;
  std::mutex running;
  std::mutex mutex; ///< of what follows
  std::deque<std::function<Result()>> work;
  std::uint64_t begun = 0; ///< how much was ever put into `work`
  std::uint64_t done = 0;
};
struct EventObject {
  StreamObject* stream = nullptr;
  std::uint64_t after = 0;
};
struct LinkStateObject {
  char* log = nullptr;
  std::size_t log_bytes = 0;
  std::string text, made;
};

} // namespace sinter::gpu::driver

namespace {

using sinter::test::PretendedMachine;

constexpr Result invalid_value = 1, invalid_context = 201, invalid_ptx = 218, invalid_handle = 400;

/// Who does without a test: all is well until code is to run, which is a fault.
class LoneMachine final : public PretendedMachine {
public:
  Result begin(const char*) noexcept override { return 0; }
  void count_object(int) noexcept override {}
  unsigned device_count() const noexcept override { return 1; }
  Result allocate(std::size_t bytes, std::uint64_t& address) noexcept override {
    address = reinterpret_cast<std::uint64_t>(std::aligned_alloc(256, (bytes + 255) / 256 * 256));
    return address == 0 ? 2 : 0;
  }
  Result release(std::uint64_t address) noexcept override {
    std::free(reinterpret_cast<void*>(address));
    return 0;
  }
  Result copy_in(std::uint64_t target, const void* source, std::size_t bytes,
                 bool) noexcept override {
    std::memcpy(reinterpret_cast<void*>(target), source, bytes);
    return 0;
  }
  Result copy_out(void* target, std::uint64_t source, std::size_t bytes) noexcept override {
    std::memcpy(target, reinterpret_cast<const void*>(source), bytes);
    return 0;
  }
  Result copy_within(std::uint64_t target, std::uint64_t source,
                     std::size_t bytes) noexcept override {
    return copy_in(target, reinterpret_cast<const void*>(source), bytes, false);
  }
  Result fill(std::uint64_t target, std::uint64_t element, std::size_t element_bytes,
              std::size_t count) noexcept override {
    for (std::size_t i = 0; i < count; ++i)
      copy_in(target + i * element_bytes, &element, element_bytes, false);
    return 0;
  }
  Result assemble(const char* text, std::string& made) noexcept override {
    made = text;
    return 0;
  }
  Result load(const char*, std::uint64_t&) noexcept override { return 0; }
  void unload(std::uint64_t) noexcept override {}
  Result find(std::uint64_t, const char*, std::size_t& words) noexcept override {
    words = 0;
    return 0;
  }
  Result launch(std::uint64_t, const std::string&, const sinter::gpu::LaunchShape&,
                std::span<const std::uint64_t>) noexcept override {
    return 719;
  }
};

LoneMachine lone_machine;
PretendedMachine* machine = &lone_machine;
std::atomic<Result> lasting{0}; ///< what every call says from now on
ContextObject the_context;
thread_local int contexts_of_thread = 0;

std::mutex tables;
std::map<const std::byte*, std::size_t> pinned;
std::set<StreamObject*> streams;
std::map<ModuleObject*, std::deque<FunctionObject>> modules;

bool is_lasting(Result result) {
  return (result >= 700 && result < 800 && result != 701) || result == 999 || result == 214;
}

Result remembered(Result result) {
  if (is_lasting(result)) lasting = result;
  return result;
}

Result begin(const char* function) {
  if (const Result planted = machine->begin(function); planted != 0) return remembered(planted);
  return lasting;
}

/// The same for what needs a context.
Result begin_here(const char* function) {
  if (const Result result = begin(function); result != 0) return result;
  return contexts_of_thread > 0 ? 0 : invalid_context;
}

Result run_until(StreamObject& stream, std::uint64_t end) {
  const std::lock_guard lock(stream.running);
  for (;;) {
    std::function<Result()> next;
    {
      const std::lock_guard queue(stream.mutex);
      if (stream.done >= end || stream.work.empty()) return lasting;
      next = std::move(stream.work.front());
      stream.work.pop_front();
      ++stream.done;
    }
    if (lasting == 0) remembered(next());
  }
}

Result run_all() {
  std::vector<StreamObject*> all;
  {
    const std::lock_guard lock(tables);
    all.assign(streams.begin(), streams.end());
  }
  for (StreamObject* stream : all)
    run_until(*stream, UINT64_MAX);
  return lasting;
}

Result put(Stream stream, std::function<Result()> work) {
  if (!stream) return invalid_handle;
  const std::lock_guard lock(stream->mutex);
  stream->work.push_back(std::move(work));
  ++stream->begun;
  return 0;
}

bool is_pinned(const void* memory, std::size_t bytes) {
  const std::lock_guard lock(tables);
  const auto* const begin = static_cast<const std::byte*>(memory);
  auto found = pinned.upper_bound(begin);
  if (found == pinned.begin()) return false;
  --found;
  return begin + bytes <= found->first + found->second;
}

template <typename Object>
Result made(Object** place, Object* object) {
  machine->count_object(1);
  *place = object;
  return 0;
}

template <typename Object>
Result given_back(Object* object) {
  machine->count_object(-1);
  delete object;
  return lasting;
}

} // namespace

extern "C" {

void sinter_set_machine(PretendedMachine* given) {
  machine = given ? given : &lone_machine;
  lasting = 0;
}

Result cuInit(unsigned) {
  return begin("cuInit");
}
Result cuDriverGetVersion(int* version) {
  *version = 12020;
  return begin("cuDriverGetVersion");
}
Result cuGetErrorName(Result result, const char** name) {
  static thread_local std::string text;
  text = "CUDA_ERROR_" + std::to_string(result);
  *name = text.c_str();
  return 0;
}
Result cuGetErrorString(Result, const char** text) {
  *text = "pretended error";
  return 0;
}

Result cuDeviceGetCount(int* count) {
  *count = static_cast<int>(machine->device_count());
  return begin("cuDeviceGetCount");
}
Result cuDeviceGet(DeviceNumber* device, int number) {
  *device = number;
  return begin("cuDeviceGet");
}
Result cuDeviceGetName(char* name, int bytes, DeviceNumber) {
  std::strncpy(name, "Pretended GPU", static_cast<std::size_t>(bytes));
  return begin("cuDeviceGetName");
}
Result cuDeviceTotalMem_v2(std::size_t* bytes, DeviceNumber) {
  *bytes = std::size_t{64} << 20;
  return begin("cuDeviceTotalMem");
}
Result cuDeviceGetAttribute(int* value, DeviceAttribute attribute, DeviceNumber) {
  switch (attribute) {
  case device_multiprocessors:
    *value = 3;
    break;
  case device_memory_kilohertz:
    *value = 2'000'000;
    break;
  case device_memory_bus_bits:
    *value = 256;
    break;
  case device_capability_major:
    *value = 8;
    break;
  case device_capability_minor:
    *value = 6;
    break;
  case device_shared_bytes:
    *value = 48 << 10;
    break;
  case device_threads_of_multiprocessor:
    *value = 1536;
    break;
  case device_registers_of_multiprocessor:
    *value = 64 << 10;
    break;
  case device_shared_of_multiprocessor:
    *value = 100 << 10;
    break;
  default:
    return invalid_value;
  }
  return begin("cuDeviceGetAttribute");
}

Result cuDevicePrimaryCtxRetain(Context* context, DeviceNumber) {
  if (const Result result = begin("cuDevicePrimaryCtxRetain"); result != 0) return result;
  machine->count_object(1);
  *context = &the_context;
  return 0;
}
Result cuDevicePrimaryCtxRelease_v2(DeviceNumber) {
  machine->count_object(-1);
  return lasting;
}
Result cuCtxPushCurrent_v2(Context context) {
  if (const Result result = begin("cuCtxPushCurrent"); result != 0) return result;
  if (context != &the_context) return invalid_context;
  ++contexts_of_thread;
  return 0;
}
Result cuCtxPopCurrent_v2(Context* context) {
  if (contexts_of_thread == 0) return invalid_context;
  --contexts_of_thread;
  *context = &the_context;
  return lasting;
}
Result cuCtxSynchronize() {
  if (const Result result = begin_here("cuCtxSynchronize"); result != 0) return result;
  return run_all();
}

Result cuStreamCreate(Stream* stream, unsigned) {
  if (const Result result = begin_here("cuStreamCreate"); result != 0) return result;
  auto* const object = new StreamObject;
  const std::lock_guard lock(tables);
  object->is_urgent = !streams.empty();
  streams.insert(object);
  return made(stream, object);
}
Result cuStreamDestroy_v2(Stream stream) {
  run_until(*stream, UINT64_MAX);
  {
    const std::lock_guard lock(tables);
    streams.erase(stream);
  }
  return given_back(stream);
}
Result cuStreamSynchronize(Stream stream) {
  if (const Result result = begin_here("cuStreamSynchronize"); result != 0) return result;
  return run_until(*stream, UINT64_MAX);
}
Result cuEventCreate(Event* event, unsigned) {
  if (const Result result = begin_here("cuEventCreate"); result != 0) return result;
  return made(event, new EventObject);
}
Result cuEventDestroy_v2(Event event) {
  return given_back(event);
}
Result cuEventRecord(Event event, Stream stream) {
  if (const Result result = begin_here("cuEventRecord"); result != 0) return result;
  const std::lock_guard lock(stream->mutex);
  event->stream = stream;
  event->after = stream->begun;
  return 0;
}
Result cuEventSynchronize(Event event) {
  if (const Result result = begin_here("cuEventSynchronize"); result != 0) return result;
  return event->stream ? run_until(*event->stream, event->after) : 0;
}

Result cuMemAlloc_v2(DevicePointer* address, std::size_t bytes) {
  if (const Result result = begin_here("cuMemAlloc"); result != 0) return result;
  return machine->allocate(bytes, *address);
}
Result cuMemFree_v2(DevicePointer address) {
  // (It waits for all that runs, and takes what it is given also from who lost the device.)
  const Result result = begin_here("cuMemFree");
  run_all();
  const Result released = machine->release(address);
  return result != 0 ? result : released;
}
Result cuMemHostAlloc(void** memory, std::size_t bytes, unsigned) {
  if (const Result result = begin_here("cuMemHostAlloc"); result != 0) return result;
  *memory = std::malloc(bytes);
  machine->count_object(1);
  const std::lock_guard lock(tables);
  pinned.emplace(static_cast<const std::byte*>(*memory), bytes);
  return 0;
}
Result cuMemFreeHost(void* memory) {
  const std::lock_guard lock(tables);
  if (pinned.erase(static_cast<const std::byte*>(memory)) == 0) return invalid_value;
  std::free(memory);
  machine->count_object(-1);
  return lasting;
}
Result cuMemcpyHtoDAsync_v2(DevicePointer target, const void* source, std::size_t bytes,
                            Stream stream) {
  if (const Result result = begin_here("cuMemcpyHtoDAsync"); result != 0) return result;
  if (!is_pinned(source, bytes)) return invalid_value;
  return put(stream, [=] { return machine->copy_in(target, source, bytes, stream->is_urgent); });
}
Result cuMemcpyDtoHAsync_v2(void* target, DevicePointer source, std::size_t bytes, Stream stream) {
  if (const Result result = begin_here("cuMemcpyDtoHAsync"); result != 0) return result;
  if (!is_pinned(target, bytes)) return invalid_value;
  return put(stream, [=] { return machine->copy_out(target, source, bytes); });
}
Result cuMemcpyDtoDAsync_v2(DevicePointer target, DevicePointer source, std::size_t bytes,
                            Stream stream) {
  if (const Result result = begin_here("cuMemcpyDtoDAsync"); result != 0) return result;
  return put(stream, [=] { return machine->copy_within(target, source, bytes); });
}
Result cuMemsetD8Async(DevicePointer target, unsigned char element, std::size_t count,
                       Stream stream) {
  if (const Result result = begin_here("cuMemsetD8Async"); result != 0) return result;
  return put(stream, [=] { return machine->fill(target, element, 1, count); });
}
Result cuMemsetD16Async(DevicePointer target, unsigned short element, std::size_t count,
                        Stream stream) {
  if (const Result result = begin_here("cuMemsetD16Async"); result != 0) return result;
  return put(stream, [=] { return machine->fill(target, element, 2, count); });
}
Result cuMemsetD32Async(DevicePointer target, unsigned element, std::size_t count, Stream stream) {
  if (const Result result = begin_here("cuMemsetD32Async"); result != 0) return result;
  return put(stream, [=] { return machine->fill(target, element, 4, count); });
}

Result cuLinkCreate_v2(unsigned count, LinkOption* options, void** values, LinkState* state) {
  if (const Result result = begin_here("cuLinkCreate"); result != 0) return result;
  auto* const object = new LinkStateObject;
  for (unsigned i = 0; i < count; ++i) {
    if (options[i] == link_error_log) object->log = static_cast<char*>(values[i]);
    if (options[i] == link_error_log_bytes)
      object->log_bytes = reinterpret_cast<std::size_t>(values[i]);
  }
  return made(state, object);
}
Result cuLinkAddData_v2(LinkState state, LinkInput input, void* data, std::size_t bytes,
                        const char*, unsigned, LinkOption*, void**) {
  if (const Result result = begin_here("cuLinkAddData"); result != 0) return result;
  const auto* const text = static_cast<const char*>(data);
  if (input != link_input_ptx || bytes == 0 || text[bytes - 1] != '\0') return invalid_value;
  state->text = text;
  return 0;
}
Result cuLinkComplete(LinkState state, void** cubin, std::size_t* bytes) {
  if (const Result result = begin_here("cuLinkComplete"); result != 0) return result;
  const Result result = machine->assemble(state->text.c_str(), state->made);
  if (result != 0) {
    if (result == invalid_ptx && state->log_bytes > 0)
      std::strncpy(state->log, state->made.c_str(), state->log_bytes);
    return result;
  }
  *cubin = state->made.data();
  *bytes = state->made.size();
  return 0;
}
Result cuLinkDestroy(LinkState state) {
  return given_back(state);
}
Result cuModuleLoadData(Module* module, const void* image) {
  if (const Result result = begin_here("cuModuleLoadData"); result != 0) return result;
  std::uint64_t number = 0;
  if (const Result result = machine->load(static_cast<const char*>(image), number); result != 0)
    return result;
  auto* const object = new ModuleObject{number};
  const std::lock_guard lock(tables);
  modules[object];
  return made(module, object);
}
Result cuModuleUnload(Module module) {
  const std::lock_guard lock(tables);
  modules.erase(module);
  machine->unload(module->number);
  return given_back(module);
}
Result cuModuleGetFunction(Function* function, Module module, const char* name) {
  if (const Result result = begin_here("cuModuleGetFunction"); result != 0) return result;
  std::size_t words = 0;
  if (const Result result = machine->find(module->number, name, words); result != 0) return result;
  const std::lock_guard lock(tables);
  *function = &modules.at(module).emplace_back(FunctionObject{module, name, words});
  return 0;
}
Result cuFuncGetAttribute(int* value, FunctionAttribute attribute, Function) {
  *value = attribute == function_registers ? 32 : 0;
  return begin_here("cuFuncGetAttribute");
}
Result cuFuncSetAttribute(Function, FunctionAttribute, int) {
  return begin_here("cuFuncSetAttribute");
}
Result cuLaunchKernel(Function function, unsigned x, unsigned y, unsigned z, unsigned threads,
                      unsigned threads_y, unsigned threads_z, unsigned shared, Stream stream,
                      void** parameters, void** extra) {
  if (const Result result = begin_here("cuLaunchKernel"); result != 0) return result;
  if (threads_y != 1 || threads_z != 1 || extra) return invalid_value;
  std::vector<std::uint64_t> words(function->words);
  for (std::size_t i = 0; i < words.size(); ++i)
    std::memcpy(&words[i], parameters[i], sizeof words[i]);
  return put(stream, [=, words = std::move(words), module = function->module->number,
                      entry = function->entry] {
    return machine->launch(module, entry, {{x, y, z}, threads, shared}, words);
  });
}

} // extern "C"

/// They are as their callers think.
#define SINTER_DRIVER_FUNCTION(name, library_name, parameters)                                     \
  static_assert(std::is_same_v<decltype(&library_name), Result(*) parameters>);
#include "gpu/driver/driver_functions.def"
#undef SINTER_DRIVER_FUNCTION
