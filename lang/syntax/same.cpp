// Comparing trees.  `parts` lists the members of each node that belong to the written program; what
// is not listed (spans, annotations) does not count.
#include "lang/syntax/print.h"

#include <tuple>

namespace sinter::syntax {
namespace {

auto parts(const QualifiedName& n) {
  return std::tie(n.qualifiers, n.name, n.backquoted);
}
auto parts(const Attribute& n) {
  return std::tie(n.name, n.number, n.string, n.arguments, n.has_arguments);
}
auto parts(const TypeParameter& n) {
  return std::tie(n.kind, n.name);
}
auto parts(const SizeBinder& n) {
  return std::tie(n.name);
}
auto parts(const Documentation& n) {
  return std::tie(n.text);
}

auto parts(const IntegerLiteral& n) {
  return std::tie(n.digits_value, n.suffix);
}
auto parts(const FloatLiteral& n) {
  return std::tie(n.text, n.suffix);
}
auto parts(const BoolLiteral& n) {
  return std::tie(n.value);
}
auto parts(const CharLiteral& n) {
  return std::tie(n.code_point);
}
auto parts(const StringLiteral& n) {
  return std::tie(n.bytes);
}
auto parts(const Hole&) {
  return std::tie();
}
auto parts(const VariableExpr& n) {
  return std::tie(n.name);
}
auto parts(const Parenthesized& n) {
  return std::tie(n.inner);
}
auto parts(const LocalOpen& n) {
  return std::tie(n.module, n.body);
}
auto parts(const TupleExpr& n) {
  return std::tie(n.elements);
}
auto parts(const FieldExpr& n) {
  return std::tie(n.name, n.value);
}
auto parts(const RecordExpr& n) {
  return std::tie(n.fields);
}
auto parts(const ArrayExpr& n) {
  return std::tie(n.elements);
}
auto parts(const ProjectExpr& n) {
  return std::tie(n.record, n.field);
}
auto parts(const IndexPart& n) {
  return std::tie(n.index, n.begin, n.end, n.stride);
}
auto parts(const IndexExpr& n) {
  return std::tie(n.array, n.indices);
}
auto parts(const PathStep& n) {
  return std::tie(n.field, n.indices);
}
auto parts(const LeftSection& n) {
  return std::tie(n.left, n.op);
}
auto parts(const RightSection& n) {
  return std::tie(n.op, n.right);
}
auto parts(const PathSection& n) {
  return std::tie(n.steps);
}
auto parts(const ApplyExpr& n) {
  return std::tie(n.function, n.arguments);
}
auto parts(const BinaryExpr& n) {
  return std::tie(n.op, n.left, n.right);
}
auto parts(const UnaryExpr& n) {
  return std::tie(n.op, n.operand);
}
auto parts(const ConstructorExpr& n) {
  return std::tie(n.name, n.arguments);
}
auto parts(const AscribeExpr& n) {
  return std::tie(n.value, n.type);
}
auto parts(const CoerceExpr& n) {
  return std::tie(n.value, n.type);
}
auto parts(const RangeExpr& n) {
  return std::tie(n.first, n.second, n.kind, n.end);
}
auto parts(const IfExpr& n) {
  return std::tie(n.condition, n.then_branch, n.else_branch);
}
auto parts(const LetPatternExpr& n) {
  return std::tie(n.sizes, n.pattern, n.value, n.body, n.explicit_in);
}
auto parts(const LetFunctionExpr& n) {
  return std::tie(n.name, n.type_parameters, n.parameters, n.result_type, n.value, n.body,
                  n.explicit_in);
}
auto parts(const LetWithExpr& n) {
  return std::tie(n.name, n.path, n.value, n.body, n.explicit_in);
}
auto parts(const LambdaExpr& n) {
  return std::tie(n.parameters, n.result_type, n.body);
}
auto parts(const ForLess& n) {
  return std::tie(n.name, n.bound);
}
auto parts(const ForIn& n) {
  return std::tie(n.pattern, n.array);
}
auto parts(const While& n) {
  return std::tie(n.condition);
}
auto parts(const LoopExpr& n) {
  return std::tie(n.sizes, n.pattern, n.initial, n.form, n.body);
}
auto parts(const AttributedExpr& n) {
  return std::tie(n.attribute, n.body);
}
auto parts(const AssertExpr& n) {
  return std::tie(n.condition, n.body);
}
auto parts(const WithExpr& n) {
  return std::tie(n.value, n.path, n.replacement);
}
auto parts(const MatchCase& n) {
  return std::tie(n.pattern, n.body);
}
auto parts(const MatchExpr& n) {
  return std::tie(n.scrutinee, n.cases);
}
auto parts(const ErrorExpr&) {
  return std::tie();
}

auto parts(const NamePattern& n) {
  return std::tie(n.name);
}
auto parts(const WildcardPattern&) {
  return std::tie();
}
auto parts(const LiteralPattern& n) {
  return std::tie(n.negative, n.literal);
}
auto parts(const TuplePattern& n) {
  return std::tie(n.elements);
}
auto parts(const FieldPattern& n) {
  return std::tie(n.name, n.pattern);
}
auto parts(const RecordPattern& n) {
  return std::tie(n.fields);
}
auto parts(const ConstructorPattern& n) {
  return std::tie(n.name, n.arguments);
}
auto parts(const AscribePattern& n) {
  return std::tie(n.pattern, n.type);
}
auto parts(const ParenthesizedPattern& n) {
  return std::tie(n.inner);
}
auto parts(const AttributedPattern& n) {
  return std::tie(n.attribute, n.pattern);
}

auto parts(const NamedType& n) {
  return std::tie(n.name);
}
auto parts(const TypeArgument& n) {
  return std::tie(n.type, n.size, n.is_size);
}
auto parts(const TypeApplication& n) {
  return std::tie(n.name, n.arguments);
}
auto parts(const ArrayType& n) {
  return std::tie(n.size, n.element);
}
auto parts(const UniqueType& n) {
  return std::tie(n.inner);
}
auto parts(const TupleType& n) {
  return std::tie(n.elements);
}
auto parts(const FieldType& n) {
  return std::tie(n.name, n.type);
}
auto parts(const RecordType& n) {
  return std::tie(n.fields);
}
auto parts(const ConstructorType& n) {
  return std::tie(n.name, n.payload);
}
auto parts(const SumType& n) {
  return std::tie(n.constructors);
}
auto parts(const FunctionType& n) {
  return std::tie(n.parameter_name, n.parameter, n.result);
}
auto parts(const ExistentialType& n) {
  return std::tie(n.sizes, n.body);
}
auto parts(const ParenthesizedType& n) {
  return std::tie(n.inner);
}
auto parts(const ErrorType&) {
  return std::tie();
}

auto parts(const ModuleName& n) {
  return std::tie(n.name);
}
auto parts(const ModuleParenthesized& n) {
  return std::tie(n.inner);
}
auto parts(const ModuleImport& n) {
  return std::tie(n.path);
}
auto parts(const ModuleBody& n) {
  return std::tie(n.declarations);
}
auto parts(const ModuleApply& n) {
  return std::tie(n.functor, n.argument);
}
auto parts(const ModuleAscribe& n) {
  return std::tie(n.body, n.type);
}
auto parts(const ModuleParameter& n) {
  return std::tie(n.name, n.type);
}
auto parts(const ModuleLambda& n) {
  return std::tie(n.parameter, n.result_type, n.body);
}
auto parts(const ErrorModule&) {
  return std::tie();
}
auto parts(const ModuleTypeName& n) {
  return std::tie(n.name);
}
auto parts(const ModuleTypeParenthesized& n) {
  return std::tie(n.inner);
}
auto parts(const ModuleTypeBody& n) {
  return std::tie(n.specifications);
}
auto parts(const ModuleTypeWith& n) {
  return std::tie(n.base, n.type_name, n.parameters, n.type);
}
auto parts(const ModuleTypeFunction& n) {
  return std::tie(n.parameter_name, n.parameter, n.result);
}

auto parts(const ValueSpecification& n) {
  return std::tie(n.name, n.type_parameters, n.type);
}
auto parts(const TypeSpecification& n) {
  return std::tie(n.name, n.lifting, n.parameters, n.definition);
}
auto parts(const ModuleSpecification& n) {
  return std::tie(n.name, n.type);
}
auto parts(const IncludeSpecification& n) {
  return std::tie(n.type);
}
auto parts(const ValueDeclaration& n) {
  // What a pattern is made into follows from it; its names depend on how it is laid out.
  const Expr* body = n.is_part   ? nullptr
                     : n.pattern ? std::get<LetPatternExpr>(n.body->node).value
                                 : n.body;
  return std::tuple_cat(
      std::tie(n.keyword, n.infix, n.type_parameters, n.parameters, n.result_type, n.is_part),
      std::tuple<Name, const Pattern*, const Expr*>(n.pattern ? Name() : n.name, n.pattern, body));
}
auto parts(const TypeDeclaration& n) {
  return std::tie(n.name, n.lifting, n.parameters, n.definition);
}
auto parts(const ModuleDeclaration& n) {
  return std::tie(n.name, n.parameters, n.ascription, n.body);
}
auto parts(const ModuleTypeDeclaration& n) {
  return std::tie(n.name, n.type);
}
auto parts(const OpenDeclaration& n) {
  return std::tie(n.module);
}
auto parts(const ImportDeclaration& n) {
  return std::tie(n.path);
}
auto parts(const LocalDeclaration& n) {
  return std::tie(n.inner);
}
auto parts(const ErrorDeclaration&) {
  return std::tie();
}

auto parts(const Expr& n) {
  return std::tie(n.node);
}
auto parts(const Pattern& n) {
  return std::tie(n.node);
}
auto parts(const TypeExpr& n) {
  return std::tie(n.node);
}
auto parts(const ModuleExpr& n) {
  return std::tie(n.node);
}
auto parts(const ModuleTypeExpr& n) {
  return std::tie(n.node);
}
auto parts(const Specification& n) {
  return std::tie(n.node, n.attributes, n.documentation);
}
auto parts(const Declaration& n) {
  return std::tie(n.node, n.attributes, n.documentation);
}
auto parts(const File& n) {
  return std::tie(n.declarations, n.documentation);
}

template <typename T>
concept HasParts = requires(const T& value) {
  parts(value);
};

template <typename T>
bool equal(const T& a, const T& b);

template <typename T>
bool equal(T* const& a, T* const& b) {
  if (a == nullptr || b == nullptr) return a == b;
  return equal<T>(*a, *b);
}
template <typename T>
bool equal(const std::vector<T>& a, const std::vector<T>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!equal(a[i], b[i])) return false;
  return true;
}
template <typename T>
bool equal(const std::optional<T>& a, const std::optional<T>& b) {
  return a.has_value() == b.has_value() && (!a || equal(*a, *b));
}
template <typename... Nodes>
bool equal(const std::variant<Nodes...>& a, const std::variant<Nodes...>& b) {
  if (a.index() != b.index()) return false;
  return std::visit([&](const auto& x) { return equal(x, std::get<std::decay_t<decltype(x)>>(b)); },
                    a);
}
template <typename... Members>
bool equal(const std::tuple<Members...>& a, const std::tuple<Members...>& b) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return (equal(std::get<I>(a), std::get<I>(b)) && ...);
  }
  (std::index_sequence_for<Members...>());
}
template <typename T>
bool equal(const T& a, const T& b) {
  if constexpr (HasParts<T>)
    return equal(parts(a), parts(b));
  else
    return a == b;
}

} // namespace

bool same(const File& a, const File& b) {
  return equal(a, b);
}
bool same(const Expr& a, const Expr& b) {
  return equal(a, b);
}

} // namespace sinter::syntax
