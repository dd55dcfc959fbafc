// A planted defect for each check: it fires and says where; the same kernel without the defect
// passes.
#include "tests/unit/gpu_emulator/kernels.h"

#include <doctest/doctest.h>

#include <cerrno>

#include <fcntl.h>
#include <unistd.h>

using namespace sinter;
using namespace sinter::gpu;
using namespace sinter::test;

namespace {

std::vector<std::int32_t> zeros(std::size_t n) {
  return std::vector<std::int32_t>(n);
}

/// Each thread loads from %from, and stores that to %to, at offsets that the host gives.
constexpr std::string_view copy = R"(
define void @copy(ptr addrspace(1) %from, ptr addrspace(1) %to) {
  %t = call i32 @sinter_gpu_thread_index()
  %pf = getelementptr i32, ptr addrspace(1) %from, i32 %t
  %x = load i32, ptr addrspace(1) %pf
  %pt = getelementptr i32, ptr addrspace(1) %to, i32 %t
  store i32 %x, ptr addrspace(1) %pt
  ret void
}
)";

} // namespace

TEST_CASE("accesses outside of an allocation are out of bounds") {
  Emulation emulation(copy);
  const DeviceAddress from = emulation.array(zeros(10)), to = emulation.array(zeros(10));
  CHECK(emulation.violation("copy", grid(1, 10), {from, to}) == "");
  const std::string behind = emulation.violation("copy", grid(1, 11), {from, to});
  CHECK(behind == "`copy`: out of bounds: thread 10 of block (0, 0, 0) reads 4 bytes at 0 bytes "
                  "behind an allocation of 40 bytes (number 1), in copy: "
                  "`%x = load i32, ptr addrspace(1) %pf, align 4`");
  const std::string before = emulation.violation("copy", grid(1, 1), {from, to - 4});
  CHECK(has(before, "out of bounds: thread 0 of block (0, 0, 0) writes 4 bytes"));
  CHECK(has(before, "`store i32 %x, ptr addrspace(1) %pt, align 4`"));
  CHECK(has(emulation.violation("copy", grid(1, 1), {from, 0}), "4 bytes at null"));
  // Partly inside.
  const DeviceAddress odd = emulation.device->allocate(6);
  CHECK(has(emulation.violation("copy", grid(1, 2), {from, odd}), "byte 4 of an allocation of 6"));
  // Host memory is no device's.
  std::int32_t word = 0;
  CHECK(has(emulation.violation("copy", grid(1, 1), {from, reinterpret_cast<std::uint64_t>(&word)}),
            "an address outside of the memory"));
  // After a violation the device goes on.
  CHECK(emulation.violation("copy", grid(1, 10), {from, to}) == "");
}

TEST_CASE("shared memory, a thread's own arrays and constant ones have bounds") {
  Emulation emulation(R"(
@table = internal constant [4 x i32] [i32 1, i32 2, i32 3, i32 4]
define void @shared(i64 %i) {
  %shared = call ptr addrspace(3) @sinter_gpu_shared_memory()
  %p = getelementptr i32, ptr addrspace(3) %shared, i64 %i
  store i32 1, ptr addrspace(3) %p
  ret void
}
define void @own(i64 %i) {
  %array = alloca [4 x i32]
  %p = getelementptr i32, ptr %array, i64 %i
  store i32 1, ptr %p
  ret void
}
define internal void @store(ptr %p) {
  store i32 1, ptr %p
  ret void
}
define void @own_by_call(i64 %i) {
  %array = alloca [4 x i32]
  %p = getelementptr i32, ptr %array, i64 %i
  call void @store(ptr %p)
  ret void
}
define void @constant(i64 %i, ptr addrspace(1) %out) {
  %p = getelementptr i32, ptr @table, i64 %i
  %x = load i32, ptr %p
  store i32 %x, ptr addrspace(1) %out
  ret void
}
define internal i32 @load(ptr %p) {
  %x = load i32, ptr %p
  ret i32 %x
}
define void @constant_by_call(i64 %i, ptr addrspace(1) %out) {
  %p = getelementptr i32, ptr @table, i64 %i
  %x = call i32 @load(ptr %p)
  store i32 %x, ptr addrspace(1) %out
  ret void
}
)");
  CHECK(emulation.violation("shared", grid(2, 1, 16), {3}) == "");
  CHECK(has(emulation.violation("shared", grid(1, 1, 16), {4}),
            "writes 4 bytes at 0 bytes behind the block's 16 bytes of shared memory"));
  CHECK(emulation.violation("own", grid(1, 1), {3}) == "");
  CHECK(has(emulation.violation("own", grid(1, 1), {4}), "out of bounds"));
  CHECK(emulation.violation("own_by_call", grid(1, 1), {3}) == "");
  CHECK(has(emulation.violation("own_by_call", grid(1, 1), {1 << 20}), "in store: "));
  const DeviceAddress out = emulation.device->allocate(4);
  for (const char* entry : {"constant", "constant_by_call"}) {
    CHECK(emulation.violation(entry, grid(1, 1), {3, out}) == "");
    CHECK(emulation.elements<std::int32_t>(out, 1)[0] == 4);
    CHECK(has(emulation.violation(entry, grid(1, 1), {4, out}), "out of bounds"));
  }
  CHECK(emulation.code->facts("own").local_bytes == 16);
  CHECK(emulation.code->facts("own_by_call").local_bytes == 16);
  CHECK(emulation.code->facts("shared").local_bytes == 0);
  CHECK(emulation.code->facts("constant").constant_bytes == 16);
}

