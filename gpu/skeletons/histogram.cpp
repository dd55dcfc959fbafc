// Histograms of scalars whose order cannot show, maps beside them.
//
//   update   In *shared* mode each block has bins of its own in shared memory, which begin with the
//            neutral element: several copies, as many as there is room for up to one for each warp,
//            so that threads meet less often.  Bins that do not fit are taken in passes: a row of
//            blocks for each part of them, which goes through all elements.  At its end a block
//            combines its copies, and those with the destination.  A thread reads several elements,
//            by 16 bytes where it can, before the first comes to its bin.  With few elements for
//            each bin, or too many parts, elements are combined with the destination at once
//            (*direct* mode).
//   merge    Only where elements take less than 4 bytes, for which there is no atomic operation:
//   all
//            blocks have combined into words of a work area; here they come to the destination.
//
// That an operator's order does not show means that each component has a commutative and
// associative operation of its own (jit/ir/operator_order.h): tuples are several histograms.  What
// has no atomic instruction, products above all, goes by compare-and-swap.
#include "gpu/kernels/abstract_functions.h"
#include "gpu/skeletons/entry_builder.h"
#include "gpu/skeletons/placed_groups.h"
#include "gpu/skeletons/skeletons.h"
#include "gpu/skeletons/slots.h"
#include "jit/emit/kernel_shape.h"
#include "jit/ir/operator_order.h"
#include "lang/primitives/primitives.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace sinter::gpu {

using llvm::AtomicRMWInst;
using llvm::Value;

namespace {

/// A destination of a group.
struct Component {
  std::size_t group = 0, number = 0; ///< of the group
  ElementType element{};
  std::optional<AtomicRMWInst::BinOp> instruction; ///< that combines; none: compare-and-swap
  bool is_small() const { return byte_size(element) < 4; }
};

std::optional<AtomicRMWInst::BinOp> instruction_of(const primitives::Primitive& primitive) {
  using primitives::Operation;
  switch (primitive.operation) {
  case Operation::Add:
    return AtomicRMWInst::Add;
  case Operation::Minimum:
    return is_signed(primitive.operand) ? AtomicRMWInst::Min : AtomicRMWInst::UMin;
  case Operation::Maximum:
    return is_signed(primitive.operand) ? AtomicRMWInst::Max : AtomicRMWInst::UMax;
  case Operation::And:
    return AtomicRMWInst::And;
  case Operation::Or:
    return AtomicRMWInst::Or;
  case Operation::Xor:
  case Operation::NotEqual: // of bools
    return AtomicRMWInst::Xor;
  default:
    return std::nullopt;
  }
}

std::vector<Component> components_of(const std::vector<PlacedGroup>& groups) {
  std::vector<Component> components;
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (std::size_t i = 0; i < groups[g].destinations.size(); ++i)
      components.push_back(
          {g, i, groups[g].destinations[i].element,
           instruction_of(*ir::component_operation(groups[g].histogram->combine, i))});
  return components;
}

/// What a thread has of its elements under way at once: registers for what it reads, updates that
/// are written down, statements of bodies.
constexpr std::size_t most_words_at_once = 16, most_elements_at_once = 16;
constexpr std::size_t most_statements_at_once = 128;
/// Elements that are not read by 16 bytes: of bodies with few statements so many.
constexpr std::int64_t several = 4;
constexpr std::size_t most_statements_of_several = 16;

class HistogramEntries {
public:
  static constexpr const char *update_entry = "update", *merge_entry = "merge";

  /// Numbers: the elements; copies, or 0 in direct mode; bytes of a copy; of each group its bins,
  /// and how many of them a pass takes; of each component where its bins begin in a copy, in bytes.
  static constexpr unsigned count_number = 0, copies_number = 1, copy_bytes_number = 2;
  static constexpr unsigned bins_number(std::size_t group) {
    return static_cast<unsigned>(3 + 2 * group);
  }
  static constexpr unsigned part_number(std::size_t group) {
    return static_cast<unsigned>(4 + 2 * group);
  }
  static constexpr unsigned offset_number(std::size_t groups, std::size_t component) {
    return static_cast<unsigned>(3 + 2 * groups + component);
  }

