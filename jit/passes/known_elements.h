// Arrays whose elements are known without reading memory are not read.
//
//   ys = soac n () { (i)                    (reads of `ys` are `v`, those of `is` their index)
//     yield v, i
//   } map map                          →    zs = soac n (xs) { (j, x)
//   zs = soac n (ys, xs, xs) {                z = add v x
//     (j, y, x, x2)                           w = mul z x
//     z = add y x                             yield w
//     w = mul z x2                          } map
//     yield w
//   } map
//
// Where it is known what stands at which position, an array is not asked:
//
//   as = array (a, b)
//   bs = update as[0] = c             →  (reads of `bs[0]` are `c`, of `bs[1]` are `b`)
//
// What an input gives already is not read by index, and `map (\x -> x) xs` is `xs`.
#pragma once

#include "jit/passes/knowledge.h"

#include <optional>

namespace sinter::jit {

/// Elements that are known, or given twice, are not inputs.
void drop_known_inputs(ir::Soac& soac, Knowledge& known);

/// Inside of the body, reading an input at the index gives the parameter.
void share_elements(const ir::Soac& soac, Knowledge& known);

/// Notes which results have elements that are the index, or a value from outside of the body, and
/// which are one of the inputs.
void note_elements(const ir::Soac& soac, const ir::Statement& statement, Knowledge& known);

/// Notes the elements of a small array that is made of scalars, of one of which an element is
/// replaced at a known position, and of a copy of one: also where it is overwritten afterwards.
void note_elements(const ir::ArrayLiteral& literal, ir::ValueId result, Knowledge& known);
void note_elements(const ir::Update& update, ir::ValueId result, Knowledge& known);
void note_elements(const ir::Copy& copy, ir::ValueId result, Knowledge& known);

/// The element at a known position of such an array.
std::optional<ir::Operand> noted_element(const ir::Index& index, const Knowledge& known);

} // namespace sinter::jit