TEST_CASE("vectors and words have to be aligned as their instructions promise") {
  Emulation emulation(R"(
define void @vector(ptr addrspace(1) %p, i64 %offset) {
  %q = getelementptr i8, ptr addrspace(1) %p, i64 %offset
  %v = load <4 x float>, ptr addrspace(1) %q
  store <4 x float> %v, ptr addrspace(1) %p
  ret void
}
define void @scalars(ptr addrspace(1) %p, i64 %offset) {
  %q = getelementptr i8, ptr addrspace(1) %p, i64 %offset
  %v = load <4 x float>, ptr addrspace(1) %q, align 4
  store <4 x float> %v, ptr addrspace(1) %p
  ret void
}
)");
  const DeviceAddress p = emulation.array(zeros(8));
  CHECK(emulation.violation("vector", grid(1, 1), {p, 16}) == "");
  CHECK(has(emulation.violation("vector", grid(1, 1), {p, 4}),
            "misaligned: thread 0 of block (0, 0, 0) reads 16 bytes at byte 4 of"));
  CHECK(emulation.violation("scalars", grid(1, 1), {p, 4}) == "");
  CHECK(has(emulation.violation("scalars", grid(1, 1), {p, 2}), "misaligned"));
}

TEST_CASE("memory that was released may not be used, by kernels or by copies") {
  Emulation emulation(copy);
  const DeviceAddress from = emulation.array(zeros(10)), to = emulation.array(zeros(10));
  emulation.device->release(from);
  CHECK(has(emulation.violation("copy", grid(1, 1), {from, to}),
            "use after release: thread 0 of block (0, 0, 0) reads 4 bytes at byte 0 of a released "
            "allocation of 40 bytes (number 1)"));
  CHECK(emulation.array(zeros(10)) != from); // it waits before it is used again
  CHECK(has(error_of([&] { emulation.elements<std::int32_t>(from, 1); }),
            "copy_out: use after release"));
  CHECK(has(error_of([&] { emulation.device->release(from); }), "released twice"));
  CHECK(has(error_of([&] { emulation.device->release(to + 4); }), "no allocation begins"));
}

TEST_CASE("copies and fills stay within an allocation") {
  Emulation emulation(copy);
  Device& device = *emulation.device;
  const DeviceAddress a = emulation.array(zeros(10)), b = emulation.array(zeros(10));
  const std::vector<std::int32_t> eleven(11);
  CHECK(has(error_of([&] { device.copy_in(a, std::as_bytes(std::span(eleven))); }),
            "copy_in: out of bounds: 44 bytes at byte 0 of an allocation of 40 bytes"));
  CHECK(has(error_of([&] { emulation.elements<std::int32_t>(a + 4, 10); }),
            "copy_out: out of bounds"));
  CHECK(has(error_of([&] { device.fill(a, 0, 4, 11); }), "fill: out of bounds"));
  CHECK(has(error_of([&] { device.fill(a + 2, 0, 4, 1); }), "fill: misaligned"));
  CHECK(has(error_of([&] { device.copy_within(a, b, 44); }), "copy_within: out of bounds"));
  CHECK(has(error_of([&] { device.copy_within(a + 4, a, 8); }), "overlap"));
  device.fill(a, 0x01020304, 4, 10);
  device.copy_within(b, a, 40);
  CHECK(emulation.elements<std::int32_t>(b, 10) == std::vector<std::int32_t>(10, 0x01020304));
}

