// Kernels: the entry points of kernel_abi.h around what the body emitter makes.
#include "jit/cpu/emit.h"
#include "jit/cpu/emit_body.h"
#include "jit/cpu/emit_width.h"
#include "jit/cpu/kernel_abi.h"
#include "jit/cpu/kernel_emitter.h"
#include "jit/cpu/kernel_shape.h"
#include "jit/ir/walk.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstddef>

namespace sinter::jit {

using llvm::Value;

EmittedKernel::EmittedKernel() = default;
EmittedKernel::EmittedKernel(EmittedKernel&&) noexcept = default;
EmittedKernel& EmittedKernel::operator=(EmittedKernel&& other) noexcept {
  module = std::move(other.module); // before its context goes
  context = std::move(other.context);
  run = std::move(other.run);
  combine = std::move(other.combine);
  finish = std::move(other.finish);
  lanes = other.lanes;
  skeleton = std::move(other.skeleton);
  symbols = std::move(other.symbols);
  index_space = std::move(other.index_space);
  return *this;
}
EmittedKernel::~EmittedKernel() {
  module.reset(); // before its context
}

namespace {

/// The groups of a chunk of which only totals are wanted: scans as reductions, which need no value
/// of an element before that of the next.
class Totals {
public:
  explicit Totals(const std::vector<GroupState>& states) : states_(states) {
    reductions_.reserve(states.size()); // so that they stay where they are
    for (GroupState& state : states_)
      if (const auto* scan = std::get_if<ir::ScanGroup>(state.group)) {
        reductions_.emplace_back(ir::ReduceGroup{scan->neutral, scan->combine});
        state.group = &reductions_.back();
        state.places.clear();
      }
  }
  Totals(const Totals&) = delete;
  Totals& operator=(const Totals&) = delete;
  /// With the accumulators of the original ones.
  const std::vector<GroupState>& states() const { return states_; }

private:
  std::vector<ir::Group> reductions_;
  std::vector<GroupState> states_;
};

} // namespace

std::unique_ptr<KernelEmitter::Entry> KernelEmitter::enter(const char* name,
                                                           std::size_t word_parameters) {
  auto& context = kernel_.module.getContext();
  std::vector<llvm::Type*> parameters = {llvm::PointerType::get(context, 0)};
  parameters.insert(parameters.end(), word_parameters, llvm::Type::getInt64Ty(context));
  const std::string symbol = options_.symbol_prefix + name;
  auto* const function = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getInt64Ty(context), parameters, false),
      llvm::Function::ExternalLinkage, symbol, kernel_.module);
  function->addFnAttr(llvm::Attribute::NoUnwind);
  std::unique_ptr<Entry> entry(
      new Entry{symbol, function, BodyEmitter(kernel_, function_, plan_, function)});
  LaneBuilder& b = entry->body.b;
  FramePointers& frame = entry->body.frame;
  frame.epoch = field(*entry, offsetof(KernelFrame, epoch), b.ir.getPtrTy());
  frame.start_epoch = field(*entry, offsetof(KernelFrame, start_epoch), b.ir.getInt32Ty());
  frame.failure = field(*entry, offsetof(KernelFrame, failure), b.ir.getPtrTy());
  frame.arena = field(*entry, offsetof(KernelFrame, arena), b.ir.getPtrTy());
  bind_parameters(*entry);
  return entry;
}

Value* KernelEmitter::field(Entry& entry, std::size_t offset, llvm::Type* type) {
  LaneBuilder& b = entry.body.b;
  return b.ir.CreateLoad(type, b.ir.CreateConstGEP1_64(b.ir.getInt8Ty(), entry.frame(), offset));
}

