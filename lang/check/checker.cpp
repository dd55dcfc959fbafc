#include "lang/check/checker.h"

#include "lang/base/further_stack.h"
#include "lang/base/interruptible.h"
#include "lang/check/builtins.h"
#include "lang/check/loader.h"
#include "lang/check/modules/modules.h"
#include "lang/check/names/prompt_names.h"
#include "lang/check/names/scope.h"
#include "lang/check/prompt_scope.h"
#include "lang/check/values/value_declarations.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

namespace sinter::check {

struct Checker::PromptScope {
  PromptScope() = default;
  PromptScope(const PromptScope& other)
      : names(other.names), scope(other.scope), history(other.history) {
    scope.prompt_names = &names;
  }
  PromptScope& operator=(const PromptScope&) = delete;

  PromptNames names;
  Scope scope{nullptr, {}, false, &names};
  PersistentList<PromptEntry> history;
  mutable Environment all_names;
  mutable bool is_stale = true; ///< `all_names` lacks the latest declarations
};

struct Checker::Implementation {
  struct Import {
    std::string key;
    const CheckedFile* file = nullptr; ///< null after errors
  };
  using Imports = std::vector<Import>; ///< in the order of the text
  /// A file that has been read, and what became of it.
  struct LoadedFile {
    FileLocation location;
    std::string text;
    std::unique_ptr<CheckedFile> checked; ///< null: it had errors
    Imports imports;
    /// The latest load that looked at the file: within one load a file is read once.
    std::uint64_t verified_in = 0;
    bool was_reused = false; ///< in that load
    bool is_loading = false;
  };
  /// Marks a file as being loaded, until the scope ends or is left by an interruption.
  class Loading {
  public:
    explicit Loading(LoadedFile& file) : file_(file) { file.is_loading = true; }
    ~Loading() { file_.is_loading = false; }
    Loading(const Loading&) = delete;
    Loading& operator=(const Loading&) = delete;

  private:
    LoadedFile& file_;
  };

  class FileImporter;

  explicit Implementation(SourceMap& sources) : context{sources, ast, types, nullptr} {}

  void load_prelude();
  LoadedFile* load(const FileLocation& location, Diagnostics& diagnostics);
  LoadedFile* load_here(const FileLocation& location, Diagnostics& diagnostics);
  std::unique_ptr<CheckedFile> check(const FileLocation& location, FileId text,
                                     FileImporter& importer, Diagnostics& diagnostics);
  bool check_declarations(PromptScope& scope, const std::vector<syntax::Declaration*>& declarations,
                          FileImporter& importer, Diagnostics& diagnostics, Environment* news);
  bool is_unchanged(LoadedFile& file, Diagnostics& diagnostics);
  const Scope* outermost_for(const FileLocation& location) const {
    return location.is_prelude() ? &builtin_scope : &prelude_scope;
  }

