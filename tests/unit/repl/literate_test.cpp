#include "repl/display/progress_line.h"
#include "repl/literate/document.h"
#include "repl/literate/writer.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace sinter;
using namespace sinter::repl;

TEST_CASE("a script is cut into prose, code and directives") {
  auto blocks = blocks_of("-- # Title\n--\n-- Prose.\n\n-- | What x is.\ndef x = 1\n-- inside\n"
                          "def y = 2\n\n-- > x\n\n-- ==\n-- input { } output { 1 }\n\ndef z = 3\n"
                          "\n-- > :brief :img z;\n-- file: a.png\n\n-- The end.\n");
  REQUIRE(blocks.size() == 6);
  CHECK(blocks[0].kind == Block::Kind::Prose);
  CHECK(blocks[0].text == "# Title\n\nProse.\n");
  CHECK(blocks[1].kind == Block::Kind::Code);
  CHECK(blocks[1].text == "-- | What x is.\ndef x = 1\n-- inside\ndef y = 2\n");
  CHECK(blocks[2].kind == Block::Kind::Directive);
  CHECK(blocks[2].directive.text == "x");
  CHECK(blocks[3].text == "def z = 3\n");
  CHECK(blocks[4].directive.brief);
  CHECK(blocks[4].directive.command == "img");
  CHECK(blocks[4].directive.expression() == "z");
  CHECK(blocks[4].directive.parameters() == std::vector<std::string>{"file: a.png"});
  CHECK(blocks[5].text == "The end.\n");
}

TEST_CASE("a directive's expression ends with a semicolon, its parameters follow") {
  auto blocks = blocks_of("-- > :gnuplot {a = f 1,\n--   b = 2};\n-- set grid;\n-- plot a\n");
  REQUIRE(blocks.size() == 1);
  CHECK(blocks[0].directive.expression() == "{a = f 1,\n     b = 2}");
  CHECK(blocks[0].directive.parameters() == std::vector<std::string>{"set grid;", "plot a"});
  auto covert = blocks_of("-- > :covert 1 + 2\n");
  REQUIRE(covert.size() == 1);
  CHECK(covert[0].directive.covert);
  CHECK(covert[0].directive.command.empty());
  CHECK(covert[0].directive.text == "1 + 2");
}

TEST_CASE("nothing of a script becomes markup of the page") {
  std::unique_ptr<DocumentWriter> page = html_writer("<a> & b");
  page->prose("See <script>alert(1)</script> and [this](javascript:alert(1)).");
  page->code("a < b && c");
  page->value("</pre><script>");
  page->failure("\"<img onerror=x>\"");
  page->media({"image/png", "\x01\x02\x03\x04", "<picture>\""}, "");
  std::string html = page->finish();
  CHECK(html.find("<title>&lt;a&gt; &amp; b</title>") != std::string::npos);
  CHECK(html.find("<script") == std::string::npos);
  CHECK(html.find("javascript:") == std::string::npos);
  CHECK(html.find("<img onerror") == std::string::npos);
  CHECK(html.find("a &lt; b &amp;&amp; c") != std::string::npos);
  CHECK(html.find("alt=\"&lt;picture&gt;&quot;\" src=\"data:image/png;base64,AQIDBA==\"") !=
        std::string::npos);
}

TEST_CASE("a fence is longer than those that it encloses") {
  std::unique_ptr<DocumentWriter> document = markdown_writer("unused", "unused");
  document->value("```\n````x");
  CHECK(document->finish() == "`````\n```\n````x\n`````\n\n");
}

TEST_CASE("progress is told with a rate and the time left where the amount is known") {
  CHECK(progress_text("evaluating", 0, 0, "", 12.2) == "evaluating  12 s");
  CHECK(progress_text("streaming", 460, 0, "MB", 2) == "streaming 460 MB  230 MB/s  2 s");
  CHECK(progress_text("testing", 5, 20, "cases", 10) ==
        "testing 5/20 cases [#####···············]  0.5/s  30 s left");
  CHECK(progress_text("testing", 0, 20, "cases", 61) ==
        "testing 0/20 cases [····················]  1 min 1 s");
}

TEST_CASE("a page looks as a notebook does") {
  std::unique_ptr<DocumentWriter> page = html_writer("page");
  page->code("def x = 1i32 -- one");
  page->directive("> :type x\n");
  const std::string html = page->finish();
  CHECK(html.find("<span class=\"keyword\">def</span> x = <span class=\"number\">1i32</span> "
                  "<span class=\"comment\">-- one</span>") != std::string::npos);
  CHECK(html.find("&gt; <span class=\"command\">:type</span> x") != std::string::npos);

  const tests::TemporaryFolder folder;
  const std::string script = folder.file("page.fut");
  std::ofstream(script) << "def matrix = tabulate_2d 30 30 (\\i j -> i * j)\n\n-- > matrix\n\n"
                           "-- > :type matrix\n-- > :cd\n";
  page = html_writer("page");
  const auto complain = [](const std::string&) {};
  CHECK(DocumentConsole({}, complain).obey(script, false, *page).is_whole);
  const std::string shown = page->finish();
  CHECK(shown.find("<code>[30][30]i64</code></div><table>") != std::string::npos);
  CHECK(shown.find("<pre class=\"value\">matrix : ") != std::string::npos);

  std::unique_ptr<DocumentWriter> text = markdown_writer("unused", "unused");
  CHECK(DocumentConsole({}, complain).obey(script, false, *text).is_whole);
  std::istringstream lines(text->finish());
  for (std::string line; std::getline(lines, line);)
    CHECK_MESSAGE(std::ranges::count_if(line, [](char c) { return (c & 0xC0) != 0x80; }) <= 80,
                  line); // nothing to scroll
}
