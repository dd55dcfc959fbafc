// Where an evaluation spends its time: a tree of the calls and array operations that the
// interpreter makes, by their places in the source.
#pragma once

#include "lang/base/source_map.h"
#include "repl/observing/observer.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace sinter::repl {

/// A function called, or an operation applied, in one place below others.
struct ProfileNode {
  std::string name; ///< "f", "map"
  Span span;        ///< of the definition, or of the application
  std::uint64_t calls = 0;
  std::chrono::nanoseconds time{}; ///< with all that happens inside
  std::vector<ProfileNode*> children;
  ProfileNode* parent = nullptr;
  std::uint32_t running = 0; ///< calls that go on, one inside of the other

  /// Without what the children took.
  std::chrono::nanoseconds own_time() const;
};

/// Observes one evaluation.  A call inside of a call of the same function counts for that one's
/// node, so that recursion makes no deep trees.  It measures each call: small functions look dearer
/// than they are.
class Profiler final : public Observer {
public:
  explicit Profiler(const SourceMap& sources);

  void begin_evaluation() override;
  std::optional<Value> call(const core::Function& function, std::span<const Value> captures,
                            std::span<Value> arguments, Watch& watch) override;
  std::optional<Value> array_operation(primitives::ArrayOperation operation,
                                       eval::Site<Concrete>& site, std::span<Value> arguments,
                                       Watch& watch) override;
  void interpreted(const Watch& watch) noexcept override;
  /// After the evaluation, however it ended.
  void finish();
  const ProfileNode& root() const { return nodes_.front(); }

private:
  using Clock = std::chrono::steady_clock;
  void begin(std::string_view name, Span span, Watch& watch);

  const SourceMap& sources_;
  std::deque<ProfileNode> nodes_; ///< the first is the whole evaluation
  struct Running {
    ProfileNode* node;
    ProfileNode* caller;
    Clock::time_point began;
  };
  std::vector<Running> running_;
  ProfileNode* current_;
  Clock::time_point began_;
};

/// A table by place, the dearest first, and the tree with bars: "flame" on its side.  Columns fit
/// into `width`.
std::string profile_text(const SourceMap& sources, const ProfileNode& root, std::size_t width);

} // namespace sinter::repl
