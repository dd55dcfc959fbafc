#include "repl/data/data.h"
#include "repl/display.h"
#include "repl/pictures/codecs.h"
#include "repl/pictures/media.h"
#include "repl/session.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

using namespace sinter;
using namespace sinter::repl;

namespace {

/// What the library that encodes decodes: libpng's own reading judges what was written.
struct Fixture {
  Session session;

  Outcome value(const std::string& expression) {
    Outcome outcome = session.submit(expression);
    REQUIRE(outcome.messages == "");
    REQUIRE(outcome.kind == Outcome::Kind::Value);
    return outcome;
  }
  std::vector<std::uint32_t> pixels(const std::string& expression) {
    Outcome outcome = value(expression);
    Media media = image_media(outcome.value, outcome.representation);
    CHECK(media.mime_type == "image/png");
    return codecs().read_png(media.bytes).pixels;
  }
  std::string failure(const std::string& expression) {
    Outcome outcome = value(expression);
    try {
      image_media(outcome.value, outcome.representation);
      return "shown";
    } catch (const FormatError& error) {
      return error.message;
    }
  }
};

using Pixels = std::vector<std::uint32_t>;

struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "sinter-test-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    path = name;
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string file(const char* name) const { return (path / name).string(); }
};

} // namespace

TEST_CASE_FIXTURE(Fixture, "each type of image has its pixels") {
  CHECK(pixels("[[0xFF102030u32, 0x80FFFFFF]]") == Pixels{0xFF102030, 0x80FFFFFF});
  CHECK(pixels("[[0x102030u32], [0x405060]]") == Pixels{0xFF102030, 0xFF405060});
  CHECK(pixels("[[-1i32]]") == Pixels{0xFFFFFFFF});
  CHECK(pixels("[[0u8, 128, 255]]") == Pixels{0xFF000000, 0xFF808080, 0xFFFFFFFF});
  CHECK(pixels("[[0f32, 1, 0.5, 7, -3, f32.nan]]") ==
        Pixels{0xFF000000, 0xFFFFFFFF, 0xFF808080, 0xFFFFFFFF, 0xFF000000, 0xFF000000});
  CHECK(pixels("[[0.5f64]]") == Pixels{0xFF808080});
  CHECK(pixels("[[true, false]]") == Pixels{0xFFFFFFFF, 0xFF000000});
  CHECK(pixels("[[[1u8, 2, 3], [4, 5, 6]]]") == Pixels{0xFF010203, 0xFF040506});
  CHECK(pixels("[[[1u8, 2, 3, 128]]]") == Pixels{0x80010203});
  CHECK(pixels("transpose [[1u8, 2], [3, 4]]") ==
        Pixels{0xFF010101, 0xFF030303, 0xFF020202, 0xFF040404});
}

TEST_CASE_FIXTURE(Fixture, "what is no image says so") {
  CHECK(failure("[[1i64]]").starts_with("a value of type [][]i64 is no image; images are "));
  CHECK(failure("3").starts_with("a value of type i32 is no image"));
  CHECK(failure("replicate 0 (replicate 3 1u8)") == "the image is empty: its shape is [0][3]");
  CHECK(failure("[[[1u8, 2]]]") ==
        "an array of shape [1][1][2] is no image: a pixel has 3 or 4 channels");
}

TEST_CASE_FIXTURE(Fixture, "videos of arrays and of steps have their frames") {
  auto frames = [&](const std::string& expression) {
    Outcome outcome = value(expression);
    Media media = video_media(outcome.value, outcome.representation, {.frames_per_second = 20}, "",
                              session.evaluator(), session.representations());
    return codecs().read_gif(media.bytes);
  };
  auto array = frames("[[[0u8, 255]], [[255, 0]]]");
  REQUIRE(array.size() == 2);
  CHECK(array[0].first.pixels == Pixels{0xFF000000, 0xFFFFFFFF});
  CHECK(array[1].first.pixels == Pixels{0xFFFFFFFF, 0xFF000000});
  CHECK(array[0].second == doctest::Approx(0.05));
  auto steps = frames("(\\(s: u8) -> ([[s, s + 1]], s + 10), 100u8, 3i64)");
  REQUIRE(steps.size() == 3);
  CHECK(steps[2].first.pixels == Pixels{0xFF787878, 0xFF797979});
  // A frame of more than 256 colours keeps its size, and its colours nearly.
  auto many = frames("[tabulate_2d 32 32 (\\y x -> u32.i64 (y * 8 * 65536 + x * 8))]");
  REQUIRE(many.size() == 1);
  CHECK(many[0].first.width == 32);
  CHECK_THROWS_AS(frames("[1, 2]"), FormatError);
  CHECK_THROWS_AS(frames("(\\(s: i32) -> ([[s]], s), 1, 0i64)"), FormatError);
}