TEST_CASE("what was never written may not be read") {
  Emulation emulation(R"(
define void @copy(ptr addrspace(1) %from, ptr addrspace(1) %to) {
  %x = load i32, ptr addrspace(1) %from
  store i32 %x, ptr addrspace(1) %to
  ret void
}
define void @add(ptr addrspace(1) %to) {
  %old = atomicrmw add ptr addrspace(1) %to, i32 1 monotonic
  ret void
}
define void @shared(i64 %writes) {
  %shared = call ptr addrspace(3) @sinter_gpu_shared_memory()
  %does = icmp ne i64 %writes, 0
  br i1 %does, label %write, label %read
write:
  store i32 1, ptr addrspace(3) %shared
  br label %read
read:
  %x = load i32, ptr addrspace(3) %shared
  ret void
}
)");
  Device& device = *emulation.device;
  const DeviceAddress from = device.allocate(8), to = device.allocate(8);
  CHECK(has(emulation.violation("copy", grid(1, 1), {from, to}),
            "uninitialised: thread 0 of block (0, 0, 0) reads 4 bytes at byte 0 of"));
  CHECK(has(emulation.violation("add", grid(1, 1), {to}), "uninitialised"));
  device.fill(from, 7, 1, 3);
  CHECK(has(emulation.violation("copy", grid(1, 1), {from, to}), "uninitialised"));
  device.fill(from, 7, 1, 4);
  CHECK(emulation.violation("copy", grid(1, 1), {from, to}) == "");
  CHECK(emulation.violation("add", grid(1, 1), {to}) == "");
  CHECK(emulation.elements<std::int32_t>(to, 1)[0] == 0x07070708);
  CHECK(has(error_of([&] { emulation.elements<std::int32_t>(to, 2); }),
            "copy_out: uninitialised: byte 4 of 8"));
  CHECK(emulation.violation("shared", grid(2, 1, 4), {1}) == "");
  CHECK(has(emulation.violation("shared", grid(1, 1, 4), {0}), // each block begins with nothing
            "uninitialised: thread 0 of block (0, 0, 0) reads 4 bytes at byte 0 of the block's "
            "shared memory"));
}

TEST_CASE("threads that touch the same bytes without a barrier between are a race") {
  constexpr std::string_view text = R"(
define void @turn(ptr addrspace(1) %out, i64 %shift) {
  %t = call i32 @sinter_gpu_thread_index()
  %size = call i32 @sinter_gpu_block_size()
  %shared = call ptr addrspace(3) @sinter_gpu_shared_memory()
  %p = getelementptr i32, ptr addrspace(3) %shared, i32 %t
  store i32 %t, ptr addrspace(3) %p
  call void @sinter_gpu_barrier()
  %shift32 = trunc i64 %shift to i32
  %moved = add i32 %t, %shift32
  %u = urem i32 %moved, %size
  %q = getelementptr i32, ptr addrspace(3) %shared, i32 %u
  %x = load i32, ptr addrspace(3) %q
  call void @sinter_gpu_barrier()
  store i32 %x, ptr addrspace(3) %p
  %y = load i32, ptr addrspace(3) %p
  %o = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %y, ptr addrspace(1) %o
  ret void
}
)";
  auto without_barrier = [&](int number) {
    constexpr std::string_view barrier = "  call void @sinter_gpu_barrier()\n";
    std::string result(text);
    std::size_t place = result.find(barrier);
    if (number == 1) place = result.find(barrier, place + 1);
    return result.erase(place, barrier.size());
  };
  for (std::uint64_t seed : {0, 1, 2, 3}) {
    EmulationOptions options{.seed = seed};
    auto run = [&](std::string_view code, std::uint64_t shift, std::uint32_t blocks = 1) {
      Emulation emulation(code, options);
      return emulation.violation("turn", grid(blocks, 64, 256),
                                 {emulation.device->allocate(256), shift});
    };
    CHECK(run(text, 1) == "");
    // Two blocks write the same results.
    CHECK(has(run(text, 1, 2), "race: "));
    const std::string words = run(without_barrier(1), 1);
    CHECK(has(words, "race: "));
    CHECK(has(words, " of the block's shared memory, which thread "));
    CHECK(has(words, " without a barrier between"));
    if (seed == 0)
      CHECK(words == "`turn`: race: thread 1 of block (0, 0, 0) writes 4 bytes at byte 4 of the "
                     "block's shared memory, which thread 0 of block (0, 0, 0) read without a "
                     "barrier between, in turn: `store i32 %x, ptr addrspace(3) %p, align 4`");
    CHECK(run(without_barrier(1), 0) == "");
    CHECK(run(without_barrier(0), 0) == "");
    options.checks.definition = false; // (which would see it as well)
    const std::string unwritten = run(without_barrier(0), 1);
    CHECK(has(unwritten, "race: "));
  }
}

