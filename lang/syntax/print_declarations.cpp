#include "lang/syntax/printer.h"

#include <iostream>

namespace sinter::syntax {

void Printer::documentation(const Documentation& documentation) {
  std::string_view rest = documentation.text;
  for (bool first = true;; first = false) {
    std::size_t end = rest.find('\n');
    std::string_view text = rest.substr(0, end);
    std::string line = first ? "-- |" : "--";
    if (!text.empty()) line += " ";
    line += text;
    put(line);
    hard();
    if (end == std::string_view::npos) break;
    rest.remove_prefix(end + 1);
  }
}

void Printer::file(const File& file) {
  if (file.documentation) {
    documentation(*file.documentation);
    hard();
  }
  declarations(file.declarations);
}

void Printer::declarations(const std::vector<Declaration*>& list) {
  auto is_short = [](const Declaration& d) {
    return !d.documentation && (std::holds_alternative<OpenDeclaration>(d.node) ||
                                std::holds_alternative<ImportDeclaration>(d.node));
  };
  auto is_part = [](const Declaration& whole) {
    const Declaration* d = &whole;
    while (const auto* local = std::get_if<LocalDeclaration>(&d->node))
      d = local->inner;
    const auto* value = std::get_if<ValueDeclaration>(&d->node);
    return value && value->is_part;
  };
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (is_part(*list[i])) continue; // the pattern has the name
    if (i > 0) {
      hard();
      if (!is_short(*list[i]) || !is_short(*list[i - 1])) hard();
    }
    declaration(*list[i]);
  }
}

void Printer::declaration(const Declaration& declaration) {
  if (declaration.documentation) documentation(*declaration.documentation);
  for (const Attribute& a : declaration.attributes) {
    attribute(a);
    hard();
  }
  std::visit([&](const auto& n) { node(n); }, declaration.node);
}

void Printer::node(const ValueDeclaration& n) {
  open();
  switch (n.keyword) {
  case ValueKeyword::Def:
    put("def ");
    break;
  case ValueKeyword::Let:
    put("let ");
    break;
  case ValueKeyword::Entry:
    put("entry ");
    break;
  }
  if (n.infix) {
    bool is_symbol = !n.name.empty() && !((n.name[0] | 0x20) >= 'a' && (n.name[0] | 0x20) <= 'z') &&
                     n.name[0] != '_';
    pattern(*n.parameters[0]);
    space();
    if (!is_symbol) put("`");
    put(n.name);
    if (!is_symbol) put("`");
    space();
    pattern(*n.parameters[1]);
  } else if (n.pattern != nullptr) {
    pattern(*n.pattern);
  } else {
    open();
    prefix_name(n.name);
    type_parameters(n.type_parameters);
    for (const Pattern* parameter : n.parameters) {
      fill();
      pattern(*parameter);
    }
    close();
  }
  if (n.result_type != nullptr) {
    put(" : ");
    type(*n.result_type);
  }
  put(" =");
  line();
  expression(n.pattern != nullptr ? *std::get<LetPatternExpr>(n.body->node).value : *n.body);
  close();
}

void Printer::type_head(std::string_view keyword, types::Lifting lifting, Name name,
                        const std::vector<TypeParameter>& parameters) {
  put(keyword);
  switch (lifting) {
  case Lifting::None:
    break;
  case Lifting::SizeLifted:
    put("~");
    break;
  case Lifting::FullyLifted:
    put("^");
    break;
  }
  space();
  put(name);
  type_parameters(parameters);
}

void Printer::node(const TypeDeclaration& n) {
  open();
  type_head("type", n.lifting, n.name, n.parameters);
  put(" =");
  line();
  type(*n.definition);
  close();
}
void Printer::module_parameter(const ModuleParameter& parameter) {
  put("(");
  put(parameter.name);
  put_closely(":");
  space();
  module_type(*parameter.type);
  put(")");
}
void Printer::node(const ModuleDeclaration& n) {
  put("module ");
  put(n.name);
  for (const ModuleParameter& parameter : n.parameters) {
    space();
    module_parameter(parameter);
  }
  if (n.ascription != nullptr) {
    put(" : ");
    module_type(*n.ascription);
  }
  put(" = ");
  module(*n.body);
}
void Printer::node(const ModuleTypeDeclaration& n) {
  put("module type ");
  put(n.name);
  put(" = ");
  module_type(*n.type);
}
void Printer::node(const OpenDeclaration& n) {
  put("open ");
  module(*n.module);
}
void Printer::node(const ImportDeclaration& n) {
  put("import ");
  string(n.path);
}
void Printer::node(const LocalDeclaration& n) {
  put("local");
  if (n.inner->documentation)
    hard();
  else
    space();
  declaration(*n.inner);
}
void Printer::node(const ErrorDeclaration&) {
  put("<error>");
}

