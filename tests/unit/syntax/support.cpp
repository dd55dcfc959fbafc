#include "tests/unit/syntax/support.h"

namespace sinter::syntax::test {
namespace {

std::string join(const QualifiedName& name) {
  std::string text;
  for (Name qualifier : name.qualifiers)
    text += std::string(qualifier) + ".";
  text += name.name;
  return name.backquoted ? "`" + text + "`" : text;
}

template <typename List, typename Function>
std::string each(const List& list, Function&& function) {
  std::string text;
  for (const auto& item : list)
    text += " " + function(item);
  return text;
}
template <typename Node>
std::string each(const std::vector<Node*>& list) {
  return each(list, [](const Node* node) { return shape(*node); });
}
template <typename Node>
std::string optional(const Node* node) {
  return node == nullptr ? "_" : shape(*node);
}

std::string indices(const std::vector<IndexPart>& list) {
  std::string text = each(list, [](const IndexPart& part) {
    if (!part.is_slice()) return shape(*part.index);
    return optional(part.begin) + ":" + optional(part.end) + ":" + optional(part.stride);
  });
  return "[" + text.substr(1) + "]";
}
std::string path(const std::vector<PathStep>& steps) {
  std::string text;
  for (const PathStep& step : steps)
    text += step.is_field() ? "." + std::string(step.field) : indices(step.indices);
  return text;
}
std::string sizes(const std::vector<SizeBinder>& list) {
  return each(list, [](const SizeBinder& size) { return "[" + std::string(size.name) + "]"; });
}
std::string parameters(const std::vector<TypeParameter>& list) {
  return each(list, [](const TypeParameter& p) {
    std::string name(p.name);
    switch (p.kind) {
    case TypeParameter::Kind::Size:
      return "[" + name + "]";
    case TypeParameter::Kind::Type:
      return "'" + name;
    case TypeParameter::Kind::SizeLifted:
      return "'~" + name;
    case TypeParameter::Kind::FullyLifted:
      return "'^" + name;
    }
    return name;
  });
}
std::string attribute(const Attribute& a) {
  if (a.number) return std::to_string(*a.number);
  if (a.string) return "\"" + *a.string + "\"";
  std::string text(a.name);
  if (a.has_arguments) text += "(" + each(a.arguments, attribute) + " )";
  return text;
}
std::string attributes(const std::vector<Attribute>& list) {
  return each(list, [](const Attribute& a) { return "#" + attribute(a); });
}
std::string suffix(std::optional<ElementType> type) {
  return type ? std::string(name(*type)) : "";
}
std::string_view lifting(types::Lifting lifting) {
  switch (lifting) {
  case Lifting::None:
    return "type";
  case Lifting::SizeLifted:
    return "type~";
  case Lifting::FullyLifted:
    return "type^";
  }
  return "";
}

struct ShapeOf {
  std::string operator()(const IntegerLiteral& n) { return n.digits_value + suffix(n.suffix); }
  std::string operator()(const FloatLiteral& n) { return n.text + suffix(n.suffix); }
  std::string operator()(const BoolLiteral& n) { return n.value ? "true" : "false"; }
  std::string operator()(const CharLiteral& n) { return "'" + std::to_string(n.code_point) + "'"; }
  std::string operator()(const StringLiteral& n) { return "\"" + n.bytes + "\""; }
  std::string operator()(const Hole&) { return "???"; }
  std::string operator()(const VariableExpr& n) { return join(n.name); }
  std::string operator()(const Parenthesized& n) { return "(paren " + shape(*n.inner) + ")"; }
  std::string operator()(const LocalOpen& n) {
    return "(open " + join(n.module) + " " + shape(*n.body) + ")";
  }
  std::string operator()(const TupleExpr& n) { return "(tuple" + each(n.elements) + ")"; }
  std::string operator()(const RecordExpr& n) {
    return "(record" +
           each(n.fields,
                [](const FieldExpr& f) {
                  return std::string(f.name) + (f.value ? "=" + shape(*f.value) : "");
                }) +
           ")";
  }
  std::string operator()(const ArrayExpr& n) { return "(array" + each(n.elements) + ")"; }
  std::string operator()(const ProjectExpr& n) {
    return "(project " + shape(*n.record) + " " + std::string(n.field) + ")";
  }
  std::string operator()(const IndexExpr& n) {
    return "(index " + shape(*n.array) + " " + indices(n.indices) + ")";
  }
  std::string operator()(const LeftSection& n) {
    return "(left " + shape(*n.left) + " " + join(n.op) + ")";
  }
  std::string operator()(const RightSection& n) {
    return "(right " + join(n.op) + " " + shape(*n.right) + ")";
  }
  std::string operator()(const PathSection& n) { return "(path " + path(n.steps) + ")"; }
  std::string operator()(const ApplyExpr& n) {
    return "(apply " + shape(*n.function) + each(n.arguments) + ")";
  }
  std::string operator()(const BinaryExpr& n) {
    return "(" + join(n.op) + " " + shape(*n.left) + " " + shape(*n.right) + ")";
  }
  std::string operator()(const UnaryExpr& n) {
    return (n.op == UnaryOperator::Negate ? "(neg " : "(not ") + shape(*n.operand) + ")";
  }
  std::string operator()(const ConstructorExpr& n) {
    return "(#" + std::string(n.name) + each(n.arguments) + ")";
  }
  std::string operator()(const AscribeExpr& n) {
    return "(: " + shape(*n.value) + " " + shape(*n.type) + ")";
  }
  std::string operator()(const CoerceExpr& n) {
    return "(:> " + shape(*n.value) + " " + shape(*n.type) + ")";
  }
  std::string operator()(const RangeExpr& n) {
    std::string_view dots = n.kind == RangeEnd::Inclusive ? "..."
                            : n.kind == RangeEnd::UpTo    ? "..<"
                                                          : "..>";
    return "(" + std::string(dots) + " " + shape(*n.first) + " " +
           (n.second ? shape(*n.second) + " " : "") + shape(*n.end) + ")";
  }
  std::string operator()(const IfExpr& n) {
    return "(if " + shape(*n.condition) + " " + shape(*n.then_branch) + " " +
           shape(*n.else_branch) + ")";
  }
  std::string operator()(const LetPatternExpr& n) {
    return "(let" + sizes(n.sizes) + " " + shape(*n.pattern) + " " + shape(*n.value) + " " +
           shape(*n.body) + ")";
  }
  std::string operator()(const LetFunctionExpr& n) {
    return "(letfun " + std::string(n.name) + parameters(n.type_parameters) + each(n.parameters) +
           (n.result_type ? " : " + shape(*n.result_type) : "") + " " + shape(*n.value) + " " +
           shape(*n.body) + ")";
  }
  std::string operator()(const LetWithExpr& n) {
    return "(letwith " + std::string(n.name) + path(n.path) + " " + shape(*n.value) + " " +
           shape(*n.body) + ")";
  }
  std::string operator()(const LambdaExpr& n) {
    return "(lambda" + each(n.parameters) + (n.result_type ? " : " + shape(*n.result_type) : "") +
           " " + shape(*n.body) + ")";
  }
  std::string operator()(const LoopExpr& n) {
    std::string form;
    if (const auto* f = std::get_if<ForLess>(&n.form))
      form = "(for< " + std::string(f->name) + " " + shape(*f->bound) + ")";
    else if (const auto* f = std::get_if<ForIn>(&n.form))
      form = "(forin " + shape(*f->pattern) + " " + shape(*f->array) + ")";
    else
      form = "(while " + shape(*std::get<While>(n.form).condition) + ")";
    return "(loop" + sizes(n.sizes) + " " + shape(*n.pattern) + " " + optional(n.initial) + " " +
           form + " " + shape(*n.body) + ")";
  }
  std::string operator()(const AttributedExpr& n) {
    return "(#" + attribute(n.attribute) + " " + shape(*n.body) + ")";
  }
  std::string operator()(const AssertExpr& n) {
    return "(assert " + shape(*n.condition) + " " + shape(*n.body) + ")";
  }
  std::string operator()(const WithExpr& n) {
    return "(with " + shape(*n.value) + " " + path(n.path) + " " + shape(*n.replacement) + ")";
  }
  std::string operator()(const MatchExpr& n) {
    return "(match " + shape(*n.scrutinee) +
           each(n.cases,
                [](const MatchCase& c) {
                  return "(case " + shape(*c.pattern) + " " + shape(*c.body) + ")";
                }) +
           ")";
  }
  std::string operator()(const ErrorExpr&) { return "<error>"; }