TEST_CASE("neighbouring bytes are no race, shared ones are; atomic accesses are none among them") {
  Emulation emulation(R"(
define void @bytes(ptr addrspace(1) %p, i64 %mask) {
  %t = call i32 @sinter_gpu_thread_index()
  %m = trunc i64 %mask to i32
  %i = and i32 %t, %m
  %q = getelementptr i8, ptr addrspace(1) %p, i32 %i
  store i8 1, ptr addrspace(1) %q
  ret void
}
define void @word_and_bytes(ptr addrspace(1) %p, i64 %first) {
  %t = call i32 @sinter_gpu_thread_index()
  %is_first = icmp eq i32 %t, 0
  br i1 %is_first, label %word, label %byte
word:
  store i32 1, ptr addrspace(1) %p
  ret void
byte:
  %f = trunc i64 %first to i32
  %i = add i32 %t, %f
  %q = getelementptr i8, ptr addrspace(1) %p, i32 %i
  store i8 1, ptr addrspace(1) %q
  ret void
}
define void @count(ptr addrspace(1) %p) {
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  ret void
}
define void @count_and_read(ptr addrspace(1) %p) {
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  %x = load i32, ptr addrspace(1) %p
  ret void
}
define void @count_and_look(ptr addrspace(1) %p) {
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  %x = load atomic i32, ptr addrspace(1) %p monotonic, align 4
  ret void
}
define void @last_write_stays(ptr addrspace(1) %p) {
  %t = call i32 @sinter_gpu_thread_index()
  store atomic i32 %t, ptr addrspace(1) %p monotonic, align 4
  ret void
}
)");
  for (int launch = 0; launch < 3; ++launch) { // what earlier launches did does not count
    const DeviceAddress p = emulation.array(zeros(64));
    CHECK(emulation.violation("bytes", grid(1, 64), {p, 63}) == "");
    CHECK(emulation.violation("word_and_bytes", grid(1, 4), {p, 3}) == "");
    CHECK(has(emulation.violation("word_and_bytes", grid(1, 4), {p, 0}), "race: "));
    CHECK(has(emulation.violation("bytes", grid(1, 64), {p, 31}),
              "race: thread 32 of block (0, 0, 0) writes 1 bytes at byte 0 of an allocation"));
    CHECK(has(emulation.violation("bytes", grid(2, 32), {p, 31}), "which thread 0 of block (0, 0"));
    CHECK(emulation.violation("count", grid(3, 64), {p}) == "");
    CHECK(has(emulation.violation("count_and_read", grid(1, 2), {p}), "race: "));
    CHECK(has(emulation.violation("count_and_read", grid(2, 1), {p}), "race: "));
    CHECK(emulation.violation("count_and_look", grid(2, 64), {p}) == "");
    CHECK(emulation.violation("last_write_stays", grid(2, 64), {p}) == "");
  }
}

