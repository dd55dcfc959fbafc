// The order in which reductions, scans and histograms combine elements.
//
// It depends on sizes alone and is the same for every operator and element type, so that a program
// means the same bits wherever and however it runs: interpreted, compiled at any width, on any
// number of threads, on another processor, in pieces.  This file is the one place that says it.
// (Code generation takes the numbers from here, the evaluators the classes.)  For an operator that
// is associative exactly, as on integers, no order can be told from another.
//
// A *row* is 64 consecutive elements, a *block* 64 consecutive rows, both counted from the first
// element; the last ones may be shorter.
//
// reduce op ne [x0, x1, …]:  each row from the left, beginning with the neutral element; the rows
// of a block from the left, beginning with the first row; the blocks from the left, beginning with
// the first block:
//
//   row   = ((ne op x0) op x1) op …       block = (row0 op row1) op …       (block0 op block1) op …
//
// and `ne` where there are no elements.  Up to 64 elements that is the plain fold from the left.
//
// scan op ne [x0, x1, …]:  prefixes within each row from the left, beginning with the neutral
// element.  Rows and blocks are combined to totals as they are by a reduction.  What stands left of
// a prefix is combined with it last: the total of the rows before in the block, itself combined
// with the total of the blocks before where there are any:
//
//   prefix        rows op prefix        blocks op prefix        (blocks op rows) op prefix
//
// histogram op ne bins:  where there are many elements for each bin, they are cut into equal
// segments (`segments` below).  Each segment has bins of its own, which begin with the neutral
// element and take their values in the elements' order; then each bin of the result takes its
// value from each segment, in order, whether any element has hit it or not.  Else the bins take
// their values in the elements' order.
//
// Why so: a row is long enough that a reduction within an inner loop is as good as always the plain
// fold, and that what is done for a row costs nothing beside it; rows give vector lanes independent
// work, blocks threads and machines.  Sums of floats gain: with n elements of which none passes
// through more than 64 + 64 + n/4096 roundings, the error grows by that instead of n.  Sums in two
// and three levels are analysed by N. J. Higham, "The accuracy of floating point summation" (SIAM
// J. Sci. Comput. 14, 1993) and by A. M. Castaldo, R. C. Whaley and A. T. Chronopoulos, "Reducing
// floating point error in dot product using the superblock family of algorithms" (SIAM J. Sci.
// Comput. 31, 2008).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

namespace sinter::primitives {

inline constexpr std::int64_t row_length = 64;                           ///< elements
inline constexpr std::int64_t rows_in_block = 64;                        ///< rows
inline constexpr std::int64_t block_length = row_length * rows_in_block; ///< elements

/// The totals of rows, row by row: of the block that they are in, and of the blocks before.
/// `Combine` is called with two values, to move from, and gives a value.
template <typename V, typename Combine>
class RowTotals {
public:
  /// After blocks that have come to `before`, if there are any.
  explicit RowTotals(Combine& combine, std::optional<V> before = std::nullopt)
      : combine_(combine), blocks_(std::move(before)) {}
  void push(V&& row) {
    add(block_, std::move(row));
    if (++rows_ == rows_in_block) end_block();
  }
  bool has_any() const { return block_ || blocks_; }
  /// Of all rows so far, as a scan combines them; at least one.
  V before_next_row() const {
    if (!block_) return *blocks_;
    if (!blocks_) return *block_;
    return combine_(V(*blocks_), V(*block_));
  }
  /// Of all rows, as a reduction combines them; at least one.
  V total() && {
    if (block_) end_block();
    return std::move(*blocks_);
  }

private:
  void add(std::optional<V>& sum, V&& value) {
    if (sum)
      sum = combine_(std::move(*sum), std::move(value));
    else
      sum = std::move(value);
  }
  void end_block() {
    add(blocks_, std::move(*block_));
    block_.reset();
    rows_ = 0;
  }

  Combine& combine_;
  std::optional<V> block_, blocks_; ///< nothing yet; all full blocks
  std::int64_t rows_ = 0;           ///< of the block
};

/// A reduction, element by element.
///
///   RunningFold fold(neutral, [](V left, V right) { … });
///   for (V x : xs) fold.push(x);
///   V sum = std::move(fold).result();
///
/// Nothing is combined that the result does not need.
template <typename V, typename Combine>
class RunningFold {
public:
  /// After blocks that have come to `before`, if there are any: elements begin a block.
  RunningFold(V neutral, Combine combine, std::optional<V> before = std::nullopt)
      : combine_(std::move(combine)), neutral_(std::move(neutral)), row_(neutral_),
        totals_(combine_, std::move(before)) {}
  RunningFold(const RunningFold&) = delete; // the totals know where the operator is
  RunningFold& operator=(const RunningFold&) = delete;
  void push(V&& element) {
    if (elements_ == row_length) {
      totals_.push(std::exchange(row_, neutral_));
      elements_ = 0;
    }
    row_ = combine_(std::move(row_), std::move(element));
    ++elements_;
  }
  V result() && {
    if (elements_ == 0 && !totals_.has_any()) return std::move(neutral_);
    if (elements_ > 0) totals_.push(std::move(row_));
    return std::move(totals_).total();
  }

private:
  Combine combine_;
  V neutral_;
  V row_;
  std::int64_t elements_ = 0; ///< of the row
  RowTotals<V, Combine> totals_;
};

/// A scan, element by element: `push` gives the prefix that ends with the element.
template <typename V, typename Combine>
class RunningScan {
public:
  /// After blocks that have come to `before`, if there are any: elements begin a block.
  RunningScan(V neutral, Combine combine, std::optional<V> before = std::nullopt)
      : combine_(std::move(combine)), neutral_(std::move(neutral)), prefix_(neutral_),
        left_(before), totals_(combine_, std::move(before)) {}
  RunningScan(const RunningScan&) = delete;
  RunningScan& operator=(const RunningScan&) = delete;
  V push(V&& element) {
    if (elements_ == row_length) {
      totals_.push(std::exchange(prefix_, neutral_));
      left_ = totals_.before_next_row();
      elements_ = 0;
    }
    prefix_ = combine_(std::move(prefix_), std::move(element));
    ++elements_;
    return left_ ? combine_(V(*left_), V(prefix_)) : prefix_;
  }

private:
  Combine combine_;
  V neutral_;
  V prefix_;                  ///< within the row
  std::optional<V> left_;     ///< of the row; none of the first one
  std::int64_t elements_ = 0; ///< of the row
  RowTotals<V, Combine> totals_;
};

inline constexpr std::int64_t most_segments = 64; ///< of a histogram
inline constexpr std::int64_t bin_elements = 16;  ///< in a segment, for each bin

/// How the elements of a histogram are cut: into `count` segments of `length` elements, the last of
/// which may be shorter; or not at all, if `count` is 1.
struct Segments {
  std::int64_t count = 1;
  std::int64_t length = 0;
};
/// Up to 64 segments, each of at least 4096 elements and 16 for each bin; whole blocks.
constexpr Segments segments(std::int64_t elements, std::int64_t bins) {
  if (bins > elements / (2 * bin_elements)) return {1, elements}; // not even two
  const std::int64_t wanted =
      std::min(most_segments, elements / std::max(block_length, bin_elements * bins));
  if (wanted < 2) return {1, elements};
  const auto divided_up = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
  const std::int64_t length = divided_up(divided_up(elements, wanted), block_length) * block_length;
  return {divided_up(elements, length), length};
}

} // namespace sinter::primitives
