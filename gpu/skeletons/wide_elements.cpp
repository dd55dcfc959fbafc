#include "gpu/skeletons/wide_elements.h"

#include "jit/emit/kernel_shape.h"
#include "jit/ir/costs.h"
#include "jit/ir/walk.h"

#include <algorithm>

namespace sinter::gpu {

using jit::ArrayView;
using jit::Emitted;
using jit::LaneBuilder;
using jit::LaneValue;
using llvm::Value;

namespace {

bool reads_by_index(const ir::Body& body) {
  return std::ranges::any_of(body.statements, [](const ir::Statement& statement) {
    bool reads = std::holds_alternative<ir::Index>(statement.operation);
    ir::for_each_body(statement.operation,
                      [&](const ir::Body& inner) { reads = reads || reads_by_index(inner); });
    return reads;
  });
}

bool lies_together(const ArrayView& view) {
  const auto* const stride = llvm::dyn_cast<llvm::ConstantInt>(view.strides[0]);
  return stride && stride->isOne();
}

Value* place_in(LaneBuilder& b, const ArrayView& view, Value* index) {
  const LaneValue at = b.uniform(index);
  return b.ir.CreateGEP(b.memory_type(view.element), view.base,
                        b.element_offset(view, {&at, 1}).value);
}

llvm::Function* make_alignment(const KernelAround& around, const ir::Soac& soac, unsigned lanes) {
  const auto entered = around.enter("alignment", 0, 1);
  LaneBuilder& b = entered->body.b;
  Value* rest = b.i64(0);
  bool lie_together = true;
  for (const ir::ValueId input : soac.inputs) {
    const ArrayView& view = entered->body.array(input);
    lie_together = lie_together && lies_together(view);
    Value* const address = b.ir.CreatePtrToInt(place_in(b, view, b.i64(0)), b.ir.getInt64Ty());
    rest = b.ir.CreateOr(rest, b.ir.CreateAnd(address, lanes * byte_size(view.element) - 1));
  }
  b.ir.CreateStore(rest, entered->argument(0));
  entered->body.finish();
  if (lie_together) return entered->function;
  entered->function->eraseFromParent();
  return nullptr;
}

/// By lane: the input's elements from the index on.
std::vector<LaneValue> load_lanes(LaneBuilder& b, const ArrayView& view, Value* index,
                                  unsigned lanes) {
  llvm::Type* const type = llvm::FixedVectorType::get(b.memory_type(view.element), lanes);
  Value* loaded = b.ir.CreateAlignedLoad(type, place_in(b, view, index),
                                         llvm::Align(lanes * byte_size(view.element)));
  if (view.element == ElementType::Bool)
    loaded = b.ir.CreateICmpNE(loaded, llvm::Constant::getNullValue(type));
  std::vector<LaneValue> elements;
  for (unsigned lane = 0; lane < lanes; ++lane)
    elements.push_back(b.uniform(b.ir.CreateExtractElement(loaded, lane), view.element));
  return elements;
}

} // namespace

std::size_t copied_statements(const ir::Body& body) {
  std::size_t count = 0;
  for (const ir::Statement& statement : body.statements) {
    const auto* const primitive = std::get_if<ir::Primitive>(&statement.operation);
    const bool is_function = primitive && primitive->primitive->cost >= costs::function_call;
    const std::size_t bytes = is_function ? byte_size(primitive->primitive->operand) : 1;
    count += bytes * bytes;
    ir::for_each_body(statement.operation,
                      [&](const ir::Body& inner) { count += copied_statements(inner); });
  }
  return count;
}

unsigned lanes_of_inputs(const ir::Function& function, const ir::Soac& soac, bool stores_results) {
  if (!jit::is_elementary(function, soac.body) || reads_by_index(soac.body)) return 1;
  std::size_t widest = 1;
  const auto look_at = [&](const ir::Type& type) {
    widest = std::max(widest, byte_size(type.element));
  };
  for (const ir::ValueId input : soac.inputs) {
    if (function.type(input).rank() != 1) return 1;
    look_at(function.type(input));
  }
  for (const ir::Operand& result : soac.body.results) {
    if (!function.type(result).is_scalar()) return 1;
    if (stores_results) look_at(function.type(result));
  }
  return static_cast<unsigned>(access_bytes / widest);
}

std::size_t words_of(const std::vector<ElementType>& types) {
  std::size_t words = 0;
  for (const ElementType type : types)
    words += byte_size(type) > 4 ? 2 : 1;
  return words;
}

std::int64_t WideElements::accesses_within(std::size_t words) const {
  return std::max<std::int64_t>(static_cast<std::int64_t>(words / words_of_access), 1);
}

unsigned lanes_of_access(const ir::Function& function, const ir::Soac& soac,
                         const std::vector<ElementType>& types, Access access) {
  if (soac.inputs.empty()) return 1;
  const std::size_t words = words_of(types);
  const std::size_t statements = copied_statements(soac.body) + types.size();
  unsigned lanes = lanes_of_inputs(function, soac, false);
  // (Shorter ones are of places beside values: these have two words and mostly need one.)
  const std::size_t most_words =
      access == Access::Shorter ? most_words_of_access * 3 / 2 : most_words_of_access;
  const auto have_room = [&] {
    return words * lanes <= most_words && statements * lanes <= most_copied_statements;
  };
  while (access == Access::Shorter && lanes > 1 && !have_room())
    lanes /= 2;
  return have_room() ? lanes : 1;
}

void emit_wide_elements(jit::BodyEmitter& body, const ir::Soac& soac, unsigned lanes, Value* index,
                        Value* components, const std::vector<std::size_t>& results,
                        const std::vector<ElementType>& types) {
  LaneBuilder& b = body.b;
  std::vector<std::vector<LaneValue>> inputs;
  for (const ir::ValueId input : soac.inputs)
    inputs.push_back(load_lanes(b, body.array(input), index, lanes));
  for (unsigned lane = 0; lane < lanes; ++lane) {
    std::vector<Emitted> elements;
    for (const std::vector<LaneValue>& input : inputs)
      elements.emplace_back(input[lane]);
    body.element_of(soac, elements, b.uniform(b.ir.CreateAdd(index, b.i64(lane))), [&] {
      for (std::size_t i = 0; i < types.size(); ++i)
        body.put(component_slot(b, components, lane * types.size() + i, types[i]), {},
                 body.emitted(soac.body.results[results[i]]), {types[i], {}});
    });
  }
}

WideElements make_wide_elements(const KernelAround& around, const ir::Function& function,
                                const ir::Soac& soac, const std::vector<std::size_t>& results,
                                const std::vector<ElementType>& types, Access access) {
  const unsigned lanes = lanes_of_access(function, soac, types, access);
  if (lanes == 1) return {};
  WideElements wide;
  wide.alignment = make_alignment(around, soac, lanes);
  if (!wide.alignment) return {};
  wide.lanes = lanes;
  wide.words_of_access = lanes * words_of(types);
  wide.words_of_inputs = 0;
  for (const ir::ValueId input : soac.inputs)
    wide.words_of_inputs += (lanes * byte_size(function.type(input).element) + 3) / 4;
  wide.statements = copied_statements(soac.body) + types.size();
  const auto entered = around.enter("wide_elements", 1, 1);
  wide.function = entered->function;
  emit_wide_elements(entered->body, soac, lanes, entered->argument(0), entered->argument(1),
                     results, types);
  entered->body.finish();
  return wide;
}

} // namespace sinter::gpu
