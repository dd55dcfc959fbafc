#include "lang/core/last_use.h"

#include "lang/core/children.h"

#include <algorithm>
#include <vector>

namespace sinter::core {

namespace {

/// What of a variable is read: a bit for each of a record's first fields, all bits for the whole.
using Parts = std::uint64_t;
constexpr Parts nothing = 0;
constexpr Parts whole = ~Parts{0};
Parts field_part(std::uint32_t field) {
  return field < 63 ? Parts{1} << field : whole;
}
using Slots = std::vector<Parts>;

void unite(Slots& into, const Slots& other) {
  for (std::size_t i = 0; i < into.size(); ++i)
    into[i] |= other[i];
}

/// The tree is still its maker's while this runs, so its nodes may be changed.
template <typename Node>
Node& mutate(const Node& node) {
  return const_cast<Node&>(node);
}

/// Adds what an expression reads, and the slots that it binds.
void collect(const Expr& expr, Slots& reads, Slots& binds) {
  if (const auto* local = std::get_if<Local>(&expr.node)) reads[local->slot] = whole;
  for_each_bound_slot(expr, [&](Slot slot) { binds[slot] = whole; });
  const auto* project = std::get_if<Project>(&expr.node);
  const auto* local = project ? std::get_if<Local>(&project->record->node) : nullptr;
  if (local)
    reads[local->slot] |= field_part(project->field);
  else
    for_each_child(expr, [&](const Expr& child) { collect(child, reads, binds); });
}

/// Walks backwards; `live` holds what is read later.
struct Marker {
  Slots live;

  void expr(const Expr* e) {
    if (e) std::visit(*this, e->node);
  }
  void backwards(const std::vector<const Expr*>& list) {
    for (auto e = list.rbegin(); e != list.rend(); ++e)
      expr(*e);
  }
  /// Keeps what an expression reads alive, without taking it.
  void keep(const Expr* e) {
    if (!e) return;
    Slots binds(live.size());
    collect(*e, live, binds);
  }
  void keep(const std::vector<const Expr*>& list) {
    for (const Expr* e : list)
      keep(e);
  }
  void kill(const std::vector<SizeBinding>& sizes) {
    auto& list = mutate(sizes);
    std::erase_if(list, [&](const SizeBinding& binding) { return live[binding.slot] == nothing; });
    for (const SizeBinding& binding : list)
      live[binding.slot] = nothing;
  }
  void kill(const Pattern& pattern) {
    if (const auto* slot = std::get_if<SlotPattern>(&pattern.node)) {
      const Slot bound = slot->slot;
      if (live[bound] == nothing) mutate(pattern).node = WildcardPattern{};
      live[bound] = nothing;
    }
    if (const auto* record = std::get_if<RecordPattern>(&pattern.node))
      for (const Pattern* field : record->fields)
        kill(*field);
    if (const auto* sum = std::get_if<SumPattern>(&pattern.node))
      for (const Pattern* part : sum->payload)
        kill(*part);
    kill(pattern.sizes);
  }
  void parts(const std::vector<IndexPart>& list) {
    for (auto part = list.rbegin(); part != list.rend(); ++part)
      backwards({part->index, part->begin, part->end, part->stride});
  }