TEST_CASE_FIXTURE(Fixture, "sounds come back from WAV as they were") {
  auto samples = [&](const std::string& expression) {
    Outcome outcome = value(expression);
    Media media = sound_media(outcome.value, outcome.representation, 8000);
    CHECK(media.mime_type == "audio/wav");
    Sound sound = codecs().read_sound(media.bytes);
    CHECK(sound.rate == 8000);
    return sound.samples;
  };
  using Samples = std::vector<double>;
  CHECK(samples("[0i16, 16384, -32768]") == Samples{0, 0.5, -1});
  CHECK(samples("[128u8, 0, 192]") == Samples{0, -1, 0.5});
  CHECK(samples("[0i8, 64, -128]") == Samples{0, 0.5, -1});
  CHECK(samples("[1073741824i32]") == Samples{0.5});
  CHECK(samples("[0.25f64, -0.125]") == Samples{0.25, -0.125});
  CHECK(samples("[[0.25f32, 0.5], [-0.25, -0.5]]") == Samples{0.25, -0.25, 0.5, -0.5});
}

TEST_CASE_FIXTURE(Fixture, "plots know their series") {
  auto series = [&](const std::string& expression) {
    Outcome outcome = value(expression);
    std::string text;
    for (const Series& one : series_of(outcome.value, outcome.representation)) {
      text += one.name + ":";
      for (std::size_t i = 0; i < one.xs.size(); ++i)
        text += " " + std::to_string(static_cast<int>(one.xs[i])) + "," +
                std::to_string(static_cast<int>(one.ys[i]));
      text += ";";
    }
    return text;
  };
  CHECK(series("[7i32, 8]") == ": 0,7 1,8;");
  CHECK(series("([1f32, 2], [3i32, 4])") == ": 1,3 2,4;");
  CHECK(series("([1, 2], [3, 4], [5, 6])") == "1: 1,3 2,4;2: 1,5 2,6;");
  CHECK(series("[(1, 2), (3, 4)]") == ": 1,2 3,4;");
  CHECK(series("{up = [1, 2], down = ([5, 6], [2, 1])}") == "down: 5,2 6,1;up: 0,1 1,2;");
  CHECK(series("[[1, 2], [3, 4]]") == "0: 0,1 1,2;1: 0,3 1,4;");
  CHECK_THROWS_AS(series("([1, 2], [3])"), FormatError);
  CHECK_THROWS_AS(series("true"), FormatError);
}

TEST_CASE_FIXTURE(Fixture, "gnuplot draws pixels, vectors and characters") {
  Outcome line = value("map (\\x -> x * x) (iota 20)");
  PlotOptions options;
  options.width = 320;
  options.height = 200;
  Image image = codecs().read_png(plot(line.value, line.representation, options, Drawing::Png));
  CHECK(image.width == 320);
  CHECK(image.height == 200);
  Pixels sorted = image.pixels;
  std::sort(sorted.begin(), sorted.end());
  CHECK(std::unique(sorted.begin(), sorted.end()) - sorted.begin() > 5); // not a white page
  options.title = "it's `a` <title>";
  std::string svg = plot(line.value, line.representation, options, Drawing::Svg);
  CHECK(svg.find("<svg") != std::string::npos);
  CHECK(svg.find("&lt;title") != std::string::npos);
  options.color = false;
  std::string text = plot(line.value, line.representation, options, Drawing::Text);
  CHECK(std::count(text.begin(), text.end(), '*') > 10);
  Outcome matrix = value("[[1f32, 2], [3, 4]]");
  CHECK(codecs().read_png(plot(matrix.value, matrix.representation, options, Drawing::Png)).width ==
        320);
  Outcome empty = value("[] : []f32");
  CHECK_THROWS_AS(plot(empty.value, empty.representation, options, Drawing::Png), FormatError);
}

