#include "repl/data/table_options.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace sinter::repl {

namespace {

constexpr TableOption options_of_tables[] = {
    {"delimiter", "C", "between cells: a sign, `tab`, `space` or `none`"},
    {"decimal", "C", "in numbers: `.` or `,`"},
    {"skip", "N", "lines before the table"},
    {"header", "", "the first line has the columns' names"},
    {"no-header", "", "the first line is a row"},
    {"na", "TEXT", "the cell that stands for a missing number"},
    {"type", "COLUMN=TYPE", "of a column that is not what it seems"},
};

std::optional<std::string> take_delimiter(const std::string& value, CsvOptions& table) {
  constexpr std::pair<std::string_view, char> names[] = {
      {"\\t", '\t'}, {"\t", '\t'}, {"tab", '\t'}, {"space", ' '}, {"none", one_cell_a_line}};
  const auto* named = std::ranges::find(names, value, &std::pair<std::string_view, char>::first);
  if (named == std::end(names) &&
      (value.size() != 1 || value == "\"" || std::isalnum(static_cast<unsigned char>(value[0]))))
    return "`--delimiter` is a sign, `tab`, `space` or `none`, not `" + value + "`";
  table.delimiter = named != std::end(names) ? named->second : value[0];
  return std::nullopt;
}

std::optional<std::string> take_skip(const std::string& value, CsvOptions& table) {
  constexpr std::size_t most = 1'000'000'000;
  const char* end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, table.skip);
  if (error == std::errc{} && stop == end && table.skip <= most) return std::nullopt;
  return "`--skip` is a number of lines, not `" + value + "`";
}

std::optional<std::string> take_type(const std::string& value, CsvOptions& table) {
  const std::size_t equals = value.rfind('=');
  const std::optional<CsvType> type =
      equals == std::string::npos ? std::nullopt : csv_type(value.substr(equals + 1));
  if (!type)
    return "`--type " + value +
           "`: expected COLUMN=TYPE, where a type is number, bool, date, time, words, codes, or "
           "one of i8 to f64";
  table.types.emplace_back(value.substr(0, equals), *type);
  return std::nullopt;
}

/// "--delimiter C".
std::string written(const TableOption& option) {
  return "--" + std::string(option.name) +
         (option.value.empty() ? "" : " " + std::string(option.value));
}

} // namespace

std::span<const TableOption> table_options() {
  return options_of_tables;
}

std::optional<std::string> take_table_option(const TableOption& option, const std::string& value,
                                             ReadOptions& options) {
  options.is_table = true;
  CsvOptions& table = options.table;
  if (option.name == "delimiter") return take_delimiter(value, table);
  if (option.name == "skip") return take_skip(value, table);
  if (option.name == "type") return take_type(value, table);
  if (option.name == "na") {
    table.missing.push_back(value);
  } else if (option.name == "decimal") {
    if (value != "." && value != ",") return "`--decimal` is `.` or `,`, not `" + value + "`";
    table.decimal = value[0];
  } else {
    table.header = option.name == "header";
  }
  return std::nullopt;
}

std::optional<std::string> take_table_options(Arguments& arguments, ReadOptions& options) {
  while (const std::optional<std::string> name = arguments.option()) {
    const auto* option = std::ranges::find(options_of_tables, *name, &TableOption::name);
    if (option == std::end(options_of_tables))
      return "there is no option `--" + *name + "`; those of tables are `" + table_options_usage() +
             "`";
    const std::string value = option->value.empty() ? std::string() : arguments.word();
    if (std::optional<std::string> wrong = take_table_option(*option, value, options)) return wrong;
  }
  return std::nullopt;
}

std::string table_options_usage() {
  std::string text;
  for (const TableOption& option : options_of_tables)
    text += (text.empty() ? "[" : " [") + written(option) + "]";
  return text;
}

std::string table_options_help() {
  std::size_t width = 0;
  for (const TableOption& option : options_of_tables)
    width = std::max(width, written(option).size());
  std::string text;
  for (const TableOption& option : options_of_tables) {
    const std::string name = written(option);
    text += "  " + name + std::string(width + 2 - name.size(), ' ') +
            std::string(option.description) + "\n";
  }
  return text;
}

} // namespace sinter::repl
