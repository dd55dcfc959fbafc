#include "repl/data/read_options.h"

#include "lang/base/element_type.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

namespace sinter::repl {

namespace {

constexpr ReadOption all_options[] = {
    {"delimiter", "C", "between cells: a sign, `tab`, `space` or `none`"},
    {"decimal", "C", "in numbers: `.` or `,`"},
    {"skip", "N", "lines before the table"},
    {"header", "", "the first line has the columns' names"},
    {"no-header", "", "the first line is a row"},
    {"na", "TEXT", "the cell that stands for a missing number"},
    {"type", "COLUMN=TYPE", "of a column that is not what it seems"},
    {"raw", "TYPE", "the bytes of elements alone, of that type, such as f32", false},
    {"shape", "N,M", "of each element, where that is an array", false},
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

std::optional<std::string> take_element(const std::string& value, RawElements& raw) {
  raw.element = element_type_named(value);
  if (raw.element) return std::nullopt;
  return "`--raw` is a type of numbers, such as f32, or bool, not `" + value + "`";
}

std::optional<std::string> take_shape(const std::string& value, RawElements& raw) {
  raw.shape.clear();
  const char* at = value.data();
  const char* const end = at + value.size();
  for (;;) {
    std::int64_t extent = 0;
    const auto [stop, error] = std::from_chars(at, end, extent);
    if (error != std::errc{} || extent < 1 || (stop != end && *stop != ','))
      return "`--shape` is such as 28 or 28,28, not `" + value + "`";
    raw.shape.push_back(extent);
    if (stop == end) return std::nullopt;
    at = stop + 1;
  }
}

/// "--delimiter C".
std::string written(const ReadOption& option) {
  return "--" + std::string(option.name) +
         (option.value.empty() ? "" : " " + std::string(option.value));
}

} // namespace

std::span<const ReadOption> read_options() {
  return all_options;
}

std::optional<std::string> take_read_option(const ReadOption& option, const std::string& value,
                                            ReadOptions& options) {
  if (option.name == "raw") return take_element(value, options.raw);
  if (option.name == "shape") return take_shape(value, options.raw);
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

std::optional<std::string> missing_option(const ReadOptions& options) {
  if (options.raw.element || options.raw.shape.empty()) return std::nullopt;
  return "`--shape` is of raw elements, whose type `--raw` tells";
}

std::optional<std::string> take_read_options(Arguments& arguments, ReadOptions& options) {
  while (const std::optional<std::string> name = arguments.option()) {
    const auto* option = std::ranges::find(all_options, *name, &ReadOption::name);
    if (option == std::end(all_options))
      return "there is no option `--" + *name + "`; those of data files are `" +
             read_options_usage() + "`";
    const std::string value = option->value.empty() ? std::string() : arguments.word();
    if (std::optional<std::string> wrong = take_read_option(*option, value, options)) return wrong;
  }
  return missing_option(options);
}

std::string read_options_usage() {
  std::string text;
  for (const ReadOption& option : all_options)
    text += (text.empty() ? "[" : " [") + written(option) + "]";
  return text;
}

std::string read_options_help() {
  std::size_t width = 0;
  for (const ReadOption& option : all_options)
    width = std::max(width, written(option).size());
  std::string text;
  for (const ReadOption& option : all_options) {
    const std::string name = written(option);
    text += "  " + name + std::string(width + 2 - name.size(), ' ') +
            std::string(option.description) + "\n";
  }
  return text;
}

} // namespace sinter::repl
