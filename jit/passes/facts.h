// What is known about integers and conditions at a point of a function: enough to see that an index
// lies within an array.
//
// Signed integers are written as linear forms (linear_form.h), where no step can wrap around; facts
// are forms that are at least 0.  A claim `form >= 0` is shown by taking facts away from it until a
// number is left (a search in the manner of Fourier-Motzkin elimination, with few steps).  Extents
// of arrays and indices below them are less than ir::extent_limit.
#pragma once

#include "jit/ir/ir.h"
#include "jit/ir/size_facts.h"
#include "jit/passes/linear_form.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

namespace sinter::jit {

class Facts {
public:
  explicit Facts(const ir::Function& function)
      : function_(function), sizes_([this](ir::ValueId value) { return definition(value.index); }) {
  }
  Facts(const Facts&) = delete;
  Facts& operator=(const Facts&) = delete;

  /// Facts that are added after a mark are forgotten by going back to it.
  struct Mark {
    std::size_t facts = 0, truths = 0, bounded = 0, counted = 0, flat = 0, sizes = 0;
  };
  Mark mark() const {
    return {facts_.size(),   truths_.size(), bounded_.size(),
            counted_.size(), flat_.size(),   sizes_.mark()};
  }
  void back_to(const Mark& mark);

  /// Notes what a statement's results are; statements come in the order of their execution.
  void define(const ir::Statement& statement);
  /// The extents in a type are not negative.
  void note_type(const ir::Type& type);
  /// `0 <= index < extent`, and `extent` is at most what a machine can count to.
  void index_below(ir::ValueId index, const ir::Operand& extent);
  /// `least <= number < extent`; `least` is a small number.
  void lies_between(ir::ValueId number, std::int64_t least, const ir::Operand& extent);
  /// `0 <= initial <= number <= initial + most * rounds`; nothing is noted if `initial` may be
  /// negative, or is not known to be small.
  void grows(ir::ValueId number, const ir::Operand& initial, const ir::Operand& rounds,
             std::int64_t most);
  /// The condition is known to have this value.
  void assume(const ir::Operand& condition, bool truth) {
    sizes_.assume(condition, truth);
    suppose(condition, truth);
  }

