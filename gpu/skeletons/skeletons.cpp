#include "gpu/skeletons/skeletons.h"

#include "gpu/kernels/abstract_functions.h"
#include "gpu/kernels/control_block.h"
#include "gpu/kernels/registers.h"
#include "gpu/skeletons/entry_words.h"
#include "gpu/skeletons/generic_chunks.h"
#include "gpu/skeletons/partition.h"
#include "jit/emit/emit.h"
#include "jit/emit/kernel_shape.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace sinter::gpu {

namespace {

struct Row {
  std::string_view word;
  std::optional<KernelEntries> (*make)(const ir::Function&, const SkeletonOptions&);
};
constexpr Row rows[] = {
#define SINTER_GPU_SKELETON(word) {#word, make_##word},
#include "gpu/skeletons/skeletons.def"
#undef SINTER_GPU_SKELETON
};

/// The words of scalars that are pending are addresses: uses are given what lies there.
void load_pending(KernelEntries& entries, const ir::Function& function,
                  const std::vector<bool>& is_pending) {
  for (const EntryPoint& point : entries.module.entries) {
    llvm::Function* const code = entries.module.module->getFunction(point.name);
    llvm::IRBuilder<> ir(&*code->getEntryBlock().getFirstInsertionPt());
    unsigned word = static_cast<unsigned>(Word::FirstOfLists);
    for (std::size_t i = 0; i < is_pending.size(); ++i) {
      llvm::Argument* const argument = code->getArg(word);
      word += 1 + static_cast<unsigned>(function.type(function.body.parameters[i]).extents.size());
      if (!is_pending[i]) continue;
      llvm::Value* const place = ir.CreateIntToPtr(argument, ir.getPtrTy(global_space));
      llvm::Value* const value =
          ir.CreateAlignedLoad(ir.getInt64Ty(), place, llvm::Align(sizeof(std::uint64_t)));
      argument->replaceUsesWithIf(value, [&](llvm::Use& use) { return use.getUser() != place; });
    }
  }
}

void complete_all(KernelEntries& entries, const ir::Function& function,
                  const SkeletonOptions& options) {
  if (entries.are_complete) return;
  load_pending(entries, function, options.is_pending);
  keep_in_registers(*entries.module.module);
  promise_global_addresses(*entries.module.module);
  entries.are_complete = true;
}

std::optional<KernelEntries> planned_by(const Row& row, const ir::Function& function,
                                        const SkeletonOptions& options) {
  std::optional<KernelEntries> entries = row.make(function, options);
  if (!entries) return std::nullopt;
  entries->word = row.word;
  if (entries->uses_scratch) {
    complete_all(*entries, function, options);
    entries->scratch = ScratchSizes::of(entries->module);
  }
  return entries;
}

} // namespace

std::optional<std::string> has_no_entries(const ir::Function& function) {
  if (std::optional<std::string> objection = jit::cannot_emit(function)) return objection;
  const ir::Soac* const soac = jit::parallel_soac(function);
  if (!soac) return "it is work for one thread";
  if (ir::has_post(*soac)) return "a scan's prefixes are used on the way";
  if (ir::has_before(*soac)) return "a fold goes on from what was before";
  if (ir::has_group<ir::PartitionGroup>(*soac) && !partitions_scalars(function, *soac))
    return "it partitions what is not stored beforehand";
  if (function.failures.size() > most_failure_sites) return "it has too many checks";
  if (generic_words(function, *soac).all() > most_entry_words) return "it has too many parameters";
  return std::nullopt;
}

KernelEntries plan_entries(const ir::Function& function, const SkeletonOptions& options) {
  for (const Row& row : rows)
    if (std::optional<KernelEntries> entries = planned_by(row, function, options))
      return std::move(*entries);
  throw std::runtime_error("no skeleton takes the kernel");
}

void complete(KernelEntries& entries, const std::vector<std::string>& names,
              const ir::Function& function, const SkeletonOptions& options) {
  keep_entries(entries.module, names);
  complete_all(entries, function, options);
}

KernelEntries make_entries(const ir::Function& function, const SkeletonOptions& options) {
  KernelEntries entries = plan_entries(function, options);
  complete_all(entries, function, options);
  return entries;
}

std::optional<KernelEntries> make_entries_by(std::string_view word, const ir::Function& function,
                                             const SkeletonOptions& options) {
  for (const Row& row : rows)
    if (row.word == word) {
      std::optional<KernelEntries> entries = planned_by(row, function, options);
      if (entries) complete_all(*entries, function, options);
      return entries;
    }
  return std::nullopt;
}

KernelEntries make_entries_after(std::string_view word, const ir::Function& function,
                                 const SkeletonOptions& options) {
  bool is_after = false;
  for (const Row& row : rows) {
    if (is_after)
      if (std::optional<KernelEntries> entries = row.make(function, options))
        return std::move(*entries);
    is_after = is_after || row.word == word;
  }
  throw std::runtime_error("no other skeleton takes the kernel");
}

void add_alternative(KernelEntries& entries, std::vector<EntryPoint> points) {
  std::uint32_t last = 0;
  for (const EntryPoint& point : entries.module.entries)
    last = std::max(last, point.alternative);
  for (EntryPoint& point : points) {
    point.alternative = last + 1;
    entries.module.entries.push_back(std::move(point));
  }
}

} // namespace sinter::gpu
