// Whether a size was a good choice, told by times: work that is done piece by piece, such as the
// chunks of a long input, tries larger pieces as long as these take less time for each element.
//
// What the next size is, and when to stop, is for who does the work to say.
#pragma once

#include <cassert>
#include <optional>

namespace sinter {

/// The times of pieces of one size, against those of the size tried before.
class TrialTimes {
public:
  /// So many pieces have to tell, so that chance does not decide.
  static constexpr int pieces_to_tell = 4;
  /// As shares of the time before: what counts as less, and what as more.
  static constexpr double less = 0.98, more = 1.05;

  enum class Told {
    Nothing, ///< more pieces have to tell
    First,   ///< there is a time now, and none to compare it with
    Faster,
    Alike,
    Slower,
  };

  /// A piece took so long for each element, in any unit.  What is told is told against what the
  /// pieces took when something was told last.
  Told took(double each) {
    assert(each >= 0);
    average_ = average_ ? (*average_ + each) / 2 : each;
    if (++pieces_ < pieces_to_tell) return Told::Nothing;
    pieces_ = 0;
    const std::optional<double> before = before_;
    before_ = average_;
    if (!before) return Told::First;
    if (*average_ < less * *before) return Told::Faster;
    return *average_ > more * *before ? Told::Slower : Told::Alike;
  }
  /// Pieces have another size from now on.
  void begin_size() {
    average_.reset();
    pieces_ = 0;
  }

private:
  int pieces_ = 0;                ///< since something was told
  std::optional<double> average_; ///< moving, at this size
  std::optional<double> before_;
};

} // namespace sinter
