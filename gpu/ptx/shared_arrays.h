// Arrays of threads in the memory of their block.
//
// An array whose places no pass has made constants cannot be registers.  In a thread's own memory
// it is a stack frame: what all threads of a multiprocessor have of it is more than the caches next
// to it hold.  Where whoever made the entry point has left shared memory for them, arrays lie
// there.
#pragma once

#include <cstdint>
#include <functional>

namespace llvm {
class Function;
class IRBuilderBase;
class Value;
} // namespace llvm

namespace sinter::gpu {

/// Moves arrays of the function to shared memory of so many `threads`, interleaved: element i of
/// thread t lies at i * threads + t, so that neighbours ask different banks.
///
///   before:  walk = alloca i8, 132;  … = load float, walk + 4 * i
///   after:   … = load float, sinter_own_arrays + begin + (i * threads + thread) * 4
///
/// Arrays stay where they are that are used otherwise than by reading and writing scalars of one
/// size, or that have no room beside others within `most_bytes`.  Gives the bytes of the block that
/// are taken.  `thread`: makes the thread's number in its block (i32) at the function's beginning.
std::uint64_t share_own_arrays(llvm::Function& function, unsigned threads, std::uint64_t most_bytes,
                               const std::function<llvm::Value*(llvm::IRBuilderBase&)>& thread);

} // namespace sinter::gpu
