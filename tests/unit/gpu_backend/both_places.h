// A function on a device and on the processor: the same bits.
#pragma once

#include "device_place.h"
#include "jit/ir/evaluate.h"
#include "jit/ir/parse.h"
#include "tests/generate/random.h"
#include "tests/unit/jit_runtime/ir_programs.h"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <string>
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
  CHECK(found[0] == found[1]);
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
