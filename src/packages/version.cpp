#include "src/packages/version.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <vector>

namespace sinter::packages {

namespace {

bool is_number(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c); });
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const bool has_zero_in_front = text.size() > 1 && text.front() == '0';
  if (!is_number(text) || has_zero_in_front || error != std::errc{} || stop != end)
    return std::nullopt;
  return value;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

/// Letters, digits and minus signs between points.
bool is_list_of_words(std::string_view text) {
  return std::ranges::all_of(split(text, '.'), [](std::string_view word) {
    return !word.empty() &&
           std::ranges::all_of(word, [](unsigned char c) { return std::isalnum(c) || c == '-'; });
  });
}

/// Takes what stands behind `sign` off the end; nothing if the sign is not there.
std::optional<std::string_view> take_behind(std::string_view& text, char sign) {
  const std::size_t at = text.find(sign);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view behind = text.substr(at + 1);
  text = text.substr(0, at);
  return behind;
}

std::weak_ordering compare_words(std::string_view a, std::string_view b) {
  const std::optional<std::uint64_t> x = number(a), y = number(b);
  if (x && y) return *x <=> *y;
  if (x || y) return x ? std::weak_ordering::less : std::weak_ordering::greater;
  return a <=> b;
}

} // namespace

std::optional<Version> Version::parse(std::string_view text) {
  Version version;
  if (const std::optional<std::string_view> build = take_behind(text, '+')) {
    if (!is_list_of_words(*build)) return std::nullopt;
    version.build = *build;
  }
  if (const std::optional<std::string_view> before = take_behind(text, '-')) {
    if (!is_list_of_words(*before)) return std::nullopt;
    version.pre_release = *before;
  }
  const std::vector<std::string_view> parts = split(text, '.');
  if (parts.size() != 3) return std::nullopt;
  std::uint64_t* numbers[] = {&version.major, &version.minor, &version.patch};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const std::optional<std::uint64_t> part = number(parts[i]);
    if (!part) return std::nullopt;
    *numbers[i] = *part;
  }
  return version;
}

std::string Version::text() const {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch) +
         (pre_release.empty() ? "" : "-" + pre_release) + (build.empty() ? "" : "+" + build);
}

std::weak_ordering operator<=>(const Version& a, const Version& b) {
  if (const auto order = a.major <=> b.major; order != 0) return order;
  if (const auto order = a.minor <=> b.minor; order != 0) return order;
  if (const auto order = a.patch <=> b.patch; order != 0) return order;
  if (a.pre_release.empty() || b.pre_release.empty()) // a release comes behind what precedes it
    return a.pre_release.empty() <=> b.pre_release.empty();
  const std::vector<std::string_view> x = split(a.pre_release, '.'), y = split(b.pre_release, '.');
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
    if (const auto order = compare_words(x[i], y[i]); order != 0) return order;
  return x.size() <=> y.size();
}

std::optional<Path> Path::parse(std::string_view text) {
  if (text.ends_with('/')) text.remove_suffix(1); // as of a folder
  std::string_view folders = text;
  if (const std::optional<std::string_view> major = take_behind(folders, '@')) {
    const std::optional<std::uint64_t> value = number(*major);
    if (!value || *value < 2) return std::nullopt;
  }
  const std::vector<std::string_view> parts = split(folders, '/');
  const bool good =
      parts.size() >= 2 && std::ranges::all_of(parts, [](std::string_view part) {
        return !part.empty() && part.front() != '.' && part.front() != '-' &&
               std::ranges::all_of(part, [](unsigned char c) {
                 return std::isalnum(c) || c == '.' || c == '_' || c == '-' || c == '~';
               });
      });
  if (!good) return std::nullopt;
  return Path{std::string(text)};
}

std::string Path::repository() const {
  return text.substr(0, text.find('@'));
}

bool Path::takes(const Version& version) const {
  const std::size_t at = text.find('@');
  if (at == std::string::npos) return version.major < 2;
  return text.substr(at + 1) == std::to_string(version.major);
}

} // namespace sinter::packages
