// Partitions of scalars by small numbers, maps beside them.  Elements are cut into chunks, each the
// work of a block of one warp, which goes through them 32 at a time and in order.
//
//   count    Of each chunk how many elements are of each kind.
//   within   A block for a kind: where each chunk's elements begin among those of the kind.
//   begins   Where kinds begin.
//   place    Elements are computed once more and put to their places.  Threads with equal kinds
//   find
//            each other by ballots over the bits of the number; the first one of them takes the
//            kind's next place, and the others stand behind it as they do in the warp.
//
// A chunk's counts and next places, a word for each kind, are in shared memory where the number of
// kinds is known to be small, and else in the work area: the nearest cache has those that are met
// often.
#include "gpu/skeletons/partition.h"
#include "gpu/skeletons/entry_builder.h"
#include "gpu/skeletons/skeletons.h"
#include "gpu/skeletons/slots.h"
#include "gpu/skeletons/threads_alike.h"
#include "jit/emit/kernel_shape.h"
#include "jit/emit/skeletons.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace sinter::gpu {

using jit::Shape;
using llvm::Value;

namespace {

/// Kinds whose words lie in shared memory: so few that a multiprocessor has many such blocks.
constexpr std::int64_t most_near_kinds = 4096;
/// Elements that a thread has under way at once, of bodies that are short.
constexpr std::int64_t several = 4;
constexpr std::size_t most_statements_of_several = 16, most_words_of_several = 16;
/// Words of a work area that a thread reads at once.
constexpr std::int64_t words_at_once = 4;
constexpr std::int64_t word_bytes = 4;

/// Of the greatest number of a kind.
std::uint32_t bits_of(std::int64_t kinds) {
  return static_cast<std::uint32_t>(
      std::bit_width(static_cast<std::uint64_t>(std::max(kinds, std::int64_t{1}) - 1)));
}

const ir::PartitionGroup* partition_of(const ir::Soac& soac) {
  for (const ir::Group& group : soac.groups)
    if (const auto* partition = std::get_if<ir::PartitionGroup>(&group)) return partition;
  return nullptr;
}

class PartitionEntries {
public:
  static constexpr const char *count_entry = "count", *within_entry = "within",
                              *begins_entry = "begins", *place_entry = "place";

  /// Areas: for each kind a word of each chunk; a word for each kind.
  enum class Area : unsigned { Cells, Kinds, All };
  /// `Bits`: of a kind's number.
  enum class Number : unsigned { Count, Kinds, Chunks, Length, Bits, All };

  PartitionEntries(jit::KernelModule& kernel, const ir::Function& function, bool are_near)
      : kernel_(kernel), soac_(*jit::parallel_soac(function)),
        counts_(word_counts(function, static_cast<std::size_t>(Area::All),
                            static_cast<std::size_t>(Number::All))),
        are_near_(are_near) {
    const std::vector<jit::GroupPosition> positions = jit::group_positions(soac_);
    for (std::size_t g = 0; g < soac_.groups.size(); ++g)
      if (std::holds_alternative<ir::PartitionGroup>(soac_.groups[g]))
        result_ = static_cast<unsigned>(positions[g].result);
  }

  std::vector<EntryPoint> make(BodyFunctions& body) {
    const ElementFunction all = body.element(BodyFunctions::Maps::Stored);
    const ElementFunction alone =
        ir::has_group<ir::MapGroup>(soac_) ? body.element(BodyFunctions::Maps::Left) : all;
    return {count(all), within(), begins(), place(alone)};
  }

private:
  /// What a warp works on, i64.
  struct Chunk {
    Value *number, *begin, *end;
  };

  EntryBuilder entry_of(const char* name) { return {kernel_, name, counts_}; }
  static Value* number(EntryBuilder& entry, Number which) {
    return entry.number(static_cast<unsigned>(which));
  }

  template <typename Body>
  void for_each_chunk(EntryBuilder& entry, Body&& body) {
    jit::LaneBuilder& b = entry.b;
    for_each_number(
        entry, shared_by_blocks(entry, number(entry, Number::Chunks)), [&](Value* which) {
          Chunk chunk{.number = which};
          Value* const length = number(entry, Number::Length);
          chunk.begin = b.ir.CreateMul(which, length);
          chunk.end =
              b.lesser_of(b.ir.CreateAdd(chunk.begin, length), number(entry, Number::Count));
          body(chunk);
        });
  }
  static Stride shared_by_blocks(EntryBuilder& entry, Value* end) {
    return {entry.wide(AbstractFunction::block_index_x), end,
            entry.wide(AbstractFunction::grid_size_x)};
  }

