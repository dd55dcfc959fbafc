#include "repl/kernel/kernel.h"

#include "repl/kernel/html.h"

#include <doctest/doctest.h>

using namespace sinter::repl;

namespace {

/// Keeps what a cell shows.
struct Kept : CellOutput {
  void stream(Stream stream, std::string_view text) override {
    (stream == Stream::Out ? out : error) += text;
  }
  void display(const MimeBundle& bundle, std::string_view description) override {
    displays.push_back(bundle);
    descriptions.emplace_back(description);
  }
  void result(const MimeBundle& bundle) override { results.push_back(bundle); }

  std::string out, error;
  std::vector<MimeBundle> displays, results;
  std::vector<std::string> descriptions;
};

std::string form(const MimeBundle& bundle, std::string_view type) {
  for (const auto& [name, contents] : bundle)
    if (name == type) return contents;
  return {};
}

struct KernelRun {
  explicit KernelRun(Kernel& kernel, std::string_view cell) : error(kernel.execute(cell, kept)) {}
  std::string html() const {
    return kept.results.empty() ? "" : form(kept.results.front(), "text/html");
  }
  Kept kept;
  std::optional<CellError> error;
};

} // namespace

TEST_CASE("a cell's last value is its result, the others are shown") {
  Kernel kernel({});
  KernelRun run(kernel, "1\n:type 2\n3");
  CHECK_FALSE(run.error);
  REQUIRE(run.kept.displays.size() == 1);
  REQUIRE(run.kept.results.size() == 1);
  CHECK(form(run.kept.results[0], "text/plain") == "i32: 3");
  CHECK(run.kept.out == "2 : i32\n");
}

TEST_CASE("a cell ends at its first error, which knows the line") {
  Kernel kernel({});
  KernelRun run(kernel, "let a = 1\n\n[1][a]\n2");
  REQUIRE(run.error);
  CHECK(run.kept.results.empty());
  CHECK(run.error->lines.front().find(":3:") != std::string::npos);
  CHECK(run.error->summary.find("\n") == std::string::npos);
  CHECK_FALSE(KernelRun(kernel, "a").error);
}

TEST_CASE("warnings are shown where nothing fails") {
  Kernel kernel({});
  KernelRun run(kernel, "def f (x: i32): i32 = ???");
  CHECK_FALSE(run.error);
  CHECK(run.kept.error.find("Hole") != std::string::npos);
}

TEST_CASE("scalars are plain, arrays are tables with type and shape") {
  Kernel kernel({});
  CHECK(KernelRun(kernel, "1.5").html().empty());
  CHECK(KernelRun(kernel, "()").html().empty());
  CHECK(KernelRun(kernel, "\\x -> x + 1").html().empty());
  const std::string matrix = KernelRun(kernel, "[[1, 2], [3, 4]]").html();
  CHECK(matrix.find("[2][2]i32") != std::string::npos);
  CHECK(KernelRun(kernel, "[] : [0]i32").html().find("empty") != std::string::npos);
}

TEST_CASE("long dimensions are left out in the middle") {
  Kernel kernel({});
  const std::string matrix = KernelRun(kernel, "tabulate_2d 500 600 (\\i j -> i * j)").html();
  CHECK(matrix.find("[500][600]i64") != std::string::npos);
  CHECK(matrix.find("⋱") != std::string::npos);
  CHECK(matrix.find(">298901<") != std::string::npos); // the last element: 499 * 599
  CHECK(matrix.size() < 60000);
  const std::string run = KernelRun(kernel, "iota 100000").html();
  CHECK(run.find(">99999<") != std::string::npos);
  CHECK(run.find("⋮") != std::string::npos);
}

TEST_CASE("records are rows, arrays of records have a column for each field") {
  Kernel kernel({});
  const std::string record = KernelRun(kernel, "{first = 1, second = [2, 3]}").html();
  CHECK(record.find(">second</th>") != std::string::npos);
  const std::string frame =
      KernelRun(kernel, "map (\\i -> {index = i, square = i * i}) (iota 30)").html();
  CHECK(frame.find(">square</th>") != std::string::npos);
  CHECK(frame.find(">841<") != std::string::npos);
}

