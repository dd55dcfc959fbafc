#include "repl/scripts/saving.h"

#include "lang/syntax/lexer.h"
#include "repl/commands/command.h"
#include "repl/data/value_source.h"
#include "repl/text/entries.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <sstream>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace sinter::repl {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view header = "-- A session of Sinter: `:restore FILE` brings it back, "
                                    "`sinter FILE` shows its results again.\n"
                                    "-- `:value` directives name the files of results and data.\n";

/// A saved session's folder of data, in which no other session saves meanwhile.  Where there is
/// none, there is nothing to lock.
class LockedFolder {
public:
  explicit LockedFolder(const fs::path& path)
      : descriptor_(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    while (is_there() && flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~LockedFolder() {
    if (is_there()) close(descriptor_); // which gives the lock back
  }
  LockedFolder(const LockedFolder&) = delete;
  LockedFolder& operator=(const LockedFolder&) = delete;
  bool is_there() const { return descriptor_ >= 0; }

private:
  int descriptor_ = -1;
};

/// The data of one save, in a folder of their own among those of the saves to the same path.
class SavedData {
public:
  explicit SavedData(const std::string& path) : all_(path + ".data") {
    lock_.emplace(all_);
    for (const auto& [number, folder] : saves())
      number_ = std::max(number_, number);
    ++number_;
  }

  /// Stores a value's bytes; returns its file's path from where the session's file lies.
  std::string add(const std::string& name, std::string_view bytes) {
    if (!is_begun_) {
      if (!lock_->is_there()) {
        fs::create_directory(all_);
        lock_.emplace(all_);
      }
      while (!fs::create_directory(own())) // another session has saved just now
        ++number_;
      is_begun_ = true;
    }
    const fs::path file = own() / (name + ".bin");
    store_file_bytes(file.string(), bytes);
    return file.lexically_relative(all_.parent_path()).string();
  }
  /// The session's file names these data now: those of other saves are removed.
  void keep() {
    if (lock_->is_there()) remove_but(is_begun_ ? number_ : 0);
  }
  /// It will not name these.
  void drop() {
    std::error_code ignored; // what cannot be removed does no harm
    if (is_begun_) fs::remove_all(own(), ignored);
  }

private:
  fs::path own() const { return all_ / std::to_string(number_); }

  void remove_but(std::uint64_t kept) const {
    std::error_code ignored;
    for (const auto& [number, folder] : saves())
      if (number != kept) fs::remove_all(folder, ignored);
  }
  /// The folders of saves, with their numbers.
  std::vector<std::pair<std::uint64_t, fs::path>> saves() const {
    std::vector<std::pair<std::uint64_t, fs::path>> found;
    std::error_code error;
    for (fs::directory_iterator it(all_, error), end; !error && it != end; it.increment(error)) {
      const std::string name = it->path().filename().string();
      std::uint64_t number = 0;
      const auto [rest, wrong] = std::from_chars(name.data(), name.data() + name.size(), number);
      if (wrong == std::errc() && rest == name.data() + name.size())
        found.emplace_back(number, it->path());
    }
    return found;
  }

  fs::path all_;             ///< the folder of all saves to the path
  std::uint64_t number_ = 0; ///< of this save
  bool is_begun_ = false;    ///< there is a folder of its own
  std::optional<LockedFolder> lock_;
};

/// Whether the binary format has the type.
bool is_transparent(const Representation* type) {
  return type && (type->is_scalar() || (type->is_array() && type->array().element->is_scalar()));
}

/// The span of a declaration with the comments and attributes in front of it.
Span with_comments(const SourceMap& sources, Span span) {
  std::uint32_t line = sources.position(span.file, span.begin).line;
  const std::string_view text = sources.text(span.file);
  const std::size_t begin = text.rfind('\n', span.begin);
  if (text.substr(begin + 1, span.begin - begin - 1).find_first_not_of(" \t") !=
      std::string_view::npos)
    return span; // the line has something else in front
  while (line > 1) {
    const std::string_view before = sources.line(span.file, line - 1);
    if (!before.starts_with("--") && !before.starts_with("#[")) break;
    --line;
    span.begin = static_cast<std::uint32_t>(before.data() - text.data());
  }
  return span;
}

/// The text of a span as one input: `it` by the name of the result that it was, lines after the
/// first indented.
std::string text_of(Session& session, const DependencyEntry& entry, Span span) {
  DependencyEntryRef result;
  for (const auto& [name, used] : entry.uses)
    if (name == DependencyEntry::Key(NameSpace::Values, "it")) result = used;
  const SourceMap& sources = session.sources();
  const std::string_view text = sources.text(span.file);
  std::string renamed;
  std::size_t copied = span.begin;
  if (result && result->name != "it") {
    Diagnostics ignored;
    for (const syntax::Token& token : syntax::tokenize(sources, span.file, ignored).tokens) {
      if (token.begin < span.begin || token.end > span.end) continue;
      if (text.substr(token.begin, token.end - token.begin) != "it") continue;
      renamed += std::string(text.substr(copied, token.begin - copied)) + result->name;
      copied = token.end;
    }
  }
  renamed += text.substr(copied, span.end - copied);

  std::istringstream lines(renamed);
  std::string input;
  bool goes_on = false; // after the first line that is no comment
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos) continue;
    const bool is_prologue = line.starts_with("--") || line.starts_with("#[");
    if (goes_on && first == 0)
      line = "  " + line;
    else if (!goes_on && !is_prologue)
      line.erase(0, first);
    goes_on = goes_on || !is_prologue;
    input += line + "\n";
  }
  return input;
}

