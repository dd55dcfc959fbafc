// Forms that fit any type: conditions, bindings, matches, loops, calls, parts of larger values.
#include "tests/generate/expression_writer.h"
#include "tests/generate/join.h"

namespace sinter::generate {

std::string ExpressionWriter::conditional(const TypeRef& type) {
  return join({"(if ", expression(primitive("bool")), " then ", expression(type), " else ",
               expression(type), ")"});
}

std::string ExpressionWriter::binding(const TypeRef& type) {
  TypeRef bound = random_type();
  std::string value = expression(bound);
  std::string name = fresh("v");
  std::string text = "(let " + name;
  if (random.chance(30)) text += ": " + annotation(bound);
  text += " = " + value;
  variables.push_back({name, bound});
  text += " in " + expression(type) + ")";
  variables.pop_back();
  return text;
}

std::string ExpressionWriter::pattern_binding(const TypeRef& type) {
  TypeRef bound = random_type();
  if (bound->kind != TypeKind::Record) return "";
  std::string value = expression(bound);
  std::size_t before = variables.size();
  std::string pattern(1, bound->is_tuple ? '(' : '{');
  for (std::size_t i = 0; i < bound->fields.size(); ++i) {
    const Field& field = bound->fields[i];
    if (i) pattern += ", ";
    if (!bound->is_tuple) pattern += field.name + " = ";
    if (random.chance(20)) {
      pattern += "_";
      continue;
    }
    std::string name = fresh("v");
    pattern += name;
    variables.push_back({name, field.type});
  }
  pattern += bound->is_tuple ? ')' : '}';
  // A record's pattern may see the record only if its type is known.
  if (!bound->is_tuple) pattern += ": " + bound->text;
  std::string text = join({"(let ", pattern, " = ", value, " in ", expression(type), ")"});
  forget(before);
  return text;
}

std::string ExpressionWriter::filter_binding(const TypeRef& type) {
  TypeRef element = random_type(1);
  if (!may_repeat()) return "";
  std::string from = random_size();
  std::string predicate = repeated(5, [&] { return lambda({element}, primitive("bool")); });
  std::string source = expression(array(from, element));
  std::string size = fresh("k"), name = fresh("v");
  std::string pattern = "[" + size + "] (" + name + ": [" + size + "]" + element->text + ")";
  variables.push_back({name, array(size, element)});
  variables.push_back({size, primitive("i64")});
  std::string body = expression(type);
  variables.pop_back();
  variables.pop_back();
  return join({"(let ", pattern, " = filter ", predicate, " ", source, " in ", body, ")"});
}

std::string ExpressionWriter::local_function(const TypeRef& type) {
  Function function;
  function.name = fresh("g");
  TypeRef wanted = random.chance(60) ? type : random_type();
  function.result = wanted;
  std::string text = "(let " + function.name;
  std::size_t before = variables.size();
  std::vector<Variable> bound;
  for (std::size_t count = random.between(1, 2); count > 0; --count) {
    TypeRef parameter = random_type();
    bound.push_back({fresh("p"), parameter});
    function.parameters.push_back(parameter);
    text += " (" + bound.back().name + ": " + annotation(parameter) + ")";
  }
  if (random.chance(50)) text += ": " + annotation(wanted);
  variables.insert(variables.end(), bound.begin(), bound.end());
  std::uint64_t cost_before = cost_, multiplier_before = multiplier_;
  cost_ = 1;
  multiplier_ = 1;
  text += " = " + expression(wanted);
  function.cost = cost_;
  cost_ = cost_before;
  multiplier_ = multiplier_before;
  forget(before);
  functions.push_back(function);
  text += " in " + expression(type) + ")";
  functions.pop_back();
  return text;
}

std::string ExpressionWriter::match(const TypeRef& type) {
  std::size_t before = variables.size();
  if (!sums.empty() && random.chance(60)) {
    const TypeRef scrutinee = random.pick(sums);
    std::string text = "(match " + expression(scrutinee);
    for (const Constructor& constructor : scrutinee->constructors) {
      text += " case #" + constructor.name;
      for (const TypeRef& payload : constructor.payload) {
        std::string name = fresh("v");
        text += " " + name;
        variables.push_back({name, payload});
      }
      text += " -> " + expression(type);
      forget(before);
    }
    return text + ")";
  }
  TypeRef truth = primitive("bool"), number = random_primitive();
  if (is_integer(*number)) {
    std::string text = join({"(match (", expression(number), ", ", expression(truth), ")"});
    text += " case (" + literal(*number) + ", true) -> " + expression(type);
    std::string name = fresh("v");
    text += " case (" + name + ", false) -> ";
    variables.push_back({name, number});
    text += expression(type);
    forget(before);
    return text + " case (_, true) -> " + expression(type) + ")";
  }
  return join({"(match ", expression(truth), " case true -> ", expression(type), " case false -> ",
               expression(type), ")"});
}

std::string ExpressionWriter::for_loop(const TypeRef& type) {
  if (!may_repeat()) return "";
  std::string state = fresh("s");
  std::string initial = expression(type);
  std::size_t before = variables.size();
  std::string header;
  std::string element = fresh("at");
  if (random.chance(40)) {
    TypeRef item = random_type(1);
    std::string size = random_size();
    header = join({" for ", element, " in ", expression(array(size, item)), " do "});
    variables.push_back({element, item});
  } else {
    TypeRef counter = primitive(random.chance(50) ? "i32" : "i64");
    header = join({" for ", element, " < ", suffixed(random.between(0, 4), counter->text), " do "});
    variables.push_back({element, counter});
  }
  variables.push_back({state, type});
  std::string body = repeated(5, [&] { return expression(type); });
  forget(before);
  return join({"(loop (", state, ": ", type->text, ") = ", initial, header, body, ")"});
}

std::string ExpressionWriter::while_loop(const TypeRef& type) {
  if (!may_repeat()) return "";
  std::string counter = fresh("at"), state = fresh("s");
  std::string initial = expression(type);
  std::size_t before = variables.size();
  variables.push_back({counter, primitive("i32")});
  variables.push_back({state, type});
  std::string limit = suffixed(random.between(1, 4), "i32");
  std::string body = repeated(4, [&] { return expression(type); });
  // The condition sees what is surely no array: a function in it would give away the loop's memory.
  if (type->kind != TypeKind::Primitive) variables.pop_back();
  std::string more = repeated(4, [&] { return expression(primitive("bool")); });
  forget(before);
  // Without the annotation, sizes that a nested loop keeps would count as changing.
  return join({"(loop (", counter, ", ", state, ": ", type->text, ") = (0i32, ", initial,
               ") while ", counter, " < ", limit, " && ", more, " do (", counter, " + 1i32, ", body,
               ")).1"});
}

std::string ExpressionWriter::call(const TypeRef& type) {
  struct Choice {
    const Function* function;
    std::string size;
  };
  std::vector<Choice> choices;
  for (const Function& function : functions) {
    if (multiplier_ * function.cost > 3000 || cost_ > 50000) continue;
    if (!function.is_size_polymorphic) {
      if (same(function.result, type)) choices.push_back({&function, ""});
    } else if (function.result->kind == TypeKind::Array && function.result->size == "n") {
      if (type->kind == TypeKind::Array && same(function.result->element, type->element) &&
          !may_be_empty(*type))
        choices.push_back({&function, type->size});
    } else if (same(function.result, type)) {
      choices.push_back({&function, "?"});
    }
  }
  if (choices.empty()) return "";
  Choice choice = random.pick(choices);
  Function function = *choice.function; // `functions` may move
  if (choice.size == "?") choice.size = random_size();
  return call_of(function, choice.size);
}

std::string ExpressionWriter::call_of(const Function& function, const std::string& size) {
  cost_ += multiplier_ * function.cost;
  std::string text = "(" + function.name;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    TypeRef parameter = function.parameters[i];
    if (function.is_size_polymorphic && parameter->kind == TypeKind::Array &&
        parameter->size == "n")
      parameter = array(size, parameter->element);
    bool consumed = i == 0 && function.consumes_first;
    text += join({consumed ? " (copy " : " ", expression(parameter), consumed ? ")" : ""});
  }
  text += ")";
  if (!function.hides_size) return text;
  const TypeRef& result = function.result;
  return join({"(", text, " :> ",
               (result->size == "n" ? array(size, result->element) : result)->text, ")"});
}

