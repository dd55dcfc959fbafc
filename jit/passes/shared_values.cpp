#include "jit/passes/shared_values.h"

#include "jit/ir/operations.h"
#include "jit/ir/walk.h"

#include <bit>
#include <type_traits>

namespace sinter::jit {

using namespace ir;

namespace {

void append(SharedValues::Key& key, const Operand& operand) {
  if (operand.is_constant()) {
    key.push_back((std::uint64_t{1} << 32) | static_cast<std::uint64_t>(operand.element()));
    key.push_back(operand.scalar().bits);
  } else {
    key.push_back(operand.value().index);
  }
}

} // namespace

std::optional<SharedValues::Key> SharedValues::key(const ir::Operation& operation,
                                                   const Type& type) {
  if (!is_scalar_operation(operation) && !is_view(operation)) return std::nullopt;
  Key key{operation.index()};
  for_each_number(operation, [&](std::uint64_t number) { key.push_back(number); });
  for_each_operand(operation, [&](const Operand& operand) { append(key, operand); });
  key.push_back(type.extents.size()); // (or the last index of an element would pass for an extent)
  for (const Operand& extent : type.extents)
    append(key, extent);
  return key;
}

std::size_t SharedValues::Hash::operator()(const Key& key) const {
  std::uint64_t hash = key.size();
  for (const std::uint64_t word : key)
    hash = std::rotl((hash ^ word) * 0x9E3779B97F4A7C15u, 29);
  return hash;
}

std::optional<Operand> SharedValues::find(const Key& key) const {
  const auto found = values_.find(key);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

void SharedValues::add(Key key, Operand value) {
  if (values_.emplace(key, value).second) added_.push_back(std::move(key));
}

void SharedValues::back_to(std::size_t mark) {
  while (added_.size() > mark) {
    values_.erase(added_.back());
    added_.pop_back();
  }
}

} // namespace sinter::jit
