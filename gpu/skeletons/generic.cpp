// Any kernel: what a thread does with the functions that jit/emit makes of one.
//
//   run       each thread takes chunks, one after the other, as many apart as there are threads
//   combine   the first thread of all combines what chunks have left, and stores scalar results
//   finish    as `run`, for scans
// jit/emit/kernel_abi.h says what the functions do, and which of them are wanted.
#include "gpu/kernels/gpu_hooks.h"
#include "gpu/skeletons/across_reads.h"
#include "gpu/skeletons/entry_builder.h"
#include "gpu/skeletons/generic_chunks.h"
#include "gpu/skeletons/skeletons.h"
#include "jit/emit/emit.h"
#include "jit/emit/kernel_abi.h"
#include "jit/emit/kernel_shape.h"

#include <cassert>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

namespace sinter::gpu {

using llvm::Value;

namespace {

class GenericEntries {
public:
  GenericEntries(jit::KernelModule& kernel, const ir::Function& function, bool has_chunks_of_one,
                 GpuModule& module)
      : kernel_(kernel), function_(function),
        counts_(generic_words(function, *jit::parallel_soac(function))),
        has_chunks_of_one_(has_chunks_of_one), module_(module) {}

  /// The thread's chunks.
  void take_chunks(const char* name, const std::string& callee) {
    EntryBuilder entry(kernel_, name, counts_);
    complete_frame(entry);
    jit::LaneBuilder& b = entry.b;
    entry.set_scratch();
    const jit::Variable next = b.variable(ElementType::I64, jit::Shape::Uniform);
    b.set(next, b.uniform(entry.thread_number()));
    b.while_loop(
        [&] {
          return b.ir.CreateICmpSLT(
              b.get(next).value,
              number(entry, has_chunks_of_one_ ? GenericNumber::Count : GenericNumber::ChunkCount));
        },
        [&] {
          entry.empty_scratch();
          Value* const chunk = b.get(next).value;
          const auto [begin, end] = range_of(entry, chunk);
          Value* const status = b.ir.CreateCall(kernel_.module.getFunction(callee),
                                                {entry.frame(), begin, end, chunk});
          entry.end_unless(b.ir.CreateICmpEQ(status, b.i64(0)));
          entry.end_unless(entry.may_go_on());
          b.set(next, b.uniform(b.ir.CreateAdd(chunk, entry.thread_count())));
        });
    module_.entries.push_back(entry.finish());
  }

  /// By the first thread.
  void combine(const std::string& callee) {
    EntryBuilder entry(kernel_, combine_entry, counts_);
    complete_frame(entry);
    jit::LaneBuilder& b = entry.b;
    entry.set_scratch();
    entry.end_unless(b.ir.CreateICmpEQ(entry.thread_number(), b.i64(0)));
    Value* const status =
        b.ir.CreateCall(kernel_.module.getFunction(callee),
                        {entry.frame(), number(entry, GenericNumber::ChunkCount)});
    entry.end_unless(b.ir.CreateICmpEQ(status, b.i64(0)));
    for (unsigned r = 0; r < counts_.results; ++r)
      if (function_.type(function_.body.results[r]).is_scalar())
        entry.store_scalar_result(r, entry.scalar_result(r));
    module_.entries.push_back(entry.finish());
  }

private:
  std::pair<Value*, Value*> range_of(EntryBuilder& entry, Value* chunk) const {
    jit::LaneBuilder& b = entry.b;
    if (has_chunks_of_one_) return {chunk, b.ir.CreateNSWAdd(chunk, b.i64(1))};
    Value* const size = number(entry, GenericNumber::ChunkSize);
    Value* const begin = b.ir.CreateMul(chunk, size);
    return {begin, b.lesser_of(b.ir.CreateAdd(begin, size), number(entry, GenericNumber::Count))};
  }
  static Value* number(EntryBuilder& entry, GenericNumber which) {
    return entry.number(static_cast<unsigned>(which));
  }
  void complete_frame(EntryBuilder& entry) const {
    entry.set_frame_field(offsetof(jit::KernelFrame, partials), entry.own_areas(0, counts_.areas));
    entry.set_frame_field(
        offsetof(jit::KernelFrame, partial_strides),
        entry.own_numbers(static_cast<unsigned>(GenericNumber::FirstStride), counts_.areas));
    entry.set_frame_field(offsetof(jit::KernelFrame, chunks),
                          number(entry, GenericNumber::ChunkCount));
    entry.set_frame_field(offsetof(jit::KernelFrame, fold_unit),
                          number(entry, GenericNumber::FoldUnit));
    entry.set_frame_field(offsetof(jit::KernelFrame, fold_units),
                          number(entry, GenericNumber::FoldUnits));
  }

  jit::KernelModule& kernel_;
  const ir::Function& function_;
  WordCounts counts_;
  bool has_chunks_of_one_;
  GpuModule& module_;
};

} // namespace

std::optional<KernelEntries> make_generic(const ir::Function& function,
                                          const SkeletonOptions& options) {
  if (ir::has_group<ir::PartitionGroup>(*jit::parallel_soac(function))) return std::nullopt;
  KernelEntries result;
  result.module.context = make_kernel_context();
  result.module.module = std::make_unique<llvm::Module>("kernel", *result.module.context);
  const GpuHooks hooks;
  jit::EmitOptions emission;
  emission.lanes = 1;
  emission.floats = options.floats;
  emission.layouts = options.layouts;
  const std::vector<std::uint32_t> across = parameters_read_across(function);
  forget_order(emission.layouts, across);
  emission.hooks = &hooks;
  emission.is_inlined = true;
  const bool is_by_elements = has_chunks_of_one(*jit::parallel_soac(function));
  emission.has_chunks_of_one = is_by_elements;
  const jit::EmittedFunctions emitted =
      jit::emit_functions(*result.module.module, function, emission);
  if (emitted.refusal) throw std::runtime_error("a device has no " + *emitted.refusal);
  result.skeleton = emitted.skeleton;
  result.index_space = emitted.index_space;
  result.uses_scratch = hooks.use_scratch();
  jit::KernelModule kernel{*result.module.module, hooks};
  GenericEntries entries(kernel, function, is_by_elements, result.module);
  entries.take_chunks(run_entry, emitted.run);
  const bool has_combine = !emitted.combine.empty(), has_finish = !emitted.finish.empty();
  if (has_combine) entries.combine(emitted.combine);
  if (has_finish) entries.take_chunks(finish_entry, emitted.finish);
  result.plan = [has_combine, has_finish, is_by_elements, across](const LaunchSizes& sizes) {
    LaunchPlan plan = plan_chunks(sizes, has_combine, has_finish);
    assert(!is_by_elements ||
           plan.numbers[static_cast<std::size_t>(GenericNumber::ChunkSize)] == 1);
    plan.turned = worth_turning(sizes, across);
    return plan;
  };
  return result;
}

} // namespace sinter::gpu
