#include "lang/values/format.h"
#include "src/packages/lock.h"
#include "src/packages/selection.h"

#include <doctest/doctest.h>

#include <map>

using namespace sinter;
using namespace sinter::packages;

namespace {

Version version(std::string_view text) {
  return *Version::parse(text);
}

std::string failure(std::string_view text) {
  try {
    Manifest::parse(text, "futhark.pkg");
    return "no error";
  } catch (const FormatError& error) {
    return error.message;
  }
}

} // namespace

TEST_CASE("versions are ordered as semantic versioning says") {
  const char* ascending[] = {"0.0.9",   "0.1.0",     "1.0.0-1",   "1.0.0-2",      "1.0.0-11",
                             "1.0.0-a", "1.0.0-a.1", "1.0.0-a.b", "1.0.0-beta.2", "1.0.0-rc.1",
                             "1.0.0",   "1.0.1",     "1.2.0",     "1.10.0",       "2.0.0"};
  for (std::size_t i = 0; i + 1 < std::size(ascending); ++i) {
    CHECK(version(ascending[i]) < version(ascending[i + 1]));
    CHECK(version(ascending[i]).text() == ascending[i]);
  }
  CHECK(version("1.0.0+a") == version("1.0.0+b"));
  for (const char* wrong : {"", "1", "1.0", "1.0.0.0", "v1.0.0", "01.0.0", "1.0.0-", "1.0.0-a..b",
                            "1.0.-1", "1.0.99999999999999999999", "1.0.0 "})
    CHECK_MESSAGE(!Version::parse(wrong), wrong);
}

TEST_CASE("paths of packages are folders and ends of addresses") {
  CHECK(Path::parse("github.com/user/name")->repository() == "github.com/user/name");
  CHECK(Path::parse("github.com/user/name@2")->repository() == "github.com/user/name");
  CHECK(Path::parse("a.b/c/")->text == "a.b/c");
  CHECK(Path::parse("a.b/c")->takes(version("1.9.9")));
  CHECK(!Path::parse("a.b/c")->takes(version("2.0.0")));
  CHECK(Path::parse("a.b/c@2")->takes(version("2.0.0")));
  CHECK(!Path::parse("a.b/c@2")->takes(version("3.0.0")));
  for (const char* wrong : {"", "name", "/a/b", "a/../b", "a/b//", "a//b", "-a/b", "a/b@1", "a/b@x",
                            "https://a.b/c", "a/b c", "a/.git"})
    CHECK_MESSAGE(!Path::parse(wrong), wrong);
}

TEST_CASE("a manifest is read and written with its comments") {
  const std::string text = "-- what this is\n"
                           "package a.b/mine\n\n"
                           "-- others\n"
                           "require {\n"
                           "  -- why\n"
                           "  a.b/c 0.1.0 #0123abcd -- behind\n"
                           "  a.b/d@2 2.0.1\n"
                           "  -- last\n"
                           "}\n"
                           "-- end\n";
  Manifest manifest = Manifest::parse(text, "futhark.pkg");
  CHECK(manifest.text() == text);
  REQUIRE(manifest.requirements().size() == 2);
  CHECK(manifest.requirements()[0].commit == "0123abcd");
  manifest.require({*Path::parse("a.b/c"), version("0.2.0")});
  CHECK(manifest.remove(*Path::parse("a.b/d@2")));
  CHECK(!manifest.remove(*Path::parse("a.b/d@2")));
  CHECK(manifest.text().find("  -- why\n  a.b/c 0.2.0 -- behind\n  -- last\n}") !=
        std::string::npos);
  CHECK(Manifest::parse("", "futhark.pkg").text() == "require {\n}\n");
  CHECK(failure("require {\n a.b/c 1\n}") ==
        "futhark.pkg, line 2: `1` is no version, such as 1.2.3");
  CHECK(failure("require {\n a.b/c 2.0.0\n}") ==
        "futhark.pkg, line 2: version 2.0.0 cannot be one of a.b/c: from 2 on the major version is "
        "a part of the path, as in a.b/c@2");
  CHECK(failure("require {\n a.b/c 1.0.0\n a.b/c 1.0.0\n}") ==
        "futhark.pkg, line 3: a.b/c is required twice");
  CHECK(failure("require {\n a.b/c\n}") ==
        "futhark.pkg, line 2: expected PATH VERSION, perhaps with #COMMIT behind it");
  CHECK(failure("require {\n a.b/c 1.0.0 0123\n}") ==
        "futhark.pkg, line 2: expected PATH VERSION, perhaps with #COMMIT behind it");
  for (const char* wrong : {"#012", "#0123ABCD", "#main"})
    CHECK(failure("require {\n a.b/c 1.0.0 " + std::string(wrong) + "\n}") ==
          "futhark.pkg, line 2: `" + std::string(wrong) + "` is no commit");
  CHECK(failure("package x\n").find("is no path of a package") != std::string::npos);
  CHECK(failure("packages a.b/c\n") == "futhark.pkg, line 1: `packages` cannot stand here");
  CHECK(failure("require {\n") == "futhark.pkg, line 2: expected `}`, found the end");
}

