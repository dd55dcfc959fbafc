// An ordered map that is copied at no cost.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>

namespace sinter {

/// Copies share what they have in common: to copy takes constant time, to change a copy logarithmic
/// time and memory.  (A height-balanced search tree whose nodes never change: a change makes new
/// ones on the way from the root.)  What a map gives stays valid until that map is changed.
template <typename Key, typename Value>
class PersistentMap {
public:
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  /// Null if the key is not there.
  const Value* find(const Key& key) const {
    const Node* node = root_.get();
    while (node && (key < node->key || node->key < key))
      node = (key < node->key ? node->left : node->right).get();
    return node ? &node->value : nullptr;
  }
  bool contains(const Key& key) const { return find(key) != nullptr; }

  /// Adds the key, or gives it another value.
  void set(const Key& key, Value value) {
    if (!contains(key)) ++size_;
    root_ = with(root_, key, std::move(value));
  }
  void erase(const Key& key) {
    if (!contains(key)) return;
    --size_;
    root_ = without(root_, key);
  }

  /// Calls `visit(key, value)` in the order of the keys.
  template <typename Visit>
  void for_each(Visit&& visit) const {
    walk(
        root_.get(), [](const Key&) { return true; },
        [&](const Key& key, const Value& value) {
          visit(key, value);
          return true;
        });
  }
  /// The same from the first key on that is not less than `first`, while `visit` returns true.
  template <typename Visit>
  void for_each_from(const Key& first, Visit&& visit) const {
    walk(
        root_.get(), [&](const Key& key) { return !(key < first); }, visit);
  }

private:
  struct Node;
  using Tree = std::shared_ptr<const Node>;
  struct Node {
    Key key;
    Value value;
    Tree left, right;
    int height;
  };

  static int height(const Tree& tree) { return tree ? tree->height : 0; }
  static Tree joined(Key key, Value value, Tree left, Tree right) {
    const int height = 1 + std::max(PersistentMap::height(left), PersistentMap::height(right));
    return std::make_shared<const Node>(
        Node{std::move(key), std::move(value), std::move(left), std::move(right), height});
  }
  static Tree joined(const Node& node, Tree left, Tree right) {
    return joined(node.key, node.value, std::move(left), std::move(right));
  }
  /// The same where one side may be higher than the other by two: by as much as one change makes
  /// it, so that one rotation, or two, make it even.
  static Tree balanced(const Node& node, Tree left, Tree right) {
    if (height(left) > height(right) + 1) {
      if (height(left->left) >= height(left->right))
        return joined(*left, left->left, joined(node, left->right, std::move(right)));
      const Tree middle = left->right;
      return joined(*middle, joined(*left, left->left, middle->left),
                    joined(node, middle->right, std::move(right)));
    }
    if (height(right) > height(left) + 1) {
      if (height(right->right) >= height(right->left))
        return joined(*right, joined(node, std::move(left), right->left), right->right);
      const Tree middle = right->left;
      return joined(*middle, joined(node, std::move(left), middle->left),
                    joined(*right, middle->right, right->right));
    }
    return joined(node, std::move(left), std::move(right));
  }

  static Tree with(const Tree& tree, const Key& key, Value value) {
    if (!tree) return joined(key, std::move(value), nullptr, nullptr);
    if (key < tree->key)
      return balanced(*tree, with(tree->left, key, std::move(value)), tree->right);
    if (tree->key < key)
      return balanced(*tree, tree->left, with(tree->right, key, std::move(value)));
    return joined(key, std::move(value), tree->left, tree->right);
  }
  static Tree without(const Tree& tree, const Key& key) {
    if (key < tree->key) return balanced(*tree, without(tree->left, key), tree->right);
    if (tree->key < key) return balanced(*tree, tree->left, without(tree->right, key));
    if (!tree->left) return tree->right;
    if (!tree->right) return tree->left;
    const Node* next = tree->right.get();
    while (next->left)
      next = next->left.get();
    return balanced(*next, tree->left, without(tree->right, next->key));
  }

  /// In order, what `is_wanted`, which is false up to some key and true from there on.  False if
  /// `visit` did not want to go on.
  template <typename IsWanted, typename Visit>
  static bool walk(const Node* node, const IsWanted& is_wanted, Visit&& visit) {
    if (!node) return true;
    if (is_wanted(node->key) &&
        (!walk(node->left.get(), is_wanted, visit) || !visit(node->key, node->value)))
      return false;
    return walk(node->right.get(), is_wanted, visit);
  }

  Tree root_;
  std::size_t size_ = 0;
};

} // namespace sinter
