// Writes the declarations of a program.
#pragma once

#include "tests/generate/expression_writer.h"

#include <string>
#include <utility>
#include <vector>

namespace sinter::generate {

class ProgramWriter {
public:
  explicit ProgramWriter(const Options& options);

  Program write();
  ExpressionWriter& expressions() { return expressions_; }

private:
  void type_definitions();
  void constant();
  void function();
  void size_polymorphic_function();
  void consuming_function();
  void size_hiding_function();
  void module_with_argument();
  void entry();
  void computing_entry();
  /// Adds a parameter of `main` to its head and to the input.
  void entry_parameter(std::string& head, const TypeRef& type, std::vector<Variable>& bound);
  /// What the functions that hide their results' sizes make of rows.
  std::vector<std::pair<TypeRef, std::string>> hidden_results(const std::string& count);
  /// A value of the type in the notation of test blocks.
  std::string input_value(const Type& type);
  /// Brings what a declaration defines into scope and leaves its parameters behind.
  void finish(std::size_t variables_before, Function function);

  Random random_;
  ExpressionWriter expressions_;
  Program program_;
};

} // namespace sinter::generate
