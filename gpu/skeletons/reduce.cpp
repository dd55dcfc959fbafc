// Reductions of scalars whose order does not show, and maps beside them.
//
//   reduce    each thread folds elements (or 16 bytes of them), as many apart as there are threads;
//             each block's fold by exchange within warps, and then by way of shared memory
//   combine   one block folds what the blocks have left, if there are several
#include "gpu/skeletons/folds.h"
#include "gpu/skeletons/skeletons.h"
#include "jit/emit/kernel_shape.h"

#include <algorithm>
#include <functional>
#include <vector>

namespace sinter::gpu {

using llvm::Value;

namespace {

constexpr const char *reduce_entry = "reduce", *combine_entry_of_reduce = "combine";
constexpr std::int64_t most_warps_of_reduction = most_threads / warp_size;
/// Elements of a thread, where there are enough.
constexpr std::int64_t elements_of_thread = 16;

/// Registers for elements that are on their way from memory.
constexpr std::size_t words_of_reduction = 16;

enum class ReduceNumber : unsigned { Count, Blocks, All };

class ReduceEntries {
public:
  ReduceEntries(jit::KernelModule& kernel, const ir::Function& function, const Folds& reductions)
      : kernel_(kernel), reductions_(reductions), folds_(reductions.folds),
        counts_(word_counts(function, folds_.size(), static_cast<std::size_t>(ReduceNumber::All))),
        arrays_(component_arrays(folds_.types(), most_warps_of_reduction)) {}

  EntryPoint reduce() {
    EntryBuilder entry(kernel_, reduce_entry, counts_);
    jit::LaneBuilder& b = entry.b;
    const RunningValues sum = folds_.running(entry, folds_.neutral(entry));
    const jit::Variable is_calm = b.variable(ElementType::Bool, jit::Shape::Uniform);
    b.set(is_calm, b.uniform(b.ir.getTrue(), ElementType::Bool));
    fold_elements(entry, sum, is_calm, fold_accesses(entry, sum, is_calm));
    finish_block(entry, folds_.get(entry, sum), /*is_last=*/false);
    return entry.finish();
  }

  EntryPoint combine() {
    EntryBuilder entry(kernel_, combine_entry_of_reduce, counts_);
    jit::LaneBuilder& b = entry.b;
    const RunningValues sum = folds_.running(entry, folds_.neutral(entry));
    Value* const blocks = number(entry, ReduceNumber::Blocks);
    const jit::Variable next = b.variable(ElementType::I64, jit::Shape::Uniform);
    b.set(next, b.uniform(entry.wide(AbstractFunction::thread_index)));
    b.while_loop(
        [&] { return b.ir.CreateICmpSLT(b.get(next).value, blocks); },
        [&] {
          Value* const index = b.get(next).value;
          folds_.fold(entry, sum, folds_.load_areas(entry, 0, index));
          b.set(next, b.uniform(b.ir.CreateAdd(index, entry.wide(AbstractFunction::block_size))));
        });
    finish_block(entry, folds_.get(entry, sum), /*is_last=*/true);
    return entry.finish();
  }

private:
  /// Goes on with the thread's next index, `step` (i64) further, while that is below `end` and
  /// nothing has failed; `body` is given it, and says (i1) whether all was well.
  static void go_on(EntryBuilder& entry, const jit::Variable& is_calm, Value* begin, Value* end,
                    Value* step, const std::function<Value*(Value*)>& body) {
    jit::LaneBuilder& b = entry.b;
    const jit::Variable next = b.variable(ElementType::I64, jit::Shape::Uniform);
    b.set(next, b.uniform(begin));
    b.while_loop(
        [&] {
          return b.ir.CreateAnd(b.ir.CreateICmpSLT(b.get(next).value, end), b.get(is_calm).value);
        },
        [&] {
          Value* const index = b.get(next).value;
          Value* const is_right = body(index);
          b.set(is_calm, b.uniform(b.ir.CreateAnd(is_right, entry.may_go_on()), ElementType::Bool));
          b.set(next, b.uniform(b.ir.CreateAdd(index, step)));
        });
  }

