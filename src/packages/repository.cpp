#include "src/packages/repository.h"

#include "lang/values/format.h"
#include "src/packages/git.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <unistd.h>

namespace sinter::packages {

namespace {

namespace fs = std::filesystem;

/// The first line, without blanks at its end.
std::string first_line(const std::string& text) {
  std::string line = text.substr(0, text.find('\n'));
  line.erase(line.find_last_not_of(" \r") + 1);
  return line;
}

/// What git says that it died of, else its first line; without what it says before and around it.
std::string reason_in(const std::string& errors) {
  constexpr std::string_view mark = "fatal: ";
  const std::size_t found = ("\n" + errors).find("\n" + std::string(mark));
  const std::string reason =
      first_line(found == errors.npos ? errors : errors.substr(found + mark.size()));
  const auto has = [&](std::string_view part) { return reason.find(part) != reason.npos; };
  // Servers ask for a name where they don't want to say whether there is a repository.
  if (has("could not read Username") || has("Authentication failed") || has("could not read Pass"))
    return "there is no such repository, or it is not public";
  if (has("not found") && reason.starts_with("repository ")) return "there is no such repository";
  if (const std::size_t address = reason.find("unable to access '"); address != reason.npos)
    if (const std::size_t end = reason.find("': ", address); end != reason.npos)
      return reason.substr(end + 3);
  return reason;
}

/// The name of a folder for an address.
std::string folder_name(const std::string& address) {
  std::string name;
  for (unsigned char c : address) {
    static constexpr std::string_view digits = "0123456789abcdef";
    if (std::isalnum(c) || c == '.' || c == '-' || c == '_')
      name += static_cast<char>(c);
    else
      ((name += '%') += digits[c >> 4]) += digits[c & 15];
  }
  return name + ".git";
}

/// A file that is gone afterwards, for git's index.
class TemporaryIndex {
public:
  explicit TemporaryIndex(const std::string& copy)
      : path_(copy + "/index-" + std::to_string(::getpid())) {}
  ~TemporaryIndex() {
    std::error_code ignored;
    fs::remove(path_, ignored);
    fs::remove(path_ + ".lock", ignored);
  }
  TemporaryIndex(const TemporaryIndex&) = delete;
  TemporaryIndex& operator=(const TemporaryIndex&) = delete;
  const std::string& path() const { return path_; }

private:
  std::string path_;
};

[[noreturn]] void fail(const std::string& what, const ProcessResult& result) {
  const std::string why = reason_in(result.errors);
  throw FormatError(what + (why.empty() ? "" : ": " + why));
}

} // namespace

std::string checked_base(const std::string& text) {
  if (!text.starts_with("https://") && !text.starts_with("file:///"))
    throw FormatError("`" + text + "`: packages come from https:// or file:///");
  return text.ends_with('/') ? text : text + "/";
}

std::string default_cache() {
  if (const char* base = std::getenv("XDG_CACHE_HOME"); base && *base == '/')
    return std::string(base) + "/sinter/packages";
  const char* home = std::getenv("HOME");
  if (!home || *home != '/')
    throw FormatError("there is no folder for copies of packages: neither XDG_CACHE_HOME nor HOME "
                      "is set");
  return std::string(home) + "/.cache/sinter/packages";
}

Repository::Repository(std::string path, const TransportOptions& options)
    : address_(options.base + path), copy_(options.cache + "/" + folder_name(address_)),
      is_offline_(options.is_offline) {}

std::vector<std::string> Repository::words(std::vector<std::string> arguments) const {
  arguments.insert(arguments.begin(), "--git-dir=" + copy_);
  return arguments;
}

bool Repository::is_cached() const {
  std::error_code error;
  return fs::is_directory(copy_, error);
}

bool Repository::fetch() {
  if (is_offline_) {
    if (is_cached()) return false;
    throw FormatError("there is no copy of " + address_ + ", and `--offline` forbids to fetch it");
  }
  if (is_cached())
    return run_git(
               words({"fetch", "--quiet", "--prune", "--", address_, "+refs/tags/*:refs/tags/*"}))
        .succeeded;
  std::error_code error;
  fs::create_directories(fs::path(copy_).parent_path(), error);
  if (error) throw FormatError("cannot make the folder for copies of packages: " + error.message());
  const std::string partial = copy_ + "." + std::to_string(::getpid());
  const ProcessResult made = run_git({"clone", "--quiet", "--bare", "--", address_, partial});
  if (!made.succeeded) {
    fs::remove_all(partial, error);
    fail("cannot fetch " + address_, made);
  }
  fs::rename(partial, copy_, error);
  if (error) { // somebody else was quicker
    fs::remove_all(partial, error);
    if (!is_cached()) throw FormatError("cannot keep a copy of " + address_);
  }
  return true;
}

std::vector<Version> Repository::versions() const {
  const ProcessResult result = run_git(words({"tag", "--list", "v*"}));
  if (!result.succeeded) fail("cannot read the tags of " + address_, result);
  std::vector<Version> versions;
  std::istringstream lines(result.output);
  for (std::string tag; std::getline(lines, tag);)
    if (std::optional<Version> version = Version::parse(std::string_view(tag).substr(1)))
      versions.push_back(std::move(*version));
  std::ranges::stable_sort(versions, [](const Version& a, const Version& b) { return a < b; });
  return versions;
}

std::string Repository::commit_of(const Version& version) const {
  const ProcessResult result = run_git(
      words({"rev-parse", "--verify", "--quiet", "refs/tags/v" + version.text() + "^{commit}"}));
  return result.succeeded ? first_line(result.output) : "";
}

bool Repository::has_commit(const std::string& commit) const {
  return run_git(words({"cat-file", "-e", commit + "^{commit}"})).succeeded;
}

std::string Repository::tree_of(const std::string& commit, const std::string& folder) const {
  const ProcessResult result =
      run_git(words({"rev-parse", "--verify", "--quiet", commit + ":" + folder}));
  return result.succeeded ? first_line(result.output) : "";
}

std::string Repository::tree_of_files(const std::string& commit, const std::string& root,
                                      const std::string& folder) const {
  const TemporaryIndex index(copy_);
  // What git knows to be links stays one, also where it is written as a file.
  const ProcessResult read = run_git(words({"read-tree", commit}), index.path());
  if (!read.succeeded) fail("cannot read commit " + commit + " of " + address_, read);
  const ProcessResult added =
      run_git(words({"--work-tree=" + root, "add", "--all", "--force", "--", root + "/" + folder}),
              index.path());
  if (!added.succeeded) fail("cannot look at the files in " + folder, added);
  const ProcessResult result =
      run_git(words({"write-tree", "--prefix=" + folder + "/"}), index.path());
  return result.succeeded ? first_line(result.output) : "";
}

std::string Repository::file(const std::string& commit, const std::string& name) const {
  const ProcessResult result = run_git(words({"show", commit + ":" + name}));
  if (!result.succeeded) throw FormatError(address_ + " has no `" + name + "` at commit " + commit);
  return result.output;
}

void Repository::check_out(const std::string& commit, const std::string& folder,
                           const std::string& root) const {
  const TemporaryIndex index(copy_);
  const ProcessResult result = run_git(words({"--work-tree=" + root, "checkout", "--quiet",
                                              "--force", commit, "--", ":(top,literal)" + folder}),
                                       index.path());
  if (!result.succeeded) fail("cannot write the files of " + address_, result);
}

} // namespace sinter::packages
