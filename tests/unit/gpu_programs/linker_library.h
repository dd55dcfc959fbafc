// NVIDIA's linker as a library (nvJitLink), where the toolkit has it: what assembles in a process
// that goes on, as the driver's linker does at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace sinter::test {

class LinkerLibrary {
public:
  /// As the system finds it, or in the toolkit's usual place; nothing if it is not there.
  static std::optional<LinkerLibrary> find();

  /// Makes machine code of sm_NN of a text; its bytes.  Throws std::runtime_error with the linker's
  /// words if it refuses.
  std::size_t assemble(const std::string& ptx, unsigned architecture) const;

private:
  struct Functions;
  explicit LinkerLibrary(std::shared_ptr<const Functions> functions);
  std::shared_ptr<const Functions> functions_;
};

} // namespace sinter::test
