#include "repl/completion.h"

#include <cctype>
#include <set>

namespace sinter::repl {

namespace {

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '\'' || c == '.';
}

const check::Environment* members(const check::Environment& names, std::string_view module) {
  auto found = names.modules.find(module);
  return found == names.modules.end() ? nullptr : found->second->environment();
}

void collect(const check::Environment& names, std::string_view qualifier, std::string_view start,
             std::set<std::string>& found) {
  auto add = [&](std::string_view name) {
    bool writable = !name.empty() && name.find('#') == std::string_view::npos &&
                    is_name_character(name.front());
    if (writable && name.starts_with(start))
      found.insert(std::string(qualifier) + std::string(name));
  };
  for (const auto& [name, value] : names.values)
    add(name);
  for (const auto& [name, type] : names.types)
    add(name);
  for (const auto& [name, module] : names.modules)
    add(name);
}

} // namespace

std::string_view last_word(std::string_view line) {
  std::size_t begin = line.size();
  while (begin > 0 && is_name_character(line[begin - 1]))
    --begin;
  return line.substr(begin);
}

std::vector<std::string> names_starting_with(const check::Environment& names,
                                             const check::Environment& outer,
                                             std::string_view prefix) {
  std::set<std::string> found;
  for (const check::Environment* scope : {&names, &outer}) {
    std::size_t at = 0;
    for (std::size_t dot; scope && (dot = prefix.find('.', at)) != std::string_view::npos;
         at = dot + 1)
      scope = members(*scope, prefix.substr(at, dot - at));
    if (!scope) continue;
    collect(*scope, prefix.substr(0, at), prefix.substr(at), found);
    if (at > 0) break; // an inner module hides an outer one of the same name
  }
  return {found.begin(), found.end()};
}

} // namespace sinter::repl
