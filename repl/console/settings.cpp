#include "repl/console/settings.h"

#include "lang/base/diagnostic.h"
#include "lang/values/format.h"
#include "repl/console/console.h"
#include "repl/text/lines.h"
#include "repl/text/quantities.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace sinter::repl {

// ---- words -------------------------------------------------------------------------------------

std::optional<std::size_t> count_of(std::string_view text, std::size_t least) {
  std::size_t count = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || count < least)
    return std::nullopt;
  return count;
}

std::optional<bool> switch_of(std::string_view text) {
  if (text == "on") return true;
  if (text == "off") return false;
  return std::nullopt;
}

std::string switch_text(bool on) {
  return on ? "on" : "off";
}

namespace {

// ---- how programs run --------------------------------------------------------------------------

std::string get_mode(const Console& console) {
  return std::string(jit::name(console.session().options().acceleration.mode));
}
bool set_mode(Console& console, const std::string& value) {
  jit::SwapOptions options = console.session().options().acceleration;
  std::optional<jit::Mode> mode = jit::mode_of(value);
  if (!mode) return false;
  options.mode = *mode;
  console.session().accelerate(options);
  return true;
}

std::string get_debug(const Console& console) {
  return std::string(name(console.session().options().debugging));
}
bool set_debug(Console& console, const std::string& value) {
  const std::optional<Debugging> debugging = debugging_of(value);
  if (debugging) console.session().debug(*debugging);
  return debugging.has_value();
}

std::string get_fp(const Console& console) {
  return std::string(jit::name(console.session().options().acceleration.floats));
}
bool set_fp(Console& console, const std::string& value) {
  jit::SwapOptions options = console.session().options().acceleration;
  const std::optional<jit::FloatMode> floats = jit::float_mode_of(value);
  if (!floats) return false;
  options.floats = *floats;
  console.session().accelerate(options);
  return true;
}

std::string get_threads(const Console& console) {
  unsigned threads = console.session().options().acceleration.threads;
  return threads == 0 ? "all" : std::to_string(threads);
}
bool set_threads(Console& console, const std::string& value) {
  jit::SwapOptions options = console.session().options().acceleration;
  std::optional<std::size_t> threads = value == "all" ? 0 : count_of(value);
  if (!threads || *threads > 1024) return false;
  options.threads = static_cast<unsigned>(*threads);
  console.session().accelerate(options);
  return true;
}

std::string get_timeout(const Console& console) {
  const auto& timeout = console.session().options().timeout;
  return timeout ? duration_text(*timeout) : "off";
}
bool set_timeout(Console& console, const std::string& value) {
  auto duration = parse_duration(value);
  if (!duration && value != "off") return false;
  console.session().set_timeout(duration);
  return true;
}

std::string get_memory(const Console& console) {
  const std::size_t bytes = console.session().options().max_memory_bytes;
  return bytes == SIZE_MAX ? "off" : memory_text(bytes);
}
bool set_memory(Console& console, const std::string& value) {
  std::optional<std::size_t> bytes = value == "off" ? SIZE_MAX : parse_memory(value);
  if (!bytes) return false;
  console.session().set_memory_limit(*bytes);
  return true;
}

// ---- how answers look --------------------------------------------------------------------------

std::string get_color(const Console& console) {
  return switch_text(console.session().options().color);
}
bool set_color(Console& console, const std::string& value) {
  std::optional<bool> on = switch_of(value);
  if (on) console.session().set_color(*on);
  return on.has_value();
}

/// A number among the options of display, at least `least`; "auto": as large as the screen allows.
template <std::size_t DisplayOptions::*member, bool DisplayOptions::*is_fixed>
std::string get_count(const Console& console) {
  const DisplayOptions& display = console.options().display;
  return display.*is_fixed ? std::to_string(display.*member) : "auto";
}
template <std::size_t DisplayOptions::*member, bool DisplayOptions::*is_fixed, std::size_t least>
bool set_count(Console& console, const std::string& value) {
  DisplayOptions& display = console.options().display;
  std::optional<std::size_t> count = count_of(value, least);
  if (!count && value != "auto") return false;
  display.*is_fixed = count.has_value();
  display.*member = count ? *count : DisplayOptions{}.*member;
  return true;
}

std::string get_digits(const Console& console) {
  const std::optional<int>& digits = console.options().display.digits;
  return digits ? std::to_string(*digits) : "auto";
}
bool set_digits(Console& console, const std::string& value) {
  constexpr std::size_t most = 17; // what distinguishes any two floats
  if (value == "auto") return console.options().display.digits.reset(), true;
  std::optional<std::size_t> count = count_of(value, 1);
  if (!count || *count > most) return false;
  console.options().display.digits = static_cast<int>(*count);
  return true;
}

std::string get_numbers(const Console& console) {
  return switch_text(console.options().display.numbers);
}
bool set_numbers(Console& console, const std::string& value) {
  std::optional<bool> on = switch_of(value);
  if (on) console.options().display.numbers = *on;
  return on.has_value();
}

// ---- what is kept ------------------------------------------------------------------------------

std::string get_results(const Console& console) {
  return std::to_string(console.session().options().result_limit);
}
bool set_results(Console& console, const std::string& value) {
  std::optional<std::size_t> count = count_of(value, 1);
  if (count) console.session().set_result_limit(*count);
  return count.has_value();
}

std::string get_watch(const Console& console) {
  return switch_text(console.is_watching());
}
bool set_watch(Console& console, const std::string& value) {
  std::optional<bool> on = switch_of(value);
  if (on) console.watch(*on);
  return on.has_value();
}

constexpr Setting table[] = {
    {"mode", "auto, interp, jit or mixed", "how to evaluate", "auto interp jit mixed", get_mode,
     set_mode},
    {"debug", "off, on, warn or nan", "whether what is assumed of programs is tested",
     "off on warn nan", get_debug, set_debug},
    {"fp", "exact or contract", "whether compiled code may round `a*b + c` once", "exact contract",
     get_fp, set_fp},
    {"threads", "a number or all", "threads that run compiled code", "all", get_threads,
     set_threads},
    {"timeout", "a time such as 500ms or 10s, or off", "when an evaluation is stopped", "off",
     get_timeout, set_timeout},
    {"max-memory", "a size such as 512M or 4G, or off", "most memory that arrays may take", "off",
     get_memory, set_memory},
    {"color", "on or off", "colours", "off on", get_color, set_color},
    {"numbers", "on or off", "whether a result shows its name: `it3 = i32: 5`", "off on",
     get_numbers, set_numbers},
    {"results", "a number", "results that are kept under a name (`it3`)", "", get_results,
     set_results},
    {"watch", "on or off", "whether the loaded file is loaded again when it has changed", "off on",
     get_watch, set_watch},
    {"width", "a number from 20 or auto", "columns that a result may take", "auto",
     get_count<&DisplayOptions::width, &DisplayOptions::width_is_fixed>,
     set_count<&DisplayOptions::width, &DisplayOptions::width_is_fixed, 20>},
    {"elements", "a number from 5 or auto", "elements that an array shows before it is elided",
     "auto", get_count<&DisplayOptions::max_elements, &DisplayOptions::max_elements_is_fixed>,
     set_count<&DisplayOptions::max_elements, &DisplayOptions::max_elements_is_fixed, 5>},
    {"rows", "a number from 5 or auto", "rows that a matrix shows", "auto",
     get_count<&DisplayOptions::max_rows, &DisplayOptions::max_rows_is_fixed>,
     set_count<&DisplayOptions::max_rows, &DisplayOptions::max_rows_is_fixed, 5>},
    {"digits", "a number up to 17 or auto", "significant digits of floats", "auto", get_digits,
     set_digits},
};

} // namespace

