#include "tests/generate/program_writer.h"

#include "tests/generate/join.h"

#include <utility>

namespace sinter::generate {

namespace {

/// Polymorphic definitions that the expressions use.
constexpr std::string_view library = "type pair 'a 'b = (a, b)\n"
                                     "type vector [n] 'a = [n]a\n"
                                     "def twice 'a (f: a -> a) (x: a) : a = f (f x)\n"
                                     "def pick 'a [n] (i: i64) (xs: [n]a) : a = "
                                     "xs[i64.abs (i % 1024) % n]\n";

} // namespace

ProgramWriter::ProgramWriter(const Options& options)
    : random_(options.seed), expressions_(random_, options) {}

void ProgramWriter::finish(std::size_t variables_before, Function function) {
  expressions_.variables.erase(expressions_.variables.begin() +
                                   static_cast<std::ptrdiff_t>(variables_before),
                               expressions_.variables.end());
  function.cost = expressions_.cost();
  expressions_.functions.push_back(std::move(function));
}

void ProgramWriter::type_definitions() {
  program_.text += library;
  static const std::vector<std::string> names = {"none", "some", "left", "right"};
  for (std::size_t count = random_.between(1, 3); count > 0; --count) {
    std::vector<Constructor> constructors;
    std::string name = expressions_.fresh("t");
    std::string text = "type " + name + " =";
    std::size_t size = random_.between(2, 4);
    for (std::size_t i = 0; i < size; ++i) {
      Constructor constructor{names[i], {}};
      text += (i ? " | #" : " #") + names[i];
      for (std::size_t payloads = random_.below(3); payloads > 0; --payloads) {
        constructor.payload.push_back(expressions_.random_type(1));
        text += " (" + constructor.payload.back()->text + ")";
      }
      constructors.push_back(std::move(constructor));
    }
    program_.text += text + "\n";
    expressions_.sums.push_back(sum(name, std::move(constructors)));
  }
  for (std::size_t count = random_.below(3); count > 0; --count) {
    TypeRef meaning = expressions_.random_type();
    if (meaning->kind == TypeKind::Sum) continue;
    std::string name = expressions_.fresh("t");
    program_.text += "type " + name + " = " + meaning->text + "\n";
    expressions_.abbreviations.push_back({name, meaning->text});
  }
}

void ProgramWriter::constant() {
  expressions_.begin_declaration();
  TypeRef type = expressions_.random_type();
  std::string name = expressions_.fresh("c");
  std::string annotation = random_.chance(60) ? ": " + expressions_.annotation(type) : "";
  program_.text += join({"def ", name, annotation, " = ", expressions_.expression(type), "\n"});
  // The result of a function must not share memory with a constant.
  bool is_shared = type->kind != TypeKind::Primitive;
  expressions_.variables.push_back({is_shared ? "(copy " + name + ")" : name, type});
}

void ProgramWriter::function() {
  expressions_.begin_declaration();
  Function function;
  function.name = expressions_.fresh("fun");
  std::string text = "def " + function.name;
  std::size_t before = expressions_.variables.size();
  std::vector<Variable> bound;
  for (std::size_t count = random_.between(1, 3); count > 0; --count) {
    TypeRef type = expressions_.random_type();
    bound.push_back({expressions_.fresh("p"), type});
    function.parameters.push_back(type);
    text += " (" + bound.back().name + ": " + expressions_.annotation(type) + ")";
  }
  function.result = expressions_.random_type();
  if (random_.chance(70)) text += ": " + expressions_.annotation(function.result);
  expressions_.variables.insert(expressions_.variables.end(), bound.begin(), bound.end());
  program_.text += join({text, " = ", expressions_.expression(function.result), "\n"});
  finish(before, std::move(function));
}

void ProgramWriter::size_polymorphic_function() {
  expressions_.begin_declaration();
  Function function;
  function.name = expressions_.fresh("fun");
  function.is_size_polymorphic = true;
  std::size_t before = expressions_.variables.size();
  std::string text = "def " + function.name + " [n]";
  std::vector<Variable> bound;
  for (std::size_t count = random_.between(1, 2); count > 0; --count) {
    TypeRef type = array("n", expressions_.random_type(1));
    bound.push_back({expressions_.fresh("p"), type});
    function.parameters.push_back(type);
    text += " (" + bound.back().name + ": " + expressions_.annotation(type) + ")";
  }
  TypeRef element = expressions_.random_type(1);
  function.result = random_.chance(70) ? array("n", element) : element;
  expressions_.variables.insert(expressions_.variables.end(), bound.begin(), bound.end());
  expressions_.sizes = {"n"};
  text += ": " + expressions_.annotation(function.result) + " = ";
  program_.text += join({text, expressions_.expression(function.result), "\n"});
  expressions_.sizes.clear();
  finish(before, std::move(function));
}

void ProgramWriter::consuming_function() {
  expressions_.begin_declaration();
  Function function;
  function.name = expressions_.fresh("fun");
  function.is_size_polymorphic = true;
  function.consumes_first = true;
  TypeRef element = expressions_.random_primitive();
  function.result = array("n", element);
  function.parameters = {function.result, element};
  std::size_t before = expressions_.variables.size();
  std::string target = expressions_.fresh("p"), value = expressions_.fresh("p");
  expressions_.sizes = {"n"};
  expressions_.variables.push_back({target, function.result});
  expressions_.variables.push_back({value, element});
  std::string place = expressions_.expression(primitive("i64"));
  std::string written = expressions_.expression(element);
  expressions_.sizes.clear();
  program_.text += join({"def ", function.name, " [n] (", target, ": *[n]", element->text, ") (",
                         value, ": ", element->text, "): *[n]", element->text, " = ", target,
                         " with [i64.abs (", place, " % 1024) % n] = ", written, "\n"});
  finish(before, std::move(function));
}

void ProgramWriter::size_hiding_function() {
  expressions_.begin_declaration();
  Function function;
  function.name = expressions_.fresh("fun");
  function.is_size_polymorphic = true;
  function.hides_size = true;
  const std::size_t before = expressions_.variables.size();
  function.parameters = {array("n", expressions_.random_type(1))};
  const std::string size = random_.chance(60) ? "n" : std::to_string(random_.between(1, 5));
  const TypeRef element = expressions_.random_primitive();
  function.result = array(size, element);
  const std::string parameter = expressions_.fresh("p");
  expressions_.variables.push_back({parameter, function.parameters[0]});
  expressions_.sizes = {"n"};
  program_.text +=
      join({"def ", function.name, " [n] (", parameter, ": ", function.parameters[0]->text, "): []",
            element->text, " = ", expressions_.expression(function.result), "\n"});
  expressions_.sizes.clear();
  finish(before, std::move(function));
}

std::vector<std::pair<TypeRef, std::string>>
ProgramWriter::hidden_results(const std::string& count) {
  std::vector<std::pair<TypeRef, std::string>> results;
  const std::vector<Function> functions = expressions_.functions;
  for (const Function& function : functions)
    if (function.hides_size)
      results.emplace_back(
          array("", array("", function.result->element)),
          expressions_.any_hidden_rows(function, count, expressions_.random_size()));
  return results;
}

void ProgramWriter::module_with_argument() {
  expressions_.begin_declaration();
  // A type that module types and modules can name in the same way.
  TypeRef hidden = expressions_.random_primitive(), from = expressions_.random_primitive();
  TypeRef to = expressions_.random_primitive();
  std::string type = expressions_.fresh("monoid"), base = expressions_.fresh("m");
  std::string parametric = expressions_.fresh("m"), applied = expressions_.fresh("m");
  std::string signature = join({"module type ", type, " = {\n  type t\n  val zero: t\n",
                                "  val add: t -> t -> t\n  val embed: ", from->text,
                                " -> t\n  val read: t -> ", to->text, "\n}\n"});
  auto body = [&](const std::string& left, const std::string& right, const TypeRef& argument,
                  const TypeRef& result) {
    std::size_t before = expressions_.variables.size();
    expressions_.variables.push_back({left, argument});
    if (!right.empty()) expressions_.variables.push_back({right, argument});
    std::string text = expressions_.expression(result);
    expressions_.variables.erase(expressions_.variables.begin() +
                                     static_cast<std::ptrdiff_t>(before),
                                 expressions_.variables.end());
    return text;
  };
  std::string definition = join({"module ",
                                 base,
                                 " : ",
                                 type,
                                 random_.chance(30) ? " with t = " + hidden->text : "",
                                 " = {\n  type t = ",
                                 hidden->text,
                                 "\n  def zero : t = ",
                                 expressions_.expression(hidden),
                                 "\n  def add (x: t) (y: t) : t = ",
                                 body("x", "y", hidden, hidden),
                                 "\n  def embed (x: ",
                                 from->text,
                                 ") : t = ",
                                 body("x", "", from, hidden),
                                 "\n  def read (x: t) : ",
                                 to->text,
                                 " = ",
                                 body("x", "", hidden, to),
                                 "\n}\n"});
  std::string uses = join({"module ",
                           parametric,
                           " (M: ",
                           type,
                           ") = {\n  open M\n  def total [n] (xs: [n]",
                           from->text,
                           ") : ",
                           to->text,
                           " =\n    M.read (foldl (\\acc x -> M.add acc (M.embed x)) M.zero xs)\n",
                           "  def running [n] (xs: [n]",
                           from->text,
                           ") : [n]",
                           to->text,
                           " =\n    map (\\x -> read (add zero (embed x))) xs\n}\nmodule ",
                           applied,
                           " = ",
                           parametric,
                           " ",
                           base,
                           "\n"});
  program_.text += signature + definition + uses;
  Function total{applied + ".total", {array("n", from)}, to, true, false, 5 * expressions_.cost()};
  Function running = total;
  running.name = applied + ".running";
  running.result = array("n", to);
  expressions_.functions.push_back(total);
  expressions_.functions.push_back(running);
}

std::string ProgramWriter::input_value(const Type& type) {
  if (type.kind == TypeKind::Primitive) {
    std::string text = expressions_.literal(type);
    return text[0] == '(' ? text.substr(1, text.size() - 2) : text;
  }
  std::size_t size = type.size == "n" ? expressions_.options.length : std::stoul(type.size);
  std::string text = "[";
  for (std::size_t i = 0; i < size; ++i)
    text += (i ? ", " : "") + input_value(*type.element);
  return text + "]";
}

void ProgramWriter::entry_parameter(std::string& head, const TypeRef& type,
                                    std::vector<Variable>& bound) {
  bound.push_back({expressions_.fresh("p"), type});
  head += " (" + bound.back().name + ": " + type->text + ")";
  program_.input += input_value(*type) + "\n";
}

void ProgramWriter::computing_entry() {
  expressions_.begin_declaration();
  expressions_.sizes = {"n"};
  std::string head = "entry main [n]";
  std::vector<Variable> bound;
  for (std::size_t count = random_.between(1, 4); count > 0; --count) {
    TypeRef type = expressions_.random_primitive();
    if (!bound.empty() && random_.chance(40))
      type = array(std::to_string(random_.between(1, 4)), type);
    if (bound.empty() || random_.chance(60)) type = array("n", type);
    entry_parameter(head, type, bound);
  }
  expressions_.variables.insert(expressions_.variables.end(), bound.begin(), bound.end());
  // What some of the functions make of them, and one value more.
  std::vector<TypeRef> types;
  std::string results;
  auto add = [&](const TypeRef& type, const std::string& value) {
    types.push_back(type);
    results += (results.empty() ? "" : ", ") + value;
  };
  for (const auto& [type, value] : hidden_results("n"))
    add(type, value);
  const std::vector<Function> functions = expressions_.functions;
  for (std::size_t i = functions.size(); i-- > 0 && types.size() < 3;) {
    const Function& function = functions[i];
    if (expressions_.cost() + function.cost * expressions_.options.length > 200'000) continue;
    const bool has_size = function.result->kind == TypeKind::Array && function.result->size == "n";
    TypeRef type = has_size ? array("n", function.result->element) : function.result;
    add(type, expressions_.call_of(function, "n"));
  }
  TypeRef last = expressions_.random_value_type();
  add(random_.chance(50) ? array("n", last) : last, "");
  results += expressions_.expression(types.back());
  std::string text = types.size() == 1 ? types[0]->text : tuple(types)->text;
  program_.text += join({head, ": ", text, " = (", results, ")\n"});
}

void ProgramWriter::entry() {
  expressions_.begin_declaration();
  std::string head = "entry main";
  if (random_.chance(50)) {
    bool has_size = random_.chance(60);
    if (has_size) {
      head += " [n]";
      expressions_.sizes = {"n"};
    }
    std::vector<Variable> bound;
    for (std::size_t count = random_.between(1, 3); count > 0; --count) {
      TypeRef type = has_size && bound.empty() ? array("n", expressions_.random_primitive())
                                               : expressions_.random_value_type();
      entry_parameter(head, type, bound);
    }
    expressions_.variables.insert(expressions_.variables.end(), bound.begin(), bound.end());
  }
  std::vector<TypeRef> results;
  for (std::size_t count = random_.between(1, 3); count > 0; --count)
    results.push_back(expressions_.random_value_type());
  TypeRef result = results.size() == 1 ? results[0] : tuple(std::move(results));
  std::string value = expressions_.expression(result);
  for (const auto& [type, rows] : hidden_results(expressions_.random_size())) {
    result = tuple({result, type});
    value = join({"(", value, ", ", rows, ")"});
  }
  program_.text += join({head, ": ", result->text, " = ", value, "\n"});
}

Program ProgramWriter::write() {
  type_definitions();
  if (random_.chance(4)) size_hiding_function();
  for (std::size_t count = random_.between(2, 6); count > 0; --count)
    switch (random_.below(7)) {
    case 0:
      constant();
      break;
    case 1:
      module_with_argument();
      break;
    case 2:
    case 3:
      size_polymorphic_function();
      break;
    case 4:
      consuming_function();
      break;
    default:
      function();
    }
  if (expressions_.options.computes)
    computing_entry();
  else
    entry();
  if (!program_.input.empty())
    program_.text = "-- Generated.\n-- ==\n-- input {\n-- " + [&] {
      std::string lines;
      for (char c : program_.input)
        lines += c == '\n' ? std::string("\n-- ") : std::string(1, c);
      return lines;
    }() + "}\n\n" + program_.text;
  return std::move(program_);
}

Program generate_program(const Options& options) {
  return ProgramWriter(options).write();
}

} // namespace sinter::generate
