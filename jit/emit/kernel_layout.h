// What the launcher must know of a kernel: its results, its storage between chunks, its cost.
#pragma once

#include "jit/emit/emit.h"
#include "jit/ir/groups.h"
#include "jit/ir/ir.h"
#include "lang/values/extents.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sinter::jit {

/// A number that is known when a kernel is launched: a constant or a scalar parameter.
struct SizeTerm {
  std::int64_t constant = 0;
  std::optional<std::uint32_t> parameter;
};

/// An estimate of running time in nanoseconds: `constant`, and bodies that are repeated.
struct CostEstimate {
  double constant = 0;
  struct Repeated {
    std::optional<SizeTerm> count; ///< unknown: while loops, sizes made in the kernel
    std::vector<CostEstimate> body;
  };
  std::vector<Repeated> loops;
};

struct KernelLayout {
  enum class ResultKind : std::uint8_t {
    Scalar,
    Fresh,   ///< an array that the launcher allocates
    InPlace, ///< the memory of a consumed parameter
    Count,   ///< of a filter
    Kept     ///< of a filter: an array of as many elements as the count says
  };
  struct Result {
    ResultKind kind = ResultKind::Scalar;
    ElementType element{};
    std::vector<SizeTerm> extents;       ///< of Fresh; of Kept: all but the first
    std::uint32_t parameter = 0;         ///< of InPlace
    std::uint32_t count_partial = 0;     ///< of Count and Kept: the filter's place in `partials`
    std::vector<std::uint32_t> reusable; ///< parameters whose memory may become a Fresh result's
  };
  /// Storage of one value between chunks.
  struct Partial {
    ir::GroupKind group = ir::GroupKind::Reduce;
    ElementType element{};
    std::vector<SizeTerm> extents; ///< of the value; empty for scalars and counts
    bool is_after_scan = false;    ///< of a scan's post: each chunk leaves one as it finishes
    std::uint32_t destination = 0; ///< of a histogram: the parameter whose bins these are
    std::uint32_t index_count = 1; ///< of a histogram: the destination's dimensions that count bins
    /// Of a histogram: what bins begin with, a scalar or (an array of bins' extents) a parameter.
    Scalar neutral{};
    std::optional<std::uint32_t> neutral_parameter;
  };

  std::vector<SizeTerm> index_space; ///< empty: sequential
  std::vector<Result> results;
  std::vector<Partial> partials;
  std::vector<std::uint32_t> consumed; ///< parameters that must be writable
  /// Scalar parameters that any of these terms, or of `element_cost`, is; each once.
  std::vector<std::uint32_t> size_parameters;
  bool has(ir::GroupKind kind) const { return (groups & (1u << static_cast<unsigned>(kind))) != 0; }
  unsigned groups = 0; ///< a bit for each kind of group
  /// Reductions and scans have partial values by units of the order of folding (kernel_abi.h).
  bool keeps_fold_order = false;
  bool may_keep_elements = false;
  bool has_post = false; ///< a scan's: `conclude` is what ends a launch
  /// The order of histograms shows: chunks are their segments.
  bool is_segmented = false;
  /// Bytes of an update in a list (kernel_abi.h), where they may be dealt; else 0.
  std::int64_t update_bytes = 0;
  CostEstimate element_cost; ///< of one index
  double element_bytes = 0;  ///< read and written for one index, as far as evident
};

/// Why the launcher could not make room for the results: an array's size is known only when the
/// kernel has run (and it is no filter).
std::optional<std::string> unknown_result_size(const ir::Function& function);

/// Of a kernel that `cannot_emit` has no objection to.
KernelLayout kernel_layout(const ir::Function& function, std::span<const ir::Operand> index_space);

/// The number behind a term.
inline std::int64_t value_of(const SizeTerm& term, std::span<const std::uint64_t> scalars) {
  return term.parameter ? static_cast<std::int64_t>(scalars[*term.parameter]) : term.constant;
}
Extents values_of(const std::vector<SizeTerm>& terms, std::span<const std::uint64_t> scalars);
/// Nanoseconds, as estimated; `scalars[p]` is the value of scalar parameter p.
double value_of(const CostEstimate& cost, std::span<const std::uint64_t> scalars);

} // namespace sinter::jit
