// Every form of expression, and how tightly each binds.
#include "tests/unit/syntax/support.h"

#include <doctest/doctest.h>

using sinter::syntax::test::expression;

TEST_CASE("infix operators follow the table") {
  CHECK(expression("a + b * c") == "(+ a (* b c))");
  CHECK(expression("a * b + c") == "(+ (* a b) c)");
  CHECK(expression("a - b - c") == "(- (- a b) c)");
  CHECK(expression("a ** b ** c") == "(** (** a b) c)");
  CHECK(expression("a * b ** c") == "(* a (** b c))");
  CHECK(expression("a << b + c") == "(<< a (+ b c))");
  CHECK(expression("a & b << c") == "(& a (<< b c))");
  CHECK(expression("a == b | c") == "(== a (| b c))");
  CHECK(expression("a && b == c") == "(&& a (== b c))");
  CHECK(expression("a || b && c") == "(|| a (&& b c))");
  CHECK(expression("f <| a || b") == "(<| f (|| a b))");
  CHECK(expression("f <| g <| x") == "(<| f (<| g x))");
  CHECK(expression("x |> f |> g") == "(|> (|> x f) g)");
  CHECK(expression("x |> f <| y") == "(|> x (<| f y))");
  CHECK(expression("a `f` b + c") == "(`f` a (+ b c))");
  CHECK(expression("a `f` b `m.g` c") == "(`m.g` (`f` a b) c)");
  CHECK(expression("a +^ b * c") == "(+^ a (* b c))");
  CHECK(expression("a m.* b + c") == "(+ (m.* a b) c)");
  CHECK(expression("a < b == c") == "(== (< a b) c)");
}

TEST_CASE("prefix operators bind tighter than all infix ones") {
  CHECK(expression("-x % y") == "(% (neg x) y)");
  CHECK(expression("-x ** y") == "(** (neg x) y)");
  CHECK(expression("-f x") == "(neg (apply f x))");
  CHECK(expression("!a && b") == "(&& (not a) b)");
  CHECK(expression("- -x") == "(neg (neg x))");
  CHECK(expression("a - -b") == "(- a (neg b))");
  CHECK(expression("f -x") == "(- f x)");
}

TEST_CASE("application") {
  CHECK(expression("f x y") == "(apply f x y)");
  CHECK(expression("f (g x) [y] {z}") == "(apply f (paren (apply g x)) (array y) (record z))");
  CHECK(expression("map \\x -> x + 1") == "(apply map (lambda x (+ x 1)))");
  CHECK(expression("f a \\x y : i32 -> x : i32") == "(apply f a (lambda x y : i32 (: x i32)))");
  CHECK(expression("a |> map \\x -> x |> g") == "(|> a (apply map (lambda x (|> x g))))");
  CHECK(expression("#c x y") == "(#c x y)");
  CHECK(expression("f #c x") == "(apply f (#c) x)");
  CHECK(expression("f true 'a' \"s\" ???") == "(apply f true '97' \"s\" ???"
                                              ")");
}

TEST_CASE("a bracket indexes only what it directly follows") {
  CHECK(expression("f[x]") == "(index f [x])");
  CHECK(expression("f [x]") == "(apply f (array x))");
  CHECK(expression("f a[i,j]") == "(apply f (index a [i j]))");
  CHECK(expression("(f x)[i][j]") == "(index (index (paren (apply f x)) [i]) [j])");
  CHECK(expression("a[i].b[j]") == "(index (project (index a [i]) b) [j])");
}

TEST_CASE("slices") {
  CHECK(expression("a[i:j:k, :, i:, :j, ::k, i::k]") ==
        "(index a [i:j:k _:_:_ i:_:_ _:j:_ _:_:k i:_:k])");
  CHECK(expression("a[i + 1:n - 1:-1]") == "(index a [(+ i 1):(- n 1):(neg 1)])");
  CHECK(expression("a[i, ]") == "(index a [i])");
}

