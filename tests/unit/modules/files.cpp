// Files, imports, prompts and the prelude.

#include "checking.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

using namespace sinter;
namespace fs = std::filesystem;

namespace {

struct Session {
  SourceMap sources;
  check::Checker checker{sources};
  Diagnostics diagnostics;

  const check::CheckedFile* check(const std::string& path) {
    diagnostics = {};
    return checker.check_file(path, diagnostics);
  }
  std::string messages() const {
    std::string all;
    for (const Diagnostic& diagnostic : diagnostics.all())
      all += (all.empty() ? "" : "\n") + diagnostic.message;
    return all;
  }
  /// Checks declarations at a prompt.
  bool declare(check::Checker::PromptScope& scope, const std::string& text) {
    diagnostics = {};
    FileId file = sources.add("<prompt>", text);
    syntax::PromptInput input = syntax::parse_prompt(sources, file, checker.ast(), diagnostics);
    REQUIRE(!diagnostics.has_errors());
    return checker.check_declarations(scope, input.declarations, diagnostics);
  }
  /// The type of an expression at a prompt; the messages if it has none.
  std::string type_of(check::Checker::PromptScope& scope, const std::string& text) {
    diagnostics = {};
    FileId file = sources.add("<prompt>", text);
    syntax::PromptInput input = syntax::parse_prompt(sources, file, checker.ast(), diagnostics);
    REQUIRE(input.expression != nullptr);
    if (!checker.check_expression(scope, *input.expression, diagnostics)) return messages();
    return types::print(input.expression->type);
  }
};

} // namespace

TEST_CASE("imports are relative to the importing file and bring names for its use only") {
  const tests::TemporaryFolder folder;
  folder.write("lib/deep/b.fut", "def b = 2i32\n");
  folder.write("lib/a.fut", "import \"deep/b\"\ndef a = b + 1\nlocal def hidden = 1i32\n");
  folder.write("c.fut", "def c = 3i32\n");
  folder.write("lib/d.fut", "import \"../c\"\nopen import \"deep/b\"\ndef d = c\n");
  std::string main = folder.write("main.fut", "import \"lib/a\"\nmodule d = import \"lib/d\"\n"
                                              "def x = a + d.d + d.b\n");
  Session session;
  const check::CheckedFile* file = session.check(main);
  CHECK(session.messages() == "");
  REQUIRE(file);
  CHECK(!file->module->environment()->values.contains("a"));
  CHECK(file->scope.values.contains("a"));
  CHECK(file->scope.values.contains("map"));
  CHECK(!file->scope.values.contains("hidden"));

  CHECK(!session.check(folder.write("bad.fut", "import \"lib/a\"\ndef x = b\n")));
  CHECK(session.messages() == "Unknown name \"b\"");
  CHECK(!session.check(folder.write("bad2.fut", "module d = import \"lib/d\"\ndef x = d.c\n")));
  CHECK(session.messages() == "Unknown name \"d.c\": module \"d\" does not define it");
}

TEST_CASE("the same file by two paths is one module") {
  const tests::TemporaryFolder folder;
  folder.write("sub/t.fut", "module m : { type t val x: t val f: t -> i32 } = "
                            "{ type t = i32 def x : t = 1 def f (y: t) = y }\n");
  folder.write("sub/a.fut", "import \"t\"\ndef a = m.x\n");
  folder.write("b.fut", "module t = import \"sub/../sub/t\"\ndef b = t.m.f\n");
  std::string main = folder.write("main.fut", "import \"sub/a\"\nimport \"b\"\ndef x = b a\n");
  Session session;
  CHECK(session.check(main));
  CHECK(session.messages() == "");
}

TEST_CASE("imports that cannot be had") {
  const tests::TemporaryFolder folder;
  Session session;
  CHECK(!session.check(folder.write("a.fut", "import \"nowhere\"\ndef x = anything\n")));
  CHECK(session.messages() ==
        "cannot read `" + folder.file("nowhere.fut") + "`: No such file or directory");
  CHECK(!session.check(folder.file("missing.fut")));
  CHECK(session.messages() ==
        "cannot read `" + folder.file("missing.fut") + "`: No such file or directory");
  folder.write("p.fut", "import \"q\"\n");
  CHECK(!session.check(folder.write("q.fut", "import \"p\"\n")));
  CHECK(session.messages() == "`q` is imported by its own imports");

  folder.write("broken.fut", "def x = unknown_thing\n");
  folder.write("uses.fut", "import \"broken\"\n");
  CHECK(
      !session.check(folder.write("both.fut", "import \"broken\"\nimport \"uses\"\ndef y = x\n")));
  CHECK(session.messages().starts_with("Unknown name \"unknown_thing\""));
}

TEST_CASE("a chain of imports may be longer than one stack takes") {
  const tests::TemporaryFolder folder;
  constexpr int count = 5000;
  folder.write("f0.fut", "def v = 0i64\n");
  for (int i = 1; i <= count; ++i)
    folder.write("f" + std::to_string(i) + ".fut", "module before = import \"f" +
                                                       std::to_string(i - 1) +
                                                       "\"\ndef v = before.v + 1\n");
  const std::string last = folder.file("f" + std::to_string(count) + ".fut");
  Session session;
  const check::CheckedFile* first = session.check(last);
  REQUIRE_MESSAGE(first, session.messages());
  CHECK(session.check(last) == first);
  folder.write("f0.fut", "def v = 1i64\n");
  const check::CheckedFile* second = session.check(last);
  REQUIRE_MESSAGE(second, session.messages());
  CHECK(second != first);
  folder.write("f0.fut", "def v = true\n"); // an error that all files in between pass on
  CHECK_FALSE(session.check(last));
}

