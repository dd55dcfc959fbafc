#include "repl/session/definitions.h"

#include "lang/check/prompt_scope.h"
#include "lang/syntax/lexer.h"
#include "lang/syntax/parser.h"

#include <algorithm>
#include <cassert>

namespace sinter::repl {

namespace {

constexpr std::size_t snapshot_limit = 100;
/// The former states that a renewal keeps have so many names, all together; or it is but one.
constexpr std::size_t renewed_names = 100'000;

/// What to call a declaration.
std::string name_of(const syntax::Declaration& declaration) {
  if (const auto* value = std::get_if<syntax::ValueDeclaration>(&declaration.node))
    return std::string(value->name);
  if (const auto* type = std::get_if<syntax::TypeDeclaration>(&declaration.node))
    return std::string(type->name);
  if (const auto* module = std::get_if<syntax::ModuleDeclaration>(&declaration.node))
    return std::string(module->name);
  if (const auto* type = std::get_if<syntax::ModuleTypeDeclaration>(&declaration.node))
    return std::string(type->name);
  if (const auto* local = std::get_if<syntax::LocalDeclaration>(&declaration.node))
    return name_of(*local->inner);
  return {};
}

/// "`f`", "`f` and `g`", "`f`, `g` and `h`".
std::string enumeration(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "`" : i + 1 == names.size() ? " and `" : ", `") + names[i] + "`";
  return text;
}

std::string described(const DependencyEntry& entry) {
  return entry.name.empty() ? "a declaration" : "`" + entry.name + "`";
}

/// The names and operators in a declaration's text, but for members and fields (what follows a dot)
/// and for the name that it gives; that name inside of a function means the function itself.
std::set<std::string_view> words_of(SourceMap& sources, const syntax::Declaration& declaration) {
  const Span span = declaration.span;
  Span name;
  std::string_view recursive;
  // A result's hidden name stands nowhere; its span is the expression's.
  bool is_result = false;
  if (const auto* value = std::get_if<syntax::ValueDeclaration>(&declaration.node)) {
    if (value->is_part) // of a pattern: it is taken out of the whole, and that is all
      return {std::get<syntax::VariableExpr>(
                  std::get<syntax::LetPatternExpr>(value->body->node).value->node)
                  .name.name};
    name = value->name_span;
    is_result = value->name.starts_with("it#");
    if (!value->parameters.empty()) recursive = value->name;
  } else if (const auto* type = std::get_if<syntax::TypeDeclaration>(&declaration.node)) {
    name = type->name_span;
  } else if (const auto* module = std::get_if<syntax::ModuleDeclaration>(&declaration.node)) {
    name = module->name_span;
  }
  Diagnostics ignored;
  const std::vector<syntax::Token> tokens = syntax::tokenize(sources, span.file, ignored).tokens;
  const std::string_view text = sources.text(span.file);
  std::set<std::string_view> words;
  for (const syntax::Token& token : tokens) {
    if (token.begin < span.begin || token.end > span.end || token.begin == token.end) continue;
    std::string_view word = text.substr(token.begin, token.end - token.begin);
    if (token.begin > 0 && text[token.begin - 1] == '.') continue;
    if (token.begin >= name.begin && token.end <= name.end && !is_result) continue;
    if (!recursive.empty() && word == recursive) continue;
    words.insert(word.substr(0, word.find('.', 1)));
  }
  return words;
}

} // namespace

Definitions::Definitions(check::Checker& checker, SourceMap& sources,
                         std::function<std::string(const Diagnostics&)> render)
    : checker_(&checker), sources_(&sources), render_(std::move(render)),
      scope_(checker.new_prompt_scope()) {}

const check::Environment* Definitions::exported() const {
  return file_ ? file_->module->environment() : nullptr;
}

// ---- declarations ------------------------------------------------------------------------------

