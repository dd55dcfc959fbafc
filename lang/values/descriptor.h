// An open file of the system.
#pragma once

#include <utility>

#include <unistd.h>

namespace sinter {

/// Closes a file descriptor.
class Descriptor {
public:
  explicit Descriptor(int number = -1, bool owned = true) : number_(number), owned_(owned) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  Descriptor(Descriptor&& other) noexcept
      : number_(std::exchange(other.number_, -1)), owned_(other.owned_) {}
  ~Descriptor() {
    if (owned_ && number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }
  /// Closes now; whether that succeeded (some systems report a full disk only here).
  bool close() {
    const int number = std::exchange(number_, -1);
    return ::close(number) == 0;
  }

private:
  int number_;
  bool owned_;
};

} // namespace sinter