TEST_CASE("all threads of a block come to the same barrier, and all of a warp to an exchange") {
  Emulation emulation(R"(
define void @two_barriers(i64 %limit) {
  %t = call i32 @sinter_gpu_thread_index()
  %l = trunc i64 %limit to i32
  %is_low = icmp ult i32 %t, %l
  br i1 %is_low, label %low, label %high
low:
  call void @sinter_gpu_barrier()
  ret void
high:
  call void @sinter_gpu_barrier()
  ret void
}
define void @returns(i64 %limit) {
  %t = call i32 @sinter_gpu_thread_index()
  %l = trunc i64 %limit to i32
  %is_low = icmp ult i32 %t, %l
  br i1 %is_low, label %low, label %high
low:
  call void @sinter_gpu_barrier()
  ret void
high:
  ret void
}
define void @half_warp(i64 %limit) {
  %t = call i32 @sinter_gpu_thread_index()
  %l = trunc i64 %limit to i32
  %is_low = icmp ult i32 %t, %l
  br i1 %is_low, label %low, label %high
low:
  %a = call i32 @sinter_gpu_shuffle_xor(i32 %t, i32 1)
  ret void
high:
  %b = call i32 @sinter_gpu_ballot(i1 true)
  ret void
}
define void @half_of_several(i64 %limit) {
  %t = call i32 @sinter_gpu_thread_index()
  %l = trunc i64 %limit to i32
  %is_low = icmp ult i32 %t, %l
  br i1 %is_low, label %low, label %high
low:
  %a = call i32 @sinter_gpu_shuffle_xor(i32 %t, i32 1)
  %b = call i32 @sinter_gpu_shuffle_xor(i32 %l, i32 1)
  ret void
high:
  %c = call i32 @sinter_gpu_shuffle_xor(i32 %t, i32 1)
  %d = call i32 @sinter_gpu_shuffle_xor(i32 %l, i32 1)
  ret void
}
define void @several_far(i64 %distance) {
  %d = trunc i64 %distance to i32
  %a = call i32 @sinter_gpu_shuffle_up(i32 1, i32 %d)
  %b = call i32 @sinter_gpu_shuffle_up(i32 2, i32 %d)
  ret void
}
define void @barrier_and_exchange(i64 %limit) {
  %t = call i32 @sinter_gpu_thread_index()
  %l = trunc i64 %limit to i32
  %is_low = icmp ult i32 %t, %l
  br i1 %is_low, label %low, label %end
low:
  %a = call i32 @sinter_gpu_shuffle_xor(i32 %t, i32 1)
  br label %end
end:
  call void @sinter_gpu_barrier()
  ret void
}
define void @far(i64 %distance) {
  %d = trunc i64 %distance to i32
  %a = call i32 @sinter_gpu_shuffle_up(i32 1, i32 %d)
  ret void
}
)");
  auto run = [&](const char* entry, std::uint64_t limit) {
    return emulation.violation(entry, grid(2, 64), {limit});
  };
  for (const char* entry :
       {"two_barriers", "returns", "half_warp", "half_of_several", "barrier_and_exchange"}) {
    CAPTURE(entry);
    CHECK(run(entry, 64) == "");
  }
  CHECK(run("returns", 0) == "");
  CHECK(run("half_warp", 32) == "");
  CHECK(run("barrier_and_exchange", 32) == "");
  CHECK(run("two_barriers", 32) ==
        "`two_barriers`: divergence: thread 32 of block (0, 0, 0): another thread waits at another "
        "barrier (thread 0 of block (0, 0, 0) at `call void @sinter_gpu_barrier()`), in "
        "two_barriers: `call void @sinter_gpu_barrier()`");
  CHECK(has(run("returns", 63), "divergence: thread 63 of block (0, 0, 0): this thread has "
                                "returned while others of its block wait"));
  CHECK(has(run("half_warp", 40), "divergence: thread 40 of block (0, 0, 0): another thread of the "
                                  "warp waits at another exchange"));
  CHECK(run("half_of_several", 32) == "");
  CHECK(has(run("half_of_several", 40), "divergence: thread 40 of block (0, 0, 0): another thread "
                                        "of the warp waits at another exchange (thread 32"));
  CHECK(run("several_far", 31) == "");
  CHECK(
      has(run("several_far", 32), "limit: thread 0 of block (0, 0, 0): the lane or the distance"));
  const std::string stuck = run("barrier_and_exchange", 40);
  CHECK(has(stuck, "divergence: "));
  CHECK(has(stuck, "no thread can go on"));
  CHECK(has(stuck, "@sinter_gpu_shuffle_xor"));
  CHECK(run("far", 31) == "");
  CHECK(has(run("far", 32), "limit: thread 0 of block (0, 0, 0): the lane or the distance"));
}

