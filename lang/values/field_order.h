// In which order people see the fields of records: as the source has them.
//
// Values, representations and types have fields in canonical order, so that `{y = 1, x = 2}` and
// `{x = 2, y = 1}` are one value of one type.  What a source says beyond that stands beside them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sinter {

/// Of a value of some type; made without arguments, fields are seen in canonical order.
struct FieldOrder {
  /// Positions in canonical order, as the fields are seen; empty: in that order.
  std::vector<std::uint32_t> shown;
  /// Those of a record's fields, in canonical order; of an array's elements; of the payloads of a
  /// sum's constructors, one behind the other.  What is missing is in canonical order.
  std::vector<FieldOrder> parts;

  std::size_t field(std::size_t seen) const { return seen < shown.size() ? shown[seen] : seen; }
  const FieldOrder& part(std::size_t index) const {
    static const FieldOrder canonical;
    return index < parts.size() ? parts[index] : canonical;
  }
  bool is_canonical() const { return shown.empty() && parts.empty(); }
};

} // namespace sinter