TEST_CASE("dotted names and projections") {
  CHECK(expression("a.b.c") == "a.b.c");
  CHECK(expression("x.0.1") == "(project (project x 0) 1)");
  CHECK(expression("x.y.0.z") == "(project (project x.y 0) z)");
  CHECK(expression("(e).x.y") == "(project (project (paren e) x) y)");
  CHECK(expression("m.(a + b)") == "(open m (+ a b))");
  CHECK(expression("m.n.(a).x") == "(project (open m.n a) x)");
  CHECK(expression("{x = 1}.x") == "(project (record x=1) x)");
}

TEST_CASE("sections") {
  CHECK(expression("(+)") == "+");
  CHECK(expression("(m.+)") == "m.+");
  CHECK(expression("(`f`)") == "`f`");
  CHECK(expression("(-)") == "-");
  CHECK(expression("(x +)") == "(left x +)");
  CHECK(expression("(x * y +)") == "(left (* x y) +)");
  CHECK(expression("(x -)") == "(left x -)");
  CHECK(expression("(x `m.f`)") == "(left x `m.f`)");
  CHECK(expression("(+ x * y)") == "(right + (* x y))");
  CHECK(expression("(`f` x)") == "(right `f` x)");
  CHECK(expression("(- x)") == "(paren (neg x))");
  CHECK(expression("(.a.b)") == "(path .a.b)");
  CHECK(expression("(.[i,j])") == "(path [i j])");
  CHECK(expression("(.a[i].0)") == "(path .a[i].0)");
  CHECK(expression("(.[i][j].x)") == "(path [i][j].x)");
  // As in the language's grammar, the operand must be a whole infix expression.
  CHECK(expression("(x + y *)").find("Unexpected token: ')'") != std::string::npos);
}

TEST_CASE("tuples, records, arrays; trailing commas") {
  CHECK(expression("()") == "(tuple)");
  CHECK(expression("(a, b)") == "(tuple a b)");
  CHECK(expression("(a, b, c,)") == "(tuple a b c)");
  CHECK(expression("[]") == "(array)");
  CHECK(expression("[a, b,]") == "(array a b)");
  CHECK(expression("{}") == "(record)");
  CHECK(expression("{a, b = 1, 0 = 2,}") == "(record a b=1 0=2)");
}

TEST_CASE("ascription and coercion are loosest") {
  CHECK(expression("a + b : i32") == "(: (+ a b) i32)");
  CHECK(expression("a :> [n]i32 : t") == "(: (:> a ([n] i32)) t)");
  CHECK(expression("x with a = 1 : t") == "(: (with x .a 1) t)");
  CHECK(expression("if a then b else c : t") == "(if a b (: c t))");
}

TEST_CASE("ranges") {
  CHECK(expression("a...b") == "(... a b)");
  CHECK(expression("a..b..<c") == "(..< a b c)");
  CHECK(expression("n - 1..n - 2..>-1") == "(..> (- n 1) (- n 2) (neg 1))");
  CHECK(expression("a |> f..<b") == "(..< (|> a f) b)");
}

TEST_CASE("updates") {
  CHECK(expression("a with [i] = v") == "(with a [i] v)");
  CHECK(expression("a with b.c[i].0 = v") == "(with a .b.c[i].0 v)");
  CHECK(expression("f x with a = b + c") == "(with (apply f x) .a (+ b c))");
  CHECK(expression("r with a = 1 with b = 2") == "(with (with r .a 1) .b 2)");
  CHECK(expression("a + b with c = d") == "(with (+ a b) .c d)");
  CHECK(expression("a `f` b with c = d") == "(`f` a (with b .c d))");
  CHECK(expression("a with [i] = x |> f") == "(with a [i] (|> x f))");
}

