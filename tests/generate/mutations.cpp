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

std::string of_another_type(ExpressionWriter& writer, Text wanted, Text valid) {
  const std::string other = wanted == "i32" ? "true" : integer(writer);
  return beside(valid, "(" + other + " : " + wanted + ")");
}

std::string without_a_constructor(ExpressionWriter& writer, Text valid) {
  TypeRef type = writer.random.pick(writer.sums);
  std::string text = "(match " + writer.expression(type);
  for (std::size_t i = 1; i < type->constructors.size(); ++i) {
    text += " case #" + type->constructors[i].name;
    for (std::size_t j = 0; j < type->constructors[i].payload.size(); ++j)
      text += " _";
    text += " -> " + valid;
  }
  return text + ")";
}

std::string with_wrong_payload(ExpressionWriter& writer, Text valid) {
  TypeRef type = writer.random.pick(writer.sums);
  return beside("((#" + type->constructors[0].name + " 1i32 2i32 3i32) : " + type->text + ")",
                valid);
}

const Mutation all_mutations[] = {
#define SINTER_FAULT(name, expression, ...)                                                        \
  {name,                                                                                           \
   {__VA_ARGS__},                                                                                  \
   []([[maybe_unused]] ExpressionWriter& writer, [[maybe_unused]] Text wanted,                     \
      [[maybe_unused]] Text valid) -> std::string { return expression; }},
#define SINTER_DECLARATION_FAULT(name, declarations, ...)                                          \
  {name, {__VA_ARGS__}, nullptr, declarations},
#include "tests/generate/mutations.def"
#undef SINTER_FAULT
#undef SINTER_DECLARATION_FAULT
};

} // namespace

std::span<const Mutation> mutations() {
  return all_mutations;
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
