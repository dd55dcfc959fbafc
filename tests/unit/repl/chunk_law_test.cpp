// Functions that may be computed in chunks: any cut gives the bits of one chunk, interpreted and
// compiled; where it does not, a small part of the data and a cut are told.
#include "lang/eval/chunk_laws.h"
#include "repl/session/session.h"
#include "tests/unit/sanitized.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>

using namespace sinter;

namespace {

repl::SessionOptions with_debugging(Debugging debugging) {
  repl::SessionOptions options;
  options.debugging = debugging;
  return options;
}

/// What is said of an entry, "" if all is well: the first line.
std::string said(repl::Session& session, const std::string& entry) {
  const std::string messages = session.submit(entry).messages;
  return messages.substr(0, messages.find('\n'));
}

struct DebuggedStreams {
  repl::Session session{with_debugging(Debugging::On)};
  DebuggedStreams() { REQUIRE(said(session, "import \"sinter/stream\"") == ""); }
};

/// Of `xs : []i32`; floats only where any order gives the same.
constexpr const char* programs[] = {
    R"(map_stream (\k (xs: [k]i32) -> map (\x -> x * x + 1) xs) xs)",
    R"(map_stream (\k (xs: [k]i32) -> map f64.i32 xs |> map (\x -> f64.sqrt (f64.abs x))) xs)",
    R"(map_stream (\k (xs: [k]i32) -> map (\x -> (x, f32.i32 x / 3)) xs) xs)",
    R"(map_stream (\k (xs: [k]i32) -> map (\x -> [x, x + 1, x % 7]) xs) xs)",
    R"(map_stream (\k (rows: [k][3]i32) -> map (reduce i32.max i32.lowest) rows)
                  (map (\x -> [x, 2 * x, 5 - x]) xs))",
    R"(map_stream (\k (xs: [k]i32) -> loop ys = copy xs for i < 5 do map (\y -> y * 3 + i32.i64 i) ys)
                  xs)",
    R"(reduce_stream (+) (\k (xs: [k]i32) -> reduce (+) 0 xs) xs)",
    R"(reduce_stream f32.max (\k (xs: [k]i32) -> f32.maximum (map f32.i32 xs)) xs)",
    R"(reduce_stream (\(a, b) (c, d) -> (a + c, i32.min b d))
                     (\k (xs: [k]i32) -> (k, i32.minimum xs)) xs)",
    R"(reduce_stream (map2 (+)) (\k (xs: [k]i32) -> hist (+) 0 5 (map (\x -> i64.i32 x % 5) xs) xs) xs)",
    R"(let combine ((a, b): (i32, i32)) ((c, d): (i32, i32)) = (a * c, b * c + d)
       in reduce_stream combine
            (\k (xs: [k]i32) -> reduce combine (1, 0) (map (\x -> (x % 3, x)) xs)) xs)",
    R"(fold_stream (\k (s: i64) (xs: [k]i32) -> s + i64.sum (map i64.i32 xs)) 7 xs)",
    R"(fold_stream (\k (s: u32) (xs: [k]i32) -> loop h = s for x in xs do (h ^ u32.i32 x) * 16777619)
                   2166136261 xs)",
    R"(fold_stream (\k (s: [4]i32) (xs: [k]i32) ->
                      loop s = copy s for x in xs do s with [x % 4] = s[(x + 1) % 4] + x)
                   [0, 0, 0, 0] xs)",
};

} // namespace

TEST_CASE("any cut gives the bits of one chunk, interpreted; and so does compiled code") {
  const std::string data =
      "def xs (n: i64) = map (\\i -> i32.i64 ((i * 7919 + 13) % 1009)) (iota n)";
  const auto prepared = [&](repl::SessionOptions options) {
    auto session = std::make_unique<repl::Session>(std::move(options));
    REQUIRE(said(*session, "import \"sinter/stream\"") == "");
    REQUIRE(session->submit(data).ok());
    return session;
  };
  repl::SessionOptions jit;
  jit.acceleration.mode = jit::Mode::Jit;
  const auto whole = prepared({}), compiled = prepared(jit);
  constexpr std::int64_t sizes[] = {0, 1, 2, 3, 64, 257, 1000};
  const int seeds = is_sanitized ? 1 : 4;
  for (const char* program : programs) {
    std::vector<std::unique_ptr<repl::Session>> chunked;
    for (int seed = 0; seed < seeds; ++seed) {
      repl::SessionOptions options;
      options.chunking = {Chunking::Kind::Random, 0, static_cast<std::uint64_t>(seed)};
      chunked.push_back(prepared(options));
    }
    repl::SessionOptions regular;
    regular.chunking = {Chunking::Kind::Regular, 3, 0};
    chunked.push_back(prepared(regular));
    for (const std::int64_t size : sizes) {
      // (`minimum` of no elements, `x % 5` of negative ones: all are fine.)
      const std::string entry = "let xs = xs " + std::to_string(size) + " in " + program;
      CAPTURE(entry);
      const auto shown = [&](repl::Session& session) {
        repl::Outcome outcome = session.submit(entry);
        CAPTURE(outcome.messages);
        REQUIRE(outcome.kind == repl::Outcome::Kind::Value);
        return print_value(outcome.value, outcome.representation);
      };
      const std::string expected = shown(*whole);
      CHECK(shown(*compiled) == expected);
      for (const auto& session : chunked)
        CHECK(shown(*session) == expected);
    }
  }
}

