// Entry points that run in pieces, anywhere: what is asked and told about them.
//
// Let n be a size of an entry point's parameters along which its work may be cut.  A piece computes
// a *state* from its blocks of the inputs; states of neighbours are combined in order; from the
// state of all the results follow.  The results have the bits of a whole run.
#pragma once

#include "lang/base/element_type.h"
#include "lang/base/span.h"
#include "lang/values/array.h"
#include "lang/values/concrete.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sinter::jit {

/// The id of what is wrong with an entry point that cannot be cut.
inline constexpr std::string_view uncut_id = "not-in-pieces";

/// What becomes of a component of a state when states are combined.
enum class StateRole : std::uint8_t {
  Shared,  ///< the first one's: all are the same
  Joined,  ///< arrays, one behind the other
  Stacked, ///< likewise; each piece has one element
  Sum      ///< an i64, added
};
struct StateComponent {
  StateRole role = StateRole::Shared;
  ElementType element{};
  std::uint32_t rank = 0; ///< of Stacked: with the dimension over pieces
};
/// "shared", "joined", "stacked", "sum".
std::string_view name(StateRole role);

/// Scalars, and arrays of one leaf.
using StateValue = std::variant<Scalar, Leaf>;
using PieceState = std::vector<StateValue>; ///< in the order of the components

/// How a parameter goes into pieces, or a result comes out of them.
struct CutOfValue {
  enum class Way : std::uint8_t {
    Block, ///< along its first dimension: what belongs to the piece's indices
    Whole, ///< a parameter that every piece has whole; a result that needs nothing that is cut
    Kept,  ///< a result: what the pieces keep, one behind the other
    Fold   ///< a result that follows from the states of all
  };
  Way way = Way::Whole;
  std::int64_t low = 0, high = 0; ///< elements before and behind the block that are read, too
  std::string why;                ///< of an array over n that is whole: why
};
/// "block", "whole", "kept", "fold".
std::string_view name(CutOfValue::Way way);

struct PieceReport {
  /// If it cannot be cut, why not, with the place; the rest is empty then.
  std::string refusal;
  Span refusal_span;
  std::vector<CutOfValue> parameters, results; ///< of the entry point; a tuple result is spread
  /// Cuts at multiples of this give the bits of the whole; other ones need not.
  std::int64_t row = 1;
  std::vector<StateComponent> state;
  std::string chunk, finish; ///< IR, as text
};

/// An entry point with code for its pieces.  All of it but `report` throws RuntimeError.
class PieceProgram {
public:
  virtual ~PieceProgram() = default;
  virtual const PieceReport& report() const = 0;
  /// n, by the arguments.
  virtual std::int64_t extent(std::span<const Value> arguments) = 0;
  /// The state of the piece with `count` indices from `first` on.  Reads of arguments what the
  /// piece needs.
  virtual PieceState chunk(std::span<const Value> arguments, std::int64_t first,
                           std::int64_t count) = 0;
  /// The entry point's result, from the state of all.
  virtual Value finish(PieceState all) = 0;
};

} // namespace sinter::jit