  HistogramEntries(const ir::Function& function, PlacedKernel& kernel)
      : soac_(*jit::parallel_soac(function)), kernel_(kernel), groups_(kernel.groups),
        components_(components_of(groups_)),
        // (What maps store would have to come before the next elements' loads.)
        may_be_several_(groups_.size() == soac_.groups.size() &&
                        jit::is_elementary(function, soac_.body)),
        counts_(word_counts(function, components_.size(),
                            offset_number(groups_.size(), components_.size()))) {}

  WordCounts counts() const { return counts_; }

  void make() {
    for (const PlacedGroup& group : groups_)
      folds_.push_back(kernel_.body.fold(group.neutral, group.histogram->combine));
    update();
    if (std::any_of(components_.begin(), components_.end(),
                    [](const Component& component) { return component.is_small(); }))
      merge();
  }

private:
  // ---- update

  void update() {
    const ElementFunction element =
        kernel_.body.element_and_lanes(BodyFunctions::Maps::Stored, Access::Shorter);
    EntryBuilder entry(kernel_.kernel, update_entry, counts_);
    jit::LaneBuilder& b = entry.b;
    entry.set_scratch();
    Value* const copies = entry.number(copies_number);
    const Own own = own_part(entry, copies);
    b.if_then(own.is_shared, [&] {
      begin_bins(entry);
      entry.barrier();
    });
    Value* const done = put_accesses(entry, element, own);
    put_elements(entry, element, own, done);
    b.if_then(own.is_shared, [&] {
      entry.barrier();
      end_bins(entry);
    });
    EntryPoint point = entry.finish();
    point.threads = most_threads;
    kernel_.entries.module.entries.push_back(point);
  }

  /// Of the thread's block: numbers are of 32 bits, as shared memory has no room for more.
  struct Own {
    Value* is_shared = nullptr;
    Value* copy_begin = nullptr;        ///< of the warp's copy, in bytes
    std::vector<Value*> begins, limits; ///< by group: the part's first bin; how many there are
  };

  Own own_part(EntryBuilder& entry, Value* copies) {
    llvm::IRBuilder<>& ir = entry.b.ir;
    Own own;
    own.is_shared = ir.CreateICmpNE(copies, entry.b.i64(0));
    Value* const warp = ir.CreateLShr(entry.wide(AbstractFunction::thread_index), 5);
    Value* const copy = ir.CreateAnd(warp, ir.CreateSub(copies, entry.b.i64(1)));
    own.copy_begin =
        ir.CreateTrunc(ir.CreateMul(copy, entry.number(copy_bytes_number)), ir.getInt32Ty());
    for_each_group([&](std::size_t g, std::size_t) {
      own.begins.push_back(ir.CreateTrunc(part_begin(entry, g), ir.getInt32Ty()));
      own.limits.push_back(ir.CreateTrunc(part_size(entry, g), ir.getInt32Ty()));
    });
    return own;
  }

  /// Elements by 16 bytes of the inputs, several of them under way at once; gives (i64) how many
  /// elements that were.
  Value* put_accesses(EntryBuilder& entry, const ElementFunction& element, const Own& own) {
    jit::LaneBuilder& b = entry.b;
    if (!element.wide.function) return b.i64(0);
    const std::int64_t lanes = element.wide.lanes;
    Value* const whole =
        b.ir.CreateSelect(may_be_wide(entry, element),
                          b.ir.CreateAnd(entry.number(count_number), b.i64(-lanes)), b.i64(0));
    const auto put = [&](auto&& put_all) {
      put_batches(
          entry, {b.i64(0), whole, b.i64(lanes)}, accesses_at_once(element.wide),
          [&](Value* index) { return compute_wide(entry, element, index, nullptr); }, put_all);
    };
    // (Loops of their own: what one of them needs takes no registers in the other.)
    b.if_then_else(
        own.is_shared, [&] { put([&](const Batch& batch) { all_into_block(entry, own, batch); }); },
        [&] { put([&](const Batch& batch) { all_directly(entry, batch); }); });
    return whole;
  }

