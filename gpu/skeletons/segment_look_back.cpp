#include "gpu/skeletons/segment_look_back.h"

#include "gpu/skeletons/look_back.h"
#include "gpu/skeletons/tile_elements.h"

#include <algorithm>
#include <utility>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace sinter::gpu {

using jit::LaneBuilder;
using llvm::Value;

namespace {

constexpr const char* flagged_entry = "scan_segments";

enum class FlaggedNumber : unsigned {
  Count = static_cast<unsigned>(SegmentWord::Count), ///< of all elements
  Length,
  ReciprocalOfLength,
  Tiles,
  IsWide,
  All
};

/// With whether a segment begins with it.
std::size_t words_of_element(const std::vector<ElementType>& types) {
  return words_of(types) + 1;
}

std::vector<ElementType> flagged_types(const std::vector<ElementType>& types) {
  std::vector<ElementType> all(types.size() + 1, ElementType::U8);
  std::ranges::copy(types, all.begin() + 1);
  return all;
}

/// (a segment begins in it, what is folded since the last one has).
FoldSet flagged(jit::KernelModule& kernel, const FoldSet& folds) {
  FoldFunctions result;
  result.types = flagged_types(folds.types());
  llvm::LLVMContext& context = kernel.module.getContext();
  llvm::Type* const pointer = llvm::PointerType::get(context, 0);
  llvm::IRBuilder<> ir(context);
  const auto begin = [&](const char* name, unsigned pointers) {
    const std::vector<llvm::Type*> types(1 + pointers, pointer);
    auto* const function =
        llvm::Function::Create(llvm::FunctionType::get(ir.getInt64Ty(), types, false),
                               llvm::Function::InternalLinkage, name, kernel.module);
    function->addFnAttr(llvm::Attribute::NoUnwind);
    function->addFnAttr(llvm::Attribute::AlwaysInline);
    ir.SetInsertPoint(llvm::BasicBlock::Create(context, "entry", function));
    return function;
  };
  const auto slot = [&](Value* components, std::size_t i) {
    return ir.CreateConstGEP1_64(ir.getInt8Ty(), components, i * component_bytes);
  };
  const auto flag_of = [&](Value* components) {
    return ir.CreateAlignedLoad(ir.getInt8Ty(), components, llvm::Align(component_bytes));
  };
  result.neutral = begin("neutral_of_flagged", 1);
  Value* const neutral = result.neutral->getArg(1);
  ir.CreateAlignedStore(ir.getInt8(0), neutral, llvm::Align(component_bytes));
  std::size_t first = 1;
  for (const FoldFunctions& fold : folds.parts()) {
    ir.CreateCall(fold.neutral, {result.neutral->getArg(0), slot(neutral, first)});
    first += fold.types.size();
  }
  ir.CreateRet(ir.getInt64(0));

  result.combine = begin("combine_flagged", 3);
  Value *const left = result.combine->getArg(1), *const right = result.combine->getArg(2),
               *const to = result.combine->getArg(3);
  Value* const begins_right = flag_of(right);
  ir.CreateAlignedStore(ir.CreateOr(flag_of(left), begins_right), to, llvm::Align(component_bytes));
  first = 1;
  for (const FoldFunctions& fold : folds.parts()) {
    result.statements += fold.statements;
    ir.CreateCall(fold.combine, {result.combine->getArg(0), slot(left, first), slot(right, first),
                                 slot(to, first)});
    first += fold.types.size();
  }
  Value* const is_right = ir.CreateICmpNE(begins_right, ir.getInt8(0));
  for (std::size_t i = 1; i < result.types.size(); ++i) {
    const ElementType element = result.types[i];
    llvm::Type* const type = ir.getIntNTy(static_cast<unsigned>(8 * byte_size(element)));
    const llvm::Align alignment(byte_size(element));
    ir.CreateAlignedStore(ir.CreateSelect(is_right,
                                          ir.CreateAlignedLoad(type, slot(right, i), alignment),
                                          ir.CreateAlignedLoad(type, slot(to, i), alignment)),
                          slot(to, i), alignment);
  }
  ir.CreateRet(ir.getInt64(0));
  FoldSet set;
  set.add(std::move(result));
  return set;
}

class FlaggedEntry {
public:
  FlaggedEntry(jit::KernelModule& kernel, const ir::Function& function,
               const SegmentFunctions& functions, std::size_t rank)
      : functions_(functions), rank_(rank), flagged_(flagged(kernel, functions.folds())),
        tile_(functions.folds().types(), words_of_element(functions.folds().types())),
        look_back_(flagged_, 0), entry_(kernel, flagged_entry,
                                        word_counts(function, LookBack::area_count,
                                                    static_cast<std::size_t>(FlaggedNumber::All))),
        b_(entry_.b), is_calm_(b_.variable(ElementType::Bool, jit::Shape::Uniform)) {}

