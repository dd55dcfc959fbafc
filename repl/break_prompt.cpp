#include "repl/break_prompt.h"

#include "repl/commands/command.h"

#include <algorithm>

namespace sinter::repl {

namespace {

constexpr std::string_view help_text =
    "Here an evaluation has stopped; its variables are names.  Expressions and commands work as "
    "ever;\nwhat is defined here is gone afterwards.\n\n"
    "  :locals    the variables in reach\n"
    "  :stack     the calls that led here; :up and :down show them one by one\n"
    "  :continue  go on (so does an empty line)\n"
    "  :step      go on to the next call\n"
    "  :next      go on to the next call that is not inside of this one\n"
    "  :abort     give the evaluation up\n";

} // namespace

BreakPrompt::BreakPrompt(Console& console, Presenter& presenter)
    : console_(console), presenter_(presenter) {}

BreakPrompt::~BreakPrompt() = default;

void BreakPrompt::begin_input() {
  if (is_talking_) return;
  ignore_breaks_ = false;
  if (stepper_) console_.session().observe(nullptr);
  stepper_.reset();
}

/// The stepper stays until the evaluation is over: calls that it has been told of end there.
void BreakPrompt::step(Stepper::Mode mode) {
  if (!stepper_ && mode == Stepper::Mode::Off) return;
  Session& session = console_.session();
  if (!stepper_) {
    stepper_ = std::make_unique<Stepper>(
        session.sources(), session.representations(),
        [this](const BreakPlace& place, const std::string& function) { stop_at(place, function); });
    session.observe(stepper_.get());
  }
  stepper_->set_mode(mode);
}

void BreakPrompt::show(const BreakPlace& place, std::size_t frame) {
  const SourceMap& sources = console_.session().sources();
  const Span span = frame < place.frames.size() ? place.frames[frame].span : place.span;
  std::string answer = sources.describe(span);
  if (std::string_view text = sources.text(span);
      !text.empty() && text.find('\n') == std::string_view::npos)
    answer += ": " + std::string(text);
  presenter_.message(answer + "\n");
}

void BreakPrompt::show_variables(const BreakPlace& place) {
  if (!place.variables_type || place.variables_type->record().fields.empty())
    return presenter_.text("no variables are in reach\n");
  const auto& fields = place.variables_type->record().fields;
  std::string answer;
  for (std::size_t i = 0; i < fields.size(); ++i)
    answer += fields[i].name + " = " +
              print_value(place.variables.fields()[i], fields[i].type, 20) + "\n";
  presenter_.text(answer);
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
    show_variables(place);
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
      frame_ = std::min(frame_ + 1, last);
    else if (frame_ > 0)
      --frame_;
    show(place, frame_);
  } else if (is("help")) {
    presenter_.text(help_text);
  } else {
    console_.submit(input, true);
  }
  return Next::Stay;
}

void BreakPrompt::stop_at(const BreakPlace& place, const std::string& function) {
  if (!editor_ || ignore_breaks_ || is_talking_) return;
  step(Stepper::Mode::Off);
  struct Talk {
    BreakPrompt& self;
    explicit Talk(BreakPrompt& prompt, const BreakPlace& stopped) : self(prompt) {
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
    if (function.empty()) {
      const SourceMap& sources = console_.session().sources();
      std::string answer = "break at " + sources.describe(place.span);
      if (std::string_view text = sources.text(place.span);
          !text.empty() && text.find('\n') == std::string_view::npos)
        answer += ": " + std::string(text);
      presenter_.message(answer + "\n");
      obey(":stack", place);
    } else {
      presenter_.message("step into " + function + " (" +
                         console_.session().sources().describe(place.span) + ")\n");
      if (place.variables_type && !place.variables_type->record().fields.empty())
        show_variables(place);
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
