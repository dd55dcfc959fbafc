// Kernels: the entry points of kernel_abi.h around what the body emitter makes.
#include "jit/emit/body.h"
#include "jit/emit/emit.h"
#include "jit/emit/frame.h"
#include "jit/emit/kernel_abi.h"
#include "jit/emit/kernel_emitter.h"
#include "jit/emit/kernel_shape.h"
#include "jit/emit/width.h"
#include "jit/ir/walk.h"

#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>

namespace sinter::jit {

namespace {

/// From how many elements on rows are too long for each lane to have one.  Lanes outside need
/// nothing of each other; what lanes inside go along together stays in nearer caches.
std::int64_t too_long_for_each_lane(const LaneChoice& choice, unsigned vector_bytes) {
  const bool is_wide = vector_bytes >= 64;
  // (Outside is faster at any length, but takes much memory.)
  if (choice.goes_one_by_one) return 1 << 20;
  // Those that are only read are read faster from end to end than beside each other.
  if (!choice.has_private_arrays) return 512;
  // Each lane would write at other places.
  if (choice.scatters) return 512;
  // (Vectors of fewer bytes have smaller arrays outside, and less to gain from what is near.)
  if (choice.has_scans) {
    if (choice.goes_over_again) return is_wide ? 1 << 13 : 1 << 14;
    if (choice.turns_rows) return is_wide ? 1 << 13 : 512;
    return 1 << 17;
  }
  // What loops carry comes from memory in each of their rounds.
  if (choice.goes_over_again) return !choice.goes_in_order ? 384 : is_wide ? 1024 : 1 << 14;
  // Rows of memory lie as lanes inside want them.
  if (choice.turns_rows || choice.makes_rows) return choice.goes_in_order ? 512 : 192;
  return choice.goes_in_order ? 1 << 15 : 1 << 13;
}

} // namespace

using llvm::Value;

EmittedKernel::EmittedKernel() = default;
EmittedKernel::EmittedKernel(EmittedKernel&&) noexcept = default;
EmittedKernel& EmittedKernel::operator=(EmittedKernel&& other) noexcept {
  module = std::move(other.module); // before its context goes
  context = std::move(other.context);
  EmittedFunctions::operator=(std::move(other));
  return *this;
}
EmittedKernel::~EmittedKernel() {
  module.reset(); // before its context
}

std::unique_ptr<KernelEmitter::Entry> KernelEmitter::enter(const char* name,
                                                           std::size_t word_parameters) {
  auto& context = kernel_.module.getContext();
  std::vector<llvm::Type*> parameters = {llvm::PointerType::get(context, 0)};
  parameters.insert(parameters.end(), word_parameters, llvm::Type::getInt64Ty(context));
  const std::string symbol = options_.symbol_prefix + name;
  auto* const function = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getInt64Ty(context), parameters, false),
      options_.is_inlined ? llvm::Function::InternalLinkage : llvm::Function::ExternalLinkage,
      symbol, kernel_.module);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  if (options_.is_inlined) function->addFnAttr(llvm::Attribute::AlwaysInline);
  std::unique_ptr<Entry> entry(
      new Entry{symbol, function, BodyEmitter(kernel_, function_, plan_, function)});
  LaneBuilder& b = entry->body.b;
  entry->body.frame = frame_pointers(b, entry->frame());
  bind_parameters(entry->body, options_.layouts,
                  field(*entry, offsetof(KernelFrame, arguments), b.ir.getPtrTy()));
  return entry;
}

Value* KernelEmitter::field(Entry& entry, std::size_t offset, llvm::Type* type) {
  return frame_field(entry.body.b, entry.frame(), offset, type);
}

void KernelEmitter::preliminaries(Entry& entry) {
  ir::Body before;
  before.statements.assign(function_.body.statements.begin(), function_.body.statements.end() - 1);
  entry.body.statements(before);
}

ArrayView KernelEmitter::result_array(Entry& entry, std::size_t result) {
  LaneBuilder& b = entry.body.b;
  Value* const words = field(entry, offsetof(KernelFrame, results), b.ir.getPtrTy());
  Value* const data =
      b.ir.CreateLoad(b.ir.getPtrTy(), b.ir.CreateConstGEP1_64(b.ir.getInt64Ty(), words, result));
  return row_major(entry.body, data, function_.type(function_.body.results[result]));
}