  EntryPoint run() {
    b_.set(is_calm_, b_.uniform(b_.ir.getTrue(), ElementType::Bool));
    Value* const shared = entry_.call(AbstractFunction::shared_memory);
    Value* const behind = tile_.behind(entry_, shared);
    Value* const tiles = number(FlaggedNumber::Tiles);
    const FoldSet& folds = functions_.folds();
    look_back_.for_each_tile(entry_, tiles, behind, [&](Value* tile) {
      compute(tile, shared);
      entry_.barrier();
      const std::vector<Components> own = own_elements(tile, shared);
      const RunningValues total = flagged_.running(entry_, flagged_.neutral(entry_));
      for (const Components& element : own)
        flagged_.fold(entry_, total, element);
      const LookBack::Prefix prefix =
          look_back_.prefix(entry_, tile, tiles, behind, flagged_.get(entry_, total));
      const RunningValues running = flagged_.running(entry_, prefix.before);
      for (std::size_t i = 0; i < own.size(); ++i) {
        flagged_.fold(entry_, running, own[i]);
        Components values = flagged_.get(entry_, running);
        values.erase(values.begin());
        folds.store(entry_, shared, tile_.arrays,
                    tile_.place_of_own(entry_, static_cast<std::int64_t>(i)), values);
      }
      entry_.barrier();
      Value* const first = first_of(tile);
      Value* const end =
          b_.lesser_of(first_of(b_.ir.CreateAdd(tile, b_.i64(1))), number(FlaggedNumber::Count));
      entry_.for_each_of_block(first, end, [&](Value* index) {
        Value* const place = TileElements::place(entry_, b_.ir.CreateSub(index, first));
        functions_.store_prefixes(entry_, index, folds.load(entry_, shared, tile_.arrays, place));
      });
    });
    return with_threads(entry_.finish());
  }

private:
  Value* number(FlaggedNumber which) { return entry_.number(static_cast<unsigned>(which)); }
  Value* first_of(Value* tile) {
    return b_.ir.CreateMul(
        tile, b_.ir.CreateMul(entry_.wide(AbstractFunction::block_size), b_.i64(tile_.of_thread)));
  }
  struct Position {
    Value *segment, *in_segment;
  };
  Position position_of(Value* index) {
    Value* const length = number(FlaggedNumber::Length);
    Value* const segment =
        quotient_by_reciprocal(entry_, index, number(FlaggedNumber::ReciprocalOfLength));
    return {segment, b_.ir.CreateSub(index, b_.ir.CreateMul(segment, length))};
  }

  void compute(Value* tile, Value* shared) {
    b_.set(is_calm_, b_.uniform(b_.ir.CreateAnd(b_.get(is_calm_).value, entry_.may_go_on()),
                                ElementType::Bool));
    Value* const first = first_of(tile);
    const std::int64_t lanes = functions_.lanes();
    if (lanes == 1 || tile_.of_thread % lanes != 0) return compute_each(first, shared);
    b_.if_then_else(
        b_.ir.CreateICmpNE(number(FlaggedNumber::IsWide), b_.i64(0)),
        [&] { compute_wide(first, shared); }, [&] { compute_each(first, shared); });
  }

  void compute_each(Value* first, Value* shared) {
    b_.loop(b_.i64(0), b_.i64(tile_.of_thread), 1, [&](Value* i) {
      Value* const in_tile =
          b_.ir.CreateAdd(b_.ir.CreateMul(i, entry_.wide(AbstractFunction::block_size)),
                          entry_.wide(AbstractFunction::thread_index));
      Value* const index = b_.ir.CreateAdd(first, in_tile);
      const Position position = position_of(index);
      Value* const is_wanted = b_.ir.CreateAnd(
          b_.get(is_calm_).value, b_.ir.CreateICmpSLT(index, number(FlaggedNumber::Count)));
      store_components(entry_, shared, tile_.arrays, TileElements::place(entry_, in_tile),
                       functions_.element(entry_, segment_indices(entry_, rank_, position.segment),
                                          position.in_segment, is_wanted,
                                          BodyFunctions::Maps::Stored));
    });
  }