  // ---- words

  Value* word_of(EntryBuilder& entry, Area area, Value* index) const {
    return slot_place(entry, ElementType::I32, entry.area(static_cast<unsigned>(area)), index);
  }
  /// Of a kind (i64) in a chunk.
  Value* cell(EntryBuilder& entry, Value* kind, Value* chunk) const {
    llvm::IRBuilder<>& ir = entry.b.ir;
    return word_of(entry, Area::Cells,
                   ir.CreateAdd(ir.CreateMul(kind, number(entry, Number::Chunks)), chunk));
  }
  /// The same while a warp is at the chunk.
  Value* near(EntryBuilder& entry, Value* kind, const Chunk& chunk) const {
    if (!are_near_) return cell(entry, kind, chunk.number);
    return entry.b.ir.CreateGEP(entry.b.ir.getInt32Ty(),
                                entry.call(AbstractFunction::shared_memory), kind);
  }
  static Value* load(EntryBuilder& entry, Value* place) {
    return entry.b.ir.CreateAlignedLoad(entry.b.ir.getInt32Ty(), place, llvm::Align(word_bytes));
  }
  static void store(EntryBuilder& entry, Value* value, Value* place) {
    entry.b.ir.CreateAlignedStore(value, place, llvm::Align(word_bytes));
  }
  template <typename Body>
  void for_each_kind(EntryBuilder& entry, Body&& body) const {
    for_each_number(entry, shared_by_block(entry, number(entry, Number::Kinds)), body);
  }

  // ---- elements

  std::int64_t elements_at_once(const ElementFunction& element) const {
    return copied_statements(soac_.body) <= most_statements_of_several &&
                   words_of(element.types) * several <= most_words_of_several
               ? several
               : 1;
  }

  struct Computed {
    Value* is_there; ///< i1
    ComputedElement element;
  };
  /// Those at `first`, `first` + 32, …; what is behind the end is the chunk's first once more, so
  /// that all that is read begins at once, under no condition.
  std::vector<Computed> computed(EntryBuilder& entry, const ElementFunction& element,
                                 const Chunk& chunk, Value* first, std::int64_t at_once) const {
    llvm::IRBuilder<>& ir = entry.b.ir;
    std::vector<Computed> all;
    for (std::int64_t i = 0; i < at_once; ++i) {
      Value* const index = ir.CreateAdd(first, entry.b.i64(i * warp_size));
      Value* const is_there = ir.CreateICmpSLT(index, chunk.end);
      all.push_back({is_there, compute_element(entry, element,
                                               ir.CreateSelect(is_there, index, chunk.begin))});
    }
    return all;
  }
  static Value* kind_of(EntryBuilder& entry, const Computed& one) {
    return entry.b.ir.CreateZExt(one.element.values[0], entry.b.ir.getInt64Ty());
  }

  // ---- count

  EntryPoint count(const ElementFunction& element) {
    EntryBuilder entry = entry_of(count_entry);
    jit::LaneBuilder& b = entry.b;
    // (What maps store would be stored twice.)
    const std::int64_t at_once = ir::has_group<ir::MapGroup>(soac_) ? 1 : elements_at_once(element);
    for_each_chunk(entry, [&](const Chunk& chunk) {
      if (are_near_) {
        for_each_kind(
            entry, [&](Value* kind) { store(entry, b.ir.getInt32(0), near(entry, kind, chunk)); });
        entry.barrier();
      }
      Value* const lane = entry.wide(AbstractFunction::thread_index);
      const Stride own{b.ir.CreateAdd(chunk.begin, lane), chunk.end, b.i64(at_once * warp_size)};
      for_each_number_while(entry, own, [&](Value* first) {
        Value* goes_on = entry.may_go_on();
        for (const Computed& one : computed(entry, element, chunk, first, at_once)) {
          b.if_then(b.ir.CreateAnd(one.is_there, one.element.is_right), [&] {
            b.ir.CreateAtomicRMW(llvm::AtomicRMWInst::Add, near(entry, kind_of(entry, one), chunk),
                                 b.ir.getInt32(1), llvm::MaybeAlign(word_bytes),
                                 llvm::AtomicOrdering::Monotonic);
          });
          goes_on = b.ir.CreateAnd(goes_on, one.element.is_right);
        }
        return goes_on;
      });
      if (are_near_) {
        entry.barrier();
        for_each_kind(entry, [&](Value* kind) {
          store(entry, load(entry, near(entry, kind, chunk)), cell(entry, kind, chunk.number));
        });
        entry.barrier();
      }
    });
    return entry.finish();
  }

