// What is known of values before a program runs: the layouts that they will have.
//
// Types tell layouts, but for functions, which are part of a layout with their code.  Those of a
// frame are known where they are bound to lambdas and names of functions.
#pragma once

#include "jit/trace/layout.h"
#include "lang/core/core.h"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace sinter::jit {

/// A layout for values of a type; of sums it has the constructors that are chosen, as they are one
/// of a layout's facts.
class LayoutsByType {
public:
  /// None for functions and accumulators.  Null, a type that the program does not tell: nothing.
  std::optional<Layout> operator()(const Representation* type);
  /// From here on the same sums are met again, in order.
  void begin() { next_ = 0; }
  /// Chooses other constructors for the sums that were met since; false if all were chosen.
  bool choose_others();

private:
  struct Sum {
    std::size_t constructors = 0, chosen = 0;
  };
  std::vector<Sum> sums_;
  std::size_t next_ = 0;
};

/// The values of a frame, as far as more is known of them than their types.
struct KnownFrame {
  std::unordered_map<core::Slot, Layout> slots;
  std::unordered_map<std::uint32_t, Layout> captures;

  /// Binds what is known of a value; `value` may be none.
  void bind(const core::Pattern& pattern, const std::optional<Layout>& value);
};

/// Whether a layout says more than a type does.
bool has_function(const Layout& layout);
/// The layout of an expression's value; none if it cannot be known.  Binds what is known of the
/// variables inside.
std::optional<Layout> known_layout(const core::Expr& expr, KnownFrame& frame,
                                   LayoutsByType& by_type, unsigned depth = 0);

} // namespace sinter::jit
