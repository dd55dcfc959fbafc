// A function on a device and on the processor: the same bits, but for those of a NaN.
#pragma once

#include "device_place.h"
#include "jit/ir/evaluate.h"
#include "jit/ir/parse.h"
#include "tests/generate/ir/ir_outcome.h"
#include "tests/generate/random.h"
#include "tests/unit/jit_runtime/ir_programs.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace sinter::test {

using Element = std::function<Scalar(generate::Random&, std::int64_t)>;

inline ir::DenseValue array_of(ElementType element, std::vector<std::int64_t> extents,
                               generate::Random& random, const Element& make) {
  ir::DenseArray array;
  array.element = element;
  array.extents = std::move(extents);
  const std::int64_t count = element_count(array.extents);
  for (std::int64_t i = 0; i < count; ++i)
    array.elements.push_back(make(random, i));
  return array;
}

/// Of very different sizes, so that every change of the order shows.
inline Scalar any_float(generate::Random& random, std::int64_t) {
  const auto whole =
      static_cast<double>(static_cast<std::int64_t>(random.below(2'000'001)) - 1'000'000);
  return Scalar::of(
      static_cast<float>(whole / 3.0 * std::pow(2.0, static_cast<double>(random.below(20)))));
}
inline Element below(std::int64_t most) {
  return [most](generate::Random& random, std::int64_t) {
    return Scalar::of(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(most))));
  };
}

/// Whether two results of a function have the same bits; but a NaN may be any other one, since the
/// language leaves open which NaN an operation gives: an x86 processor's are negative and quiet,
/// those of NVIDIA's GPUs have all bits but the sign.
inline bool have_same_bits(const ir::Function& function, const std::vector<ir::DenseValue>& a,
                           const std::vector<ir::DenseValue>& b) {
  return a.size() == b.size() && generate::same_outcome(function, a, b);
}

/// What ran on the device, or what there is code of, is that.  Of a GPU this is not asked: which
/// way a kernel goes depends on the number of multiprocessors, and the expected ways are those of
/// the pretended device, which has one.
template <typename Steps>
void check_steps(const Steps& found, const std::type_identity_t<Steps>& expected,
                 const int line = __builtin_LINE()) { // (the caller's)
  if (is_gpu_under_test()) return;
  CAPTURE(line);
  CHECK(found == expected);
}

/// The processor's results and the device's are equal, and nothing went to the host.
inline void check_equal(const gpu::GpuBackend& backend, jit::Executable& on_device,
                        jit::Executable& on_host, const std::vector<ir::DenseValue>& arguments,
                        Arrangement arrangement) {
  std::vector<ir::DenseValue> found[2];
  for (const bool is_device : {false, true}) {
    jit::Executable& executable = is_device ? on_device : on_host;
    MemoryBudget memory;
    jit::RunContext context{.memory = &memory};
    const jit::Outcome outcome =
        executable.run(to_leaves(executable.function(), arguments, memory, arrangement), context);
    if (const auto* stopped = std::get_if<jit::Stopped>(&outcome))
      REQUIRE_MESSAGE(false, stopped->words);
    found[is_device ? 1 : 0] = from_leaves(std::get<std::vector<jit::Datum>>(outcome));
  }
  CHECK(have_same_bits(on_host.function(), found[0], found[1]));
  CHECK(backend.launches_by_host() == 0);
}

/// The results for the elements [begin, begin + n) of an array, which are a view of it.
inline std::vector<ir::DenseValue> of_slice(jit::Executable& executable,
                                            const ir::DenseValue& array, std::int64_t begin,
                                            std::int64_t n) {
  MemoryBudget memory;
  jit::RunContext context{.memory = &memory};
  const auto whole = static_cast<std::int64_t>(std::get<ir::DenseArray>(array).elements.size());
  std::vector<jit::Datum> arguments =
      to_leaves(executable.function(), {Scalar::of(whole), array}, memory, Arrangement::Dense);
  arguments[0] = Scalar::of(n);
  Leaf& leaf = std::get<Leaf>(arguments[1]);
  leaf.offset = begin;
  leaf.extents[0] = n;
  const jit::Outcome outcome = executable.run(std::move(arguments), context);
  REQUIRE(std::holds_alternative<std::vector<jit::Datum>>(outcome));
  return from_leaves(std::get<std::vector<jit::Datum>>(outcome));
}

/// The device's results for such a view are the processor's.
inline void check_slice(jit::Executable& on_device, jit::Executable& on_host,
                        const ir::DenseValue& array, std::int64_t begin, std::int64_t n) {
  CHECK(have_same_bits(on_host.function(), of_slice(on_host, array, begin, n),
                       of_slice(on_device, array, begin, n)));
}

/// Blocks run in an order by that seed, the more of them at once the greater it is.
inline gpu::EmulationOptions mixed_up(std::uint64_t seed) {
  gpu::EmulationOptions options;
  options.seed = seed;
  options.blocks_in_flight = 2 + static_cast<unsigned>(seed);
  return options;
}

/// Both ways of running a function.
struct Both {
  explicit Both(std::string_view text, const gpu::EmulationOptions& options = {})
      : emulated(options) {
    const ir::Function function = ir::parse(text);
    on_device = emulated.executable(function);
    on_host = jit::make_executable(function, host(), {});
  }
  void check(const std::vector<ir::DenseValue>& arguments,
             Arrangement arrangement = Arrangement::Dense) const {
    check_equal(*emulated.backend, *on_device, *on_host, arguments, arrangement);
    for (const auto& kernel : on_device->kernels(false))
      CHECK(kernel.refusals.empty());
  }
  /// The skeletons that kernels got, in order.
  std::vector<std::string> ways() const {
    std::vector<std::string> words;
    for (const auto& kernel : on_device->kernels(false))
      words.push_back(kernel.facts.way);
    return words;
  }
  DevicePlace emulated;
  std::shared_ptr<jit::Executable> on_device, on_host;
};

} // namespace sinter::test
