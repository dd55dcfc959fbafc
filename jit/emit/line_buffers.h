// Elements that go to a few runs of places in turns: what goes to a run gathers in a line of its
// own in the nearest cache, and leaves as a whole line (software write combining: Wassenberg and
// Sanders, "Engineering a multi-core radix sort", Euro-Par 2011).
#pragma once

#include "jit/emit/body.h"

#include <span>
#include <vector>

namespace sinter::jit {

class LineBuffers {
public:
  /// Arrays of scalars, whose elements lie one after the other; so many runs (an i64) in each,
  /// which begin at `starts`.  Lines go past the caches if (i1) `streams`.
  LineBuffers(BodyEmitter& body, const ir::Operand& runs, std::vector<ArrayView> arrays,
              const ArrayView& starts, llvm::Value* streams);

  /// Whether the target has vectors to move lines by, and memory where lines lie together.
  static bool are_of_use(const KernelModule& kernel);

  /// The next elements of a run, one for each array: their position follows that of those before.
  void put(llvm::Value* run, llvm::Value* position, std::span<const LaneValue> elements);
  /// What is left in the lines of runs that end at `ends`.
  void drain(const ArrayView& ends);

private:
  struct Buffer {
    ArrayView array, lines;
    std::int64_t length = 0; ///< elements that leave at a time
  };
  llvm::Value* start_of(llvm::Value* run);
  llvm::Value* in_line(const Buffer& buffer, llvm::Value* position);
  llvm::Value* line_of(const Buffer& buffer, llvm::Value* run);
  void leave(const Buffer& buffer, llvm::Value* run, llvm::Value* start, llvm::Value* end);
  void copy(const Buffer& buffer, llvm::Value* run, llvm::Value* begin, llvm::Value* end);

  BodyEmitter& body_;
  LaneBuilder& b_;
  ir::Operand runs_;
  ArrayView starts_;
  std::vector<Buffer> buffers_;
  std::int64_t lines_ = 1; ///< that leave at a time
  llvm::Value* streams_;
};

} // namespace sinter::jit