  /// Elements by 16 bytes of the inputs; gives (i64) how many that were.
  Value* fold_accesses(EntryBuilder& entry, const RunningValues& sum,
                       const jit::Variable& is_calm) const {
    const ElementFunction& element = reductions_.element;
    jit::LaneBuilder& b = entry.b;
    if (!element.wide.function) return b.i64(0);
    const std::int64_t lanes = element.wide.lanes;
    const std::int64_t accesses = element.wide.accesses_within(words_of_reduction);
    Value* const whole = b.ir.CreateSelect(
        may_be_wide(entry, element),
        b.ir.CreateAnd(number(entry, ReduceNumber::Count), b.i64(-lanes)), b.i64(0));
    Value* const step = b.ir.CreateMul(entry.thread_count(), b.i64(lanes));
    go_on(entry, is_calm, b.ir.CreateMul(entry.thread_number(), b.i64(lanes)), whole,
          b.ir.CreateMul(step, b.i64(accesses)), [&](Value* first) {
            std::vector<Value*> are_there;
            std::vector<ComputedElements> computed;
            for (std::int64_t i = 0; i < accesses; ++i) {
              Value* const index = b.ir.CreateAdd(first, b.ir.CreateMul(step, b.i64(i)));
              are_there.push_back(b.ir.CreateICmpSLT(index, whole));
              computed.push_back(compute_wide(entry, element, index, are_there.back()));
            }
            Value* is_right = b.ir.getTrue();
            for (std::size_t i = 0; i < computed.size(); ++i) {
              is_right = b.ir.CreateAnd(is_right, computed[i].is_right);
              b.if_then(are_there[i], [&] {
                for (const Components& values : computed[i].values)
                  folds_.fold(entry, sum, values);
              });
            }
            return is_right;
          });
    return whole;
  }
  /// The elements from `begin` (i64) on, one by one.
  void fold_elements(EntryBuilder& entry, const RunningValues& sum, const jit::Variable& is_calm,
                     Value* begin) const {
    go_on(entry, is_calm, entry.b.ir.CreateAdd(begin, entry.thread_number()),
          number(entry, ReduceNumber::Count), entry.thread_count(), [&](Value* index) {
            const ComputedElement element = compute_element(entry, reductions_.element, index);
            folds_.fold(entry, sum, element.values);
            return element.is_right;
          });
  }

  static Value* number(EntryBuilder& entry, ReduceNumber which) {
    return entry.number(static_cast<unsigned>(which));
  }
  /// The block's fold becomes the result, if there is no other block.
  void finish_block(EntryBuilder& entry, const Components& values, bool is_last) {
    jit::LaneBuilder& b = entry.b;
    Value* const shared = entry.call(AbstractFunction::shared_memory);
    const Components sum = folds_.over_block(entry, values, shared, arrays_);
    Value* const is_first_thread =
        b.ir.CreateICmpEQ(entry.wide(AbstractFunction::thread_index), b.i64(0));
    b.if_then(is_first_thread, [&] {
      if (is_last) return reductions_.store_results(entry, sum);
      b.if_then_else(
          b.ir.CreateICmpEQ(number(entry, ReduceNumber::Blocks), b.i64(1)),
          [&] { reductions_.store_results(entry, sum); },
          [&] { folds_.store_areas(entry, 0, entry.wide(AbstractFunction::block_index_x), sum); });
    });
  }

  jit::KernelModule& kernel_;
  const Folds& reductions_;
  const FoldSet& folds_;
  WordCounts counts_;
  ComponentArrays arrays_;
};

LaunchPlan plan_reduction(const LaunchSizes& sizes, const std::vector<ElementType>& types) {
  LaunchPlan plan;
  LaunchShape shape = shape_for_threads(sizes, sizes.count);
  const std::int64_t wanted = divided_up(sizes.count, usual_threads * elements_of_thread);
  const std::int64_t least = 4 * std::int64_t{sizes.multiprocessors};
  shape.blocks[0] =
      static_cast<std::uint32_t>(std::min<std::int64_t>(shape.blocks[0], std::max(wanted, least)));
  shape.shared_bytes =
      static_cast<std::uint32_t>(component_arrays(types, most_warps_of_reduction).bytes);
  const std::int64_t blocks = shape.blocks[0];
  plan.numbers = {static_cast<std::uint64_t>(sizes.count), static_cast<std::uint64_t>(blocks)};
  for (const ElementType type : types)
    plan.areas.push_back({blocks * static_cast<std::int64_t>(byte_size(type)), {}});
  plan.steps.push_back({reduce_entry, shape});
  if (blocks == 1) return plan;
  LaunchShape last = shape;
  last.blocks[0] = 1;
  last.threads = static_cast<std::uint32_t>(
      std::min<std::int64_t>(divided_up(blocks, warp_size) * warp_size, usual_threads));
  plan.steps.push_back({combine_entry_of_reduce, last});
  return plan;
}

} // namespace

std::optional<KernelEntries> make_reduce(const ir::Function& function,
                                         const SkeletonOptions& options) {
  const ir::Soac& soac = *jit::parallel_soac(function);
  if (jit::keeps_fold_order(soac) || !has_plain_folds<ir::ReduceGroup>(function, soac))
    return std::nullopt;
  return make_around_body(
      function, options,
      [&](jit::KernelModule& kernel, BodyFunctions& body, KernelEntries& result) {
        const Folds reductions =
            folds_of<ir::ReduceGroup>(function, body, BodyFunctions::Maps::Stored);
        ReduceEntries entries(kernel, function, reductions);
        result.module.entries = {entries.reduce(), entries.combine()};
        result.plan = [types = reductions.folds.types()](const LaunchSizes& sizes) {
          return plan_reduction(sizes, types);
        };
      });
}

} // namespace sinter::gpu