  /// The elements from `begin` (i64) on, one by one; several loads are under way at once where the
  /// body does little beside.
  void put_elements(EntryBuilder& entry, const ElementFunction& element, const Own& own,
                    Value* begin) {
    put_batches(
        entry, {begin, entry.number(count_number), entry.b.i64(1)}, elements_at_once(element),
        [&](Value* index) {
          entry.empty_scratch();
          const ComputedElement computed = compute_element(entry, element, index);
          return ComputedElements{computed.is_right, {computed.values}};
        },
        [&](const Batch& batch) {
          entry.b.if_then_else(
              own.is_shared, [&] { all_into_block(entry, own, batch); },
              [&] { all_directly(entry, batch); });
        });
  }

  static std::int64_t accesses_at_once(const WideElements& wide) {
    const std::size_t elements =
        std::min(most_elements_at_once, most_statements_at_once / wide.statements);
    const std::size_t accesses =
        std::min(most_words_at_once / wide.words_of_inputs, elements / wide.lanes);
    return static_cast<std::int64_t>(std::max<std::size_t>(accesses, 1));
  }
  std::int64_t elements_at_once(const ElementFunction& element) const {
    return may_be_several_ && copied_statements(soac_.body) <= most_statements_of_several &&
                   words_of(element.types) * several <= most_words_at_once
               ? std::int64_t{several}
               : 1;
  }

  /// Elements that a thread has computed, by accesses, and which of these (i1) are to be put.
  struct Batch {
    std::vector<Value*> are_there;
    std::vector<ComputedElements> computed;
  };

  /// All threads' numbers from `first` on by `step`, `at_once` of each thread's computed before
  /// any of them comes to its bin.
  template <typename Compute, typename Put>
  void put_batches(EntryBuilder& entry, const Stride& stride, std::int64_t at_once,
                   Compute&& compute, Put&& put) {
    jit::LaneBuilder& b = entry.b;
    Value* const first =
        b.ir.CreateAdd(stride.first, b.ir.CreateMul(entry.thread_number(), stride.step));
    Value* const step = b.ir.CreateMul(entry.thread_count(), stride.step);
    const Stride batches = {first, stride.end, b.ir.CreateMul(step, b.i64(at_once))};
    for_each_number_while(entry, batches, [&](Value* begin) {
      Batch batch;
      Value* index = begin;
      Value* is_right = b.ir.getTrue();
      for (std::int64_t i = 0; i < at_once; ++i) {
        // What is not there is the first one once more, which does not come to its bin twice: all
        // that is read begins at once, under no condition.
        Value* const is_there = i == 0 ? b.ir.getTrue() : b.ir.CreateICmpSLT(index, stride.end);
        ComputedElements computed = compute(b.ir.CreateSelect(is_there, index, begin));
        is_right = b.ir.CreateAnd(is_right, computed.is_right);
        batch.are_there.push_back(b.ir.CreateAnd(is_there, computed.is_right));
        batch.computed.push_back(std::move(computed));
        index = b.ir.CreateAdd(index, step);
      }
      put(batch);
      return b.ir.CreateAnd(is_right, entry.may_go_on());
    });
  }

  template <typename Put>
  void put_all(EntryBuilder& entry, const Batch& batch, Put&& put) {
    for (std::size_t i = 0; i < batch.computed.size(); ++i)
      entry.b.if_then(batch.are_there[i], [&] {
        for (const Components& components : batch.computed[i].values)
          put(placed_elements(entry, groups_, components));
      });
  }
  void all_into_block(EntryBuilder& entry, const Own& own, const Batch& batch) {
    put_all(entry, batch,
            [&](const std::vector<PlacedElement>& placed) { into_block(entry, own, placed); });
  }
  void all_directly(EntryBuilder& entry, const Batch& batch) {
    put_all(entry, batch,
            [&](const std::vector<PlacedElement>& placed) { directly(entry, placed); });
  }

  void into_block(EntryBuilder& entry, const Own& own, std::span<const PlacedElement> placed) {
    llvm::IRBuilder<>& ir = entry.b.ir;
    for_each_group([&](std::size_t g, std::size_t first) {
      // A part ends below the greatest number of bins, so that what does not fit 32 bits is not
      // in it, and what is negative neither.
      Value* const place = placed[g].indices.size() == 1 ? placed[g].indices[0] : placed[g].place;
      Value* const low = ir.CreateTrunc(place, ir.getInt32Ty());
      Value* const number = ir.CreateSub(low, own.begins[g]);
      Value* const is_here =
          ir.CreateAnd(ir.CreateICmpEQ(ir.CreateSExt(low, ir.getInt64Ty()), place),
                       ir.CreateICmpULT(number, own.limits[g]));
      entry.b.if_then(is_here, [&] {
        for (std::size_t i = 0; i < groups_[g].destinations.size(); ++i)
          combine_at(entry, first + i, shared_place(entry, first + i, own.copy_begin, number),
                     placed[g].values);
      });
    });
  }