void KernelEmitter::store_result(Entry& entry, std::size_t result, const Emitted& value,
                                 const ir::Type& type) {
  LaneBuilder& b = entry.body.b;
  if (const auto* view = std::get_if<ArrayView>(&value)) {
    entry.body.copy(*view, result_array(entry, result), type);
    return;
  }
  Value* const words = field(entry, offsetof(KernelFrame, results), b.ir.getPtrTy());
  b.ir.CreateStore(b.to_word(std::get<LaneValue>(value).value, type.element),
                   b.ir.CreateConstGEP1_64(b.ir.getInt64Ty(), words, result));
}

ArrayView KernelEmitter::partial(Entry& entry, std::size_t index, Value* chunk,
                                 const ir::Type& type) {
  LaneBuilder& b = entry.body.b;
  Value* const bases = field(entry, offsetof(KernelFrame, partials), b.ir.getPtrTy());
  Value* const strides = field(entry, offsetof(KernelFrame, partial_strides), b.ir.getPtrTy());
  Value* const base =
      b.ir.CreateLoad(b.ir.getPtrTy(), b.ir.CreateConstGEP1_64(b.ir.getPtrTy(), bases, index));
  Value* const stride = b.ir.CreateLoad(b.ir.getInt64Ty(),
                                        b.ir.CreateConstGEP1_64(b.ir.getInt64Ty(), strides, index));
  return row_major(entry.body,
                   b.ir.CreateGEP(b.ir.getInt8Ty(), base, b.ir.CreateMul(chunk, stride)), type);
}

Emitted KernelEmitter::load_partial(Entry& entry, std::size_t index, Value* chunk,
                                    const ir::Type& type) {
  const ArrayView place = partial(entry, index, chunk, type);
  if (!type.is_scalar()) return place;
  return entry.body.b.load(place, place.offset);
}

void KernelEmitter::store_partial(Entry& entry, std::size_t index, Value* chunk,
                                  const Emitted& value, const ir::Type& type) {
  entry.body.put(partial(entry, index, chunk, type), {}, value, type);
}

/// Whether the launcher made one chunk only.
Value* KernelEmitter::is_only_chunk(Entry& entry) {
  LaneBuilder& b = entry.body.b;
  return b.ir.CreateICmpSLE(field(entry, offsetof(KernelFrame, chunks), b.ir.getInt64Ty()),
                            b.i64(1));
}

Value* KernelEmitter::streams_results(Entry& entry) {
  LaneBuilder& b = entry.body.b;
  return b.ir.CreateICmpNE(field(entry, offsetof(KernelFrame, streams_results), b.ir.getInt64Ty()),
                           b.i64(0));
}

std::string KernelEmitter::sequential() {
  const auto entry = enter("run", 3);
  const auto& results = function_.body.results;
  for (std::size_t r = 0; r < results.size(); ++r)
    if (results[r].is_value() && !in_place_[r] && !function_.type(results[r]).is_scalar())
      entry->body.suggest_place(function_.body, results[r], result_array(*entry, r));
  entry->body.with_scratch([&] {
    entry->body.statements(function_.body);
    for (std::size_t r = 0; r < results.size(); ++r)
      if (!in_place_[r])
        store_result(*entry, r, entry->body.emitted(results[r]), function_.type(results[r]));
  });
  entry->body.finish();
  return entry->name;
}

std::string KernelEmitter::run(const ir::Soac& soac, const char* name) {
  const auto entry = enter(name, 3);
  preliminaries(*entry);
  if (finish_scans_all(soac)) scan_only_chunk(*entry, soac);
  range(*entry, soac, phases::Run);
  entry->body.finish();
  return entry->name;
}

