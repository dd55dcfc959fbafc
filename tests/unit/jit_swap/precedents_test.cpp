// What earlier processes found out: how it is kept, and what comes of it.
#include "jit/gate/precedent_file.h"

#include "tests/unit/jit_swap/world.h"
#include "tests/unit/temporary_folder.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>

#include <sys/stat.h>

using namespace sinter;
using namespace sinter::test;
using namespace sinter::jit;
using State = RegionReport::State;

namespace {

constexpr std::int64_t one_millisecond = 1'000'000;

const char* const sums =
    "entry main [n] (xs: [n]i64) : i64 = reduce (+) 0 (map (\\x -> x * x) xs)\n"
    "entry other [n] (xs: [n]i64) : i64 = reduce (*) 1 xs\n";

/// An occasion, and what it lives in.
struct Sums {
  World world{sums, in_mode(Mode::Interpret)};
  Occasion of(const std::string& entry, std::int64_t count = 10) {
    const std::vector<Value> arguments{world.i64s(up_to(count))};
    return Occasion::call(world.function(entry), {}, arguments);
  }
};

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

TEST_CASE("a precedent is found by another process with the same program and sizes alike") {
  const tests::TemporaryFolder folder;
  Sums earlier, later;
  PrecedentFile first(folder.path());
  CHECK_FALSE(first.find(earlier.of("main")));
  first.note(earlier.of("main", 10), 3 * one_millisecond);
  first.note(earlier.of("main", 10), 2 * one_millisecond); // the longest is what is known
  PrecedentFile second(folder.path());
  CHECK(second.find(later.of("main", 10))->nanoseconds == 3 * one_millisecond);
  CHECK(second.find(later.of("main", 11))->nanoseconds == 3 * one_millisecond);
  CHECK_FALSE(second.find(later.of("main", 100)));
  CHECK_FALSE(second.find(later.of("other", 10)));
  CHECK_FALSE(second.find(later.of("main", 10))->is_in_parts);
  // Once no code could be made for it as a whole, that stays.
  second.note_in_parts(later.of("main", 10));
  second.note_in_parts(later.of("other", 10));
  second.note(later.of("main", 10), 5 * one_millisecond);
  PrecedentFile third(folder.path());
  CHECK(third.find(later.of("main", 10))->is_in_parts);
  CHECK(third.find(later.of("main", 10))->nanoseconds == 5 * one_millisecond);
  CHECK_FALSE(third.find(later.of("other", 10)));
  third.forget(later.of("main", 10));
  CHECK_FALSE(third.find(later.of("main", 10)));
  CHECK_FALSE(PrecedentFile(folder.path()).find(later.of("main", 10)));
}

TEST_CASE("the file of precedents does not grow, and whatever is in it does no harm") {
  const tests::TemporaryFolder folder;
  const std::filesystem::path path = folder.file(precedent_file_name);
  Sums program;
  const Occasion occasion = program.of("main");
  const auto found = [&] {
    const std::optional<Precedent> precedent = PrecedentFile(folder.path()).find(occasion);
    return precedent ? precedent->nanoseconds : -1;
  };
  PrecedentFile(folder.path()).note(occasion, 7 * one_millisecond);
  const std::string good = contents(path);
  CHECK(found() == 7 * one_millisecond);
  struct stat status {};
  REQUIRE(stat(path.c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0600);
  // A damaged entry is none, and a file may end anywhere.
  const std::size_t entry = good.find_first_not_of('\0') / 16 * 16;
  for (std::size_t i = entry; i < entry + 16; ++i) {
    std::string damaged = good;
    damaged[i] ^= 4;
    folder.write(precedent_file_name, damaged);
    CHECK(found() == -1);
    folder.write(precedent_file_name, good.substr(0, i));
    CHECK(found() == -1);
  }
  folder.write(precedent_file_name, std::string(good.size() * 3, 'x'));
  CHECK(found() == -1);
  PrecedentFile(folder.path()).note(occasion, 8 * one_millisecond);
  CHECK(found() == 8 * one_millisecond);
  // Many occasions have no more room than some.
  std::filesystem::remove(path);
  PrecedentFile many(folder.path());
  Occasion other = occasion;
  for (std::size_t i = 0; i < 2 * PrecedentFile::entry_count; ++i) {
    ++other.sizes;
    many.note(other, one_millisecond);
  }
  CHECK(many.find(other).has_value());
  CHECK(std::filesystem::file_size(path) <= PrecedentFile::entry_count * 16);
  // Behind a link, in place of it a folder, or where others could have written, nothing is read.
  folder.write(precedent_file_name, good);
  chmod(path.c_str(), 0620);
  CHECK(found() == -1);
  chmod(path.c_str(), 0600);
  CHECK(found() == 7 * one_millisecond);
  std::filesystem::rename(path, folder.file("away"));
  std::filesystem::create_symlink(folder.file("away"), path);
  CHECK(found() == -1);
  PrecedentFile(folder.path()).note(occasion, 9 * one_millisecond);
  CHECK(contents(folder.file("away")) == good);
  std::filesystem::remove(path);
  std::filesystem::create_directory(path);
  CHECK(found() == -1);
  PrecedentFile(folder.path()).note(occasion, 9 * one_millisecond);
  // Without a folder there are none but one's own.
  for (const auto& none : {std::optional<std::filesystem::path>(),
                           std::optional<std::filesystem::path>(folder.file("missing"))}) {
    PrecedentFile precedents(none);
    precedents.note_in_parts(occasion);
    precedents.forget(occasion);
    CHECK_FALSE(precedents.find(occasion));
    precedents.note(occasion, one_millisecond);
    CHECK_FALSE(PrecedentFile(none).find(occasion));
  }
  CHECK_FALSE(std::filesystem::exists(folder.file("missing")));
}

TEST_CASE("mode auto: what an earlier process made code for is compiled when it begins") {
  const tests::TemporaryFolder folder;
  const auto runs = [&](std::int64_t noted) {
    std::filesystem::remove(folder.file(precedent_file_name));
    PrecedentFile earlier(folder.path()), later(folder.path());
    Sums program;
    if (noted > 0) earlier.note(program.of("main", 10), noted);
    World world(sums, in_mode(Mode::Auto), &later);
    CHECK(world.call("main", {world.i64s(up_to(10))}).scalar().as<std::int64_t>() == 285);
    world.swapper->wait();
    CHECK(world.call("main", {world.i64s(up_to(10))}).scalar().as<std::int64_t>() == 285);
    return region(world.swapper->report(), "function main");
  };
  const RegionReport none = runs(0);
  CHECK(none.compiled_runs == 0);
  const RegionReport at_once = runs(finding_cost);
  CHECK(at_once.interpreted_runs == 0);
  CHECK(at_once.compiled_runs == 2);
  CHECK(at_once.why == "an earlier session has made code for it");
  const RegionReport in_background = runs(finding_cost - 1000);
  CHECK(in_background.state == State::Compiled);
  CHECK(in_background.why == "an earlier session has made code for it");
}

TEST_CASE("mode auto: what code is made for is noted, if it is kept") {
  const tests::TemporaryFolder folder;
  const std::int64_t n = 1'000'000;
  const auto noted = [&](bool is_kept) {
    PrecedentFile precedents(folder.path());
    World world(sums, in_mode(Mode::Auto), &precedents);
    if (!is_kept)
      world.instead = [&](const ir::Function& function) -> std::shared_ptr<Executable> {
        class NotKept final : public Executable {
        public:
          explicit NotKept(std::shared_ptr<Executable> made) : made_(std::move(made)) {}
          Outcome run(std::vector<Datum> arguments, const RunContext& context) override {
            return made_->run(std::move(arguments), context);
          }
          void compile_all() override {}
          void promote() override {}
          const ir::Function& function() const override { return made_->function(); }
          ExecutableStatistics statistics() const override { return {}; }
          std::vector<KernelDescription> kernels(bool) const override { return {}; }

        private:
          std::shared_ptr<Executable> made_;
        };
        return std::make_shared<NotKept>(evaluating_executable(function, world.memory, 1));
      };
    world.call("main", {world.i64s(up_to(n))});
    CHECK(region(world.swapper->report(), "function main").compiled_runs == 1);
    const std::optional<Precedent> found = PrecedentFile(folder.path()).find(Sums().of("main", n));
    return found ? found->nanoseconds : -1;
  };
  CHECK(noted(true) >= worth_waiting);
  CHECK(noted(false) == -1);
}

TEST_CASE("mode auto: of what cannot be compiled as a whole the parts are compiled at once") {
  const std::string text =
      "def part [n] (xs: [n]i64) : i64 = reduce (+) 0 (map (\\x -> x * x) xs)\n"
      "entry main [n] (xs: [n]i64) : i64 = #[trace] (part xs)\n"
      "entry part_alone [n] (xs: [n]i64) : i64 = part xs\n";
  const tests::TemporaryFolder folder;
  const auto report = [&] {
    PrecedentFile precedents(folder.path());
    World world(text, in_mode(Mode::Auto), &precedents);
    const std::vector<Value> arguments{world.i64s(up_to(10))};
    CHECK(world.call("main", arguments).scalar().as<std::int64_t>() == 285);
    return world.swapper->report();
  };
  {
    PrecedentFile earlier(folder.path());
    World world(text, in_mode(Mode::Interpret));
    const std::vector<Value> arguments{world.i64s(up_to(10))};
    earlier.note(Occasion::call(world.function("main"), {}, arguments), 10 * one_millisecond);
  }
  // At first that is tried; from then on it is known.
  CHECK(region(report(), "function main").state == State::Rejected);
  const RegionReport known = region(report(), "function main");
  CHECK(known.state == State::Interpreted);
}
