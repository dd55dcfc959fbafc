// Maps: a thread for each element, or for some that lie together.
//
// Of arrays that lie without gaps at multiples of 16 bytes, a thread takes 16 bytes of elements:
// one load of each input, the body for each of them, one store of each result.  Elsewhere it takes
// as many elements, but such that the threads of a block lie beside each other.  What is left over
// computes its first element again, so that there is one code for all.
#include "gpu/kernels/calls.h"
#include "gpu/kernels/gpu_hooks.h"
#include "gpu/kernels/rolled_loops.h"
#include "gpu/skeletons/across_reads.h"
#include "gpu/skeletons/entry_builder.h"
#include "gpu/skeletons/grid.h"
#include "gpu/skeletons/skeletons.h"
#include "gpu/skeletons/wide_elements.h"
#include "jit/emit/body.h"
#include "jit/emit/frame.h"
#include "jit/emit/kernel_abi.h"
#include "jit/emit/kernel_shape.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include <llvm/IR/CFG.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

namespace sinter::gpu {

using jit::ArrayView;
using jit::Emitted;
using jit::GroupState;
using jit::LaneBuilder;
using jit::LaneValue;
using jit::MapState;
using llvm::Value;

namespace {

/// The maps of which each is the body of the one before, up to so many.
std::vector<const ir::Soac*> nest_of(const ir::Function& function) {
  std::vector<const ir::Soac*> nest = {jit::parallel_soac(function)};
  while (nest.size() < most_grid_rank) {
    const ir::Soac* const inner = jit::nested_map(function, *nest.back());
    if (!inner) break;
    nest.push_back(inner);
  }
  return nest;
}

/// The function of a thread in the making.
class MapEmitter {
public:
  MapEmitter(jit::KernelModule& kernel, const ir::Function& function, llvm::Function* thread,
             unsigned lanes, std::vector<const ir::Soac*> nest)
      : function_(function), thread_(thread), lanes_(lanes), nest_(std::move(nest)),
        plan_(function, 1, jit::AlongRows::Never), body_(kernel, function, plan_, thread) {}

  void emit(const ir::ArrayLayouts& layouts) {
    LaneBuilder& b = body_.b;
    Value* const frame = thread_->getArg(0);
    body_.frame = jit::frame_pointers(b, frame);
    jit::bind_parameters(
        body_, layouts,
        jit::frame_field(b, frame, offsetof(jit::KernelFrame, arguments), b.ir.getPtrTy()));
    position_ = emit_grid_position(b.ir, b.kernel.module, thread_->getArg(1), nest_.size());
    if (!jit::is_straight(function_, nest_.back()->body)) end_if_stopped();
    ir::Body before;
    before.statements.assign(function_.body.statements.begin(),
                             function_.body.statements.end() - 1);
    body_.statements(before);
    std::vector<GroupState> states;
    for (std::size_t r = 0; r < function_.body.results.size(); ++r)
      states.push_back(MapState{.stored = {.places = {result_array(r)}}});
    dimension(0, states);
    body_.finish();
  }

private:
  Value* extent(const ir::Soac& soac) { return body_.scalar(soac.extent).value; }

  ArrayView result_array(std::size_t result) {
    LaneBuilder& b = body_.b;
    Value* const words = jit::frame_field(b, thread_->getArg(0),
                                          offsetof(jit::KernelFrame, results), b.ir.getPtrTy());
    Value* const data =
        b.ir.CreateLoad(b.ir.getPtrTy(), b.ir.CreateConstGEP1_64(b.ir.getInt64Ty(), words, result));
    return jit::row_major(body_, data, function_.type(function_.body.results[result]));
  }

  /// What takes long is not begun any more.
  void end_if_stopped() {
    LaneBuilder& b = body_.b;
    Value* const stop = look_at_stop(b.ir, b.kernel.module, body_.frame.failure);
    b.if_then(b.ir.CreateICmpNE(stop, b.ir.getInt32(0)), [&] {
      b.ir.CreateRet(b.i64(1));
      b.ir.SetInsertPoint(b.block("unreachable"));
    });
  }

