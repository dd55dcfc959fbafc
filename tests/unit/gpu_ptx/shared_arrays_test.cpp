// Threads' own arrays in the memory of their block (gpu/ptx/shared_arrays.h).
#include "gpu/ptx/shared_arrays.h"

#include "gpu/emulator/emulator.h"
#include "gpu/kernels/abstract_functions.h"
#include "gpu/kernels/calls.h"
#include "gpu/ptx/lower.h"
#include "module_text.h"

#include <doctest/doctest.h>

#include <cstring>
#include <span>
#include <vector>

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>

using namespace sinter::gpu;

namespace {

constexpr unsigned threads = 64;

/// A thread writes `count` numbers to an array, each after what stands two places before it, and
/// leaves them the other way round; beside it bytes, written at one place and read at another.
constexpr const char* rows_text = R"(
define void @kernel(i64 %count, ptr addrspace(1) %results) {
entry:
  %walk = alloca i8, i64 132, align 16
  %flags = alloca [40 x i8]
  %thread = call i32 @sinter_gpu_thread_index()
  %number = zext i32 %thread to i64
  %word = mul i32 %thread, 77
  store i32 %word, ptr %walk
  %second = getelementptr i8, ptr %walk, i64 4
  store i32 5, ptr %second
  br label %write
write:
  %i = phi i64 [ 2, %entry ], [ %next, %write ]
  %place = getelementptr i32, ptr %walk, i64 %i
  %two_before = getelementptr i32, ptr %place, i64 -2
  %before = load i32, ptr %two_before
  %scaled = mul i32 %before, 3
  %value = xor i32 %scaled, %thread
  store i32 %value, ptr %place
  %flag_place = getelementptr [40 x i8], ptr %flags, i64 0, i64 %i
  %flag = trunc i32 %value to i8
  store i8 %flag, ptr %flag_place
  %next = add i64 %i, 1
  %goes_on = icmp slt i64 %next, %count
  br i1 %goes_on, label %write, label %read
read:
  %j = phi i64 [ 2, %write ], [ %after, %read ]
  %mirrored = sub i64 %count, %j
  %from = add i64 %mirrored, 1
  %element_place = getelementptr i32, ptr %walk, i64 %from
  %element = load i32, ptr %element_place
  %byte_place = getelementptr [40 x i8], ptr %flags, i64 0, i64 %j
  %byte = load i8, ptr %byte_place
  %wide = zext i8 %byte to i32
  %sum = add i32 %element, %wide
  %row = mul i64 %number, %count
  %index = add i64 %row, %j
  %target = getelementptr i32, ptr addrspace(1) %results, i64 %index
  store i32 %sum, ptr addrspace(1) %target
  %after = add i64 %j, 1
  %again = icmp slt i64 %after, %count
  br i1 %again, label %read, label %done
done:
  ret void
}
)";

llvm::Value* abstract_thread(llvm::IRBuilderBase& ir) {
  return call_abstract(ir, *ir.GetInsertBlock()->getModule(), AbstractFunction::thread_index, {});
}

std::uint64_t share(GpuModule& module, std::uint64_t most_bytes = 48 << 10) {
  const std::uint64_t bytes =
      share_own_arrays(*module.module->getFunction("kernel"), threads, most_bytes, abstract_thread);
  CHECK(!llvm::verifyModule(*module.module));
  return bytes;
}

std::size_t arrays_left(const GpuModule& module) {
  return static_cast<std::size_t>(llvm::count_if(
      llvm::instructions(*module.module->getFunction("kernel")),
      [](const llvm::Instruction& one) { return llvm::isa<llvm::AllocaInst>(one); }));
}

/// Takes what a launch asks for instead of the module's variable, as an emulator has no other.
void take_launch_memory(GpuModule& module) {
  llvm::GlobalVariable* const memory = module.module->getGlobalVariable("sinter_own_arrays", true);
  REQUIRE(memory);
  llvm::Function& kernel = *module.module->getFunction("kernel");
  llvm::IRBuilder<> ir(&*kernel.getEntryBlock().getFirstInsertionPt());
  memory->replaceAllUsesWith(
      call_abstract(ir, *module.module, AbstractFunction::shared_memory, {}));
  memory->eraseFromParent();
}