TEST_CASE("a record of columns is a table in the order of its source") {
  Kernel kernel({});
  const std::string table =
      KernelRun(kernel, "{width = [1.5, 2], kind = [1i64, 0], kind_words = [\"<b>\", \"abc\"]}")
          .html();
  const std::string names = table.substr(table.find("<table>"));
  CHECK(names.find(">width</th>") < names.find(">kind</th>"));
  CHECK(names.find("kind_words") == std::string::npos);
  CHECK(names.find("<em>f64</em>") < names.find("<em>words</em>"));
  CHECK(names.find("&lt;b&gt;") != std::string::npos);
  const std::string dates =
      KernelRun(kernel, "{day = [19782i64], day_unit = \"days since 1970-01-01\", y = [3]}").html();
  CHECK(dates.find("2024-02-29") != std::string::npos);
  CHECK(dates.find(">day_unit<") == std::string::npos);
  const std::string name = dates.substr(0, dates.find(">day</th>")); // stands as the dates do
  CHECK(name.substr(name.rfind('<')).find("left") != std::string::npos);
  const std::string rows = KernelRun(kernel, "{i = iota 1000, j = iota 1000}").html();
  CHECK(rows.find("⋮") != std::string::npos);
  CHECK(rows.find(">999<") != std::string::npos);
}

TEST_CASE("higher ranks are labelled planes") {
  Kernel kernel({});
  const std::string html = KernelRun(kernel, "replicate 3 (replicate 2 [1, 2])").html();
  CHECK(html.find("[2]</div><table>") != std::string::npos);
}

TEST_CASE("no name and no type becomes an element") {
  CHECK(escaped("<a href=\"x\" title='&'>") ==
        "&lt;a href=&quot;x&quot; title=&#39;&amp;&#39;&gt;");
  Kernel kernel({});
  const std::string html = KernelRun(kernel, "(\\x -> x + 1i32, [1])").html();
  CHECK(html.find("i32 -&gt; i32") != std::string::npos);
  CHECK(html.find("<function") == std::string::npos);
}

TEST_CASE("binary media are base 64") {
  CHECK(base64("") == "");
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64(std::string("\0\xff\x10", 3)) == "AP8Q");
}

TEST_CASE("media go by their types") {
  NotebookPresenter presenter;
  Kept kept;
  presenter.begin(kept, true);
  presenter.media({"image/png", "foo", "a picture"});
  presenter.media({"image/svg+xml", "<svg/>", "a plot"});
  presenter.media({"audio/wav", "foo", "a <sound>"});
  presenter.media({"image/gif", "foo", "a <film>"});
  CHECK(presenter.finish(false).empty());
  REQUIRE(kept.displays.size() == 4);
  CHECK(kept.descriptions ==
        std::vector<std::string>{"a picture", "a plot", "a <sound>", "a <film>"});
  CHECK(form(kept.displays[3], "text/html") ==
        "<img alt=\"a &lt;film&gt;\" src=\"data:image/gif;base64,Zm9v\">");
  CHECK(form(kept.displays[0], "image/png") == "Zm9v");
  CHECK(form(kept.displays[0], "text/plain") == "a picture");
  CHECK(form(kept.displays[1], "image/svg+xml") == "<svg/>");
  CHECK(form(kept.displays[2], "text/html").find("&lt;sound&gt;") != std::string::npos);
}

TEST_CASE("names are inspected as `:doc` shows them") {
  Kernel kernel({});
  KernelRun(kernel, "-- | Twice.\ndef double (x: i32) = 2 * x");
  CHECK(kernel.inspect("double 3", 2).value().find("Twice.") != std::string::npos);
  CHECK(kernel.inspect("1 + double (", 12).value().find("Twice.") != std::string::npos);
  CHECK_FALSE(kernel.inspect("unknown", 3));
  CHECK_FALSE(kernel.inspect("", 0));
  CHECK_FALSE(kernel.inspect(" ", 99));
}

TEST_CASE("a break shows its place and its variables, and the cell goes on") {
  Kernel kernel({});
  KernelRun run(kernel, "let f (x: i64) = let y = x * 2 in #[break] (x + y)\nf 5");
  CHECK_FALSE(run.error);
  CHECK(run.kept.error == "break at <prompt>:1:45-49, where a prompt would stop:\n"
                          "  x = 5i64\n  y = 10i64\n");
  REQUIRE(run.kept.results.size() == 1);
  CHECK(form(run.kept.results[0], "text/plain") == "i64: 15");
}

TEST_CASE("of many breaks the first are shown, and each input counts its own") {
  auto times = [](const std::string& text, const std::string& part) {
    std::size_t count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
      ++count;
    return count;
  };
  Kernel kernel({});
  const std::string many = "map (\\x -> #[break] (x + 1)) (iota 1000)";
  for (const std::string& cell : {many, many}) {
    const KernelRun run(kernel, cell);
    CHECK_FALSE(run.error);
    CHECK(times(run.kept.error, "break at") == 10);
    CHECK(times(run.kept.error, "in silence") == 1);
    CHECK(run.kept.error.find("  x = 9i64\n") != std::string::npos);
  }
  const KernelRun two(kernel, many + "\n#[break] 1");
  CHECK(times(two.kept.error, "break at") == 11);
}
