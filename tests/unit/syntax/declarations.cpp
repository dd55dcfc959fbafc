// Declarations, specifications, modules and module types.
#include "tests/unit/syntax/support.h"

#include <doctest/doctest.h>

using sinter::syntax::test::declarations;
using sinter::syntax::test::specifications;

TEST_CASE("values") {
  CHECK(declarations("def x = 1") == "(def x = 1)");
  CHECK(declarations("def f [n] 'a '~b '^c (x: a) y : t = x") ==
        "(def f [n] 'a '~b '^c (paren (: x a)) y : t = x)");
  CHECK(declarations("entry main (x: i32) : i32 = x") ==
        "(entry main (paren (: x i32)) : i32 = x)");
  CHECK(declarations("let f x = x\nlet g x = f x") == "(let f x = x)\n(let g x = (apply f x))");
  CHECK(declarations("let f x = let y = x in y\nlet g = 2") ==
        "(let f x = (let y x y))\n(let g = 2)");
  CHECK(declarations("def f 1 #a true {x} () = 1") == "(def f 1 (#a) true (record x) (tuple) = 1)");
}

TEST_CASE("operators") {
  CHECK(declarations("def (+) x y = 1") == "(def + x y = 1)");
  CHECK(declarations("def (-) 'a (x: a) y = 1") == "(def - 'a (paren (: x a)) y = 1)");
  CHECK(declarations("def (`f`) x y = 1") == "(def f x y = 1)");
  CHECK(declarations("def x +. y : t = 1") == "(def infix +. x y : t = 1)");
  CHECK(declarations("def x `f` y = 1") == "(def infix f x y = 1)");
  CHECK(declarations("def (a, b) * (c, d) = 1") == "(def infix * (tuple a b) (tuple c d) = 1)");
  CHECK(declarations("def x - 1 = 1") == "(def infix - x 1 = 1)");
  CHECK(declarations("def x < y = 1") == "(def infix < x y = 1)");
}

TEST_CASE("types") {
  CHECK(declarations("type t = i32") == "(type t = i32)");
  CHECK(declarations("type~ t [n] 'a = [n]a") == "(type~ t [n] 'a = ([n] a))");
  CHECK(declarations("type^ t '^a = a -> a") == "(type^ t '^a = (-> a a))");
  CHECK(declarations("type t[n] = [n]i32") == "(type t [n] = ([n] i32))");
}

TEST_CASE("modules") {
  CHECK(declarations("module m = { def x = 1 type t = i32 }") ==
        "(module m = { (def x = 1) (type t = i32) })");
  CHECK(declarations("module m = import \"a/b\"") == "(module m = (import a/b))");
  CHECK(declarations("module f (x: S) (y: T) : R = x.y") == "(module f (x: S) (y: T) : R = x.y)");
  CHECK(declarations("module m = f x {def a = 1} (g y)") ==
        "(module m = (apply (apply (apply f x) { (def a = 1) }) (paren (apply g y))))");
  CHECK(declarations("module m = n : S : T") == "(module m = (: (: n S) T))");
  CHECK(declarations("module f = \\(x: S) -> x") == "(module f = (lambda (x: S) x))");
  CHECK(declarations("module f = \\(x: S): (T with t = u) -> \\(y: S) -> x") ==
        "(module f = (lambda (x: S) : (paren (with T t = u)) (lambda (y: S) x)))");
  // The ascription belongs to the whole lambda.
  CHECK(declarations("module f = \\(x: S) -> x : T") == "(module f = (: (lambda (x: S) x) T))");
  CHECK(declarations("open m\nopen import \"x\"\nimport \"y\"\nlocal open {}") ==
        "(open m)\n(open (import x))\n(import y)\n(local (open { }))");
  CHECK(declarations("local local def x = 1") == "(local (local (def x = 1)))");
}

TEST_CASE("module types") {
  CHECK(declarations("module type S = { type t val x : t }") ==
        "(module type S = { (type t) (val x : t) })");
  CHECK(declarations("module type S = A.B with t = i32 with u [n] 'a = [n]a") ==
        "(module type S = (with (with A.B t = i32) u [n] 'a = ([n] a)))");
  CHECK(declarations("module type S = A -> (x: B) -> C with t = u") ==
        "(module type S = (-> A (-> x:B (with C t = u))))");
  CHECK(declarations("module type S = (A -> B) -> C") ==
        "(module type S = (-> (paren (-> A B)) C))");
}

TEST_CASE("specifications") {
  CHECK(specifications("val f [n] 'a : [n]a -> a") == "(val f [n] 'a : (-> ([n] a) a))");
  CHECK(specifications("val + : t -> t\nval (-) : t\nval (`f`) 'a : a") ==
        "(val + : (-> t t))\n(val - : t)\n(val f 'a : a)");
  CHECK(specifications("type t\ntype~ u [n]\ntype^ v '^a = a") ==
        "(type t)\n(type~ u [n])\n(type^ v '^a = a)");
  CHECK(specifications("module m : S with t = i32\ninclude T") ==
        "(module m : (with S t = i32))\n(include T)");
  CHECK(specifications("-- | doc\n#[x] val f : t") == "-- doc\n#x (val f : t)");
}

TEST_CASE("attributes stack and take arguments") {
  CHECK(declarations("#[inline] #[trace(1, a(b))] def x = 1") ==
        "#inline #trace( 1 a( b ) ) (def x = 1)");
}

TEST_CASE("documentation") {
  CHECK(declarations("-- | one\n-- two\ndef x = 1\n\n-- | three\n\ndef y = 2") ==
        "-- one\ntwo\n(def x = 1)\n-- three\n(def y = 2)");
  CHECK(declarations("module m = {\n  -- | inner\n  def x = 1\n}") ==
        "(module m = { -- inner\n(def x = 1) })");

  sinter::syntax::test::Parsed p;
  auto file =
      parse_file(p.sources, p.add("-- | The file.\n\n-- | One.\ndef x = 1"), p.ast, p.diagnostics);
  REQUIRE(file.documentation);
  CHECK(file.documentation->text == "The file.");
  REQUIRE(file.declarations.size() == 1);
  REQUIRE(file.declarations[0]->documentation);
  CHECK(file.declarations[0]->documentation->text == "One.");
}

TEST_CASE("spans cover the text of a node") {
  sinter::syntax::test::Parsed p;
  auto file =
      parse_file(p.sources, p.add("#[a] def f x = g  x + 1 -- end\n"), p.ast, p.diagnostics);
  const auto& declaration = *file.declarations[0];
  CHECK(p.sources.text(declaration.span) == "#[a] def f x = g  x + 1");
  const auto& value = std::get<sinter::syntax::ValueDeclaration>(declaration.node);
  CHECK(p.sources.text(value.name_span) == "f");
  CHECK(p.sources.text(value.body->span) == "g  x + 1");
  const auto& sum = std::get<sinter::syntax::BinaryExpr>(value.body->node);
  CHECK(p.sources.text(sum.left->span) == "g  x");
  CHECK(p.sources.text(sum.op.span) == "+");
}
