// Ways to break one rule of the language somewhere in an otherwise valid program.
#pragma once

#include "tests/generate/program_generator.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::generate {

class ExpressionWriter;

struct Mutation {
  std::string_view name;
  /// What a checker may call it: one of these ids must be among its errors.
  std::vector<std::string_view> ids;
  /// An expression, to stand where one of type `wanted` is needed, that breaks the rule; null for a
  /// mutation of the whole program.
  std::string (*expression)(ExpressionWriter& writer, const std::string& wanted,
                            const std::string& valid) = nullptr;
  /// Declarations to add at the program's end.
  std::string_view declarations = "";
};

/// All of them.
std::span<const Mutation> mutations();

/// The program of these options with the rule broken at a random place.
Program generate_mutant(const Options& options, const Mutation& mutation);

} // namespace sinter::generate