  void directly(EntryBuilder& entry, std::span<const PlacedElement> placed) {
    for_each_group([&](std::size_t g, std::size_t first) {
      entry.b.if_then(entry.b.ir.CreateICmpSGE(placed[g].place, entry.b.i64(0)), [&] {
        for (std::size_t i = 0; i < groups_[g].destinations.size(); ++i)
          combine_at(entry, first + i,
                     total_place(entry, first + i, placed[g].place, placed[g].indices),
                     placed[g].values);
      });
    });
  }

  /// Every copy of the block's bins begins with the neutral elements.
  void begin_bins(EntryBuilder& entry) {
    jit::LaneBuilder& b = entry.b;
    for_each_group([&](std::size_t g, std::size_t first) {
      const Components neutral = neutral_of(entry, folds_[g]);
      b.loop(b.i64(0), entry.number(copies_number), 1, [&](Value* copy) {
        Value* const bytes = b.ir.CreateMul(copy, entry.number(copy_bytes_number));
        for_each_number(
            entry, shared_by_block(entry, entry.number(part_number(g))), [&](Value* number) {
              for (std::size_t i = 0; i < neutral.size(); ++i)
                b.ir.CreateAlignedStore(to_slot(entry, components_[first + i].element, neutral[i]),
                                        shared_place(entry, first + i, bytes, number),
                                        llvm::Align(bytes_of_slot(components_[first + i].element)));
            });
      });
    });
  }

  /// The block's bins, copies combined, come to where all blocks' do.
  void end_bins(EntryBuilder& entry) {
    jit::LaneBuilder& b = entry.b;
    for_each_group([&](std::size_t g, std::size_t first) {
      const std::size_t count = groups_[g].destinations.size();
      const Components neutral = neutral_of(entry, folds_[g]);
      Value* const begin = part_begin(entry, g);
      Value* const end = part_size(entry, g);
      const ComponentVariables running(entry, folds_[g].types);
      for_each_number(entry, shared_by_block(entry, end), [&](Value* number) {
        running.set(shared_values(entry, first, count, b.i64(0), number));
        b.loop(b.i64(1), entry.number(copies_number), 1, [&](Value* copy) {
          Value* const bytes = b.ir.CreateMul(copy, entry.number(copy_bytes_number));
          running.set(combined(entry, folds_[g], running.get(),
                               shared_values(entry, first, count, bytes, number)));
        });
        const Components totals = running.get();
        Value* has_any = b.ir.getFalse();
        for (std::size_t i = 0; i < count; ++i)
          has_any = b.ir.CreateOr(has_any, b.ir.CreateICmpNE(totals[i], neutral[i]));
        b.if_then(has_any, [&] {
          Value* const place = b.ir.CreateAdd(begin, number);
          const std::vector<Value*> indices = indices_of(entry, groups_[g], place);
          for (std::size_t i = 0; i < count; ++i)
            combine_at(entry, first + i, total_place(entry, first + i, place, indices), totals);
        });
      });
    });
  }

  // ---- merge

  void merge() {
    EntryBuilder entry(kernel_.kernel, merge_entry, counts_);
    for_each_group([&](std::size_t g, std::size_t first) {
      const std::size_t count = groups_[g].destinations.size();
      for_each_number(entry, shared_by_all(entry, entry.number(bins_number(g))), [&](Value* place) {
        const std::vector<Value*> indices = indices_of(entry, groups_[g], place);
        const Components left = load_places(entry, groups_[g], indices);
        Components right = neutral_of(entry, folds_[g]);
        for (std::size_t i = 0; i < count; ++i)
          if (components_[first + i].is_small())
            right[i] =
                load_slot(entry, components_[first + i].element, area(entry, first + i), place);
        const Components totals = combined(entry, folds_[g], left, right);
        for (std::size_t i = 0; i < count; ++i)
          if (components_[first + i].is_small())
            store_place(entry, groups_[g].destinations[i], indices, totals[i]);
      });
    });
    kernel_.entries.module.entries.push_back(entry.finish());
  }

