// How far from an element's own index an array is read.
//
//   r = soac n () { (i: i64)
//     a = add i -1   b = max a 0        b lies in i-1 … i
//     c = add i 1    d = min c last     d lies in i … i+1, if `last` is n-1
//
// The index itself is at least 0 and at most n-1.
#pragma once

#include "jit/ir/ir.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>

namespace sinter::jit {

/// Both ends belong to it.
struct Interval {
  std::int64_t low = 0, high = 0;
  bool is_relative = false; ///< counted from the element's index, not from 0
};

/// What is known of numbers in the body of a SOAC.
class IndexIntervals {
public:
  /// `behind_end`: c, if the value is known to be n + c.
  explicit IndexIntervals(std::function<std::optional<std::int64_t>(ir::ValueId)> behind_end)
      : behind_end_(std::move(behind_end)) {}

  void set(ir::ValueId value, Interval interval) { known_[value.index] = interval; }
  std::optional<Interval> of(const ir::Operand& operand) const;
  /// Notes what a statement defines; to be called in order, those of inner bodies before what they
  /// stand in.
  void define(const ir::Statement& statement);
  /// The same of the parameters of the bodies in it.
  void enter(const ir::Statement& statement);

private:
  std::optional<Interval> of(const ir::Primitive& primitive) const;
  /// The lesser of a number and n + c.
  std::optional<Interval> below_end(const ir::Operand& number, const ir::Operand& end) const;

  std::function<std::optional<std::int64_t>(ir::ValueId)> behind_end_;
  std::unordered_map<std::uint32_t, Interval> known_;
};

} // namespace sinter::jit