  /// Of segments that are made of whole accesses.
  void compute_wide(Value* first, Value* shared) {
    const std::int64_t lanes = functions_.lanes();
    b_.loop(b_.i64(0), b_.i64(tile_.of_thread / lanes), 1, [&](Value* i) {
      Value* const access =
          b_.ir.CreateAdd(b_.ir.CreateMul(i, entry_.wide(AbstractFunction::block_size)),
                          entry_.wide(AbstractFunction::thread_index));
      Value* const in_tile = b_.ir.CreateMul(access, b_.i64(lanes));
      Value* const index = b_.ir.CreateAdd(first, in_tile);
      const Position position = position_of(index);
      Value* const is_wanted = b_.ir.CreateAnd(
          b_.get(is_calm_).value, b_.ir.CreateICmpSLT(index, number(FlaggedNumber::Count)));
      const std::vector<Components> values = functions_.elements(
          entry_, segment_indices(entry_, rank_, position.segment), position.in_segment, is_wanted);
      // (What lies between elements lies between multiples of the lanes.)
      Value* const place = TileElements::place(entry_, in_tile);
      for (std::int64_t lane = 0; lane < lanes; ++lane)
        store_components(entry_, shared, tile_.arrays, b_.ir.CreateAdd(place, b_.i64(lane)),
                         values[static_cast<std::size_t>(lane)]);
    });
  }

  /// Those that the thread folds, each with whether its segment begins with it.
  std::vector<Components> own_elements(Value* tile, Value* shared) {
    Value* const first =
        b_.ir.CreateAdd(first_of(tile), b_.ir.CreateMul(entry_.wide(AbstractFunction::thread_index),
                                                        b_.i64(tile_.of_thread)));
    Value* in_segment = position_of(first).in_segment;
    Value* const length = number(FlaggedNumber::Length);
    const Components neutral = functions_.folds().neutral(entry_);
    std::vector<Components> own;
    for (std::int64_t i = 0; i < tile_.of_thread; ++i) {
      Value* const begins = b_.ir.CreateICmpEQ(in_segment, b_.i64(0));
      const Components computed =
          functions_.folds().load(entry_, shared, tile_.arrays, tile_.place_of_own(entry_, i));
      const Components values = selected(
          entry_, begins, functions_.folds().combined(entry_, neutral, computed), computed);
      Components element = {b_.ir.CreateZExt(begins, b_.ir.getInt8Ty())};
      element.insert(element.end(), values.begin(), values.end());
      own.push_back(std::move(element));
      Value* const next = b_.ir.CreateAdd(in_segment, b_.i64(1));
      in_segment = b_.ir.CreateSelect(b_.ir.CreateICmpEQ(next, length), b_.i64(0), next);
    }
    return own;
  }

  const SegmentFunctions& functions_;
  std::size_t rank_;
  FoldSet flagged_;
  TileElements tile_;
  LookBack look_back_;
  EntryBuilder entry_;
  LaneBuilder& b_;
  jit::Variable is_calm_;
};

} // namespace

bool may_look_back(const Segments& segments) {
  return saturating_product(segments.count, segments.length) <= INT32_MAX;
}

LaunchPlan plan_segment_look_back(const Segments& segments, const LaunchSizes& sizes,
                                  const std::vector<ElementType>& types) {
  const TileElements tile(types, words_of_element(types));
  const std::int64_t count = segments.count * segments.length;
  LaunchPlan plan;
  LaunchStep step{flagged_entry, shape_for_threads(sizes, divided_up(count, tile.of_thread),
                                                   TileElements::threads)};
  const std::int64_t tiles = divided_up(count, tile.of_thread * step.shape.threads);
  step.shape.shared_bytes =
      static_cast<std::uint32_t>(tile.arrays.bytes + LookBack::shared_bytes(flagged_types(types)));
  plan.numbers = segment_words(segments.count, segments.inner, 0, 1);
  for (const std::uint64_t number :
       {static_cast<std::uint64_t>(count), static_cast<std::uint64_t>(segments.length),
        reciprocal_of(segments.length), static_cast<std::uint64_t>(tiles),
        std::uint64_t{segments.are_whole}})
    plan.numbers.push_back(number);
  LookBack::add_areas(plan, flagged_types(types), tiles);
  plan.steps.push_back(std::move(step));
  return plan;
}

EntryPoint segment_look_back_entry(jit::KernelModule& kernel, const ir::Function& function,
                                   const SegmentFunctions& functions, std::size_t rank) {
  return FlaggedEntry(kernel, function, functions, rank).run();
}

} // namespace sinter::gpu
