#include "tests/unit/syntax/support.h"

#include <doctest/doctest.h>

using sinter::syntax::test::type;

TEST_CASE("names and applications") {
  CHECK(type("i32") == "i32");
  CHECK(type("m.n.t") == "m.n.t");
  CHECK(type("t [n] a ([m]b)") == "(apply t [n] a (paren ([m] b)))");
  CHECK(type("t [n + 1] []") == "(apply t [(+ n 1)] [])");
  CHECK(type("t[n] a") == "(apply t [n] a)");
}

TEST_CASE("arrays") {
  CHECK(type("[]i32") == "([] i32)");
  CHECK(type("[n][m]i32") == "([n] ([m] i32))");
  CHECK(type("[n + 1]t a") == "([(+ n 1)] (apply t a))");
  CHECK(type("[n]*t") == "([n] (* t))");
  CHECK(type("*[n]t") == "(* ([n] t))");
}

TEST_CASE("functions") {
  CHECK(type("a -> b -> c") == "(-> a (-> b c))");
  CHECK(type("(a -> b) -> c") == "(-> (paren (-> a b)) c)");
  CHECK(type("(n: i64) -> [n]t") == "(-> n:i64 ([n] t))");
  CHECK(type("[n]a -> *b") == "(-> ([n] a) (* b))");
  CHECK(type("?[n].[n]t") == "(? [n] ([n] t))");
  CHECK(type("a -> ?[n][m].([n]t, [m]t)") == "(-> a (? [n] [m] (tuple ([n] t) ([m] t))))");
}

TEST_CASE("tuples, records, sums") {
  CHECK(type("()") == "(tuple)");
  CHECK(type("(a, b,)") == "(tuple a b)");
  CHECK(type("(a)") == "(paren a)");
  CHECK(type("{}") == "(record)");
  CHECK(type("{a: t, 0: u,}") == "(record a:t 0:u)");
  CHECK(type("#a | #b t [n]u | #c (t, u)") == "(sum (#a) (#b t ([n] u)) (#c (tuple t u)))");
  CHECK(type("[n]#a | #b") == "([n] (sum (#a) (#b)))");
}

TEST_CASE("what is no type") {
  CHECK(type("[n]") ==
        "test.fut:1:4: error: Unexpected end of file, expected a type [unexpected-token]\n"
        " 1 | [n]\n"
        "   |    ^\n");
  CHECK(type("#a | b") ==
        "test.fut:1:6: error: Unexpected token: 'b', expected a constructor such as "
        "`#name` [unexpected-token]\n"
        " 1 | #a | b\n"
        "   |      ^\n");
}
