#include "repl/prompt/break_prompt.h"

#include "repl/commands/command.h"
#include "repl/observing/visible_variables.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

namespace sinter::repl {

namespace {

constexpr std::string_view help_text =
    "Here an evaluation has stopped; its variables are names.  Expressions and commands work as "
    "ever;\nwhat is defined here is gone afterwards.\n\n"
    "  :locals    the variables in reach\n"
    "  :stack     the calls that led here\n"
    "  :up        go to the caller and its variables; :down comes back\n"
    "  :continue  go on (so does an empty line)\n"
    "  :step      go on to the next expression or call\n"
    "  :next      the same, but not into calls\n"
    "  :abort     give the evaluation up\n";

/// The names that an input uses, but for what comes after a dot.
std::set<std::string_view> names_in(std::string_view input) {
  auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '\'';
  };
  std::set<std::string_view> names;
  for (std::size_t begin = 0, end = 0; begin < input.size(); begin = end + 1) {
    for (end = begin; end < input.size() && is_part(input[end]);)
      ++end;
    if (begin == 0 || input[begin - 1] != '.') names.insert(input.substr(begin, end - begin));
  }
  return names;
}

} // namespace

BreakPrompt::BreakPrompt(Console& console, Presenter& presenter)
    : console_(console), presenter_(presenter) {}

BreakPrompt::~BreakPrompt() = default;

void BreakPrompt::begin_input() {
  if (is_talking_) return;
  ignore_breaks_ = false;
  shown_.clear();
  if (!stepper_) return;
  console_.session().observe(nullptr);
  console_.session().go_by_steps(nullptr);
  stepper_.reset();
}

/// The stepper stays until the evaluation is over: calls that it has been told of end there.
void BreakPrompt::step(Stepper::Mode mode) {
  if (!stepper_ && mode == Stepper::Mode::Off) return;
  Session& session = console_.session();
  if (!stepper_) {
    stepper_ = std::make_unique<Stepper>(
        session.sources(), session.representations(),
        [this](const BreakPlace& place, const std::string& function,
               const std::vector<std::string>& lost) {
          Session::without_hidden(place, [&](const BreakPlace& shown) {
            stop_at(shown, function.empty() ? Reason::Step : Reason::Call, function, lost);
          });
        });
    session.observe(stepper_.get());
    session.go_by_steps(stepper_.get());
  }
  stepper_->set_mode(mode);
}

std::string BreakPrompt::described(Span span) {
  const SourceMap& sources = console_.session().sources();
  std::string answer = sources.describe(span);
  std::string_view text = sources.text(span);
  const std::string_view line = text.substr(0, text.find('\n'));
  if (!line.empty()) answer += ": " + std::string(line) + (line.size() < text.size() ? " …" : "");
  return answer + "\n";
}

/// With `only_new`, those that were not shown with the same value before.
void BreakPrompt::show_variables(const BreakPlace& place, bool only_new) {
  const bool none = !place.variables_type || place.variables_type->record().fields.empty();
  std::string answer = none && lost_.empty() && !only_new ? "no variables are in reach\n" : "";
  std::map<std::string, std::string> values;
  for (std::size_t i = 0; !none && i < place.variables_type->record().fields.size(); ++i) {
    const FieldRepresentation& field = place.variables_type->record().fields[i];
    std::string value = print_value(place.variables.fields()[i], field.type, 20);
    const auto before = shown_.find(field.name);
    if (!only_new || before == shown_.end() || before->second != value)
      answer += field.name + " = " + value + "\n";
    values.emplace(field.name, std::move(value));
  }
  if (frame_ == 0) shown_ = std::move(values); // what callers have is no news
  for (const std::string& name : only_new ? std::vector<std::string>() : lost_)
    answer += name + " is no longer held\n";
  if (!answer.empty()) presenter_.text(answer);
}

/// Outside of the evaluation such a name may mean something else, which would mislead.
void BreakPrompt::tell_of_lost(const std::string& input) {
  const std::set<std::string_view> used = names_in(input);
  for (const std::string& name : lost_)
    if (used.contains(name))
      presenter_.message("note: the variable `" + name +
                         "` of this call is no longer held: nothing needs it any more\n");
}

