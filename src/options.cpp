#include "src/options.h"

#include <CLI/CLI.hpp>

namespace sinter {

Option& Option::required() {
  option_.required();
  return *this;
}
Option& Option::value_name(const std::string& name) {
  option_.type_name(name);
  return *this;
}
Option& Option::show_default() {
  option_.capture_default_str();
  return *this;
}
Option& Option::one_of(const std::vector<std::string>& values) {
  option_.check(CLI::IsMember(values));
  return *this;
}
Option& Option::one_value_each() {
  option_.allow_extra_args(false);
  return *this;
}
template <class T>
Option Options::add_option(const std::string& names, T& target, const std::string& description) {
  return Option(*app_.add_option(names, target, description));
}
template Option Options::add_option(const std::string&, std::string&, const std::string&);
template Option Options::add_option(const std::string&, std::vector<std::string>&,
                                    const std::string&);
template Option Options::add_option(const std::string&, unsigned&, const std::string&);
template Option Options::add_option(const std::string&, std::int64_t&, const std::string&);
template Option Options::add_option(const std::string&, std::uint64_t&, const std::string&);
template Option Options::add_option(const std::string&, double&, const std::string&);

Option Options::add_option_with_usual_value(const std::string& name, const std::string& value,
                                            unsigned& target, const std::string& description) {
  return Option(*app_.add_flag(name + "{" + value + "}", target, description));
}

Option Options::add_option_with_usual_value(const std::string& name, const std::string& value,
                                            std::string& target, const std::string& description) {
  return Option(*app_.add_flag(name + "{" + value + "}", target, description));
}

Option Options::add_flag(const std::string& names, bool& target, const std::string& description) {
  return Option(*app_.add_flag(names, target, description));
}

void Options::remove(const std::string& name) {
  app_.remove_option(app_.get_option(name));
}

bool Options::is_given(const std::string& name) const {
  const CLI::Option* option = app_.get_option_no_throw(name);
  return option && option->count() > 0;
}

void Options::footer(const std::string& text) {
  app_.footer(text);
}

} // namespace sinter
