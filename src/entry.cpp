// Calling entry points with values from outside.
#include "repl/data/value_source.h"
#include "src/command.h"

#include <algorithm>

namespace sinter {

namespace {

std::string describe(const core::EntryPoint& entry, std::size_t index) {
  const core::EntryType& parameter = entry.parameters[index];
  std::string text = "parameter " + std::to_string(index + 1);
  if (!parameter.name.empty()) text = "parameter `" + parameter.name + "`";
  return text + " of type `" + parameter.text + "`";
}

} // namespace

core::EntryPoint find_entry(repl::Session& session, const check::CheckedFile& file,
                            const std::string& name) {
  std::vector<std::string> names = session.specialiser().entry_points(file);
  if (std::find(names.begin(), names.end(), name) == names.end()) {
    std::string message =
        "no entry point `" + name + "` in " + std::string(session.sources().name(file.syntax.id));
    if (names.empty())
      message += "; it has none (declare one with `entry`)";
    else {
      message += "; it has";
      for (std::size_t i = 0; i < names.size(); ++i)
        message += (i == 0 ? " `" : i + 1 == names.size() ? " and `" : ", `") + names[i] + "`";
    }
    throw UsageError(message);
  }
  return session.specialiser().entry_point(file, name);
}

std::vector<Value> read_arguments(repl::Session& session, const core::EntryPoint& entry,
                                  const InputOptions& inputs) {
  const std::vector<std::string> sources = inputs.files();
  const repl::ReadOptions options = inputs.read_options();
  std::vector<Value> arguments;
  std::size_t next = 0;
  std::optional<repl::ValueSource> source;
  // Moves on to a source with something left; false after the last one.
  auto more = [&] {
    while (!source || source->at_end()) {
      if (next == sources.size()) return false;
      source.emplace(sources[next++], options, session.memory(), session.representations());
    }
    return true;
  };
  auto place = [&] {
    return next > 0 && sources[next - 1] != "-" ? sources[next - 1] + ": " : std::string();
  };
  for (std::size_t i = 0; i < entry.parameters.size(); ++i) {
    const core::EntryType& parameter = entry.parameters[i];
    if (!parameter.is_transparent)
      throw FormatError(describe(entry, i) + " of `" + entry.name +
                        "` is opaque: it cannot be read from outside");
    try {
      if (!more())
        throw FormatError("the input ends after " + std::to_string(i) + " of " +
                          std::to_string(entry.parameters.size()) + " values");
      const Representation* type = parameter.representation;
      bool is_array = type->is_array();
      ElementType element = is_array ? type->array().element->scalar() : type->scalar();
      arguments.push_back(source->read(element, is_array ? type->array().rank : 0).value);
    } catch (const FormatError& error) {
      throw FormatError(place() + describe(entry, i) + " of `" + entry.name +
                        "`: " + error.message);
    }
  }
  // Without parameters the input is not looked at: it may be a terminal.
  if (!entry.parameters.empty() && more())
    throw FormatError(
        place() + "`" + entry.name + "` takes " + std::to_string(entry.parameters.size()) +
        (entry.parameters.size() == 1 ? " value" : " values") + ", but the input has more");
  return arguments;
}

std::vector<Value> spread_results(const core::EntryPoint& entry, Value result) {
  std::vector<Value> results;
  if (entry.results.size() == 1)
    results.push_back(std::move(result));
  else
    for (const Value& field : result.fields())
      results.push_back(field);
  return results;
}

std::vector<Value> with_copies(repl::Session& session, const core::EntryPoint& entry,
                               const std::vector<Value>& arguments) {
  std::vector<Value> out = arguments;
  for (std::size_t i = 0; i < out.size(); ++i)
    if (entry.parameters[i].unique && out[i].is_array())
      out[i] = Value(copy(session.memory(), out[i].array()));
  return out;
}

} // namespace sinter