/// Lets names mean the variables of another call.
void BreakPrompt::go_to(std::size_t frame, const BreakPlace& place) {
  frame_ = frame;
  const Span span = frame < place.frames.size() ? place.frames[frame].span : place.span;
  presenter_.message(described(span));
  Session& session = console_.session();
  BreakPlace there = place;
  if (frame > 0) {
    const RunningCall call = frame < place.calls.size() ? place.calls[frame] : RunningCall();
    VisibleVariables visible =
        visible_variables(session.sources(), session.representations(), call, span);
    there.variables = std::move(visible.variables);
    there.variables_type = visible.type;
    lost_ = std::move(visible.lost);
  } else {
    lost_ = lost_innermost_;
  }
  session.end_inspection();
  session.begin_inspection(there);
  show_variables(there, false);
}

BreakPrompt::Next BreakPrompt::obey(const std::string& input, const BreakPlace& place) {
  const std::string word = trimmed(input);
  auto is = [&](std::string_view name) {
    return word.size() > 1 && word[0] == ':' && name.starts_with(word.substr(1));
  };
  if (word.empty() || is("continue")) return Next::Continue;
  if (is("abort") || is("quit")) return Next::Abort;
  if (is("step")) return Next::Step;
  if (is("next")) return Next::Over;
  if (is("locals")) {
    if (frame_ > 0)
      go_to(frame_, place);
    else
      show_variables(place, false);
  } else if (is("stack")) {
    std::string answer;
    const SourceMap& sources = console_.session().sources();
    for (std::size_t i = 0; i < place.frames.size(); ++i)
      answer += std::string(frame_ > 0 && i == frame_ ? "* at " : "  at ") +
                std::string(place.frames[i].function) + " (" +
                sources.describe(place.frames[i].span) + ")\n";
    presenter_.message(answer.empty() ? "no calls are known here\n" : answer);
  } else if (is("up") || is("down")) {
    const std::size_t last = place.frames.empty() ? 0 : place.frames.size() - 1;
    if (is("up"))
      go_to(std::min(frame_ + 1, last), place);
    else
      go_to(frame_ > 0 ? frame_ - 1 : 0, place);
  } else if (is("help")) {
    presenter_.text(help_text);
  } else {
    tell_of_lost(input);
    console_.submit(input);
  }
  return Next::Stay;
}

void BreakPrompt::stop_at(const BreakPlace& place, Reason reason, const std::string& function,
                          const std::vector<std::string>& lost) {
  if (!editor_ || ignore_breaks_ || is_talking_) return;
  step(Stepper::Mode::Off);
  lost_ = lost_innermost_ = lost;
  struct Talk {
    BreakPrompt& self;
    Console::WithoutProgress quiet; // who stops here wants to read and write
    Talk(BreakPrompt& prompt, const BreakPlace& stopped) : self(prompt), quiet(prompt.console_) {
      self.is_talking_ = true;
      self.frame_ = 0;
      self.console_.session().begin_inspection(stopped);
    }
    ~Talk() {
      self.console_.session().end_inspection();
      self.is_talking_ = false;
    }
    Talk(const Talk&) = delete;
    Talk& operator=(const Talk&) = delete;
  };
  Next next = Next::Stay;
  {
    Talk talk(*this, place);
    switch (reason) {
    case Reason::Break:
      presenter_.message("break at " + described(place.span));
      obey(":stack", place);
      break;
    case Reason::Call:
      presenter_.message("step into " + function + " (" +
                         console_.session().sources().describe(place.span) + ")\n");
      shown_.clear();
      show_variables(place, true);
      break;
    case Reason::Step:
      show_variables(place, true);
      presenter_.message("step to " + described(place.span));
      break;
    }
    while (next == Next::Stay) {
      LineEditor::Line line = editor_->read("break> ", "     | ");
      if (line.kind == LineEditor::Line::Kind::End) {
        ignore_breaks_ = true;
        next = Next::Continue;
      } else if (line.kind == LineEditor::Line::Kind::Interrupted) {
        next = Next::Abort;
      } else {
        next = obey(line.text, place);
      }
    }
  }
  if (next == Next::Step) step(Stepper::Mode::Into);
  if (next == Next::Over) step(Stepper::Mode::Over);
  if (next == Next::Abort) {
    ignore_breaks_ = true;
    throw RuntimeError(FailureKind::Interrupted, "given up at the `#[break]`", place.span);
  }
}

} // namespace sinter::repl