TEST_CASE("without checks of convergence a thread that has returned holds nobody up") {
  Emulation emulation(R"(
define void @returns(i64 %limit, ptr addrspace(1) %out) {
  %t = call i32 @sinter_gpu_thread_index()
  %l = trunc i64 %limit to i32
  %is_low = icmp ult i32 %t, %l
  br i1 %is_low, label %low, label %high
low:
  call void @sinter_gpu_barrier()
  %old = atomicrmw add ptr addrspace(1) %out, i32 1 monotonic
  ret void
high:
  ret void
}
)",
                      {.checks = EmulatedChecks::none()});
  const DeviceAddress out = emulation.array(zeros(1));
  CHECK(emulation.violation("returns", grid(1, 64), {20, out}) == "");
  CHECK(emulation.elements<std::int32_t>(out, 1)[0] == 20);
}

TEST_CASE("launches have limits") {
  std::string parameters;
  for (int i = 0; i < 513; ++i)
    parameters += i > 0 ? ", i64" : "i64";
  Emulation emulation(std::string(copy) + "define void @many(" + parameters +
                          ") {\n  ret void\n}\ndefine void @none() {\n  ret void\n}\n"
                          "define void @large() {\n  %a = alloca [33000 x i8]\n  ret void\n}\n"
                          "define void @less() {\n  %a = alloca [32000 x i8]\n  ret void\n}\n",
                      {.shared_bytes = 1000});
  CHECK(emulation.violation("none", grid(1, 1024, 1000), {}) == "");
  CHECK(emulation.violation("none", grid(1, 1, 1001), {}) ==
        "`none`: limit: 1001 bytes of shared memory, 1000 are allowed");
  CHECK(has(emulation.violation("none", grid(1, 1025), {}), "limit: 1025 threads in a block"));
  CHECK(has(emulation.violation("none", grid(1, 0), {}), "limit: a launch of no thread"));
  CHECK(has(emulation.violation("none", {{1, 65536, 1}, 1}, {}), "along the second dimension"));
  CHECK(has(emulation.violation("none", grid(1, 1), {1}), "limit: 1 words of parameters, 0 are"));
  CHECK(has(emulation.violation("many", grid(1, 1), std::vector<std::uint64_t>(513)),
            "limit: 513 words of parameters, 512 are allowed"));
  CHECK(emulation.violation("less", grid(1, 1), {}) == "");
  CHECK(has(emulation.violation("large", grid(1, 1), {}),
            "limit: 33000 bytes of a thread's own arrays, 32768 are allowed"));
  CHECK(has(emulation.violation("other", grid(1, 1), {}), "there is no kernel `other`"));
}

TEST_CASE("threads that look for what nobody will say make no progress") {
  Emulation emulation(R"(
define void @wait(ptr addrspace(1) %flag, i64 %tells) {
entry:
  %t = call i32 @sinter_gpu_thread_index()
  %b = call i32 @sinter_gpu_block_index_x()
  %is_first = icmp eq i32 %b, 0
  %does = trunc i64 %tells to i1
  %is_teller = and i1 %is_first, %does
  br i1 %is_teller, label %tell, label %look
tell:
  call void @sinter_gpu_publish_i64(ptr addrspace(1) %flag, i64 5)
  br label %end
look:
  %x = call i64 @sinter_gpu_observe_i64(ptr addrspace(1) %flag)
  %is_told = icmp eq i64 %x, 5
  br i1 %is_told, label %end, label %look
end:
  call void @sinter_gpu_barrier()
  ret void
}
)");
  for (const std::uint64_t tells : {1, 0}) {
    const DeviceAddress flag = emulation.array(std::vector<std::uint64_t>{0});
    const std::string words = emulation.violation("wait", grid(3, 32), {flag, tells});
    if (tells != 0)
      CHECK(words == "");
    else
      CHECK(has(words, "no progress: thread "));
  }
}

