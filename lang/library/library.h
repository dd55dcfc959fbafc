// The library: modules that a program asks for by `import "sinter/NAME"`, from wherever it is.
//
// The `.fut` files beside this header become part of the executable as text.  They are programs
// like any user's: plain Futhark over the standard prelude, checked and run as such, so that copied
// into a folder `sinter` beside a program they do the same in any other implementation.  (A file
// that lies there is taken instead of the library's own.)  Their imports of each other are
// relative.
//
// Every name that they let out has a comment with an example, "`E` is `V`", which a test runs, and
// names the published algorithm that it follows.  What a comment claims of numbers is tested
// against wide arithmetic.
#pragma once

#include <span>
#include <string_view>

namespace sinter::library {

struct File {
  std::string_view name; ///< without folder and extension: "sort"
  std::string_view text;
};

/// All files of the library, by name.
std::span<const File> files();

} // namespace sinter::library
