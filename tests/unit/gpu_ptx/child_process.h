// Work that may end its process.
#pragma once

#include <functional>
#include <string>

namespace sinter::gpu {

/// What became of work in a process of its own: "" if it returned, else what it threw, or that the
/// process ended.  (What the process writes to its error stream is lost.)
std::string outcome_in_child(const std::function<void()>& work);

} // namespace sinter::gpu
