// Commands that read and write data files.
#include "repl/commands/command.h"
#include "repl/data/read_options.h"
#include "repl/display/display.h"

namespace sinter::repl {

namespace {

std::string read_usage() {
  return "usage: `:read " + read_options_usage() + " name = \"file\"`";
}

/// `"file"`, with or without quotes.
std::string file_name(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    text = text.substr(1, text.size() - 2);
  return std::string(text);
}

void read(Console& console, const std::string& argument) {
  Arguments arguments(argument);
  ReadOptions options;
  if (const std::optional<std::string> wrong = take_read_options(arguments, options))
    return console.fail(*wrong);
  std::string rest = arguments.rest();
  std::size_t equals = rest.find('=');
  if (equals == std::string::npos) return console.fail(read_usage());
  std::string name = trimmed(std::string_view(rest).substr(0, equals));
  std::string path = file_name(trimmed(std::string_view(rest).substr(equals + 1)));
  if (name.empty() || path.empty()) return console.fail(read_usage());
  Session& session = console.session();
  try {
    Data data;
    std::shared_ptr<ProgressLine> progress = console.busy("reading " + path);
    Outcome outcome = session.guarded([&] {
      data = read_data(path, options, session.memory(), session.representations());
      return Value();
    });
    progress.reset();
    std::string type;
    if (outcome.ok()) {
      type = type_text(data.type, data.value, data.order);
      outcome = session.define(name, type, data.value);
    }
    console.show(outcome);
    if (!outcome.ok()) return;
    console.presenter().text(name + " : " + type + "\n");
    for (const std::string& remark : data.remarks)
      console.presenter().text("  " + remark + "\n");
  } catch (const FormatError& error) {
    bool names_it = error.message.find("`" + path + "`") != std::string::npos;
    console.fail((names_it ? "" : "`" + path + "`: ") + error.message);
  }
}

void write(Console& console, const std::string& argument) {
  Arguments arguments(argument);
  std::string path = arguments.word();
  std::string expression = arguments.rest();
  if (path.empty() || expression.empty())
    return console.fail("usage: `:write \"file\" expression`");
  const MemoryBudget::Spilling spilling(console.session().memory(), spill_path(path));
  Outcome outcome = console.evaluate(expression);
  if (outcome.kind != Outcome::Kind::Value) {
    console.show(outcome);
    if (outcome.ok() || outcome.kind == Outcome::Kind::Incomplete)
      console.fail("there is no value to write");
    return;
  }
  if (!outcome.messages.empty()) console.presenter().message(outcome.messages);
  try {
    write_data(path, outcome.value, outcome.representation, outcome.order);
    console.presenter().text("wrote " + outcome.type_text + " to " + path + "\n");
  } catch (const FormatError& error) {
    console.fail(error.message);
  }
}

constexpr Command table[] = {
    {"read", "NAME = \"FILE\"", "read data: npy, npz, csv, png, wav, values as text or binary",
     Completes::Files, read},
    {"write", "\"FILE\" EXPRESSION", "write data, in the format that the file's name says",
     Completes::Files, write},
};

} // namespace

std::span<const Command> data_commands() {
  return table;
}

} // namespace sinter::repl
