// What tests of launches share: functions from text, and arrays.
#pragma once

#include "jit/runtime/leaf_operations.h"
#include "lang/values/strided.h"
#include "tests/unit/jit_cpu_launch/cpu_backend.h"
#include "tests/unit/jit_runtime/ir_programs.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace sinter::test {

inline std::shared_ptr<jit::Executable> compile(std::string_view text,
                                                const jit::CompileOptions& options = {}) {
  return jit::make_executable(ir::parse(text), backend(), options);
}

/// Of the programs there are.
inline std::string_view text_of(std::string_view name) {
  for (const IrProgram& program : ir_programs)
    if (program.name == name) return program.text;
  FAIL("no such program");
  return {};
}

inline std::vector<jit::Datum> results_of(jit::Outcome outcome) {
  REQUIRE(std::holds_alternative<std::vector<jit::Datum>>(outcome));
  return std::move(std::get<std::vector<jit::Datum>>(outcome));
}

/// An array whose element i is `value(i)`.
Leaf filled(MemoryBudget& memory, std::int64_t n, auto&& value) {
  using T = decltype(value(std::int64_t{}));
  Leaf leaf = jit::allocate_leaf(memory, element_type_of<T>, {n});
  auto* data = reinterpret_cast<T*>(leaf.buffer->overwrite());
  for (std::int64_t i = 0; i < n; ++i)
    data[i] = value(i);
  return leaf;
}

template <typename T>
std::span<const T> elements(const jit::Datum& datum) {
  const Leaf& leaf = std::get<Leaf>(datum);
  REQUIRE(is_row_major(leaf));
  return {reinterpret_cast<const T*>(first_element(leaf)),
          static_cast<std::size_t>(leaf.extents[0])};
}

} // namespace sinter::test
