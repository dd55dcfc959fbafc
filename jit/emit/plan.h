// Which SOACs run in lanes: along which index of nested operations the W lanes go.
#pragma once

#include "jit/ir/ir.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace sinter::jit {

/// How lanes that each have a row of memory compute along it (rows.cpp): in short vectors, the
/// masks of rows that end apart are computed anew for each square.
enum class AlongRows : std::uint8_t { Never, InShortVectors, InLongVectors };

/// The SOACs (by address, in the function that was planned) whose elements lanes run along, in the
/// function's order.  None of them is inside another.  Around them is scalar code, inside of them
/// each lane works for itself.
class LanePlan {
public:
  enum class Where : std::uint8_t {
    Anywhere,
    InsideKernel ///< of the SOAC that makes a parallel kernel: not along its own elements
  };
  LanePlan(const ir::Function& function, unsigned width, AlongRows along_rows,
           Where where = Where::Anywhere);
  bool runs_in_lanes(const ir::Soac& soac) const {
    return std::find(chosen_.begin(), chosen_.end(), &soac) != chosen_.end();
  }
  const std::vector<const ir::Soac*>& chosen() const { return chosen_; }

private:
  std::vector<const ir::Soac*> chosen_;
};

/// Where a kernel of maps, reductions and scans may have its lanes along its own elements, or along
/// those of SOACs inside: which is better is known when it runs.
struct LaneChoice {
  LanePlan outside, inside;
  std::vector<ir::Operand> inner_extents; ///< of SOACs that lanes run along inside: not computed
  /// Lanes outside would have an array of unknown size each.
  bool has_private_arrays = false;
  /// Among the SOACs that lanes run along inside there are folds whose order shows; scans.
  bool goes_in_order = false, has_scans = false;
  /// There are loops, without any lanes inside, that read or write an element after the other: each
  /// of their rounds takes as long for one row as for those of all lanes.
  bool goes_one_by_one = false;
  /// Elements are scattered over such arrays: each lane outside has other places.
  bool scatters = false;
  /// There are loops that carry such arrays: each round goes through memory again.
  bool goes_over_again = false;
  /// Lanes outside would go along rows of memory of their own.
  bool turns_rows = false;
  /// Lanes inside would go down columns: what they read next to each other does not lie so, and
  /// what lanes outside read does.
  bool goes_down_columns = false;
  /// Arrays are made of each element, which lanes outside would write far from each other.
  bool makes_rows = false;
  /// Such rows that are pieces, of unknown size, of what has this extent.
  std::vector<ir::Operand> cut_extents;
};
/// For lanes outside and inside of these widths.
std::optional<LaneChoice> lane_choice(const ir::Function& function, unsigned outside,
                                      unsigned inside, AlongRows along_rows);

/// Whether the SOAC can run with lanes along its own elements: operators of scalars that cannot
/// fail.
bool can_run_in_lanes(const ir::Function& function, const ir::Soac& soac);
/// Whether the operator may be applied in any order: flagged, or of a kind known to be commutative.
bool is_commutative(const ir::ReduceGroup& group);
bool is_commutative(const ir::Body& op); ///< by its kind alone

} // namespace sinter::jit
