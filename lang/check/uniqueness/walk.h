// The walk of the uniqueness check; used by its own files only.
#pragma once

#include "lang/check/uniqueness/aliases.h"
#include "lang/check/uniqueness/uniqueness.h"
#include "lang/types/stars.h"

#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace sinter::check {

class UniquenessWalk {
public:
  explicit UniquenessWalk(Context& context) : context_(context) {}
  const types::Type* check_definition(const syntax::ValueDeclaration& declaration);

private:
  /// Something that aliases lead to.
  struct Root {
    enum class Kind { Local, Global, ApplicationResult, LoopResult };
    Kind kind = Kind::Local;
    const types::Variable* variable = nullptr;
    std::string_view function;       ///< of an application's result, as written; may be empty
    Span span;                       ///< of an application or a loop
    const AliasTree* tree = nullptr; ///< of a local variable: all that it shares memory with
    bool may_be_consumed = false;
    bool is_in_scope = false;
    bool is_consumed = false;
    std::size_t consumed_index = 0; ///< in `consumed_`
    Span consumed_at;
  };
  struct Use {
    std::uint32_t root = 0;
    Span span;
  };
  struct Consumption {
    std::uint32_t root = 0;
    Span span;
  };
  struct ParameterName {
    const types::Variable* variable = nullptr;
    const types::Type* type = nullptr;
    bool is_unique = false;
  };
  /// Names that are bound while it lives.
  class Binding {
  public:
    explicit Binding(UniquenessWalk& walk) : walk_(walk), mark_(walk.in_scope_.size()) {}
    ~Binding();
    Binding(const Binding&) = delete;
    Binding& operator=(const Binding&) = delete;

  private:
    UniquenessWalk& walk_;
    std::size_t mark_;
  };
  /// While it lives, what was bound before must not be consumed.
  class Barrier {
  public:
    explicit Barrier(UniquenessWalk& walk)
        : walk_(walk), outer_(std::exchange(walk.first_consumable_, walk.roots_.size())) {}
    ~Barrier() { walk_.first_consumable_ = outer_; }
    Barrier(const Barrier&) = delete;
    Barrier& operator=(const Barrier&) = delete;

  private:
    UniquenessWalk& walk_;
    std::size_t outer_;
  };

  // ---- roots and consumption (uniqueness.cpp) ----
  std::uint32_t new_root(Root root);
  void bind(const types::Variable* variable, const AliasTree* shared, bool may_be_consumed);
  void bind_function(const types::Variable* variable, const AliasTree* closure);
  void bind_pattern(const syntax::Pattern& pattern, const AliasTree* tree, bool may_be_consumed);
  const AliasTree* observe(Span span, const types::Variable* variable, const types::Type* type);
  const AliasTree* global_tree(const types::Variable* variable, const types::Type* type);
  void check_not_consumed(Span span, const AliasTree* tree, const types::Variable* used);
  void consume(Span span, const AliasSet& aliases);
  /// The part of a value that is consumed under a type's stars.
  AliasSet consumed_part(const types::Type* type, bool is_unique, const AliasTree* tree) const;
  void mark_consumed(const Consumption& consumption);
  /// Undoes what was consumed since a mark, and gives it.
  std::vector<Consumption> take_back(std::size_t mark);
  void repeat(const std::vector<Consumption>& consumptions);
  const AliasTree* without_consumed_since(std::size_t mark, const AliasTree* tree);
  std::string describe(std::uint32_t root) const;
  std::string position(Span span, Span from) const;
  std::string text(Span span) const;
  /// Whether a message should rather name the first root than the second: those in scope come
  /// first, then in order of binding.
  bool precedes(std::uint32_t a, std::uint32_t b) const;

