// Last uses: a backward walk over a plan that follows which array slots are read later.
//
// In a loop, what the body reads from outside stays live throughout, since the next iteration reads
// it again.  A branch releases on entry what only the other one reads.

#include "jit/runtime/plan.h"

#include <algorithm>

namespace sinter::jit {

using namespace plan;

namespace {

/// A set of array slots.
using Live = std::vector<bool>;

void add(Live& to, const Live& from) {
  for (std::size_t i = 0; i < to.size(); ++i)
    if (from[i]) to[i] = true;
}

/// What blocks read, and what they define.
struct Reach {
  Live read, defined;
  explicit Reach(std::size_t slots) : read(slots), defined(slots) {}
  void visit(const Block& block) {
    for (const Target& parameter : block.parameters)
      if (parameter.is_array) defined[parameter.slot] = true;
    for (const Step& step : block.steps) {
      for (const Use& use : step.uses)
        if (use.is_array) read[use.slot] = true;
      for (const Target& target : step.targets)
        if (target.is_array) defined[target.slot] = true;
      for (const Block& inner : step.blocks)
        visit(inner);
    }
    for (const Use& use : block.results)
      if (use.is_array) read[use.slot] = true;
  }
};

/// Array slots that the blocks read without defining them.
Live read_from_outside(const std::vector<Block>& blocks, std::size_t slots) {
  Reach reach(slots);
  for (const Block& block : blocks)
    reach.visit(block);
  for (std::size_t i = 0; i < slots; ++i)
    if (reach.defined[i]) reach.read[i] = false;
  return std::move(reach.read);
}

bool repeats(const Action& action) {
  return std::holds_alternative<CountedLoop>(action) ||
         std::holds_alternative<ConditionLoop>(action) ||
         std::holds_alternative<StreamLoop>(action) || std::holds_alternative<WalkSoac>(action);
}

/// Whether the step moves what it uses for the last time out of the slot; else the slot has to be
/// released afterwards.
bool takes_its_uses(const Action& action) {
  return !(std::holds_alternative<Load>(action) || std::holds_alternative<Store>(action) ||
           std::holds_alternative<StoreSlice>(action) || std::holds_alternative<Joined>(action) ||
           std::holds_alternative<Literal>(action) || std::holds_alternative<WalkSoac>(action));
}

class Liveness {
public:
  explicit Liveness(std::size_t slots) : slots_(slots) {}

  /// `live` is what is read after the block; becomes what is read from its beginning on.
  void visit(Block& block, Live& live) {
    mark(block.results, live);
    for (std::size_t i = block.steps.size(); i-- > 0;)
      visit(block.steps[i], live);
    for (const Target& parameter : block.parameters)
      if (parameter.is_array) {
        if (!live[parameter.slot]) block.dead_on_entry.push_back(parameter.slot);
        live[parameter.slot] = false;
      }
  }

private:
  /// Uses happen in order, so the last of several of one slot is the last one.
  static void mark(std::vector<Use>& uses, Live& live) {
    for (std::size_t i = uses.size(); i-- > 0;) {
      Use& use = uses[i];
      if (!use.is_array) continue;
      use.is_last = !live[use.slot];
      live[use.slot] = true;
    }
  }

  void visit(Step& step, Live& live) {
    for (const Target& target : step.targets)
      if (target.is_array) {
        if (!live[target.slot]) step.releases.push_back(target.slot);
        live[target.slot] = false;
      }
    if (std::holds_alternative<Branch>(step.action))
      visit_branches(step.blocks, live);
    else if (repeats(step.action))
      visit_repeated(step, live);
    mark(step.uses, live);
    if (takes_its_uses(step.action)) return;
    for (const Use& use : step.uses)
      if (use.is_array && use.is_last) step.releases.push_back(use.slot);
  }

  void visit_branches(std::vector<Block>& blocks, Live& live) {
    std::vector<Live> before(blocks.size(), live);
    for (std::size_t i = 0; i < blocks.size(); ++i)
      visit(blocks[i], before[i]);
    for (const Live& one : before)
      add(live, one);
    for (std::size_t i = 0; i < blocks.size(); ++i)
      for (Slot slot = 0; slot < slots_; ++slot)
        if (live[slot] && !before[i][slot]) blocks[i].dead_on_entry.push_back(slot);
  }

  void visit_repeated(Step& step, Live& live) {
    Live outside = read_from_outside(step.blocks, slots_);
    for (Slot slot = 0; slot < slots_; ++slot)
      if (outside[slot] && !live[slot] &&
          std::none_of(step.uses.begin(), step.uses.end(),
                       [&](const Use& use) { return use.is_array && use.slot == slot; }))
        step.releases.push_back(slot);
    add(live, outside);
    Live inside = live;
    bool is_soac = std::holds_alternative<WalkSoac>(step.action);
    if (is_soac)
      for (const Use& use : step.uses)
        if (use.is_array) inside[use.slot] = true;
    bool has_condition = std::holds_alternative<ConditionLoop>(step.action);
    for (std::size_t i = 0; i < step.blocks.size(); ++i) {
      Live after = inside;
      // The condition only looks at the state.
      if (is_soac || (has_condition && i == 0))
        for (const Target& target : step.targets)
          if (target.is_array) after[target.slot] = true;
      visit(step.blocks[i], after);
    }
  }

  std::size_t slots_;
};

} // namespace

void mark_last_uses(Plan& plan) {
  Live live(plan.array_count);
  Liveness(plan.array_count).visit(plan.body, live);
}

} // namespace sinter::jit
