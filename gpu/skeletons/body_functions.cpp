#include "gpu/skeletons/body_functions.h"

#include "gpu/kernels/gpu_hooks.h"
#include "jit/emit/frame.h"
#include "jit/emit/kernel_abi.h"
#include "jit/emit/kernel_shape.h"
#include "jit/emit/skeletons.h"
#include "jit/ir/groups.h"
#include "jit/ir/operations.h"

#include <algorithm>
#include <cstddef>
#include <variant>

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

namespace sinter::gpu {

using jit::BodyEmitter;
using jit::LaneBuilder;
using llvm::Value;

// ---- functions ---------------------------------------------------------------------------------

namespace {

/// Of arrays as emission makes them in a thread's own memory: of bytes.
std::int64_t bytes_of_arrays(const llvm::Function& function) {
  std::int64_t bytes = 0;
  for (const llvm::Instruction& instruction : llvm::instructions(function))
    if (const auto* const slot = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
      if (slot->getAllocatedType()->isIntegerTy(8) && slot->isStaticAlloca())
        if (slot->isArrayAllocation())
          bytes += llvm::cast<llvm::ConstantInt>(slot->getArraySize())->getSExtValue();
  return bytes;
}

} // namespace

BodyFunctions::BodyFunctions(jit::KernelModule& kernel, const ir::Function& function,
                             const SkeletonOptions& options)
    : function_(function), around_(kernel, function, options.layouts) {}

ElementFunction BodyFunctions::element(Maps maps) {
  const ir::Soac& soac = *jit::parallel_soac(function_);
  ElementFunction result;
  const auto entered = enter(maps == Maps::Stored ? "element_with_maps" : "element", 1, 1);
  result.function = entered->function;
  BodyEmitter& body = entered->body;
  LaneBuilder& b = body.b;
  const std::vector<jit::GroupPosition> positions = jit::group_positions(soac);
  std::vector<jit::GroupState> states;
  for (std::size_t g = 0; g < soac.groups.size(); ++g) {
    states.emplace_back(jit::Unwanted{});
    if (maps == Maps::Left || !std::holds_alternative<ir::MapGroup>(soac.groups[g])) continue;
    Value* const words =
        jit::frame_field(b, entered->frame(), offsetof(jit::KernelFrame, results), b.ir.getPtrTy());
    Value* const data = b.ir.CreateLoad(
        b.ir.getPtrTy(), b.ir.CreateConstGEP1_64(b.ir.getInt64Ty(), words, positions[g].result));
    const ir::Type& type = function_.type(function_.body.results[positions[g].result].value());
    states.back() = jit::MapState{.stored = {.places = {jit::row_major(body, data, type)}}};
  }
  const jit::LaneValue index = b.uniform(entered->function->getArg(1));
  Value* const components = entered->function->getArg(2);
  body.element(soac, states, index, [&] {
    body.apply(soac, states, index);
    for (std::size_t g = 0; g < soac.groups.size(); ++g) {
      if (std::holds_alternative<ir::MapGroup>(soac.groups[g])) continue;
      for (std::size_t i = 0; i < ir::arity(soac.groups[g]).body_results; ++i) {
        const ir::Operand& operand = soac.body.results[positions[g].body_result + i];
        const ElementType type = function_.type(operand).element;
        body.put(component_slot(b, components, result.types.size(), type), {},
                 body.emitted(operand), {type, {}});
        result.types.push_back(type);
      }
    }
  });
  body.finish();
  result.array_bytes = bytes_of_arrays(*result.function);
  return result;
}

ElementFunction BodyFunctions::element_and_lanes(Maps maps, Access access) {
  ElementFunction result = element(maps);
  const ir::Soac& soac = *jit::parallel_soac(function_);
  const std::vector<jit::GroupPosition> positions = jit::group_positions(soac);
  std::vector<std::size_t> numbers;
  for (std::size_t g = 0; g < soac.groups.size(); ++g) {
    const bool is_map = std::holds_alternative<ir::MapGroup>(soac.groups[g]);
    if (is_map && maps == Maps::Stored) return result;
    if (is_map) continue;
    for (std::size_t i = 0; i < ir::arity(soac.groups[g]).body_results; ++i)
      numbers.push_back(positions[g].body_result + i);
  }
  result.wide = make_wide_elements(around_, function_, soac, numbers, result.types, access);
  return result;
}

FoldFunctions BodyFunctions::fold(const std::vector<ir::Operand>& neutral,
                                  const ir::Body& combine) {
  FoldFunctions result;
  for (const ir::Operand& operand : neutral)
    result.types.push_back(function_.type(operand).element);
  const std::string number = std::to_string(folds_++);
  const auto put_all = [&](BodyEmitter& body, Value* components,
                           const std::vector<jit::Emitted>& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      body.put(component_slot(body.b, components, i, result.types[i]), {}, values[i],
               {result.types[i], {}});
  };
  {
    const auto entered = enter("neutral" + number, 0, 1);
    std::vector<jit::Emitted> values;
    for (const ir::Operand& operand : neutral)
      values.push_back(entered->body.emitted(operand));
    put_all(entered->body, entered->function->getArg(1), values);
    entered->body.finish();
    result.neutral = entered->function;
  }
  const auto entered = enter("combine" + number, 0, 3);
  BodyEmitter& body = entered->body;
  llvm::Function& function = *entered->function;
  put_all(body, function.getArg(3),
          body.combine(combine, loaded_components(body.b, function.getArg(1), result.types),
                       loaded_components(body.b, function.getArg(2), result.types)));
  body.finish();
  result.combine = entered->function;
  result.statements = copied_statements(combine);
  return result;
}

FoldFunctions BodyFunctions::counting() {
  FoldFunctions result;
  result.types = {ElementType::I64};
  const std::string number = std::to_string(folds_++);
  const auto neutral = enter("neutral" + number, 0, 1);
  const auto put = [&](EnteredFunction& entered, Value* components, Value* value) {
    entered.body.put(component_slot(entered.body.b, components, 0, ElementType::I64), {},
                     entered.body.b.uniform(value), {ElementType::I64, {}});
    entered.body.finish();
    return entered.function;
  };
  result.neutral = put(*neutral, neutral->function->getArg(1), neutral->body.b.i64(0));
  const auto combine = enter("combine" + number, 0, 3);
  const auto number_at = [&](unsigned argument) {
    return std::get<jit::LaneValue>(loaded_components(combine->body.b,
                                                      combine->function->getArg(argument),
                                                      result.types)[0])
        .value;
  };
  Value* const sum = combine->body.b.ir.CreateAdd(number_at(1), number_at(2));
  result.combine = put(*combine, combine->function->getArg(3), sum);
  return result;
}

// ---- calls -------------------------------------------------------------------------------------

namespace {

Value* own_slots(EntryBuilder& entry, std::size_t count) {
  llvm::AllocaInst* const slots = entry.b.stack(
      llvm::ArrayType::get(entry.b.ir.getInt64Ty(), std::max<std::size_t>(count, 1)), 1);
  slots->setAlignment(llvm::Align(component_bytes));
  return slots;
}

Value* place_of(EntryBuilder& entry, Value* slots, std::size_t i) {
  return entry.b.ir.CreateConstGEP1_64(entry.b.ir.getInt8Ty(), slots, i * component_bytes);
}

Components taken(EntryBuilder& entry, Value* slots, const std::vector<ElementType>& types) {
  Components values;
  for (std::size_t i = 0; i < types.size(); ++i)
    values.push_back(
        entry.b.ir.CreateLoad(entry.b.memory_type(types[i]), place_of(entry, slots, i)));
  return values;
}

} // namespace

Value* handed_over(EntryBuilder& entry, const Components& values) {
  Value* const slots = own_slots(entry, values.size());
  for (std::size_t i = 0; i < values.size(); ++i)
    entry.b.ir.CreateStore(values[i], place_of(entry, slots, i));
  return slots;
}

ComputedElement compute_element(EntryBuilder& entry, const ElementFunction& element, Value* index,
                                Value* condition) {
  return compute_element(entry, element, std::span(&index, 1), condition);
}

namespace {

struct CalledElement {
  Value* is_right = nullptr;
  Components values; ///< of all that the function computes
};

/// Calls a function that leaves components of `types`, so many times.
CalledElement call_element(EntryBuilder& entry, llvm::Function* function,
                           const std::vector<ElementType>& types, unsigned times,
                           std::span<Value* const> indices, Value* condition) {
  LaneBuilder& b = entry.b;
  std::vector<ElementType> all;
  for (unsigned i = 0; i < times; ++i)
    all.insert(all.end(), types.begin(), types.end());
  Components zeros;
  for (const ElementType type : all)
    zeros.push_back(llvm::Constant::getNullValue(b.memory_type(type)));
  Value* const slots = handed_over(entry, zeros);
  std::vector<Value*> arguments = {entry.frame()};
  arguments.insert(arguments.end(), indices.begin(), indices.end());
  arguments.push_back(slots);
  const jit::Variable is_right = b.variable(ElementType::Bool, jit::Shape::Uniform);
  b.set(is_right, b.uniform(b.ir.getTrue(), ElementType::Bool));
  b.if_then(condition ? condition : b.ir.getTrue(), [&] {
    Value* const status = b.ir.CreateCall(function, arguments);
    b.set(is_right, b.uniform(b.ir.CreateICmpEQ(status, b.i64(0)), ElementType::Bool));
  });
  return {b.get(is_right).value, taken(entry, slots, all)};
}

} // namespace

ComputedElement compute_element(EntryBuilder& entry, const ElementFunction& element,
                                std::span<Value* const> indices, Value* condition) {
  const CalledElement called =
      call_element(entry, element.function, element.types, 1, indices, condition);
  return {called.is_right, called.values};
}

Value* may_be_wide(EntryBuilder& entry, const ElementFunction& element) {
  LaneBuilder& b = entry.b;
  if (!element.wide.function) return b.ir.getFalse();
  Value* const rest = own_slots(entry, 1);
  b.ir.CreateCall(element.wide.alignment, {entry.frame(), rest});
  return b.ir.CreateICmpEQ(b.ir.CreateLoad(b.ir.getInt64Ty(), rest), b.i64(0));
}

ComputedElements compute_wide(EntryBuilder& entry, const ElementFunction& element, Value* index,
                              Value* condition) {
  return compute_wide(entry, element, std::span(&index, 1), condition);
}

ComputedElements compute_wide(EntryBuilder& entry, const ElementFunction& element,
                              std::span<Value* const> indices, Value* condition) {
  const CalledElement called = call_element(entry, element.wide.function, element.types,
                                            element.wide.lanes, indices, condition);
  ComputedElements result{called.is_right, {}};
  const std::size_t size = element.types.size();
  for (std::size_t lane = 0; lane < element.wide.lanes; ++lane)
    result.values.emplace_back(called.values.begin() + static_cast<std::ptrdiff_t>(lane * size),
                               called.values.begin() +
                                   static_cast<std::ptrdiff_t>((lane + 1) * size));
  return result;
}

Components neutral_of(EntryBuilder& entry, const FoldFunctions& fold) {
  Value* const slots = own_slots(entry, fold.types.size());
  entry.b.ir.CreateCall(fold.neutral, {entry.frame(), slots});
  return taken(entry, slots, fold.types);
}

Components combined(EntryBuilder& entry, const FoldFunctions& fold, const Components& left,
                    const Components& right) {
  Value* const slots = own_slots(entry, fold.types.size());
  entry.b.ir.CreateCall(
      fold.combine, {entry.frame(), handed_over(entry, left), handed_over(entry, right), slots});
  return taken(entry, slots, fold.types);
}

std::optional<KernelEntries> make_around_body(
    const ir::Function& function, const SkeletonOptions& options,
    const std::function<void(jit::KernelModule&, BodyFunctions&, KernelEntries&)>& make) {
  KernelEntries result;
  result.module.context = make_kernel_context();
  result.module.module = std::make_unique<llvm::Module>("kernel", *result.module.context);
  const GpuHooks hooks;
  jit::KernelModule kernel{*result.module.module, hooks};
  kernel.floats = options.floats;
  const ir::Soac& soac = *jit::parallel_soac(function);
  result.skeleton = jit::skeleton_of(soac);
  result.index_space = {soac.extent};
  BodyFunctions body(kernel, function, options);
  make(kernel, body, result);
  if (kernel.refusal || hooks.use_scratch()) return std::nullopt;
  return result;
}

bool is_plain_operator(const ir::Function& function, const ir::Body& combine) {
  return std::all_of(combine.statements.begin(), combine.statements.end(),
                     [&](const ir::Statement& statement) {
                       if (const auto* branch = std::get_if<ir::If>(&statement.operation))
                         return std::all_of(statement.results.begin(), statement.results.end(),
                                            [&](ir::ValueId result) {
                                              return function.type(result).is_scalar();
                                            }) &&
                                is_plain_operator(function, branch->then_body) &&
                                is_plain_operator(function, branch->else_body);
                       return ir::is_scalar_operation(statement.operation);
                     });
}

} // namespace sinter::gpu
