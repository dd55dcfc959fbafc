// `futhark.pkg`: which package a project is, if it is one, and which it needs.
//
//     package github.com/user/mine
//
//     require {
//       github.com/user/sorts 0.4.0 #8ad3ff4e     -- the commit may stand behind the version
//     }
//
// Comments begin with `--`; what a program changes keeps those of the lines that stay.
#pragma once

#include "src/packages/version.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sinter::packages {

struct Requirement {
  Path path;
  Version version; ///< the least that will do
  std::string
      commit{}; ///< what the version's tag must mean, or the beginning of that; may be empty
};

class Manifest {
public:
  /// Throws FormatError with the line; `name` is what messages call the text.
  static Manifest parse(std::string_view text, const std::string& name);

  const std::optional<Path>& package() const { return package_; }
  const std::vector<Requirement>& requirements() const { return requirements_; }
  const Requirement* find(const Path& path) const;
  /// Adds a requirement, or replaces that of the same path.
  void require(Requirement requirement);
  /// Whether there was one.
  bool remove(const Path& path);
  std::string text() const;

private:
  std::optional<Path> package_;
  std::vector<Requirement> requirements_;
  /// Comments above the package, above each requirement and behind it, above the closing brace, at
  /// the end.
  std::vector<std::string> head_, before_end_, tail_;
  struct Comments {
    std::vector<std::string> above;
    std::string behind;
  };
  std::vector<Comments> comments_; ///< one for each requirement
  std::vector<std::string> above_require_;
};

} // namespace sinter::packages
