// The error that ends an evaluation: what went wrong, where, and through which calls.
#pragma once

#include "lang/base/interrupt.h"
#include "lang/base/source_map.h"
#include "lang/base/span.h"

#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace sinter {

/// Why an evaluation ended early; decides the executable's exit code.
enum class FailureKind {
  Program,     ///< the program's own fault: index, coercion, assertion, division by zero, hole
  OutOfMemory, ///< `--max-memory`, an absurd size, or the system's limit
  StackLimit,  ///< recursion deeper than the evaluator's stack
  Interrupted, ///< Ctrl-C
  TimedOut,    ///< `--timeout`
  Unsupported, ///< a construct that this build cannot evaluate (differentiation)
  Deferred,    ///< only of checks in compiled code: the evaluator goes on, nothing has failed
};

/// One call on the way to the error, innermost first.
struct StackFrame {
  std::string_view function; ///< the Futhark function's name; "lambda" for anonymous ones
  Span span;                 ///< where the call, or the failing expression, stands
};

/// Thrown by the evaluator only; never crosses into or out of compiled code.
class RuntimeError : public std::exception {
public:
  /// Exhausted memory and stack have ids of their own.
  RuntimeError(FailureKind kind, std::string message, Span span = {});
  /// The program's own fault; `id` is that of a help page.
  RuntimeError(std::string_view id, std::string message, Span span = {});
  const char* what() const noexcept override { return message.c_str(); }

  FailureKind kind;
  std::string_view id; ///< of its help page; empty where there is none; static storage
  std::string message;
  Span span;                      ///< filled in by the evaluator where the thrower knew none
  std::vector<StackFrame> frames; ///< innermost first; filled in while the error travels up
  /// From compiled code, which has the innermost frames only.  Where the last of them has no
  /// function, it is a part of the one that runs.
  bool lacks_callers = false;
  /// From compiled code, which cannot name the values that the message is about: the evaluator can,
  /// if it evaluates all again.
  bool is_provisional = false;
};

/// The error that ends an evaluation that was asked to stop.
RuntimeError interruption(InterruptSource::Reason reason);

/// "file:line:column: Error: message [id]", caret line and "at function (file.fut:line:column)"
/// frames.
std::string render(const SourceMap& sources, const RuntimeError& error, bool color = false);

} // namespace sinter