  syntax::Ast ast;
  types::TypeArena types;
  ModuleArena modules;
  Context context;
  Scope builtin_scope; ///< what needs no prelude: primitive types, operators, `intrinsics`
  Scope prelude_scope;
  const CheckedFile* prelude = nullptr;
  Deferred deferred;
  /// The prelude's checkers stay, for what they have put off.
  std::vector<std::unique_ptr<FileImporter>> prelude_importers;
  std::vector<std::unique_ptr<ModuleChecker>> prelude_checkers;
  /// By key.  Versions of a file that has changed since are kept, as others may point into them.
  std::map<std::string, LoadedFile, std::less<>> files;
  std::vector<std::unique_ptr<CheckedFile>> former;
  /// What files and a prompt's declarations import; those that import nothing are not there.
  std::unordered_map<const CheckedFile*, Imports> imports_of_files;
  std::unordered_map<const syntax::Declaration*, Imports> imports_of_declarations;
  /// The names of files that a prompt has opened.
  std::unordered_map<const CheckedFile*, PromptNames> names_of_files;
  std::vector<const LoadedFile*> loading; ///< from the outermost importer inwards
  std::uint64_t current_load = 0;
  DeepRecursion importing; ///< a chain of imports may be long
  std::string root;        ///< key of the latest file that was asked for, not imported
};

/// Sets where diagnostics go, for as long as it lives.
class DiagnosticsTarget {
public:
  DiagnosticsTarget(Context& context, Diagnostics& target)
      : context_(context), previous_(std::exchange(context.diagnostics, &target)) {}
  ~DiagnosticsTarget() { context_.diagnostics = previous_; }
  DiagnosticsTarget(const DiagnosticsTarget&) = delete;
  DiagnosticsTarget& operator=(const DiagnosticsTarget&) = delete;

private:
  Context& context_;
  Diagnostics* previous_;
};

namespace {

/// How one gets a file of a package, whose path begins with `lib/` and a host's name; empty for
/// other files.
std::string package_hint(std::string_view path) {
  while (path.starts_with("../") || path.starts_with("./"))
    path.remove_prefix(path.find('/') + 1);
  if (!path.starts_with("lib/")) return "";
  path.remove_prefix(4);
  const std::size_t host = path.find('/');
  const std::size_t user = host == std::string_view::npos ? host : path.find('/', host + 1);
  const std::size_t file = user == std::string_view::npos ? user : path.find('/', user + 1);
  if (file == std::string_view::npos || path.substr(0, host).find('.') == std::string_view::npos)
    return "";
  return "; `sinter pkg add " + std::string(path.substr(0, file)) + "` fetches the package";
}

} // namespace

/// The imports of one file or prompt.
class Checker::Implementation::FileImporter : public Importer {
public:
  FileImporter(Implementation& checker, const FileLocation* importer)
      : checker_(checker), has_location_(importer != nullptr) {
    if (importer) location_ = *importer;
  }
  /// Of what was checked before: it gets the same files.
  FileImporter(Implementation& checker, const FileLocation* importer, Renewal& renewal,
               const Imports& before)
      : FileImporter(checker, importer) {
    renewal_ = &renewal;
    before_ = before;
  }

  const CheckedFile* import(const std::string& path, Span span) override {
    FileLocation target = locate_import(has_location_ ? &location_ : nullptr, path);
    const std::size_t index = imports.size();
    imports.push_back({target.key, nullptr});
    return imports[index].file = find(target, path, span);
  }

  Imports imports;

private:
  const CheckedFile* find(const FileLocation& target, const std::string& path, Span span) {
    if (renewal_ && !target.is_prelude())
      for (const Import& known : before_)
        if (known.key == target.key && known.file) return renewal_->file(*known.file);
    Diagnostics& diagnostics = *checker_.context.diagnostics;
    LoadedFile* known = nullptr;
    if (auto found = checker_.files.find(target.key); found != checker_.files.end())
      known = &found->second;
    if (known && known->is_loading) {
      Diagnostic& diagnostic =
          diagnostics.error("import-cycle", span, "`" + path + "` is imported by its own imports");
      bool is_inside = false;
      for (const LoadedFile* file : checker_.loading) {
        is_inside = is_inside || file == known;
        if (is_inside)
          diagnostic.notes.push_back({{}, "`" + file->location.display + "` is being imported"});
      }
      return nullptr;
    }
    // The file's own errors are reported once, in the load that finds them.
    const bool is_first_look = !known || known->verified_in != checker_.current_load;
    const std::size_t errors = diagnostics.error_count();
    if (LoadedFile* file = checker_.load(target, diagnostics))
      if (file->checked) return file->checked.get();
    if (is_first_look && diagnostics.error_count() > errors) return nullptr;
    std::string why;
    if (read_file(target, why))
      diagnostics.error("broken-import", span, "`" + target.display + "` has errors");
    else
      diagnostics.error("unreadable-file", span,
                        "cannot read `" + target.display + "`: " + why + package_hint(path));
    return nullptr;
  }

  Implementation& checker_;
  FileLocation location_;
  bool has_location_;
  Renewal* renewal_ = nullptr;
  Imports before_;
};

namespace {

/// All names that can be seen from a scope in one environment; inner ones win.
Environment flattened(const Scope& scope) {
  std::vector<const Scope*> layers;
  for (const Scope* layer = &scope; layer; layer = layer->parent)
    layers.push_back(layer);
  Environment all;
  for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer) {
    add_all(all, (*layer)->names);
    if ((*layer)->prompt_names) (*layer)->prompt_names->add_to(all);
  }
  return all;
}

} // namespace

