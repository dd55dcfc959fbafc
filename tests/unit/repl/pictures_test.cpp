#include "lang/base/interruptible.h"
#include "lang/base/runtime_error.h"
#include "repl/data/data.h"
#include "repl/data/identifiers.h"
#include "repl/display/display.h"
#include "repl/pictures/codecs.h"
#include "repl/pictures/media.h"
#include "repl/session/session.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

using namespace sinter;
using namespace sinter::repl;

namespace {

/// What the library that encodes decodes: libpng's own reading judges what was written.
struct PictureSession {
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

} // namespace

TEST_CASE_FIXTURE(PictureSession, "each type of image has its pixels") {
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

TEST_CASE_FIXTURE(PictureSession, "what is no image says so") {
  CHECK(failure("[[1i64]]").starts_with("a value of type [][]i64 is no image; images are "));
  CHECK(failure("3").starts_with("a value of type i32 is no image"));
  CHECK(failure("replicate 0 (replicate 3 1u8)") == "the image is empty: its shape is [0][3]");
  CHECK(failure("[[[1u8, 2]]]") ==
        "an array of shape [1][1][2] is no image: a pixel has 3 or 4 channels");
}

TEST_CASE_FIXTURE(PictureSession, "videos of arrays and of steps have their frames") {
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

TEST_CASE_FIXTURE(PictureSession, "sounds come back from WAV as they were") {
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

TEST_CASE_FIXTURE(PictureSession, "plots know their series") {
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
  CHECK(series("{day = [0i64, 2], day_unit = \"days since 1970-01-01\", y = [3, 4]}") ==
        "y: 0,3 172800,4;");
  CHECK(series("([1, 2], [3, 4], [5, 6])") == "1: 1,3 2,4;2: 1,5 2,6;");
  CHECK(series("[(1, 2), (3, 4)]") == ": 1,2 3,4;");
  CHECK(series("{up = [1, 2], down = ([5, 6], [2, 1])}") == "down: 5,2 6,1;up: 0,1 1,2;");
  CHECK(series("[[1, 2], [3, 4]]") == "0: 0,1 1,2;1: 0,3 1,4;");
  CHECK_THROWS_AS(series("([1, 2], [3])"), FormatError);
  CHECK_THROWS_AS(series("true"), FormatError);
}

TEST_CASE_FIXTURE(PictureSession, "gnuplot draws pixels, vectors and characters") {
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

TEST_CASE_FIXTURE(PictureSession, "axes go as far as what is shown, and are labelled") {
  if (std::system("command -v gnuplot >/dev/null") != 0) return;
  const auto drawn = [&](const std::string& expression, const PlotOptions& options) {
    const Outcome outcome = value(expression);
    return plot(outcome.value, outcome.representation, options, Drawing::Svg);
  };
  const auto has = [](const std::string& svg, const std::string& part) {
    return svg.find(part) != std::string::npos;
  };
  PlotOptions histogram;
  histogram.kind = PlotOptions::Kind::Histogram;
  std::string svg = drawn("map (\\i -> u8.i64 (i % 256)) (iota 1024)", histogram);
  CHECK_FALSE(has(svg, "-50<"));
  CHECK_FALSE(has(svg, " 300<"));
  CHECK(has(svg, ">count<"));
  histogram.log_x = true;
  CHECK(has(drawn("map (\\i -> 10f64 ** f64.i64 (i % 7)) (iota 100)", histogram), "100000"));
  CHECK_THROWS_AS(drawn("[-1f64, 0]", histogram), FormatError);
  PlotOptions lines;
  lines.x_label = "time in s";
  lines.legend = {"up", "down"};
  svg = drawn("{a = [1f64, 2], b = [2f64, 1]}", lines);
  for (const char* part : {">time in s<", ">up<", ">down<"})
    CHECK_MESSAGE(has(svg, part), part);
  CHECK_FALSE(has(svg, ">a<"));
  // The legend stands above the drawing, where it hides no curve.
  const auto height = [&](const std::string& label) {
    const std::string before = svg.substr(0, svg.find(label));
    const std::size_t place = before.rfind("translate(");
    return std::stod(before.substr(before.find(',', place) + 1));
  };
  REQUIRE(has(svg, "> 2<"));
  CHECK(height(">up<") < height("> 2<"));
  CHECK(height(">down<") < height("> 2<"));
  svg = drawn("{day = [0i64, 40], day_unit = \"days since 1970-01-01\", y = [3, 4]}", {});
  for (const char* part : {">1970-01-0", ">day<"})
    CHECK_MESSAGE(has(svg, part), part);
  CHECK(has(drawn("[1f64, 2]", {}), ">index<"));
  CHECK(names_in_list("a, b c") == std::vector<std::string>{"a", "b c"});
  CHECK_THROWS_AS(drawn("[1f64, 2]", lines), FormatError); // two names for one curve
}

TEST_CASE_FIXTURE(PictureSession, "files give back what was written") {
  const tests::TemporaryFolder folder;
  auto round_trip = [&](const char* name, const std::string& expression) {
    Outcome outcome = value(expression);
    write_data(folder.file(name), outcome.value, outcome.representation, outcome.order);
    Data data = read_data(folder.file(name), {}, session.memory(), session.representations());
    return display_result(type_text(data.type, data.value, data.order), data.value, data.type, {},
                          data.order);
  };
  CHECK(round_trip("a.npy", "[[1i16, 2], [3, 4]]") == "[2][2]i16:\n[[1, 2],\n [3, 4]]");
  CHECK(round_trip("a.npy.gz", "[1f32]") == "[1]f32: [1.0]");
  CHECK(round_trip("a.npz", "{b = [1u8, 2], a = 7i64}") ==
        "{b: [2]u8, a: i64}: {b = [1, 2], a = 7}");
  CHECK(round_trip("c.npy", "[(1f64, 2f64), (3, 4)]") == "[2](f64, f64): [(1.0, 2.0), (3.0, 4.0)]");
  CHECK(round_trip("a.csv", "{b = [1i64, 2], a = [0.5, f64.nan]}") == "{b: [2]i64, a: [2]f64}:\n"
                                                                      "     b    a\n"
                                                                      "   i64  f64\n"
                                                                      "0    1  0.5\n"
                                                                      "1    2  nan");
  for (const char* name : {"a.npy.bz2", "a.npy.xz", "a.npy.zst", "a.npy.ZSTD"})
    CHECK(round_trip(name, "[1f32]") == "[1]f32: [1.0]");
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
  CHECK(identifier_for("Größe in m²") == "Groesse_in_m2");
  CHECK(identifier_for("Gro\u0308ße") == "Groesse"); // the mark stands behind its letter
  CHECK(identifier_for("é") == "e");
  CHECK(identifier_for("e\u0301") == "e");
  CHECK(identifier_for("Đặng Łódź") == "Dang_Lodz");
  CHECK(identifier_for("Δt") == "Delta_t");
  CHECK(identifier_for("x_µm") == "x_mu_m");
  CHECK(identifier_for("αβ") == "alpha_beta");
  CHECK(identifier_for("CO₂ (‰)") == "CO2");
  CHECK(identifier_for("Жизнь") == "Zhiznx");
  CHECK(identifier_for("年") == "u5e74");
  CHECK(identifier_for("月") == "u6708");
  CHECK(identifier_for("😀") == "u1f600");
  CHECK(identifier_for("a – b…") == "a_b");
  CHECK(identifier_for("\xE9t\xE9") == "ete"); // Latin-1
  CHECK(identifier_for("") == "x");
}

TEST_CASE_FIXTURE(PictureSession, "a value from outside is bound to a name") {
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

namespace {

/// Terminals tell what they are by the environment; while it lives it is another one.
class AtTerminal {
public:
  explicit AtTerminal(const char* type, const char* multiplexer = nullptr) {
    set("TERM", type);
    set("TMUX", multiplexer);
    for (const char* name : {"STY", "COLORTERM", "KITTY_PID", "VTE_VERSION", "TERM_PROGRAM"})
      set(name, nullptr);
  }
  ~AtTerminal() {
    for (const auto& [name, value] : before_)
      put(name, value ? value->c_str() : nullptr);
  }
  AtTerminal(const AtTerminal&) = delete;
  AtTerminal& operator=(const AtTerminal&) = delete;

private:
  static void put(const char* name, const char* value) {
    if (value)
      setenv(name, value, 1);
    else
      unsetenv(name);
  }
  void set(const char* name, const char* value) {
    const char* before = std::getenv(name);
    before_.emplace_back(name, before ? std::optional<std::string>(before) : std::nullopt);
    put(name, value);
  }
  std::vector<std::pair<const char*, std::optional<std::string>>> before_;
};

/// The number at the beginning, which is taken off.
int take_number(std::string_view& text) {
  int number = 0;
  while (!text.empty() && text[0] >= '0' && text[0] <= '9') {
    number = number * 10 + (text[0] - '0');
    text.remove_prefix(1);
  }
  return number;
}

/// What a terminal makes of sixels (DEC STD 070): `ESC P … q`, then `"` and the size, `#` and a
/// colour or its definition in percent, `!` and a count, `$` and `-` for a new pass and a new band,
/// and six pixels in each other character.
Image decoded_sixels(std::string_view text) {
  text.remove_prefix(std::min(text.find('q', text.find("\033P")) + 1, text.size()));
  text = text.substr(0, text.find("\033\\"));
  Image image;
  std::map<int, std::uint32_t> colors;
  int color = 0, count = 1;
  std::int64_t x = 0, y = 0;
  while (!text.empty()) {
    const char c = text[0];
    text.remove_prefix(1);
    std::vector<int> numbers;
    if (c == '"' || c == '#' || c == '!') {
      numbers.push_back(take_number(text));
      while (text.starts_with(';')) {
        text.remove_prefix(1);
        numbers.push_back(take_number(text));
      }
    }
    if (c == '"') {
      REQUIRE(numbers.size() == 4);
      image = {numbers[2], numbers[3],
               Pixels(static_cast<std::size_t>(numbers[2]) * static_cast<std::size_t>(numbers[3]))};
    } else if (c == '#') {
      color = numbers[0];
      if (numbers.size() == 5) {
        std::uint32_t argb = 0xFF;
        for (int part = 2; part < 5; ++part)
          argb = argb << 8 | static_cast<std::uint32_t>((numbers[part] * 255 + 50) / 100);
        colors[color] = argb;
      }
    } else if (c == '!') {
      count = numbers[0];
    } else if (c == '$') {
      x = 0;
    } else if (c == '-') {
      x = 0;
      y += 6;
    } else if (c >= '?' && c <= '~') {
      for (; count > 0; --count, ++x)
        for (int bit = 0; bit < 6; ++bit)
          if (((c - '?') >> bit & 1) != 0 && x < image.width && y + bit < image.height)
            image.pixels[static_cast<std::size_t>((y + bit) * image.width + x)] = colors.at(color);
      count = 1;
    }
  }
  return image;
}

/// What a terminal makes of kitty's protocol: `ESC _ G keys ; base64 ESC \`, in pieces.
Image decoded_kitty(std::string_view text) {
  Image image;
  std::string bytes;
  while (true) {
    const std::size_t begin = text.find("\033_G");
    if (begin == std::string_view::npos) break;
    text.remove_prefix(begin + 3);
    const std::string_view piece = text.substr(0, text.find("\033\\"));
    const std::string_view keys = piece.substr(0, piece.find(';'));
    for (std::string_view key : {"s=", "v="})
      if (std::size_t at = keys.find(key); at != std::string_view::npos) {
        std::string_view number = keys.substr(at + 2);
        (key == "s=" ? image.width : image.height) = take_number(number);
      }
    if (keys.size() == piece.size()) continue;
    std::uint32_t bits = 0;
    int bit_count = 0;
    for (char c : piece.substr(keys.size() + 1)) {
      constexpr std::string_view alphabet =
          "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
      const std::size_t value = alphabet.find(c);
      if (value == std::string_view::npos) continue; // padding
      bits = bits << 6 | static_cast<std::uint32_t>(value);
      bit_count += 6;
      if (bit_count >= 8) bytes += static_cast<char>(bits >> (bit_count -= 8) & 0xFF);
    }
  }
  REQUIRE(bytes.size() == static_cast<std::size_t>(image.width * image.height * 4));
  for (std::size_t i = 0; i + 3 < bytes.size(); i += 4) {
    auto part = [&](std::size_t at) {
      return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[i + at]));
    };
    image.pixels.push_back(part(3) << 24 | part(0) << 16 | part(1) << 8 | part(2));
  }
  return image;
}

/// Whether the four quarters of a picture have these colours in their middle, but for rounding.
bool has_quarters(const Image& image, const Pixels& colors) {
  for (int quarter = 0; quarter < 4; ++quarter) {
    const std::int64_t x = image.width * (quarter % 2 == 0 ? 1 : 3) / 4;
    const std::int64_t y = image.height * (quarter / 2 == 0 ? 1 : 3) / 4;
    const std::uint32_t color = image.pixels.at(static_cast<std::size_t>(y * image.width + x));
    for (int shift = 0; shift < 32; shift += 8) {
      constexpr int percent = 3; // sixels give colours in percent
      const int is = static_cast<int>(color >> shift & 0xFF);
      const int wanted =
          static_cast<int>(colors[static_cast<std::size_t>(quarter)] >> shift & 0xFF);
      if (std::abs(is - wanted) > percent) return false;
    }
  }
  return true;
}

/// Four quarters of a colour each.
Image quarters(const Pixels& colors) {
  Image image{20, 10, {}};
  for (int y = 0; y < 10; ++y)
    for (int x = 0; x < 20; ++x)
      image.pixels.push_back(colors[static_cast<std::size_t>(y / 5 * 2 + x / 10)]);
  return image;
}
const Pixels four_colors{0xFFFF0000, 0xFF00FF00, 0xFF0000FF, 0xFFFFFFFF};

} // namespace

TEST_CASE("a picture in a terminal fits into its room") {
  const AtTerminal characters("xterm-256color", "in a multiplexer");
  const DrawnPicture drawn =
      codecs().draw({100, 50, Pixels(5000, 0xFF336699)}, {40, 10, false, 8, 16});
  CHECK(std::count(drawn.text.begin(), drawn.text.end(), '\n') == drawn.rows);
  CHECK(drawn.rows >= 5);
  CHECK(drawn.rows <= 10);
  CHECK_FALSE(codecs().draws_pixels({}));
}

TEST_CASE("sixels show the picture, no wider than the room has pixels") {
  const AtTerminal sixels("mlterm");
  REQUIRE(codecs().draws_pixels({}));
  for (int cell_width : {6, 10}) {
    const DrawnPicture drawn =
        codecs().draw(quarters(four_colors), {12, 40, true, cell_width, 2 * cell_width});
    const Image shown = decoded_sixels(drawn.text);
    CHECK(shown.width == 12 * cell_width);
    CHECK(shown.height == 6 * cell_width);
    CHECK(drawn.rows == 3);
    CHECK(has_quarters(shown, four_colors));
  }
}

TEST_CASE("a terminal that tells of sixels is sent them, but not through a multiplexer") {
  TerminalRoom room{12, 40, true, 8, 16};
  room.has_sixels = true;
  {
    const AtTerminal xterm("xterm");
    REQUIRE(codecs().draws_pixels(room));
    CHECK(
        has_quarters(decoded_sixels(codecs().draw(quarters(four_colors), room).text), four_colors));
  }
  const AtTerminal multiplexed("xterm", "in a multiplexer");
  CHECK_FALSE(codecs().draws_pixels(room));
}

TEST_CASE("kitty's protocol shows the picture") {
  const AtTerminal kitty("xterm-kitty");
  REQUIRE(codecs().draws_pixels({}));
  const DrawnPicture drawn = codecs().draw(quarters(four_colors), {12, 40, true, 8, 16});
  CHECK(drawn.rows == 3);
  CHECK(has_quarters(decoded_kitty(drawn.text), four_colors));
}

TEST_CASE("pictures, sounds and archives are read and written until they are interrupted") {
  Image image{.width = 700, .height = 500};
  for (std::uint32_t i = 0; i < 700 * 500; ++i)
    image.pixels.push_back(0xFF000000u | i * 2654435761u >> 8);
  Sound sound{.rate = 8000, .channels = 2, .samples = {}};
  for (int i = 0; i < 100'000; ++i)
    sound.samples.push_back(i % 100 / 100.0);
  std::string contents;
  for (std::uint32_t i = 0; i < 300'000; ++i)
    contents += static_cast<char>(i * 2654435761u >> 24);
  const std::vector<ArchiveMember> members = {{"a", contents}};
  const auto film = [&] {
    int left = 2;
    return codecs().write_gif([&] { return left-- > 0 ? std::optional(image) : std::nullopt; }, {});
  };
  const std::string png = codecs().write_png(image), gif = film(),
                    wav = codecs().write_sound(sound, "wav"), zip = codecs().write_archive(members);
  CHECK(codecs().read_png(png).pixels == image.pixels);
  CHECK(codecs().read_gif(gif).size() == 2);
  CHECK(codecs().read_sound(wav).samples.size() == sound.samples.size());
  CHECK(codecs().read_archive(zip, 1 << 20).front().second == contents);

  InterruptSource source;
  const Interruptible here(source);
  source.raise(InterruptSource::Reason::Interrupt);
  CHECK_THROWS_AS(codecs().write_png(image), RuntimeError);
  CHECK_THROWS_AS(codecs().read_png(png), RuntimeError);
  CHECK_THROWS_AS(film(), RuntimeError);
  CHECK_THROWS_AS(codecs().read_gif(gif), RuntimeError);
  for (const char* format : {"wav", "flac", "ogg"})
    CHECK_THROWS_AS(codecs().write_sound(sound, format), RuntimeError);
  CHECK_THROWS_AS(codecs().read_sound(wav), RuntimeError);
  CHECK_THROWS_AS(codecs().write_archive(members), RuntimeError);
  CHECK_THROWS_AS(codecs().read_archive(zip, 1 << 20), RuntimeError);
}

namespace {

/// What ends each chunk of a PNG file: ISO 3309's check of its type and contents.
std::uint32_t chunk_check(std::string_view bytes) {
  std::uint32_t check = ~0u;
  for (const char byte : bytes) {
    check ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit)
      check = check >> 1 ^ (check & 1 ? 0xEDB88320u : 0);
  }
  return ~check;
}

std::string big_endian(std::uint32_t number) {
  std::string bytes;
  for (const int shift : {24, 16, 8, 0})
    bytes += static_cast<char>(number >> shift);
  return bytes;
}

/// A PNG file whose header tells of another size.
std::string with_size(std::string png, std::uint32_t width, std::uint32_t height) {
  constexpr std::size_t type = 12, size = 16, check = 29;
  png.replace(size, 8, big_endian(width) + big_endian(height));
  png.replace(check, 4, big_endian(chunk_check(std::string_view(png).substr(type, check - type))));
  return png;
}

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const FormatError& error) {
    return error.what();
  }
  return "none";
}

} // namespace

TEST_CASE("pictures whose headers promise more than there is") {
  const Image image{2, 2, {0xFF000001, 0xFF000002, 0xFF000003, 0xFF000004}};
  const std::string png = codecs().write_png(image);
  REQUIRE(codecs().read_png(with_size(png, 2, 2)).pixels == image.pixels);
  CHECK(message_of([&] { codecs().read_png(with_size(png, 60'000, 60'000)); }) ==
        "the PNG image is empty or too large: 60000 x 60000 pixels");
  CHECK(message_of([&] {
          codecs().read_png(with_size(png, 300, 200));
        }).starts_with("the PNG image is damaged"));
  CHECK(message_of([&] {
          codecs().read_png(with_size(png, 0, 2));
        }).starts_with("this is not a valid PNG image"));

  bool is_left = true;
  const std::string gif = codecs().write_gif(
      [&] { return std::exchange(is_left, false) ? std::optional(image) : std::nullopt; }, {});
  for (const std::string& size : {std::string(4, '\xFF'), std::string(4, '\0')}) {
    std::string other = gif;
    other.replace(6, 4, size);
    CHECK(message_of([&] { codecs().read_gif(other); }) == "the GIF image is empty or too large");
  }
}

TEST_CASE("packing stops within a member, however small it becomes") {
  const std::vector<ArchiveMember> members = {{"zeros", std::string(6 << 20, '\0')}};
  const auto begin = std::chrono::steady_clock::now();
  REQUIRE(codecs().write_archive(members).size() < 8192);
  const auto taken = std::chrono::steady_clock::now() - begin;
  InterruptSource source;
  bool was_interrupted = false;
  for (int attempt = 0; attempt < 200 && !was_interrupted; ++attempt) {
    const Interruptible here(source);
    std::thread key([&] {
      std::this_thread::sleep_for(taken / 3);
      source.raise(InterruptSource::Reason::Interrupt);
    });
    try {
      codecs().write_archive(members);
    } catch (const RuntimeError& error) {
      was_interrupted = error.kind == FailureKind::Interrupted;
    }
    key.join();
    source.clear();
  }
  CHECK(was_interrupted);
}
