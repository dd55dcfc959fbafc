#include "jit/ir/failure_words.h"

#include <array>
#include <utility>

namespace sinter::ir {
namespace {

constexpr std::array<std::pair<FailureKind, std::string_view>, 7> words = {{
    {FailureKind::Program, "program"},
    {FailureKind::OutOfMemory, "out_of_memory"},
    {FailureKind::StackLimit, "stack_limit"},
    {FailureKind::Interrupted, "interrupted"},
    {FailureKind::TimedOut, "timed_out"},
    {FailureKind::Unsupported, "unsupported"},
    {FailureKind::Deferred, "deferred"},
}};

} // namespace

std::string_view failure_word(FailureKind kind) {
  for (const auto& [candidate, word] : words)
    if (candidate == kind) return word;
  return "program";
}

std::optional<FailureKind> failure_kind_named(std::string_view word) {
  for (const auto& [kind, candidate] : words)
    if (candidate == word) return kind;
  return std::nullopt;
}

std::string quoted(std::string_view text) {
  static constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "\"";
  for (char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      out += "\\x";
      out += digits[byte >> 4];
      out += digits[byte & 15];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

} // namespace sinter::ir
