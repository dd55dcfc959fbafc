// Tokens and the values of literals.
#include "lang/syntax/lexer.h"
#include "lang/syntax/literals.h"
#include "tests/unit/syntax/support.h"

#include <cmath>
#include <doctest/doctest.h>

using namespace sinter;
using namespace sinter::syntax;

namespace {

/// The texts of the tokens, separated by blanks.
std::string tokens(std::string text) {
  SourceMap sources;
  FileId file = sources.add("t", std::move(text));
  Diagnostics diagnostics;
  TokenStream stream = tokenize(sources, file, diagnostics);
  std::string result;
  for (const Token& token : stream.tokens)
    if (token.kind != TokenKind::EndOfFile)
      result += (result.empty() ? "" : " ") +
                std::string(sources.text(Span{file, token.begin, token.end}));
  return result;
}

TokenKind kind(std::string text, std::size_t index = 0) {
  SourceMap sources;
  FileId file = sources.add("t", std::move(text));
  Diagnostics diagnostics;
  return tokenize(sources, file, diagnostics).tokens[index].kind;
}

} // namespace

TEST_CASE("symbols are as long as they can be") {
  CHECK(tokens("a+^b") == "a +^ b");
  CHECK(tokens("a->b->>c") == "a -> b ->> c");
  CHECK(tokens("x<-1") == "x <- 1");
  CHECK(tokens("!x!=y") == "! x != y");
  CHECK(tokens("a:>b:c") == "a :> b : c");
  CHECK(tokens("???") == "???");
  CHECK(kind("*") == TokenKind::Star);
  CHECK(kind("**") == TokenKind::Operator);
}

TEST_CASE("dots: ranges, projections, qualified operators") {
  CHECK(tokens("0..<n") == "0 ..< n");
  CHECK(tokens("a...b..>-1") == "a ... b ..> - 1");
  CHECK(tokens("1..2...9") == "1 .. 2 ... 9");
  CHECK(tokens("x.0.1") == "x . 0 . 1");
  CHECK(tokens("1.5.x") == "1.5 . x");
  CHECK(tokens("a.b.+c") == "a.b.+ c");
  CHECK(kind("a.b.+c") == TokenKind::Operator);
  CHECK(tokens("(a).b.+") == "( a ) . b.+");
  CHECK(tokens("x.-- comment") == "x .");
  CHECK(tokens("a.b.c") == "a . b . c");
}

TEST_CASE("an index bracket directly follows what it indexes") {
  CHECK(kind("f[0]", 1) == TokenKind::IndexBracket);
  CHECK(kind("f [0]", 1) == TokenKind::LeftBracket);
  CHECK(kind(")[0]", 1) == TokenKind::IndexBracket);
  CHECK(kind("][0]", 1) == TokenKind::IndexBracket);
  CHECK(kind("x'[0]", 1) == TokenKind::IndexBracket);
  CHECK(kind("in[0]", 1) == TokenKind::LeftBracket);
  CHECK(kind("+[0]", 1) == TokenKind::LeftBracket);
}

TEST_CASE("apostrophes: characters, type parameters, names") {
  CHECK(tokens("'a' 'b 'c '~d '^e f' '^'") == "'a' ' b ' c '~ d '^ e f' '^'");
  CHECK(kind("'\\n'") == TokenKind::Character);
  CHECK(kind("'\\''") == TokenKind::Character);
  CHECK(kind("'\xC3\xA6'") == TokenKind::Character);
  CHECK(kind("'ab") == TokenKind::Apostrophe);
}

TEST_CASE("names and keywords") {
  CHECK(kind("letx") == TokenKind::Identifier);
  CHECK(kind("let") == TokenKind::Let);
  CHECK(kind("_") == TokenKind::Underscore);
  CHECK(kind("_x") == TokenKind::Identifier);
  CHECK(kind("#foo") == TokenKind::Constructor);
  CHECK(kind("#[") == TokenKind::AttributeBracket);
}

TEST_CASE("comments end with the line, documentation goes on") {
  CHECK(tokens("a -- b\nc") == "a c");
  CHECK(tokens("a --|b\nc") == "a c");
  SourceMap sources;
  FileId file = sources.add("t", "-- | one\n  --  two\n\n-- not\ndef");
  Diagnostics diagnostics;
  TokenStream stream = tokenize(sources, file, diagnostics);
  REQUIRE(stream.documentation.size() == 1);
  CHECK(sources.text(Span{file, stream.documentation[0].begin, stream.documentation[0].end}) ==
        "-- | one\n  --  two");
  CHECK(stream.documentation[0].blank_line_after);
  CHECK(stream.documentation[0].token == 0);
}

TEST_CASE("the operator table looks at the longest built-in prefix") {
  CHECK(operator_level("<+") == Level::Comparison);
  CHECK(operator_level("<<+") == Level::Shift);
  CHECK(operator_level("<|") == Level::PipeLeft);
  CHECK(operator_level("|+") == Level::Bits);
  CHECK(operator_level("||+") == Level::Or);
  CHECK(operator_level("**+") == Level::Power);
  CHECK(operator_level("=~") == Level::Comparison);
  CHECK(operator_level("//") == Level::Product);
}

TEST_CASE("integer literals") {
  auto decoded = [](std::string_view text) {
    IntegerLiteral literal = decode_integer(text);
    return literal.digits_value + (literal.suffix ? std::string(name(*literal.suffix)) : "");
  };
  CHECK(decoded("0") == "0");
  CHECK(decoded("007") == "7");
  CHECK(decoded("1_000_000i64") == "1000000i64");
  CHECK(decoded("1f32") == "1f32");
  CHECK(decoded("0xFF") == "255");
  CHECK(decoded("0xff_u8") == "255u8");
  CHECK(decoded("0x1f32") == "7986"); // all of it is digits
  CHECK(decoded("0b1011i16") == "11i16");
  CHECK(decoded("0rMCMXCIV") == "1994");
  CHECK(decoded("0xFFFFFFFFFFFFFFFFFFFFFFFF") == "79228162514264337593543950335");
  CHECK(decode_integer("18446744073709551617").value == 1);
  CHECK(decode_integer("18446744073709551617").digits_value == "18446744073709551617");
}

TEST_CASE("floating-point literals are rounded correctly") {
  CHECK(decode_float("1.5").value == 1.5);
  CHECK(decode_float("1_0.2_5f32").value == 10.25);
  CHECK(decode_float("1_0.2_5f32").text == "10.25");
  CHECK(decode_float("1_0.2_5f32").suffix == ElementType::F32);
  CHECK(decode_float("1e3").value == 1000);
  CHECK(decode_float("1e+3").value == 1000);
  CHECK(decode_float("9007199254740993.0").value == 9007199254740992.0);
  CHECK(decode_float("0x1.8p3").value == 12);
  CHECK(decode_float("0x1.8p-1f16").suffix == ElementType::F16);
  CHECK(std::isinf(decode_float("1e999").value));
  CHECK(decode_float("1e-999").value == 0);
}

TEST_CASE("escapes in strings and characters") {
  CHECK(test::expression(R"("a\n\t\\\"\65\x42\o103\&1")") == "\"a\n\t\\\"ABC1\"");
  CHECK(test::expression(R"("\230")") == "\"\xC3\xA6\"");
  CHECK(test::expression(R"('\'')") == "'39'");
  CHECK(test::expression(R"('\10')") == "'10'");
  CHECK(test::expression("'\xC3\xA6'") == "'230'");
}
