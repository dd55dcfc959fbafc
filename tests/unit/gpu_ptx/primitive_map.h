// A primitive as a kernel.
#pragma once

#include "jit/ir/ir.h"
#include "lang/primitives/primitives.h"

#include <utility>

namespace sinter::gpu {

/// `map (\x … -> primitive x …) xs …`.
inline ir::Function map_of(const primitives::Primitive& primitive) {
  ir::Function f;
  f.name = "f";
  const ir::ValueId count = f.add_value({ElementType::I64, {}}, "n");
  f.body.parameters = {count};
  ir::Soac soac;
  soac.extent = count;
  soac.body.parameters = {f.add_value({ElementType::I64, {}}, "i")};
  ir::Primitive operation{&primitive, {}};
  for (std::size_t i = 0; i < primitive.arity; ++i) {
    const ElementType element = primitives::operand_type(primitive, i);
    f.body.parameters.push_back(f.add_value({element, {count}}));
    soac.inputs.push_back(f.body.parameters.back());
    soac.body.parameters.push_back(f.add_value({element, {}}));
    operation.arguments.push_back(soac.body.parameters.back());
  }
  const ir::ValueId result = f.add_value({primitive.result, {}});
  soac.body.statements.push_back({{result}, operation, {}});
  soac.body.results = {result};
  soac.groups.emplace_back(ir::MapGroup{});
  const ir::ValueId results = f.add_value({primitive.result, {count}});
  f.body.statements.push_back({{results}, std::move(soac), {}});
  f.body.results = {results};
  return f;
}

} // namespace sinter::gpu
