// What is known from earlier processes: which evaluations were worth compiling.
//
// Compiled code is kept on disk, so that a process finds what an earlier one has made.  But whether
// it is worth opening the JIT for that, the forecasts tell only of what takes so long that it would
// be worth it without such code, too; the rest is found out by interpreting it.  So beside the code
// lies a record of each evaluation that code was asked for: the *precedents*.  They have a say in
// when the JIT is opened (opening.h) and when code is asked for (jit/swap/policy.h), and in nothing
// else: no result depends on them, and one that is out of date costs at most that code is made
// which would not have been made yet.
#pragma once

#include "lang/core/core.h"
#include "lang/eval/forecast.h"

#include <bit>
#include <cstdint>
#include <optional>
#include <span>

namespace sinter::jit {

/// What begins: an expression that needs nothing around it, or a call with arguments of about these
/// sizes.
struct Occasion {
  const core::Function* function = nullptr;
  const core::Expr* expr = nullptr;
  /// How large the arguments are, to a factor of two, in one number.
  std::uint64_t sizes = 0;

  bool is_known() const { return function || expr; }
  friend bool operator==(const Occasion&, const Occasion&) = default;

  static Occasion evaluation(const core::Expr& expr) { return {.expr = &expr}; }
  static Occasion call(const core::Function& function, std::span<const Value> captures,
                       std::span<const Value> arguments) {
    Occasion occasion{.function = &function};
    for (std::span<const Value> values : {captures, arguments})
      for (const Value& value : values)
        occasion.add(value);
    return occasion;
  }
  /// One more of the arguments of a call.
  void add(const Value& argument) {
    constexpr std::uint64_t odd_number = 0x9e3779b97f4a7c15;
    const std::uint64_t size = argument.kind() == Value::Kind::Scalar ? argument.scalar().bits
                                                                      : eval::elements_in(argument);
    sizes = (sizes ^ static_cast<std::uint64_t>(std::bit_width(size))) * odd_number + 1;
  }
};

/// What an earlier process found out.
struct Precedent {
  std::int64_t nanoseconds = 0; ///< that the evaluator takes, as far as it came to be known
  bool is_in_parts = false;     ///< no code can be made for it as a whole, but for parts of it
};

/// A process forgets nothing that it has found out, so it asks about an occasion once.  (The plugin
/// knows only what is virtual or inline here.)
class Precedents {
public:
  virtual ~Precedents() = default;
  /// These may be called on any thread.
  virtual std::optional<Precedent> find(const Occasion& occasion) = 0;
  /// Code is made for that, or for a part of it, and will be kept on disk.
  virtual void note(const Occasion& occasion, std::int64_t nanoseconds) = 0;
  /// No code can be made for it as a whole.  (Without a note that says nothing.)
  virtual void note_in_parts(const Occasion& occasion) = 0;
  /// No code can be kept.
  virtual void forget(const Occasion& occasion) = 0;

  /// What the evaluation began with that is running; unknown if nobody has been asked about it.
  const Occasion& evaluation() const { return evaluation_; }
  void begin_evaluation() { evaluation_ = {}; }
  void begin_with(const Occasion& occasion) {
    if (!evaluation_.is_known()) evaluation_ = occasion;
  }

private:
  Occasion evaluation_;
};

} // namespace sinter::jit