  /// Whether it is true or false, if that is known.  Which 64-bit numbers are equal, `sizes` alone
  /// knows: types may rely on it, and the verifier sees no other reason.
  std::optional<bool> decide(const ir::Operand& condition);
  /// Whether `a <= b`, of signed integers.
  bool is_at_most(const ir::Operand& a, const ir::Operand& b) { return holds(a, b, false); }
  /// The same of sums of 64-bit numbers (whose values are the atoms), strictly.
  bool is_less(const LinearForm& a, const LinearForm& b);
  /// Whether `0 <= index < extent`.
  bool is_within(const ir::Operand& index, const ir::Operand& extent);
  /// Whether the number is another one for each value of that one, as far as that alone changes.
  bool changes_with(const ir::Operand& number, ir::ValueId other) const {
    return form(number).coefficient(other.index) != 0;
  }
  /// A row and a column, both seen to be there, that a flat place in so many rows of that width
  /// comes to: of `width * i + j - width`, `i - 1` and `j`.
  struct RowPlace {
    LinearForm row, column;
  };
  std::optional<RowPlace> row_place(const ir::Operand& place, const ir::Operand& rows,
                                    const ir::Operand& width);
  /// A value and a number whose sum leaves the same as `dividend` when divided by `divisor`
  /// (rounded down; i64), and contains that less often: of `i + n - 1` and `n`, `i` and -1.
  std::optional<std::pair<ir::ValueId, std::int64_t>>
  without_multiples(const ir::Operand& dividend, const ir::Operand& divisor) const;
  /// Which sizes are equal.
  const ir::SizeFacts& sizes() const { return sizes_; }
  /// The operation that defines a scalar value, if it is a primitive.
  const ir::Primitive* primitive(const ir::Operand& operand) const;

private:
  using Form = LinearForm;
  struct Fact {
    Form form;
  };
  /// The number as a form; always possible (an atom, if nothing else).
  Form form(const ir::Operand& operand) const;
  std::optional<Form> defined_form(const ir::Primitive& primitive) const;
  /// `b - a - strict`, for signed integers only.
  std::optional<Form> difference(const ir::Operand& a, const ir::Operand& b, bool strict) const;
  /// Whether the magnitude stays below 2^62 wherever the atoms' bounds hold.
  bool is_small(const Form& form) const;
  bool is_bounded(std::uint32_t atom) const;
  /// What is known of a value by its definition.
  void define(ir::ValueId result, const ir::Select& select);
  void define(ir::ValueId result, const ir::Primitive& primitive);
  void define_extreme(ir::ValueId result, const ir::Primitive& primitive);
  void define_remainder(ir::ValueId result, const ir::Primitive& primitive);
  std::optional<std::int64_t> greatest_known(const Form& form) const;
  void define_quotient(ir::ValueId result, const ir::Primitive& primitive);
  /// Numbers of few bits: masked ones, converted unsigned ones.
  void define_bits(ir::ValueId result, const ir::Primitive& primitive);
  /// What an integer is at most, if it is known not to be negative.
  std::optional<std::int64_t> greatest(const ir::Operand& operand, unsigned depth) const;
  std::optional<std::int64_t> greatest(const ir::Primitive& primitive, unsigned depth) const;
  /// What a condition says of order.
  void suppose(const ir::Operand& condition, bool truth);
  void suppose_other(const ir::Primitive& condition, bool truth);
  void suppose_equal(const ir::Operand& a, const ir::Operand& b, bool truth);
  void suppose_order(const ir::Operand& lesser, const ir::Operand& greater, bool is_strict);
  /// Whether facts bound it from below and from above.
  bool is_between_bounds(std::uint32_t atom);
  void add(Form form);
  void add_order(const ir::Operand& lesser, const ir::Operand& greater, bool is_strict);
  void bound(std::uint32_t atom);
  /// It is an extent or an index.
  void count_with(std::uint32_t atom);
  std::optional<bool> decide_logical(const ir::Primitive& primitive);
  /// Whether it asks if a flat place is within an array, of which rows are known that have it.
  bool is_flat_place(const ir::Primitive& conjunction);
  std::optional<bool> decide_equal(const ir::Primitive& primitive);
  bool holds(const ir::Operand& lesser, const ir::Operand& greater, bool is_strict);
  bool is_surely_nonnegative(const Form& form) const;
  bool is_nonnegative(const Form& form);
  bool search(const Form& form, unsigned depth);
  bool search_alternatives(const Form& form, unsigned depth);
  const ir::Operation* definition(std::uint32_t atom) const;

  const ir::Function& function_;
  std::vector<Fact> facts_;
  std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> facts_of_; ///< by atom, ascending
  std::vector<std::pair<ir::Operand, bool>> truths_;
  std::vector<std::uint32_t> bounded_; ///< atoms with magnitude below 2^48, or a small multiple
  std::unordered_map<std::uint32_t, std::uint32_t> bounded_count_;
  std::vector<std::uint32_t> counted_; ///< atoms that are extents, or indices below them
  std::unordered_map<std::uint32_t, std::uint32_t> counted_count_;
  std::unordered_map<std::uint32_t, Form> forms_;                ///< of values that are sums
  std::unordered_map<std::uint32_t, ir::Operation> definitions_; ///< primitives and selects
  /// Arrays of one dimension that are rows one behind the other: their elements are counted without
  /// wrapping around, since they are there.
  struct Flat {
    ir::Operand extent, rows, width;
  };
  std::vector<Flat> flat_;
  ir::SizeFacts sizes_;
  unsigned steps_ = 0;
};

} // namespace sinter::jit
