#include "gpu/skeletons/fold_set.h"

#include <algorithm>
#include <bit>
#include <span>

namespace sinter::gpu {

using jit::LaneBuilder;
using llvm::Value;

ComponentArrays component_arrays(const std::vector<ElementType>& types, std::int64_t count) {
  constexpr std::int64_t alignment = 16;
  ComponentArrays arrays;
  for (const ElementType type : types) {
    arrays.begins.push_back(arrays.bytes);
    arrays.bytes +=
        divided_up(count * static_cast<std::int64_t>(byte_size(type)), alignment) * alignment;
  }
  return arrays;
}

Components FoldSet::neutral(EntryBuilder& entry) const {
  Components all;
  for (const FoldFunctions& fold : folds_) {
    const Components values = neutral_of(entry, fold);
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

Components FoldSet::combined(EntryBuilder& entry, const Components& left,
                             const Components& right) const {
  Components all;
  for (const FoldFunctions& fold : folds_) {
    const auto part = [&](const Components& values) {
      const auto own = std::span(values).subspan(all.size(), fold.types.size());
      return Components(own.begin(), own.end());
    };
    const Components values = gpu::combined(entry, fold, part(left), part(right));
    all.insert(all.end(), values.begin(), values.end());
  }
  return all;
}

// ---- running values ----------------------------------------------------------------------------

RunningValues FoldSet::running(EntryBuilder& entry, const Components& initial) const {
  RunningValues result;
  for (Value* const value : initial)
    result.push_back(entry.b.stack(value->getType(), 1));
  set(entry, result, initial);
  return result;
}

Components FoldSet::get(EntryBuilder& entry, const RunningValues& running) const {
  Components values;
  for (llvm::AllocaInst* const slot : running)
    values.push_back(entry.b.ir.CreateLoad(slot->getAllocatedType(), slot));
  return values;
}

void FoldSet::set(EntryBuilder& entry, const RunningValues& running,
                  const Components& values) const {
  for (std::size_t i = 0; i < running.size(); ++i)
    entry.b.ir.CreateStore(values[i], running[i]);
}

void FoldSet::fold(EntryBuilder& entry, const RunningValues& running,
                   const Components& right) const {
  set(entry, running, combined(entry, get(entry, running), right));
}

void FoldSet::begin_or_fold(EntryBuilder& entry, Value* is_first, const RunningValues& running,
                            const Components& right) const {
  entry.b.if_then_else(
      is_first, [&] { set(entry, running, right); }, [&] { fold(entry, running, right); });
}

namespace {

/// Of the operators that are written down in one loop.
constexpr std::size_t most_statements_at_once = 64;

} // namespace

std::int64_t FoldSet::values_at_once(std::size_t words) const {
  std::size_t statements = 0;
  for (const FoldFunctions& fold : folds_)
    statements += fold.statements;
  const std::size_t values =
      std::min(words / std::max<std::size_t>(words_of(types_), 1),
               most_statements_at_once / std::max<std::size_t>(statements, 1));
  return static_cast<std::int64_t>(std::bit_floor(std::max<std::size_t>(values, 1)));
}

void FoldSet::fold_in_order(EntryBuilder& entry, const RunningValues& running, Value* begin,
                            Value* end, const std::function<Components(Value*)>& load,
                            const FoldSteps& steps) const {
  LaneBuilder& b = entry.b;
  const jit::Variable next = b.variable(ElementType::I64, jit::Shape::Uniform);
  b.set(next, b.uniform(begin));
  const auto fold_while_there_are = [&](std::int64_t count) {
    Value* const last = b.ir.CreateSub(end, b.i64(count));
    entry.for_each(
        b.get(next).value, b.ir.CreateAdd(last, b.i64(1)), b.i64(count), [&](Value* first) {
          const auto further = [&](std::int64_t by) { return b.ir.CreateAdd(first, b.i64(by)); };
          std::vector<Components> loaded;
          for (std::int64_t k = 0; k < count; ++k)
            loaded.push_back(load(further(k)));
          for (std::int64_t k = 0; k < count; ++k) {
            const Components& value = loaded[static_cast<std::size_t>(k)];
            if (steps.before) steps.before(further(k));
            Components sum = combined(entry, get(entry, running), value);
            if (steps.takes_first && k == 0)
              sum = selected(entry,
                             b.ir.CreateAnd(steps.takes_first, b.ir.CreateICmpEQ(first, begin)),
                             value, sum);
            set(entry, running, sum);
            if (steps.after) steps.after(further(k));
          }
          b.set(next, b.uniform(further(count)));
        });
  };
  constexpr std::int64_t few = 4;
  const std::int64_t many = values_at_once(steps.words_at_once);
  if (many > 1) fold_while_there_are(many);
  if (many > few && !steps.rests_are_rare) fold_while_there_are(few);
  fold_while_there_are(1);
}

// ---- memory ------------------------------------------------------------------------------------

namespace {

Value* place_in(EntryBuilder& entry, Value* memory, std::int64_t begin, Value* index,
                llvm::Type* type) {
  LaneBuilder& b = entry.b;
  Value* const array =
      b.ir.CreateConstGEP1_64(b.ir.getInt8Ty(), memory, static_cast<std::uint64_t>(begin));
  return b.ir.CreateGEP(type, array, index);
}

} // namespace

Components load_components(EntryBuilder& entry, const std::vector<ElementType>& types,
                           Value* memory, const ComponentArrays& arrays, Value* index) {
  Components values;
  for (std::size_t i = 0; i < types.size(); ++i) {
    llvm::Type* const type = entry.b.memory_type(types[i]);
    values.push_back(
        entry.b.ir.CreateAlignedLoad(type, place_in(entry, memory, arrays.begins[i], index, type),
                                     llvm::Align(byte_size(types[i]))));
  }
  return values;
}

void store_components(EntryBuilder& entry, Value* memory, const ComponentArrays& arrays,
                      Value* index, const Components& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    llvm::Type* const type = values[i]->getType();
    entry.b.ir.CreateAlignedStore(values[i], place_in(entry, memory, arrays.begins[i], index, type),
                                  llvm::Align(type->getPrimitiveSizeInBits() / 8));
  }
}

Components FoldSet::load_areas(EntryBuilder& entry, unsigned first, Value* index) const {
  Components values;
  for (std::size_t i = 0; i < types_.size(); ++i) {
    llvm::Type* const type = entry.b.memory_type(types_[i]);
    Value* const area = entry.place(entry.area(first + static_cast<unsigned>(i)));
    values.push_back(entry.b.ir.CreateAlignedLoad(type, place_in(entry, area, 0, index, type),
                                                  llvm::Align(byte_size(types_[i]))));
  }
  return values;
}

void FoldSet::store_areas(EntryBuilder& entry, unsigned first, Value* index,
                          const Components& values) const {
  for (std::size_t i = 0; i < types_.size(); ++i) {
    llvm::Type* const type = entry.b.memory_type(types_[i]);
    Value* const area = entry.place(entry.area(first + static_cast<unsigned>(i)));
    entry.b.ir.CreateAlignedStore(values[i], place_in(entry, area, 0, index, type),
                                  llvm::Align(byte_size(types_[i])));
  }
}

Components selected(EntryBuilder& entry, Value* condition, const Components& yes,
                    const Components& no) {
  Components result;
  for (std::size_t i = 0; i < yes.size(); ++i)
    result.push_back(entry.b.ir.CreateSelect(condition, yes[i], no[i]));
  return result;
}

// ---- across threads ----------------------------------------------------------------------------

Components shuffled(EntryBuilder& entry, AbstractFunction function, const Components& values,
                    Value* which) {
  LaneBuilder& b = entry.b;
  llvm::Type* const half = b.ir.getInt32Ty();
  auto bits_of = [](Value* value) -> unsigned {
    return value->getType()->getPrimitiveSizeInBits();
  };
  // The exchanges lie next to each other: together they are one for the emulator.
  Components words;
  for (Value* const value : values) {
    Value* const number = b.ir.CreateBitCast(value, b.ir.getIntNTy(bits_of(value)));
    words.push_back(b.ir.CreateZExtOrTrunc(number, half));
    if (bits_of(value) > 32) words.push_back(b.ir.CreateTrunc(b.ir.CreateLShr(number, 32), half));
  }
  for (Value*& word : words)
    word = entry.call(function, {word, which});
  Components result;
  std::size_t next = 0;
  for (Value* const value : values) {
    llvm::Type* const type = b.ir.getIntNTy(bits_of(value));
    Value* number = b.ir.CreateZExtOrTrunc(words[next++], type);
    if (bits_of(value) > 32)
      number = b.ir.CreateOr(number, b.ir.CreateShl(b.ir.CreateZExt(words[next++], type), 32));
    result.push_back(b.ir.CreateBitCast(number, value->getType()));
  }
  return result;
}

Components FoldSet::over_warp(EntryBuilder& entry, const Components& values) const {
  LaneBuilder& b = entry.b;
  const RunningValues sum = running(entry, values);
  const jit::Variable delta = b.variable(ElementType::I32, jit::Shape::Uniform);
  b.set(delta, b.uniform(b.ir.getInt32(warp_size / 2), ElementType::I32));
  b.while_loop([&] { return b.ir.CreateICmpNE(b.get(delta).value, b.ir.getInt32(0)); },
               [&] {
                 Value* const distance = b.get(delta).value;
                 fold(entry, sum,
                      shuffled(entry, AbstractFunction::shuffle_down, get(entry, sum), distance));
                 b.set(delta, b.uniform(b.ir.CreateLShr(distance, 1), ElementType::I32));
               });
  return get(entry, sum);
}

Components FoldSet::over_block(EntryBuilder& entry, const Components& values, Value* shared,
                               const ComponentArrays& arrays) const {
  LaneBuilder& b = entry.b;
  const Components warp = over_warp(entry, values);
  Value* const thread = entry.wide(AbstractFunction::thread_index);
  Value* const lane = b.ir.CreateAnd(thread, b.i64(warp_size - 1));
  Value* const number = b.ir.CreateLShr(thread, b.i64(5));
  b.if_then(b.ir.CreateICmpEQ(lane, b.i64(0)), [&] { store(entry, shared, arrays, number, warp); });
  entry.barrier();
  const RunningValues result = running(entry, warp);
  b.if_then(b.ir.CreateICmpEQ(number, b.i64(0)), [&] {
    Value* const warps = b.ir.CreateLShr(entry.wide(AbstractFunction::block_size), b.i64(5));
    set(entry, result, neutral(entry));
    b.if_then(b.ir.CreateICmpSLT(lane, warps),
              [&] { set(entry, result, load(entry, shared, arrays, lane)); });
    set(entry, result, over_warp(entry, get(entry, result)));
  });
  return get(entry, result);
}

Value* word_of(EntryBuilder& entry, Value* component, ElementType type) {
  LaneBuilder& b = entry.b;
  if (type == ElementType::Bool)
    component = b.ir.CreateICmpNE(component, llvm::ConstantInt::get(component->getType(), 0));
  return b.to_word(component, type);
}

} // namespace sinter::gpu