void Checker::Implementation::load_prelude() {
  builtin_scope.names = builtin_environment(context);
  prelude_scope.parent = &builtin_scope;
  DiagnosticsTarget target(context, deferred.diagnostics);
  ++current_load;
  LoadedFile* file = load(locate_import(nullptr, "/prelude/prelude"), deferred.diagnostics);
  if (file && file->checked) {
    prelude = file->checked.get();
    add_all(prelude_scope.names, *prelude->module->environment());
  }
}

/// Checks a text that stands where `location` says; null with errors.
std::unique_ptr<CheckedFile> Checker::Implementation::check(const FileLocation& location,
                                                            FileId text, FileImporter& importer,
                                                            Diagnostics& diagnostics) {
  DiagnosticsTarget target(context, diagnostics);
  const std::size_t errors = diagnostics.error_count();
  auto file = std::make_unique<CheckedFile>();
  file->path = location.key;
  file->syntax = syntax::parse_file(context.sources, text, ast, diagnostics);

  auto checker = std::make_unique<ModuleChecker>(context, modules, importer);
  if (location.is_prelude()) checker->postpone_into(deferred);
  if (location.key == root) checker->mark_as_root();
  Scope& scope = *modules.make<Scope>(outermost_for(location), Environment{});
  Environment exported;
  checker->check_top_level(file->syntax.declarations, scope, exported);
  if (location.is_prelude()) prelude_checkers.push_back(std::move(checker));
  if (diagnostics.error_count() > errors && !location.is_prelude()) return nullptr;
  file->module = modules.make<Module>(std::move(exported), 0u);
  if (!location.is_prelude()) file->scope = flattened(scope);
  if (!importer.imports.empty()) imports_of_files[file.get()] = importer.imports;
  return file;
}

/// Whether what was checked still holds: the text and all imports are as they were.
bool Checker::Implementation::is_unchanged(LoadedFile& file, Diagnostics& diagnostics) {
  if (file.location.is_prelude()) return true;
  std::string why;
  std::optional<std::string> text = read_file(file.location, why);
  if (!text || *text != file.text) return false;
  return std::all_of(file.imports.begin(), file.imports.end(), [&](const Import& one) {
    auto found = files.find(one.key);
    if (found == files.end()) return false;
    if (found->second.is_loading) return false;
    LoadedFile* import = load(found->second.location, diagnostics);
    return import && import->checked && import->was_reused;
  });
}

/// Reads and checks a file unless that is done.  Null if it cannot be read (not reported).
Checker::Implementation::LoadedFile* Checker::Implementation::load(const FileLocation& location,
                                                                   Diagnostics& diagnostics) {
  if (auto found = files.find(location.key);
      found != files.end() && found->second.verified_in == current_load)
    return &found->second;
  LoadedFile* result = nullptr;
  importing.deeper([&] { result = load_here(location, diagnostics); });
  return result;
}

Checker::Implementation::LoadedFile*
Checker::Implementation::load_here(const FileLocation& location, Diagnostics& diagnostics) {
  LoadedFile& file = files[location.key];
  if (file.checked) {
    const Loading here(file);
    if (is_unchanged(file, diagnostics)) {
      file.was_reused = true;
      file.verified_in = current_load;
      return &file;
    }
  }
  std::string why;
  std::optional<std::string> text = read_file(location, why);
  if (!text) {
    if (file.checked) former.push_back(std::move(file.checked));
    file.verified_in = current_load;
    return nullptr;
  }
  if (file.checked) former.push_back(std::move(file.checked));
  file.location = location;
  file.text = *text;
  file.was_reused = false;
  const Loading here(file);
  loading.push_back(&file);
  struct Leave {
    std::vector<const LoadedFile*>& loading;
    ~Leave() { loading.pop_back(); }
  } leave{loading};
  auto importer = std::make_unique<FileImporter>(*this, &location);
  const FileId id = context.sources.add(location.display, std::move(*text));
  file.checked = check(location, id, *importer, diagnostics);
  file.imports = importer->imports;
  if (location.is_prelude()) prelude_importers.push_back(std::move(importer));
  file.verified_in = current_load;
  return &file;
}

// ---- the door ---------------------------------------------------------------------------------

