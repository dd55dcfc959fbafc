#include "src/packages/manifest.h"

#include "lang/values/format.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace sinter::packages {

namespace {

struct Line {
  std::vector<std::string> words;
  std::string comment; ///< with its `--`; empty if there is none
};

Line line_of(const std::string& text) {
  Line line;
  const std::size_t dashes = text.find("--");
  // A minus may stand in a name; a comment begins a word.
  std::size_t comment = dashes;
  while (comment != std::string::npos && comment > 0 &&
         !std::isspace(static_cast<unsigned char>(text[comment - 1])))
    comment = text.find("--", comment + 1);
  std::istringstream words(text.substr(0, comment));
  for (std::string word; words >> word;)
    line.words.push_back(word);
  if (comment != std::string::npos) {
    line.comment = text.substr(comment);
    line.comment.erase(line.comment.find_last_not_of(" \t\r") + 1);
  }
  return line;
}

void append(std::string& text, const std::vector<std::string>& comments,
            std::string_view indentation) {
  for (const std::string& comment : comments)
    text += std::string(indentation) + comment + "\n";
}

} // namespace

Manifest Manifest::parse(std::string_view text, const std::string& name) {
  Manifest manifest;
  std::istringstream lines{std::string(text)};
  enum class Place { Top, Require, Behind } place = Place::Top;
  std::vector<std::string> comments;
  std::size_t number = 0;
  auto fail = [&](const std::string& what) {
    throw FormatError(name + ", line " + std::to_string(number) + ": " + what);
  };
  auto path_of = [&](const std::string& word) {
    std::optional<Path> path = Path::parse(word);
    if (!path) fail("`" + word + "` is no path of a package, such as github.com/user/name");
    return *path;
  };
  for (std::string one; std::getline(lines, one);) {
    ++number;
    Line line = line_of(one);
    std::vector<std::string>& words = line.words;
    if (words.empty()) {
      if (!line.comment.empty()) comments.push_back(line.comment);
      continue;
    }
    if (place == Place::Top && words.front() == "package") {
      if (words.size() != 2) fail("expected `package PATH`");
      if (manifest.package_) fail("a second `package`");
      manifest.package_ = path_of(words[1]);
      if (!line.comment.empty()) comments.push_back(line.comment);
      manifest.head_ = std::exchange(comments, {});
    } else if (place == Place::Top && words.front() == "require") {
      const bool is_empty = words.size() == 3 && words[1] == "{" && words[2] == "}";
      if (!is_empty && (words.size() != 2 || words[1] != "{")) fail("expected `require {`");
      if (!line.comment.empty()) comments.push_back(line.comment);
      manifest.above_require_ = std::exchange(comments, {});
      place = is_empty ? Place::Behind : Place::Require;
    } else if (place == Place::Require && words.front() == "}") {
      if (words.size() != 1) fail("expected nothing behind `}`");
      if (!line.comment.empty()) comments.push_back(line.comment);
      manifest.before_end_ = std::exchange(comments, {});
      place = Place::Behind;
    } else if (place == Place::Require) {
      if (words.size() < 2 || words.size() > 3 || (words.size() == 3 && words[2][0] != '#'))
        fail("expected PATH VERSION, perhaps with #COMMIT behind it");
      const Path path = path_of(words[0]);
      const std::optional<Version> version = Version::parse(words[1]);
      if (!version) fail("`" + words[1] + "` is no version, such as 1.2.3");
      if (!path.takes(*version))
        fail("version " + words[1] + " cannot be one of " + path.text +
             ": from 2 on the major version is a part of the path, as in " + path.repository() +
             "@" + std::to_string(std::max<std::uint64_t>(version->major, 2)));
      if (manifest.find(path)) fail(path.text + " is required twice");
      const std::string commit = words.size() == 3 ? words[2].substr(1) : "";
      const bool is_hash = std::ranges::all_of(
          commit, [](unsigned char c) { return std::isxdigit(c) && !std::isupper(c); });
      if (words.size() == 3 && (!is_hash || commit.size() < 4))
        fail("`" + words[2] + "` is no commit");
      manifest.requirements_.push_back({path, *version, commit});
      manifest.comments_.push_back({std::exchange(comments, {}), line.comment});
    } else {
      fail("`" + words.front() + "` cannot stand here");
    }
  }
  ++number;
  if (place == Place::Require) fail("expected `}`, found the end");
  manifest.tail_ = std::move(comments);
  return manifest;
}

const Requirement* Manifest::find(const Path& path) const {
  const auto found = std::ranges::find(requirements_, path, &Requirement::path);
  return found == requirements_.end() ? nullptr : &*found;
}

void Manifest::require(Requirement requirement) {
  const auto found = std::ranges::find(requirements_, requirement.path, &Requirement::path);
  if (found != requirements_.end()) {
    *found = std::move(requirement);
    return;
  }
  requirements_.push_back(std::move(requirement));
  comments_.emplace_back();
}

bool Manifest::remove(const Path& path) {
  const auto found = std::ranges::find(requirements_, path, &Requirement::path);
  if (found == requirements_.end()) return false;
  comments_.erase(comments_.begin() + (found - requirements_.begin()));
  requirements_.erase(found);
  return true;
}

std::string Manifest::text() const {
  std::string text;
  append(text, head_, "");
  if (package_) text += "package " + package_->text + "\n\n";
  append(text, above_require_, "");
  text += "require {\n";
  for (std::size_t i = 0; i < requirements_.size(); ++i) {
    const Requirement& one = requirements_[i];
    append(text, comments_[i].above, "  ");
    text += "  " + one.path.text + " " + one.version.text() +
            (one.commit.empty() ? "" : " #" + one.commit) +
            (comments_[i].behind.empty() ? "" : " " + comments_[i].behind) + "\n";
  }
  append(text, before_end_, "  ");
  text += "}\n";
  append(text, tail_, "");
  return text;
}

} // namespace sinter::packages
