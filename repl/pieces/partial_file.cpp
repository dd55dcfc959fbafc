#include "repl/pieces/partial_file.h"

#include "lang/values/byte_sink.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstring>

#include <zlib.h>

namespace sinter::repl {

namespace {

using nlohmann::json;

constexpr int form = 1;
/// No extent is larger.
constexpr std::int64_t extent_limit = std::int64_t{1} << 48;
/// No array has more dimensions in any program.
constexpr std::uint32_t most_dimensions = 64;

std::uint32_t checksum(std::uint32_t before, std::string_view bytes) {
  uLong sum = before;
  while (!bytes.empty()) { // zlib counts in 32 bits
    const std::string_view part = bytes.substr(0, std::size_t{1} << 30);
    sum = crc32(sum, reinterpret_cast<const Bytef*>(part.data()), static_cast<uInt>(part.size()));
    bytes.remove_prefix(part.size());
  }
  return static_cast<std::uint32_t>(sum);
}

class ChecksumSink final : public ByteSink {
public:
  explicit ChecksumSink(std::uint32_t before) : sum_(before) {}
  void write(std::string_view bytes) override { sum_ = checksum(sum_, bytes); }
  std::uint32_t sum() const { return sum_; }

private:
  std::uint32_t sum_;
};

std::uint64_t number_in(const std::string& text) {
  std::uint64_t number = 0;
  if (text.size() != 16) throw FormatError("the program's number has no 16 digits");
  for (char c : text) {
    const std::size_t digit = std::string_view("0123456789abcdef").find(c);
    if (digit == std::string_view::npos) throw FormatError("the program's number has no 16 digits");
    number = number << 4 | digit;
  }
  return number;
}

json header_of(const Partial& partial) {
  json state = json::array();
  for (const jit::StateComponent& component : partial.work.state)
    state.push_back({{"role", jit::name(component.role)},
                     {"element", name(component.element)},
                     {"rank", component.rank}});
  return {{"sinter_partial", form},
          {"version", partial.work.version},
          {"program", program_text(partial.work.program)},
          {"entry", partial.work.entry},
          {"extent", partial.work.extent},
          {"first", partial.first},
          {"count", partial.count},
          {"inputs", partial.work.inputs},
          {"state", state}};
}

jit::StateComponent component_in(const json& text) {
  jit::StateComponent component;
  const std::string role = text.at("role").get<std::string>();
  constexpr std::array roles = {jit::StateRole::Shared, jit::StateRole::Joined,
                                jit::StateRole::Stacked, jit::StateRole::Sum};
  const auto* known =
      std::ranges::find_if(roles, [&](jit::StateRole one) { return jit::name(one) == role; });
  const auto element = element_type_named(text.at("element").get<std::string>());
  const auto rank = text.at("rank").get<std::uint32_t>();
  if (known == roles.end() || !element || rank > most_dimensions)
    throw FormatError("a component of its state has no form that is known");
  component.role = *known;
  component.element = *element;
  component.rank = rank;
  const bool is_sum = component.role == jit::StateRole::Sum;
  const bool is_array = component.role != jit::StateRole::Shared && !is_sum;
  if ((is_array && rank == 0) || (is_sum && (rank != 0 || *element != ElementType::I64)))
    throw FormatError("a component of its state has no form that is known");
  return component;
}

void read_header(const json& header, Partial& partial) {
  partial.work.version = header.at("version").get<std::string>();
  partial.work.program = number_in(header.at("program").get<std::string>());
  partial.work.entry = header.at("entry").get<std::string>();
  partial.work.extent = header.at("extent").get<std::int64_t>();
  partial.first = header.at("first").get<std::int64_t>();
  partial.count = header.at("count").get<std::int64_t>();
  partial.work.inputs = header.at("inputs").get<std::vector<std::string>>();
  for (const json& component : header.at("state"))
    partial.work.state.push_back(component_in(component));
  const std::int64_t n = partial.work.extent;
  if (n < 0 || n >= extent_limit || partial.first < 0 || partial.first > n || partial.count < 0 ||
      partial.count > n - partial.first)
    throw FormatError("its indices are none of those that it is cut along");
}

/// The bytes of an array of u8.
std::string text_of(const ExternalValue& value) {
  const Leaf& leaf = value.value.array()->leaves.front();
  const auto count = static_cast<std::size_t>(leaf.extents[0]);
  std::string text(count, '\0');
  if (count > 0) std::memcpy(text.data(), first_element(leaf), count);
  return text;
}

Value value_of(const jit::StateValue& part, Representations& representations) {
  if (const auto* scalar = std::get_if<Scalar>(&part)) return Value(*scalar);
  const Leaf& leaf = std::get<Leaf>(part);
  auto* object = new ArrayObject;
  object->element = representations.scalar(leaf.element);
  object->shape = leaf.extents;
  object->leaves.push_back(leaf);
  return Value(ArrayRef::adopt(object));
}

const Representation* type_of(const jit::StateComponent& component,
                              Representations& representations) {
  const Representation* element = representations.scalar(component.element);
  return component.rank == 0 ? element : representations.array(component.rank, element);
}

void write_state(ByteSink& out, const Partial& partial, Representations& representations) {
  for (std::size_t i = 0; i < partial.state.size(); ++i)
    write_binary(out, value_of(partial.state[i], representations),
                 type_of(partial.work.state[i], representations));
}

Partial read_contents(const FileContents& contents, MemoryBudget& memory,
                      Representations& representations) {
  // (Text and .npy are not taken for it, whatever the reader would make of them.)
  if (!contents.bytes().starts_with('b')) throw FormatError("it is no partial");
  ValueReader reader(contents.bytes(), memory, representations, contents.file());
  const std::string text = text_of(reader.read(ElementType::U8, 1));
  const json header = json::parse(text, nullptr, false);
  if (!header.is_object() || !header.contains("sinter_partial"))
    throw FormatError("it is no partial");
  if (header.at("sinter_partial") != form)
    throw FormatError("it has a form that this version of Sinter does not know");
  const auto sum = reader.read(ElementType::U32, 0).value.scalar().as<std::uint32_t>();
  const std::string_view rest = contents.bytes().substr(reader.position());
  if (checksum(checksum(0, text), rest) != sum) throw FormatError("it is damaged or cut short");
  Partial partial;
  read_header(header, partial);
  for (const jit::StateComponent& component : partial.work.state) {
    const ExternalValue value = reader.read(component.element, component.rank);
    if (component.rank == 0)
      partial.state.emplace_back(value.value.scalar());
    else
      partial.state.emplace_back(value.value.array()->leaves.front());
  }
  if (!reader.at_end()) throw FormatError("it has more than its state");
  return partial;
}

} // namespace

std::string program_text(std::uint64_t program) {
  std::string text(16, '0');
  for (std::size_t i = text.size(); i-- > 0; program >>= 4)
    text[i] = "0123456789abcdef"[program & 15];
  return text;
}

void write_partial(ByteSink& out, const Partial& partial, Representations& representations) {
  const std::string text = header_of(partial).dump();
  ChecksumSink sum(checksum(0, text));
  write_state(sum, partial, representations);
  MemoryBudget memory(SIZE_MAX); // a header is small
  const ArrayRef header = allocate_array(memory, representations.scalar(ElementType::U8),
                                         {static_cast<std::int64_t>(text.size())});
  std::memcpy(first_place(header->leaves.front()), text.data(), text.size());
  write_binary(out, Value(header),
               representations.array(1, representations.scalar(ElementType::U8)));
  write_binary(out, Value(Scalar::of(sum.sum())), representations.scalar(ElementType::U32));
  write_state(out, partial, representations);
}

Partial read_partial(const FileContents& contents, const std::string& name, MemoryBudget& memory,
                     Representations& representations) {
  try {
    Partial partial = read_contents(contents, memory, representations);
    partial.source = name;
    return partial;
  } catch (const FormatError& error) {
    throw FormatError(name + ": " + error.message);
  } catch (const json::exception&) {
    throw FormatError(name + ": what it says of itself is not complete");
  }
}

Partial read_partial(const std::string& path, MemoryBudget& memory,
                     Representations& representations) {
  return read_partial(FileContents::of(path), path, memory, representations);
}

} // namespace sinter::repl
