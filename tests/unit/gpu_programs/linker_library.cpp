#include "linker_library.h"

#include <array>
#include <stdexcept>
#include <utility>

#include <dlfcn.h>

namespace sinter::test {

namespace {

// (As the toolkit's documentation has them; its headers are not needed to build.)
using Link = void*;
constexpr int success = 0;
constexpr int ptx_input = 2;

} // namespace

struct LinkerLibrary::Functions {
  int (*create)(Link*, std::uint32_t, const char**) = nullptr;
  int (*destroy)(Link*) = nullptr;
  int (*add_data)(Link, int, const void*, std::size_t, const char*) = nullptr;
  int (*complete)(Link) = nullptr;
  int (*code_size)(Link, std::size_t*) = nullptr;
  int (*error_size)(Link, std::size_t*) = nullptr;
  int (*error_words)(Link, char*) = nullptr;
};

LinkerLibrary::LinkerLibrary(std::shared_ptr<const Functions> functions)
    : functions_(std::move(functions)) {}

std::optional<LinkerLibrary> LinkerLibrary::find() {
  // (It is never unloaded: it may have threads.)
  void* library = nullptr;
  for (const char* const name : {"libnvJitLink.so", "libnvJitLink.so.13", "libnvJitLink.so.12",
                                 "/usr/local/cuda/lib64/libnvJitLink.so"})
    if (!library) library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (!library) return std::nullopt;
  auto functions = std::make_shared<Functions>();
  bool are_all = true;
  const auto take = [&]<typename Function>(Function*& function, const char* name) {
    function = reinterpret_cast<Function*>(dlsym(library, name));
    are_all = are_all && function;
  };
  take(functions->create, "nvJitLinkCreate");
  take(functions->destroy, "nvJitLinkDestroy");
  take(functions->add_data, "nvJitLinkAddData");
  take(functions->complete, "nvJitLinkComplete");
  take(functions->code_size, "nvJitLinkGetLinkedCubinSize");
  take(functions->error_size, "nvJitLinkGetErrorLogSize");
  take(functions->error_words, "nvJitLinkGetErrorLog");
  if (!are_all) return std::nullopt;
  return LinkerLibrary(std::move(functions));
}

std::size_t LinkerLibrary::assemble(const std::string& ptx, unsigned architecture) const {
  const std::string option = "-arch=sm_" + std::to_string(architecture);
  std::array options = {option.c_str()};
  Link link = nullptr;
  if (functions_->create(&link, static_cast<std::uint32_t>(options.size()), options.data()) !=
      success)
    throw std::runtime_error("the linker does not take the architecture");
  const auto destroy = [&](void*) { functions_->destroy(&link); };
  const std::unique_ptr<void, decltype(destroy)> keeper(link, destroy);
  std::size_t bytes = 0;
  const bool is_right =
      functions_->add_data(link, ptx_input, ptx.data(), ptx.size(), "kernel") == success &&
      functions_->complete(link) == success && functions_->code_size(link, &bytes) == success;
  if (is_right) return bytes;
  std::string words = "the linker fails";
  std::size_t length = 0;
  if (functions_->error_size(link, &length) == success && length > 1) {
    words.assign(length, '\0');
    functions_->error_words(link, words.data());
  }
  throw std::runtime_error(words);
}

} // namespace sinter::test