  // ---- within, begins

  /// By one warp: of words `load` gives by their index, `store` gets the index, the sum of those
  /// before and the word itself.  Gives the sum of all.
  template <typename Load, typename Store>
  Value* sums_before(EntryBuilder& entry, Value* count, Load&& load, Store&& store) const {
    jit::LaneBuilder& b = entry.b;
    Value* const lane = entry.call(AbstractFunction::thread_index);
    Value* const wide_lane = b.ir.CreateZExt(lane, b.ir.getInt64Ty());
    const auto variable = [&] { return b.variable(ElementType::I32, Shape::Uniform); };
    const auto set = [&](const jit::Variable& variable, Value* value) {
      b.set(variable, {value, Shape::Uniform, ElementType::I32});
    };
    const jit::Variable before = variable();
    set(before, b.ir.getInt32(0));
    const Stride tiles{b.i64(0), count, b.i64(words_at_once * warp_size)};
    for_each_number(entry, tiles, [&](Value* tile) {
      std::vector<Value*> indices, words;
      for (std::int64_t i = 0; i < words_at_once; ++i) {
        indices.push_back(b.ir.CreateAdd(b.ir.CreateAdd(tile, b.i64(i * warp_size)), wide_lane));
        const jit::Variable word = variable();
        set(word, b.ir.getInt32(0));
        b.if_then(b.ir.CreateICmpSLT(indices.back(), count),
                  [&] { set(word, load(indices.back())); });
        words.push_back(b.get(word).value);
      }
      for (std::size_t i = 0; i < words.size(); ++i) {
        Value* sum = words[i];
        for (std::uint32_t distance = 1; distance < warp_size; distance *= 2) {
          Value* const other =
              entry.call(AbstractFunction::shuffle_up, {sum, b.ir.getInt32(distance)});
          sum = b.ir.CreateSelect(b.ir.CreateICmpUGE(lane, b.ir.getInt32(distance)),
                                  b.ir.CreateAdd(sum, other), sum);
        }
        Value* const so_far = b.get(before).value;
        b.if_then(b.ir.CreateICmpSLT(indices[i], count), [&] {
          store(indices[i], b.ir.CreateAdd(so_far, b.ir.CreateSub(sum, words[i])), words[i]);
        });
        Value* const whole =
            entry.call(AbstractFunction::shuffle, {sum, b.ir.getInt32(warp_size - 1)});
        set(before, b.ir.CreateAdd(so_far, whole));
      }
    });
    return b.get(before).value;
  }

  EntryPoint within() {
    EntryBuilder entry = entry_of(within_entry);
    for_each_number(entry, shared_by_blocks(entry, number(entry, Number::Kinds)), [&](Value* kind) {
      Value* const total = sums_before(
          entry, number(entry, Number::Chunks),
          [&](Value* chunk) { return load(entry, cell(entry, kind, chunk)); },
          [&](Value* chunk, Value* sum, Value*) { store(entry, sum, cell(entry, kind, chunk)); });
      entry.by_first_thread([&] { store(entry, total, word_of(entry, Area::Kinds, kind)); });
    });
    return entry.finish();
  }

  EntryPoint begins() {
    EntryBuilder entry = entry_of(begins_entry);
    jit::LaneBuilder& b = entry.b;
    Value* const counts = entry.place(entry.result(result_));
    sums_before(
        entry, number(entry, Number::Kinds),
        [&](Value* kind) { return load(entry, word_of(entry, Area::Kinds, kind)); },
        [&](Value* kind, Value* sum, Value* total) {
          store(entry, sum, word_of(entry, Area::Kinds, kind));
          b.ir.CreateAlignedStore(b.ir.CreateZExt(total, b.ir.getInt64Ty()),
                                  b.ir.CreateGEP(b.ir.getInt64Ty(), counts, kind), llvm::Align(8));
        });
    return entry.finish();
  }

