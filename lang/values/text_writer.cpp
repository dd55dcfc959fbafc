// Values as text: for other programs (`write_text`) and for people (`print_value`).

#include "lang/base/interruptible.h"
#include "lang/values/elements.h"
#include "lang/values/file_memory.h"
#include "lang/values/format.h"
#include "lang/values/number_text.h"
#include "lang/values/strided.h"

#include <algorithm>

namespace sinter {

namespace {

/// Dimensions up to this length are always shown in full.
constexpr std::int64_t shortest_elided = 7;
constexpr std::int64_t shown_at_ends = 3;

bool is_unit(const Representation* type) {
  return type->is_record() && type->record().fields.empty();
}

/// Writes values to a string.
class Printer {
public:
  Printer(std::string& out, std::size_t elide_above, const FieldOrder& order)
      : out_(out), elide_above_(elide_above), order_(&order) {}

  void value(const Value& value, const Representation* type, bool inside_sum = false) {
    if (type->is_scalar()) {
      scalar(type->scalar(), value.scalar());
    } else if (type->is_array()) {
      array(*value.array());
    } else if (type->is_record()) {
      record(value, type->record());
    } else if (type->is_sum()) {
      const ConstructorRepresentation& constructor = type->sum().constructors[value.tag()];
      bool enclosed = inside_sum && !constructor.payload.empty();
      if (enclosed) out_ += '(';
      out_ += '#';
      out_ += constructor.name;
      std::size_t before = 0; // payloads of the constructors before it
      for (std::size_t tag = 0; tag < value.tag(); ++tag)
        before += type->sum().constructors[tag].payload.size();
      for (std::size_t i = 0; i < constructor.payload.size(); ++i) {
        out_ += ' ';
        part(value.fields()[i], constructor.payload[i], before + i, true);
      }
      if (enclosed) out_ += ')';
    } else {
      out_ += print(type); // <function>, <accumulator>
    }
  }

  void array(const ArrayObject& array) {
    if (is_empty(array.shape)) {
      out_ += "empty(";
      out_ += shape_text(array.shape);
      std::string element = print(array.element);
      out_ += array.element->is_sum() ? "(" + element + ")" : element;
      out_ += ')';
      return;
    }
    std::size_t count = static_cast<std::size_t>(element_count(array.shape));
    elides_ = count > elide_above_;
    if (!elides_ && array.element->is_scalar()) out_.reserve(out_.size() + count * 6);
    indices_.clear();
    dimension(array);
  }

private:
  void scalar(ElementType element, Scalar scalar) {
    char text[longest_scalar_text];
    out_.append(text, write_scalar(text, element, scalar));
  }

  /// The part of this number of what is written (see FieldOrder).
  void part(const Value& value, const Representation* type, std::size_t number,
            bool inside_sum = false) {
    const FieldOrder* whole = std::exchange(order_, &order_->part(number));
    this->value(value, type, inside_sum);
    order_ = whole;
  }

  void record(const Value& value, const RecordRepresentation& record) {
    bool tuple = is_tuple(record);
    out_ += tuple ? '(' : '{';
    for (std::size_t seen = 0; seen < record.fields.size(); ++seen) {
      const std::size_t i = order_->field(seen);
      if (seen > 0) out_ += ", ";
      if (!tuple) {
        out_ += record.fields[i].name;
        out_ += " = ";
      }
      part(value.fields()[i], record.fields[i].type, i);
    }
    out_ += tuple ? ')' : '}';
  }

  /// The elements below `indices_`.
  void dimension(const ArrayObject& array) {
    std::size_t depth = indices_.size();
    if (depth == array.shape.size()) {
      element(array);
      return;
    }
    out_ += '[';
    std::int64_t extent = array.shape[depth];
    bool elides = elides_ && extent > shortest_elided;
    if (!elides && depth + 1 == array.shape.size() && array.element->is_scalar()) {
      row(array, extent);
    } else {
      indices_.push_back(0);
      for (std::int64_t i = 0; i < extent; ++i) {
        if (i > 0) out_ += ", ";
        if (elides && i == shown_at_ends) {
          out_ += "..., ";
          i = extent - shown_at_ends;
        }
        indices_[depth] = i;
        dimension(array);
      }
      indices_.pop_back();
    }
    out_ += ']';
  }

  /// The innermost dimension of an array of scalars.
  void row(const ArrayObject& array, std::int64_t extent) {
    const Leaf& leaf = array.leaves.front();
    std::int64_t at = leaf.offset;
    for (std::size_t i = 0; i < indices_.size(); ++i)
      at += indices_[i] * leaf.strides[i];
    const std::int64_t stride = leaf.strides[indices_.size()];
    char text[longest_scalar_text + 2];
    for (std::int64_t i = 0; i < extent; ++i, at += stride) {
      poll_();
      char* end =
          write_scalar(text, leaf.element, load_scalar(leaf.element, leaf.buffer->contents(), at));
      if (i + 1 < extent) {
        *end++ = ',';
        *end++ = ' ';
      }
      make_room();
      out_.append(text, end);
    }
  }

  /// For one more scalar.  To move a large text to where there is more room takes long: it can be
  /// stopped in between.
  void make_room() {
    if (out_.capacity() - out_.size() >= longest_scalar_text + 2) return;
    std::string roomier;
    reserve(roomier, 2 * (out_.capacity() + longest_scalar_text));
    for (std::size_t moved = 0; moved < out_.size(); moved += bytes_at_once) {
      poll_interruption();
      roomier.append(out_, moved, bytes_at_once);
    }
    out_ = std::move(roomier);
  }

  void element(const ArrayObject& array) {
    poll_();
    // An element may hold arrays of its own, with their own indices and elision.
    Extents indices = std::move(indices_);
    bool elides = elides_;
    part(get_element_slow(array, indices), array.element, 0);
    indices_ = std::move(indices);
    elides_ = elides;
  }

  std::string& out_;
  std::size_t elide_above_;
  const FieldOrder* order_; ///< of what is being written
  bool elides_ = false;
  Extents indices_;
  SparsePoll poll_;
};

} // namespace

void write_text(std::string& out, const Value& value, const Representation* type) {
  const Representation* base = type->is_array() ? type->array().element : type;
  if (!base->is_scalar() && !is_unit(base))
    throw FormatError("a value of type " + print(type) +
                      " cannot be written as text that can be read again");
  Printer(out, SIZE_MAX, {}).value(value, type);
}

std::string print_value(const Value& value, const Representation* type, std::size_t elide_above,
                        const FieldOrder& order) {
  std::string out;
  Printer(out, elide_above, order).value(value, type);
  return out;
}

} // namespace sinter
