#include "gpu/driver/cubin_cache.h"

#include <array>
#include <cstdint>
#include <optional>

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/BLAKE3.h>

namespace sinter::gpu::driver {

namespace {

std::string key_of(const PtxText& text, const std::string& maker) {
  llvm::BLAKE3 hash;
  hash.update(llvm::StringRef(text.text));
  hash.update(llvm::StringRef(maker)); // several devices may share the folder
  return llvm::toHex(llvm::ArrayRef<std::uint8_t>(hash.final()), /*LowerCase=*/true);
}

} // namespace

std::string assemble(const PrimaryContext& context, const PtxText& text) {
  const Driver& cu = context.driver();
  std::array<char, 4096> log = {};
  std::array<LinkOption, 2> options = {link_error_log, link_error_log_bytes};
  std::array<void*, 2> values = {log.data(), reinterpret_cast<void*>(log.size() - 1)};
  LinkState state = nullptr;
  cu.check(cu->cuLinkCreate(options.size(), options.data(), values.data(), &state), "cuLinkCreate");
  const OwnedLinkState owner(context, state);
  const auto check = [&](Result result, const char* function) {
    if (result != 0 && kind_of(result) == DeviceError::Kind::NoCode && log[0] != '\0')
      throw DeviceError(DeviceError::Kind::NoCode, log.data());
    cu.check(result, function);
  };
  std::string source = text.text; // (with the zero behind it, which belongs to it)
  check(cu->cuLinkAddData(state, link_input_ptx, source.data(), source.size() + 1, "kernel", 0,
                          nullptr, nullptr),
        "cuLinkAddData");
  void* made = nullptr;
  std::size_t bytes = 0;
  check(cu->cuLinkComplete(state, &made, &bytes), "cuLinkComplete");
  return {static_cast<const char*>(made), bytes}; // the state owns what it made
}

CubinCache::CubinCache(const std::filesystem::path& folder, std::size_t byte_limit,
                       int driver_version, unsigned compute_capability)
    : maker_("sinter " SINTER_VERSION ", cubin 1, driver " + std::to_string(driver_version) +
             ", sm_" + std::to_string(compute_capability)),
      objects_(folder, byte_limit, maker_) {}

std::string CubinCache::cubin(const PrimaryContext& context, const PtxText& text) const {
  const std::string key = key_of(text, maker_);
  if (std::optional<std::string> kept = objects_.find(key)) return *std::move(kept);
  std::string made = assemble(context, text);
  objects_.store(key, made);
  return made;
}

} // namespace sinter::gpu::driver
