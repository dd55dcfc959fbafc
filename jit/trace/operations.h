// Array operations of the table (lang/primitives/array_operations.def): each is a function here.
#pragma once

#include "jit/trace/branches.h"
#include "jit/trace/indexing.h"
#include "jit/trace/loops.h"

namespace sinter::jit {

class Operations {
public:
  using Operand = ir::Operand;
  using ValueId = ir::ValueId;
  using Value = SymbolicValue;
  using Operation = primitives::Operation;

  Operations(Code& code, Leaves& leaves, Soacs& soacs, Indexing& indexing, Branches& branches,
             Loops& loops)
      : code_(code), builder_(code.builder()), leaves_(leaves), soacs_(soacs), indexing_(indexing),
        branches_(branches), loops_(loops) {}

  Value apply(primitives::ArrayOperation operation, std::span<Value> arguments, SymbolicSite& site);

private:
#define SINTER_ARRAY_OPERATION(Id, ...) Value apply_##Id(std::span<Value>, SymbolicSite&);
#define SINTER_ARRAY_MEMBER(...)
#define SINTER_ARRAY_FAMILY(Family)                                                                \
  Value apply_##Family(std::span<Value>, std::size_t count, SymbolicSite&);
#include "lang/primitives/array_operations.def"

  // operations_soacs.cpp
  Value reduce(std::span<Value> arguments, bool is_commutative, SymbolicSite& site);
  Value scan(std::span<Value> arguments, SymbolicSite& site);
  Value partition(std::span<Value> arguments, SymbolicSite& site);
  Value classes_of(const Value& array, const Value& function, std::int64_t classes,
                   SymbolicSite& site);

  // operations_writes.cpp
  std::vector<Operand> index_list(const Value& index, std::size_t dimensions);
  Value histogram_that_combines(std::span<Value> arguments, std::size_t dimensions,
                                SymbolicSite& site);
  Operand is_any_index(std::span<const Value> sources, std::span<const Operand> extents);
  Value stream(const Value& function, const Value& elements, const Value& target,
               const Value& combine, SymbolicSite& site);

  // operations_rearranging.cpp
  Operand is_moderate(const Operand& number);
  Operand has_no_overflow(const Operand& a, const Operand& b);
  void check_flat(const Operand& length, const Operand& offset, std::span<const Operand> shape,
                  std::span<const Operand> strides);
  Operand equal(const Value& a, const Value& b, const Representation* type);
  Operand equal_arrays(const SymbolicArray& a, const SymbolicArray& b);
  Operand equal_leaves(ValueId a, ValueId b);

  Code& code_;
  ir::Builder& builder_;
  Leaves& leaves_;
  Soacs& soacs_;
  Indexing& indexing_;
  Branches& branches_;
  Loops& loops_;
};

} // namespace sinter::jit
