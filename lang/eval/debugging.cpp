#include "lang/eval/debugging.h"

#include <charconv>

namespace sinter {

namespace {

template <typename Number>
std::optional<Number> number_of(std::string_view text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || rest != end) return std::nullopt;
  return number;
}

constexpr std::string_view random_word = "random";

} // namespace

std::optional<Chunking> chunking_of(std::string_view text) {
  if (text == random_word) return Chunking{Chunking::Kind::Random};
  if (text.starts_with(random_word) && text.substr(random_word.size()).starts_with(':')) {
    const auto seed = number_of<std::uint64_t>(text.substr(random_word.size() + 1));
    if (seed) return Chunking{Chunking::Kind::Random, 0, *seed};
    return std::nullopt;
  }
  const auto size = number_of<std::int64_t>(text);
  if (size && *size > 0) return Chunking{Chunking::Kind::Regular, *size};
  return std::nullopt;
}

std::string text(const Chunking& chunking) {
  switch (chunking.kind) {
  case Chunking::Kind::Regular:
    return std::to_string(chunking.size);
  case Chunking::Kind::Random:
    return std::string(random_word) + ":" + std::to_string(chunking.seed);
  case Chunking::Kind::Whole:
    break;
  }
  return {};
}

} // namespace sinter