Checker::Checker(SourceMap& sources) : implementation_(std::make_unique<Implementation>(sources)) {
  implementation_->load_prelude();
}
Checker::~Checker() = default;

const CheckedFile* Checker::check_file(const std::string& path, Diagnostics& diagnostics) {
  ++implementation_->current_load;
  DiagnosticsTarget target(implementation_->context, diagnostics);
  FileLocation location = locate_file(path);
  implementation_->root = location.key;
  std::string why;
  auto* file = implementation_->load(location, diagnostics);
  if (file) return file->checked.get();
  read_file(location, why);
  diagnostics.error("unreadable-file", {}, "cannot read `" + path + "`: " + why);
  return nullptr;
}

const CheckedFile* Checker::check_text(const std::string& name, std::string text,
                                       Diagnostics& diagnostics) {
  ++implementation_->current_load;
  implementation_->root = name;
  const FileLocation location{name, name};
  Implementation::FileImporter importer(*implementation_, &location);
  const FileId id = implementation_->context.sources.add(name, std::move(text));
  auto file = implementation_->check(location, id, importer, diagnostics);
  if (!file) return nullptr;
  return implementation_->former.emplace_back(std::move(file)).get();
}

std::shared_ptr<Checker::PromptScope> Checker::new_prompt_scope() {
  auto scope = std::make_shared<PromptScope>();
  scope->scope.parent = &implementation_->prelude_scope;
  return scope;
}

void Checker::open_file(PromptScope& scope, const CheckedFile& file) {
  auto [opened, is_new] = implementation_->names_of_files.try_emplace(&file);
  if (is_new) opened->second.add(file.scope);
  if (scope.names.empty())
    scope.names = opened->second;
  else
    scope.names.add(file.scope);
  scope.history.push_back(&file);
  scope.is_stale = true;
}

bool Checker::check_declarations(PromptScope& scope,
                                 const std::vector<syntax::Declaration*>& declarations,
                                 Diagnostics& diagnostics, Environment* news) {
  Implementation::FileImporter importer(*implementation_, nullptr);
  return implementation_->check_declarations(scope, declarations, importer, diagnostics, news);
}

bool Checker::Implementation::check_declarations(
    PromptScope& scope, const std::vector<syntax::Declaration*>& declarations,
    FileImporter& importer, Diagnostics& diagnostics, Environment* news) {
  ++current_load;
  DiagnosticsTarget target(context, diagnostics);
  const std::size_t errors = diagnostics.error_count();
  ModuleChecker checker(context, modules, importer);
  Scope layer{&scope.scope, {}};
  checker.check_at_prompt(declarations, layer);
  if (diagnostics.error_count() > errors) return false;
  if (news) *news = check::news(scope.scope, layer.names);
  scope.names.add(layer.names);
  for (const syntax::Declaration* declaration : declarations)
    scope.history.push_back(declaration);
  scope.is_stale = true;
  if (!importer.imports.empty())
    for (const syntax::Declaration* declaration : declarations)
      imports_of_declarations[declaration] = importer.imports;
  return true;
}

bool Checker::check_expression(PromptScope& scope, syntax::Expr& expression,
                               Diagnostics& diagnostics) {
  DiagnosticsTarget target(implementation_->context, diagnostics);
  return check_toplevel_expression(implementation_->context, scope.scope, expression);
}

bool has_value(const Checker::PromptScope& scope, std::string_view name) {
  return scope.scope.value(name) != nullptr;
}

std::shared_ptr<Checker::PromptScope> copy(const Checker::PromptScope& scope) {
  return std::make_shared<Checker::PromptScope>(scope);
}

void adopt(Checker::PromptScope& scope, const std::vector<const syntax::Declaration*>& declarations,
           const Environment& names) {
  scope.names.add(names);
  for (const syntax::Declaration* declaration : declarations)
    scope.history.push_back(declaration);
  scope.is_stale = true;
}

void alias(Checker::PromptScope& scope, std::string_view name, std::string_view existing) {
  types::Variable* const value = scope.scope.value(existing);
  scope.names.bind(name, value);
  scope.is_stale = true;
}

void hide(Checker::PromptScope& scope, std::string_view name) {
  scope.names.erase(name);
  scope.is_stale = true;
}

