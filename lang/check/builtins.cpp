#include "lang/check/builtins.h"

#include "lang/check/types/inference.h"
#include "lang/check/types/type_declarations.h"
#include "lang/primitives/primitives.h"
#include "lang/syntax/parser.h"

#include <cctype>
#include <stdexcept>

namespace sinter::check {

using namespace types;

namespace {

void add_primitive_types(TypeArena& arena, Environment& environment) {
  for (ElementType element : all_element_types)
    environment.types[name(element)] =
        TypeBinding{Lifting::None, {}, primitive(arena, element), {}};
}

/// `acc t`: an accumulator of arrays of type t.  May not be put into arrays.
TypeBinding accumulator_type(Context& context) {
  if (!context.accumulator)
    context.accumulator = context.types.make<TypeName>(
        TypeName::Kind::Builtin, "acc", Span{}, Lifting::SizeLifted, std::vector<bool>{false});
  const TypeName* parameter =
      context.types.make<TypeName>(TypeName::Kind::Parameter, "t", Span{}, Lifting::None);
  TypeBinding binding;
  binding.lifting = Lifting::SizeLifted;
  binding.parameters.push_back({syntax::TypeParameter::Kind::Type, "t", {}, parameter, nullptr});
  binding.body = named(context.types, context.accumulator,
                       {TypeArgument{named(context.types, parameter), nullptr}});
  return binding;
}

/// Where the parameters `'a [n]` at the start of a type's text end: the place of the dot, or npos.
std::size_t parameters_end(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size()) {
    if (text[i] == ' ') {
      ++i;
    } else if (text[i] == '\'') {
      ++i;
      while (i < text.size() && text[i] != ' ' && text[i] != '.')
        ++i;
    } else if (text[i] == '[') {
      i = text.find(']', i);
      if (i == std::string_view::npos) return i;
      ++i;
    } else {
      return text[i] == '.' ? i : std::string_view::npos;
    }
  }
  return std::string_view::npos;
}

} // namespace

Environment builtin_environment(Context& context) {
  Environment outermost, members;
  add_primitive_types(context.types, outermost);
  members.types["acc"] = accumulator_type(context);
  for (const primitives::OverloadedOperator& op : primitives::all_operators()) {
    Variable* variable = context.types.make<Variable>(Variable::Kind::Overloaded, op.symbol);
    bool is_symbol = std::isalpha(static_cast<unsigned char>(op.symbol.front())) == 0;
    if (is_symbol) outermost.bind(op.symbol, variable);
    members.bind(op.symbol, variable);
  }
  std::span<const primitives::Intrinsic> intrinsics = primitives::all_intrinsics();
  members.values.reserve(intrinsics.size() + members.values.size());
  for (const primitives::Intrinsic& intrinsic : intrinsics) {
    Variable* variable = context.types.make<Variable>(Variable::Kind::Intrinsic, intrinsic.name);
    variable->intrinsic = &intrinsic;
    members.bind(intrinsic.name, variable);
    if (intrinsic.name == "&&" || intrinsic.name == "||") outermost.bind(intrinsic.name, variable);
  }
  context.intrinsics = std::make_shared<const Module>(Module::Shape(std::move(members)), 0);
  outermost.bind("intrinsics", context.intrinsics.get());
  return outermost;
}

void load_intrinsic(Context& context, Variable& variable) {
  if (variable.scheme.type) return;
  const std::string& text = variable.intrinsic->type;
  std::size_t end = parameters_end(text);
  std::string specification = end == std::string::npos ? "val intrinsic : " + text
                                                       : "val intrinsic " + text.substr(0, end) +
                                                             " : " + text.substr(end + 1);
  FileId file = context.sources.add("<intrinsics." + variable.intrinsic->name + ">",
                                    std::move(specification));
  Diagnostics problems;
  std::vector<syntax::Specification*> parsed =
      syntax::parse_specifications(context.sources, file, context.ast, problems);
  Scope scope;
  add_primitive_types(context.types, scope.names);
  scope.names.types["acc"] = accumulator_type(context);
  for (std::string_view symbol : {"+", "-", "*"}) // in sizes: "[n+m]a"
    scope.names.bind(symbol, context.types.make<Variable>(Variable::Kind::Overloaded, symbol));
  Diagnostics* outer = std::exchange(context.diagnostics, &problems);
  if (parsed.size() == 1)
    if (auto* value = std::get_if<syntax::ValueSpecification>(&parsed.front()->node))
      variable.scheme = check_value_specification(context, scope, *value);
  context.diagnostics = outer;
  if (problems.has_errors() || !variable.scheme.type)
    throw std::logic_error("the type of intrinsics." + variable.intrinsic->name +
                           " is broken: " + text);
}

} // namespace sinter::check
