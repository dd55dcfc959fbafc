// Our declarations of the driver's functions, numbers and errors, against NVIDIA's where its header
// is installed.
#include "gpu/driver/driver.h"

#include <doctest/doctest.h>

#include <array>
#include <cstring>
#include <string>
#include <type_traits>

#if __has_include(<cuda.h>)
#include <cuda.h>
#define SINTER_HAS_CUDA_HEADER
#endif

#ifdef SINTER_HAS_CUDA_HEADER

using namespace sinter::gpu::driver;
using sinter::gpu::DeviceError;

namespace {

template <typename Type>
constexpr bool is_number = std::is_integral_v<Type> || std::is_enum_v<Type>;

/// Whether they are handed over in the same way, and mean the same kind of thing.
template <typename Ours, typename Theirs>
constexpr bool are_alike() {
  if constexpr (std::is_pointer_v<Ours> && std::is_pointer_v<Theirs>) {
    using OurTarget = std::remove_pointer_t<Ours>;
    using TheirTarget = std::remove_pointer_t<Theirs>;
    if constexpr (std::is_const_v<OurTarget> != std::is_const_v<TheirTarget>)
      return false;
    else if constexpr (std::is_class_v<OurTarget> || std::is_class_v<TheirTarget> ||
                       std::is_void_v<OurTarget> || std::is_void_v<TheirTarget>)
      return std::is_class_v<OurTarget> == std::is_class_v<TheirTarget> &&
             std::is_void_v<OurTarget> == std::is_void_v<TheirTarget>;
    else
      return are_alike<std::remove_const_t<OurTarget>, std::remove_const_t<TheirTarget>>();
  } else if constexpr (std::is_enum_v<Theirs>) {
    return is_number<Ours> && sizeof(Ours) == sizeof(Theirs);
  } else if constexpr (std::is_integral_v<Ours> && std::is_integral_v<Theirs>) {
    return sizeof(Ours) == sizeof(Theirs) && std::is_signed_v<Ours> == std::is_signed_v<Theirs>;
  } else {
    return false;
  }
}

template <typename Ours, typename Theirs>
struct SameSignature : std::false_type {};
template <typename... Ours, typename... Theirs>
struct SameSignature<Result (*)(Ours...), CUresult (*)(Theirs...)> {
  static constexpr bool value = [] {
    if constexpr (sizeof...(Ours) != sizeof...(Theirs))
      return false;
    else
      return (are_alike<Ours, Theirs>() && ...);
  }();
};

#define SINTER_TEXT_OF(name) #name
#define SINTER_EXPANDED_TEXT_OF(name) SINTER_TEXT_OF(name)

} // namespace

TEST_CASE("the driver's functions are declared as NVIDIA declares them") {
  int count = 0;
#define SINTER_DRIVER_FUNCTION(name, library_name, parameters)                                     \
  static_assert(SameSignature<Result(*) parameters, decltype(&::name)>::value, #library_name);     \
  CHECK(std::string(SINTER_EXPANDED_TEXT_OF(name)) == #library_name);                              \
  ++count;
#include "gpu/driver/driver_functions.def"
#undef SINTER_DRIVER_FUNCTION
  CHECK(count > 30);
  static_assert(!SameSignature<Result (*)(unsigned), CUresult (*)(std::size_t)>::value);
  static_assert(!SameSignature<Result (*)(int*), CUresult (*)(unsigned*)>::value);
  static_assert(!SameSignature<Result (*)(Context), CUresult (*)(CUcontext*)>::value);
}

TEST_CASE("numbers are those of NVIDIA's enumerations") {
  CHECK(device_multiprocessors == int{CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT});
  CHECK(device_memory_kilohertz == int{CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE});
  CHECK(device_memory_bus_bits == int{CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH});
  CHECK(device_capability_major == int{CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR});
  CHECK(device_capability_minor == int{CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR});
  CHECK(device_shared_bytes == int{CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN});
  CHECK(function_shared_bytes == int{CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES});
  CHECK(function_constant_bytes == int{CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES});
  CHECK(function_local_bytes == int{CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES});
  CHECK(function_registers == int{CU_FUNC_ATTRIBUTE_NUM_REGS});
  CHECK(function_most_dynamic_shared_bytes == int{CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES});
  CHECK(link_error_log == int{CU_JIT_ERROR_LOG_BUFFER});
  CHECK(link_error_log_bytes == int{CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES});
  CHECK(link_input_ptx == int{CU_JIT_INPUT_PTX});
  CHECK(stream_non_blocking == unsigned{CU_STREAM_NON_BLOCKING});
  CHECK(event_without_time == unsigned{CU_EVENT_DISABLE_TIMING});
}

TEST_CASE("errors have NVIDIA's numbers") {
#define SINTER_DRIVER_ERROR(number, name, kind)                                                    \
  CHECK(int{CUDA_ERROR_##name} == number);                                                         \
  CHECK(kind_of(number) == DeviceError::Kind::kind);
#include "gpu/driver/driver_errors.def"
#undef SINTER_DRIVER_ERROR
  CHECK(kind_of(CUDA_ERROR_CONTEXT_IS_DESTROYED) == DeviceError::Kind::Lost);
  CHECK(kind_of(CUDA_ERROR_UNKNOWN) == DeviceError::Kind::Lost);
}

#endif