  void operator()(const Constant&) {}
  void operator()(const Bytes&) {}
  void operator()(const Local& local) {
    mutate(local).is_last_use = live[local.slot] == nothing;
    live[local.slot] = whole;
  }
  void operator()(const Captured&) {}
  void operator()(const GlobalValue&) {}
  void operator()(const FunctionValue&) {}
  void operator()(const Closure& closure) { backwards(closure.captures); }
  void operator()(const Let& let) {
    expr(let.body);
    kill(*let.pattern);
    expr(let.value);
  }
  void operator()(const BindSizes& bind) {
    kill(bind.bindings);
    expr(bind.value);
  }
  void operator()(const Apply& apply) {
    expr(apply.function);
    backwards(apply.arguments);
  }
  void operator()(const PrimitiveCall& call) { backwards(call.arguments); }
  void operator()(const ArrayCall& call) {
    keep(call.result.extents);
    backwards(call.arguments);
  }
  void operator()(const And& node) { conditional(node.left, {node.right}); }
  void operator()(const Or& node) { conditional(node.left, {node.right}); }
  void operator()(const If& node) {
    Slots after = live;
    expr(node.else_branch);
    Slots otherwise = std::exchange(live, std::move(after));
    expr(node.then_branch);
    unite(live, otherwise);
    expr(node.condition);
  }
  void conditional(const Expr* first, const std::vector<const Expr*>& maybe) {
    Slots skipped = live;
    backwards(maybe);
    unite(live, skipped);
    expr(first);
  }
  void operator()(const Match& match) {
    const Slots after = live;
    Slots before(live.size());
    for (const Case& one : match.cases) {
      live = after;
      expr(one.body);
      kill(*one.pattern);
      unite(before, live);
    }
    live = std::move(before);
    expr(match.scrutinee);
  }
  void operator()(const Loop& loop) {
    // What the body reads from outside is read again by the next iteration.
    Slots reads(live.size()), binds(live.size());
    const auto* less = std::get_if<ForLess>(&loop.form);
    const auto* in = std::get_if<ForIn>(&loop.form);
    const auto* condition = std::get_if<While>(&loop.form);
    for_each_bound_slot(loop, [&](Slot slot) { binds[slot] = whole; });
    if (condition) collect(*condition->condition, reads, binds);
    collect(*loop.body, reads, binds);
    for (std::size_t i = 0; i < live.size(); ++i)
      if (binds[i] == nothing) live[i] |= reads[i];

    expr(loop.body);
    if (less) live[less->slot] = nothing;
    if (in) kill(*in->pattern);
    if (condition) expr(condition->condition);
    kill(*loop.pattern);
    kill(loop.sizes);

    if (less) expr(less->bound);
    if (in) expr(in->array);
    expr(loop.initial);
  }
  void operator()(const Record& record) { backwards(record.fields); }
  void operator()(const Project& project) {
    const auto* local = std::get_if<Local>(&project.record->node);
    if (!local) return expr(project.record);
    Parts& live_parts = live[local->slot];
    const Parts part = field_part(project.field);
    mutate(*local).is_last_use = live_parts == nothing;
    mutate(project).is_last_use = live_parts != nothing && (live_parts & part) == nothing;
    live_parts |= part;
  }
  void operator()(const Sum& sum) { backwards(sum.payload); }
  void operator()(const ArrayLiteral& literal) {
    keep(literal.type.extents);
    backwards(literal.elements);
  }
  void operator()(const Index& index) {
    expr(index.array);
    parts(index.parts);
  }
  void operator()(const Update& update) {
    expr(update.value);
    expr(update.replacement);
    for (auto step = update.path.rbegin(); step != update.path.rend(); ++step)
      if (const auto* index = std::get_if<IndexStep>(&*step)) parts(index->parts);
  }
  void operator()(const Range& range) { backwards({range.first, range.second, range.end}); }
  void operator()(const Coerce& coerce) {
    for (const SizeCheck& check : coerce.checks)
      keep(check.expected);
    expr(coerce.value);
  }
  void operator()(const Assert& node) { backwards({node.condition, node.body}); }
  void operator()(const Attributed& node) { expr(node.body); }
  void operator()(const Hole&) {}
  void operator()(const Unsupported&) {}
};

} // namespace

void mark_last_uses(Function& function) {
  if (!function.body) return;
  Marker marker{Slots(function.frame_size)};
  marker.expr(function.body);
  for (const Function::Check& check : function.checks)
    marker.keep(check.check.expected);
  for (auto pattern = function.parameters.rbegin(); pattern != function.parameters.rend();
       ++pattern)
    marker.kill(**pattern);
}

void mark_last_uses(const Expr& body, std::uint32_t frame_size) {
  Marker{Slots(frame_size)}.expr(&body);
}

} // namespace sinter::core