TEST_CASE_FIXTURE(DebuggedStreams, "what depends on the cut is told, with a cut and few elements") {
  CHECK(said(session, "map_stream (\\k (xs: [k]i32) -> scan (+) 0 xs) [1, 2, 3, 4, 5, 6]") ==
        "<prompt>:1:1: Error: `map_stream` at 1:1 may give anything: [1, 2] gives [1, 3] in one "
        "chunk, and [1, 2] if it is cut after 1 [chunk-law]");
  CHECK(said(session, "1 + reduce_stream (-) (\\k (xs: [k]i32) -> i32.sum xs) [1, 2, 3, 4]")
            .starts_with("<prompt>:1:5: Error: `reduce_stream` at 1:5 may give anything: "));
  CHECK(
      said(session, "fold_stream (\\k (s: i32) (xs: [k]i32) -> 2 * s + i32.sum xs) 1 [5, 5, 5]") ==
      "<prompt>:1:1: Error: `fold_stream` at 1:1 may give anything: from 1, [5, 5] gives 12 in "
      "one chunk, and 19 if it is cut after 1 [chunk-law]");
  CHECK(said(session, "map_stream (\\k (xs: [k]i32) -> map (+ i32.i64 k) xs) (replicate 1000 0)") ==
        "<prompt>:1:1: Error: `map_stream` at 1:1 may give anything: [0, 0] gives [2, 2] in one "
        "chunk, and [1, 1] if it is cut after 1 [chunk-law]");
  // Something fails in short chunks only.
  CHECK(said(session, "map_stream (\\k (xs: [k]i32) -> map (+ xs[1]) xs) [3, 3, 3]")
            .find("and fails if it is cut after 1: Index [1] out of bounds") != std::string::npos);
}

TEST_CASE_FIXTURE(DebuggedStreams,
                  "what keeps the law is not told, nor what rounding makes of it") {
  for (const char* program : programs) {
    const std::string entry =
        std::string("let xs = map (\\i -> i32.i64 (i * i % 97)) (iota 300) in ") + program;
    CAPTURE(entry);
    CHECK(said(session, entry) == "");
  }
  // Sums of floats come out differently, and mean the same.
  CHECK(said(session, "reduce_stream (+) (\\k (xs: [k]f32) -> f32.sum xs) "
                      "(map (\\i -> 1 / f32.i64 (i + 1)) (iota 5000))") == "");
  CHECK(said(session, "fold_stream (\\k (s: f64) (xs: [k]f64) -> s + f64.sum xs) 0.1 "
                      "(map (\\i -> f64.sqrt (f64.i64 i)) (iota 5000))") == "");
  // This is more than rounding.
  CHECK(said(session, "reduce_stream (+) (\\k (xs: [k]f32) -> f32.sum xs / f32.i64 k) "
                      "(map f32.i64 (iota 1000))")
            .find("[chunk-law]") != std::string::npos);
  // What is shown is shown once.
  CHECK(said(session, "map_stream (\\k (xs: [k]i32) -> map (+ 1) xs) ([] : [0]i32)") == "");
}

TEST_CASE("with chunks of a size the law is tested, and the option is named") {
  repl::SessionOptions options;
  options.chunking = {Chunking::Kind::Random, 0, 3};
  repl::Session session(options);
  REQUIRE(said(session, "import \"sinter/stream\"") == "");
  const std::string text =
      said(session, "map_stream (\\k (xs: [k]i32) -> scan (+) 0 xs) [1, 2, 3, 4, 5, 6]");
  CHECK(text.find(" (with --chunks random:3) [chunk-law]") != std::string::npos);
}

TEST_CASE("violations are warnings if that is asked for") {
  repl::Session session(with_debugging(Debugging::Warn));
  REQUIRE(said(session, "import \"sinter/stream\"") == "");
  const repl::Outcome outcome =
      session.submit("map_stream (\\k (xs: [k]i32) -> scan (+) 0 xs) [1, 2, 3]");
  CHECK(outcome.kind == repl::Outcome::Kind::Value);
  CHECK(outcome.messages.find("[chunk-law]") != std::string::npos);
}

TEST_CASE("options for chunks are a size, or random with a seed") {
  CHECK(chunking_of("12")->size == 12);
  CHECK(chunking_of("random")->seed == 0);
  CHECK(text(*chunking_of("random:7")) == "random:7");
  for (const char* wrong : {"", "0", "-1", "1k", "random:", "random:x", "randomly", " 1"})
    CHECK(!chunking_of(wrong));
}

TEST_CASE("random cuts are within the array, and in order") {
  RepeatableChance chance(1);
  for (int round = 0; round < 1000; ++round) {
    const std::int64_t count = chance.below(60);
    const eval::Cuts cuts = eval::random_cuts(count, chance);
    CHECK(std::ranges::is_sorted(cuts));
    CHECK(std::ranges::adjacent_find(cuts) == cuts.end());
    if (!cuts.empty()) CHECK((cuts.front() > 0 && cuts.back() < count));
  }
  CHECK(eval::regular_cuts(10, 3) == eval::Cuts{3, 6, 9});
  CHECK(eval::regular_cuts(9, 3) == eval::Cuts{3, 6});
  CHECK(eval::regular_cuts(0, 3).empty());
}
