#include "repl/session/completion.h"

#include "lang/base/unknown_names.h"
#include "lang/library/library.h"
#include "lang/syntax/lexer.h"
#include "repl/session/introspection.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

namespace sinter::repl {

namespace {

bool is_name_character(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '\'' || c == '.';
}

/// Completions by text, so that the first one of a name counts.
using Found = std::map<std::string, std::string>;

std::vector<Completion> list(Found found) {
  std::vector<Completion> items;
  items.reserve(found.size());
  for (auto& [text, detail] : found)
    items.push_back({text, std::move(detail)});
  return items;
}

/// Types print in any length; beside a name a line is enough.
std::string detail_of(const types::Variable& variable) {
  return variable.scheme.type ? with_named_unknowns(types::print(variable.scheme)) : std::string();
}

void collect(const check::Environment& names, std::string_view qualifier, std::string_view start,
             Found& found) {
  auto add = [&](std::string_view name, auto detail) {
    bool writable = syntax::is_writable_name(name) && is_name_character(name.front());
    if (!writable || !name.starts_with(start)) return;
    auto [at, is_new] = found.try_emplace(std::string(qualifier) + std::string(name));
    if (is_new) at->second = detail();
  };
  for (const auto& [name, value] : names.values)
    add(name, [&variable = *value] { return detail_of(variable); });
  for (const auto& [name, type] : names.types)
    add(name, [] { return std::string("type"); });
  for (const auto& [name, module] : names.modules)
    add(name, [] { return std::string("module"); });
}

const types::Type* without_uniqueness(const types::Type* type) {
  while (type) {
    type = types::resolve(type);
    auto* unique = std::get_if<types::UniqueType>(&type->node);
    if (!unique) break;
    type = unique->inner;
  }
  return type;
}

/// The fields of a record type, known in full or in part; null for every other type.
const std::vector<types::Field>* fields_of(const types::Type* type) {
  type = without_uniqueness(type);
  if (!type) return nullptr;
  if (auto* record = std::get_if<types::RecordType>(&type->node)) return &record->fields;
  if (auto* meta = std::get_if<types::MetaType>(&type->node)) return &meta->fields;
  return nullptr;
}

/// What a path like "m.n." or "x.y." leads to, starting from a scope.
struct Place {
  const check::Environment* module = nullptr;
  const std::vector<types::Field>* fields = nullptr;
};
std::optional<Place> follow(const check::Environment& scope, std::string_view path) {
  Place place{&scope, nullptr};
  std::size_t at = 0;
  for (std::size_t dot; (dot = path.find('.', at)) != std::string_view::npos; at = dot + 1) {
    std::string_view name = path.substr(at, dot - at);
    const types::Type* value = nullptr;
    if (place.module) {
      if (auto found = place.module->values.find(name); found != place.module->values.end())
        value = found->second->scheme.type;
      place = {members(*place.module, name), nullptr};
    } else if (place.fields) {
      for (const types::Field& field : *place.fields)
        if (field.name == name) value = field.type;
      place = {};
    }
    if (value) place = {nullptr, fields_of(value)};
    if (!place.module && !place.fields) return std::nullopt;
  }
  return place;
}

// ---- constructors
// --------------------------------------------------------------------------------------

/// Finds the constructors that types mention; each type is looked at once.
class ConstructorSearch {
public:
  ConstructorSearch(std::string_view start, Found& found) : start_(start), found_(found) {}

  void visit(const check::Environment& names) {
    for (const auto& [name, binding] : names.types)
      visit(binding.body);
    for (const auto& [name, variable] : names.values)
      visit(variable->scheme.type);
  }

private:
  void visit(const types::Type* type) {
    if (!type) return;
    type = types::resolve(type);
    if (!seen_.insert(type).second) return;
    if (auto* array = std::get_if<types::ArrayType>(&type->node)) return visit(array->element);
    if (auto* unique = std::get_if<types::UniqueType>(&type->node)) return visit(unique->inner);
    if (auto* function = std::get_if<types::FunctionType>(&type->node)) {
      visit(function->parameter);
      return visit(function->result);
    }
    if (auto* record = std::get_if<types::RecordType>(&type->node))
      for (const types::Field& field : record->fields)
        visit(field.type);
    const std::vector<types::Constructor>* constructors = nullptr;
    if (auto* sum = std::get_if<types::SumType>(&type->node)) constructors = &sum->constructors;
    if (auto* meta = std::get_if<types::MetaType>(&type->node)) constructors = &meta->constructors;
    if (!constructors) return;
    for (const types::Constructor& constructor : *constructors) {
      std::string detail;
      for (const types::Type* payload : constructor.payload) {
        visit(payload);
        detail += (detail.empty() ? "" : " ") + with_named_unknowns(types::print(payload));
      }
      if (constructor.name.starts_with(start_))
        found_.emplace("#" + std::string(constructor.name), detail);
    }
  }