  /// The maps from a depth on, at the thread's indices of those around.
  void dimension(std::size_t depth, std::vector<GroupState>& states) {
    const ir::Soac& soac = *nest_[depth];
    if (depth + 1 == nest_.size()) return innermost(soac, states);
    LaneBuilder& b = body_.b;
    Value* const index = position_.outer[depth];
    b.if_then(b.ir.CreateICmpSLT(index, extent(soac)), [&] {
      body_.row_of_nest(soac, states, b.uniform(index),
                        [&](std::vector<GroupState>& inner) { dimension(depth + 1, inner); });
    });
  }

  void innermost(const ir::Soac& soac, std::vector<GroupState>& states) {
    LaneBuilder& b = body_.b;
    Value* const count = extent(soac);
    if (lanes_ > 1) return in_lanes(soac, states, count);
    const LaneValue index = b.uniform(
        b.ir.CreateAdd(b.ir.CreateMul(position_.block, position_.width), position_.thread));
    b.if_then(b.ir.CreateICmpSLT(index.value, count), [&] {
      body_.element(soac, states, index, [&] { body_.apply(soac, states, index); });
    });
  }

  // ---- several elements

  /// An array whose elements a thread reads or writes at its indices.
  struct Stream {
    ArrayView view;
    std::vector<jit::Variable> elements; ///< by lane
  };

  std::size_t bytes_of(const Stream& stream) const {
    return lanes_ * byte_size(stream.view.element);
  }
  llvm::Type* lanes_type(const Stream& stream) {
    return llvm::FixedVectorType::get(body_.b.memory_type(stream.view.element), lanes_);
  }
  Value* place(const Stream& stream, Value* index) {
    LaneBuilder& b = body_.b;
    const LaneValue at = b.uniform(index);
    return b.ir.CreateGEP(b.memory_type(stream.view.element), stream.view.base,
                          b.element_offset(stream.view, {&at, 1}).value);
  }
  Stream stream(const ArrayView& view) {
    Stream result{view, {}};
    for (unsigned lane = 0; lane < lanes_; ++lane)
      result.elements.push_back(body_.b.variable(view.element, jit::Shape::Uniform));
    return result;
  }

  /// i1: whether the lanes of all streams are one access each; null: never.
  Value* are_wide(const std::vector<const Stream*>& streams) {
    LaneBuilder& b = body_.b;
    Value* rest = b.i64(0);
    for (const Stream* one : streams) {
      const auto* const stride = llvm::dyn_cast<llvm::ConstantInt>(one->view.strides[0]);
      if (!stride || !stride->isOne()) return nullptr;
      Value* const address = b.ir.CreatePtrToInt(place(*one, b.i64(0)), b.ir.getInt64Ty());
      rest = b.ir.CreateOr(rest, b.ir.CreateAnd(address, bytes_of(*one) - 1));
    }
    return b.ir.CreateICmpEQ(rest, b.i64(0));
  }

  void in_lanes(const ir::Soac& soac, std::vector<GroupState>& states, Value* count) {
    LaneBuilder& b = body_.b;
    std::vector<Stream> inputs, results;
    std::vector<const Stream*> all;
    for (const ir::ValueId input : soac.inputs)
      inputs.push_back(stream(body_.array(input)));
    for (const GroupState& state : states)
      results.push_back(stream(std::get<MapState>(state).stored.places[0]));
    for (const std::vector<Stream>* list : {&inputs, &results})
      for (const Stream& one : *list)
        all.push_back(&one);
    Value* const wide = are_wide(all);
    Value* const begin =
        b.ir.CreateMul(position_.block, b.ir.CreateMul(position_.width, b.i64(lanes_)));
    Value* step = position_.width;
    Value* offset = position_.thread;
    if (wide) {
      step = b.ir.CreateSelect(wide, b.i64(1), step);
      offset = b.ir.CreateSelect(wide, b.ir.CreateMul(offset, b.i64(lanes_)), offset);
    }
    Value* const first = b.ir.CreateAdd(begin, offset);
    b.if_then(b.ir.CreateICmpSLT(first, count), [&] {
      std::vector<Value*> indices = {first};
      for (unsigned lane = 1; lane < lanes_; ++lane) {
        Value* const index = b.ir.CreateAdd(first, b.ir.CreateMul(step, b.i64(lane)));
        indices.push_back(b.ir.CreateSelect(b.ir.CreateICmpSLT(index, count), index, first));
      }
      Value* const is_whole =
          wide ? b.ir.CreateAnd(wide,
                                b.ir.CreateICmpSLE(b.ir.CreateAdd(first, b.i64(lanes_)), count))
               : b.ir.getFalse();
      b.if_then_else(
          is_whole, [&] { load_at_once(inputs, first); }, [&] { load_each(inputs, indices); });
      if (copied_statements(soac.body) * lanes_ <= most_copied_statements)
        compute_each(soac, inputs, results, indices);
      else
        compute_in_turn(soac, inputs, results, indices);
      b.if_then_else(
          is_whole, [&] { store_at_once(results, first); }, [&] { store_each(results, indices); });
    });
  }

