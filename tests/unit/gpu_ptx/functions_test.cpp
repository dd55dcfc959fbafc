// What abstract functions become.
#include "gpu/device/device.h"
#include "gpu/kernels/abstract_functions.h"
#include "gpu/ptx/lower.h"
#include "module_text.h"

#include <doctest/doctest.h>

#include <map>

using namespace sinter::gpu;

namespace {

/// A kernel that calls a function and keeps its result.
std::string kernel_with(const AbstractFunctionRow& row) {
  std::string arguments;
  const auto append = [&](const std::string& argument) {
    arguments += (arguments.empty() ? "" : ", ") + argument;
  };
  for (const AbstractType type : row.parameters)
    append(type == AbstractType::Global ? "ptr addrspace(1) %memory"
           : type == AbstractType::I64  ? "i64 %word"
           : type == AbstractType::Bool ? "i1 %bit"
                                        : "i32 %half");
  const std::map<AbstractType, std::string> results = {{AbstractType::Nothing, "void"},
                                                       {AbstractType::I32, "i32"},
                                                       {AbstractType::I64, "i64"},
                                                       {AbstractType::Shared, "ptr addrspace(3)"}};
  const std::string& type = results.at(row.result);
  const std::string call = "call " + type + " @" + std::string(row.symbol) + "(" + arguments + ")";
  std::string text = R"(
define void @kernel(ptr addrspace(1) %memory, i64 %word) {
  %half = trunc i64 %word to i32
  %bit = trunc i64 %word to i1
)";
  if (row.result == AbstractType::Nothing) {
    text += "  " + call + "\n";
  } else {
    text += "  %result = " + call + "\n";
    if (row.result == AbstractType::Shared)
      text += "  store i32 %half, ptr addrspace(3) %result\n"; // keeps the memory
    else
      text += "  store " + type + " %result, ptr addrspace(1) %memory\n";
  }
  return text + "  ret void\n}\n";
}

} // namespace

TEST_CASE("each abstract function has its instruction") {
  const std::map<std::string, std::string> instructions = {
      {"thread_index", "%tid.x;"},
      {"block_size", "%ntid.x;"},
      {"block_index_x", "%ctaid.x;"},
      {"block_index_y", "%ctaid.y;"},
      {"block_index_z", "%ctaid.z;"},
      {"grid_size_x", "%nctaid.x;"},
      {"grid_size_y", "%nctaid.y;"},
      {"grid_size_z", "%nctaid.z;"},
      {"barrier", "bar.sync \t0;"},
      {"shared_memory", ".extern .shared .align 16 .b8 sinter_shared_memory[];"},
      {"shuffle", "shfl.sync.idx.b32"},
      {"shuffle_down", "shfl.sync.down.b32"},
      {"shuffle_up", "shfl.sync.up.b32"},
      {"shuffle_xor", "shfl.sync.bfly.b32"},
      {"ballot", "vote.sync.ballot.b32"},
      {"publish_i32", "st.release.gpu.global.u32 ["},
      {"publish_i64", "st.release.gpu.global.u64 ["},
      {"observe_i32", "ld.acquire.gpu.global.u32 "},
      {"observe_i64", "ld.acquire.gpu.global.u64 "},
      {"tell_i32", "st.relaxed.gpu.global.u32 ["},
      {"tell_i64", "st.relaxed.gpu.global.u64 ["},
      {"hear_i64", "ld.relaxed.gpu.global.u64 "},
      {"fence", "fence.acq_rel.gpu;"},
      {"poll", "ld.relaxed.sys.global.u32 "},
  };
  for (const AbstractFunctionRow& row : abstract_functions()) {
    const std::string name(row.symbol.substr(std::string_view("sinter_gpu_").size()));
    CAPTURE(name);
    REQUIRE(instructions.contains(name));
    const std::string ptx = ptx_of(kernel_with(row), 75);
    CHECK_MESSAGE(count_of(ptx, instructions.at(name)) == 1, ptx);
    CHECK(count_of(ptx, "sinter_gpu_") == 0);
  }
  CHECK(instructions.size() == abstract_functions().size());
}

TEST_CASE("shuffles take part with all lanes and give a thread its own value beyond the warp") {
  const auto clamp = [](const char* name) {
    for (const AbstractFunctionRow& row : abstract_functions())
      if (row.symbol == name) return ptx_of(kernel_with(row));
    return std::string();
  };
  // The last operands: lane, the lane beyond which nothing is read, and the mask of threads.
  CHECK(clamp("sinter_gpu_shuffle").find(", 31, -1;") != std::string::npos);
  CHECK(clamp("sinter_gpu_shuffle_down").find(", 31, -1;") != std::string::npos);
  CHECK(clamp("sinter_gpu_shuffle_xor").find(", 31, -1;") != std::string::npos);
  CHECK(clamp("sinter_gpu_shuffle_up").find(", 0, -1;") != std::string::npos);
}

TEST_CASE("entry points become kernels that know how many threads a block has") {
  const std::string ptx = ptx_of(R"(
define internal void @write(ptr addrspace(1) %memory) noinline {
  store i32 1, ptr addrspace(1) %memory
  ret void
}
define void @kernel(ptr addrspace(1) %memory) {
  call void @write(ptr addrspace(1) %memory)
  ret void
})");
  CHECK(ptx.find(".visible .entry kernel(") != std::string::npos);
  CHECK(ptx.find(".maxntid 256") != std::string::npos);
  CHECK(ptx.find(".minnctapersm 4") != std::string::npos); // of 64 registers each
  CHECK(count_of(ptx, ".func") == 0); // inlined, and gone
  CHECK(count_of(ptx, "write") == 0);
}

TEST_CASE("texts are for the highest architecture that the device runs") {
  const std::string text = "define void @kernel(i64 %word) {\n  ret void\n}\n";
  const std::pair<unsigned, unsigned> expected[] = {{75, 75}, {80, 80}, {86, 86},  {87, 86},
                                                    {89, 89}, {90, 90}, {100, 90}, {120, 90}};
  for (const auto& [capability, architecture] : expected) {
    const PtxText ptx = to_ptx(module_of(text), capability);
    CHECK(ptx.architecture == architecture);
    CHECK(ptx.text.find(".target sm_" + std::to_string(architecture) + "\n") != std::string::npos);
  }
  CHECK_THROWS_AS(to_ptx(module_of(text), 70), DeviceError);
}

TEST_CASE("what is no entry point is refused") {
  const auto refuses = [](const std::string& text, std::uint32_t words, std::uint32_t threads) {
    GpuModule module = module_of(text);
    module.entries = {{"kernel", words, threads}};
    CHECK_THROWS_AS(to_ptx(module, 80), DeviceError);
  };
  refuses("define void @kernel(i64 %word) {\n  ret void\n}\n", 2, 256);
  refuses("define void @kernel(i64 %word) {\n  ret void\n}\n", 1, 0);
  refuses("define void @kernel(i64 %word) {\n  ret void\n}\n", 1, 1025);
  refuses("define void @kernel(i32 %word) {\n  ret void\n}\n", 1, 256);
  refuses("define void @kernel(ptr %word) {\n  ret void\n}\n", 1, 256);
  refuses("define i64 @kernel(i64 %word) {\n  ret i64 0\n}\n", 1, 256);
  refuses("define void @other(i64 %word) {\n  ret void\n}\n", 1, 256);
}
