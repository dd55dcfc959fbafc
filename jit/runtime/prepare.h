// What a place's own passes make of a whole function, where it is the only place.
#pragma once

#include "jit/runtime/backend.h"

#include <vector>

namespace sinter::jit {

/// Whether a statement of host-level code is to be a kernel, if the place takes it: a SOAC, or a
/// loop without SOACs that are worth a launch of their own.
bool is_worth_kernel(const ir::Operation& operation);

/// Prepares each statement of the host level that is worth a kernel (Backend::prepare) and puts
/// what comes of it in its place: so that what lies between several kernels of one is host-level
/// code as all other.  What the passes did.  Throws std::logic_error where they break the IR's
/// rules, if the options ask for that.
std::vector<PassRecord> prepare_function(ir::Function& function, const Backend& place,
                                         const CompileOptions& options);

/// What Backend::prepare gives, where a place's passes (of jit/passes/pipeline.h) are all there is
/// to it.  Throws as they do.
PreparedKernel prepared_by(std::vector<PassRecord> (*passes)(ir::Function&, const PassOptions&),
                           ir::Function kernel, const CompileOptions& options);

} // namespace sinter::jit
