// Functions whose last argument may be cut into chunks, as `#[chunked(…)]` says
// (core::ChunkLaw): computed so, and whether that comes to the same.
//
// What such a function means is one chunk.  A violation is shown by the smallest part of the array
// for which it is found: with one cut if one is enough, and as few elements before and behind it as
// halving and leaving out one after the other come to.
#pragma once

#include "lang/base/chance.h"
#include "lang/eval/real_difference.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinter::eval {

/// Where chunks begin, but for the first one: ascending, within the array and not at its edges.
using Cuts = std::vector<std::int64_t>;

/// From none to 39, at random.
Cuts random_cuts(std::int64_t count, RepeatableChance& chance);
/// Chunks of `size` elements, and the rest.
Cuts regular_cuts(std::int64_t count, std::int64_t size);

/// One function of that kind, applied to some arguments.
class ChunkLaws {
public:
  /// `apply` applies functions as the program would.  All must outlive this.
  ChunkLaws(const EvaluationContext& context, const Globals& globals,
            const core::Function& function, std::span<const Value> arguments,
            const ApplyFunction& apply);

  /// How many elements the array has.
  std::int64_t count() const { return count_; }
  /// The function of the whole array, chunk by chunk.
  Value in_chunks(const Cuts& cuts) const;
  /// What a violation of the law is told by, "[1, 2] in one chunk gives …": none if what comes of
  /// one chunk, `whole`, and of several, `chunked`, is the same but for the rounding of floats.
  std::optional<std::string> violation(const Cuts& cuts, const Value& whole, const Value& chunked);
  /// The same of chunks of which something fails, as `error` says.
  std::string violation(const Cuts& cuts, const Value& whole, const RuntimeError& error);

private:
  /// A part of the array, and where it is cut, counted from its beginning.
  struct Case {
    std::int64_t begin = 0, end = 0;
    Cuts cuts;
  };
  struct Result {
    Sides sides;
    std::optional<std::string> failure; ///< instead of `sides.right`
  };
  Value part(const Value& array, std::int64_t begin, std::int64_t end) const;
  Value chunk_by_chunk(const ApplyFunction& apply, std::span<const Value> fixed,
                       std::span<const Value> operands, const Cuts& cuts) const;
  std::vector<Value> operands_of(const Case& tried) const;
  std::optional<Result> tried(const Case& tried);
  bool is_violated(const Case& tried, const Result& result);
  std::string shrunk(Case found, Result result);
  std::string words(const Case& found, const Result& result) const;

  const EvaluationContext& context_;
  const Globals& globals_;
  const core::Function& function_;
  const ApplyFunction& apply_;
  std::vector<RealDifference::Fixed> fixed_; ///< the function, then its arguments but the operands
  std::vector<Value> operands_;              ///< the array, and before it the state of a fold
  std::vector<const Representation*> operand_types_;
  std::int64_t count_ = 0;
  std::unique_ptr<RealDifference> real_difference_;
};

} // namespace sinter::eval
