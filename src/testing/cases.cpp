#include "src/testing/cases.h"

#include "repl/data/value_source.h"
#include "repl/scripts/futhark_script.h"
#include "src/command.h"

#include <algorithm>
#include <regex>

namespace sinter::testing {

namespace {

bool contains(const std::vector<std::string>& list, const std::string& word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

bool intersects(const std::vector<std::string>& a, const std::vector<std::string>& b) {
  return std::any_of(a.begin(), a.end(),
                     [&](const std::string& word) { return contains(b, word); });
}

const Representation* representation_of(repl::Session& session, const ExternalValue& value) {
  const Representation* scalar = session.representations().scalar(value.element);
  auto rank = static_cast<std::uint32_t>(value.shape.size());
  return rank == 0 ? scalar : session.representations().array(rank, scalar);
}

std::unique_ptr<repl::ValueSource> opened(repl::Session& session, const DataSource& source) {
  if (source.kind == DataSource::Kind::File)
    return std::make_unique<repl::ValueSource>(
        repl::path_beside(session.loaded()->path, source.text), source.options, session.memory(),
        session.representations());
  return std::make_unique<repl::ValueSource>(source.text, session.memory(),
                                             session.representations());
}

/// Values for the parameters of an entry point, typed by them where the notation leaves it open.
std::vector<Value> typed_values(const core::EntryPoint& entry, repl::ValueSource& source) {
  std::vector<Value> values;
  for (const core::EntryType& parameter : entry.parameters) {
    if (!parameter.is_transparent)
      throw FormatError("a parameter of type `" + parameter.text + "` cannot be read");
    const Representation* type = parameter.representation;
    bool is_array = type->is_array();
    ElementType element = is_array ? type->array().element->scalar() : type->scalar();
    values.push_back(source.read(element, is_array ? type->array().rank : 0).value);
  }
  if (!source.at_end())
    throw FormatError("the input has more than " + std::to_string(values.size()) + " values");
  return values;
}

/// The values as arguments, if their number and types are right.
std::vector<Value> matched(const core::EntryPoint& entry, std::vector<TypedValue> given) {
  if (given.size() != entry.parameters.size())
    throw FormatError("`" + entry.name + "` takes " + std::to_string(entry.parameters.size()) +
                      " values, the input has " + std::to_string(given.size()));
  std::vector<Value> values;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i].representation != entry.parameters[i].representation)
      throw FormatError("value " + std::to_string(i + 1) + " of the input should have type " +
                        entry.parameters[i].text + ", but has " + print(given[i].representation));
    values.push_back(std::move(given[i].value));
  }
  return values;
}

std::vector<Value> script_values(repl::Session& session, const core::EntryPoint& entry,
                                 const std::string& text) {
  repl::ScriptValue result = repl::evaluate_futhark_script(session, *session.loaded(), text);
  if (entry.parameters.size() == 1 && result.representation == entry.parameters[0].representation)
    return {std::move(result.value)};
  std::vector<TypedValue> parts;
  const auto* record = std::get_if<RecordRepresentation>(&result.representation->node);
  if (record && entry.parameters.size() != 1)
    for (std::size_t i = 0; i < record->fields.size(); ++i)
      parts.push_back({result.value.fields()[i], record->fields[i].type});
  else
    parts.push_back({std::move(result.value), result.representation});
  return matched(entry, std::move(parts));
}

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u; // FNV-1a: the same on every machine
  for (char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

} // namespace

std::vector<CaseId> list_cases(const std::string& path, const TestProgram& program,
                               const Selection& selection) {
  std::vector<CaseId> ids;
  auto wanted = [&](const CaseId& id, const std::vector<std::string>& case_tags) {
    std::vector<std::string> all = program.tags;
    all.insert(all.end(), case_tags.begin(), case_tags.end());
    return !intersects(all, selection.excluded) &&
           (selection.tags.empty() || intersects(all, selection.tags)) &&
           id.name.find(selection.filter) != std::string::npos;
  };
  auto add = [&](CaseId id, const std::vector<std::string>& tags) {
    if (wanted(id, tags)) ids.push_back(std::move(id));
  };
  if (program.must_be_rejected) {
    add({CaseId::Kind::Rejected, "", 0, path + ":rejected"}, {});
    return ids;
  }
  if (program.cases.empty() && program.properties.empty())
    add({CaseId::Kind::Accepted, "", 0, path + ":accepted"}, {});
  for (std::size_t i = 0; i < program.cases.size(); ++i)
    for (const std::string& entry : program.cases[i].entries)
      add({CaseId::Kind::Run, entry, i, path + ":" + entry + ":" + program.cases[i].name},
          program.cases[i].tags);
  for (const std::string& property : program.properties)
    add({CaseId::Kind::Property, property, 0, path + ":" + property + ":property"}, {});
  return ids;
}

