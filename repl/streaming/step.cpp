#include "repl/streaming/step.h"

#include "lang/values/array.h"
#include "lang/values/format.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace sinter::repl {

namespace {

/// The sizes in front of a type, "k", "28" of "[k][28]f32".
std::vector<std::string> sizes_of(const std::string& text) {
  std::vector<std::string> sizes;
  std::size_t at = text.starts_with('*') ? 1 : 0;
  while (at < text.size() && text[at] == '[') {
    const std::size_t end = std::min(text.find(']', at), text.size());
    sizes.push_back(text.substr(at + 1, end - at - 1));
    at = end + 1;
  }
  return sizes;
}

std::optional<std::int64_t> constant(std::string text) {
  if (text.ends_with("i64")) text.resize(text.size() - 3);
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end || number < 0) return std::nullopt;
  return number;
}

bool is_numeric_array(const Representation* type) {
  return type->is_array() && type->array().element->is_scalar();
}

} // namespace

std::size_t Step::element_bytes() const {
  return byte_size(element()) * static_cast<std::size_t>(element_count(inner));
}

std::string Step::element_text() const {
  std::string text;
  for (const std::int64_t extent : inner)
    text += "[" + std::to_string(extent) + "]";
  return text + std::string(name(element()));
}

Step step_of(core::EntryPoint entry, const std::optional<Extents>& inner) {
  const std::string name = "`" + entry.name + "`";
  const auto fail = [&](const std::string& text) { throw FormatError(name + " " + text); };
  const std::size_t count = entry.parameters.size();
  if (count == 0 || count > 2)
    fail("has " + std::to_string(count) +
         " parameters; what takes chunks has two, a state and an array, or an array alone");
  Step step;
  step.entry = std::move(entry);
  const core::EntryType& chunk = step.entry.parameters.back();
  step.chunk = chunk.representation;
  if (!is_numeric_array(step.chunk))
    fail("takes chunks of type `" + chunk.text + "`; they must be arrays of numbers");
  if (count == 2) step.state = step.entry.parameters.front().representation;

  const Representation* result = step.entry.function->result;
  if (!step.state) {
    step.results = result;
  } else if (result != step.state) {
    if (!result->is_record() || !is_tuple(result->record()) ||
        result->record().fields.size() != 2 || result->record().fields[0].type != step.state)
      fail("must give its state, of type `" + step.entry.parameters.front().text +
           "`, or a pair of it and an array");
    step.results = result->record().fields[1].type;
  }
  if (step.results && !is_numeric_array(step.results))
    fail("gives results that are no arrays of numbers");

  const std::vector<std::string> sizes = sizes_of(chunk.text);
  const std::size_t rank = step.chunk->array().rank;
  if (!sizes.empty() && constant(sizes.front()))
    fail("takes chunks of " + sizes.front() +
         " elements only: their size must be a parameter, `[k]`");
  if (inner) {
    if (inner->size() != rank - 1)
      fail("takes elements of " + std::to_string(rank - 1) + " dimensions, not of " +
           std::to_string(inner->size()));
    step.inner = *inner;
  } else {
    for (std::size_t i = 1; i < rank; ++i) {
      const auto size = i < sizes.size() ? constant(sizes[i]) : std::nullopt;
      if (!size)
        fail("takes elements whose shape its type, `" + chunk.text +
             "`, does not say: use --shape");
      step.inner.push_back(*size);
    }
  }
  if (step.element_bytes() == 0) fail("takes elements without numbers");
  return step;
}

std::string state_type_text(const Step& step) {
  std::string text;
  const std::string& given = step.entry.parameters.front().text;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i] == '*') continue;
    text += given[i];
    if (given[i] != '[') continue;
    const std::size_t end = std::min(given.find(']', i), given.size());
    const std::string size = given.substr(i + 1, end - i - 1);
    if (constant(size)) text += size;
    i = end - 1;
  }
  return text;
}

} // namespace sinter::repl
