// Kernels of every shape: what their PTX has, what the assembler makes of it, how long it takes.
#include "gpu/kernels/gpu_module.h"
#include "gpu/ptx/assemble.h"
#include "gpu/ptx/lower.h"
#include "gpu/ptx/ptx_cache.h"
#include "module_text.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <iterator>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

using namespace sinter::gpu;

namespace {

constexpr unsigned assembled_for[] = {75, 80, 90};

struct Kernel {
  const char* name;
  unsigned most_registers;
};
constexpr Kernel kernels[] = {{"map", 32},       {"reduce", 32}, {"scan", 40},   {"histogram", 32},
                              {"transpose", 48}, {"nbody", 40},  {"matmul", 128}};

std::string contents_of(const std::string& name) {
  std::ifstream file("tests/unit/gpu_ptx/kernels/" + name + ".ll");
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string kernel_ptx(const std::string& name) {
  return ptx_of(contents_of(name));
}

double processor_milliseconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

double median(std::vector<double> numbers) {
  std::nth_element(numbers.begin(), numbers.begin() + numbers.size() / 2, numbers.end());
  return numbers[numbers.size() / 2];
}

std::string printed(const GpuModule& module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.module->print(stream, nullptr);
  return text;
}

} // namespace

TEST_CASE("streams are read and written 16 bytes at once") {
  const std::string ptx = kernel_ptx("map");
  CHECK(count_of(ptx, "ld.global.nc.v4.f32") == 1);
  CHECK(count_of(ptx, "ld.global.v4.f32") == 1);
  CHECK(count_of(ptx, "st.global.v4.f32") == 1);
  CHECK(count_of(ptx, "fma") == 0);
}

TEST_CASE("addresses from words are addresses of the device's memory") {
  for (const char* name : {"transpose", "matmul"}) {
    CAPTURE(std::string(name));
    const std::string ptx = kernel_ptx(name);
    for (const char* generic : {"\tld.f32", "\tst.f32", "\tld.v4", "\tst.v4"})
      CHECK(count_of(ptx, generic) == 0);
  }
}

TEST_CASE("addresses from the device's memory are such addresses where the module says so") {
  const std::string text = R"(
define void @kernel(ptr addrspace(1) %table, i64 %index) {
  %slots = alloca [4 x ptr]
  %array = alloca i32
  store i32 5, ptr %array
  %own = getelementptr ptr, ptr %slots, i64 %index
  store ptr %array, ptr %own
  %first = load ptr, ptr %slots
  %v = load i32, ptr %first
  %address = load ptr, ptr addrspace(1) %table
  %next = load ptr, ptr %address
  store i32 %v, ptr %next
  ret void
}
!llvm.module.flags = !{!0}
!0 = !{i32 2, !"sinter_global_addresses", i32 1}
)";
  const std::string ptx = ptx_of(text);
  CHECK_MESSAGE(count_of(ptx, "st.global.u32") == 1, ptx);
  CHECK(count_of(ptx, "ld.global.u64") == 2);
  CHECK(count_of(ptx, "\tld.u32") == 1); // of an address that lay on the stack
  // Without the promise they are looked up at each access.
  const std::string unpromised = ptx_of(text.substr(0, text.find("!llvm.module.flags")));
  CHECK(count_of(unpromised, "st.global.u32") == 0);
  CHECK(count_of(unpromised, "ld.global.u64") == 1);
}

TEST_CASE("a module says what its addresses are") {
  GpuModule module = module_of(contents_of("map"));
  CHECK(!promises_global_addresses(*module.module));
  promise_global_addresses(*module.module);
  promise_global_addresses(*module.module);
  CHECK(promises_global_addresses(*module.module));
  CHECK(promises_global_addresses(*module_of(contents_of("matmul")).module));
}

TEST_CASE("a thread's arrays are registers once the loops over them are unrolled") {
  const std::string ptx = kernel_ptx("matmul");
  CHECK(count_of(ptx, ".local") == 0);
  CHECK(count_of(ptx, "fma.rn.f32") == 16);
  CHECK(count_of(ptx, "ld.shared.v4.f32") == 2);
  // Loops that index no such array stay.
  CHECK(count_of(kernel_ptx("transpose"), "st.shared.f32") == 1);
}