  std::string operator()(const NamePattern& n) { return std::string(n.name); }
  std::string operator()(const WildcardPattern&) { return "_"; }
  std::string operator()(const LiteralPattern& n) {
    return (n.negative ? "-" : "") + shape(*n.literal);
  }
  std::string operator()(const TuplePattern& n) { return "(tuple" + each(n.elements) + ")"; }
  std::string operator()(const RecordPattern& n) {
    return "(record" +
           each(n.fields,
                [](const FieldPattern& f) {
                  return std::string(f.name) + (f.pattern ? "=" + shape(*f.pattern) : "");
                }) +
           ")";
  }
  std::string operator()(const ConstructorPattern& n) {
    return "(#" + std::string(n.name) + each(n.arguments) + ")";
  }
  std::string operator()(const AscribePattern& n) {
    return "(: " + shape(*n.pattern) + " " + shape(*n.type) + ")";
  }
  std::string operator()(const ParenthesizedPattern& n) {
    return "(paren " + shape(*n.inner) + ")";
  }
  std::string operator()(const AttributedPattern& n) {
    return "(#" + attribute(n.attribute) + " " + shape(*n.pattern) + ")";
  }

  std::string operator()(const NamedType& n) { return join(n.name); }
  std::string operator()(const TypeApplication& n) {
    return "(apply " + join(n.name) +
           each(n.arguments,
                [](const TypeArgument& a) {
                  return a.is_size ? "[" + (a.size ? shape(*a.size) : "") + "]" : shape(*a.type);
                }) +
           ")";
  }
  std::string operator()(const ArrayType& n) {
    return "([" + (n.size ? shape(*n.size) : "") + "] " + shape(*n.element) + ")";
  }
  std::string operator()(const UniqueType& n) { return "(* " + shape(*n.inner) + ")"; }
  std::string operator()(const TupleType& n) { return "(tuple" + each(n.elements) + ")"; }
  std::string operator()(const RecordType& n) {
    return "(record" +
           each(n.fields,
                [](const FieldType& f) { return std::string(f.name) + ":" + shape(*f.type); }) +
           ")";
  }
  std::string operator()(const SumType& n) {
    return "(sum" +
           each(n.constructors,
                [](const ConstructorType& c) {
                  return "(#" + std::string(c.name) + each(c.payload) + ")";
                }) +
           ")";
  }
  std::string operator()(const FunctionType& n) {
    std::string name = n.parameter_name.empty() ? "" : std::string(n.parameter_name) + ":";
    return "(-> " + name + shape(*n.parameter) + " " + shape(*n.result) + ")";
  }
  std::string operator()(const ExistentialType& n) {
    return "(?" + sizes(n.sizes) + " " + shape(*n.body) + ")";
  }
  std::string operator()(const ParenthesizedType& n) { return "(paren " + shape(*n.inner) + ")"; }
  std::string operator()(const ErrorType&) { return "<error>"; }