std::string KernelEmitter::choose(const char* name, const ir::Soac& soac, const LaneChoice& choice,
                                  const std::string& outside, const std::string& inside) {
  if (outside.empty()) return {};
  // Elements that lanes have nothing to do for, and inner extents that are worth lanes; rows that
  // are too long for each lane, and pieces that lanes are through with at very different times.
  // (One vector of a few columns is read faster than their elements are put together to vectors;
  // but not if it is taken apart again to be written: as fast for 8 columns of eight bytes, and for
  // 8 to 12 of four bytes.  Of scans, which are more than to put together: for 5 to 7.)
  const std::int64_t width = kernel_.width;
  const std::int64_t few = !choice.goes_down_columns ? 4 * width
                           : choice.has_scans        ? 6
                           : choice.makes_rows       ? std::min<std::int64_t>(kernel_.row_width, 12)
                                                     : 2;
  constexpr std::int64_t short_piece = 8;
  const auto entry = enter(name, 3);
  LaneBuilder& b = entry->body.b;
  const auto extent_of = [&](const ir::Operand& extent) {
    return entry->body.scalar(extent).value;
  };
  Value* longest = b.i64(0);
  for (const ir::Operand& extent : choice.inner_extents)
    longest = b.greater_of(longest, extent_of(extent));
  Value* const count = b.ir.CreateSub(entry->function->getArg(2), entry->function->getArg(1));
  Value* is_few = b.ir.CreateICmpSLT(extent_of(soac.extent), b.i64(few));
  if (choice.goes_one_by_one) {
    // Each round takes as long for one row as for those of all lanes, until these leave the caches.
    constexpr std::int64_t very_long = 1 << 15, least = 2;
    Value* const is_long = b.ir.CreateICmpSGE(longest, b.i64(very_long));
    is_few = b.ir.CreateICmpSLT(count, b.ir.CreateSelect(is_long, b.i64(std::max(width / 2, least)),
                                                         b.i64(std::max(width / 3, least))));
  } else if (!choice.goes_down_columns) {
    // (A chunk of vectors that are nearly full leaves no lanes idle, either.)
    Value* const places = b.ir.CreateAnd(b.ir.CreateAdd(count, b.i64(width - 1)), b.i64(-width));
    Value* const idle = b.ir.CreateSub(places, count);
    is_few = b.ir.CreateAnd(is_few, b.ir.CreateICmpSGT(b.ir.CreateMul(idle, b.i64(4)), count));
  }
  Value* goes_inside = b.ir.CreateAnd(is_few, b.ir.CreateICmpSGE(longest, b.i64(few)));
  if (choice.has_private_arrays || choice.turns_rows)
    goes_inside = b.ir.CreateOr(
        goes_inside,
        b.ir.CreateICmpSGE(longest,
                           b.i64(too_long_for_each_lane(choice, kernel_.facts().vector_bytes))));
  for (const ir::Operand& whole : choice.cut_extents)
    goes_inside = b.ir.CreateOr(
        goes_inside, b.ir.CreateICmpSGE(extent_of(whole), b.ir.CreateMul(extent_of(soac.extent),
                                                                         b.i64(short_piece))));
  std::vector<Value*> arguments;
  for (llvm::Argument& argument : entry->function->args())
    arguments.push_back(&argument);
  const auto go_on_with = [&](const std::string& name) {
    b.ir.CreateRet(b.ir.CreateCall(kernel_.module.getFunction(name), arguments));
  };
  auto* const in = b.block("inside");
  auto* const out = b.block("outside");
  b.ir.CreateCondBr(goes_inside, in, out);
  b.ir.SetInsertPoint(in);
  go_on_with(inside);
  b.ir.SetInsertPoint(out);
  go_on_with(outside);
  b.ir.SetInsertPoint(b.block("unreachable"));
  entry->body.finish();
  return entry->name;
}

/// Leaves `run` by way of `finish`, which has been emitted, if there is no other chunk.
void KernelEmitter::scan_only_chunk(Entry& run, const ir::Soac& soac) {
  LaneBuilder& b = run.body.b;
  auto* const only = b.block("only");
  auto* const more = b.block("more");
  b.ir.CreateCondBr(is_only_chunk(run), only, more);
  b.ir.SetInsertPoint(only);
  std::vector<Value*> arguments;
  for (llvm::Argument& argument : run.function->args())
    arguments.push_back(&argument);
  Value* const chunk = arguments.back();
  const std::vector<GroupPosition> positions = group_positions(soac);
  for (std::size_t g = 0; g < positions.size(); ++g) {
    std::size_t next_partial = positions[g].partial;
    for (const ir::Operand& neutral : std::get<ir::ScanGroup>(soac.groups[g]).neutral)
      store_partial(run, next_partial++, chunk, run.body.emitted(neutral), function_.type(neutral));
  }
  b.ir.CreateRet(b.ir.CreateCall(kernel_.module.getFunction(finish_), arguments));
  b.ir.SetInsertPoint(more);
}

std::string KernelEmitter::finish(const ir::Soac& soac, const char* name) {
  if (!takes_part(soac, phases::Finish)) return {};
  const auto entry = enter(name, 3);
  finish_ = entry->name;
  preliminaries(*entry);
  range(*entry, soac, phases::Finish);
  entry->body.finish();
  return entry->name;
}

