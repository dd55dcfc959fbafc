// The prelude's bodies and the intrinsics' types, which are otherwise looked at only when needed.
#include "lang/check/builtins.h"
#include "lang/check/checker.h"
#include "lang/check/types/inference.h"
#include "lang/primitives/primitives.h"

#include <doctest/doctest.h>

using namespace sinter;

namespace {

void check_bodies(check::Checker& checker, const std::vector<syntax::Declaration*>& declarations);

void check_bodies(check::Checker& checker, const syntax::ModuleExpr& module) {
  if (const auto* body = std::get_if<syntax::ModuleBody>(&module.node))
    check_bodies(checker, body->declarations);
  else if (const auto* ascribed = std::get_if<syntax::ModuleAscribe>(&module.node))
    check_bodies(checker, *ascribed->body);
  else if (const auto* inner = std::get_if<syntax::ModuleParenthesized>(&module.node))
    check_bodies(checker, *inner->inner);
  else if (const auto* import = std::get_if<syntax::ModuleImport>(&module.node))
    if (import->file) check_bodies(checker, import->file->syntax.declarations);
}

void check_bodies(check::Checker& checker, const std::vector<syntax::Declaration*>& declarations) {
  for (const syntax::Declaration* declaration : declarations) {
    const syntax::Declaration* inner = declaration;
    while (const auto* local = std::get_if<syntax::LocalDeclaration>(&inner->node))
      inner = local->inner;
    if (const auto* value = std::get_if<syntax::ValueDeclaration>(&inner->node)) {
      checker.ensure_body_checked(*value);
      INFO(value->name);
      CHECK(value->body->type != nullptr);
    } else if (const auto* module = std::get_if<syntax::ModuleDeclaration>(&inner->node)) {
      checker.ensure_checked(*module);
      check_bodies(checker, *module->body);
    } else if (const auto* open = std::get_if<syntax::OpenDeclaration>(&inner->node)) {
      check_bodies(checker, *open->module);
    } else if (const auto* import = std::get_if<syntax::ImportDeclaration>(&inner->node)) {
      if (import->file) check_bodies(checker, import->file->syntax.declarations);
    }
  }
}

} // namespace

TEST_CASE("all bodies of the prelude check") {
  SourceMap sources;
  check::Checker checker(sources);
  check_bodies(checker, checker.prelude().syntax.declarations);
  CHECK(render(sources, checker.prelude_diagnostics()) == "");
}

TEST_CASE("all intrinsics have a readable type") {
  SourceMap sources;
  syntax::Ast ast;
  types::TypeArena arena;
  Diagnostics diagnostics;
  check::Context context{sources, ast, arena, &diagnostics};
  check::Environment environment = check::builtin_environment(context);
  for (const auto& [name, variable] : context.intrinsics->environment()->values) {
    if (variable->kind != types::Variable::Kind::Intrinsic) continue;
    CHECK_NOTHROW(check::load_intrinsic(context, *variable));
    CHECK(types::print(variable->scheme) != "");
  }
}
