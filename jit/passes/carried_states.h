// What a round of a loop does to each part of the state that it carries, where rounds need nothing
// of each other but that:
//
//   s' = add s e                         a fold: of integers or truth values, in any order
//   s' = select c (add s e) s            the same, of some rounds; or (sub s e)
//   a' = update a[p, i+1] = e            an own element (or row, or slice): no other round writes
//   it,
//                                        nor reads any that another one writes; rounds may read
//                                        what none writes (of i from k+1 on, a[p, k])
//   u = update a[2*i] = e                several elements (or rows) of its own, in constant
//   a' = update u[2*i+1] = f             distances
//   a' = update a[b] = e                 a scattered element; of several, the last one stays
//   x = index a[b]  y = add x e
//   a' = update a[b] = y                 a bin of a histogram
//   s', a' = if c { …  yield …, … }      one of these (no own element: that is a scattered one), in
//     else { yield s, a }                some rounds
//   x = index a[b]  y = …                where a loop is marked `parallel` only: an own element
//   a' = update a[b] = y                 whose place is not understood
//
// (Dependence tests as in U. Banerjee, "Dependence analysis for supercomputing", 1988, for indices
// that are the loop's own index but for a sign and what the loop does not change; reductions as in
// B. Pottenger and R. Eigenmann, "Idiom recognition in the Polaris parallelizing compiler", 1995.)
#pragma once

#include "jit/ir/ir.h"
#include "jit/passes/facts.h"
#include "jit/passes/linear_form.h"
#include "jit/passes/round_values.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sinter::jit {

/// `offset + step * index`, of i64; the step is not 0.  The offset's atoms are values of outside.
struct RoundIndex {
  std::int64_t step = 1;
  LinearForm offset;
  friend bool operator==(const RoundIndex&, const RoundIndex&) = default;
};

/// One branch of a choice in a round: the other one leaves a state as it is.
struct BranchOfRound {
  const ir::Statement* choice = nullptr; ///< an If
  bool truth = true;                     ///< of its condition, in the branch that changes the state
};

/// Changes of a state; statements are the round's, or of the branch, if there is one.
struct FoldChange {
  const primitives::Primitive* primitive = nullptr;
  Scalar neutral{};
  std::vector<ir::Operand> terms; ///< what is combined with the state, one after the other
  struct Guard {
    ir::Operand condition;
    bool truth = true;
  };
  std::optional<Guard> guard; ///< in what rounds
  std::optional<BranchOfRound> branch;
  std::vector<const ir::Statement*> replaced; ///< what combines them, the choice too
  bool subtracts = false; ///< terms are taken away: their sum, with the other sign, is added
};
struct OwnChange {
  const ir::Statement* update = nullptr; ///< Update, or UpdateSlice
  std::size_t dimension = 0;             ///< of the array, along which rounds go
  RoundIndex at;
};
/// Several elements, or rows, side by side: places of a window that is the round's own.
struct WindowChange {
  std::vector<const ir::Statement*> updates; ///< Updates, each of what the one before gives
  std::size_t dimension = 0;                 ///< of the array, along which rounds go
  /// Along which places lie side by side: `dimension`, where windows follow each other in steps
  /// that are as wide or wider, or one behind it.
  std::size_t across = 0;
  RoundIndex at;          ///< without the places
  std::int64_t first = 0; ///< place; added to `at`, if that goes along the same dimension
  std::int64_t width = 1; ///< at most widest_window
  /// The last update of each of the places, or null if none of them writes it.
  std::vector<const ir::Statement*> by_place;
  struct Forward {
    const ir::Statement* read = nullptr; ///< of what the round has written
    ir::Operand value;
  };
  std::vector<Forward> forwards; ///< in order
};
struct ScatterChange {
  const ir::Statement* update = nullptr; ///< Update
  /// Rounds also read what was there before, of which the loop's mark says that it is as it was
  /// when the loop began.
  bool reads = false;
  std::optional<BranchOfRound> branch;
};
struct BinChange {
  const ir::Statement* update = nullptr; ///< Update
  std::optional<BranchOfRound> branch;
  const primitives::Primitive* primitive = nullptr;
  Scalar neutral{};
  std::vector<ir::Operand> terms;
  std::vector<const ir::Statement*> replaced; ///< the read, and what combines the terms with it
  bool subtracts = false;                     ///< as of a fold
};
using StateChange = std::variant<FoldChange, OwnChange, WindowChange, ScatterChange, BinChange>;

/// So wide may windows be, and their steps.
constexpr std::int64_t widest_window = 16;

/// A state of which rounds carry more than that.
struct CarriedState {
  std::string name; ///< the program's; empty if it has none
  std::string why;  ///< "a round reads what another one may have written"
  Span span;        ///< of what does that
  Span written;     ///< of what writes that, where it is something else
};