// ---- the table ---------------------------------------------------------------------------------

const std::vector<Setting>& settings() {
  static const std::vector<Setting> all = [] {
    std::vector<Setting> rows(std::begin(table), std::end(table));
    std::ranges::sort(rows, {}, &Setting::name);
    return rows;
  }();
  return all;
}

const Setting* find_setting(std::string_view name) {
  auto found = std::ranges::find(settings(), name, &Setting::name);
  return found == settings().end() ? nullptr : &*found;
}

std::optional<std::string> change_setting(Console& console, std::string_view name,
                                          const std::string& value) {
  const Setting* setting = find_setting(name);
  if (!setting) {
    std::string message = "no setting is called `" + std::string(name) + "`";
    std::vector<std::string_view> names;
    for (const Setting& row : settings())
      names.push_back(row.name);
    if (auto similar = similar_names(name, names); !similar.empty())
      message += "; did you mean `" + std::string(similar.front()) + "`?";
    else
      message += "; `:set` lists them";
    return message;
  }
  if (setting->set(console, value)) return std::nullopt;
  return "`" + std::string(name) + "` takes " + std::string(setting->values) + ", not `" + value +
         "`";
}

std::vector<std::string> current_settings(const Console& console) {
  std::vector<std::string> values;
  for (const Setting& setting : settings())
    values.push_back(setting.get(console));
  return values;
}

// ---- the file ----------------------------------------------------------------------------------

std::string configuration_path(std::string_view name) {
  std::filesystem::path folder;
  const char* configuration = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  if (configuration && *configuration == '/')
    folder = configuration;
  else if (home && *home)
    folder = std::filesystem::path(home) / ".config";
  else
    return {};
  return (folder / "sinter" / name).string();
}

std::optional<std::string> save_settings(const Console& console, const std::string& path,
                                         const std::vector<std::string>& initial) {
  const std::vector<std::string> current = current_settings(console);
  std::string text = "# Settings of Sinter's prompt, written by `:set --save`.\n";
  for (std::size_t i = 0; i < current.size(); ++i)
    if (i >= initial.size() || current[i] != initial[i])
      text += std::string(settings()[i].name) + " " + current[i] + "\n";
  std::error_code error;
  std::filesystem::create_directories(std::filesystem::path(path).parent_path(), error);
  try {
    write_file_bytes(path, text);
  } catch (const FormatError& wrong) {
    return wrong.message;
  }
  return std::nullopt;
}

std::string read_settings(Console& console, const std::string& path,
                          std::span<const std::string> except) {
  std::ifstream file(path);
  std::string messages, line;
  for (int number = 1; std::getline(file, line); ++number) {
    line = std::string(without_blanks(line));
    if (line.empty() || line.starts_with('#')) continue;
    std::size_t space = std::min(line.find_first_of(" \t"), line.size());
    std::string name = line.substr(0, space);
    if (std::ranges::find(except, name) != except.end()) continue;
    if (auto wrong = change_setting(
            console, name, std::string(without_blanks(std::string_view(line).substr(space)))))
      messages += path + ":" + std::to_string(number) + ": warning: " + *wrong + "\n";
  }
  return messages;
}

} // namespace sinter::repl