std::string quoted(const std::string& text) {
  return '"' + text + '"';
}

/// "NAME TYPE \"FILE\"" taken apart; nothing if the line is something else.
struct ValueLine {
  std::string name, type, file;
};
std::optional<ValueLine> parse_value_line(std::string_view line) {
  const std::size_t name_end = line.find(' ');
  if (!line.ends_with('"') || name_end == std::string_view::npos) return std::nullopt;
  const std::size_t quote = line.rfind('"', line.size() - 2);
  if (quote == std::string_view::npos || quote < name_end + 2) return std::nullopt;
  return ValueLine{std::string(line.substr(0, name_end)),
                   trimmed(line.substr(name_end, quote - name_end)),
                   std::string(line.substr(quote + 1, line.size() - quote - 2))};
}

/// Gives a name to what a data file holds.
std::optional<std::string> read_value(Session& session, const ValueLine& line,
                                      const fs::path& folder) {
  try {
    ValueSource source(FileContents::of((folder / line.file).string()), session.memory(),
                       session.representations());
    ExternalValue value = source.read();
    Outcome outcome = session.define(line.name, line.type, std::move(value.value));
    if (!outcome.ok()) return outcome.messages;
  } catch (const FormatError& error) {
    return error.message;
  } catch (const RuntimeError& error) {
    return error.message;
  }
  return std::nullopt;
}

} // namespace

std::optional<std::string> save_session(Console& console, const std::string& path) {
  Session& session = console.session();
  SavedData data(path);
  std::string text(header);
  std::error_code error;
  if (!console.loaded_path().empty())
    text += "-- > :load " + fs::absolute(console.loaded_path(), error).string() + "\n";
  try {
    for (const DependencyEntryRef& entry : session.dependencies().needed()) {
      const bool is_definition = entry->kind == DependencyEntry::Kind::Definition;
      const auto [value, type] = is_definition ? std::pair<const Value*, const Representation*>{}
                                               : session.value_of(*entry);
      if (value && is_transparent(type) && entry->name != "it") {
        const types::Variable& variable = *entry->meanings.values.at(entry->name);
        std::string bytes;
        write_binary(bytes, *value, type);
        text += "-- > :value " + entry->name + " " + type_text(variable.scheme.type, *value) + " " +
                quoted(data.add(entry->name, bytes)) + "\n";
      } else if (entry->kind == DependencyEntry::Kind::Data) {
        text += "-- `" + entry->name + "` of type " + entry->type +
                " is not saved: the binary format has no such type.\n";
      } else if (is_definition) {
        const auto* declared =
            std::get_if<syntax::ValueDeclaration>(&entry->declarations.front()->node);
        if (declared && declared->is_part) continue; // the whole pattern has been written
        text += text_of(session, *entry, with_comments(session.sources(), entry->span));
      } else if (entry->kind == DependencyEntry::Kind::Result && entry->name != "it") {
        // Evaluated again, as the same result: unlike a definition it does not follow what its
        // expression is made from.  Empty lines make it an input of its own.
        const std::size_t number = std::strtoull(entry->name.c_str() + 2, nullptr, 10);
        text += "-- > :results " + std::to_string(number - 1) + "\n\n" +
                text_of(session, *entry, entry->span) + "\n";
      }
    }
    const DependencyEntryRef last = session.dependencies().meaning({NameSpace::Values, "it"});
    if (last && last->name != "it") text += "def it = " + last->name + "\n";
    text += "-- > :results " + std::to_string(session.result_count()) + "\n";
  } catch (const FormatError& wrong) {
    data.drop();
    return wrong.message;
  } catch (const fs::filesystem_error& wrong) {
    data.drop();
    return std::string(wrong.what());
  }
  try {
    store_file_bytes(path, text);
  } catch (const FormatError& wrong) {
    // Whether the file names these data or others is not known: all stay until the next save.
    return wrong.message;
  }
  data.keep();
  return std::nullopt;
}

std::optional<std::string> restore_session(Console& console, const std::string& path) {
  std::string text;
  try {
    text = read_file_bytes(path);
  } catch (const FormatError& wrong) {
    return wrong.message;
  }
  console.clear();
  for (const Entry& entry : entries_of(text))
    console.submit_quietly(entry, path);
  return std::nullopt;
}

std::optional<std::string> restore_value(Console& console, const std::string& argument) {
  const std::optional<ValueLine> line = parse_value_line(argument);
  if (!line) return "write `:value NAME TYPE \"FILE\"`";
  return read_value(console.session(), *line, fs::path(console.text_name()).parent_path());
}

} // namespace sinter::repl
