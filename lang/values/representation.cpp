#include "lang/values/representation.h"

#include <cassert>
#include <deque>
#include <functional>
#include <mutex>
#include <unordered_map>

namespace sinter {

namespace {

void combine(std::size_t& hash, std::size_t more) {
  hash ^= more + 0x9e3779b97f4a7c15u + (hash << 6) + (hash >> 2);
}

struct NodeHash {
  std::size_t operator()(const ScalarRepresentation& scalar) const {
    return static_cast<std::size_t>(scalar.element);
  }
  std::size_t operator()(const ArrayRepresentation& array) const {
    std::size_t hash = array.rank;
    combine(hash, std::hash<const void*>()(array.element));
    return hash;
  }
  std::size_t operator()(const RecordRepresentation& record) const {
    std::size_t hash = record.fields.size();
    for (const FieldRepresentation& field : record.fields) {
      combine(hash, std::hash<std::string>()(field.name));
      combine(hash, std::hash<const void*>()(field.type));
    }
    return hash;
  }
  std::size_t operator()(const SumRepresentation& sum) const {
    std::size_t hash = sum.constructors.size();
    for (const ConstructorRepresentation& constructor : sum.constructors) {
      combine(hash, std::hash<std::string>()(constructor.name));
      for (const Representation* part : constructor.payload)
        combine(hash, std::hash<const void*>()(part));
    }
    return hash;
  }
  std::size_t operator()(FunctionRepresentation) const { return 1; }
  std::size_t operator()(AccumulatorRepresentation) const { return 2; }
};

/// Adds the leaves of a part, whose extents follow those that `whole` has already.
void append_part(Representation& whole, const Representation& part, bool is_payload) {
  for (LeafLayout leaf : part.leaves) {
    for (std::uint32_t& dimension : leaf.dimensions)
      dimension += whole.extent_count;
    leaf.is_payload |= is_payload;
    whole.leaves.push_back(std::move(leaf));
  }
  whole.extent_count += part.extent_count;
}

struct Layout {
  Representation& whole;

  void operator()(const ScalarRepresentation& scalar) const {
    whole.leaves.push_back({.element = scalar.element});
  }
  void operator()(const ArrayRepresentation& array) const {
    whole.extent_count = array.rank;
    append_part(whole, *array.element, false);
    for (LeafLayout& leaf : whole.leaves)
      for (std::uint32_t i = array.rank; i-- > 0;)
        leaf.dimensions.insert(leaf.dimensions.begin(), i);
  }
  void operator()(const RecordRepresentation& record) const {
    if (record.fields.empty()) {
      whole.leaves.push_back({.element = ElementType::Bool, .is_unit = true});
      return;
    }
    for (const FieldRepresentation& field : record.fields)
      append_part(whole, *field.type, false);
  }
  void operator()(const SumRepresentation& sum) const {
    whole.leaves.push_back({.element = tag_element(sum)});
    for (const ConstructorRepresentation& constructor : sum.constructors)
      for (const Representation* part : constructor.payload)
        append_part(whole, *part, true);
  }
  void operator()(FunctionRepresentation) const {}
  void operator()(AccumulatorRepresentation) const {}
};

} // namespace

bool is_tuple(const RecordRepresentation& record) {
  if (record.fields.size() == 1) return false;
  for (std::size_t i = 0; i < record.fields.size(); ++i)
    if (record.fields[i].name != std::to_string(i)) return false;
  return true;
}

struct Representations::Table {
  std::mutex mutex;
  std::deque<Representation> nodes;
  std::unordered_multimap<std::size_t, const Representation*> by_hash;

  const Representation* intern(RepresentationNode node) {
    std::size_t hash = std::visit(NodeHash(), node);
    combine(hash, node.index());
    std::lock_guard lock(mutex);
    auto [first, last] = by_hash.equal_range(hash);
    for (auto it = first; it != last; ++it)
      if (it->second->node == node) return it->second;
    Representation& made = nodes.emplace_back();
    made.node = std::move(node);
    std::visit(Layout{made}, made.node);
    made.leaf_count = static_cast<std::uint32_t>(made.leaves.size());
    by_hash.emplace(hash, &made);
    return &made;
  }
};

Representations::Representations() : table_(std::make_unique<Table>()) {}
Representations::~Representations() = default;

const Representation* Representations::scalar(ElementType element) {
  return table_->intern(ScalarRepresentation{element});
}

const Representation* Representations::array(std::uint32_t rank, const Representation* element) {
  if (rank == 0) return element;
  if (element->is_array()) {
    rank += element->array().rank;
    element = element->array().element;
  }
  return table_->intern(ArrayRepresentation{rank, element});
}

const Representation* Representations::record(std::vector<FieldRepresentation> fields) {
  return table_->intern(RecordRepresentation{std::move(fields)});
}

const Representation* Representations::tuple(const std::vector<const Representation*>& elements) {
  std::vector<FieldRepresentation> fields;
  fields.reserve(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i)
    fields.push_back({std::to_string(i), elements[i]});
  return record(std::move(fields));
}

const Representation* Representations::sum(std::vector<ConstructorRepresentation> constructors) {
  return table_->intern(SumRepresentation{std::move(constructors)});
}

const Representation* Representations::function() {
  return table_->intern(FunctionRepresentation{});
}

const Representation* Representations::accumulator() {
  return table_->intern(AccumulatorRepresentation{});
}

ElementType tag_element(const SumRepresentation& sum) {
  return sum.constructors.size() <= 256 ? ElementType::U8 : ElementType::U32;
}

std::string print(const Representation* representation) {
  struct Printer {
    std::string operator()(const ScalarRepresentation& scalar) const {
      return std::string(name(scalar.element));
    }
    std::string operator()(const ArrayRepresentation& array) const {
      std::string text;
      for (std::uint32_t i = 0; i < array.rank; ++i)
        text += "[]";
      return text + atom(array.element);
    }
    std::string operator()(const RecordRepresentation& record) const {
      bool tuple = is_tuple(record);
      std::string text = tuple ? "(" : "{";
      for (std::size_t i = 0; i < record.fields.size(); ++i) {
        if (i > 0) text += ", ";
        if (!tuple) text += record.fields[i].name + ": ";
        text += print(record.fields[i].type);
      }
      return text + (tuple ? ")" : "}");
    }
    std::string operator()(const SumRepresentation& sum) const {
      std::string text;
      for (const ConstructorRepresentation& constructor : sum.constructors) {
        if (!text.empty()) text += " | ";
        text += "#" + constructor.name;
        for (const Representation* part : constructor.payload)
          text += " " + atom(part);
      }
      return text;
    }
    std::string operator()(FunctionRepresentation) const { return "<function>"; }
    std::string operator()(AccumulatorRepresentation) const { return "<accumulator>"; }

    /// With parentheses where a sum would swallow what follows.
    static std::string atom(const Representation* part) {
      return part->is_sum() ? "(" + print(part) + ")" : print(part);
    }
  };
  return std::visit(Printer(), representation->node);
}

const Representation* indexed(Representations& table, const Representation* array,
                              std::uint32_t count) {
  const ArrayRepresentation& node = array->array();
  assert(count <= node.rank);
  return table.array(node.rank - count, node.element);
}

} // namespace sinter
