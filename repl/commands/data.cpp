// Commands that read and write data files.
#include "repl/data/data.h"
#include "repl/commands/arguments.h"
#include "repl/commands/command.h"
#include "repl/display.h"

#include <algorithm>
#include <cctype>

namespace sinter::repl {

namespace {

constexpr const char* read_usage =
    "usage: `:read [--delimiter C] [--decimal C] [--skip N] [--header|--no-header] [--na TEXT] "
    "[--type COLUMN=TYPE] name = \"file\"`";

/// `"file"`, with or without quotes.
std::string file_name(std::string_view text) {
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    text = text.substr(1, text.size() - 2);
  return std::string(text);
}

/// What is wrong with an option that says how a table is written; nothing if it was taken.
std::optional<std::string> take_option(const std::string& option, Arguments& arguments,
                                       CsvOptions& table) {
  if (option == "delimiter") {
    const std::string text = arguments.word();
    constexpr std::pair<std::string_view, char> names[] = {
        {"\\t", '\t'}, {"tab", '\t'}, {"space", ' '}, {"none", one_cell_a_line}};
    const auto* named = std::ranges::find(names, text, &std::pair<std::string_view, char>::first);
    if (named == std::end(names) &&
        (text.size() != 1 || text == "\"" || std::isalnum(static_cast<unsigned char>(text[0]))))
      return "`--delimiter` is a sign, `tab`, `space` or `none`, not `" + text + "`";
    table.delimiter = named != std::end(names) ? named->second : text[0];
  } else if (option == "decimal") {
    const std::string text = arguments.word();
    if (text != "." && text != ",") return "`--decimal` is `.` or `,`, not `" + text + "`";
    table.decimal = text[0];
  } else if (option == "skip") {
    const std::optional<double> count = arguments.number();
    if (!count || *count < 0 || *count > 1e9) return read_usage;
    table.skip = static_cast<std::size_t>(*count);
  } else if (option == "header" || option == "no-header") {
    table.header = option == "header";
  } else if (option == "na") {
    table.missing.push_back(arguments.word());
  } else if (option == "type") {
    const std::string text = arguments.word();
    const std::size_t equals = text.rfind('=');
    const std::optional<CsvType> type =
        equals == std::string::npos ? std::nullopt : csv_type(text.substr(equals + 1));
    if (!type)
      return "`--type " + text +
             "`: expected COLUMN=TYPE, where a type is number, bool, date, time, words, codes, or "
             "one of i8 to f64";
    table.types.emplace_back(text.substr(0, equals), *type);
  } else {
    return "`:read` has no option `--" + option + "`; " + read_usage;
  }
  return std::nullopt;
}

void read(Console& console, const std::string& argument) {
  Arguments arguments(argument);
  ReadOptions options;
  while (std::optional<std::string> option = arguments.option()) {
    options.is_table = true;
    const std::optional<std::string> wrong = take_option(*option, arguments, options.table);
    if (wrong) return console.fail(*wrong);
  }
  std::string rest = arguments.rest();
  std::size_t equals = rest.find('=');
  if (equals == std::string::npos) return console.fail(read_usage);
  std::string name = trimmed(std::string_view(rest).substr(0, equals));
  std::string path = file_name(trimmed(std::string_view(rest).substr(equals + 1)));
  if (name.empty() || path.empty()) return console.fail(read_usage);
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
