// Branches and loops: on uniform conditions as jumps, on varying ones under masks.
#include "jit/emit/body.h"
#include "jit/emit/kernel_shape.h"

#include <algorithm>
#include <cassert>

namespace sinter::jit {

using llvm::Value;

// ---- if ----------------------------------------------------------------------------------------

bool is_same_place(const ArrayView& a, const ArrayView& b) {
  return a.base == b.base && a.offset.value == b.offset.value && a.offset.shape == b.offset.shape &&
         a.strides == b.strides;
}

void BodyEmitter::emit(const ir::Statement& statement, const ir::If& op) {
  const LaneValue condition = scalar(op.condition);
  if (condition.shape == Shape::Uniform)
    emit_uniform_if(statement, op, condition.value);
  else if (op.is_shortcut)
    emit_shortcut(statement, op, condition.value);
  else
    emit_masked_if(statement, op, condition.value);
}

/// All lanes take it, or none.
void BodyEmitter::emit_shortcut(const ir::Statement& statement, const ir::If& op,
                                Value* condition) {
  if (!has_few_shortcuts_) {
    Value* const elsewhere = b.and_mask(b.ir.CreateNot(condition));
    return emit_uniform_if(statement, op, b.ir.CreateNot(b.any(elsewhere)));
  }
  statements(op.else_body);
  for (std::size_t i = 0; i < statement.results.size(); ++i)
    bind(statement.results[i], emitted(op.else_body.results[i]));
}

void BodyEmitter::emit_uniform_if(const ir::Statement& statement, const ir::If& op,
                                  Value* condition) {
  auto* const first = b.block("then");
  auto* const second = b.block("else");
  auto* const after = b.block("after");
  b.ir.CreateCondBr(condition, first, second);
  // An array that is wanted somewhere is built there by both branches.
  std::vector<std::optional<ArrayView>> wanted;
  for (const ir::ValueId result : statement.results)
    wanted.push_back(suggested_place(result));
  const auto branch = [&](llvm::BasicBlock* block, const ir::Body& body) {
    b.ir.SetInsertPoint(block);
    for (std::size_t i = 0; i < wanted.size(); ++i)
      if (wanted[i]) suggest_place(body, body.results[i], *wanted[i]);
    statements(body);
    std::vector<Emitted> results;
    for (std::size_t i = 0; i < body.results.size(); ++i) {
      results.push_back(emitted(body.results[i]));
      if (!wanted[i]) continue;
      copy(std::get<ArrayView>(results[i]), *wanted[i], source_.type(statement.results[i]));
      results[i] = *wanted[i];
    }
    return results;
  };
  const std::vector<Emitted> then_results = branch(first, op.then_body);
  auto* const first_end = b.ir.GetInsertBlock();
  const std::vector<Emitted> else_results = branch(second, op.else_body);
  auto* const second_end = b.ir.GetInsertBlock();

  // Whatever changes a shape goes in front of the branches' jumps.
  const auto in = [&](llvm::BasicBlock* block, auto emit_there) {
    b.ir.SetInsertPoint(block);
    return emit_there();
  };
  const auto phi = [&](Value* a, Value* c) -> Value* {
    if (a == c) return a;
    llvm::IRBuilder<> at_after(after);
    auto* const node = at_after.CreatePHI(a->getType(), 2);
    node->addIncoming(a, first_end);
    node->addIncoming(c, second_end);
    return node;
  };
  const auto phi_of_lanes = [&](const LaneValue& a, const LaneValue& c) {
    if (a.shape == c.shape) return LaneValue{phi(a.value, c.value), a.shape, a.element};
    Value* const x = in(first_end, [&] { return b.vector(a); });
    Value* const y = in(second_end, [&] { return b.vector(c); });
    return LaneValue{phi(x, y), Shape::Varying, a.element};
  };
  for (std::size_t i = 0; i < statement.results.size(); ++i) {
    if (const auto* x = std::get_if<LaneValue>(&then_results[i])) {
      bind(statement.results[i], phi_of_lanes(*x, std::get<LaneValue>(else_results[i])));
      continue;
    }
    const auto& x = std::get<ArrayView>(then_results[i]);
    const auto& y = std::get<ArrayView>(else_results[i]);
    ArrayView joined = x;
    joined.base = phi(x.base, y.base);
    joined.offset = phi_of_lanes(x.offset, y.offset);
    for (std::size_t d = 0; d < x.strides.size(); ++d)
      joined.strides[d] = phi(x.strides[d], y.strides[d]);
    joined.is_row_major = x.is_row_major && y.is_row_major;
    joined.is_private = x.is_private && y.is_private;
    bind(statement.results[i], joined);
  }
  in(first_end, [&] { return b.ir.CreateBr(after); });
  in(second_end, [&] { return b.ir.CreateBr(after); });
  b.ir.SetInsertPoint(after);
}

void BodyEmitter::emit_masked_if(const ir::Statement& statement, const ir::If& op,
                                 Value* condition) {
  const bool gives_scalars =
      std::all_of(statement.results.begin(), statement.results.end(),
                  [&](ir::ValueId result) { return source_.type(result).is_scalar(); });
  if (gives_scalars && is_cheap(op.then_body) && is_cheap(op.else_body))
    return emit_both_branches(statement, op, condition);
  std::vector<Variable> scalars_after;
  for (ir::ValueId result : statement.results)
    scalars_after.push_back(source_.type(result).is_scalar()
                                ? b.variable(source_.type(result).element, Shape::Varying)
                                : Variable{});
  Value* const mask = b.mask;
  MaskedBranch branches[] = {{&op.then_body, b.and_mask(condition), {}},
                             {&op.else_body, b.and_mask(b.ir.CreateNot(condition)), {}}};
  for (MaskedBranch& branch : branches)
    b.if_then(b.any(branch.mask), [&] {
      b.mask = branch.mask;
      statements(*branch.body);
      for (std::size_t i = 0; i < statement.results.size(); ++i) {
        const Emitted result = emitted(branch.body->results[i]);
        if (const auto* value = std::get_if<LaneValue>(&result))
          b.set_active(scalars_after[i], *value);
        else
          branch.arrays.push_back(save(std::get<ArrayView>(result)));
      }
      b.mask = mask;
    });
  std::size_t next_array = 0;
  for (std::size_t i = 0; i < statement.results.size(); ++i)
    bind(statement.results[i], source_.type(statement.results[i]).is_scalar()
                                   ? Emitted(b.get(scalars_after[i]))
                                   : joined(statement.results[i], branches, next_array++));
}

/// Without a jump.
void BodyEmitter::emit_both_branches(const ir::Statement& statement, const ir::If& op,
                                     Value* condition) {
  statements(op.then_body);
  statements(op.else_body);
  for (std::size_t i = 0; i < statement.results.size(); ++i) {
    const LaneValue x = scalar(op.then_body.results[i]);
    const LaneValue y = scalar(op.else_body.results[i]);
    bind(statement.results[i],
         b.varying(b.ir.CreateSelect(condition, b.vector(x), b.vector(y)), x.element));
  }
}

BodyEmitter::SavedArray BodyEmitter::save(const ArrayView& view) {
  SavedArray saved{view, b.pointer_variable(), {}, {}};
  b.ir.CreateStore(view.base, saved.base);
  saved.offset = b.variable(ElementType::I64,
                            view.offset.shape == Shape::Varying ? Shape::Varying : Shape::Uniform);
  b.set(saved.offset,
        view.offset.shape == Shape::Linear ? b.uniform(view.offset.value) : view.offset);
  for (Value* stride : view.strides) {
    saved.strides.push_back(b.variable(ElementType::I64, Shape::Uniform));
    b.set(saved.strides.back(), b.uniform(stride));
  }
  return saved;
}

ArrayView BodyEmitter::load(const SavedArray& saved) {
  ArrayView view = saved.view;
  view.base = b.ir.CreateLoad(b.ir.getPtrTy(), saved.base);
  view.offset.value = b.get(saved.offset).value;
  for (std::size_t d = 0; d < view.strides.size(); ++d)
    if (!llvm::isa<llvm::Constant>(view.strides[d]))
      view.strides[d] = b.get(saved.strides[d]).value;
  return view;
}

/// One array of what two branches left behind.
ArrayView BodyEmitter::joined(ir::ValueId result, std::span<const MaskedBranch> branches,
                              std::size_t number) {
  const ArrayView& first = branches[0].arrays[number].view;
  if (is_same_place(first, branches[1].arrays[number].view))
    return first; // updated in place, or not at all
  Value* const mask = b.mask;
  ArrayView all = place(result);
  for (const MaskedBranch& branch : branches)
    b.if_then(b.any(branch.mask), [&] {
      const ArrayView from = load(branch.arrays[number]);
      b.mask = branch.mask;
      copy(from, all, source_.type(result));
      b.mask = mask;
    });
  return all;
}

namespace {

/// Loops of no more iterations need not look whether someone wants them to stop.
constexpr std::int64_t short_loop = 256;
/// How often one looks in loops whose iterations take little each: to do it in all of them would
/// cost as much again.
constexpr std::int64_t straight_strip = 1024;

/// Whether it is a constant of at most `most`.
bool is_constant_at_most(const LaneValue& value, std::int64_t most) {
  const auto* number = llvm::dyn_cast<llvm::ConstantInt>(value.value);
  return number && value.shape == Shape::Uniform && number->getSExtValue() <= most;
}

} // namespace

// ---- loops -------------------------------------------------------------------------------------

void BodyEmitter::sequential_range(Value* begin, const LaneValue& end,
                                   const std::function<void(const LaneValue&)>& body) {
  if (end.shape == Shape::Uniform) {
    b.loop(begin, end.value, 1, [&](Value* i) { body(b.uniform(i)); });
    return;
  }
  Value* const mask = b.mask;
  Value* const ends = b.vector(end);
  b.loop(begin, b.greatest(end), 1, [&](Value* i) {
    b.mask = mask;
    b.mask = b.and_mask(b.ir.CreateICmpSLT(b.splat(i), ends));
    body(b.uniform(i));
  });
  b.mask = mask;
}

void BodyEmitter::range_in_strips(
    const LaneValue& end, std::int64_t length,
    const std::function<void(Value* begin, const LaneValue& end)>& range) {
  if (is_constant_at_most(end, length)) return range(b.i64(0), end);
  b.loop(b.i64(0), b.greatest(end), length, [&](Value* first) {
    check_epoch();
    Value* const next = b.ir.CreateAdd(first, b.i64(length));
    if (end.shape == Shape::Uniform)
      range(first, b.uniform(b.lesser_of(next, end.value)));
    else
      range(first, b.varying(b.lesser_of(b.splat(next), b.vector(end)), ElementType::I64));
  });
}

/// The outermost extent, or 0 where an inner one is: then there is nothing to go through.
LaneValue BodyEmitter::extent_if_inhabited(std::span<const LaneValue> extents) {
  LaneValue outermost = extents[0];
  if (outermost.shape == Shape::Linear)
    outermost = b.varying(b.vector(outermost), ElementType::I64);
  for (const LaneValue& inner : extents.subspan(1)) {
    if (inner.shape != Shape::Uniform || llvm::isa<llvm::ConstantInt>(inner.value)) continue;
    Value* const none = llvm::Constant::getNullValue(outermost.value->getType());
    outermost.value =
        b.ir.CreateSelect(b.ir.CreateICmpEQ(inner.value, b.i64(0)), none, outermost.value);
  }
  return outermost;
}

void BodyEmitter::for_each_index(std::span<const LaneValue> extents,
                                 const std::function<void(std::span<const LaneValue>)>& body,
                                 bool may_use_lanes) {
  if (extents.size() > 1 && !is_constant_at_most(extents[0], short_loop)) {
    std::vector<LaneValue> indices(extents.begin(), extents.end());
    return sequential_range(b.i64(0), extent_if_inhabited(extents), [&](const LaneValue& index) {
      check_epoch();
      indices[0] = index;
      for_each_index(
          extents.subspan(1),
          [&](std::span<const LaneValue> inner) {
            std::copy(inner.begin(), inner.end(), indices.begin() + 1);
            body(indices);
          },
          may_use_lanes);
    });
  }
  std::vector<LaneValue> indices;
  const std::function<void()> nest = [&] {
    if (indices.size() == extents.size()) return body(indices);
    const LaneValue& extent = extents[indices.size()];
    const bool is_innermost = indices.size() + 1 == extents.size();
    const auto run = [&](const LaneValue& index) {
      indices.push_back(index);
      nest();
      indices.pop_back();
    };
    const bool goes_in_lanes = is_innermost && may_use_lanes && !b.in_lanes() && b.kernel.width > 1;
    range_in_strips(extent, strip_length, [&](Value* begin, const LaneValue& end) {
      if (goes_in_lanes)
        b.lanes_range(begin, end.value, [&](Value* first) { run(b.linear(first)); });
      else
        sequential_range(begin, end, run);
    });
  };
  nest();
}

std::vector<BodyEmitter::LoopState> BodyEmitter::begin_loop(const std::vector<ir::Operand>& initial,
                                                            const ir::Body& body, std::size_t first,
                                                            std::span<const ir::ValueId> results) {
  std::vector<LoopState> states;
  for (std::size_t i = 0; i < initial.size(); ++i) {
    LoopState state;
    const ir::ValueId parameter = body.parameters[first + i];
    const ir::Type& type = source_.type(parameter);
    const Emitted value = emitted(initial[i]);
    if (type.is_scalar()) {
      state.variable =
          b.variable(type.element, uniformity_.varies(parameter) ? Shape::Varying : Shape::Uniform);
      b.set(state.variable, std::get<LaneValue>(value));
    } else if (in_place_origin(body, body.results[i].value()) == parameter) {
      state.is_in_place = true;
      state.buffer = std::get<ArrayView>(value);
    } else {
      state.buffer = place(results[i]);
      copy(std::get<ArrayView>(value), state.buffer, type);
    }
    states.push_back(std::move(state));
  }
  return states;
}

void BodyEmitter::bind_state(const std::vector<LoopState>& states,
                             std::span<const ir::ValueId> parameters) {
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i].variable.slot)
      bind(parameters[i], b.get(states[i].variable));
    else
      bind(parameters[i], states[i].buffer);
  }
}