std::shared_ptr<DependencyEntry> Definitions::check(FileId input, std::size_t position,
                                                    syntax::Declaration* declaration,
                                                    Diagnostics& diagnostics) {
  check::Environment news;
  if (!checker_->check_declarations(*scope_, {declaration}, diagnostics, &news)) return nullptr;
  auto entry = std::make_shared<DependencyEntry>();
  entry->name = name_of(*declaration);
  entry->file = input;
  entry->position = position;
  entry->span = declaration->span;
  entry->serial = ++serial_;
  entry->around = file_;
  entry->declarations = {declaration};
  entry->meanings = std::move(news);
  graph_.resolve(*entry, words_of(*sources_, *declaration), exported());
  tell_used(entry);
  return entry;
}

std::shared_ptr<DependencyEntry> Definitions::check_again(const DependencyEntry& entry,
                                                          Diagnostics& diagnostics) {
  // Trees are annotated by their check, so each check has a tree of its own.
  syntax::PromptInput input =
      syntax::parse_prompt(*sources_, entry.file, checker_->ast(), diagnostics);
  assert(entry.position < input.declarations.size());
  return check(entry.file, entry.position, input.declarations[entry.position], diagnostics);
}

bool Definitions::declare(FileId input, const std::vector<syntax::Declaration*>& declarations,
                          Diagnostics& diagnostics, std::string& remarks) {
  const std::shared_ptr<check::Checker::PromptScope> scope_before = check::copy(*scope_);
  const DependencyGraph graph_before = graph_;
  std::vector<DependencyEntryRef> added;
  for (std::size_t i = 0; i < declarations.size(); ++i) {
    std::shared_ptr<DependencyEntry> entry = check(input, i, declarations[i], diagnostics);
    if (!entry) {
      if (!added.empty()) { // else nothing has changed
        scope_ = scope_before;
        graph_ = graph_before;
      }
      return false;
    }
    graph_.add(entry);
    added.push_back(std::move(entry));
  }
  check_dependants(added, remarks);
  return true;
}

void Definitions::check_dependants(const std::vector<DependencyEntryRef>& added,
                                   std::string& remarks) {
  std::vector<std::string> new_names, followed;
  std::set<const DependencyEntry*> done; // looked at already
  std::string kept;
  DependencyGraph::Positions outdated;
  for (const DependencyEntryRef& entry : added) {
    if (syntax::is_writable_name(entry->name)) new_names.push_back(entry->name);
    done.insert(entry.get());
    graph_.add_outdated_by(entry->names, outdated);
  }
  // A definition that is checked again outdates those that depend on it.
  while (!outdated.empty()) {
    const DependencyEntryRef entry = outdated.extract(outdated.begin()).mapped();
    if (!done.insert(entry.get()).second) continue;
    const bool is_needed_by_new = std::ranges::any_of(
        added, [&](const DependencyEntryRef& one) { return one->depends_on(*entry); });
    const bool uses_own_name = std::ranges::any_of(entry->uses, [&](const auto& use) {
      return std::ranges::binary_search(entry->names, use.first);
    });
    if (is_needed_by_new || uses_own_name) {
      kept += "remark: " + described(*entry) + " still means the old " + enumeration(new_names) +
              (uses_own_name ? ", as it was made from a former " + described(*entry)
                             : ", as the new one is made from it") +
              "\n";
      continue;
    }
    Diagnostics diagnostics;
    std::shared_ptr<DependencyEntry> renewed = check_again(*entry, diagnostics);
    if (!renewed) {
      kept += "warning: " + described(*entry) + " does not fit the new " + enumeration(new_names) +
              ", and stays as it was:\n" + render_(diagnostics);
      continue;
    }
    graph_.add(renewed);
    done.insert(renewed.get());
    graph_.add_outdated_by(renewed->names, outdated);
    if (syntax::is_writable_name(renewed->name)) followed.push_back(renewed->name);
  }
  if (!followed.empty())
    remarks += "remark: " + enumeration(followed) + (followed.size() == 1 ? " uses" : " use") +
               " the new " + enumeration(new_names) + "\n";
  remarks += kept;
}

// ---- files -------------------------------------------------------------------------------------