void Printer::module(const ModuleExpr& module) {
  std::visit([&](const auto& n) { node(n); }, module.node);
}
void Printer::node(const ModuleName& n) {
  qualified_name(n.name);
}
void Printer::node(const ModuleParenthesized& n) {
  put("(");
  module(*n.inner);
  put(")");
}
void Printer::node(const ModuleImport& n) {
  put("import ");
  string(n.path);
}
void Printer::node(const ModuleBody& n) {
  put("{");
  if (!n.declarations.empty()) {
    open();
    hard();
    declarations(n.declarations);
    close();
    hard();
  }
  put("}");
}
void Printer::node(const ModuleApply& n) {
  module(*n.functor);
  space();
  module(*n.argument);
}
void Printer::node(const ModuleAscribe& n) {
  module(*n.body);
  put(" : ");
  module_type(*n.type);
}
void Printer::node(const ModuleLambda& n) {
  put("\\");
  module_parameter(n.parameter);
  if (n.result_type != nullptr) {
    put(" : ");
    module_type(*n.result_type);
  }
  put(" -> ");
  module(*n.body);
}
void Printer::node(const ErrorModule&) {
  put("<error>");
}

void Printer::module_type(const ModuleTypeExpr& type) {
  std::visit([&](const auto& n) { node(n); }, type.node);
}
void Printer::node(const ModuleTypeName& n) {
  qualified_name(n.name);
}
void Printer::node(const ModuleTypeParenthesized& n) {
  put("(");
  module_type(*n.inner);
  put(")");
}
void Printer::node(const ModuleTypeBody& n) {
  put("{");
  open(0);
  // A single one may share the line with the braces.
  bool is_short = n.specifications.size() == 1 && !n.specifications[0]->documentation;
  auto separate = [&] { is_short ? line() : hard(); };
  open();
  for (const Specification* part : n.specifications) {
    separate();
    specification(*part);
  }
  close();
  if (!n.specifications.empty()) separate();
  close();
  put("}");
}
void Printer::node(const ModuleTypeWith& n) {
  open();
  module_type(*n.base);
  line();
  put("with ");
  qualified_name(n.type_name);
  type_parameters(n.parameters);
  put(" = ");
  type(*n.type);
  close();
}
void Printer::node(const ModuleTypeFunction& n) {
  if (n.parameter_name.empty()) {
    module_type(*n.parameter);
  } else {
    put("(");
    put(n.parameter_name);
    put_closely(":");
    space();
    module_type(*n.parameter);
    put(")");
  }
  put(" -> ");
  module_type(*n.result);
}

void Printer::specification(const Specification& specification) {
  if (specification.documentation) documentation(*specification.documentation);
  for (const Attribute& a : specification.attributes) {
    attribute(a);
    space();
  }
  std::visit([&](const auto& n) { node(n); }, specification.node);
}
void Printer::node(const ValueSpecification& n) {
  open(4);
  put("val ");
  prefix_name(n.name);
  type_parameters(n.type_parameters);
  put(" :");
  fill();
  type(*n.type);
  close();
}
void Printer::node(const TypeSpecification& n) {
  type_head("type", n.lifting, n.name, n.parameters);
  if (n.definition != nullptr) {
    put(" = ");
    type(*n.definition);
  }
}
void Printer::node(const ModuleSpecification& n) {
  put("module ");
  put(n.name);
  put(" : ");
  module_type(*n.type);
}
void Printer::node(const IncludeSpecification& n) {
  put("include ");
  module_type(*n.type);
}

// ---- the entry points -------------------------------------------------------------------------

std::string print(const File& file) {
  Printer printer;
  printer.file(file);
  std::string text = printer.finish();
  return text.empty() ? text : text + "\n";
}
std::string print(const Declaration& declaration) {
  Printer printer;
  printer.declaration(declaration);
  return printer.finish();
}
std::string print(const Expr& expr) {
  Printer printer;
  printer.expression(expr);
  return printer.finish();
}
std::string print(const Pattern& pattern) {
  Printer printer;
  printer.pattern(pattern);
  return printer.finish();
}
std::string print(const TypeExpr& type) {
  Printer printer;
  printer.type(type);
  return printer.finish();
}

void dump(const Expr& expr) {
  std::cerr << print(expr) << '\n';
}
void dump(const Declaration& declaration) {
  std::cerr << print(declaration) << '\n';
}

} // namespace sinter::syntax
