// Nodes that live as long as the program they belong to.
#pragma once

#include <deque>
#include <tuple>
#include <utility>

namespace sinter {

/// Owns nodes of the listed types; a node's address never changes and it dies with the arena.
/// Trees hold plain (non-owning) pointers into it.
template <typename... Nodes>
class Arena {
public:
  template <typename Node, typename... Arguments>
  Node* make(Arguments&&... arguments) {
    auto& pool = std::get<std::deque<Node>>(pools_);
    return &pool.emplace_back(Node{std::forward<Arguments>(arguments)...});
  }
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

private:
  std::tuple<std::deque<Nodes>...> pools_;
};

} // namespace sinter
