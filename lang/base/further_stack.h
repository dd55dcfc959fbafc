// More stack for a recursion whose depth a program decides.
#pragma once

#include <cstddef>
#include <functional>

namespace sinter {

/// Calls `action` on a stack of its own, and waits for it; passes on what it throws.  Throws
/// std::bad_alloc if there is no room for another stack.
void on_further_stack(const std::function<void()>& action);

/// A recursion as deep as memory allows, which counts its levels here.
class DeepRecursion {
public:
  /// Calls `action` one level deeper; on a further stack as often as a stack's worth of levels has
  /// been used.
  void deeper(const std::function<void()>& action) {
    const Level level(depth_);
    if (depth_ % levels_per_stack == 0)
      on_further_stack(action);
    else
      action();
  }

private:
  /// These may have frames of several kilobytes.
  static constexpr std::size_t levels_per_stack = 250;

  struct Level {
    explicit Level(std::size_t& depth) : depth(depth) { ++depth; }
    ~Level() { --depth; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    std::size_t& depth;
  };

  std::size_t depth_ = 0;
};

} // namespace sinter