TEST_CASE("loops over arrays that stay in memory all the same are not unrolled") {
  for (const bool is_found_late : {false, true}) {
    const std::string place = is_found_late ? "%word" : "5";
    const std::string ptx = ptx_of(R"(
define void @kernel(ptr addrspace(1) %results, i64 %word) {
entry:
  %array = alloca [8 x float]
  br label %fill
fill:
  %i = phi i64 [ 0, %entry ], [ %next, %fill ]
  %place = getelementptr float, ptr %array, i64 %i
  %number = uitofp i64 %i to float
  %root = call float @llvm.sqrt.f32(float %number)
  store float %root, ptr %place
  %next = add i64 %i, 1
  %goes_on = icmp slt i64 %next, 8
  br i1 %goes_on, label %fill, label %done
done:
  %late = getelementptr float, ptr %array, i64 )" +
                                   place + R"(
  %element = load float, ptr %late
  store float %element, ptr addrspace(1) %results
  ret void
}
declare float @llvm.sqrt.f32(float)
)");
    CAPTURE(ptx);
    CHECK(count_of(ptx, "st.local") == (is_found_late ? 1 : 0));
    CHECK(count_of(ptx, "bra") == (is_found_late ? 1 : 0));
  }
}

TEST_CASE("a loop over elements that lie apart adds up their distance") {
  const std::string ptx = ptx_of(R"(
define void @kernel(i64 %count, i64 %stride, i64 %from, i64 %to) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %more, %body ]
  %goes_on = icmp slt i64 %i, %count
  br i1 %goes_on, label %body, label %done
body:
  %offset = mul i64 %i, %stride
  %bytes = shl i64 %offset, 2
  %address = add i64 %from, %bytes
  %place = inttoptr i64 %address to ptr addrspace(1)
  %element = load float, ptr addrspace(1) %place
  %more = fadd float %sum, %element
  %next = add i64 %i, 1
  br label %head
done:
  %target = inttoptr i64 %to to ptr addrspace(1)
  store float %sum, ptr addrspace(1) %target
  ret void
}
)");
  CAPTURE(ptx);
  CHECK(count_of(ptx, "mul.lo.s64") + count_of(ptx, "mad.lo.s64") == 0);
  CHECK(count_of(ptx, "ld.global.f32") == 1);
}

TEST_CASE("to make PTX leaves the module as it is, and gives the same each time") {
  for (const Kernel& kernel : kernels) {
    const GpuModule module = module_of(contents_of(kernel.name));
    const std::string before = printed(module);
    const std::string ptx = to_ptx(module, 80).text;
    CHECK(printed(module) == before);
    CHECK(to_ptx(module, 80).text == ptx);
  }
}

TEST_CASE("the assembler takes kernels of every shape, without spills or stack frames") {
  if (!has_assembler()) {
    MESSAGE("skipped: there is no assembler");
    return;
  }
  for (const Kernel& kernel : kernels)
    for (const unsigned capability : assembled_for) {
      CAPTURE(std::string(kernel.name));
      CAPTURE(capability);
      const GpuModule module = module_of(contents_of(kernel.name));
      const auto entries = assemble(to_ptx(module, capability), capability);
      REQUIRE(entries);
      REQUIRE(entries->size() == 1);
      const AssembledEntry& entry = entries->front();
      CHECK(entry.name == kernel.name);
      CHECK(entry.facts.local_bytes == 0);
      CHECK(entry.spill_store_bytes + entry.spill_load_bytes == 0);
      CHECK(entry.facts.registers > 0);
      CHECK(entry.facts.registers <= kernel.most_registers);
      MESSAGE(std::string(kernel.name)
              << " sm_" << capability << ": " << entry.facts.registers << " registers");
    }
}

TEST_CASE("PTX of a kernel takes at most ten milliseconds of the processor in the median") {
  to_ptx(module_of(contents_of("map")), 80); // the first initialises much
  std::vector<double> times;
  for (const Kernel& kernel : kernels) {
    const GpuModule module = module_of(contents_of(kernel.name));
    std::vector<double> of_kernel;
    for (int i = 0; i < 5; ++i) {
      const double before = processor_milliseconds();
      to_ptx(module, 80);
      of_kernel.push_back(processor_milliseconds() - before);
    }
    times.push_back(median(of_kernel));
    MESSAGE(std::string(kernel.name) << ": " << times.back() << " ms");
  }
  CHECK(median(times) <= 10);
}