TEST_CASE("two minuses within a name begin no comment") {
  const std::string text = "require {\n  a.b/c--d 1.0.0-x--y -- why--not\n}\n";
  const Manifest manifest = Manifest::parse(text, "futhark.pkg");
  REQUIRE(manifest.requirements().size() == 1);
  CHECK(manifest.requirements()[0].path.text == "a.b/c--d");
  CHECK(manifest.requirements()[0].version == version("1.0.0-x--y"));
  CHECK(manifest.text() == text);
}

TEST_CASE("a lock is read as it was written, or refused with the line") {
  const std::string commit(40, 'c'), tree(40, '1');
  const std::string good = "a.b/c 1.2.3 " + commit + " " + tree + "\n";
  const std::vector<Locked> locked = parse_lock("-- a comment\n\n" + good, "futhark.lock");
  REQUIRE(locked.size() == 1);
  CHECK(locked[0].path.text == "a.b/c");
  CHECK(locked[0].version == version("1.2.3"));
  CHECK(locked[0].commit == commit);
  CHECK(locked[0].tree == tree);
  CHECK(lock_text(locked).ends_with("\n" + good));
  const std::string shorter(39, 'c'), other(40, 'g');
  for (const std::string& wrong :
       {std::string("a.b/c"), "a.b/c 1.2.3 " + commit, "a.b/c 1.2.3 " + commit + " " + shorter,
        "a.b/c 1.2.3 " + other + " " + tree, "a.b/c 1.2 " + commit + " " + tree,
        "../c 1.2.3 " + commit + " " + tree, "a.b/c 1.2.3 " + commit + " " + tree + " more"})
    CHECK_THROWS_WITH_AS(
        parse_lock(good + wrong + "\n", "futhark.lock"),
        doctest::Contains("futhark.lock, line 2: expected PATH VERSION COMMIT TREE"), FormatError);
}

TEST_CASE("of each package the least version is taken that everybody accepts") {
  // The example of the article that the method is from: what only newer versions need, and what
  // nobody requires, has no say.
  const std::map<std::string, std::string> published = {
      {"x/b 1.1.0", "x/d 1.1.0"}, {"x/b 1.2.0", "x/d 1.3.0"}, {"x/c 1.2.0", "x/d 1.4.0"},
      {"x/c 1.3.0", "x/f 1.1.0"}, {"x/d 1.1.0", "x/e 1.1.0"}, {"x/d 1.3.0", "x/e 1.2.0"},
      {"x/d 1.4.0", "x/e 1.2.0"}, {"x/e 1.1.0", ""},          {"x/e 1.2.0", "x/b 1.1.0"}};
  std::map<std::string, Manifest> manifests;
  const Manifest root =
      Manifest::parse("package x/a\nrequire {\nx/b 1.2.0\nx/c 1.2.0\n}", "futhark.pkg");
  const packages::Selection selection =
      select_versions(root, [&](const Path& path, const Version& at) -> const Manifest& {
        const std::string key = path.text + " " + at.text();
        const std::string text = "require {\n" + published.at(key) + "\n}";
        return manifests.emplace(key, Manifest::parse(text, key)).first->second;
      });
  std::string found;
  for (const auto& [path, at] : selection)
    found += path.text + " " + at.text() + "; ";
  CHECK(found == "x/b 1.2.0; x/c 1.2.0; x/d 1.4.0; x/e 1.2.0; ");
}