/// Of an array of which each round writes one element: the reads of what the round before has
/// written there.
struct PreviousElements {
  const ir::Statement* update = nullptr; ///< Update
  std::size_t dimension = 0;             ///< of the array, along which rounds go
  RoundIndex at;
  std::vector<const ir::Statement*> reads; ///< Indexes, at least one
};

/// Looks at one loop.
class CarriedStates {
public:
  /// `facts`: those before the loop, if any are known.
  CarriedStates(const ir::Function& function, const ir::For& loop, Facts* facts = nullptr)
      : function_(function), loop_(loop), facts_(facts), round_(function, loop.body) {}

  /// By state; nothing if one of them carries more, or if a round holds what a SOAC's body had
  /// better not.
  std::optional<std::vector<StateChange>> changes() const;
  /// Of a loop that is marked `parallel`: the states for which there is no change, with why.
  std::vector<CarriedState> carried() const;
  /// Of an array of which each round reads and writes one element, the same one in all rounds: what
  /// writes it.  Null for other states.
  const ir::Statement* fixed_element(std::size_t state) const;
  std::optional<PreviousElements> previous_elements(std::size_t state) const;
  /// Whether the value is defined by the loop's body, or in it.
  bool is_inside(const ir::Operand& operand) const { return round_.is_inside(operand); }

private:
  /// What a state's next value is where it changes, and the body that computes it.
  struct Next {
    ir::Operand value;
    const ir::Body* body = nullptr;
    std::optional<BranchOfRound> branch;
    std::size_t kept = 0; ///< how often a branch gives back the value as it was
  };
  Next next_of(std::size_t state) const;

  std::optional<StateChange> change(std::size_t state) const;
  std::optional<StateChange> fold(std::size_t state, const Next& next) const;
  std::optional<StateChange> own(std::size_t state, const Next& next) const;
  std::optional<StateChange> window(std::size_t state, const Next& next) const;
  /// The updates of the state that give its next value, each of what the one before gives; empty if
  /// something else does.
  std::vector<const ir::Statement*> updates_of(std::size_t state, const Next& next) const;
  /// The dimensions, places and index of the updates; no reads yet.
  std::optional<WindowChange> window_of(std::vector<const ir::Statement*> updates) const;
  /// Where those are in a round's window; nothing if that is not known.
  std::optional<std::int64_t> place_in(const WindowChange& window,
                                       const std::vector<ir::Operand>& indices) const;
  /// Whether the reads of what the first `count` updates leave are understood; notes those of what
  /// these have written.
  bool look_at_reads(WindowChange& window, ir::ValueId array, std::size_t count) const;
  std::optional<StateChange> scatter(std::size_t state, const Next& next) const;
  std::optional<StateChange> bin(std::size_t state, const Next& next) const;
  /// What is combined with `from` to give `to`, by one operation of any order.
  struct Chain {
    const primitives::Primitive* primitive = nullptr;
    Scalar neutral{};
    std::vector<ir::Operand> terms;
    std::vector<const ir::Statement*> links;
    bool subtracts = false;
  };
  std::optional<Chain> chain(const ir::Operand& to, const ir::Operand& from,
                             const ir::Body& body) const;
  /// Nothing if the operand is something else.
  std::optional<RoundIndex> round_index(const ir::Operand& operand) const;
  /// The statement that gives the state's next value from it, if it overwrites it.
  const ir::Statement* update_of(std::size_t state, const Next& next) const;
  /// Whether the loop is marked `parallel`, and all that is read of the array is where the round
  /// writes; `kept` as in Next.
  bool reads_written_only(ir::ValueId array, const ir::Statement& update, std::size_t kept) const;
  /// The same of one read.  (Where a float is read to be combined, that is a bin: that no other
  /// round has it, too, is hardly meant.)
  bool reads_written(ir::ValueId array, const ir::Statement& update, const ir::Statement& by) const;
  /// Whether a float is combined with `from`, among others, to give `to`.
  bool combines_floats(const ir::Operand& to, const ir::Operand& from) const;
  CarriedState carried_number(std::size_t state) const;
  CarriedState carried_array(std::size_t state) const;
  /// Whether all that is read of the array is at the round's own place in that dimension, or where
  /// no round writes.
  bool reads_own_only(ir::ValueId array, const ir::Statement& update, std::size_t dimension,
                      const RoundIndex& at) const;
  /// Whether the place, along a dimension, is none of those that rounds write.
  bool is_beside(const ir::Operand& place, const RoundIndex& written) const;
  bool belongs_into_soac(const ir::Body& body, bool is_round) const;
  /// Whether the choice gives arrays, all of which are next states.
  bool changes_states(const ir::Statement& choice) const;

  const ir::Function& function_;
  const ir::For& loop_;
  Facts* facts_;
  RoundValues round_;
};

} // namespace sinter::jit