  // ---- place

  EntryPoint place(const ElementFunction& element) {
    EntryBuilder entry = entry_of(place_entry);
    jit::LaneBuilder& b = entry.b;
    const std::int64_t at_once = elements_at_once(element);
    Value* const lane = entry.call(AbstractFunction::thread_index);
    for_each_chunk(entry, [&](const Chunk& chunk) {
      for_each_kind(entry, [&](Value* kind) {
        Value* const first = b.ir.CreateAdd(load(entry, cell(entry, kind, chunk.number)),
                                            load(entry, word_of(entry, Area::Kinds, kind)));
        store(entry, first, near(entry, kind, chunk));
      });
      entry.barrier();
      const Stride tiles{chunk.begin, chunk.end, b.i64(at_once * warp_size)};
      for_each_number_while(entry, tiles, [&](Value* tile) {
        Value* const first = b.ir.CreateAdd(tile, b.ir.CreateZExt(lane, b.ir.getInt64Ty()));
        const std::vector<Computed> elements = computed(entry, element, chunk, first, at_once);
        std::vector<Value*> alike(elements.size());
        for (std::size_t i = 0; i < elements.size(); ++i)
          alike[i] = alike_of(entry, elements[i]);
        for (std::size_t i = 0; i < elements.size(); ++i)
          put(entry, element, chunk, elements[i], alike[i]);
        // (All threads hear the same.)
        Value* const ends =
            entry.call(AbstractFunction::ballot, {b.ir.CreateNot(entry.may_go_on())});
        return b.ir.CreateICmpEQ(ends, b.ir.getInt32(0));
      });
      entry.barrier();
    });
    return entry.finish();
  }

  /// Which threads have an element of the same kind as the thread itself, as bits.
  Value* alike_of(EntryBuilder& entry, const Computed& one) const {
    const ir::Operand& kinds = partition_of(soac_)->kinds;
    Value* const bits = kinds.is_constant()
                            ? entry.b.i64(bits_of(kinds.scalar().as<std::int64_t>()))
                            : number(entry, Number::Bits);
    return threads_alike(entry, one.element.values[0],
                         entry.call(AbstractFunction::ballot, {one.is_there}), bits);
  }

  /// `alike`: bits of the thread itself and others.
  void put(EntryBuilder& entry, const ElementFunction& element, const Chunk& chunk,
           const Computed& one, Value* alike) const {
    jit::LaneBuilder& b = entry.b;
    const auto bits_in = [&](Value* bits) {
      return b.ir.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, bits);
    };
    Value* const before = threads_before(entry, alike);
    Value* const leads = b.ir.CreateAnd(one.is_there, b.ir.CreateICmpEQ(before, b.ir.getInt32(0)));
    const jit::Variable next = b.variable(ElementType::I32, Shape::Uniform);
    b.set(next, {b.ir.getInt32(0), Shape::Uniform, ElementType::I32});
    b.if_then(leads, [&] {
      Value* const place = near(entry, kind_of(entry, one), chunk);
      Value* const begin = load(entry, place);
      store(entry, b.ir.CreateAdd(begin, bits_in(alike)), place);
      b.set(next, {begin, Shape::Uniform, ElementType::I32});
    });
    // (No bit is set where the thread has no element: it asks itself.)
    Value* const leader = b.ir.CreateSelect(
        one.is_there, b.ir.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, alike, b.ir.getFalse()),
        entry.call(AbstractFunction::thread_index));
    Value* const begin = entry.call(AbstractFunction::shuffle, {b.get(next).value, leader});
    entry.barrier(); // the next elements' leaders see the word
    b.if_then(one.is_there, [&] {
      Value* const index =
          b.ir.CreateZExt(b.ir.CreateAdd(begin, bits_in(before)), b.ir.getInt64Ty());
      for (std::size_t v = 1; v < element.types.size(); ++v) {
        Value* const value = one.element.values[v];
        Value* const array = entry.place(entry.result(result_ + static_cast<unsigned>(v)));
        b.ir.CreateAlignedStore(value, b.ir.CreateGEP(value->getType(), array, index),
                                llvm::Align(byte_size(element.types[v])));
      }
    });
  }

  jit::KernelModule& kernel_;
  const ir::Soac& soac_;
  WordCounts counts_;
  bool are_near_;
  unsigned result_ = 0; ///< counts; the arrays come behind
};

