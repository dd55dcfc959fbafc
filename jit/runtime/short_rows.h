// Rows that turn out to be short: for a kernel that goes through many of them, their extents become
// constants.
//
//   soac n (xss) { (i: i64, xs: [m]f32)      m = 3      soac n (xss) { (i: i64, xs: [3]f32)
//     s = soac m (xs) { … } reduce …           →          a = index xs[0i64] …
//     yield s                                             yield d
//   } map                                               } map
//
// What is inside is written out then (jit/passes/unroll.h), and an operator that combines rows
// combines numbers (jit/passes/row_operators.h): lanes lie on the rows without loops, masks and
// memory for what they make on the way.  Of a nest of maps the last one makes such rows, too, if it
// is short and its elements are not all alike.  Which launches of a kernel have such rows, and
// whether code for those is worth making, is decided here; who makes it: versioned_kernel.h.
#pragma once

#include "jit/ir/ir.h"
#include "jit/passes/pass_options.h"
#include "jit/runtime/datum.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sinter::jit {

/// A kernel with extents inside that are parameters.
class ShortRows {
public:
  /// More extents than these stay as they are.
  static constexpr std::size_t most_extents = 8;
  /// By extent; 0: it is not short.
  using Extents = std::array<std::uint8_t, most_extents>;
  struct Launch {
    Extents extents{};
    std::int64_t rows = 0;
  };

  /// Nothing if the function is no SOAC over SOACs or loops of unknown extents.
  static std::optional<ShortRows> of(const ir::Function& kernel);
  /// Fewer rows do not fill the lanes.
  static constexpr std::int64_t least_rows = 64;
  /// Nothing if no extent of this launch is short, or there are fewer rows.
  std::optional<Launch> met(std::span<const Datum> arguments, std::int64_t least) const;
  /// The kernel that `of` was told of, for such extents.  It has the same parameters.
  ir::Function specialised(const ir::Function& kernel, const Extents& extents) const;
  /// Those that are run over it then, by name.
  static PassNames passes();

private:
  std::vector<std::size_t> outside_; ///< whose product counts the rows: which parameters
  std::vector<std::size_t> inside_;  ///< those that may be short
  /// Whether the first one of these counts the rows, too, where it is not short.
  bool first_may_be_outside_ = false;
};

/// About what a row of the kernel takes with general code, at least, where it has these arguments:
/// nanoseconds.
double row_nanoseconds(const ir::Function& kernel, std::span<const Datum> arguments);
/// About what it takes to make special code, at least, as long as nothing has been made:
/// nanoseconds.
double least_making_nanoseconds(const ir::Function& kernel);

/// What launches with the same short extents took, with the kernel's general code and with special
/// code.  Both give the same results.
class ShortRowsTimes {
public:
  enum class Code : std::uint8_t { General, Special };

  /// Whether launches with general code have taken so many times as long as special code takes to
  /// make, from which follows what is lost at most where there are no more (as in ski rental); at
  /// once, where there are very many rows and that does not take long, or where this launch alone
  /// would take much longer.
  bool is_worth_making(std::int64_t rows, double row_nanoseconds, double making_nanoseconds,
                       double times = 1) const;
  /// The one that took less time for about so many rows.  The special code is tried first, and the
  /// slower one now and then: somebody else may have had the processor.
  Code choose(std::int64_t rows);
  void note(Code code, std::int64_t rows, double nanoseconds);

private:
  struct Times { ///< nanoseconds a row; 0: not known
    double general = 0, special = 0;
    unsigned special_runs = 0, launches = 0;
  };
  Times& times(std::int64_t rows);

  double spent_ = 0; ///< nanoseconds, with general code
  std::array<Times, 22> by_size_{};
};

} // namespace sinter::jit