std::string KernelEmitter::combine(const ir::Soac& soac) {
  if (!takes_part(soac, phases::Combine)) return {};
  const auto entry = enter("combine", 1);
  preliminaries(*entry);
  const Chunks chunks{*entry, entry->function->getArg(1), keeps_fold_order(soac)};
  const std::vector<GroupPosition> positions = group_positions(soac);
  entry->body.with_scratch([&] {
    for (std::size_t g = 0; g < soac.groups.size(); ++g)
      std::visit([&](const auto& group) { combine(chunks, group, positions[g]); }, soac.groups[g]);
  });
  entry->body.finish();
  return entry->name;
}

std::string KernelEmitter::conclude(const ir::Soac& soac) {
  if (!ir::has_post(soac)) return {};
  const auto entry = enter("conclude", 1);
  preliminaries(*entry);
  const Chunks chunks{*entry, entry->function->getArg(1), keeps_fold_order(soac)};
  const std::vector<GroupPosition> positions = group_positions(soac);
  entry->body.with_scratch([&] {
    for (std::size_t g = 0; g < soac.groups.size(); ++g)
      if (ir::post_of(soac.groups[g]))
        conclude(chunks, std::get<ir::ScanGroup>(soac.groups[g]), positions[g]);
  });
  entry->body.finish();
  return entry->name;
}

EmittedKernel emit_kernel(const ir::Function& function, const EmitOptions& options) {
  EmittedKernel emitted;
  emitted.context = std::make_unique<llvm::LLVMContext>();
  emitted.module = std::make_unique<llvm::Module>(options.symbol_prefix, *emitted.context);
  static_cast<EmittedFunctions&>(emitted) = emit_functions(*emitted.module, function, options);
  return emitted;
}

std::optional<std::string> broken_rule(const EmittedKernel& kernel) {
  std::string words;
  llvm::raw_string_ostream stream(words);
  if (!llvm::verifyModule(*kernel.module, &stream)) return std::nullopt;
  return words;
}

EmittedFunctions emit_functions(llvm::Module& module, const ir::Function& function,
                                const EmitOptions& options) {
  assert(!cannot_emit(function) && options.hooks);
  EmittedFunctions emitted;
  KernelModule kernel{module, *options.hooks};
  kernel.width = choose_width(function, options);
  assert(std::has_single_bit(kernel.width) && kernel.width <= 64);
  kernel.row_width = width_inside(function, options, kernel.width);
  kernel.floats = options.floats;
  kernel.is_compact = options.is_compact;
  emitted.lanes = kernel.width;
  // (Lanes along the elements of the outer of two maps are of no use where these are one space.)
  const bool is_space_of_two = options.index_count > 1;
  const LanePlan plan(function, kernel.width, along_rows(options),
                      is_space_of_two ? LanePlan::Where::InsideKernel : LanePlan::Where::Anywhere);
  KernelEmitter emitter(function, options, kernel, plan);
  if (options.index_count == 1) emitter.keep_one_index();
  if (const ir::Soac* soac = parallel_soac(function)) {
    if (plan.runs_in_lanes(*soac)) emitted.lanes_along_index = kernel.width;
    emitted.skeleton = skeleton_of(*soac);
    const std::optional<LaneChoice> choice =
        is_space_of_two
            ? std::nullopt
            : lane_choice(function, kernel.width, kernel.row_width, along_rows(options));
    if (choice) {
      KernelEmitter other(function, options, kernel, choice->inside);
      other.keep_one_index();
      const std::string finish_outside = emitter.finish(*soac, "finish_outside");
      const std::string outside = emitter.run(*soac, "run_outside");
      kernel.width = kernel.row_width;
      const std::string finish_inside = other.finish(*soac, "finish_inside");
      const std::string inside = other.run(*soac, "run_inside");
      kernel.width = emitted.lanes;
      emitted.run = emitter.choose("run", *soac, *choice, outside, inside);
      emitted.finish = emitter.choose("finish", *soac, *choice, finish_outside, finish_inside);
    } else {
      emitted.finish = emitter.finish(*soac);
      emitted.run = emitter.run(*soac);
    }
    emitted.combine = emitter.combine(*soac);
    emitted.conclude = emitter.conclude(*soac);
    if (!options.is_compact && !options.is_inlined && may_deal_updates(function, *soac)) {
      emitted.deal = emitter.deal(*soac);
      emitted.accumulate = emitter.accumulate(*soac);
    }
    emitted.index_space = {soac->extent};
    if (const ir::Soac* inner = emitter.index_space_of_two(*soac))
      emitted.index_space.push_back(inner->extent);
  } else {
    emitted.skeleton = ir::Skeleton::Sequential;
    emitted.run = emitter.sequential();
  }
  emitted.refusal = std::move(kernel.refusal);
  return emitted;
}

} // namespace sinter::jit