TEST_CASE_FIXTURE(Fixture, "files give back what was written") {
  Folder folder;
  auto round_trip = [&](const char* name, const std::string& expression) {
    Outcome outcome = value(expression);
    write_data(folder.file(name), outcome.value, outcome.representation);
    Data data = read_data(folder.file(name), {}, session.memory(), session.representations());
    return display_result(type_text(data.type, data.value), data.value, data.type);
  };
  CHECK(round_trip("a.npy", "[[1i16, 2], [3, 4]]") == "[2][2]i16:\n[[1, 2],\n [3, 4]]");
  CHECK(round_trip("a.npy.gz", "[1f32]") == "[1]f32: [1.0]");
  CHECK(round_trip("a.npz", "{b = [1u8, 2], a = 7i64}") ==
        "{a: i64, b: [2]u8}: {a = 7, b = [1, 2]}");
  CHECK(round_trip("a.csv", "{b = [1i64, 2], a = [0.5, f64.nan]}") ==
        "{a: [2]f64, b: [2]i64}: {a = [0.5, f64.nan], b = [1, 2]}");
  CHECK(round_trip("m.csv.gz", "[[1i64, 2], [3, 4]]") == "[2][2]i64:\n[[1, 2],\n [3, 4]]");
  CHECK(round_trip("a.png", "[[0xFF000001u32, 0xFF000002]]") ==
        "[1][2]u32: [[4278190081, 4278190082]]");
  CHECK(round_trip("a.bin", "(1i32, [2f64])") == "(i32, [1]f64): (1, [2.0])");
  CHECK(round_trip("a.txt.gz", "(1i32, [2f64])") == "(i32, [1]f64): (1, [2.0])");
  CHECK(round_trip("a.wav", "[0.5f32, -0.5]") == "[1][2]f64: [[0.5, -0.5]]");
  CHECK_THROWS_AS(round_trip("a.unknown", "1"), FormatError);
  CHECK_THROWS_AS(round_trip("a.npy", "(1, 2)"), FormatError);
  write_file_bytes(folder.file("a.npz"), "PK\x03\x04 and nothing more");
  CHECK_THROWS_AS(read_data(folder.file("a.npz"), {}, session.memory(), session.representations()),
                  FormatError);
}

TEST_CASE("names of columns become names of the language") {
  CHECK(identifier_for("sepal length (cm)") == "sepal_length_cm");
  CHECK(identifier_for("2nd") == "x2nd");
  CHECK(identifier_for("type") == "type_1");
  CHECK(identifier_for("é") == "x");
  CHECK(identifier_for("") == "x");
}

TEST_CASE_FIXTURE(Fixture, "a value from outside is bound to a name") {
  Data data{ValueReader("[[1, 2, 3]]", session.memory(), session.representations()).read().value,
            session.representations().array(2, session.representations().scalar(ElementType::I32)),
            {}};
  CHECK(session.define("m", data.value, data.type).ok());
  CHECK(value("i32.sum (flatten m)").value.scalar().as<std::int32_t>() == 6);
  CHECK(value("m").type_text == "[1][3]i32");
  CHECK_FALSE(session.define("no name", data.value, data.type).ok());
  CHECK_FALSE(session.define("x = 1 def y", data.value, data.type).ok());
  CHECK_FALSE(session.define("if", data.value, data.type).ok());
  const Representation* empty =
      session.representations().array(1, session.representations().scalar(ElementType::F32));
  ArrayRef none = allocate_array(session.memory(), empty->array().element, Extents{0});
  CHECK(session.define("e", Value(none), empty).ok());
  CHECK(value("length e").value.scalar().as<std::int64_t>() == 0);
}

TEST_CASE("a picture in a terminal fits into its room") {
  Image image{100, 50, Pixels(5000, 0xFF336699)};
  setenv("TERM", "xterm-256color", 1);
  setenv("TMUX", "set", 1); // characters only
  std::string text = codecs().draw(image, {40, 10, false});
  auto lines = std::count(text.begin(), text.end(), '\n');
  CHECK(lines >= 5);
  CHECK(lines <= 10);
  CHECK_FALSE(codecs().draws_pixels());
}