  // ---- places

  Value* area(EntryBuilder& entry, std::size_t component) const {
    return entry.area(static_cast<unsigned>(component));
  }
  /// Where all blocks' elements of a bin come to, by its number and its indices.
  Value* total_place(EntryBuilder& entry, std::size_t component, Value* place,
                     std::span<Value* const> indices) const {
    const Component& which = components_[component];
    if (which.is_small()) return slot_place(entry, which.element, area(entry, component), place);
    return entry.place(address_of(entry, groups_[which.group].destinations[which.number], indices));
  }
  Value* part_begin(EntryBuilder& entry, std::size_t g) const {
    return entry.b.ir.CreateMul(entry.wide(AbstractFunction::block_index_y),
                                entry.number(part_number(g)));
  }
  /// How many bins there are in the block's part.
  Value* part_size(EntryBuilder& entry, std::size_t g) const {
    jit::LaneBuilder& b = entry.b;
    Value* const left = b.ir.CreateSub(entry.number(bins_number(g)), part_begin(entry, g));
    Value* const some = b.lesser_of(entry.number(part_number(g)), left);
    return b.ir.CreateSelect(b.ir.CreateICmpSLT(some, b.i64(0)), b.i64(0), some);
  }
  /// The bin of that number in the block's part, in the copy that begins there.
  Value* shared_place(EntryBuilder& entry, std::size_t component, Value* copy_begin,
                      Value* number) const {
    llvm::IRBuilder<>& ir = entry.b.ir;
    const auto narrow = [&](Value* value) { return ir.CreateTrunc(value, ir.getInt32Ty()); };
    Value* const first = entry.number(offset_number(groups_.size(), component));
    Value* const bytes =
        ir.CreateMul(narrow(number), ir.getInt32(bytes_of_slot(components_[component].element)));
    Value* const offset = ir.CreateAdd(ir.CreateAdd(narrow(copy_begin), narrow(first)), bytes);
    return ir.CreateGEP(ir.getInt8Ty(), entry.call(AbstractFunction::shared_memory), offset);
  }
  Components shared_values(EntryBuilder& entry, std::size_t first, std::size_t count,
                           Value* copy_begin, Value* number) const {
    Components values;
    for (std::size_t i = first; i < first + count; ++i) {
      const ElementType element = components_[i].element;
      Value* const slot = entry.b.ir.CreateAlignedLoad(slot_type(entry, element),
                                                       shared_place(entry, i, copy_begin, number),
                                                       llvm::Align(bytes_of_slot(element)));
      values.push_back(from_slot(entry, element, slot));
    }
    return values;
  }
  /// Calls `visit(group, first component)`.
  template <typename Visit>
  void for_each_group(Visit&& visit) {
    std::size_t first = 0;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      visit(g, first);
      first += groups_[g].destinations.size();
    }
  }

  // ---- atomic operations

  /// The slot, and the component's value of an element's, atomically combined.
  void combine_at(EntryBuilder& entry, std::size_t component, Value* place,
                  const Components& values) {
    const Component& which = components_[component];
    if (which.instruction)
      entry.b.ir.CreateAtomicRMW(
          *which.instruction, place, to_slot(entry, which.element, values[which.number]),
          llvm::MaybeAlign(bytes_of_slot(which.element)), llvm::AtomicOrdering::Monotonic);
    else
      swap_at(entry, which, place, values);
  }

