// A place with memory of its own, for tests of whatever chooses places and moves contents: it keeps
// arrays apart from the host's, runs kernels by the reference evaluator, returns from launches
// before anybody may know how they ended, and refuses some kernels.
#pragma once

#include "jit/runtime/backend.h"
#include "lang/values/elsewhere.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace sinter::test {

/// What the place holds, by buffer.
class RemoteMemory final : public Elsewhere {
public:
  void fetch(Buffer& buffer, std::byte* target) override;
  void invalidate(Buffer& buffer) noexcept override { erase(buffer); }
  void forget(Buffer& buffer) noexcept override { erase(buffer); }

  /// The place's copy; the host's contents are copied if there is none.
  std::byte* held(Buffer& buffer);
  /// A fresh buffer that only the place has.
  BufferRef make(MemoryBudget& memory, std::size_t bytes);
  std::size_t count() const;
  std::uint64_t fetches() const { return fetches_; }
  std::uint64_t uploads() const { return uploads_; }

private:
  void erase(Buffer& buffer) noexcept;

  mutable std::mutex mutex_;
  std::map<Buffer*, std::vector<std::byte>> copies_;
  std::uint64_t fetches_ = 0, uploads_ = 0;
};

/// A kernel as two of the same with a branch between them, and whether that can be.
jit::PreparedKernel branched(ir::Function kernel);

class RemotePlace final : public jit::Backend {
public:
  struct Chances {
    unsigned refused = 0;  ///< of a hundred kernels
    unsigned broken = 0;   ///< … do not compile
    unsigned prepared = 0; ///< … become several, with a branch around them
    unsigned pending = 0;  ///< of a hundred scalar results
  };
  RemotePlace(unsigned seed, Chances chances) : Backend(true), chances_(chances), random_(seed) {}

  std::string name() const override { return "remote"; }
  jit::PreparedKernel prepare(ir::Function kernel, const jit::CompileOptions&) const override;
  std::optional<std::string> rejects(const ir::Function& kernel) const override;
  std::shared_ptr<jit::Kernel> compile(const ir::Function& kernel, ir::ArrayLayouts layouts,
                                       const jit::CompileOptions& options) override;

  Elsewhere* memory() override { return &memory_; }
  Leaf allocate(MemoryBudget& memory, ElementType element, Extents extents) override;
  Scalar load(const Leaf& array, std::int64_t position) override;
  void store(const Leaf& array, std::int64_t position, Scalar value) override;
  void copy(const Leaf& target, const Leaf& source, const jit::RunContext& context) override;
  Leaf duplicate(const Leaf& array, const jit::RunContext& context) override;
  Leaf fill(ElementType element, Extents extents, Scalar value,
            const jit::RunContext& context) override;
  Leaf list(ElementType element, Extents extents, std::span<const Scalar> elements,
            const jit::RunContext& context) override;

  /// Runs a kernel's function, whatever memory its arguments are in.
  jit::Outcome evaluate(const ir::Function& function, const std::vector<jit::Datum>& arguments,
                        const jit::RunContext& context);

  RemoteMemory& remote_memory() { return memory_; }
  std::uint64_t launches() const { return launches_; }
  std::uint64_t pending_arguments() const { return pending_arguments_; }
  std::uint64_t late_failures() const { return late_failures_; } ///< that `finish` told first

protected:
  std::optional<jit::Stopped> wait(const jit::RunContext& context) override;

private:
  bool chance(unsigned of_hundred) const;
  jit::Datum result(const ir::DenseValue& datum, MemoryBudget& memory);
  /// Results of the right shapes that nobody may look at; none if the shapes are not known.
  std::optional<std::vector<jit::Datum>> garbage(const ir::Function& function,
                                                 const std::vector<ir::DenseValue>& arguments,
                                                 MemoryBudget& memory);

  Chances chances_;
  mutable std::mutex mutex_;
  mutable std::minstd_rand random_;
  RemoteMemory memory_;
  std::map<const void*, jit::Stopped> failures_; ///< by run, the first of each
  std::uint64_t launches_ = 0, pending_arguments_ = 0, late_failures_ = 0;
};

} // namespace sinter::test