void BodyEmitter::update_state(const std::vector<LoopState>& states, const ir::Body& body,
                               std::size_t first) {
  std::vector<Emitted> next;
  for (std::size_t i = 0; i < states.size(); ++i) {
    next.push_back(emitted(body.results[i]));
    if (states[i].variable.slot || states[i].is_in_place) continue;
    // A view of the state must be read before any state is overwritten.
    const ir::ValueId result = body.results[i].value();
    if (may_be_memory_of_parameter(body, result))
      next.back() = copied(next.back(), source_.type(result));
  }
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i].variable.slot && states[i].is_masked)
      b.set_active(states[i].variable, std::get<LaneValue>(next[i]));
    else if (states[i].variable.slot)
      b.set(states[i].variable, std::get<LaneValue>(next[i]));
    else if (!states[i].is_in_place)
      copy(std::get<ArrayView>(next[i]), states[i].buffer,
           source_.type(body.parameters[first + i]));
  }
}

void BodyEmitter::emit(const ir::Statement& statement, const ir::For& op) {
  const std::vector<LoopState> states = begin_loop(op.initial, op.body, 1, statement.results);
  LaneValue bound = scalar(op.bound);
  if (byte_size(op.index_type) < 8) {
    const bool is_varying = bound.shape != Shape::Uniform;
    Value* const narrow = is_varying ? b.vector(bound) : bound.value;
    llvm::Type* const wide = b.type(ElementType::I64, is_varying ? Shape::Varying : Shape::Uniform);
    bound = {is_signed(op.index_type) ? b.ir.CreateSExt(narrow, wide)
                                      : b.ir.CreateZExt(narrow, wide),
             is_varying ? Shape::Varying : Shape::Uniform, ElementType::I64};
  }
  const bool is_short = is_constant_at_most(bound, short_loop);
  const bool goes_in_strips = is_straight(source_, op.body);
  std::vector<LoopRow> rows = rows_along(op);
  const auto iteration = [&](const LaneValue& index) {
    with_scratch([&] {
      if (!is_short && !goes_in_strips) check_epoch();
      bind(op.body.parameters[0],
           b.uniform(b.ir.CreateTrunc(index.value, b.type(op.index_type)), op.index_type));
      bind_state(states, std::span(op.body.parameters).subspan(1));
      statements(op.body);
      update_state(states, op.body, 1);
    });
  };
  const auto range = [&](Value* begin, const LaneValue& end) {
    if (rows.empty())
      sequential_range(begin, end, iteration);
    else
      loop_along_rows(rows, begin, end, iteration);
  };
  if (goes_in_strips)
    range_in_strips(bound, straight_strip, range);
  else
    range(b.i64(0), bound);
  bind_state(states, statement.results);
}

void BodyEmitter::emit(const ir::Statement& statement, const ir::While& op) {
  const std::vector<LoopState> states = begin_loop(op.initial, op.body, 0, statement.results);
  if (b.in_lanes() && uniformity_.varies(op.condition.results[0]))
    return emit_while_in_lanes(statement, op, states);
  b.while_loop(
      [&] {
        bind_state(states, op.condition.parameters);
        statements(op.condition);
        return scalar(op.condition.results[0]).value;
      },
      [&] {
        with_scratch([&] {
          check_epoch();
          bind_state(states, op.body.parameters);
          statements(op.body);
          update_state(states, op.body, 0);
        });
      });
  bind_state(states, statement.results);
}

} // namespace sinter::jit