  void swap_at(EntryBuilder& entry, const Component& which, Value* place,
               const Components& values) {
    jit::LaneBuilder& b = entry.b;
    const llvm::Align alignment(bytes_of_slot(which.element));
    llvm::LoadInst* const first =
        b.ir.CreateAlignedLoad(slot_type(entry, which.element), place, alignment);
    first->setAtomic(llvm::AtomicOrdering::Monotonic);
    const jit::Variable seen =
        b.variable(bytes_of_slot(which.element) == 4 ? ElementType::I32 : ElementType::I64,
                   jit::Shape::Uniform);
    const jit::Variable waits = b.variable(ElementType::Bool, jit::Shape::Uniform);
    b.set(seen, {first, jit::Shape::Uniform, seen.element});
    b.set(waits, {b.ir.getTrue(), jit::Shape::Uniform, ElementType::Bool});
    b.while_loop(
        [&] { return b.get(waits).value; },
        [&] {
          Value* const old = b.get(seen).value;
          Components left = values; // (Components do not look at each other.)
          left[which.number] = from_slot(entry, which.element, old);
          const Components totals = combined(entry, folds_[which.group], left, values);
          Value* const pair = b.ir.CreateAtomicCmpXchg(
              place, old, to_slot(entry, which.element, totals[which.number]), alignment,
              llvm::AtomicOrdering::Monotonic, llvm::AtomicOrdering::Monotonic);
          b.set(seen, {b.ir.CreateExtractValue(pair, 0), jit::Shape::Uniform, seen.element});
          b.set(waits, {b.ir.CreateNot(b.ir.CreateExtractValue(pair, 1)), jit::Shape::Uniform,
                        ElementType::Bool});
        });
  }

  const ir::Soac& soac_;
  PlacedKernel& kernel_;
  const std::vector<PlacedGroup>& groups_;
  std::vector<Component> components_;
  bool may_be_several_;
  WordCounts counts_;
  std::vector<FoldFunctions> folds_; ///< by group
};

// ---- plan --------------------------------------------------------------------------------------

/// Bins of the groups in shared memory.
struct Parts {
  std::int64_t passes = 0;            ///< 0: too many
  std::vector<std::int64_t> of_group; ///< bins that a pass takes
  std::vector<std::int64_t> offsets;  ///< by component, bytes
  std::int64_t bytes = 0;             ///< of a copy
};

class HistogramPlan {
  static constexpr std::int64_t most_copies = 8, most_passes = 8;
  /// Elements of a block for each bin that it begins and ends with, and for each thread.
  static constexpr std::int64_t elements_for_bin = 2, least_elements = 4;
  /// Of a multiprocessor; and of shared memory what a block takes beside its own.
  static constexpr std::int64_t threads_at_once = 1536, shared_beside_block = 1 << 10;

public:
  HistogramPlan(const LaunchSizes& sizes, const std::vector<PlacedGroup>& groups, bool has_maps)
      : sizes_(sizes), groups_(groups), has_maps_(has_maps) {
    for (const PlacedGroup& group : groups)
      bins_.push_back(group.places(sizes));
  }

  LaunchPlan run() {
    const Parts parts = choose_parts();
    const bool is_shared = parts.passes > 0;
    const std::int64_t shared = static_cast<std::int64_t>(sizes_.shared_bytes);
    LaunchPlan plan;
    LaunchShape shape = shape_for_threads(sizes_, sizes_.count);
    std::int64_t copies = 0;
    if (is_shared) {
      if (sizes_.count > usual_threads) shape = shape_for_parts(parts);
      shape.blocks[1] = static_cast<std::uint32_t>(parts.passes);
      const std::int64_t warps = shape.threads / 32;
      for (copies = 1; 2 * copies <= std::min(warps, most_copies) &&
                       2 * copies * parts.bytes <= shared && 4 * copies * parts.bytes <= 16384;)
        copies *= 2;
      shape.shared_bytes = static_cast<std::uint32_t>(copies * parts.bytes);
    }
    plan.numbers = {static_cast<std::uint64_t>(sizes_.count), static_cast<std::uint64_t>(copies),
                    static_cast<std::uint64_t>(parts.bytes)};
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      plan.numbers.push_back(static_cast<std::uint64_t>(bins_[g]));
      plan.numbers.push_back(static_cast<std::uint64_t>(parts.of_group[g]));
    }
    for (const std::int64_t offset : parts.offsets)
      plan.numbers.push_back(static_cast<std::uint64_t>(offset));
    plan.steps.push_back({HistogramEntries::update_entry, shape, true});
    add_areas(plan);
    return plan;
  }