  std::string operator()(const ModuleName& n) { return join(n.name); }
  std::string operator()(const ModuleParenthesized& n) { return "(paren " + shape(*n.inner) + ")"; }
  std::string operator()(const ModuleImport& n) { return "(import " + n.path + ")"; }
  std::string operator()(const ModuleBody& n) { return "{" + each(n.declarations) + " }"; }
  std::string operator()(const ModuleApply& n) {
    return "(apply " + shape(*n.functor) + " " + shape(*n.argument) + ")";
  }
  std::string operator()(const ModuleAscribe& n) {
    return "(: " + shape(*n.body) + " " + shape(*n.type) + ")";
  }
  static std::string parameter(const ModuleParameter& p) {
    return "(" + std::string(p.name) + ": " + shape(*p.type) + ")";
  }
  std::string operator()(const ModuleLambda& n) {
    return "(lambda " + parameter(n.parameter) +
           (n.result_type ? " : " + shape(*n.result_type) : "") + " " + shape(*n.body) + ")";
  }
  std::string operator()(const ErrorModule&) { return "<error>"; }
  std::string operator()(const ModuleTypeName& n) { return join(n.name); }
  std::string operator()(const ModuleTypeParenthesized& n) {
    return "(paren " + shape(*n.inner) + ")";
  }
  std::string operator()(const ModuleTypeBody& n) { return "{" + each(n.specifications) + " }"; }
  std::string operator()(const ModuleTypeWith& n) {
    return "(with " + shape(*n.base) + " " + join(n.type_name) + parameters(n.parameters) + " = " +
           shape(*n.type) + ")";
  }
  std::string operator()(const ModuleTypeFunction& n) {
    std::string name = n.parameter_name.empty() ? "" : std::string(n.parameter_name) + ":";
    return "(-> " + name + shape(*n.parameter) + " " + shape(*n.result) + ")";
  }

