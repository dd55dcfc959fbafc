#include "tests/generate/mutations.h"

#include "tests/generate/join.h"
#include "tests/generate/program_writer.h"

namespace sinter::generate {

namespace {

/// `(let _ = wrong in valid)`: something wrong whose type the place does not see.
std::string beside(const std::string& wrong, const std::string& valid) {
  return "(let _ = " + wrong + " in " + valid + ")";
}

using Text = const std::string&;

std::string integer(ExpressionWriter& writer) {
  return writer.expression(primitive("i32"));
}

} // namespace

std::span<const Mutation> mutations() {
  static const std::vector<Mutation> all = {
      {"unknown name",
       {"unknown-name"},
       [](ExpressionWriter&, Text, Text) -> std::string { return "no_such_name"; }},
      {"unknown member of a module",
       {"unknown-name"},
       [](ExpressionWriter&, Text, Text) -> std::string { return "i32.no_such_member"; }},
      {"unknown module",
       {"unknown-module", "unknown-name"},
       [](ExpressionWriter&, Text, Text) -> std::string { return "no_such_module.x"; }},
      {"unknown type",
       {"unknown-type"},
       [](ExpressionWriter&, Text, Text valid) { return "(" + valid + " : no_such_type)"; }},
      {"literal of the wrong type as an argument",
       {"type-mismatch"},
       [](ExpressionWriter&, Text, Text valid) { return beside("i32.abs true", valid); }},
      {"operands of two types",
       {"type-mismatch"},
       [](ExpressionWriter& writer, Text, Text valid) {
         return beside(integer(writer) + " + 1i64", valid);
       }},
      {"branches of two types",
       {"type-mismatch"},
       [](ExpressionWriter& writer, Text, Text valid) {
         return beside("(if true then " + integer(writer) + " else 1.0f64)", valid);
       }},
      {"elements of two types",
       {"type-mismatch"},
       [](ExpressionWriter& writer, Text, Text valid) {
         return beside("[" + integer(writer) + ", true]", valid);
       }},
      {"condition that is no truth value",
       {"type-mismatch"},
       [](ExpressionWriter& writer, Text, Text valid) {
         return "(if " + integer(writer) + " then " + valid + " else " + valid + ")";
       }},
      {"result of the wrong type",
       {"type-mismatch"},
       [](ExpressionWriter& writer, Text wanted, Text valid) {
         std::string other = wanted == "i32" ? "true" : integer(writer);
         return beside(valid, "(" + other + " : " + wanted + ")");
       }},
      {"too many patterns for a tuple",
       {"type-mismatch"},
       [](ExpressionWriter&, Text, Text valid) {
         return "(let (_, _, _) = (1i32, 2i32) in " + valid + ")";
       }},
      {"missing field",
       {"unknown-field"},
       [](ExpressionWriter& writer, Text, Text valid) {
         return beside("{a = " + integer(writer) + "}.b", valid);
       }},
      {"field of a number",
       {"not-a-record", "unknown-field", "type-mismatch"},
       [](ExpressionWriter&, Text, Text valid) { return beside("(1i32).a", valid); }},
      {"missing case",
       {"unmatched-cases"},
       [](ExpressionWriter& writer, Text, Text valid) {
         return join({"(match (", writer.expression(primitive("bool")),
                      ", true) case (true, _) -> ", valid, " case (_, false) -> ", valid, ")"});
       }},
      {"missing constructor",
       {"unmatched-cases"},
       [](ExpressionWriter& writer, Text, Text valid) {
         TypeRef type = writer.random.pick(writer.sums);
         std::string text = "(match " + writer.expression(type);
         for (std::size_t i = 1; i < type->constructors.size(); ++i) {
           text += " case #" + type->constructors[i].name;
           for (std::size_t j = 0; j < type->constructors[i].payload.size(); ++j)
             text += " _";
           text += " -> " + valid;
         }
         return text + ")";
       }},
      {"wrong payload of a constructor",
       {"type-mismatch"},
       [](ExpressionWriter& writer, Text, Text valid) {
         TypeRef type = writer.random.pick(writer.sums);
         return beside(
             "((#" + type->constructors[0].name + " 1i32 2i32 3i32) : " + type->text + ")", valid);
       }},
      {"unknown constructor",
       {"type-mismatch"},
       [](ExpressionWriter& writer, Text, Text valid) {
         return beside("(#no_such : " + writer.random.pick(writer.sums)->text + ")", valid);
       }},
      {"pattern that may not match",
       {"refutable-pattern"},
       [](ExpressionWriter& writer, Text, Text valid) {
         return "(let (1i32, _) = (" + integer(writer) + ", true) in " + valid + ")";
       }},
      {"application to itself",
       {"occurs-check"},
       [](ExpressionWriter&, Text, Text valid) { return "(let f x = x x in " + valid + ")"; }},
      {"function in an array",
       {"functional-type", "lifted-element"},
       [](ExpressionWriter&, Text, Text valid) {
         return beside("[\\(x: i32) -> x + 1i32]", valid);
       }},
      {"function as the result of a condition",
       {"functional-type"},
       [](ExpressionWriter&, Text, Text valid) {
         return beside("(if true then (+ 1i32) else (+ 2i32))", valid);
       }},
      {"too many arguments",
       {"too-many-arguments", "not-a-function"},
       [](ExpressionWriter& writer, Text, Text valid) {
         return beside("(i32.abs 1i32 " + integer(writer) + ")", valid);
       }},
      {"application of a number",
       {"not-a-function"},
       [](ExpressionWriter& writer, Text, Text valid) {
         return beside("(1i32 " + integer(writer) + ")", valid);
       }},
      {"name bound twice",
       {"duplicate-name"},
       [](ExpressionWriter&, Text, Text valid) {
         return "(let (z, z) = (1i32, 2i32) in " + valid + ")";
       }},
      {"field given twice",
       {"duplicate-field"},
       [](ExpressionWriter& writer, Text, Text valid) {
         return beside("{a = 1i32, a = " + integer(writer) + "}", valid);
       }},
      {"index of a number",
       {"not-an-array", "type-mismatch"},
       [](ExpressionWriter& writer, Text, Text valid) {
         return beside("(" + integer(writer) + ")[0]", valid);
       }},
      {"too many indices",
       {"not-an-array", "type-mismatch"},
       [](ExpressionWriter&, Text, Text valid) { return beside("(iota 3)[0, 0]", valid); }},
      {"use after consumption",
       {"use-after-consume"},
       [](ExpressionWriter& writer, Text, Text valid) {
         return "(let w = copy [1i32, 2i32] let w' = w with [0] = " + integer(writer) +
                " in (let _ = (w[1], w') in " + valid + "))";
       }},
      {"comparison of functions",
       {"no-equality", "functional-type", "type-mismatch"},
       [](ExpressionWriter&, Text, Text valid) {
         return beside("((\\(x: i32) -> x) == (\\(x: i32) -> x))", valid);
       }},
      {"sum of truth values",
       {"type-mismatch"},
       [](ExpressionWriter&, Text, Text valid) { return beside("reduce (+) true [true]", valid); }},
      {"loop whose body has another type",
       {"type-mismatch"},
       [](ExpressionWriter& writer, Text, Text valid) {
         return beside("(loop x = " + integer(writer) + " for i < 3i32 do x > i)", valid);
       }},
      {"arrays of two sizes",
       {"size-mismatch"},
       [](ExpressionWriter& writer, Text, Text valid) {
         return beside("(map2 (+) [" + integer(writer) + ", 2i32] [1i32, 2i32, 3i32])", valid);
       }},
      {"rows of two sizes",
       {"size-mismatch"},
       [](ExpressionWriter& writer, Text, Text valid) {
         return beside("[[" + integer(writer) + "], [2i32, 3i32]]", valid);
       }},
      {"parameters of two sizes where one is needed",
       {"size-mismatch"},
       nullptr,
       "def zipped [n] [m] (xs: [n]i32) (ys: [m]i32) = map2 (+) xs ys\n"},
      {"unknown size where a known one is promised",
       {"size-mismatch"},
       nullptr,
       "def sieved [n] (xs: [n]i32) : [n]i32 = filter (> 0) xs\n"},
      {"size parameter that no parameter determines",
       {"unused-size-parameter", "unused-size"},
       nullptr,
       "def adrift [n] (x: i32) : i32 = x + i32.i64 n\n"},
      {"update of a parameter that is not unique",
       {"not-consumable"},
       nullptr,
       "def keeps (xs: [3]i32) : [3]i32 = xs with [0] = 1\n"},
      {"unique result that is a parameter",
       {"return-aliased"},
       nullptr,
       "def returns (xs: [3]i32) : *[3]i32 = xs\n"},
      {"two definitions of one name",
       {"duplicate-definition"},
       nullptr,
       "def twofold = 1i32\ndef twofold = 2i32\n"},
      {"module without a member that its type demands",
       {"module-mismatch"},
       nullptr,
       "module lacking : { val x : i32 val y : i32 } = { def x = 1i32 }\n"},
      {"module with a member of another type",
       {"module-mismatch"},
       nullptr,
       "module wrong : { val x : i32 } = { def x = true }\n"},
      {"hidden type used as what it is",
       {"type-mismatch"},
       nullptr,
       "module sealed : { type t val x : t } = { type t = i32 def x : t = 1 }\n"
       "def unsealed : i32 = sealed.x\n"},
      {"argument for a module that takes none",
       {"not-parametric"},
       nullptr,
       "module plain = { def x = 1i32 }\nmodule given = plain { def y = 2i32 }\n"},
      {"entry point with a type parameter",
       {"polymorphic-entry"},
       nullptr,
       "entry generic 'a (x: a) : a = x\n"},
      {"entry point that takes a function",
       {"higher-order-entry"},
       nullptr,
       "entry apply (f: i32 -> i32) : i32 = f 1\n"},
      {"unknown module type",
       {"unknown-module-type"},
       nullptr,
       "module typed : no_such_module_type = { }\n"},
      {"type with too few arguments",
       {"type-arguments"},
       nullptr,
       "def half : pair i32 = (1, 2)\n"},
  };
  return all;
}

Program generate_mutant(const Options& options, const Mutation& mutation) {
  ProgramWriter valid(options);
  Program program = valid.write();
  if (!mutation.expression) {
    program.text += mutation.declarations;
    return program;
  }
  // The same program again, with the fault at one of its expressions.
  Random choice(options.seed ^ 0x5EEDu);
  ProgramWriter broken(options);
  broken.expressions().plan_fault(&mutation,
                                  choice.below(valid.expressions().expressions_written()));
  return broken.write();
}

} // namespace sinter::generate
