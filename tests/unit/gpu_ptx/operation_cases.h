// A kernel for each instruction and intrinsic function that emission makes, at each type.
#pragma once

#include <string>
#include <vector>

namespace sinter::gpu {

struct OperationCase {
  std::string declaration; ///< of an intrinsic function; may be empty
  std::string function;    ///< one entry point
};

/// An element type and a number of lanes; one lane is no vector.
struct LaneType {
  std::string element; ///< "i8", …, "half", "float", "double"
  unsigned lanes = 1;
  std::string text() const;
  /// In names of intrinsic functions.
  std::string suffix() const;
  bool is_float() const { return element[0] != 'i'; }
  unsigned bits() const; ///< of an element
};

/// All operations whose operands have the type.
std::vector<OperationCase> operation_cases(const LaneType& type);

/// The cases as one module; declarations once.
std::string text_of(const std::vector<OperationCase>& cases);

} // namespace sinter::gpu
