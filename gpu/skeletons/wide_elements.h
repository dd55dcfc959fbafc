// Several elements of a kernel that lie together, from one access of 16 bytes to each input.
#pragma once

#include "gpu/skeletons/entered_function.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sinter::gpu {

inline constexpr std::size_t access_bytes = 16;
/// What is more than so many statements is not written down for each of a thread's elements.
inline constexpr std::size_t most_copied_statements = 96;

/// Registers for the elements of one access.
inline constexpr std::size_t most_words_of_access = 16;

/// Functions count as what they are made of, about.
std::size_t copied_statements(const ir::Body& body);

/// How many elements of the inputs (and of what the body gives, where that is stored) an access
/// has, if the body computes scalars from nothing but its inputs; else 1.
unsigned lanes_of_inputs(const ir::Function& function, const ir::Soac& soac, bool stores_results);

/// Functions for `lanes` elements that follow each other; none, if that is 1.
struct WideElements {
  unsigned lanes = 1;
  /// `function(frame, index, components)`: of the elements from the index, a multiple of `lanes`,
  /// on, one after the other.  The inputs have to be aligned.
  llvm::Function* function = nullptr;
  /// `alignment(frame, components)`: leaves an i64, 0 if they are.
  llvm::Function* alignment = nullptr;
  std::size_t words_of_access = 1; ///< registers for its elements
  std::size_t words_of_inputs = 1; ///< and for what is read
  std::size_t statements = 1;      ///< copied for each of its elements, about
  /// So many accesses, at least one, have elements in that many registers.
  std::int64_t accesses_within(std::size_t words) const;
};
/// Registers that components take.
std::size_t words_of(const std::vector<ElementType>& types);

/// What an access is where there is no room for the elements of 16 bytes: there is none, or it is
/// of a half of them, a quarter, and so on.
enum class Access : bool { Whole, Shorter };

/// How many elements an access has for such functions, at most as many as there is room for: of
/// values of `types`, from inputs of one dimension; or 1.
unsigned lanes_of_access(const ir::Function& function, const ir::Soac& soac,
                         const std::vector<ElementType>& types, Access access = Access::Whole);
/// In a function where the inputs are bound: `results` of the body for `lanes` elements from the
/// index on, as components that lie there.
void emit_wide_elements(jit::BodyEmitter& body, const ir::Soac& soac, unsigned lanes,
                        llvm::Value* index, llvm::Value* components,
                        const std::vector<std::size_t>& results,
                        const std::vector<ElementType>& types);

/// `results`: numbers of the body's results that make up an element, and their types.
WideElements make_wide_elements(const KernelAround& around, const ir::Function& function,
                                const ir::Soac& soac, const std::vector<std::size_t>& results,
                                const std::vector<ElementType>& types,
                                Access access = Access::Whole);

} // namespace sinter::gpu
