// Packages: programs that others publish, fetched by `sinter pkg`.
//
// A package is a path without a protocol (`github.com/user/sorts`, from its second major version on
// `github.com/user/sorts@2`) and a version: a tag `v1.2.3` of its git repository.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sinter::packages {

/// X.Y.Z, perhaps with a `-pre.release` and `+build` behind it.
struct Version {
  std::uint64_t major = 0, minor = 0, patch = 0;
  std::string pre_release; ///< without its `-`; empty of a release
  std::string build;       ///< without its `+`; orders nothing

  static std::optional<Version> parse(std::string_view text);
  std::string text() const;
  /// As semantic versioning orders them; without regard to the build.
  friend std::weak_ordering operator<=>(const Version& a, const Version& b);
  friend bool operator==(const Version& a, const Version& b) { return (a <=> b) == 0; }
};

/// "github.com/user/sorts@2": what a package is called, and where it lies.
struct Path {
  std::string text;

  /// None for what cannot be a folder and the end of an address as well; a slash at its end is
  /// dropped.
  static std::optional<Path> parse(std::string_view text);
  /// Without `@2`: the repository has all major versions.
  std::string repository() const;
  /// Whether a package of this path may have the version: 0 and 1 without `@`.
  bool takes(const Version& version) const;
  auto operator<=>(const Path&) const = default;
};

} // namespace sinter::packages