  void load_at_once(const std::vector<Stream>& inputs, Value* first) {
    LaneBuilder& b = body_.b;
    for (const Stream& input : inputs) {
      Value* loaded = b.ir.CreateAlignedLoad(lanes_type(input), place(input, first),
                                             llvm::Align(bytes_of(input)));
      if (input.view.element == ElementType::Bool)
        loaded = b.ir.CreateICmpNE(loaded, llvm::Constant::getNullValue(loaded->getType()));
      for (unsigned lane = 0; lane < lanes_; ++lane)
        b.set(input.elements[lane],
              b.uniform(b.ir.CreateExtractElement(loaded, lane), input.view.element));
    }
  }
  void load_each(const std::vector<Stream>& inputs, const std::vector<Value*>& indices) {
    LaneBuilder& b = body_.b;
    for (const Stream& input : inputs)
      for (unsigned lane = 0; lane < lanes_; ++lane) {
        const LaneValue at = b.uniform(indices[lane]);
        b.set(input.elements[lane], b.load(input.view, b.element_offset(input.view, {&at, 1})));
      }
  }
  void store_at_once(const std::vector<Stream>& results, Value* first) {
    LaneBuilder& b = body_.b;
    for (const Stream& result : results) {
      Value* stored = llvm::PoisonValue::get(lanes_type(result));
      for (unsigned lane = 0; lane < lanes_; ++lane) {
        Value* element = b.get(result.elements[lane]).value;
        if (result.view.element == ElementType::Bool)
          element = b.ir.CreateZExt(element, b.ir.getInt8Ty());
        stored = b.ir.CreateInsertElement(stored, element, lane);
      }
      b.ir.CreateAlignedStore(stored, place(result, first), llvm::Align(bytes_of(result)));
    }
  }
  void store_each(const std::vector<Stream>& results, const std::vector<Value*>& indices) {
    LaneBuilder& b = body_.b;
    for (const Stream& result : results)
      for (unsigned lane = 0; lane < lanes_; ++lane) {
        const LaneValue at = b.uniform(indices[lane]);
        b.store(result.view, b.element_offset(result.view, {&at, 1}), b.get(result.elements[lane]));
      }
  }

  /// Computes the element at an index from a lane's inputs into a lane's results.
  void compute(const ir::Soac& soac, const std::vector<Stream>& inputs, unsigned from,
               const std::vector<Stream>& results, unsigned lane, Value* index) {
    std::vector<Emitted> elements;
    for (const Stream& input : inputs)
      elements.emplace_back(body_.b.get(input.elements[from]));
    body_.element_of(soac, elements, body_.b.uniform(index), [&] {
      for (std::size_t r = 0; r < results.size(); ++r)
        body_.b.set(results[r].elements[lane], body_.scalar(soac.body.results[r]));
    });
  }
  void compute_each(const ir::Soac& soac, const std::vector<Stream>& inputs,
                    const std::vector<Stream>& results, const std::vector<Value*>& indices) {
    for (unsigned lane = 0; lane < lanes_; ++lane)
      compute(soac, inputs, lane, results, lane, indices[lane]);
  }
  /// By a loop that takes the first lane's inputs and gives the last one's results: the others move
  /// on by one each time.
  void compute_in_turn(const ir::Soac& soac, const std::vector<Stream>& inputs,
                       const std::vector<Stream>& results, const std::vector<Value*>& indices) {
    LaneBuilder& b = body_.b;
    std::vector<jit::Variable> places;
    for (Value* const index : indices) {
      places.push_back(b.variable(ElementType::I64, jit::Shape::Uniform));
      b.set(places.back(), b.uniform(index));
    }
    for (const Stream& result : results)
      for (const jit::Variable& element : result.elements)
        b.set(element, b.uniform(llvm::Constant::getNullValue(b.type(result.view.element)),
                                 result.view.element));
    b.loop(b.i64(0), b.i64(lanes_), 1, [&](Value*) {
      for (const Stream& result : results)
        move_on(result.elements);
      compute(soac, inputs, 0, results, lanes_ - 1, b.get(places.front()).value);
      move_on(places);
      for (const Stream& input : inputs)
        move_on(input.elements);
    });
    keep_rolled(b.ir.GetInsertBlock());
  }
  /// Nobody is to unroll the loop that leads to the block: that is what it is for.
  static void keep_rolled(llvm::BasicBlock* after) {
    llvm::BasicBlock* const head = after->getSinglePredecessor();
    for (llvm::BasicBlock* const before : llvm::predecessors(head))
      if (before->getTerminator()->getNumSuccessors() == 1) keep_loop_rolled(*before);
  }
  /// Each lane's value becomes that of the lane before.
  void move_on(const std::vector<jit::Variable>& lanes) {
    LaneBuilder& b = body_.b;
    for (std::size_t lane = 0; lane + 1 < lanes.size(); ++lane)
      b.set(lanes[lane], b.get(lanes[lane + 1]));
  }

