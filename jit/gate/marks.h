// What is asked, and told, about marked expressions (`#[accelerate]`, loops with `#[parallel]`)
// before they run.
#pragma once

#include "jit/gate/device_choice.h"
#include "lang/base/diagnostic.h"
#include "lang/base/span.h"
#include "lang/core/core.h"
#include "lang/syntax/accelerate_mark.h"

#include <string>
#include <string_view>
#include <vector>

namespace sinter::jit {

/// The marked expressions that are meant: all that these parts of a program reach.
struct MarkQuestion {
  std::vector<core::Toplevel> expressions; ///< names of definitions, …
  /// These calls are taken to be marked as a whole, unless they are.
  std::vector<const core::Function*> entry_points;
};

/// What there is to say of a mark.
struct MarkFinding {
  Severity severity = Severity::Error;
  std::string_view id; ///< of a help page
  Span span;           ///< what it is about, inside of what is marked, if that is known
  std::string message;
  Span written = {}; ///< of a loop: what writes that it reads elsewhere, if there is that
};

/// Something that goes into the code of a mark, or comes out of it.
struct MarkedValue {
  Span name;             ///< of an input: where the program has its name, if it has one
  std::string type;      ///< "[]f64"
  bool is_array = false; ///< has arrays in it
  std::size_t bytes = 0; ///< of its scalars, and of an element of each of its arrays
};

/// A marked expression for inputs of one form.
struct MarkReport {
  /// Of `#[parallel]`, a loop: that its iterations need nothing of each other is all that is looked
  /// at.
  bool is_loop = false;
  syntax::AccelerateMark mark;
  Span mark_span; ///< of the attribute; of an entry point's name where that is taken for marked
  Span span;      ///< of what is marked
  bool is_inside = false; ///< of another mark, which counts: nothing more is told of it
  /// Why it could not be looked at: an input's form is not known here.  Empty: it was.
  std::string not_checked;
  std::vector<MarkFinding> findings;
  // Of one that is traced:
  struct Function {
    std::string name;
    Span span;
  };
  std::vector<Function> functions; ///< that are part of the code
  std::vector<MarkedValue> inputs, results;
  DeviceChoice device; ///< that it is for
};

} // namespace sinter::jit
