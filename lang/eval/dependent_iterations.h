// Whether iterations of a loop that is marked `#[parallel]` need anything of each other: on the
// data at hand.
//
// As long as a marked loop runs, each element of the arrays that it carries has a note of which
// iterations have read and written it.  A conflict is what another order of the iterations would
// change:
//
// - two write different values to one element;
// - one reads an element to which another one writes another value than it had.
//
// Updates that combine in any order do not conflict with each other (combining_writes.h).  Arrays
// are known by their memory; where one is copied because somebody else has it too, its notes go on
// with the copy.  What is read of them through views counts, element by element.  Numbers are not
// looked at: whether those are folds can be seen before (`loop-carried`), or is tried
// (iteration_orders.h).
//
// (A dynamic dependence test, as in L. Rauchwerger and D. Padua, "The LRPD test", PLDI 1995, but
// element by element in order, and with the values compared.)
#pragma once

#include "lang/base/runtime_error.h"
#include "lang/core/core.h"
#include "lang/eval/combining_writes.h"
#include "lang/eval/concrete_domain.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace sinter::eval {

class DependentIterations {
public:
  /// `report` is told of each conflict, and may throw: at the place of the loop, in words.
  using Report = std::function<void(const core::Expr& loop, const std::string& text)>;
  explicit DependentIterations(Report report) : report_(std::move(report)) {}

  /// A marked loop that runs, innermost last.
  class Run {
  public:
    /// `iterations`: how many there will be, at most.
    Run(DependentIterations& all, const LoopPlace<Concrete>& place, std::int64_t iterations);
    ~Run() { all_.runs_.pop_back(); }
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    /// The iteration of that number begins with the state, or has ended with it.
    void begin(std::int64_t iteration, const Value& state);
    void end(const Value& state);

  private:
    DependentIterations& all_;
  };

  /// Whether a marked loop runs.
  bool is_watching() const { return !runs_.empty(); }
  /// An element is about to be read, if the parts name one.
  void note_read(const core::Expr& site, const Value& array,
                 std::span<const ConcreteIndexPart> parts);
  /// All that an array shows is about to be read.
  void note_read_of_all(const Value& value);
  /// An operation is about to write to the array at places of its own.
  void note_written_anew(const Value& array);
  /// Notes an update that is about to happen: `old` is what the parts name, an element or a view.
  struct Written {
    std::size_t loop = 0, array = 0;
  };
  std::vector<Written> note_write(const core::Expr& site, const Value& array, Value old,
                                  std::span<const ConcreteIndexPart> parts,
                                  const Value& replacement);
  /// The update has given this.
  void move_to(std::span<const Written> written, const Value& result);

private:
  /// What is known of an element.  Iterations are their numbers; -1: none.
  struct Element {
    std::int32_t writer = -1, first_reader = -1, last_reader = -1;
    bool is_changed = false;  ///< by its writer
    bool is_combined = false; ///< all writers have combined
  };
  /// An array that a loop carries.
  struct Carried {
    std::string name;
    const Buffer* buffer = nullptr; ///< of its first leaf that has one; null: not followed now
    std::size_t leaf = 0;
    std::int64_t offset = 0, inner = 1; ///< where it begins; scalars of the leaf an element
    Extents shape;
    bool is_dense = false;
    std::int32_t anew = -1; ///< the iteration that has made all of it anew
    bool is_written = false;
    std::vector<Element> elements;                           ///< by place, in row-major order
    std::unordered_map<std::int64_t, Element> some_elements; ///< instead, where they are many
    std::vector<ArrayRef> kept; ///< whose memory must not become another array's meanwhile
  };
  struct Loop {
    const core::Expr* expr = nullptr;
    const CombiningWrites* combining = nullptr;
    std::int64_t iterations = 0;
    std::int32_t iteration = 0;
    std::vector<Carried> arrays;
  };

  template <typename Visit>
  void for_each_carrier(const ArrayObject& array, Visit&& visit);
  /// The element of `carried` that the indices of the array (which shares its memory) name.
  static std::optional<std::int64_t> place_of(const Carried& carried, const ArrayObject& array,
                                              std::span<const std::int64_t> indices);
  Element* element(Loop& loop, Carried& carried, std::int64_t place);
  void read(Loop& loop, Carried& carried, std::int64_t place, bool is_combining);
  void read_all(Loop& loop, Carried& carried, const ArrayObject& array);
  void write(Loop& loop, Carried& carried, std::int64_t place, bool is_combining, const Value& old,
             const Value& value, const Representation* type);
  void make_anew(Loop& loop, Carried& carried);
  static void follow(Carried& carried, const ArrayRef& array);
  static bool is_carried_itself(const Carried& carried, const ArrayObject& array);
  static std::string text_of(const Carried& carried, std::int64_t place);

  Report report_;
  std::vector<Loop> runs_;
  std::unordered_map<const core::Expr*, CombiningWrites> combining_; ///< by loop
  std::int64_t noted_ = 0;
};

} // namespace sinter::eval
