#include "jit/ir/memory.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

namespace sinter::ir {

bool overlap(const RootSet& a, const RootSet& b) {
  for (auto left = a.begin(), right = b.begin(); left != a.end() && right != b.end();)
    if (*left == *right)
      return true;
    else if (*left < *right)
      ++left;
    else
      ++right;
  return false;
}

bool merge(RootSet& into, const RootSet& from) {
  RootSet both;
  std::set_union(into.begin(), into.end(), from.begin(), from.end(), std::back_inserter(both));
  const bool grew = both.size() > into.size();
  into = std::move(both);
  return grew;
}

Memory::Memory(const Function& function)
    : function_(function), roots_(function.values.size()), home_(function.values.size()),
      is_dead_(function.values.size(), false), kinds_{BodyKind::Owner} {
  // Values that the walk does not see defined belong to whatever is around.
  for (std::uint32_t i = 0; i < function.values.size(); ++i)
    if (!function.values[i].type.is_scalar()) roots_[i] = {ValueId{i}};
}

const RootSet& Memory::roots(const Operand& operand) const {
  static const RootSet none;
  return operand.is_value() ? roots_[operand.value().index] : none;
}

Memory::Owner Memory::owner(ValueId root) const {
  const Home home = home_[root.index];
  for (std::uint32_t d = depth(); d > home.depth; --d)
    if (kinds_[d] != BodyKind::Branch) return Owner::Around;
  return home.is_parameter && kinds_[home.depth] == BodyKind::Guest ? Owner::Lent : Owner::Here;
}

void Memory::define(ValueId value, bool is_parameter, const RootSet& also) {
  home_[value.index] = {depth(), is_parameter};
  if (function_.type(value).is_scalar()) return;
  RootSet roots = {value};
  merge(roots, also);
  roots_[value.index] = std::move(roots);
}

void Memory::kill(ValueId root) {
  if (is_dead_[root.index]) return;
  is_dead_[root.index] = true;
  killed_.push_back(root);
}

void Memory::consume(const Operand& array) {
  for (const ValueId root : roots(array))
    kill(root);
}

void Memory::add_value() {
  roots_.emplace_back();
  home_.emplace_back();
  is_dead_.push_back(false);
}

void Memory::hand_up(const RootSet& roots) {
  for (const ValueId root : roots)
    if (home_[root.index].depth > depth()) home_[root.index] = {depth(), false};
}

void Memory::other_branch(Branches& branches) {
  branches.first.assign(killed_.begin() + static_cast<std::ptrdiff_t>(branches.before),
                        killed_.end());
  for (const ValueId root : branches.first)
    is_dead_[root.index] = false;
  killed_.resize(branches.before);
}

void Memory::end_branches(const Branches& branches, const If& choice,
                          std::span<const ValueId> results) {
  for (const ValueId root : branches.first)
    kill(root);
  // What one branch consumes the other may hand on: then only the results have it, and the first
  // of them stands for it.
  std::map<ValueId, ValueId> successors;
  for (std::size_t i = 0; i < results.size(); ++i) {
    RootSet both;
    for (const Body* branch : {&choice.then_body, &choice.else_body}) {
      hand_up(roots(branch->results[i]));
      merge(both, roots(branch->results[i]));
    }
    for (ValueId& root : both)
      if (is_dead_[root.index]) root = successors.emplace(root, results[i]).first->second;
    std::sort(both.begin(), both.end());
    both.erase(std::unique(both.begin(), both.end()), both.end());
    define(results[i], both);
  }
}

std::set<std::size_t> Memory::consumed_state(const Body& body, std::size_t first) const {
  std::set<std::size_t> consumed;
  for (bool grew = true; grew;) {
    grew = false;
    for (std::size_t i = 0; i + first < body.parameters.size(); ++i) {
      const ValueId parameter = body.parameters[first + i];
      bool is_consumed = is_dead_[parameter.index];
      for (const std::size_t j : consumed) {
        const RootSet& next = roots(body.results[j]);
        is_consumed = is_consumed || std::binary_search(next.begin(), next.end(), parameter);
      }
      if (is_consumed) grew = consumed.insert(i).second || grew;
    }
  }
  return consumed;
}

std::vector<RootSet> Memory::loop_results(const Body& body, std::size_t first,
                                          std::span<const Operand> initial,
                                          const std::set<std::size_t>& consumed) const {
  const auto states = body.parameters.begin() + static_cast<std::ptrdiff_t>(first);
  std::vector<RootSet> may_be(initial.size());
  for (bool grew = true; grew;) {
    grew = false;
    for (std::size_t i = 0; i < initial.size(); ++i) {
      if (consumed.contains(i)) continue;
      RootSet more = roots(initial[i]);
      for (const ValueId root : roots(body.results[i])) {
        const auto state = std::find(states, body.parameters.end(), root);
        if (state == body.parameters.end())
          merge(more, {root});
        else
          merge(more, may_be[static_cast<std::size_t>(state - states)]);
      }
      grew = merge(may_be[i], more) || grew;
    }
  }
  return may_be;
}

void Memory::end_loop(std::span<const RootSet> may_be, std::span<const ValueId> results) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    hand_up(may_be[i]);
    define(results[i], may_be[i]);
  }
}

} // namespace sinter::ir