const PersistentList<Checker::PromptEntry>& Checker::history(const PromptScope& scope) const {
  return scope.history;
}

const Environment& Checker::environment(const PromptScope& scope) const {
  if (scope.is_stale) scope.all_names = flattened(scope.scope);
  scope.is_stale = false;
  return scope.all_names;
}

void Checker::ensure_body_checked(const syntax::ValueDeclaration& declaration) {
  auto& bodies = implementation_->deferred.bodies;
  auto found = bodies.find(&declaration);
  if (found == bodies.end()) return;
  const Scope* scope = found->second;
  bodies.erase(found);
  DiagnosticsTarget target(implementation_->context, implementation_->deferred.diagnostics);
  const Uninterruptible whole; // it is not there to be checked a second time
  // The tree belongs to this checker; only its users see it as immutable.
  check_deferred_body(implementation_->context, *scope,
                      const_cast<syntax::ValueDeclaration&>(declaration));
}

void Checker::ensure_checked(const syntax::ModuleDeclaration& declaration) {
  auto& modules = implementation_->deferred.modules;
  if (auto found = modules.find(&declaration); found != modules.end()) found->second->shape();
}

bool Checker::is_checked(const syntax::ModuleDeclaration& declaration) const {
  const auto& modules = implementation_->deferred.modules;
  auto found = modules.find(&declaration);
  return found == modules.end() || found->second->is_checked();
}

const Diagnostics& Checker::prelude_diagnostics() const {
  return implementation_->deferred.diagnostics;
}

const CheckedFile& Checker::prelude() const {
  return *implementation_->prelude;
}

syntax::Ast& Checker::ast() {
  return implementation_->ast;
}

std::vector<FileId> Checker::texts() const {
  std::vector<FileId> found;
  for (const auto& [key, file] : implementation_->files)
    if (file.checked && !file.location.is_prelude()) found.push_back(file.checked->syntax.id);
  for (const auto& file : implementation_->former)
    found.push_back(file->syntax.id);
  return found;
}

// ---- renewal ----------------------------------------------------------------------------------

namespace {

template <typename Map>
typename Map::mapped_type found_or_empty(const Map& map, const typename Map::key_type& key) {
  auto found = map.find(key);
  return found == map.end() ? typename Map::mapped_type{} : found->second;
}

} // namespace

const CheckedFile* Checker::Renewal::file(const CheckedFile& file) {
  auto [at, is_new] = done_.try_emplace(&file, nullptr);
  const CheckedFile*& result = at->second; // the recursion leaves it where it is
  if (!is_new) return result;
  Implementation& self = *checker_.implementation_;
  const Implementation& former = *former_.implementation_;
  const FileLocation location{file.path, std::string(self.context.sources.name(file.syntax.id))};
  if (file.path == former.root) self.root = former.root;
  Diagnostics diagnostics;
  Implementation::FileImporter importer(self, &location, *this,
                                        found_or_empty(former.imports_of_files, &file));
  std::unique_ptr<CheckedFile> checked =
      self.check(location, file.syntax.id, importer, diagnostics);
  if (!checked) return nullptr;
  result = checked.get();
  auto latest = former.files.find(file.path);
  if (latest == former.files.end() || latest->second.checked.get() != &file) {
    self.former.push_back(std::move(checked));
    return result;
  }
  Implementation::LoadedFile& loaded = self.files[file.path];
  loaded.location = location;
  loaded.text = latest->second.text;
  loaded.checked = std::move(checked);
  loaded.imports = std::move(importer.imports);
  return result;
}

bool Checker::Renewal::check_declaration(PromptScope& scope, syntax::Declaration& declaration,
                                         const syntax::Declaration& former,
                                         Diagnostics& diagnostics, Environment& news) {
  Implementation& self = *checker_.implementation_;
  Implementation::FileImporter importer(
      self, nullptr, *this,
      found_or_empty(former_.implementation_->imports_of_declarations, &former));
  return self.check_declarations(scope, {&declaration}, importer, diagnostics, &news);
}

std::vector<const CheckedFile*> Checker::Renewal::files() const {
  std::vector<const CheckedFile*> found;
  for (const auto& [former, file] : done_)
    if (file) found.push_back(file);
  return found;
}

} // namespace sinter::check
