// Whether the order of a fold shows in its result.
//
// Reductions, scans and histograms have one order (lang/primitives/fold_order.h), which compiled
// code has to keep.  For some operators every order gives the same bits, and code may take the one
// that suits it:
//
//   reduce (0i32) { (a: i32, b: i32) c: i32 = add a b yield c }     shows nothing: sums wrap around
//   reduce (0f32) { (a: f32, b: f32) c: f32 = add a b yield c }     shows: every sum is rounded
//
// What counts is that each component by itself is an associative and commutative operation on its
// own pair of parameters, in all bits: on integers a sum or product (which wrap around), the lesser
// or greater, and, or, exclusive or; on truth values also whether they are equal or differ.
// Operators that do the same in a longer way count as showing their order.
#pragma once

#include "jit/ir/ir.h"

#include <cstddef>
#include <optional>

namespace sinter::ir {

/// Whether it shows in which order and with which bracketing elements are combined, each once.  The
/// least and the greatest of floats show it: of two NaNs the right one stays.
bool order_shows(const Body& combine);

/// Whether anything of a fold's order shows: also how often the neutral element takes part, which
/// it does at the beginning of every row and segment.  So sums, products and exclusive ors show
/// their order where the neutral element is not known to be neutral; of numbers among which the
/// neutral element is a known one (and so not all are NaN) the least and the greatest do not.
bool order_shows(const ReduceGroup& group);
bool order_shows(const ScanGroup& group);
/// A bin meets the neutral element only in some orders: it must be neutral for any value, NaN too.
bool order_shows(const HistogramGroup& group);

/// The operation that gives a component of the operator's result from its own pair of parameters;
/// null if it is none.  There is one for each component of an operator whose order does not show.
const primitives::Primitive* component_operation(const Body& combine, std::size_t component);

/// Of an operation on integers or truth values that gives the same bits in any order: the value
/// that changes no other one.  Nothing for other operations.
std::optional<Scalar> neutral_of_any_order(const primitives::Primitive& primitive);

/// Whether the operator gives the whole of one of its two operands, by an order of them in which
/// every component counts: the least or greatest of tuples, compared component by component.
///
///   { (a: f32, i: i64, b: f32, j: i64)
///     c = lt a b   d = eq a b   e = lt i j   f = and d e   g = or c f
///     h = select g a b   k = select g i j   yield h, k }
///
/// Among floats without NaNs and negative zeros (which are equal to positive ones) its order does
/// not show, nor how often an operand takes part.
bool selects_by_order(const Body& combine);

} // namespace sinter::ir