TEST_CASE("the library is there wherever a program is") {
  const tests::TemporaryFolder folder;
  folder.write("deep/a.fut", "module s = import \"sinter/sort\"\n"
                             "def a = s.sort_i32.sort [2, 1]\n");
  Session session;
  const std::string main =
      folder.write("main.fut", "import \"sinter/sort\"\nimport \"deep/a\"\n"
                               "def x = sort.by (<=) (sort_i32.sort [2, 1] ++ a)\n");
  CHECK(session.check(main));
  CHECK(session.messages() == "");
  auto scope = session.checker.new_prompt_scope();
  CHECK(session.declare(*scope, "import \"sinter/random\"")); // which imports another of it
  CHECK(session.type_of(*scope, "random.seed 1") == "(u64, u64)");

  CHECK(!session.check(folder.write("bad.fut", "import \"sinter/nothing\"\n")));
  CHECK(session.messages().starts_with("cannot read `sinter/nothing`: there is no such file, and "
                                       "the library has `sinter/"));
  CHECK(session.messages().ends_with("`sinter/stream`"));
  folder.write("sinter/sort.fut", "def mine = true\n");
  CHECK(session.check(folder.write("own.fut", "import \"sinter/sort\"\ndef x = mine\n")));
  // What had the library's goes on with it until it is changed.
  CHECK(session.check(main));
}

TEST_CASE("a file is checked again when it or an import has changed") {
  const tests::TemporaryFolder folder;
  folder.write("a.fut", "def a = 1i32\n");
  std::string main = folder.write("main.fut", "import \"a\"\ndef x = a\n");
  Session session;
  const check::CheckedFile* first = session.check(main);
  REQUIRE(first);
  CHECK(session.check(main) == first);
  folder.write("a.fut", "def a = true\n");
  const check::CheckedFile* second = session.check(main);
  REQUIRE(second);
  CHECK(second != first);
  CHECK(types::print(second->module->environment()->values.at("x")->scheme) == "bool");
  CHECK(types::print(first->module->environment()->values.at("x")->scheme) == "i32");
  folder.write("a.fut", "def b = true\n");
  CHECK(!session.check(main));
  folder.write("a.fut", "def a = 1f32\n");
  CHECK(session.check(main));
}

TEST_CASE("a prompt's scope grows by what is right") {
  Session session;
  auto scope = session.checker.new_prompt_scope();
  CHECK(session.declare(*scope, "def x = 1i32"));
  CHECK(session.type_of(*scope, "x + 1") == "i32");
  CHECK(!session.declare(*scope, "def x = true def y = unknown_thing"));
  CHECK(session.type_of(*scope, "x") == "i32");
  CHECK(session.declare(*scope, "def x = true"));
  CHECK(session.type_of(*scope, "x") == "bool");
  CHECK(session.declare(*scope, "module m = { type t = i32 def v = 2i64 }"));
  CHECK(session.declare(*scope, "open m"));
  CHECK(session.type_of(*scope, "(v, x)") == "(i64, bool)");
  CHECK(session.checker.history(*scope).size() == 4);
  CHECK(session.checker.environment(*scope).values.contains("v"));
  CHECK(session.checker.environment(*scope).values.contains("map"));
}

TEST_CASE("a prompt stands at the end of an opened file") {
  const tests::TemporaryFolder folder;
  folder.write("a.fut", "def imported = 1i32\n");
  std::string main =
      folder.write("main.fut", "import \"a\"\nlocal def hidden = true\ndef x = 2i64\n");
  Session session;
  const check::CheckedFile* file = session.check(main);
  REQUIRE(file);
  auto scope = session.checker.new_prompt_scope();
  session.checker.open_file(*scope, *file);
  CHECK(session.type_of(*scope, "(imported, hidden, x)") == "(i32, bool, i64)");
}

TEST_CASE("the prelude is checked by need, and has no errors") {
  Session session;
  CHECK(session.checker.prelude_diagnostics().all().empty());
  const check::Environment& names = *session.checker.prelude().module->environment();
  REQUIRE(names.modules.contains("f64"));
  CHECK(!names.modules.at("f64")->is_checked());
  CHECK(!names.modules.at("u8")->is_checked());
  auto scope = session.checker.new_prompt_scope();
  CHECK(session.type_of(*scope, "f64.sqrt 2") == "f64");
  CHECK(names.modules.at("f64")->is_checked());
  CHECK(!names.modules.at("u8")->is_checked());
  for (const auto& [name, module] : names.modules)
    module->shape();
  for (const auto& [name, type] : names.module_types)
    type->module();
  for (const auto& [name, value] : names.values)
    if (value->declaration) session.checker.ensure_body_checked(*value->declaration);
  for (const Diagnostic& diagnostic : session.checker.prelude_diagnostics().all())
    MESSAGE(render(session.sources, diagnostic));
  CHECK(session.checker.prelude_diagnostics().all().empty());
}
