// The options of a subcommand: a narrow face of CLI11, whose headers are dear to compile; only
// options.cpp and main.cpp see them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace sinter {

/// One option, for what is to be said of it.
class Option {
public:
  explicit Option(CLI::Option& option) : option_(option) {}
  Option& required();
  /// What stands for its value in the help: "FILE".
  Option& value_name(const std::string& name);
  /// The help tells the value that it has so far.
  Option& show_default();
  Option& one_of(const std::vector<std::string>& values);
  /// Repeating the option adds values; without this, words that follow it are values too.
  Option& one_value_each();

private:
  CLI::Option& option_;
};

class Options {
public:
  explicit Options(CLI::App& app) : app_(app) {}

  /// `names` as in "-e,--entry", or "FILE" for what needs no name.  The value is written to
  /// `target` (a number, a string, or strings) when the command line is read; a text that doesn't
  /// fit its type is an error of usage.
  template <class T>
  Option add_option(const std::string& names, T& target, const std::string& description = "");
  /// An option that stands for `value` alone: another is attached to it, as in `--wide=100`, and no
  /// word that follows it is ever taken for one.
  Option add_option_with_usual_value(const std::string& name, const std::string& value,
                                     unsigned& target, const std::string& description);
  /// The same of a text.
  Option add_option_with_usual_value(const std::string& name, const std::string& value,
                                     std::string& target, const std::string& description);
  Option add_flag(const std::string& names, bool& target, const std::string& description);
  /// Options that stay out of this command although they were added with others.
  void remove(const std::string& name);
  /// Whether the command line that was read has the option; no if there is none of that name.
  bool is_given(const std::string& name) const;
  void footer(const std::string& text);

private:
  CLI::App& app_;
};

} // namespace sinter