std::vector<Value> case_arguments(repl::Session& session, const core::EntryPoint& entry,
                                  const TestCase& test) {
  switch (test.input.kind) {
  case DataSource::Kind::None:
    return {};
  case DataSource::Kind::Text:
  case DataSource::Kind::File:
    return typed_values(entry, *opened(session, test.input));
  case DataSource::Kind::Random: {
    Random random(hash_of(test.input.text));
    return matched(entry, random_values(session, test.input.text, random));
  }
  case DataSource::Kind::Script:
    return script_values(session, entry, test.input.text);
  case DataSource::Kind::ScriptFile:
    return script_values(
        session, entry,
        read_file_bytes(repl::path_beside(session.loaded()->path, test.input.text)));
  }
  __builtin_unreachable();
}

bool message_matches(const std::string& expression, const std::string& message) {
  if (expression.empty()) return true;
  std::string flat;
  for (char c : message)
    flat += c == '\n' ? ' ' : c;
  // The library's matcher recurses for each character; longer messages say nothing new.
  constexpr std::size_t longest = 4000;
  try {
    std::regex regex(expression, std::regex::ECMAScript);
    return std::regex_search(message.substr(0, longest), regex) ||
           std::regex_search(flat.substr(0, longest), regex);
  } catch (const std::regex_error&) {
    return message.find(expression) != std::string::npos ||
           flat.find(expression) != std::string::npos;
  }
}

// ---- judging
// -------------------------------------------------------------------------------------

ProgramRunner::ProgramRunner(std::string path, const TestProgram& program,
                             repl::SessionOptions options)
    : path_(std::move(path)), program_(program), session_(std::move(options)),
      checked_(session_.load(path_)) {}

