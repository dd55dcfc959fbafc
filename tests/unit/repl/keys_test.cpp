#include "repl/editor/keys.h"

#include <doctest/doctest.h>

#include <random>

using namespace sinter;
using repl::Key;
using repl::KeyDecoder;

namespace {

std::vector<Key> decode(std::string_view bytes) {
  KeyDecoder decoder;
  decoder.feed(bytes);
  std::vector<Key> keys;
  while (auto key = decoder.next())
    keys.push_back(*key);
  while (auto key = decoder.give_up())
    keys.push_back(*key);
  return keys;
}

Key one(std::string_view bytes) {
  std::vector<Key> keys = decode(bytes);
  REQUIRE(keys.size() == 1);
  return keys[0];
}

} // namespace

TEST_CASE("characters, control keys and Alt") {
  CHECK(one("a").text == "a");
  CHECK(one("é").text == "é");
  CHECK(one("漢").kind == Key::Kind::Character);
  CHECK(one("\x01").is_control('a'));
  CHECK(one("\x1f").is_control('_'));
  CHECK(one("\x1b"
            "b")
            .is_alt('b'));
  CHECK(one("\r").kind == Key::Kind::Enter);
  Key enter = one("\x1b\r");
  CHECK((enter.kind == Key::Kind::Enter && enter.alt));
  CHECK(one("\x1b").kind == Key::Kind::Escape);
  CHECK(one("\x1b[").is_alt('['));
}

TEST_CASE("the sequences of different terminals") {
  for (const char* bytes : {"\x1b[A", "\x1bOA", "\x1b[1;1A"})
    CHECK(one(bytes).kind == Key::Kind::Up);
  for (const char* bytes : {"\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~"})
    CHECK(one(bytes).kind == Key::Kind::Home);
  for (const char* bytes : {"\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~"})
    CHECK(one(bytes).kind == Key::Kind::End);
  CHECK(one("\x1b[3~").kind == Key::Kind::Delete);
  Key tab = one("\x1b[Z");
  CHECK((tab.kind == Key::Kind::Tab && tab.shift));
  for (const char* bytes : {"\x1b[1;5D", "\x1bOd", "\x1b[1;5D"}) {
    Key left = one(bytes);
    CHECK((left.kind == Key::Kind::Left && left.control));
  }
  Key alt = one("\x1b\x1b[C");
  CHECK((alt.kind == Key::Kind::Right && alt.alt));
  CHECK(one("\x1b[15~").kind == Key::Kind::Unknown);  // F5
  CHECK(one("\x1b[[A").kind != Key::Kind::Character); // F1 of the Linux console
}

TEST_CASE("a key that comes in pieces") {
  KeyDecoder decoder;
  for (char c : std::string("\x1b[1;5")) {
    decoder.feed(std::string(1, c));
    CHECK_FALSE(decoder.next());
    CHECK(decoder.is_waiting());
  }
  decoder.feed("C");
  CHECK(decoder.next()->control);
  decoder.feed("\xe6\xbc");
  CHECK_FALSE(decoder.next());
  decoder.feed("\xa2");
  CHECK(decoder.next()->text == "漢");
  decoder.feed("\x1b[200~ab");
  CHECK_FALSE(decoder.next());
  CHECK_FALSE(decoder.is_waiting()); // a slow paste is no broken one
  decoder.feed("c\x1b[20");
  CHECK_FALSE(decoder.next());
  decoder.feed("1~d");
  CHECK(decoder.next()->text == "abc");
  CHECK(decoder.next()->text == "d");
  CHECK(decoder.is_idle());
}

TEST_CASE("no bytes are too odd: each is taken, and texts are UTF-8 without control characters") {
  for (unsigned seed = 0; seed < 200; ++seed) {
    std::mt19937 random(seed);
    std::string bytes;
    for (int i = 0; i < 60; ++i) {
      constexpr char likely[] = "\x1b\x1b[O;1~2003\xe6\xff";
      bytes += random() % 2 ? static_cast<char>(random()) : likely[random() % (sizeof likely - 1)];
    }
    for (const Key& key : decode(bytes))
      if (key.kind == Key::Kind::Character || key.kind == Key::Kind::Paste) {
        CHECK((key.kind == Key::Kind::Paste || !key.text.empty()));
        CHECK(key.text.find('\x1b') == std::string::npos);
      }
  }
}
