// A session: what the prompt, scripts, notebooks and the command line share.  It owns the source
// texts, the checker, the resolved program and the evaluator, and it never dies of a user's error.
#pragma once

#include "lang/base/diagnostic.h"
#include "lang/base/interrupt.h"
#include "lang/base/runtime_error.h"
#include "lang/check/checker.h"
#include "lang/core/specialise.h"
#include "lang/eval/evaluator.h"
#include "lang/values/format.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sinter::repl {

struct SessionOptions {
  std::size_t max_memory_bytes = SIZE_MAX;
  std::optional<std::chrono::milliseconds> timeout; ///< for each evaluation
  bool color = false;
};

/// How an input ended.  Exactly one of the texts is set unless it succeeded without a value.
struct Outcome {
  enum class Kind { Done, Value, CheckFailed, RunFailed, Incomplete };
  Kind kind = Kind::Done;
  Value value; ///< of Kind::Value
  const Representation* representation = nullptr;
  std::string type_text;              ///< "[3]i32"
  std::string messages;               ///< rendered errors and warnings, for stderr
  std::optional<FailureKind> failure; ///< of Kind::RunFailed
  bool ok() const { return kind == Kind::Done || kind == Kind::Value; }
};

class Session {
public:
  explicit Session(SessionOptions options = {});
  ~Session();

  /// Checks a file and makes its names the prompt's scope.
  Outcome load(const std::string& path);
  /// One prompt input: declarations, or an expression whose value becomes `it`.
  Outcome submit(std::string text, const std::string& name = "<prompt>");
  /// The type of an expression, not evaluated (in `type_text`).
  Outcome type_of(std::string text);
  /// Names in scope that start with `prefix` (values, modules, types; after "m." the members of m).
  std::vector<std::string> complete(std::string_view prefix) const;

  SourceMap& sources();
  check::Checker& checker();
  Representations& representations();
  core::Specialiser& specialiser();
  Evaluator& evaluator();
  MemoryBudget& memory();
  InterruptSource& interrupt();
  const SessionOptions& options() const;
  /// The file that was loaded last; null if none.
  const check::CheckedFile* loaded() const;
  /// Runs `action` under the session's timeout, turning RuntimeErrors into an outcome.
  Outcome guarded(const std::function<Value()>& action);

private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

} // namespace sinter::repl