/// `kinds` is a parameter, or a constant.
struct NumberOfKinds {
  std::int64_t constant = 0;
  std::optional<std::size_t> parameter;

  std::int64_t at(const LaunchSizes& sizes) const {
    return parameter ? static_cast<std::int64_t>(sizes.scalars[*parameter]) : constant;
  }
  bool are_near() const { return !parameter && constant <= most_near_kinds; }
};

NumberOfKinds number_of_kinds(const ir::Function& function, const ir::Operand& kinds) {
  if (kinds.is_constant()) return {kinds.scalar().as<std::int64_t>(), std::nullopt};
  return {0, jit::parameter_index(function, kinds.value())};
}

LaunchPlan plan_partition(const LaunchSizes& sizes, const NumberOfKinds& number_of_kinds) {
  using Entries = PartitionEntries;
  /// So many elements are a chunk at least, and so many for each kind, which has a word to itself.
  constexpr std::int64_t least_elements = 1024, least_elements_of_kind = 4;
  constexpr std::int64_t most_elements = std::int64_t{1} << 32; // places have 32 bits
  const std::int64_t kinds = number_of_kinds.at(sizes);
  const std::int64_t wanted = std::clamp<std::int64_t>(
      sizes.count / std::max(least_elements, kinds * least_elements_of_kind), 1, most_warps(sizes));
  const std::int64_t length = std::max<std::int64_t>(
      divided_up(divided_up(sizes.count, wanted), warp_size) * warp_size, warp_size);
  const std::int64_t chunks = std::max<std::int64_t>(divided_up(sizes.count, length), 1);
  LaunchPlan plan;
  for (const std::int64_t number : {sizes.count, kinds, chunks, length})
    plan.numbers.push_back(static_cast<std::uint64_t>(number));
  plan.numbers.push_back(bits_of(kinds));
  const bool are_near = number_of_kinds.are_near();
  WorkArea cells{.bytes = sizes.count < most_elements
                              ? saturating_product(saturating_product(kinds, chunks), word_bytes)
                              : INT64_MAX,
                 .beginning = {}};
  if (!are_near) cells.beginning = WorkArea::Element{0, word_bytes};
  plan.areas = {cells, {.bytes = saturating_product(kinds, word_bytes), .beginning = {}}};
  LaunchShape by_chunks = shape_for_warps(sizes, chunks);
  if (are_near) by_chunks.shared_bytes = static_cast<std::uint32_t>(kinds * word_bytes);
  plan.steps = {{Entries::count_entry, by_chunks},
                {Entries::within_entry, shape_for_warps(sizes, kinds)},
                {Entries::begins_entry, shape_for_warps(sizes, 1)},
                {Entries::place_entry, by_chunks}};
  return plan;
}

} // namespace

bool partitions_scalars(const ir::Function& function, const ir::Soac& soac) {
  const ir::PartitionGroup* const partition = partition_of(soac);
  if (!partition || !jit::is_elementary(function, soac.body)) return false;
  const bool is_known = partition->kinds.is_constant() ||
                        jit::parameter_index(function, partition->kinds.value()).has_value();
  bool are_right = is_known;
  std::size_t partitions = 0;
  ir::for_each_group(soac, [&](const ir::Group& group, std::size_t first, std::size_t) {
    if (std::holds_alternative<ir::MapGroup>(group)) return;
    are_right = are_right && std::holds_alternative<ir::PartitionGroup>(group) && ++partitions == 1;
    for (std::size_t i = 0; i < ir::arity(group).body_results; ++i)
      are_right = are_right && function.type(soac.body.results[first + i]).is_scalar();
  });
  return are_right;
}

std::optional<KernelEntries> make_partition(const ir::Function& function,
                                            const SkeletonOptions& options) {
  const ir::Soac& soac = *jit::parallel_soac(function);
  if (!partitions_scalars(function, soac)) return std::nullopt;
  const NumberOfKinds kinds = number_of_kinds(function, partition_of(soac)->kinds);
  return make_around_body(
      function, options,
      [&](jit::KernelModule& kernel, BodyFunctions& body, KernelEntries& result) {
        result.module.entries = PartitionEntries(kernel, function, kinds.are_near()).make(body);
        result.plan = [kinds](const LaunchSizes& sizes) { return plan_partition(sizes, kinds); };
      });
}

} // namespace sinter::gpu