private:
  /// Where a multiprocessor has shared memory for few blocks, these have more threads, so that as
  /// many of them wait for elements.  Blocks of all passes go through the elements side by side:
  /// what one has read, the others find in the cache.
  LaunchShape shape_for_parts(const Parts& parts) const {
    const std::int64_t blocks =
        static_cast<std::int64_t>(sizes_.shared_bytes) / (parts.bytes + shared_beside_block);
    std::uint32_t threads = usual_threads;
    while (threads < most_threads && threads * blocks < threads_at_once)
      threads *= 2;
    const std::int64_t for_block =
        std::max(threads * least_elements, elements_for_bin * parts.bytes / 4);
    LaunchShape shape = shape_for_blocks(sizes_, divided_up(sizes_.count, for_block), threads);
    const std::int64_t at_once =
        std::int64_t{std::max(sizes_.multiprocessors, 1u)} * sizes_.blocks_of_multiprocessor;
    const std::int64_t of_pass = std::max<std::int64_t>(at_once / parts.passes, 1);
    shape.blocks[0] = static_cast<std::uint32_t>(std::min<std::int64_t>(shape.blocks[0], of_pass));
    return shape;
  }
  Parts parts_for(std::int64_t passes) const {
    Parts parts;
    parts.passes = passes;
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      const std::int64_t part = divided_up(bins_[g], passes);
      parts.of_group.push_back(part);
      for (const Destination& destination : groups_[g].destinations) {
        parts.bytes = (parts.bytes + 7) / 8 * 8;
        parts.offsets.push_back(parts.bytes);
        parts.bytes += part * bytes_of_slot(destination.element);
      }
    }
    parts.bytes = (parts.bytes + 7) / 8 * 8;
    return parts;
  }
  /// With maps beside it an element's body runs once.
  Parts choose_parts() const {
    std::int64_t most_bins = 0;
    for (const std::int64_t bins : bins_)
      most_bins = std::max(most_bins, bins);
    Parts none;
    none.of_group.assign(groups_.size(), 0);
    none.offsets = parts_for(most_passes).offsets;
    none.offsets.assign(none.offsets.size(), 0);
    if (most_bins > sizes_.count || most_bins > (std::int64_t{1} << 24)) return none;
    for (std::int64_t passes = 1; passes <= (has_maps_ ? 1 : most_passes); ++passes)
      if (Parts parts = parts_for(passes);
          parts.bytes <= static_cast<std::int64_t>(sizes_.shared_bytes))
        return parts;
    return none;
  }

  void add_areas(LaunchPlan& plan) const {
    std::int64_t most_bins = 0;
    bool is_any_small = false;
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for (std::size_t i = 0; i < groups_[g].destinations.size(); ++i) {
        const bool is_small = byte_size(groups_[g].destinations[i].element) < 4;
        // (A constant, as the order does not show.)
        const std::uint64_t neutral = groups_[g].neutral[i].scalar().bits;
        plan.areas.push_back({.bytes = is_small ? saturating_product(bins_[g], 4) : 0,
                              .beginning = WorkArea::Element{neutral & UINT32_MAX, 4}});
        is_any_small = is_any_small || is_small;
        most_bins = std::max(most_bins, bins_[g]);
      }
    if (is_any_small)
      plan.steps.push_back(
          {HistogramEntries::merge_entry, shape_for_threads(sizes_, most_bins), true});
  }

  const LaunchSizes& sizes_;
  const std::vector<PlacedGroup>& groups_;
  bool has_maps_;
  std::vector<std::int64_t> bins_;
};

} // namespace

std::optional<KernelEntries> make_histogram(const ir::Function& function,
                                            const SkeletonOptions& options) {
  std::vector<PlacedGroup> groups = placed_groups(function, options.layouts);
  const bool takes_it =
      !groups.empty() && std::all_of(groups.begin(), groups.end(), [](const PlacedGroup& group) {
        return group.histogram && !ir::order_shows(*group.histogram);
      });
  if (!takes_it) return std::nullopt;
  const bool has_maps = groups.size() < jit::parallel_soac(function)->groups.size();
  PlacedKernel kernel(function, options, groups);
  HistogramEntries entries(function, kernel);
  if (entries.counts().all() > most_entry_words) return std::nullopt;
  entries.make();
  return kernel.finish([groups = std::move(groups), has_maps](const LaunchSizes& sizes) {
    return HistogramPlan(sizes, groups, has_maps).run();
  });
}

} // namespace sinter::gpu
