// What makes a kernel's functions around its body.  (For those who emit: the others see emit.h.)
//
// kernel.cpp has the entry points, kernel_groups.cpp what goes on in them, kernel_fold.cpp what
// keeps the order of folding; what a kind of group does is in its file in skeletons/.
#pragma once

#include "jit/emit/body.h"
#include "jit/emit/emit.h"
#include "jit/emit/kernel_shape.h"
#include "jit/emit/skeletons.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinter::jit {

/// One kernel's functions in the making.
class KernelEmitter {
public:
  KernelEmitter(const ir::Function& function, const EmitOptions& options, KernelModule& kernel,
                LanePlan plan)
      : function_(function), options_(options), kernel_(kernel), plan_(std::move(plan)),
        in_place_(results_in_place(function)) {}

  std::string sequential();
  /// Stands behind `finish`, which it may call.
  std::string run(const ir::Soac& soac, const char* name = "run");
  /// A function that goes on with one of two ways of doing the same phase, by the extents.  Nothing
  /// if there are no ways.
  std::string choose(const char* name, const ir::Soac& soac, const LaneChoice& choice,
                     const std::string& outside, const std::string& inside);
  /// `begin` and `end` count elements of the SOAC, even if lanes run along those of another inside.
  void keep_one_index() { is_one_index_ = true; }
  std::string combine(const ir::Soac& soac);
  std::string finish(const ir::Soac& soac, const char* name = "finish");
  std::string conclude(const ir::Soac& soac);
  // Of one whose updates may be dealt (see may_deal_updates).
  std::string deal(const ir::Soac& soac);
  std::string accumulate(const ir::Soac& soac);
  /// Whether a chunk that is the only one is scanned by `finish`, from the neutral elements on,
  /// rather than by code of its own.
  bool finish_scans_all(const ir::Soac& soac) const {
    return (kernel_.is_compact || ir::has_post(soac)) && plan_.runs_in_lanes(soac) &&
           takes_part(soac, phases::Finish) && has_only<ir::ScanGroup>(soac);
  }
  /// The inner one of two nested maps that become one index space; null if they do not.
  const ir::Soac* index_space_of_two(const ir::Soac& soac) const {
    return is_one_index_ || plan_.runs_in_lanes(soac) ? nullptr : nested_map(function_, soac);
  }

private:
  enum class Carries : std::uint8_t { None, Left };
  struct Entry {
    std::string name;
    llvm::Function* function;
    BodyEmitter body;
    llvm::Value* frame() const { return function->getArg(0); }
  };
  /// The elements of a chunk, in a phase that goes through them.
  struct Range {
    Entry& entry;
    const ir::Soac& soac;
    phases::Phase phase;
    llvm::Value *begin, *end, *chunk;
    llvm::Value* streams; ///< i1: whether results go past the caches
    bool keeps_order;     ///< of folding
  };
  /// All chunks, whose partial values are combined.
  struct Chunks {
    Entry& entry;
    llvm::Value* count;
    bool keeps_order;
  };
  /// A function with the frame's contents bound to the parameters.
  std::unique_ptr<Entry> enter(const char* name, std::size_t word_parameters);
  llvm::Value* field(Entry& entry, std::size_t offset, llvm::Type* type);
  void preliminaries(Entry& entry);
  ArrayView result_array(Entry& entry, std::size_t result);
  void store_result(Entry& entry, std::size_t result, const Emitted& value, const ir::Type& type);
  /// The storage of partial `index` for a chunk: of a scalar or of a dense array.
  ArrayView partial(Entry& entry, std::size_t index, llvm::Value* chunk, const ir::Type& type);
  Emitted load_partial(Entry& entry, std::size_t index, llvm::Value* chunk, const ir::Type& type);
  void store_partial(Entry& entry, std::size_t index, llvm::Value* chunk, const Emitted& value,
                     const ir::Type& type);
  llvm::Value* is_only_chunk(Entry& entry);
  void scan_only_chunk(Entry& run, const ir::Soac& soac);
  llvm::Value* streams_results(Entry& entry);
  // Of SOACs that keep the order of folding.
  llvm::Value* fold_unit_is(Entry& entry, std::int64_t length);
  /// The unit that an element is in.
  llvm::Value* fold_unit_of(Entry& entry, llvm::Value* element);
  FoldEvents fold_events(const Range& range, const std::vector<GroupPosition>& positions);
  std::vector<Accumulator> folded_units(Entry& entry, const Operator& op,
                                        std::size_t first_partial);
  void leave_carries(Entry& entry, const Operator& op, std::size_t first_partial);

  void range(Entry& entry, const ir::Soac& soac, phases::Phase phase);
  // Of partitions (skeletons/partition.cpp).
  void elements_by_kinds(const Range& range, std::vector<GroupState>& states,
                         std::size_t partition);
  void count_by_kinds(const Range& range, std::vector<GroupState>& states, PartitionState& state);
  void put_to_kinds(const Range& range, std::vector<GroupState>& states, PartitionState& state);
  void in_blocks(const Range& range, std::vector<GroupState>& states, PartitionState& state,
                 const std::function<void(llvm::Value* count)>& block);
  std::vector<GroupState> begin_groups(const Range& range,
                                       const std::vector<GroupPosition>& positions);
  void elements(const Range& range, std::vector<GroupState>& states, const FoldEvents& events);
  // Of each kind of group (skeletons/map.cpp, …): the state that a range begins with, what it
  // leaves for the other chunks, and what becomes of that.
#define SINTER_IR_GROUP(Kind, ...)                                                                 \
  Kind##State begin_group(const Range& range, const ir::Kind##Group& group,                        \
                          const GroupPosition& at);                                                \
  void leave(const Range& range, const Kind##State& state, const GroupPosition& at);               \
  void combine(const Chunks& chunks, const ir::Kind##Group& group, const GroupPosition& at);
#include "jit/ir/groups.def"
#undef SINTER_IR_GROUP
  UpdateLists update_lists(Entry& entry, const ir::HistogramGroup& group, llvm::Value* slot);
  void leave_totals(const Range& range, const Fold& fold, const GroupPosition& at);
  // Of what becomes of prefixes (skeletons/scan.cpp).
  FoldEvents events_of_post(const Range& range, const ir::Post& post,
                            const std::vector<GroupPosition>& positions);
  void leave_post(const Range& range, const ScanState& state, const GroupPosition& at);
  void conclude(const Chunks& chunks, const ir::ScanGroup& group, const GroupPosition& at);
  std::vector<Accumulator> folded_chunks(const Chunks& chunks, const Operator& op,
                                         std::size_t first_partial, Carries carries);

  const ir::Function& function_;
  const EmitOptions& options_;
  KernelModule& kernel_;
  LanePlan plan_;
  std::vector<std::optional<std::size_t>> in_place_;
  bool is_one_index_ = false;
  std::string finish_; ///< its name
};

} // namespace sinter::jit