// ---- the assembler -----------------------------------------------------------------------------

TEST_CASE("what the assembler says is read entry by entry") {
  const auto entries = parse_assembler_report(
      "ptxas info    : 0 bytes gmem\n"
      "ptxas info    : Compiling entry function 'one' for 'sm_80'\n"
      "ptxas info    : Function properties for one\n"
      "    288 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads\n"
      "ptxas info    : Used 40 registers, used 1 barriers, 288 bytes cumulative stack size, 4096 "
      "bytes smem, 360 bytes cmem[0], 8 bytes cmem[2]\n"
      "ptxas info    : Compile time = 1.234 ms\n"
      "ptxas info    : Compiling entry function 'two' for 'sm_80'\n"
      "ptxas info    : Function properties for two\n"
      "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
      "ptxas info    : Used 8 registers, used 0 barriers\n");
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].name == "one");
  CHECK(entries[0].facts.registers == 40);
  CHECK(entries[0].facts.local_bytes == 288);
  CHECK(entries[0].facts.shared_bytes == 4096);
  CHECK(entries[0].facts.constant_bytes == 368);
  CHECK(entries[0].spill_store_bytes == 12);
  CHECK(entries[0].spill_load_bytes == 16);
  CHECK(entries[1].name == "two");
  CHECK(entries[1].facts.registers == 8);
  CHECK(entries[1].facts.local_bytes == 0);
}

TEST_CASE("a text that the assembler refuses is refused with its words") {
  if (!has_assembler()) {
    MESSAGE("skipped: there is no assembler");
    return;
  }
  try {
    assemble({".version 7.0\n.target sm_80\n.address_size 64\nnonsense\n", 80}, 80);
    FAIL("it was taken");
  } catch (const DeviceError& error) {
    CHECK(error.kind == DeviceError::Kind::NoCode);
    CHECK(std::string(error.what()).find("syntax error") != std::string::npos);
  }
}

TEST_CASE("an array that no unrolling makes into registers shows as stack frame") {
  if (!has_assembler()) return;
  const GpuModule module = module_of(R"(
define void @kernel(ptr addrspace(1) %memory, i64 %i) {
  %slots = alloca [16 x i64]
  call void @llvm.memset.p0.i64(ptr %slots, i8 0, i64 128, i1 false)
  %at = getelementptr i64, ptr %slots, i64 %i
  store i64 %i, ptr %at
  %word = load i64, ptr addrspace(1) %memory
  %other = getelementptr i64, ptr %slots, i64 %word
  %v = load i64, ptr %other
  store i64 %v, ptr addrspace(1) %memory
  ret void
}
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
)");
  const auto entries = assemble(to_ptx(module, 80), 80);
  CHECK(entries->front().facts.local_bytes == 128);
  CHECK(entries->front().spill_store_bytes == 0);
}

// ---- on disk -----------------------------------------------------------------------------------

TEST_CASE("a text is found again by what it was made from, without code generation") {
  const sinter::tests::TemporaryFolder folder;
  const GpuModule module = module_of(contents_of("matmul"));
  const std::string made = to_ptx(module, 80).text;
  {
    const PtxCache cache(folder.path(), 1 << 20);
    CHECK(!cache.find(module, 80));
    CHECK(cache.to_ptx(module, 80).text == made);
  }
  const PtxCache cache(folder.path(), 1 << 20);
  std::vector<double> times;
  for (int i = 0; i < 9; ++i) {
    const double before = processor_milliseconds();
    const auto found = cache.find(module, 80);
    times.push_back(processor_milliseconds() - before);
    REQUIRE(found);
    CHECK(found->text == made);
    CHECK(found->architecture == 80);
  }
  MESSAGE("found in " << median(times) << " ms");
  CHECK(median(times) < 1);
  CHECK(cache.find(module, 85)); // runs the same text
  CHECK(!cache.find(module, 75));
  CHECK(!cache.find(module_of(contents_of("matmul"), 128), 80)); // blocks of another size
  CHECK(!cache.find(module_of(contents_of("map")), 80));
  GpuModule promised = module_of(contents_of("map"));
  cache.to_ptx(promised, 80);
  CHECK(cache.find(promised, 80));
  promise_global_addresses(*promised.module);
  CHECK(!cache.find(promised, 80));
}