TEST_CASE("let") {
  CHECK(expression("let x = 1 in x") == "(let x 1 x)");
  CHECK(expression("let x = 1 let y = 2 in x") == "(let x 1 (let y 2 x))");
  CHECK(expression("let (a, b): (i32, i32) = e in a") ==
        "(let (: (tuple a b) (tuple i32 i32)) e a)");
  CHECK(expression("let x: t = e in a") == "(let (: x t) e a)");
  CHECK(expression("let [n] (xs: [n]t) = e in n") == "(let [n] (paren (: xs ([n] t))) e n)");
  CHECK(expression("let[n] xs = e in n") == "(let [n] xs e n)");
  CHECK(expression("let f x (y: t) : u = x in f") == "(letfun f x (paren (: y t)) : u x f)");
  CHECK(expression("let f [n] 'a '~b '^c (x: [n]a) = x in f") ==
        "(letfun f [n] 'a '~b '^c (paren (: x ([n] a))) x f)");
  CHECK(expression("let x[i].f = v in x") == "(letwith x[i].f v x)");
  CHECK(expression("let x.0[j] = v in x") == "(letwith x.0[j] v x)");
  CHECK(expression("let (+) = f in 1 + 2") == "(let + f (+ 1 2))");
  CHECK(expression("1 + let x = 2 in x + 3") == "(+ 1 (let x 2 (+ x 3)))");
}

TEST_CASE("conditionals reach as far as they can") {
  CHECK(expression("if a then b else c + d") == "(if a b (+ c d))");
  CHECK(expression("1 + if a then b else c") == "(+ 1 (if a b c))");
  CHECK(expression("if a then b else if c then d else e") == "(if a b (if c d e))");
  CHECK(expression("-if a then b else c + d") == "(neg (if a b (+ c d)))");
}

TEST_CASE("loops") {
  CHECK(expression("loop x = 0 for i < n do x + i") == "(loop x 0 (for< i n) (+ x i))");
  CHECK(expression("loop x for (a, b) in xs do a") == "(loop x _ (forin (tuple a b) xs) a)");
  CHECK(expression("loop (x, y) = (0, 1) while x < 9 do (y, x)") ==
        "(loop (tuple x y) (tuple 0 1) (while (< x 9)) (tuple y x))");
  CHECK(expression("loop [m] (xs: [m]t) = ys for x in zs do x") ==
        "(loop [m] (paren (: xs ([m] t))) ys (forin x zs) x)");
}

TEST_CASE("match") {
  CHECK(expression("match x case #a y -> y case _ -> 0") == "(match x (case (#a y) y) (case _ 0))");
  CHECK(expression("match x case 1 -> match y case 2 -> a case 3 -> b") ==
        "(match x (case 1 (match y (case 2 a) (case 3 b))))");
}

TEST_CASE("assert and attributes") {
  CHECK(expression("assert (a < b) a + b") == "(assert (paren (< a b)) (+ a b))");
  CHECK(expression("assert c x : t") == "(assert c (: x t))");
  CHECK(expression("#[inline] f x + y") == "(#inline (+ (apply f x) y))");
  CHECK(expression("a + #[x(1, y(z), \"s\")] #[w] b * c") ==
        "(+ a (#x( 1 y( z ) \"s\" ) (#w (* b c))))");
}

TEST_CASE("patterns") {
  auto pattern = [](std::string text) {
    std::string shape = expression("match e case " + text + " -> v");
    std::string before = "(match e (case ";
    return shape.starts_with(before) ? shape.substr(before.size(), shape.size() - before.size() - 4)
                                     : shape;
  };
  CHECK(pattern("x") == "x");
  CHECK(pattern("_") == "_");
  CHECK(pattern("-1") == "-1");
  CHECK(pattern("-1.5f32") == "-1.5f32");
  CHECK(pattern("'a'") == "'97'");
  CHECK(pattern("true") == "true");
  CHECK(pattern("()") == "(tuple)");
  CHECK(pattern("(a, b,)") == "(tuple a b)");
  CHECK(pattern("(a)") == "(paren a)");
  CHECK(pattern("(x: t)") == "(paren (: x t))");
  CHECK(pattern("{a, b = c, d: t, 0 = e,}") == "(record a b=c d=(: d t) 0=e)");
  CHECK(pattern("#a") == "(#a)");
  CHECK(pattern("#a x (#b y) _ -1") == "(#a x (paren (#b y)) _ -1)");
  CHECK(pattern("#a #b x") == "(#a (#b) x)");
  CHECK(pattern("#[u] #[v(1)] x") == "(#u (#v( 1 ) x))");
  CHECK(pattern("(#[u] x, y)") == "(tuple (#u x) y)");
}
