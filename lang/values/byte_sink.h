// Where bytes go that are made one after the other.
#pragma once

#include "lang/values/concrete.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace sinter {

class ByteSink {
public:
  virtual ~ByteSink() = default;
  /// The next bytes.  They may be many; nobody keeps a reference to them.
  virtual void write(std::string_view bytes) = 0;
  /// How many bytes have to stand before the elements of this leaf so that `take` may take them; 0
  /// if it won't.
  virtual std::size_t room_before(const Leaf& leaf) const {
    (void)leaf;
    return 0;
  }
  /// The next bytes are all elements of this leaf, which nobody else has and nobody writes to from
  /// now on.  Whether they are taken as they lie; if not, nothing has happened.
  virtual bool take(const Leaf& leaf) {
    (void)leaf;
    return false;
  }
};

/// Appends to a text.
class StringSink final : public ByteSink {
public:
  explicit StringSink(std::string& out) : out_(out) {}
  void write(std::string_view bytes) override { out_.append(bytes); }
  /// Makes room for a value that is written next.
  void reserve(const Value& value);

private:
  std::string& out_;
};

/// Writes the elements of leaves with the same extents in row-major order, the first ones of all
/// before the second ones, in pieces: what one leaf has in this order is not copied (unless it lies
/// in a file, which another process may cut).  Throws RuntimeError if a file that they lie in has
/// changed: then what was written is nothing.
void write_elements(ByteSink& sink, std::span<const Leaf> leaves);

} // namespace sinter
