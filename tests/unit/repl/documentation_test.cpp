// The examples of the prelude's and the library's documentation are true.
#include "lang/library/library.h"
#include "lang/prelude/prelude.h"
#include "repl/display/display.h"
#include "repl/session/introspection.h"
#include "repl/session/session.h"

#include <doctest/doctest.h>

#include <optional>
#include <set>

using namespace sinter;
using namespace sinter::repl;

namespace {

/// "`E` is `V`": all of them in a comment.
std::vector<std::pair<std::string, std::string>> examples_in(std::string text) {
  std::vector<std::pair<std::string, std::string>> found;
  std::string words; // without the comment's dashes
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.find('\n', at), text.size());
    std::string line = text.substr(at, end - at);
    at = end + 1;
    std::size_t begin = line.find_first_not_of(" \t");
    if (begin == std::string::npos || line.compare(begin, 2, "--") != 0)
      words += '\n';
    else
      words += line.substr(begin + 2) + " ";
  }
  for (std::size_t at = 0; (at = words.find("` is ", at)) != std::string::npos; ++at) {
    std::size_t value = words.find_first_not_of(' ', at + 5);
    if (value == std::string::npos || words[value] != '`' || at == 0) continue;
    std::size_t open = words.rfind('`', at - 1), close = words.find('`', value + 1);
    found.emplace_back(words.substr(open + 1, at - open - 1),
                       words.substr(value + 1, close - value - 1));
  }
  return found;
}

std::string shown(const Outcome& outcome) {
  REQUIRE(outcome.messages == "");
  return display(outcome.value, outcome.representation);
}

/// Whether an example's two sides are equal; null where derivatives are needed, so far.
std::optional<bool> is_true(Session& session, const std::string& expression,
                            const std::string& value) {
  Outcome outcome = session.submit("(" + expression + ") == (" + value + ")");
  if (outcome.failure == FailureKind::Unsupported) return std::nullopt;
  if (outcome.kind == Outcome::Kind::CheckFailed) // sizes such as `3 - 1`, that are not `2`
    return shown(session.submit(expression)) == shown(session.submit(value));
  REQUIRE(outcome.messages == "");
  return outcome.value.scalar().as<bool>();
}

} // namespace

TEST_CASE("the examples of the prelude are true") {
  Session session;
  int true_ones = 0;
  for (const prelude::File& file : prelude::files())
    for (const auto& [expression, value] : examples_in(std::string(file.text))) {
      CAPTURE(expression);
      // Those with names that stand for something are for readers alone.
      if (!session.type_of(expression).ok()) continue;
      std::optional<bool> answer = is_true(session, expression, value);
      if (!answer) continue;
      CHECK(*answer);
      ++true_ones;
    }
  CHECK(true_ones >= 50);
}

TEST_CASE("every name of the library has an example, and it is true") {
  for (const library::File& file : library::files()) {
    Session session;
    REQUIRE(session.submit("import \"sinter/" + std::string(file.name) + "\"").messages == "");
    std::vector<std::string> names; // before anything is evaluated, which renews the scope
    const auto is_of_library = [&](const auto& variable) {
      return variable->span.is_known() &&
             session.sources().name(variable->span.file).starts_with("sinter/");
    };
    for (const auto& [name, variable] : session.environment().values)
      if (is_of_library(variable)) names.emplace_back(name);
    for (const auto& [module, meaning] : session.environment().modules)
      if (const check::Environment* members = meaning->environment())
        for (const auto& [member, variable] : members->values)
          if (is_of_library(variable))
            names.push_back(std::string(module) + "." + std::string(member));
    std::set<std::string> known; // what is documented in a parametric module is so for several
    for (const std::string& name : names) {
      CAPTURE(name);
      std::optional<ValueDescription> found = describe_value(session, name);
      REQUIRE(found);
      REQUIRE_FALSE(example_in(found->documentation).empty());
      if (!known.insert(found->documentation).second) continue;
      std::string comment;
      for (char c : "\n" + found->documentation)
        comment += c == '\n' ? std::string("\n-- ") : std::string(1, c);
      for (const auto& [expression, value] : examples_in(comment)) {
        CAPTURE(expression);
        CHECK(is_true(session, expression, value) == true);
      }
    }
    CHECK(known.size() >= 3);
  }
}

TEST_CASE("well-known functions have an example") {
  Session session;
  for (const char* name : {"map", "reduce", "scan", "filter", "zip", "iota", "replicate", "scatter",
                           "reverse", "i32.max", "f32.sum", "|>"}) {
    CAPTURE(name);
    auto found = describe_value(session, name);
    REQUIRE(found);
    CHECK_FALSE(example_in(found->documentation).empty());
  }
}

TEST_CASE("an example is what is said to be something") {
  CHECK(example_in("Adds: `1 + 1`\nis `2`.") == "1 + 1");
  CHECK(example_in("The `x` of `f x` is `y`.") == "f x");
  CHECK(example_in("No `example` here, `x` is it.") == "");
}