std::vector<std::int32_t> results_of(GpuModule module, std::int64_t count, std::uint64_t shared) {
  const std::unique_ptr<EmulatedDevice> device = make_emulated_device({.seed = 7});
  std::vector<std::int32_t> results(static_cast<std::size_t>(threads * count), -1);
  const DeviceAddress address = device->allocate(results.size() * sizeof(std::int32_t));
  device->copy_in(address, std::as_bytes(std::span(results)));
  const auto code = device->load(std::move(module));
  const std::vector<std::uint64_t> words = {static_cast<std::uint64_t>(count), address};
  device->launch(code, "kernel", {{1, 1, 1}, threads, static_cast<std::uint32_t>(shared)}, words);
  device->finish();
  device->copy_out(std::as_writable_bytes(std::span(results)), address);
  device->release(address);
  return results;
}

/// A kernel with an array of 16 numbers, of which the code does something.
std::uint64_t shared_of(const std::string& code) {
  GpuModule module = module_of("define void @kernel(i64 %i, ptr addrspace(1) %p) {\n"
                               "  %a = alloca i8, i64 64, align 16\n" +
                                   code + "\n  ret void\n}\n",
                               threads);
  const std::uint64_t bytes = share(module);
  CHECK(arrays_left(module) == (bytes == 0 ? 1 : 0));
  return bytes;
}

} // namespace

TEST_CASE("arrays that lie between those of other threads hold what they held") {
  for (const std::int64_t count : {3, 8, 33}) {
    const std::vector<std::int32_t> expected = results_of(module_of(rows_text, threads), count, 0);
    GpuModule module = module_of(rows_text, threads);
    const std::uint64_t bytes = share(module);
    CHECK(bytes == threads * (132 + 40));
    CHECK(arrays_left(module) == 0);
    take_launch_memory(module);
    CHECK(results_of(std::move(module), count, bytes) == expected);
  }
}

TEST_CASE("arrays that have no room stay where they are") {
  GpuModule module = module_of(rows_text, threads);
  CHECK(share(module, threads * 171) == threads * 132);
  CHECK(arrays_left(module) == 1);
  CHECK(share(module, threads * 39) == 0);
}

TEST_CASE("only whole scalars of one size are moved") {
  constexpr std::uint64_t all = threads * 64;
  CHECK(shared_of("%p1 = getelementptr float, ptr %a, i64 %i\nstore float 1.0, ptr %p1") == all);
  CHECK(shared_of("%p1 = getelementptr float, ptr %a, i64 %i\n"
                  "%p2 = getelementptr i8, ptr %p1, i64 8\nstore i32 1, ptr %p2\n"
                  "%v = load float, ptr %a") == all);
  CHECK(shared_of("store float 1.0, ptr %a\nstore double 1.0, ptr %a") == 0);
  CHECK(shared_of("%p1 = getelementptr i8, ptr %a, i64 %i\nstore float 1.0, ptr %p1") == 0);
  CHECK(shared_of("%p1 = getelementptr i8, ptr %a, i64 6\nstore float 1.0, ptr %p1") == 0);
  CHECK(shared_of("store <4 x float> zeroinitializer, ptr %a") == 0);
  CHECK(shared_of("%v = load volatile float, ptr %a") == 0);
  CHECK(shared_of("store ptr %a, ptr addrspace(1) %p") == 0);
  CHECK(shared_of("%n = ptrtoint ptr %a to i64\nstore i64 %n, ptr addrspace(1) %p") == 0);
  CHECK(shared_of("") == 0);
}

TEST_CASE("entry points that have room for arrays have no stack frame") {
  for (const bool has_room : {false, true}) {
    GpuModule module = module_of(rows_text, threads);
    if (has_room) module.entries[0].shared_bytes_of_arrays = 32 << 10;
    const std::string ptx = to_ptx(module, 80).text;
    CHECK(count_of(ptx, "__local_depot0[") == (has_room ? 0 : 1));
    CHECK(count_of(ptx, ".shared .align 16 .b8 sinter_own_arrays[11008]") == (has_room ? 1 : 0));
    CHECK(count_of(ptx, "st.shared") == (has_room ? 4 : 0));
  }
}