TEST_CASE("what is not released is known, and memory comes to an end") {
  Emulation emulation(copy, {.memory_bytes = 1 << 20});
  Device& device = *emulation.device;
  CHECK(emulation.device->leaks().empty());
  const DeviceAddress a = device.allocate(100), b = device.allocate(0);
  device.release(a);
  const std::vector<Leak> leaks = emulation.device->leaks();
  REQUIRE(leaks.size() == 1);
  CHECK(leaks[0].address == b);
  CHECK(leaks[0].number == 2);
  device.release(b);
  CHECK(emulation.device->leaks().empty());
  CHECK(device.allocate((1 << 20) + 5000) == 0);
  CHECK(device.allocate(SIZE_MAX) == 0);
  for (int i = 0; i < 100; ++i) { // what was released comes back when it is needed
    const DeviceAddress half = device.allocate(600 << 10);
    REQUIRE(half != 0);
    CHECK(device.allocate(600 << 10) == 0);
    device.release(half);
  }
  CHECK(device.allocate(900 << 10) != 0);
}

TEST_CASE("modules that are not as they should be have no code") {
  const std::unique_ptr<EmulatedDevice> device = make_emulated_device();
  auto words = [&](std::string_view text) {
    return error_of([&] { device->load(kernels(text)); });
  };
  CHECK(has(words("declare void @other()\ndefine void @k() {\n call void @other()\n ret void\n}"),
            "a call of a function that is not there"));
  CHECK(has(words("define void @k(i32 %x) {\n ret void\n}"), "not a word of 64 bits"));
  CHECK(has(words("define i32 @k() {\n ret i32 0\n}"), "does not take"));
  CHECK(has(words("define void @k(ptr %f) {\n call void %f()\n ret void\n}"), "not known"));
  CHECK(has(words("@v = internal global i32 0\ndefine void @k() {\n ret void\n}"),
            "a variable that is not constant"));
}

TEST_CASE("a failing launch may be told of later") {
  Emulation emulation(copy, {.throws_late = true});
  const DeviceAddress from = emulation.array(zeros(1));
  CHECK(emulation.violation("copy", grid(1, 2), {from, from}) == "");
  CHECK(has(error_of([&] { emulation.device->finish(); }), "out of bounds"));
  CHECK(error_of([&] { emulation.device->finish(); }) == "");
  CHECK(emulation.violation("copy", grid(1, 2), {from, from}) == "");
  CHECK(has(error_of([&] { emulation.elements<std::int32_t>(from, 1); }), "out of bounds"));
}

TEST_CASE("the host cannot touch the device's memory") {
  for (const bool hides : {true, false}) {
    Emulation emulation(copy, {.hides_memory = hides});
    const DeviceAddress from = emulation.array(zeros(1)), to = emulation.array(zeros(1));
    emulation.launch("copy", grid(1, 1), {from, to});
    emulation.device->finish(); // until then, more may be launched
    // (The system looks whether it may read there.)
    int ends[2] = {};
    REQUIRE(pipe(ends) == 0);
    const ssize_t written = write(ends[1], reinterpret_cast<const void*>(from), 4);
    const int error = errno;
    CHECK(written == (hides ? -1 : 4));
    if (hides) CHECK(error == EFAULT);
    close(ends[0]);
    close(ends[1]);
  }
}

TEST_CASE("copies of many bytes by one instruction are checked from end to end") {
  Emulation emulation(R"(
define void @move(ptr addrspace(1) %to, ptr addrspace(1) %from, i64 %bytes) {
  call void @llvm.memcpy.p1.p1.i64(ptr addrspace(1) %to, ptr addrspace(1) %from, i64 %bytes, i1 false)
  ret void
}
define void @clear(ptr addrspace(1) %to, i64 %bytes) {
  call void @llvm.memset.p1.i64(ptr addrspace(1) %to, i8 0, i64 %bytes, i1 false)
  ret void
}
declare void @llvm.memcpy.p1.p1.i64(ptr addrspace(1), ptr addrspace(1), i64, i1)
declare void @llvm.memset.p1.i64(ptr addrspace(1), i8, i64, i1)
)");
  const DeviceAddress from = emulation.array(zeros(10)), to = emulation.device->allocate(48);
  CHECK(emulation.violation("move", grid(1, 1), {to, from, 40}) == "");
  CHECK(has(emulation.violation("move", grid(1, 1), {to, from, 41}), "reads 41 bytes"));
  CHECK(has(emulation.violation("move", grid(1, 1), {to + 9, from, 40}), "writes 40 bytes"));
  CHECK(emulation.violation("clear", grid(1, 1), {to, 48}) == "");
  CHECK(has(emulation.violation("clear", grid(1, 1), {to, 49}), "out of bounds"));
}