std::string ExpressionWriter::projection(const TypeRef& type) {
  std::vector<std::string> candidates;
  for (const Variable& variable : variables)
    if (variable.type->kind == TypeKind::Record)
      for (const Field& field : variable.type->fields)
        if (same(field.type, type)) candidates.push_back(variable.name + "." + field.name);
  if (!candidates.empty()) return random.pick(candidates);
  if (random.chance(50))
    return join({"(", expression(type), ", ", expression(random_primitive()), ").0"});
  return join({"{a = ", expression(random_primitive()), ", b = ", expression(type), "}.b"});
}

std::string ExpressionWriter::index(const Type& array) {
  std::string at = expression(primitive("i64"));
  if (options.run_time_errors && random.chance(30)) return at;
  return "i64.abs (" + at + " % 1024i64) % " + array.size;
}

std::string ExpressionWriter::indexing(const TypeRef& type) {
  std::vector<Variable> candidates;
  for (const Variable& variable : variables)
    if (variable.type->kind == TypeKind::Array && same(variable.type->element, type))
      candidates.push_back(variable);
  if (candidates.empty()) {
    std::string size = random_size();
    TypeRef indexed = array(size, type);
    std::string value = expression(indexed);
    return join({"(", value, ")[", index(*indexed), "]"});
  }
  Variable chosen = random.pick(candidates);
  std::string element = join({chosen.name, "[", index(*chosen.type), "]"});
  if (!may_be_empty(*chosen.type)) return element;
  return join({"(if null ", chosen.name, " then ", expression(type), " else ", element, ")"});
}

std::string ExpressionWriter::polymorphic_call(const TypeRef& type) {
  if (!may_repeat()) return "";
  switch (random.below(5)) {
  case 0:
    return join(
        {"(twice ", repeated(2, [&] { return lambda({type}, type); }), " ", expression(type), ")"});
  case 1: {
    std::string size = random_size();
    return join({"(pick ", expression(primitive("i64")), " ", expression(array(size, type)), ")"});
  }
  case 2: {
    TypeRef other = random_type(1);
    std::string size = random_size();
    return join({"(foldl ",
                 repeated(5,
                          [&] {
                            return lambda({type, other}, type);
                          }),
                 " ", expression(type), " ", expression(array(size, other)), ")"});
  }
  case 3: {
    TypeRef other = random_type(1);
    return join({"(", expression(other), " |> ", lambda({other}, type), ")"});
  }
  default: {
    TypeRef other = random_type(1);
    return join({"((", lambda({other}, type), " <-< ", lambda({other}, other), ") ",
                 expression(other), ")"});
  }
  }
}

} // namespace sinter::generate