void Definitions::load(const check::CheckedFile& file, std::string& remarks) {
  const std::vector<DependencyEntryRef> entries = graph_.needed();
  const std::set<DependencyEntryRef> in_force = [&] {
    std::vector<DependencyEntryRef> all = graph_.in_force();
    return std::set<DependencyEntryRef>(all.begin(), all.end());
  }();
  const check::Environment names_before = checker_->environment(*scope_);
  scope_ = checker_->new_prompt_scope();
  checker_->open_file(*scope_, file);
  file_ = &file;
  graph_ = {};
  const check::Environment of_file = checker_->environment(*scope_);

  std::vector<std::string> hidden;
  for (const DependencyEntryRef& entry : entries) {
    const bool is_definition = entry->kind == DependencyEntry::Kind::Definition;
    if (!is_definition) {
      check::adopt(*scope_, entry->declarations, entry->meanings);
      graph_.add(entry);
      continue;
    }
    if (!in_force.contains(entry)) continue; // an old meaning that something was made from
    if (!entry->names.empty() && std::ranges::all_of(entry->names, [&](const auto& key) {
          return has_name(*exported(), key);
        })) {
      hidden.push_back(entry->name);
      continue;
    }
    const bool is_unchanged = std::ranges::all_of(entry->uses, [&](const auto& use) {
      if (graph_.meaning(use.first) != use.second) return false;
      return use.second || means_the_same(names_before, of_file, use.first);
    });
    if (is_unchanged) {
      check::adopt(*scope_, entry->declarations, entry->meanings);
      graph_.add(entry);
      continue;
    }
    Diagnostics diagnostics;
    if (std::shared_ptr<DependencyEntry> renewed = check_again(*entry, diagnostics))
      graph_.add(renewed);
    else
      remarks += "warning: " + described(*entry) + " does not fit the file, and is dropped:\n" +
                 render_(diagnostics);
  }
  if (!hidden.empty())
    remarks += "remark: " + enumeration(hidden) + (hidden.size() == 1 ? " means" : " mean") +
               " what the file defines\n";
}

// ---- values ------------------------------------------------------------------------------------

syntax::Expr* variable(syntax::Ast& ast, syntax::Name name, Span span) {
  syntax::VariableExpr node;
  node.name.name = name;
  node.name.span = span;
  return ast.make<syntax::Expr>(syntax::Expr{std::move(node), span, nullptr, {}});
}

std::string_view Definitions::keep(std::string name, std::vector<FileId>& texts) {
  texts.push_back(sources_->add("<name>", std::move(name)));
  return sources_->text(texts.back());
}

std::shared_ptr<DependencyEntry> Definitions::declare_hidden(FileId input, syntax::Expr* expression,
                                                             Diagnostics& diagnostics) {
  syntax::ValueDeclaration value;
  value.keyword = syntax::ValueKeyword::Def;
  std::vector<FileId> texts;
  value.name = keep("it#" + std::to_string(++hidden_count_), texts);
  value.name_span = expression->span;
  value.body = expression;
  const syntax::Name name = value.name;
  syntax::Declaration* declaration = checker_->ast().make<syntax::Declaration>(
      syntax::Declaration{std::move(value), expression->span, {}, {}});
  std::shared_ptr<DependencyEntry> entry = check(input, 0, declaration, diagnostics);
  if (!entry) return nullptr;
  entry->kind = DependencyEntry::Kind::Result;
  entry->name = name;
  entry->texts = std::move(texts);
  return entry;
}

void Definitions::add_result(std::shared_ptr<DependencyEntry> entry, const std::string& name) {
  const std::string_view hidden =
      std::get<syntax::ValueDeclaration>(entry->declarations.front()->node).name;
  types::Variable* value = entry->meanings.values.at(hidden);
  auto call = [&](std::string_view alias) {
    check::alias(*scope_, alias, hidden);
    entry->meanings.bind(alias, value);
  };
  call("it");
  if (!name.empty()) call(keep(name, entry->texts));
  entry->name = name.empty() ? "it" : name;
  entry->names = names_of(entry->meanings);
  graph_.add(std::move(entry));
}

