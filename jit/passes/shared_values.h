// Which values were computed already, by the operation that computes them: common subexpressions
// within bodies that are open.
#pragma once

#include "jit/ir/ir.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace sinter::jit {

class SharedValues {
public:
  /// The operation (and, for views, the extents of its result) as a key; nothing for operations
  /// that are never shared: those with bodies or effects, and fresh arrays.
  using Key = std::vector<std::uint64_t>;
  static std::optional<Key> key(const ir::Operation& operation, const ir::Type& type);

  std::optional<ir::Operand> find(const Key& key) const;
  void add(Key key, ir::Operand value);
  std::size_t mark() const { return added_.size(); }
  void back_to(std::size_t mark);

private:
  struct Hash {
    std::size_t operator()(const Key& key) const;
  };
  using Map = std::unordered_map<Key, ir::Operand, Hash>;
  Map values_;
  std::vector<Key> added_;
};

} // namespace sinter::jit
