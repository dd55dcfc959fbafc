#include "repl/commands/guide.h"

#include "repl/data/read_options.h"

#include <algorithm>
#include <iterator>

namespace sinter::repl {

namespace {

constexpr Guide guides[] = {
    {"load", "A file of declarations, checked as a whole.  `:reload` loads it again.\n",
     ":save area.fut\n:load area.fut"},
    {"reload", "", ""},
    {"cd", "Without a folder the present one is shown; `~` is the home folder.\n", ":cd"},
    {"type", "", ":type map (+ 1)"},
    {"doc", "Names of values, with their modules: `map`, `f64.sqrt`.  `?map` asks the same.\n",
     ":doc reduce"},
    {"source", "", "def twice (x: i64) = 2 * x\n:source twice"},
    {"browse", "", ":browse f64"},
    {"time", "The expression is evaluated once, and then again and again for half a second.\n",
     ":time f64.sum (map f64.i64 (iota 1000))"},
    {"explain", "", ":explain i64.sum (iota 100000)"},
    {"compare",
     "Options:\n"
     "  --wide            with 50 decimal digits as well\n"
     "  --wide=DIGITS     with so many\n",
     ":compare --wide f64.sum (map (\\i -> 1 / f64.i64 (i + 1)) (iota 100))"},
    {"why", "Without an expression: of the evaluation before.\n", ":why 1 + 1"},
    {"ir", "", ":ir i64.sum (iota 100000)"},
    {"asm", "", ":asm i64.sum (iota 100000)"},
    {"profile", "", "def slow (n: i64) = i64.sum (map (* 2) (iota n))\n:profile slow 1000"},
    {"ptx", "", ":ptx map (+ 1) (iota 100000)"},
    {"read",
     "The name is given to what the file holds; the file's name says what it is.\n"
     "What is found in a table is said in a line; options state it instead, and what raw elements "
     "are:\n",
     ":write \"numbers.npy\" [1.5f64, 2.5]\n:read numbers = \"numbers.npy\"\nf64.sum numbers",
     read_options_help},
    {"write", "", ":write \"squares.npy\" map (\\i -> i * i) (iota 10)"},
    {"show", "", ":show iota 100"},
    {"img",
     "Shapes:\n"
     "  [h][w]u32         colours 0xAARRGGBB\n"
     "  [h][w]u8          grey, 0 to 255\n"
     "  [h][w]f32, f64    grey, 0 to 1\n"
     "  [h][w]bool        black and white\n"
     "  [h][w][3]u8       red, green, blue\n"
     "Options:\n"
     "  -o FILE           write a PNG or GIF instead of showing it\n",
     ":img tabulate_2d 64 64 (\\y x -> f64.i64 (x + y) / 128)"},
    {"plot",
     "Shapes:\n"
     "  [n]t              values over 0, 1, 2, …\n"
     "  ([n]t, [n]t)      x and y; further arrays are y of further curves\n"
     "  [n](t, t)         points\n"
     "  {a = …, b = …}    each field as above, with its name in the legend\n"
     "  [k][n]t           a heat map\n"
     "Options:\n"
     "  --lines, --points, --histogram, --heat\n"
     "  --log x|y|xy      logarithmic axes\n"
     "  --bins N          of a histogram\n"
     "  --title TEXT, --xlabel TEXT, --ylabel TEXT\n"
     "  --legend \"a,b\"    the names of the curves\n"
     "  --size WxH        in pixels\n"
     "  -o FILE           write a PNG, SVG or text\n"
     "Texts with blanks stand in double quotes.\n",
     ":plot --xlabel \"time in s\" --ylabel \"height in m\" --legend ball "
     "(let t = map (\\i -> f64.i64 i / 10) (iota 20) in (t, map (\\t -> 5 * t * t) t))"},
    {"video",
     "Shapes: images [n][h][w]t as for `:img`, or (state -> (image, state), state, n).\n"
     "Options:\n"
     "  --fps N           frames in a second\n"
     "  --once            the film does not begin again\n"
     "  -o FILE           write a GIF\n",
     ":video -o blink.gif replicate 2 [[true, false], [false, true]]"},
    {"audio",
     "Shapes: [n]t, or [channels][n]t; floats from -1 to 1.\n"
     "Options:\n"
     "  --rate N          samples in a second (44100)\n"
     "  -o FILE           write a WAV, FLAC or Ogg Vorbis\n",
     ":audio -o tone.wav map (\\i -> f32.sin (f32.i64 i / 16)) (iota 4410)"},
    {"who", "", "def n = 3i64\n:who"},
    {"undo", "", "def n = 3i64\n:undo"},
    {"forget", "", "1 + 1\n:forget it1"},
    {"save",
     "The file is a script: `:restore FILE` brings the session back, `sinter FILE` shows "
     "its results.\n",
     "def n = 3i64\nn * n\n:save kept.fut"},
    {"restore", "", "def n = 3i64\n:save kept.fut\n:restore kept.fut\nn"},
    {"value", "A line of a saved session; the file lies beside it.\n", ""},
    {"results", "A line of a saved session.\n", ":results 2"},
    {"edit", "", ""},
    {"watch", "", ":watch on"},
    {"set", "`:set` lists the settings.\n", ":set width 100"},
    {"help", "", ":help plot"},
    {"quit", "", ":quit"},
};

} // namespace

const Guide* find_guide(std::string_view command) {
  const auto found = std::ranges::find(guides, command, &Guide::command);
  return found == std::end(guides) ? nullptr : &*found;
}

} // namespace sinter::repl