std::shared_ptr<DependencyEntry> Definitions::declare_data(const std::string& name,
                                                           const std::string& type,
                                                           Diagnostics& diagnostics) {
  FileId input = sources_->add("<data>", "def " + name + " : " + type + " = ???");
  Diagnostics unparsed;
  syntax::PromptInput parsed = syntax::parse_prompt(*sources_, input, checker_->ast(), unparsed);
  // (That the text is none is no news to who gave a name.)
  if (parsed.declarations.size() != 1 || name_of(*parsed.declarations.front()) != name)
    return nullptr;
  if (unparsed.has_errors()) return nullptr;
  Diagnostics found;
  std::shared_ptr<DependencyEntry> entry = check(input, 0, parsed.declarations.front(), found);
  if (!entry) { // (A hole is worth a warning elsewhere.)
    for (const Diagnostic& diagnostic : found.all())
      diagnostics.add(diagnostic);
    return nullptr;
  }
  entry->kind = DependencyEntry::Kind::Data;
  entry->type = type;
  return entry;
}

void Definitions::add_data(std::shared_ptr<DependencyEntry> entry, std::string& remarks) {
  graph_.add(entry);
  check_dependants({std::move(entry)}, remarks);
}

void Definitions::clear() {
  scope_ = checker_->new_prompt_scope();
  graph_ = {};
  file_ = nullptr;
}

void Definitions::separate() {
  scope_ = check::copy(*scope_);
  snapshots_.clear();
}

void Definitions::forget(const DependencyEntryRef& entry) {
  for (const auto& [space, name] : entry->names)
    if (graph_.meaning({space, name}) == entry) check::hide(*scope_, name);
  graph_.remove(*entry);
  forgotten_.push_back(entry);
}

// ---- taking back -------------------------------------------------------------------------------

void Definitions::remember(std::string description) {
  if (snapshots_.size() == snapshot_limit) snapshots_.pop_front();
  snapshots_.push_back({check::copy(*scope_), graph_, file_, std::move(description),
                        forgotten_before_ + forgotten_.size()});
  for (; forgotten_before_ < snapshots_.front().forgotten; ++forgotten_before_)
    forgotten_.pop_front();
}

bool Definitions::let_go_forgotten(Snapshot& snapshot) const {
  for (; snapshot.forgotten < forgotten_before_ + forgotten_.size(); ++snapshot.forgotten) {
    const DependencyEntryRef& entry = forgotten_[snapshot.forgotten - forgotten_before_];
    if (snapshot.graph.is_needed(*entry)) return false;
    for (const auto& [space, name] : entry->names)
      if (snapshot.graph.meaning({space, name}) == entry) check::hide(*snapshot.scope, name);
    snapshot.graph.remove(*entry);
  }
  return true;
}

void Definitions::prepare_renewal() {
  std::erase_if(snapshots_, [&](Snapshot& snapshot) { return !let_go_forgotten(snapshot); });
  std::size_t kept = 0, names = 0;
  for (; kept < snapshots_.size(); ++kept) {
    names += snapshots_[snapshots_.size() - 1 - kept].graph.name_count();
    if (names > renewed_names && kept > 0) break;
  }
  snapshots_.erase(snapshots_.begin(), snapshots_.end() - static_cast<std::ptrdiff_t>(kept));
}

void Definitions::forget_remembered() {
  if (!snapshots_.empty()) snapshots_.pop_back();
}

std::optional<std::string> Definitions::undo() {
  Snapshot last;
  do {
    if (snapshots_.empty()) return std::nullopt;
    last = std::move(snapshots_.back());
    snapshots_.pop_back();
  } while (!let_go_forgotten(last));
  scope_ = std::move(last.scope);
  graph_ = std::move(last.graph);
  file_ = last.file;
  return std::move(last.description);
}

} // namespace sinter::repl
