// Numbers in loops, and scalars in memory that the steps of a skeleton share.
//
// In work areas and shared memory scalars have *slots*: integers of 4 or 8 bytes, as atomic
// operations take them.  Values are as Components have them.
#pragma once

#include "gpu/skeletons/body_functions.h"
#include "gpu/skeletons/entry_builder.h"
#include "lang/base/element_type.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace sinter::gpu {

/// How a loop goes: from `first` on in steps of `step`, below `end`; i64.
struct Stride {
  llvm::Value *first = nullptr, *end = nullptr, *step = nullptr;
};
/// All numbers below `end`, shared by all threads of a one-dimensional grid, or of the block.
Stride shared_by_all(EntryBuilder& entry, llvm::Value* end);
Stride shared_by_block(EntryBuilder& entry, llvm::Value* end);
void for_each_number(EntryBuilder& entry, const Stride& stride,
                     const std::function<void(llvm::Value*)>& body);
/// `body` gives whether (i1) the thread goes on.
void for_each_number_while(EntryBuilder& entry, const Stride& stride,
                           const std::function<llvm::Value*(llvm::Value*)>& body);

/// Components that change.
class ComponentVariables {
public:
  ComponentVariables(EntryBuilder& entry, const std::vector<ElementType>& types);
  Components get() const;
  void set(const Components& values) const;

private:
  EntryBuilder* entry_;
  std::vector<llvm::AllocaInst*> slots_;
};
Components zero_components(EntryBuilder& entry, const std::vector<ElementType>& types);

constexpr std::uint32_t bytes_of_slot(ElementType element) {
  return byte_size(element) <= 4 ? 4 : 8;
}
llvm::IntegerType* slot_type(EntryBuilder& entry, ElementType element);
llvm::Value* to_slot(EntryBuilder& entry, ElementType element, llvm::Value* value);
llvm::Value* from_slot(EntryBuilder& entry, ElementType element, llvm::Value* slot);
/// Number `number` (i64) of the slots that begin at an address (i64).
llvm::Value* slot_place(EntryBuilder& entry, ElementType element, llvm::Value* area,
                        llvm::Value* number);
llvm::Value* load_slot(EntryBuilder& entry, ElementType element, llvm::Value* area,
                       llvm::Value* number);
void store_slot(EntryBuilder& entry, ElementType element, llvm::Value* area, llvm::Value* number,
                llvm::Value* value);

} // namespace sinter::gpu
