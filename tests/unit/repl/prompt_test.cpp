#include "repl/prompt/prompt.h"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

using namespace sinter;

namespace {

struct Conversation {
  std::string out, err;
};

/// Says nothing of definitions.
class ValuesOnly final : public repl::StreamPresenter {
public:
  using StreamPresenter::StreamPresenter;
  void definition(std::string_view, bool) override {}
};

Conversation converse(const std::string& input) {
  std::istringstream in(input);
  std::ostringstream out, err;
  ValuesOnly presenter(out, err);
  repl::Prompt prompt({}, presenter);
  auto editor = repl::make_stream_editor(in, out, repl::Echo::Nothing);
  prompt.run(*editor);
  return {out.str(), err.str()};
}

} // namespace

TEST_CASE("results go to one stream, errors to the other, and the session goes on") {
  Conversation talk = converse("1 + 1\nnonsense\n2 + 2\n");
  CHECK(talk.out == "i32: 2\ni32: 4\n");
  CHECK(talk.err.find("nonsense") != std::string::npos);
}

TEST_CASE("an input may take several lines; two empty lines end it") {
  CHECK(converse("let x = 1 in\nx +\n2\n").out == "i32: 3\n");
  Conversation talk = converse("(1 +\n\n3)\n(1 +\n\n\n5\n"); // two give up what is open
  CHECK(talk.out == "i32: 4\ni32: 5\n");
  CHECK_FALSE(talk.err.empty());
}

TEST_CASE("commands may be shortened; unknown ones are told") {
  CHECK(converse(":t 1i64\n").out == "1i64 : i64\n");
  CHECK(converse(":quit\n1\n").out.empty());
  Conversation talk = converse(":laod x\n:reload me\n:type\n");
  CHECK(talk.err.find("did you mean `:load`") != std::string::npos);
  CHECK(talk.err.find("`:reload` takes no argument") != std::string::npos);
  CHECK(talk.err.find("usage: `:type EXPRESSION`") != std::string::npos);
}

TEST_CASE("help lists every command") {
  std::string help = converse(":help\n").out;
  for (const char* name : {":load FILE", ":reload", ":type EXPRESSION", ":help", ":quit"})
    CHECK(help.find(name) != std::string::npos);
}

TEST_CASE("a break point stops; the evaluation goes on or is given up") {
  Conversation talk = converse("#[break] 1 + 1\n:stack\n:continue\n3\n");
  CHECK(talk.out == "i32: 2\ni32: 3\n");
  CHECK(talk.err.find("break at <prompt>:1:") != std::string::npos);
  talk = converse("#[break] 1 + 1\n:abort\n3\n");
  CHECK(talk.out == "i32: 3\n");
  CHECK(talk.err.find("given up") != std::string::npos);
}

TEST_CASE("where an evaluation stops its variables are names") {
  Conversation talk = converse("def f (x: i64) = let y = x * 2 in #[break] (x + y)\nf 5\n:locals\n"
                               "x * 100 + y\ndef y = 7i64\ny\n\ny\n");
  CHECK(talk.out == "x = 5i64\ny = 10i64\ni64: 510\ni64: 7\ni64: 15\n");
  CHECK(talk.err.find("Unknown name \"y\"") != std::string::npos); // gone afterwards
}

TEST_CASE("a closure's variables are in reach, and what is consumed later can be seen") {
  Conversation talk = converse("let k = 3i64 in map (\\v -> #[break] (v + k)) [1i64]\nk * v\n\n"
                               "let xs = replicate 2 1i64 let ys = xs with [0] = 9 in "
                               "#[break] ys[0]\nys\n\n");
  CHECK(talk.out == "i64: 3\n[1]i64: [4]\n[2]i64: [9, 1]\ni64: 9\n");
}

TEST_CASE("steps go into calls, or over them") {
  const std::string program = "def g (a: i64) = a + 1\ndef f (x: i64) = g x * 2\n"
                              "def main (n: i64) = #[break] (f n + g n)\nmain 5\n";
  Conversation talk = converse(program + ":step\n:step\na\n:continue\n");
  CHECK(talk.err.find("step into f") != std::string::npos);
  CHECK(talk.err.find("step into g") != std::string::npos);
  CHECK(talk.out == "x = 5i64\na = 5i64\ni64: 5\ni64: 18\n");
  // Over the call of g inside of f: the next stop is g that main calls.
  talk = converse(program + ":step\n:next\n:next\n:continue\n:abort\n1i64\n");
  CHECK(talk.out.ends_with("i64: 18\ni64: 1\n"));
  talk = converse(program + ":step\n:abort\n1i64\n");
  CHECK(talk.out.ends_with("i64: 1\n"));
  CHECK(talk.err.find("given up") != std::string::npos);
}

TEST_CASE("steps go through the values of `let`s and the bodies of loops") {
  const std::string program =
      "def f (n: i64) = let m = n * 2 in loop s = m for i < 2i64 do s + i\n#[break] (f 5)\n";
  Conversation talk = converse(program + ":step\n:next\n:next\n:next\n:next\ns * 100 + i\n:next\n");
  CHECK(talk.out == "n = 5i64\nm = 10i64\ni = 0i64\ns = 10i64\ni = 1i64\ni64: 1001\ni64: 11\n");
  const std::vector<std::string> steps = {"step into f", ": n * 2\n", ": loop s = m", ": s + i\n"};
  std::size_t at = 0;
  for (const std::string& step : steps) {
    at = talk.err.find(step, at);
    CHECK(at != std::string::npos);
  }
}

TEST_CASE("the callers' variables are names where one has gone up") {
  const std::string program = "def g (a: i64) = a + 1\n"
                              "def f (x: i64) = let y = #[break] (g (x * 2)) in x + y\nf 5\n";
  Conversation talk = converse(program + ":step\n:up\nx * 100\na\n:down\na * 100\n:continue\n");
  CHECK(talk.out == "a = 10i64\nx = 5i64\ni64: 500\na = 10i64\ni64: 1000\ni64: 16\n");
  CHECK(talk.err.find("Unknown name \"a\"") != std::string::npos);
}

TEST_CASE("the next evaluation is not stepped, in any mode") {
  for (const char* mode : {"interp", "auto"}) {
    Conversation talk = converse(":set mode " + std::string(mode) +
                                 "\ndef g (a: i64) = a + 1\n#[break] (g 1)\n:step\n:step\n"
                                 "g 2\n");
    CHECK(talk.out.ends_with("i64: 2\ni64: 3\n"));
  }
}

TEST_CASE("cases of a match may stand in lines of their own; an empty line ends them") {
  CHECK(converse("match 2i32\ncase 1 -> 10i32\ncase _ -> 20\n\n").out == "i32: 20\n");
}

TEST_CASE("completion knows commands, names and files") {
  std::ostringstream out, err;
  repl::StreamPresenter presenter(out, err);
  repl::Console prompt({}, presenter);
  auto texts = [&](std::string_view input) {
    std::vector<std::string> found;
    for (const repl::Completion& item : prompt.complete(input).items)
      found.push_back(item.text);
    return found;
  };
  CHECK(texts(":lo") == std::vector<std::string>{":load"});
  CHECK(texts("1 + f32.sqr") == std::vector<std::string>{"f32.sqrt"});
  CHECK(texts(":type f32.sqr") == std::vector<std::string>{"f32.sqrt"});
  CHECK(prompt.complete(":type f32.sqr").begin == 6);
  CHECK(texts(":load " SINTER_SOURCE_DIR "/notebooks/ni") ==
        std::vector<std::string>{SINTER_SOURCE_DIR "/notebooks/nile.fut"});
}
