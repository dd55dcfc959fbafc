// A variable that begins anew for the time of a scope.
#pragma once

#include <utility>

namespace sinter {

/// Saves a variable, which begins anew, and restores it in the end.
template <typename T>
class Anew {
public:
  explicit Anew(T& variable) : variable_(variable), saved_(std::exchange(variable, T{})) {}
  ~Anew() { variable_ = std::move(saved_); }
  Anew(const Anew&) = delete;
  Anew& operator=(const Anew&) = delete;

private:
  T& variable_;
  T saved_;
};

} // namespace sinter