void KernelEmitter::bind_parameters(Entry& entry) {
  LaneBuilder& b = entry.body.b;
  Value* const words = field(entry, offsetof(KernelFrame, arguments), b.ir.getPtrTy());
  std::size_t next = 0;
  const auto word = [&](llvm::Type* type) {
    return b.ir.CreateLoad(type, b.ir.CreateConstGEP1_64(b.ir.getInt64Ty(), words, next++));
  };
  for (std::size_t i = 0; i < function_.body.parameters.size(); ++i) {
    const ir::ValueId parameter = function_.body.parameters[i];
    const ir::Type& type = function_.type(parameter);
    if (type.is_scalar()) {
      entry.body.bind(parameter,
                      b.uniform(b.from_word(word(b.ir.getInt64Ty()), type.element), type.element));
      continue;
    }
    ArrayView view;
    view.element = type.element;
    view.base = word(b.ir.getPtrTy());
    view.offset = b.index(0);
    const bool is_dense = i < options_.dense.size() && options_.dense[i];
    view.is_row_major = is_dense || type.rank() == 1;
    for (std::size_t d = 0; d < type.rank(); ++d)
      view.strides.push_back(word(b.ir.getInt64Ty()));
    if (is_dense) view.strides.back() = b.i64(1);
    entry.body.bind(parameter, view);
  }
}

void KernelEmitter::preliminaries(Entry& entry) {
  ir::Body before;
  before.statements.assign(function_.body.statements.begin(), function_.body.statements.end() - 1);
  entry.body.statements(before);
}

ArrayView KernelEmitter::row_major(Entry& entry, Value* data, const ir::Type& type) {
  LaneBuilder& b = entry.body.b;
  ArrayView view;
  view.element = type.element;
  view.base = data;
  view.offset = b.index(0);
  view.is_row_major = true;
  view.strides.resize(type.rank());
  Value* stride = b.i64(1);
  for (std::size_t d = type.rank(); d-- > 0;) {
    view.strides[d] = stride;
    if (d > 0) stride = b.ir.CreateMul(stride, entry.body.scalar(type.extents[d]).value);
  }
  return view;
}

ArrayView KernelEmitter::result_array(Entry& entry, std::size_t result, const ir::Type& type) {
  LaneBuilder& b = entry.body.b;
  Value* const words = field(entry, offsetof(KernelFrame, results), b.ir.getPtrTy());
  Value* const data =
      b.ir.CreateLoad(b.ir.getPtrTy(), b.ir.CreateConstGEP1_64(b.ir.getInt64Ty(), words, result));
  return row_major(entry, data, type);
}

