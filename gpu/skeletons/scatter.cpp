// Scatters of scalars, maps beside them: all threads write at once, and the last write stays.
//
//   write    Each element whose place nobody has met yet writes there; a bitmap has the places that
//            were met.  Who finds its place met sets a flag instead.
//   clear    Only if the flag is set, as the steps behind it: no place has an owner.
//   own      Each element bids for its place with its index; the greatest is the owner.
//   settle   Owners write.
//
// So where all indices differ, as is usual, the body runs once for each element, and what it costs
// beside that is a bit; the other steps look at the flag and end.  With duplicates, the body runs
// three times, which needs no memory for indices and values.  (TRIED, on paper: beginning with the
// owners is a word for each place, and two bodies, always.)
#include "gpu/skeletons/entry_builder.h"
#include "gpu/skeletons/placed_groups.h"
#include "gpu/skeletons/skeletons.h"
#include "gpu/skeletons/slots.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace sinter::gpu {

using llvm::Value;

namespace {

class ScatterEntries {
public:
  static constexpr const char *write_entry = "write", *clear_entry = "clear", *own_entry = "own",
                              *settle_entry = "settle";
  static constexpr std::int64_t owner_bytes = 8;

  /// Areas: the flag; of each group a bitmap and the owners.  Numbers: the elements; of each group
  /// its places.
  static constexpr unsigned flag_area = 0, count_number = 0;
  static constexpr unsigned bitmap_area(std::size_t group) {
    return static_cast<unsigned>(1 + 2 * group);
  }
  static constexpr unsigned owner_area(std::size_t group) {
    return static_cast<unsigned>(2 + 2 * group);
  }
  static constexpr unsigned places_number(std::size_t group) {
    return static_cast<unsigned>(1 + group);
  }

  ScatterEntries(const ir::Function& function, PlacedKernel& kernel)
      : kernel_(kernel), groups_(kernel.groups),
        counts_(word_counts(function, 1 + 2 * groups_.size(), 1 + groups_.size())) {}

  WordCounts counts() const { return counts_; }

  void write() {
    const ElementFunction element = kernel_.body.element(BodyFunctions::Maps::Stored);
    EntryBuilder entry(kernel_.kernel, write_entry, counts_);
    entry.set_scratch();
    for_each_element(entry, element, groups_, elements(entry),
                     [&](Value*, std::span<const PlacedElement> placed) {
                       for (std::size_t g = 0; g < groups_.size(); ++g)
                         entry.b.if_then(entry.b.ir.CreateICmpSGE(placed[g].place, entry.b.i64(0)),
                                         [&] { write_first(entry, g, placed[g]); });
                     });
    kernel_.entries.module.entries.push_back(entry.finish());
  }

  void clear() {
    EntryBuilder entry(kernel_.kernel, clear_entry, counts_);
    go_on_with_duplicates(entry);
    for (std::size_t g = 0; g < groups_.size(); ++g)
      for_each_number(entry, shared_by_all(entry, entry.number(places_number(g))),
                      [&](Value* place) {
                        entry.b.ir.CreateAlignedStore(entry.b.i64(0), owner(entry, g, place),
                                                      llvm::Align(owner_bytes));
                      });
    kernel_.entries.module.entries.push_back(entry.finish());
  }

  /// The steps that go through the elements once more.
  void own_and_settle() {
    const ElementFunction element = kernel_.body.element(BodyFunctions::Maps::Left);
    go_through_again(
        own_entry, element,
        [&](EntryBuilder& entry, std::size_t g, Value* bid, const PlacedElement& placed) {
          entry.b.ir.CreateAtomicRMW(llvm::AtomicRMWInst::UMax, owner(entry, g, placed.place), bid,
                                     llvm::MaybeAlign(owner_bytes),
                                     llvm::AtomicOrdering::Monotonic);
        });
    go_through_again(
        settle_entry, element,
        [&](EntryBuilder& entry, std::size_t g, Value* bid, const PlacedElement& placed) {
          Value* const greatest = entry.b.ir.CreateAlignedLoad(
              entry.b.ir.getInt64Ty(), owner(entry, g, placed.place), llvm::Align(owner_bytes));
          entry.b.if_then(entry.b.ir.CreateICmpEQ(greatest, bid), [&] { put(entry, g, placed); });
        });
  }

private:
  Stride elements(EntryBuilder& entry) const {
    return shared_by_all(entry, entry.number(count_number));
  }
  Value* owner(EntryBuilder& entry, std::size_t group, Value* place) const {
    return entry.place(entry.area(owner_area(group)),
                       entry.b.ir.CreateMul(place, entry.b.i64(owner_bytes)));
  }
  void put(EntryBuilder& entry, std::size_t group, const PlacedElement& placed) const {
    store_place(entry, groups_[group].destinations[0], placed.indices, placed.values[0]);
  }