  std::string operator()(const ValueSpecification& n) {
    return "(val " + std::string(n.name) + parameters(n.type_parameters) + " : " + shape(*n.type) +
           ")";
  }
  std::string operator()(const TypeSpecification& n) {
    return "(" + std::string(lifting(n.lifting)) + " " + std::string(n.name) +
           parameters(n.parameters) + (n.definition ? " = " + shape(*n.definition) : "") + ")";
  }
  std::string operator()(const ModuleSpecification& n) {
    return "(module " + std::string(n.name) + " : " + shape(*n.type) + ")";
  }
  std::string operator()(const IncludeSpecification& n) {
    return "(include " + shape(*n.type) + ")";
  }
  std::string operator()(const ValueDeclaration& n) {
    std::string keyword = n.keyword == ValueKeyword::Def     ? "def"
                          : n.keyword == ValueKeyword::Entry ? "entry"
                                                             : "let";
    return "(" + keyword + (n.infix ? " infix " : " ") + std::string(n.name) +
           parameters(n.type_parameters) + each(n.parameters) +
           (n.result_type ? " : " + shape(*n.result_type) : "") + " = " + shape(*n.body) + ")";
  }
  std::string operator()(const TypeDeclaration& n) {
    return "(" + std::string(lifting(n.lifting)) + " " + std::string(n.name) +
           parameters(n.parameters) + " = " + shape(*n.definition) + ")";
  }
  std::string operator()(const ModuleDeclaration& n) {
    return "(module " + std::string(n.name) + each(n.parameters, parameter) +
           (n.ascription ? " : " + shape(*n.ascription) : "") + " = " + shape(*n.body) + ")";
  }
  std::string operator()(const ModuleTypeDeclaration& n) {
    return "(module type " + std::string(n.name) + " = " + shape(*n.type) + ")";
  }
  std::string operator()(const OpenDeclaration& n) { return "(open " + shape(*n.module) + ")"; }
  std::string operator()(const ImportDeclaration& n) { return "(import " + n.path + ")"; }
  std::string operator()(const LocalDeclaration& n) { return "(local " + shape(*n.inner) + ")"; }
  std::string operator()(const ErrorDeclaration&) { return "<error>"; }
};

template <typename List>
std::string lines(const List& list) {
  std::string text;
  for (const auto* item : list)
    text += (text.empty() ? "" : "\n") + shape(*item);
  return text;
}

} // namespace

std::string shape(const Expr& e) {
  return std::visit(ShapeOf{}, e.node);
}
std::string shape(const Pattern& p) {
  return std::visit(ShapeOf{}, p.node);
}
std::string shape(const TypeExpr& t) {
  return std::visit(ShapeOf{}, t.node);
}
std::string shape(const ModuleExpr& m) {
  return std::visit(ShapeOf{}, m.node);
}
std::string shape(const ModuleTypeExpr& t) {
  return std::visit(ShapeOf{}, t.node);
}
std::string shape(const Declaration& d) {
  std::string text = d.documentation ? "-- " + d.documentation->text + "\n" : "";
  if (!d.attributes.empty()) text += attributes(d.attributes).substr(1) + " ";
  return text + std::visit(ShapeOf{}, d.node);
}
std::string shape(const Specification& s) {
  std::string text = s.documentation ? "-- " + s.documentation->text + "\n" : "";
  if (!s.attributes.empty()) text += attributes(s.attributes).substr(1) + " ";
  return text + std::visit(ShapeOf{}, s.node);
}

std::string expression(std::string text) {
  Parsed p;
  Expr* e = parse_expression(p.sources, p.add(std::move(text)), p.ast, p.diagnostics);
  return e == nullptr ? p.errors() : shape(*e);
}
std::string type(std::string text) {
  Parsed p;
  TypeExpr* t = parse_type(p.sources, p.add(std::move(text)), p.ast, p.diagnostics);
  return t == nullptr ? p.errors() : shape(*t);
}
std::string declarations(std::string text) {
  Parsed p;
  File file = parse_file(p.sources, p.add(std::move(text)), p.ast, p.diagnostics);
  return p.diagnostics.has_errors() ? p.errors() : lines(file.declarations);
}
std::string specifications(std::string text) {
  Parsed p;
  auto list = parse_specifications(p.sources, p.add(std::move(text)), p.ast, p.diagnostics);
  return p.diagnostics.has_errors() ? p.errors() : lines(list);
}
std::string errors(std::string text) {
  Parsed p;
  parse_file(p.sources, p.add(std::move(text)), p.ast, p.diagnostics);
  return p.errors();
}

} // namespace sinter::syntax::test