  const ir::Function& function_;
  llvm::Function* thread_;
  unsigned lanes_;
  std::vector<const ir::Soac*> nest_; ///< outermost first
  jit::LanePlan plan_;
  jit::BodyEmitter body_;
  GridPosition position_;
};

/// `i64 thread(ptr frame, i64 grid)`, which is inlined.
llvm::Function* make_thread(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::Type* const word = llvm::Type::getInt64Ty(context);
  auto* const thread = llvm::Function::Create(
      llvm::FunctionType::get(word, {llvm::PointerType::get(context, 0), word}, false),
      llvm::Function::InternalLinkage, "thread", module);
  thread->addFnAttr(llvm::Attribute::NoUnwind);
  thread->addFnAttr(llvm::Attribute::AlwaysInline);
  return thread;
}

constexpr const char* entry_name = "run";

LaunchPlan plan_map(const LaunchSizes& sizes, unsigned lanes) {
  const Extents extents = jit::values_of(sizes.layout.index_space, sizes.scalars);
  LaunchPlan plan;
  if (const std::optional<Grid> grid =
          choose_grid({extents.begin(), extents.end()}, lanes, sizes.multiprocessors)) {
    plan.numbers = {grid->word};
    plan.steps = {{.entry = entry_name, .shape = grid->shape}};
  } else {
    plan.areas = {{.bytes = INT64_MAX}}; // no device has room for so many results
  }
  return plan;
}

} // namespace

std::optional<KernelEntries> make_map(const ir::Function& function,
                                      const SkeletonOptions& options) {
  const ir::Soac& soac = *jit::parallel_soac(function);
  if (!jit::has_only<ir::MapGroup>(soac)) return std::nullopt;
  KernelEntries result;
  result.module.context = make_kernel_context();
  result.module.module = std::make_unique<llvm::Module>("kernel", *result.module.context);
  const std::vector<const ir::Soac*> nest = nest_of(function);
  const unsigned lanes = lanes_of_inputs(function, *nest.back(), /*stores_results=*/true);
  const GpuHooks hooks;
  jit::KernelModule kernel{*result.module.module, hooks};
  kernel.floats = options.floats;
  llvm::Function* const thread = make_thread(*result.module.module);
  ir::ArrayLayouts layouts = options.layouts;
  const std::vector<std::uint32_t> across = parameters_read_across(function);
  forget_order(layouts, across);
  MapEmitter(kernel, function, thread, lanes, nest).emit(layouts);
  // (What lies in scratch memory wants no more threads than there are pieces of that.)
  if (kernel.refusal || hooks.use_scratch()) return std::nullopt;
  EntryBuilder entry(kernel, entry_name, word_counts(function, 0, 1));
  entry.b.ir.CreateCall(thread, {entry.frame(), entry.number(0)});
  result.module.entries.push_back(entry.finish());
  result.skeleton = ir::Skeleton::Map;
  for (const ir::Soac* one : nest)
    result.index_space.push_back(one->extent);
  result.plan = [lanes, across](const LaunchSizes& sizes) {
    LaunchPlan plan = plan_map(sizes, lanes);
    plan.turned = worth_turning(sizes, across);
    return plan;
  };
  return result;
}

} // namespace sinter::gpu