void KernelEmitter::store_result(Entry& entry, std::size_t result, const Emitted& value,
                                 const ir::Type& type) {
  LaneBuilder& b = entry.body.b;
  if (const auto* view = std::get_if<ArrayView>(&value)) {
    entry.body.copy(*view, result_array(entry, result, type), type);
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
  return row_major(entry, b.ir.CreateGEP(b.ir.getInt8Ty(), base, b.ir.CreateMul(chunk, stride)),
                   type);
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
      entry->body.suggest_place(function_.body, results[r],
                                result_array(*entry, r, function_.type(results[r])));
  entry->body.with_scratch([&] {
    entry->body.statements(function_.body);
    for (std::size_t r = 0; r < results.size(); ++r)
      if (!in_place_[r])
        store_result(*entry, r, entry->body.emitted(results[r]), function_.type(results[r]));
  });
  entry->body.finish();
  return entry->name;
}

/// The SOAC over [begin, end) with the groups' results where the pass wants them.
void KernelEmitter::pass(Entry& entry, const ir::Soac& soac, Pass pass, Value* begin, Value* end,
                         Value* chunk) {
  entry.body.with_scratch([&] { groups_of_pass(entry, soac, pass, begin, end, chunk); });
}

void KernelEmitter::groups_of_pass(Entry& entry, const ir::Soac& soac, Pass pass, Value* begin,
                                   Value* end, Value* chunk) {
  BodyEmitter& body = entry.body;
  LaneBuilder& b = body.b;
  const auto& results = function_.body.statements.back().results;
  std::vector<GroupState> states;
  std::size_t result = 0;
  std::size_t next_partial = 0;
  std::vector<std::size_t> first_result, first_partial;
  Value* const streams = streams_results(entry);
  for (const ir::Group& group : soac.groups) {
    first_result.push_back(result);
    first_partial.push_back(next_partial);
    GroupState state;
    state.group = &group;
    const auto add_place = [&](const ArrayView& place, const ir::Type& type) {
      state.places.push_back(place);
      state.types.push_back(type);
    };
    if (std::holds_alternative<ir::MapGroup>(group)) {
      state.is_active = pass != Pass::Finish;
      const ir::Type& type = function_.type(results[result]);
      add_place(result_array(entry, result++, type), type);
      state.streams = streams;
    } else if (const auto* reduce = std::get_if<ir::ReduceGroup>(&group)) {
      state.is_active = pass != Pass::Finish;
      for (const ir::Operand& neutral : reduce->neutral)
        state.accumulators.push_back(body.accumulator(neutral));
      result += reduce->neutral.size();
      next_partial += reduce->neutral.size();
    } else if (const auto* scan = std::get_if<ir::ScanGroup>(&group)) {
      if (pass == Pass::Run)
        state.stores_prefixes = plan_.runs_in_lanes(soac) ? nullptr : is_only_chunk(entry);
      else
        state.streams = streams;
      for (const ir::Operand& neutral : scan->neutral) {
        const ir::Type& type = function_.type(results[result]);
        state.accumulators.push_back(body.accumulator(neutral));
        add_place(result_array(entry, result++, type), type);
        if (pass == Pass::Finish && !keeps_fold_order(soac)) {
          const ir::Type element = function_.type(neutral);
          body.assign(state.accumulators.back(), load_partial(entry, next_partial, chunk, element),
                      element);
        }
        ++next_partial;
      }
    } else if (const auto* scatter = std::get_if<ir::ScatterGroup>(&group)) {
      state.is_active = pass != Pass::Finish;
      add_place(body.array(scatter->destination.value()), function_.type(scatter->destination));
      ++result;
    } else if (const auto* histogram = std::get_if<ir::HistogramGroup>(&group)) {
      state.is_active = pass != Pass::Finish;
      for (const ir::Operand& destination : histogram->destinations) {
        const ir::Type& type = function_.type(destination.value());
        add_place(pass == Pass::Run
                      ? body.either(is_only_chunk(entry), body.array(destination.value()),
                                    partial(entry, next_partial, chunk, type))
                      : body.array(destination.value()),
                  type);
        ++next_partial;
        ++result;
      }
    } else {
      const auto& filter = std::get<ir::FilterGroup>(group);
      state.is_active = pass != Pass::Finish;
      state.count = b.variable(ElementType::I64, Shape::Uniform);
      b.set(*state.count, b.index(0));
      state.staging_offset = begin;
      ++next_partial;
      ++result;
      for (std::uint32_t i = 0; i < filter.value_count; ++i) {
        ir::Type type = function_.type(results[result]);
        type.extents[0] = soac.extent;
        add_place(result_array(entry, result++, type), type);
      }
    }
    states.push_back(std::move(state));
  }

  const bool keeps_order = keeps_fold_order(soac);
  const FoldEvents events =
      keeps_order ? fold_events(entry, soac, pass, first_partial) : FoldEvents();
  if (const ir::Soac* inner = index_space_of_two(soac)) {
    body.nest_range(soac, *inner, states, begin, end);
    return;
  }
  const auto range = [&](std::vector<GroupState>& wanted) {
    if (keeps_order) body.begin_folding(wanted);
    if (keeps_order)
      body.fold_range(soac, wanted, begin, b.uniform(end), events);
    else
      body.soac_range(soac, wanted, begin, b.uniform(end));
  };
  if (pass == Pass::Run && plan_.runs_in_lanes(soac) && ir::has_group<ir::ScanGroup>(soac)) {
    const Totals totals(states);
    const auto only_totals = [&] {
      std::vector<GroupState> wanted = totals.states();
      range(wanted);
    };
    if (finish_scans_all(soac))
      only_totals();
    else
      b.if_then_else(
          is_only_chunk(entry), [&] { range(states); }, only_totals);
  } else {
    range(states);
  }
  if (pass == Pass::Finish) return;

  for (std::size_t g = 0; g < states.size(); ++g) {
    std::size_t index = first_partial[g];
    if (states[g].count)
      store_partial(entry, index, chunk, b.get(*states[g].count), {ElementType::I64, {}});
    if (states[g].accumulators.empty() || keeps_order) continue;
    const auto& neutral = std::holds_alternative<ir::ReduceGroup>(*states[g].group)
                              ? std::get<ir::ReduceGroup>(*states[g].group).neutral
                              : std::get<ir::ScanGroup>(*states[g].group).neutral;
    for (std::size_t i = 0; i < neutral.size(); ++i)
      store_partial(entry, index++, chunk, body.value_of(states[g].accumulators[i]),
                    function_.type(neutral[i]));
  }
}

std::string KernelEmitter::run(const ir::Soac& soac, const char* name) {
  const auto entry = enter(name, 3);
  preliminaries(*entry);
  Value* const begin = entry->function->getArg(1);
  Value* const end = entry->function->getArg(2);
  Value* const chunk = entry->function->getArg(3);
  if (finish_scans_all(soac)) scan_only_chunk(*entry, soac);
  pass(*entry, soac, Pass::Run, begin, end, chunk);
  entry->body.finish();
  return entry->name;
}

std::string KernelEmitter::choose(const ir::Soac& soac, const LaneChoice& choice,
                                  const std::string& outside, const std::string& inside) {
  // Elements that lanes have nothing to do for, and inner extents that are worth lanes; such of
  // which arrays for all lanes no longer lie in the first-level cache; rows of memory that each are
  // read faster from end to end than beside each other, and pieces that lanes are through with at
  // very different times.
  const std::int64_t few = 4 * std::int64_t{kernel_.width};
  constexpr std::int64_t too_many = 512, long_row = 512, short_piece = 8;
  const auto entry = enter("run", 3);
  LaneBuilder& b = entry->body.b;
  const auto extent_of = [&](const ir::Operand& extent) {
    return entry->body.scalar(extent).value;
  };
  Value* longest = b.i64(0);
  for (const ir::Operand& extent : choice.inner_extents)
    longest = b.greater_of(longest, extent_of(extent));
  Value* goes_inside = b.ir.CreateAnd(b.ir.CreateICmpSLT(extent_of(soac.extent), b.i64(few)),
                                      b.ir.CreateICmpSGE(longest, b.i64(few)));
  if (choice.has_private_arrays || choice.turns_rows)
    goes_inside = b.ir.CreateOr(
        goes_inside,
        b.ir.CreateICmpSGE(longest, b.i64(choice.has_private_arrays ? too_many : long_row)));
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
  std::size_t next_partial = 0;
  for (const ir::Group& group : soac.groups)
    for (const ir::Operand& neutral : std::get<ir::ScanGroup>(group).neutral)
      store_partial(run, next_partial++, chunk, run.body.emitted(neutral), function_.type(neutral));
  b.ir.CreateRet(
      b.ir.CreateCall(kernel_.module.getFunction(options_.symbol_prefix + "finish"), arguments));
  b.ir.SetInsertPoint(more);
}

std::string KernelEmitter::finish(const ir::Soac& soac) {
  if (!ir::has_group<ir::ScanGroup>(soac)) return {};
  const auto entry = enter("finish", 3);
  preliminaries(*entry);
  pass(*entry, soac, Pass::Finish, entry->function->getArg(1), entry->function->getArg(2),
       entry->function->getArg(3));
  entry->body.finish();
  return entry->name;
}

std::string KernelEmitter::combine(const ir::Soac& soac) {
  if (!ir::has_group<ir::ReduceGroup>(soac) && !ir::has_group<ir::ScanGroup>(soac) &&
      !ir::has_group<ir::HistogramGroup>(soac))
    return {};
  const auto entry = enter("combine", 1);
  BodyEmitter& body = entry->body;
  LaneBuilder& b = body.b;
  preliminaries(*entry);
  Value* const chunks = entry->function->getArg(1);
  std::size_t result = 0;
  std::size_t next_partial = 0;
  /// Folds the partial values in order; `before` sees each with what came before it.
  const auto fold = [&](const std::vector<ir::Operand>& neutral, const ir::Body& op,
                        bool leaves_carries) {
    std::vector<Accumulator> accumulators;
    for (const ir::Operand& operand : neutral)
      accumulators.push_back(body.accumulator(operand));
    b.loop(b.i64(0), chunks, 1, [&](Value* chunk) {
      body.with_scratch([&] {
        std::vector<Emitted> left, right;
        for (std::size_t i = 0; i < neutral.size(); ++i) {
          const ir::Type type = function_.type(neutral[i]);
          left.push_back(body.value_of(accumulators[i]));
          right.push_back(load_partial(*entry, next_partial + i, chunk, type));
          if (leaves_carries && !type.is_scalar()) { // the carry will take its place
            const ArrayView saved = body.allocate(type);
            body.copy(std::get<ArrayView>(right.back()), saved, type);
            right.back() = saved;
          }
        }
        if (leaves_carries)
          for (std::size_t i = 0; i < neutral.size(); ++i)
            store_partial(*entry, next_partial + i, chunk, left[i], function_.type(neutral[i]));
        const std::vector<Emitted> next = body.combine(op, left, right);
        for (std::size_t i = 0; i < neutral.size(); ++i)
          body.assign(accumulators[i], next[i], function_.type(neutral[i]));
      });
    });
    next_partial += neutral.size();
    return accumulators;
  };
  const bool keeps_order = keeps_fold_order(soac);
  body.with_scratch([&] {
    for (const ir::Group& group : soac.groups) {
      if (const auto* reduce = std::get_if<ir::ReduceGroup>(&group)) {
        const auto accumulators =
            keeps_order ? folded_units(*entry, reduce->neutral, reduce->combine, next_partial)
                        : fold(reduce->neutral, reduce->combine, false);
        if (keeps_order) next_partial += reduce->neutral.size();
        for (std::size_t i = 0; i < accumulators.size(); ++i)
          store_result(*entry, result++, body.value_of(accumulators[i]),
                       function_.type(reduce->neutral[i]));
      } else if (const auto* scan = std::get_if<ir::ScanGroup>(&group)) {
        if (keeps_order) {
          leave_carries(*entry, scan->neutral, scan->combine, next_partial);
          next_partial += scan->neutral.size();
        } else {
          fold(scan->neutral, scan->combine, true);
        }
        result += scan->neutral.size();
      } else if (const auto* histogram = std::get_if<ir::HistogramGroup>(&group)) {
        // A single chunk has updated the destination itself; its own bins hold nothing.
        Value* const with_bins = b.ir.CreateSelect(is_only_chunk(*entry), b.i64(0), chunks);
        body.merge_bins(*histogram, with_bins, [&](std::size_t i, Value* chunk) {
          return partial(*entry, next_partial + i, chunk,
                         function_.type(histogram->destinations[i]));
        });
        next_partial += histogram->destinations.size();
        result += histogram->destinations.size();
      } else if (const auto* filter = std::get_if<ir::FilterGroup>(&group)) {
        ++next_partial;
        result += 1 + filter->value_count;
      } else {
        ++result;
      }
    }
  });
  body.finish();
  return entry->name;
}

EmittedKernel emit_kernel(const ir::Function& function, const EmitOptions& options) {
  assert(!cannot_emit(function));
  EmittedKernel emitted;
  emitted.context = std::make_unique<llvm::LLVMContext>();
  emitted.module = std::make_unique<llvm::Module>(options.symbol_prefix, *emitted.context);
  KernelModule kernel{*emitted.module};
  kernel.width = choose_width(function, options);
  assert(std::has_single_bit(kernel.width) && kernel.width <= 64);
  kernel.row_width = width_inside(function, options, kernel.width);
  kernel.floats = options.floats;
  kernel.has_avx512 = options.has_avx512;
  kernel.has_avx2 = options.has_avx2;
  kernel.is_compact = options.is_compact;
  emitted.lanes = kernel.width;
  KernelEmitter emitter(function, options, kernel,
                        LanePlan(function, kernel.width, !options.is_compact));
  if (const ir::Soac* soac = parallel_soac(function)) {
    emitted.skeleton = skeleton_of(*soac);
    emitted.finish = emitter.finish(*soac); // which `run` may call
    if (const std::optional<LaneChoice> choice =
            lane_choice(function, kernel.width, kernel.row_width, !options.is_compact)) {
      KernelEmitter other(function, options, kernel, choice->inside);
      other.keep_one_index();
      const std::string outside = emitter.run(*soac, "run_outside");
      kernel.width = kernel.row_width;
      const std::string inside = other.run(*soac, "run_inside");
      kernel.width = emitted.lanes;
      emitted.run = emitter.choose(*soac, *choice, outside, inside);
    } else {
      emitted.run = emitter.run(*soac);
    }
    emitted.combine = emitter.combine(*soac);
    emitted.index_space = {soac->extent};
    if (const ir::Soac* inner = emitter.index_space_of_two(*soac))
      emitted.index_space.push_back(inner->extent);
  } else {
    emitted.skeleton = "sequential";
    emitted.run = emitter.sequential();
  }
  emitted.symbols = std::move(kernel.symbols);
  return emitted;
}

} // namespace sinter::jit