CaseResult ProgramRunner::run(const CaseId& id) {
  auto start = std::chrono::steady_clock::now();
  CaseResult result;
  try {
    result.message = judge(id);
  } catch (const FormatError& error) {
    result.message = error.message;
  } catch (const UsageError& error) {
    result.message = error.message;
  } catch (const RuntimeError& error) {
    result.message = render(session_.sources(), error, false);
  }
  result.passed = result.message.empty();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

/// Nothing if the case passes, else why it does not.
std::string ProgramRunner::judge(const CaseId& id) {
  if (!program_.problems.empty()) return "test block: " + program_.problems.front();
  if (id.kind == CaseId::Kind::Rejected) {
    if (checked_.ok()) return "the program was accepted, but should be rejected";
    for (const std::string& expression : program_.type_errors)
      if (!message_matches(expression, checked_.messages))
        return "the messages do not match `" + expression + "`:\n" + checked_.messages;
    return {};
  }
  if (!checked_.ok()) return "the program was rejected:\n" + checked_.messages;
  switch (id.kind) {
  case CaseId::Kind::Accepted:
    return judge_warnings();
  case CaseId::Kind::Run:
    return judge_run(id.entry, program_.cases[id.test]);
  case CaseId::Kind::Property:
    return judge_property(id.entry);
  case CaseId::Kind::Rejected:
    break;
  }
  __builtin_unreachable();
}

std::string ProgramRunner::judge_warnings() const {
  for (const std::string& expression : program_.warnings)
    if (!message_matches(expression, checked_.messages))
      return "the warnings do not match `" + expression + "`:\n" + checked_.messages;
  return {};
}

std::string ProgramRunner::judge_run(const std::string& name, const TestCase& test) {
  core::EntryPoint entry = find_entry(session_, *session_.loaded(), name);
  repl::Outcome outcome = session_.guarded([&] {
    const auto arguments = [&] { return case_arguments(session_, entry, test); };
    return session_.evaluator().call(*entry.function, arguments(), arguments);
  });
  if (test.expected.kind == Expectation::Kind::Error) {
    if (outcome.ok()) return "it succeeded, but should fail";
    if (outcome.failure == FailureKind::TimedOut) return outcome.messages;
    if (!message_matches(test.expected.error, outcome.messages))
      return "the message does not match `" + test.expected.error + "`:\n" + outcome.messages;
    return {};
  }
  if (!outcome.ok()) return outcome.messages;
  if (test.expected.kind != Expectation::Kind::Values) return {};

  std::vector<TypedValue> expected, found;
  const std::unique_ptr<repl::ValueSource> source = opened(session_, test.expected.values);
  std::vector<Value> results = spread_results(entry, std::move(outcome.value));
  for (std::size_t i = 0; i < results.size(); ++i)
    found.push_back({std::move(results[i]), entry.results[i].representation});
  while (!source->at_end()) {
    // A table's columns are of the types that the results have, if they can be.
    const std::size_t i = expected.size();
    const Representation* type =
        source->is_table() && i < found.size() ? found[i].representation : nullptr;
    ExternalValue value =
        source->read(type && type->is_array() && type->array().element->is_scalar()
                         ? std::optional(type->array().element->scalar())
                         : std::nullopt);
    const Representation* representation = representation_of(session_, value);
    expected.push_back({std::move(value.value), representation});
  }
  return difference(expected, found).value_or("");
}

// ---- properties
// ----------------------------------------------------------------------------------

namespace {

/// `#[prop(gen(f), shrink(g), size(n))]`
struct PropertyOptions {
  std::string generator, shrinker;
  std::int64_t size = 50; ///< of candidates
};

PropertyOptions property_options(const check::CheckedFile& file, const std::string& name) {
  PropertyOptions options;
  for (const syntax::Declaration* declaration : file.syntax.declarations) {
    const auto* value = std::get_if<syntax::ValueDeclaration>(&declaration->node);
    if (!value || value->name != name) continue;
    for (const syntax::Attribute& attribute : declaration->attributes) {
      if (attribute.name != "prop") continue;
      for (const syntax::Attribute& option : attribute.arguments) {
        if (option.arguments.empty()) continue;
        const syntax::Attribute& argument = option.arguments.front();
        if (option.name == "gen") options.generator = argument.name;
        if (option.name == "shrink") options.shrinker = argument.name;
        if (option.name == "size") options.size = argument.number.value_or(options.size);
      }
    }
  }
  return options;
}

constexpr int candidates_of_a_property = 100;
constexpr int shrink_attempts = 200;

} // namespace

std::string ProgramRunner::judge_property(const std::string& name) {
  core::EntryPoint property = find_entry(session_, *session_.loaded(), name);
  if (property.parameters.size() != 1 || property.results.size() != 1 ||
      property.results[0].text != "bool")
    return "a property has one parameter and a `bool` result";
  PropertyOptions options = property_options(*session_.loaded(), name);
  const Representation* type = property.parameters[0].representation;
  std::optional<core::EntryPoint> generator, shrinker;
  if (!options.generator.empty())
    generator = find_entry(session_, *session_.loaded(), options.generator);
  if (!options.shrinker.empty())
    shrinker = find_entry(session_, *session_.loaded(), options.shrinker);

  auto number = [](std::uint64_t bits) { return Value(Scalar{bits}); };
  auto generate = [&](std::int64_t size, std::uint64_t seed) {
    if (generator)
      return session_.evaluator().call(*generator->function,
                                       {number(static_cast<std::uint64_t>(size)), number(seed)});
    Random random(seed);
    return random_value(session_, type, size, size, random);
  };
  std::string counterexample;
  auto holds = [&](const Value& candidate) {
    const std::vector<Value> arguments = {candidate};
    return session_.evaluator().call(*property.function, arguments).scalar().bits != 0;
  };
  // A property need not be defined for candidates of other sizes than it asks for.
  auto is_refuted_by = [&](const Value& candidate) {
    try {
      return !holds(candidate);
    } catch (const RuntimeError& error) {
      if (error.kind != FailureKind::Program) throw;
      return false;
    }
  };
  repl::Outcome outcome = session_.guarded([&] {
    Random seeds(hash_of(path_ + name));
    for (int i = 0; i < candidates_of_a_property; ++i) {
      std::uint64_t seed = seeds.next();
      Value candidate = generate(options.size, seed);
      if (holds(candidate)) continue;
      // Smaller ones that fail too: the program's own way, or the same seed with a smaller size.
      for (int attempt = 0; shrinker && attempt < shrink_attempts; ++attempt) {
        Value smaller =
            session_.evaluator().call(*shrinker->function, {candidate, number(seeds.next())});
        if (is_refuted_by(smaller)) candidate = std::move(smaller);
      }
      for (std::int64_t smaller = 0; !shrinker && smaller < options.size; ++smaller)
        if (Value shrunk = generate(smaller, seed); is_refuted_by(shrunk)) {
          candidate = std::move(shrunk);
          break;
        }
      counterexample = print_value(candidate, type);
      break;
    }
    return Value::unit();
  });
  if (!outcome.ok()) return outcome.messages;
  return counterexample.empty() ? "" : "false for " + counterexample;
}

} // namespace sinter::testing
