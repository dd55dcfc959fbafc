// A list that grows at its end and is copied at no cost.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace sinter {

/// Copies share what they have in common.
template <typename Item>
class PersistentList {
public:
  PersistentList() = default;
  PersistentList(const PersistentList&) = default;
  PersistentList(PersistentList&&) noexcept = default;
  PersistentList& operator=(PersistentList other) noexcept {
    std::swap(last_, other.last_);
    return *this;
  }
  ~PersistentList() {
    // One by one: were each to let the next one go, a long list would need a deep stack.
    while (last_ && last_.use_count() == 1)
      last_ = std::exchange(last_->before, nullptr);
  }

  std::size_t size() const { return last_ ? last_->size : 0; }
  void push_back(Item item) {
    const std::size_t size = this->size() + 1;
    last_ = std::make_shared<Node>(Node{std::move(item), std::move(last_), size});
  }
  /// What was added to `other` to make this list, in the order in which it was added; nothing if
  /// this is another list.  Takes as long as there is to tell.
  std::optional<std::vector<Item>> since(const PersistentList& other) const {
    std::vector<Item> items;
    const Node* node = last_.get();
    for (; node && node->size > other.size(); node = node->before.get())
      items.push_back(node->item);
    if (node != other.last_.get()) return std::nullopt;
    std::reverse(items.begin(), items.end());
    return items;
  }

private:
  struct Node {
    Item item;
    std::shared_ptr<Node> before;
    std::size_t size;
  };
  std::shared_ptr<Node> last_;
};

} // namespace sinter
