// Which entry points there is code of: those that launches have wanted.
#include "both_places.h"
#include "gpu/backend/kernel_code.h"
#include "gpu/skeletons/skeletons.h"
#include "recorded.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace sinter;
using namespace sinter::test;

namespace {

using Names = std::vector<std::string>;

constexpr std::string_view product_text =
    R"(fn f(n: i64, m: i64, p: i64, a: [n][m]f32, b: [m][p]f32) -> [n][p]f32 {
  c: [n][p]f32 = soac n (a) { (i: i64, r: [m]f32)
    u: [p]f32 = soac p () { (j: i64)
      s: f32 = soac m (r) { (k: i64, x: f32)
        y: f32 = index b[k, j]
        z: f32 = mul x y
        yield z
      } reduce (0f32) { (v: f32, w: f32)
        t: f32 = add v w
        yield t
      }
      yield s
    } map
    yield u
  } map
  ret c
})";

constexpr std::string_view sum_text = R"(fn f(n: i64, xs: [n]f32) -> f32 {
  s: f32 = soac n (xs) { (i: i64, x: f32)
    yield x
  } reduce (0f32) { (a: f32, b: f32)
    c: f32 = add a b
    yield c
  }
  ret s
})";

/// A device that tells of what it has made code, and refuses entry points of one name.
class LoadingDevice final : public ForwardingDevice {
public:
  using ForwardingDevice::ForwardingDevice;
  std::vector<Names> loaded;
  std::string refused;

  std::shared_ptr<gpu::DeviceCode> load(gpu::GpuModule module) override {
    Names names;
    for (const gpu::EntryPoint& point : module.entries)
      names.push_back(point.name);
    loaded.push_back(names);
    if (std::ranges::find(names, refused) != names.end())
      throw gpu::DeviceError(gpu::DeviceError::Kind::NoCode, "too long");
    return ForwardingDevice::load(std::move(module));
  }
};

struct Loading {
  explicit Loading(std::string_view text) {
    auto made = std::make_unique<LoadingDevice>(device_under_test());
    device = made.get();
    backend = gpu::make_gpu_backend("device", std::move(made), host());
    const jit::Places places{{backend.get(), &host()}, std::make_shared<const jit::PlaceChooser>()};
    on_device = jit::make_executable(ir::parse(text), places, {});
    on_host = jit::make_executable(ir::parse(text), host(), {});
  }
  void check(const std::vector<ir::DenseValue>& arguments) const {
    check_equal(*backend, *on_device, *on_host, arguments, Arrangement::Dense);
  }
  LoadingDevice* device = nullptr;
  std::unique_ptr<gpu::GpuBackend> backend;
  std::shared_ptr<jit::Executable> on_device, on_host;
};

std::vector<ir::DenseValue> matrices(std::int64_t n, std::int64_t m, std::int64_t p) {
  generate::Random random(1);
  return {Scalar::of(n), Scalar::of(m), Scalar::of(p),
          array_of(ElementType::F32, {n, m}, random, any_float),
          array_of(ElementType::F32, {m, p}, random, any_float)};
}

/// That go by tiles, of which all multiprocessors get some.
std::vector<ir::DenseValue> matrices_of_tiles() {
  const std::int64_t n = is_gpu_under_test() ? 1024 : 64;
  return matrices(n, 64, n);
}

std::vector<ir::DenseValue> numbers(std::int64_t n) {
  generate::Random random(2);
  return {Scalar::of(n), array_of(ElementType::F32, {n}, random, any_float)};
}

} // namespace

TEST_CASE("of what goes different ways by sizes, code is made of the way that a launch takes") {
  const Loading both(product_text);
  both.on_device->compile_all();
  CHECK(both.device->loaded.empty());
  both.check(matrices(3, 4, 5));
  check_steps(both.device->loaded, std::vector<Names>{{"run"}});
  both.check(matrices(64, 64, 64));
  check_steps(both.device->loaded, std::vector<Names>{{"run"}, {"tile"}});
  both.check(matrices(6, 5, 4));
  both.check(matrices(128, 64, 64));
  both.check(matrices(2, 400, 2));
  check_steps(both.device->loaded, std::vector<Names>{{"run"}, {"tile"}, {"segments"}});
}

TEST_CASE("what is not wanted is not made complete either") {
  const ir::Function function = ir::parse(std::string(product_text));
  const gpu::SkeletonOptions options{.layouts = ir::all_dense(5)};
  gpu::KernelEntries entries = gpu::plan_entries(function, options);
  CHECK(!entries.are_complete);
  CHECK(entries.module.entries.size() == 4);
  gpu::complete(entries, {"tile"}, function, options);
  CHECK(entries.are_complete);
  REQUIRE(entries.module.entries.size() == 1);
  CHECK(entries.module.entries[0].name == "tile");
}

TEST_CASE("what every launch takes is code before the first one") {
  const Loading both(sum_text);
  both.on_device->compile_all();
  CHECK(both.device->loaded == std::vector<Names>{{"rows", "fold"}});
  for (const std::int64_t n : {1, 100, 100000})
    both.check(numbers(n));
  CHECK(both.device->loaded.size() == 1);
}

TEST_CASE("where there is no code for some sizes, the host does those, and nobody tries again") {
  const Loading both(product_text);
  both.device->refused = "tile";
  for (int turn = 1; turn <= 3; ++turn) {
    MemoryBudget memory;
    jit::RunContext context{.memory = &memory};
    std::vector<ir::DenseValue> found[2];
    for (const bool is_device : {false, true}) {
      jit::Executable& executable = is_device ? *both.on_device : *both.on_host;
      const jit::Outcome outcome = executable.run(
          to_leaves(executable.function(), matrices_of_tiles(), memory, Arrangement::Dense),
          context);
      REQUIRE(std::holds_alternative<std::vector<jit::Datum>>(outcome));
      found[is_device ? 1 : 0] = from_leaves(std::get<std::vector<jit::Datum>>(outcome));
    }
    CHECK(have_same_bits(both.on_host->function(), found[0], found[1]));
    CHECK(both.backend->launches_by_host() == static_cast<std::uint64_t>(turn));
    CHECK(both.device->loaded == std::vector<Names>{{"tile"}});
    CHECK(both.backend->remark() ==
          "device has no code for some launches, which the host does: too long");
  }
}

TEST_CASE("a kernel tells what its code is and takes, as far as there is some") {
  const Loading both(product_text);
  both.check(matrices_of_tiles());
  const auto kernels = both.on_device->kernels(true);
  REQUIRE(!kernels.empty());
  CHECK(kernels[0].facts.way == "tile");
  CHECK(kernels[0].assembly.find(".entry tile(") != std::string::npos);
  CHECK(kernels[0].assembly.find(".entry run(") == std::string::npos);
}
