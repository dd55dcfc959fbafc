#include "gpu/ptx/ptx_cache.h"

#include "gpu/ptx/code_generator.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/BLAKE3.h>
#include <llvm/Support/raw_ostream.h>

namespace sinter::gpu {

namespace {

/// To be counted up when lowering changes in a way that modules do not show.
constexpr const char* maker = "sinter " SINTER_VERSION ", ptx 5, LLVM " LLVM_VERSION_STRING;

std::string key_of(const GpuModule& module, unsigned architecture) {
  llvm::SmallVector<char, 0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(*module.module, stream);
  for (const EntryPoint& entry : module.entries)
    stream << entry.name << ' ' << entry.words << ' ' << entry.threads << ' ' << entry.registers
           << ' ' << entry.shared_bytes_of_arrays << '\n';
  stream << maker << " sm_" << architecture;
  llvm::BLAKE3 hash;
  hash.update(llvm::StringRef(bitcode.data(), bitcode.size()));
  return llvm::toHex(llvm::ArrayRef<std::uint8_t>(hash.final()), /*LowerCase=*/true);
}

} // namespace

PtxCache::PtxCache(const std::filesystem::path& folder, std::size_t byte_limit)
    : objects_(folder, byte_limit, maker) {}

std::optional<PtxText> PtxCache::find(const GpuModule& module, unsigned compute_capability) const {
  const unsigned architecture = architecture_for(compute_capability);
  std::optional<std::string> text = objects_.find(key_of(module, architecture));
  if (!text) return std::nullopt;
  return PtxText{std::move(*text), architecture};
}

PtxText PtxCache::to_ptx(const GpuModule& module, unsigned compute_capability) const {
  const unsigned architecture = architecture_for(compute_capability);
  const std::string key = key_of(module, architecture);
  if (std::optional<std::string> text = objects_.find(key)) return {std::move(*text), architecture};
  PtxText made = gpu::to_ptx(module, compute_capability);
  objects_.store(key, made.text);
  return made;
}

} // namespace sinter::gpu