  std::string_view start_;
  Found& found_;
  std::set<const types::Type*> seen_;
};

// ---- the text before the cursor
// ----------------------------------------------------------------------------------

struct Context {
  enum class Kind { Code, Comment, String } kind = Kind::Code;
  std::size_t string_begin = 0; ///< of an unfinished literal, after its quotation mark
  bool is_import = false;       ///< that literal names a file to import
  std::set<std::string_view> words;
};

Context context_of(std::string_view text) {
  SourceMap sources;
  Diagnostics ignored;
  FileId file = sources.add("", std::string(text));
  std::vector<syntax::Token> tokens = syntax::tokenize(sources, file, ignored).tokens;
  tokens.pop_back(); // the end
  Context context;
  for (const syntax::Token& token : tokens)
    if (token.kind == syntax::TokenKind::Identifier && token.end < text.size())
      context.words.insert(text.substr(token.begin, token.end - token.begin));
  std::size_t end = tokens.empty() ? 0 : tokens.back().end;
  std::size_t comment = text.find("--", end);
  if (comment != std::string_view::npos && text.find('\n', comment) == std::string_view::npos)
    context.kind = Context::Kind::Comment;
  if (!tokens.empty() && end == text.size() && tokens.back().kind == syntax::TokenKind::Error &&
      text[tokens.back().begin] == '"') {
    context.kind = Context::Kind::String;
    context.string_begin = tokens.back().begin + 1;
    context.is_import =
        tokens.size() >= 2 && tokens[tokens.size() - 2].kind == syntax::TokenKind::Import;
  }
  return context;
}

constexpr std::string_view keywords[] = {"assert", "case", "def",   "do",     "else", "entry",
                                         "false",  "for",  "if",    "import", "in",   "let",
                                         "local",  "loop", "match", "module", "open", "then",
                                         "true",   "type", "val",   "while",  "with", "include"};

} // namespace

std::string_view last_word(std::string_view line) {
  std::size_t begin = line.size();
  while (begin > 0 && is_name_character(line[begin - 1]))
    --begin;
  return line.substr(begin);
}

Completions complete_names(const check::Environment& names, const check::Environment& outer,
                           std::string_view text) {
  Context context = context_of(text);
  if (context.kind == Context::Kind::Comment) return {text.size(), {}};
  if (context.kind == Context::Kind::String) {
    std::string prefix(text.substr(context.string_begin));
    Completions found{context.string_begin, complete_path(prefix, context.is_import ? ".fut" : "")};
    if (context.is_import) { // which are named without their ending
      for (Completion& item : found.items)
        if (item.text.ends_with(".fut")) item.text.resize(item.text.size() - 4);
      for (const library::File& file : library::files())
        if (std::string name = "sinter/" + std::string(file.name); name.starts_with(prefix))
          found.items.push_back({std::move(name), ""});
      std::sort(found.items.begin(), found.items.end(),
                [](const Completion& a, const Completion& b) { return a.text < b.text; });
    }
    return found;
  }
  std::string_view word = last_word(text);
  std::size_t begin = text.size() - word.size();
  Found found;
  if (begin > 0 && text[begin - 1] == '#') {
    ConstructorSearch search(word, found);
    search.visit(names);
    search.visit(outer);
    return {begin - 1, list(std::move(found))};
  }
  if (word.empty()) return {begin, {}};
  std::size_t last = word.rfind('.') == std::string_view::npos ? 0 : word.rfind('.') + 1;
  std::string_view qualifier = word.substr(0, last), start = word.substr(last);
  for (const check::Environment* scope : {&names, &outer}) {
    std::optional<Place> place = follow(*scope, qualifier);
    if (!place) continue;
    if (place->module) collect(*place->module, qualifier, start, found);
    if (place->fields)
      for (const types::Field& field : *place->fields)
        if (field.name.starts_with(start))
          found.emplace(std::string(qualifier) + std::string(field.name),
                        with_named_unknowns(types::print(field.type)));
    if (last > 0) break; // an inner name hides an outer one
  }
  if (last == 0) {
    for (std::string_view keyword : keywords)
      if (keyword.starts_with(start)) found.emplace(keyword, "keyword");
    for (std::string_view other : context.words)
      if (other.starts_with(start)) found.emplace(other, "");
  }
  return {begin, list(std::move(found))};
}

std::vector<Completion> complete_path(const std::string& prefix, std::string_view ending) {
  namespace fs = std::filesystem;
  std::vector<Completion> found;
  std::size_t slash = prefix.rfind('/');
  std::string folder = slash == std::string::npos ? "" : prefix.substr(0, slash + 1);
  std::string_view start = std::string_view(prefix).substr(folder.size());
  std::error_code error;
  for (fs::directory_iterator it(folder.empty() ? "." : folder, error), end; !error && it != end;
       it.increment(error)) {
    std::string name = it->path().filename().string();
    if (!name.starts_with(start) || (start.empty() && name.starts_with('.'))) continue;
    std::error_code unreadable;
    bool is_folder = it->is_directory(unreadable);
    if (is_folder || name.ends_with(ending))
      found.push_back({folder + name + (is_folder ? "/" : ""), ""});
  }
  std::sort(found.begin(), found.end(),
            [](const Completion& a, const Completion& b) { return a.text < b.text; });
  return found;
}

} // namespace sinter::repl
