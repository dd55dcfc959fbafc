#include "gpu/skeletons/slots.h"

namespace sinter::gpu {

using llvm::Value;

// ---- loops -------------------------------------------------------------------------------------

Stride shared_by_all(EntryBuilder& entry, Value* end) {
  return {entry.thread_number(), end, entry.thread_count()};
}

Stride shared_by_block(EntryBuilder& entry, Value* end) {
  return {entry.wide(AbstractFunction::thread_index), end,
          entry.wide(AbstractFunction::block_size)};
}

void for_each_number_while(EntryBuilder& entry, const Stride& stride,
                           const std::function<Value*(Value*)>& body) {
  jit::LaneBuilder& b = entry.b;
  const jit::Variable next = b.variable(ElementType::I64, jit::Shape::Uniform);
  b.set(next, b.uniform(stride.first));
  b.while_loop([&] { return b.ir.CreateICmpSLT(b.get(next).value, stride.end); },
               [&] {
                 Value* const number = b.get(next).value;
                 Value* const goes_on = body(number);
                 Value* const following = b.ir.CreateAdd(number, stride.step);
                 b.set(next, b.uniform(b.ir.CreateSelect(goes_on, following, stride.end)));
               });
}

void for_each_number(EntryBuilder& entry, const Stride& stride,
                     const std::function<void(Value*)>& body) {
  for_each_number_while(entry, stride, [&](Value* number) -> Value* {
    body(number);
    return entry.b.ir.getTrue();
  });
}

// ---- values ------------------------------------------------------------------------------------

ComponentVariables::ComponentVariables(EntryBuilder& entry, const std::vector<ElementType>& types)
    : entry_(&entry) {
  for (const ElementType type : types)
    slots_.push_back(entry.b.stack(entry.b.memory_type(type), 1));
}

Components ComponentVariables::get() const {
  Components values;
  for (llvm::AllocaInst* const slot : slots_)
    values.push_back(entry_->b.ir.CreateLoad(slot->getAllocatedType(), slot));
  return values;
}

void ComponentVariables::set(const Components& values) const {
  for (std::size_t i = 0; i < values.size(); ++i)
    entry_->b.ir.CreateStore(values[i], slots_[i]);
}

Components zero_components(EntryBuilder& entry, const std::vector<ElementType>& types) {
  Components values;
  for (const ElementType type : types)
    values.push_back(llvm::Constant::getNullValue(entry.b.memory_type(type)));
  return values;
}

// ---- slots -------------------------------------------------------------------------------------

llvm::IntegerType* slot_type(EntryBuilder& entry, ElementType element) {
  return entry.b.ir.getIntNTy(8 * bytes_of_slot(element));
}

Value* to_slot(EntryBuilder& entry, ElementType element, Value* value) {
  llvm::IRBuilder<>& ir = entry.b.ir;
  const auto bits = static_cast<unsigned>(8 * byte_size(element));
  if (is_float(element)) value = ir.CreateBitCast(value, ir.getIntNTy(bits));
  return is_signed(element) && !is_float(element) ? ir.CreateSExt(value, slot_type(entry, element))
                                                  : ir.CreateZExt(value, slot_type(entry, element));
}

Value* from_slot(EntryBuilder& entry, ElementType element, Value* slot) {
  llvm::IRBuilder<>& ir = entry.b.ir;
  const auto bits = static_cast<unsigned>(8 * byte_size(element));
  Value* const number = ir.CreateTrunc(slot, ir.getIntNTy(bits));
  return is_float(element) ? ir.CreateBitCast(number, entry.b.memory_type(element)) : number;
}

Value* slot_place(EntryBuilder& entry, ElementType element, Value* area, Value* number) {
  return entry.place(
      area, entry.b.ir.CreateMul(number, entry.b.i64(std::int64_t{bytes_of_slot(element)})));
}

Value* load_slot(EntryBuilder& entry, ElementType element, Value* area, Value* number) {
  return from_slot(entry, element,
                   entry.b.ir.CreateAlignedLoad(slot_type(entry, element),
                                                slot_place(entry, element, area, number),
                                                llvm::Align(bytes_of_slot(element))));
}

void store_slot(EntryBuilder& entry, ElementType element, Value* area, Value* number,
                Value* value) {
  entry.b.ir.CreateAlignedStore(to_slot(entry, element, value),
                                slot_place(entry, element, area, number),
                                llvm::Align(bytes_of_slot(element)));
}

} // namespace sinter::gpu