  // ---- expressions (uniqueness_expressions.cpp) ----
  const AliasTree* walk(const syntax::Expr& expression);
  void walk_all(const std::vector<syntax::Expr*>& expressions);
  void walk_indices(const std::vector<syntax::IndexPart>& indices);
  void walk_path(const std::vector<syntax::PathStep>& path);
  const AliasTree* walk_bound_value(const syntax::Expr& value);
  void check_overlap(const AliasTree* source, std::string_view source_text,
                     const AliasTree* replacement, const syntax::Expr& value);
  // Literals and holes share memory with nothing.
  const AliasTree* walk_node(const syntax::Expr&, const syntax::IntegerLiteral&) { return nullptr; }
  const AliasTree* walk_node(const syntax::Expr&, const syntax::FloatLiteral&) { return nullptr; }
  const AliasTree* walk_node(const syntax::Expr&, const syntax::BoolLiteral&) { return nullptr; }
  const AliasTree* walk_node(const syntax::Expr&, const syntax::CharLiteral&) { return nullptr; }
  const AliasTree* walk_node(const syntax::Expr&, const syntax::StringLiteral&) { return nullptr; }
  const AliasTree* walk_node(const syntax::Expr&, const syntax::Hole&) { return nullptr; }
  const AliasTree* walk_node(const syntax::Expr&, const syntax::ErrorExpr&) { return nullptr; }
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::VariableExpr& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::Parenthesized& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::LocalOpen& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::TupleExpr& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::RecordExpr& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::ArrayExpr& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::ProjectExpr& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::IndexExpr& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::LeftSection& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::RightSection& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::PathSection& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::ApplyExpr& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::BinaryExpr& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::UnaryExpr& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::ConstructorExpr& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::AscribeExpr& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::CoerceExpr& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::RangeExpr& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::IfExpr& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::LetPatternExpr& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::LetFunctionExpr& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::LetWithExpr& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::LambdaExpr& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::LoopExpr& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::AttributedExpr& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::AssertExpr& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::WithExpr& node);
  const AliasTree* walk_node(const syntax::Expr& expression, const syntax::MatchExpr& node);

  // ---- calls and functions (uniqueness_functions.cpp) ----
  struct Argument {
    const syntax::Expr* expression = nullptr;
    const AliasTree* tree = nullptr;
  };
  const AliasTree* walk_argument(const syntax::Expr& argument, bool is_consumed,
                                 std::span<const Argument> evaluated);
  const AliasTree* call(const syntax::Expr& call, std::string_view name, const AliasTree* callee,
                        const types::FunctionType* function, std::span<const Argument> arguments);
  const AliasTree* returned(const types::Type* result, bool is_unique, const AliasSet& reachable);
  void bind_parameters(const std::vector<syntax::Pattern*>& parameters,
                       std::vector<ParameterName>& names);
  void parameter_names(const syntax::Pattern& pattern, const types::Type* type, bool is_unique,
                       std::vector<ParameterName>& names);
  void walk_sizes(const syntax::Pattern& pattern);
  void walk_sizes(const syntax::TypeExpr& type);
  void check_result(const syntax::Expr& body, const std::vector<ParameterName>& parameters,
                    const types::Type* declared, const AliasTree* tree);
  void check_global_aliases(const syntax::Expr& body, const AliasTree* tree);
  const types::Type* with_unique_result(const types::Type* function, std::size_t parameter_count,
                                        const std::vector<ParameterName>& parameters,
                                        const AliasTree* tree);
  /// A local function: its closure.
  const AliasTree* walk_function(const std::vector<syntax::Pattern*>& parameters,
                                 const syntax::TypeExpr* result_type, const syntax::Expr& body,
                                 const types::Type* type);
  std::vector<Use> uses_since(std::size_t mark) const;
  /// Keeps one of each use since a mark, and none of what has left its scope.
  void condense_uses(std::size_t mark);

  // ---- loops (uniqueness_loops.cpp) ----
  /// A part of a loop's parameter: what a name or a wildcard of its pattern stands for.
  struct LoopLeaf {
    enum class Kind { Name, Wildcard, Constructor };
    Kind kind = Kind::Name;
    const types::Variable* variable = nullptr; ///< of a name
    Span span;
    const types::Type* type = nullptr;
    std::vector<types::Name> path; ///< the fields that lead to it
    bool is_unique = false;        ///< a star stands over its type
    bool is_ascribed = false;      ///< then its type alone says whether it is consumed
    bool is_consumed = false;
  };
  void loop_leaves(const syntax::Pattern& pattern, const types::Type* type, bool is_unique,
                   bool is_ascribed, std::vector<types::Name>& path, std::vector<LoopLeaf>& leaves);
  const AliasTree* follow(const AliasTree* tree, const std::vector<types::Name>& path) const;
  void bind_loop(const syntax::LoopExpr& node, const std::vector<LoopLeaf>& leaves);
  void infer_consumed_leaves(std::vector<LoopLeaf>& leaves, std::vector<std::uint32_t> consumed,
                             const syntax::Expr& body, const AliasTree* body_tree);
  void check_next_values(const std::vector<LoopLeaf>& leaves, std::vector<std::uint32_t>& consumed,
                         const syntax::Expr& body, const AliasTree* body_tree);
  const AliasTree* implicit_initial(const syntax::Pattern& pattern,
                                    const std::vector<types::Variable*>& variables,
                                    std::size_t& next);
  const AliasTree* walk_initial(const syntax::LoopExpr& node, const std::vector<LoopLeaf>& leaves);
  void check_free_uses(std::string_view what, const std::vector<Use>& uses, std::size_t mark);
  const AliasTree* loop_result(const types::Type* type, std::vector<types::Name>& path,
                               const std::vector<LoopLeaf>& leaves, const AliasTree* initial,
                               const AliasSet& result);
  const AliasTree* leaf_result(const types::Type* type, bool is_unique, const AliasTree* initial,
                               const AliasSet& result);

  Context& context_;
  AliasArena arena_;
  std::vector<Root> roots_;
  std::unordered_map<const types::Variable*, std::uint32_t> known_;
  std::vector<std::uint32_t> in_scope_;
  std::vector<Consumption> consumed_; ///< what is consumed now, in order
  std::vector<Use> uses_;             ///< of local variables, in order
  std::size_t first_consumable_ = 0;  ///< of roots; those before belong to somebody else
  bool owns_globals_ = false;         ///< at a prompt
};

} // namespace sinter::check