  void write_first(EntryBuilder& entry, std::size_t group, const PlacedElement& placed) const {
    llvm::IRBuilder<>& ir = entry.b.ir;
    Value* const word = entry.place(entry.area(bitmap_area(group)),
                                    ir.CreateShl(ir.CreateLShr(placed.place, 5), 2));
    Value* const number = ir.CreateTrunc(placed.place, ir.getInt32Ty());
    Value* const bit = ir.CreateShl(ir.getInt32(1), ir.CreateAnd(number, ir.getInt32(31)));
    Value* const before = ir.CreateAtomicRMW(llvm::AtomicRMWInst::Or, word, bit,
                                             llvm::MaybeAlign(4), llvm::AtomicOrdering::Monotonic);
    entry.b.if_then_else(
        ir.CreateICmpEQ(ir.CreateAnd(before, bit), ir.getInt32(0)),
        [&] { put(entry, group, placed); },
        [&] {
          llvm::StoreInst* const store = ir.CreateAlignedStore(
              ir.getInt32(1), entry.place(entry.area(flag_area)), llvm::Align(4));
          store->setAtomic(llvm::AtomicOrdering::Monotonic);
        });
  }

  void go_on_with_duplicates(EntryBuilder& entry) const {
    Value* const flag = entry.b.ir.CreateAlignedLoad(
        entry.b.ir.getInt32Ty(), entry.place(entry.area(flag_area)), llvm::Align(4));
    entry.end_unless(entry.b.ir.CreateICmpNE(flag, entry.b.ir.getInt32(0)));
  }

  /// `body` gets what an element bids with: its index, plus 1.
  void go_through_again(
      const char* name, const ElementFunction& element,
      const std::function<void(EntryBuilder&, std::size_t, Value*, const PlacedElement&)>& body) {
    EntryBuilder entry(kernel_.kernel, name, counts_);
    go_on_with_duplicates(entry);
    entry.set_scratch();
    for_each_element(entry, element, groups_, elements(entry),
                     [&](Value* index, std::span<const PlacedElement> placed) {
                       Value* const bid = entry.b.ir.CreateAdd(index, entry.b.i64(1));
                       for (std::size_t g = 0; g < groups_.size(); ++g)
                         entry.b.if_then(entry.b.ir.CreateICmpSGE(placed[g].place, entry.b.i64(0)),
                                         [&] { body(entry, g, bid, placed[g]); });
                     });
    kernel_.entries.module.entries.push_back(entry.finish());
  }

  PlacedKernel& kernel_;
  const std::vector<PlacedGroup>& groups_;
  WordCounts counts_;
};

LaunchPlan plan_scatter(const LaunchSizes& sizes, const std::vector<PlacedGroup>& groups) {
  using Entries = ScatterEntries;
  LaunchPlan plan;
  plan.numbers.push_back(static_cast<std::uint64_t>(sizes.count));
  plan.areas.push_back({.bytes = 8, .beginning = WorkArea::Element{0, 4}});
  std::int64_t most_places = 0;
  const bool may_meet = sizes.count > 1;
  for (const PlacedGroup& group : groups) {
    const std::int64_t places = group.places(sizes);
    most_places = std::max(most_places, places);
    plan.numbers.push_back(static_cast<std::uint64_t>(places));
    plan.areas.push_back(
        {.bytes = 4 * divided_up(places, 32), .beginning = WorkArea::Element{0, 4}});
    plan.areas.push_back({.bytes = may_meet ? saturating_product(places, Entries::owner_bytes) : 0,
                          .beginning = {}});
  }
  const LaunchShape by_elements = shape_for_threads(sizes, sizes.count);
  plan.steps.push_back({Entries::write_entry, by_elements, true});
  if (!may_meet) return plan;
  plan.steps.push_back({Entries::clear_entry, shape_for_threads(sizes, most_places), true});
  plan.steps.push_back({Entries::own_entry, by_elements, true});
  plan.steps.push_back({Entries::settle_entry, by_elements, true});
  return plan;
}

} // namespace

std::optional<KernelEntries> make_scatter(const ir::Function& function,
                                          const SkeletonOptions& options) {
  std::vector<PlacedGroup> groups = placed_groups(function, options.layouts);
  const bool takes_it =
      !groups.empty() && std::none_of(groups.begin(), groups.end(), [](const PlacedGroup& group) {
        return group.histogram != nullptr;
      });
  if (!takes_it) return std::nullopt;
  PlacedKernel kernel(function, options, groups);
  ScatterEntries entries(function, kernel);
  if (entries.counts().all() > most_entry_words) return std::nullopt;
  entries.write();
  entries.clear();
  entries.own_and_settle();
  return kernel.finish([groups = std::move(groups)](const LaunchSizes& sizes) {
    return plan_scatter(sizes, groups);
  });
}

} // namespace sinter::gpu
