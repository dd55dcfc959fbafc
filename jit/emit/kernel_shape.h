// What kind of kernel a function is: parallel over one SOAC, over two nested maps, or sequential.
#pragma once

#include "jit/ir/groups.h"
#include "jit/ir/ir.h"
#include "jit/ir/straight_code.h"
#include "jit/ir/walk.h"

#include <cstddef>
#include <optional>
#include <string>

namespace sinter::jit {

/// The SOAC that makes the function a parallel kernel, if it is one.
const ir::Soac* parallel_soac(const ir::Function& function);
using ir::has_only;
/// Of a map whose body is, but for some scalars, another map with as many elements each time: that
/// one.
const ir::Soac* nested_map(const ir::Function& function, const ir::Soac& soac);
/// Which parameter the value is, if it is one.
std::optional<std::size_t> parameter_index(const ir::Function& function, ir::ValueId value);
/// Whether the order of one of the SOAC's reductions or scans shows, those of posts among them: all
/// of them then go by rows and blocks (lang/primitives/fold_order.h).
bool keeps_fold_order(const ir::Soac& soac);
/// Whether the values that reductions and scans of the SOAC combine are scalars.
bool folds_scalars(const ir::Function& function, const ir::Soac& soac);
/// Whether all groups are reductions that select by an order (ir/operator_order.h).
bool only_selects(const ir::Soac& soac);
/// Whether its elements may be computed first, on all threads, and then be folded: reductions of
/// scalars that are not there already.
bool may_keep_elements(const ir::Function& function, const ir::Soac& soac);
/// The input whose elements the body's result is; null if it is computed.
const ir::ValueId* input_of_result(const ir::Soac& soac, std::size_t result);
using ir::is_elementary, ir::is_straight;
/// Whether values of the type can be stored and read in vectors with a mask.
bool may_lie_in_rows(const ir::Type& type);
/// Whether the SOAC folds such values, in an order that shows, of an elementary body.
bool folds_along_rows(const ir::Function& function, const ir::Soac& soac);
/// Whether a histogram of the SOAC, of unknown or many elements, may be cut into segments.
bool may_have_segments(const ir::Soac& soac);
/// Whether such a SOAC is inside of the body.
bool has_segments_inside(const ir::Body& body);
/// Whether something in the body is partitioned by kinds.
bool has_partitions(const ir::Body& body);
/// Whether all that the SOAC does are updates of bins by one index with scalars, of which the order
/// shows, by an operator that cannot fail: they may be made first and happen later.
bool may_deal_updates(const ir::Function& function, const ir::Soac& soac);
/// Bytes of such an update in a list (kernel_abi.h): its bin's number, and its values.
std::int64_t update_bytes(const ir::Function& function, const ir::HistogramGroup& group);
/// The kind of kernel, by the group that demands most.
ir::Skeleton skeleton_of(const ir::Soac& soac);

} // namespace sinter::jit
