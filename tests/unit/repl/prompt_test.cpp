#include "repl/prompt.h"

#include <doctest/doctest.h>

#include <sstream>

using namespace sinter;

namespace {

struct Conversation {
  std::string out, err;
};

Conversation converse(const std::string& input) {
  std::istringstream in(input);
  std::ostringstream out, err;
  repl::StreamPresenter presenter(out, err);
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

TEST_CASE("an input may take several lines; an empty line ends it") {
  CHECK(converse("let x = 1 in\nx +\n2\n").out == "i32: 3\n");
  Conversation talk = converse("(1 +\n\n3\n");
  CHECK(talk.out == "i32: 3\n");
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
