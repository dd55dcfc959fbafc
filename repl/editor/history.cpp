#include "repl/editor/history.h"

#include "repl/text/lines.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <fcntl.h>
#include <set>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace sinter::repl {

namespace {

std::string escaped(std::string_view input) {
  std::string line;
  for (char c : input) {
    if (c == '\n')
      line += "\\n";
    else if (c == '\\')
      line += "\\\\";
    else
      line += c;
  }
  return line;
}

std::string unescaped(std::string_view line) {
  std::string input;
  for (std::size_t i = 0; i < line.size(); ++i) {
    bool is_escape = line[i] == '\\' && i + 1 < line.size();
    if (is_escape && line[i + 1] == 'n')
      input += '\n', ++i;
    else if (is_escape && line[i + 1] == '\\')
      input += '\\', ++i;
    else
      input += line[i];
  }
  return input;
}

/// Keeps the last occurrence of each, and of these the last `History::most_entries`.
void make_unique(std::vector<std::string>& entries) {
  std::set<std::string_view> seen;
  std::vector<bool> keep(entries.size());
  std::size_t kept = 0;
  for (std::size_t i = entries.size(); i-- > 0 && kept < History::most_entries;) {
    keep[i] = !is_blank(entries[i]) && seen.insert(entries[i]).second;
    kept += keep[i];
  }
  std::size_t to = 0;
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (keep[i]) {
      if (to != i) entries[to] = std::move(entries[i]);
      ++to;
    }
  entries.resize(to);
}

/// A file that no other session touches meanwhile.
class LockedFile {
public:
  explicit LockedFile(const std::string& path) {
    constexpr mode_t mine = 0600;
    for (int attempt = 0; attempt < 10; ++attempt) {
      descriptor_ = open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, mine);
      if (descriptor_ < 0) return;
      while (flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
      }
      // Another session may have put a new file in its place while this one waited.
      struct stat opened {
      }, named{};
      if (fstat(descriptor_, &opened) == 0 && stat(path.c_str(), &named) == 0 &&
          opened.st_ino == named.st_ino && opened.st_dev == named.st_dev)
        return;
      close(descriptor_);
      descriptor_ = -1;
    }
  }
  ~LockedFile() {
    if (descriptor_ >= 0) close(descriptor_); // which gives the lock back
  }
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  std::string read_all() const {
    std::string text;
    char block[65536];
    ssize_t count = 0;
    lseek(descriptor_, 0, SEEK_SET);
    while ((count = ::read(descriptor_, block, sizeof block)) > 0 || (count < 0 && errno == EINTR))
      if (count > 0) text.append(block, static_cast<std::size_t>(count));
    return text;
  }
  /// All of it or, where there is no room, nothing.
  void append(std::string_view text) const {
    const off_t end = lseek(descriptor_, 0, SEEK_END);
    if (!write_all(descriptor_, text) && end >= 0) (void)!ftruncate(descriptor_, end);
  }

  static bool write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
      ssize_t count = ::write(descriptor, text.data(), text.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }

private:
  int descriptor_ = -1;
};

/// Puts a file with these entries in the place of the one that is locked.
void rewrite(const std::string& path, const std::vector<std::string>& entries) {
  std::string fresh = path + ".new";
  int descriptor = open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (descriptor < 0) return;
  std::string text;
  for (const std::string& entry : entries)
    text += escaped(entry) + "\n";
  bool good = LockedFile::write_all(descriptor, text);
  good = close(descriptor) == 0 && good;
  if (!good || rename(fresh.c_str(), path.c_str()) != 0) unlink(fresh.c_str());
}

} // namespace

std::size_t find_part(std::string_view text, std::string_view part) {
  auto is_capital = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
  if (std::any_of(part.begin(), part.end(), is_capital)) return text.find(part);
  auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == static_cast<unsigned char>(b);
  };
  auto found = std::search(text.begin(), text.end(), part.begin(), part.end(), same);
  return found == text.end() && !part.empty() ? std::string_view::npos
                                              : static_cast<std::size_t>(found - text.begin());
}

std::vector<std::string>& History::entries() {
  if (is_read_) return entries_;
  is_read_ = true;
  if (file_.empty() || access(file_.c_str(), F_OK) != 0) return entries_;
  LockedFile file(file_);
  if (!file.is_open()) return entries_;
  std::string text = file.read_all();
  std::string_view rest = text;
  while (!rest.empty()) {
    std::size_t end = std::min(rest.find('\n'), rest.size());
    entries_.push_back(unescaped(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  bool is_long = entries_.size() > 2 * most_entries;
  make_unique(entries_);
  if (is_long) rewrite(file_, entries_);
  return entries_;
}

void History::append_to_file(const std::string& input) const {
  if (file_.empty()) return;
  if (LockedFile file(file_); file.is_open()) file.append(escaped(input) + "\n");
}

void History::add(const std::string& input) {
  if (is_blank(input)) return;
  std::vector<std::string>& all = entries();
  if (!all.empty() && all.back() == input) return;
  std::erase(all, input);
  all.push_back(input);
  if (all.size() > 2 * most_entries)
    all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(most_entries));
  append_to_file(input);
}

std::optional<std::size_t> History::older(std::size_t from, std::string_view prefix,
                                          std::string_view except) {
  for (std::size_t i = std::min(from, size()); i-- > 0;)
    if (entries_[i].starts_with(prefix) && entries_[i] != except) return i;
  return std::nullopt;
}

std::optional<std::size_t> History::newer(std::size_t from, std::string_view prefix,
                                          std::string_view except) {
  for (std::size_t i = from + 1; i < size(); ++i)
    if (entries_[i].starts_with(prefix) && entries_[i] != except) return i;
  return std::nullopt;
}

std::optional<std::size_t> History::older_with(std::size_t from, std::string_view part) {
  if (size() == 0) return std::nullopt;
  for (std::size_t i = std::min(from, size() - 1) + 1; i-- > 0;)
    if (find_part(entries_[i], part) != std::string_view::npos) return i;
  return std::nullopt;
}

std::optional<std::size_t> History::newer_with(std::size_t from, std::string_view part) {
  for (std::size_t i = from; i < size(); ++i)
    if (find_part(entries_[i], part) != std::string_view::npos) return i;
  return std::nullopt;
}

} // namespace sinter::repl
