#include "gpu/emulator/block_order.h"
#include "gpu/emulator/device_memory.h"
#include "gpu/emulator/emulator.h"
#include "gpu/emulator/instrument.h"
#include "gpu/emulator/scheduler.h"
#include "gpu/kernels/abstract_functions.h"

#include <atomic>
#include <cstring>
#include <exception>
#include <mutex>
#include <utility>

namespace sinter::gpu {

namespace {

constexpr std::size_t most_words = 512; ///< 4 KiB

[[noreturn]] void limit(std::string_view entry, const std::string& words) {
  throw DeviceError(DeviceError::Kind::Violation, "`" + std::string(entry) + "`: limit: " + words);
}

class EmulatedCode final : public DeviceCode {
public:
  EmulatedCode(std::shared_ptr<jit::Engine> engine, InstrumentedModule module, unsigned tier,
               const KernelRun* owner)
      : owner(owner), entries(std::move(module.entries)), bitcode(std::move(module.bitcode)),
        constant_bytes_(module.constant_bytes), engine_(std::move(engine)),
        code_(engine_->link(std::move(module.kernel), tier, jit::Engine::Cache::Unused)),
        run(reinterpret_cast<EntryCode>(reinterpret_cast<void*>(code_->run))) {
    std::vector<std::uint64_t> words(2 * module.constants);
    run(words.data(), entries.size());
    for (std::size_t i = 0; i < module.constants; ++i)
      constants_.emplace_back(words[2 * i], words[2 * i + 1]);
  }

  CodeFacts facts(std::string_view name) const override {
    CodeFacts facts;
    facts.constant_bytes = constant_bytes_;
    facts.local_bytes = entries[number_of(name)].local_bytes;
    return facts;
  }
  std::string text() const override { return {}; }

  std::size_t number_of(std::string_view name) const {
    for (std::size_t i = 0; i < entries.size(); ++i)
      if (entries[i].name == name) return i;
    throw DeviceError(DeviceError::Kind::NoCode, "there is no kernel `" + std::string(name) + "`");
  }
  std::span<const std::pair<std::uint64_t, std::uint64_t>> constants() const { return constants_; }

  const KernelRun* const owner; ///< of the device that it was made for
  const std::vector<InstrumentedEntry> entries;
  const std::string bitcode;

private:
  std::size_t constant_bytes_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> constants_;
  std::shared_ptr<jit::Engine> engine_; ///< outlives its code
  std::unique_ptr<jit::LinkedCode> code_;

public:
  const EntryCode run;
};

class EmulatedDeviceImplementation final : public EmulatedDevice {
public:
  explicit EmulatedDeviceImplementation(const EmulationOptions& options)
      : options_(with_consistent_checks(options)),
        memory_(options_.memory_bytes, options_.checks, options_.hides_memory),
        scheduler_(options_), engine_(std::make_shared<jit::Engine>(nullptr)) {
    facts_.name = "emulated";
    facts_.memory_bytes = options_.memory_bytes;
    facts_.shared_bytes = options_.shared_bytes;
    facts_.bytes_per_second = 1e9;
  }

  const DeviceFacts& facts() const override { return facts_; }

  DeviceAddress allocate(std::size_t bytes) override {
    const std::lock_guard lock(mutex_);
    return memory_.allocate(bytes);
  }
  void release(DeviceAddress address) override {
    const std::lock_guard lock(mutex_);
    memory_.release(address);
  }
  void copy_in(DeviceAddress target, std::span<const std::byte> source) override {
    const std::lock_guard lock(mutex_);
    std::byte* const begin = memory_.write(target, source.size(), "copy_in");
    if (!source.empty()) std::memcpy(begin, source.data(), source.size());
  }
  void copy_out(std::span<std::byte> target, DeviceAddress source) override {
    const std::lock_guard lock(mutex_);
    memory_.hide();
    throw_late_error();
    const std::byte* const begin = memory_.read(source, target.size(), "copy_out");
    if (!target.empty()) std::memcpy(target.data(), begin, target.size());
  }
  void copy_within(DeviceAddress target, DeviceAddress source, std::size_t bytes) override {
    const std::lock_guard lock(mutex_);
    std::byte* const begin = memory_.write_copy(target, source, bytes, "copy_within");
    if (bytes > 0) std::memcpy(begin, memory_.view(source, bytes), bytes);
  }
  void fill(DeviceAddress target, std::uint64_t element, std::size_t element_bytes,
            std::size_t count) override;

  std::shared_ptr<DeviceCode> load(GpuModule module) override {
    InstrumentedModule instrumented = instrument(std::move(module), run_, options_.checks);
    try {
      return std::make_shared<EmulatedCode>(engine_, std::move(instrumented), options_.tier, &run_);
    } catch (const DeviceError&) {
      throw;
    } catch (const std::runtime_error& error) {
      throw DeviceError(DeviceError::Kind::NoCode, error.what());
    }
  }
  void launch(const std::shared_ptr<DeviceCode>& code, std::string_view entry,
              const LaunchShape& shape, std::span<const std::uint64_t> words) override {
    const std::lock_guard lock(mutex_);
    try {
      launch_now(static_cast<const EmulatedCode&>(*code), entry, shape, words);
    } catch (const DeviceError&) {
      if (!options_.throws_late) throw;
      if (!late_error_) late_error_ = std::current_exception();
    }
  }
  void finish() override {
    const std::lock_guard lock(mutex_);
    memory_.hide();
    throw_late_error();
  }

  std::vector<Leak> leaks() const override {
    const std::lock_guard lock(mutex_);
    return memory_.leaks();
  }
  void write_at_once(DeviceAddress address, std::uint32_t word) override {
    std::byte* const place = memory_.view(address, sizeof word);
    if (!place || address % sizeof word != 0)
      throw DeviceError(DeviceError::Kind::Violation, "write_at_once: no word of the memory");
    std::atomic_ref(*reinterpret_cast<std::uint32_t*>(place)).store(word);
  }

private:
  static EmulationOptions with_consistent_checks(EmulationOptions options) {
    options.checks.definition &= options.checks.memory;
    options.checks.races &= options.checks.memory;
    return options;
  }
  void throw_late_error() {
    if (std::exception_ptr error = std::exchange(late_error_, nullptr))
      std::rethrow_exception(error);
  }
  void check_limits(const InstrumentedEntry& entry, const LaunchShape& shape,
                    std::span<const std::uint64_t> words) const;
  void launch_now(const EmulatedCode& code, std::string_view entry, const LaunchShape& shape,
                  std::span<const std::uint64_t> words);
  [[noreturn]] void report(const EmulatedCode& code, std::string_view entry,
                           const LaunchShape& shape) const;
  std::string thread_words(ThreadName thread, const LaunchShape& shape) const;
  std::string address_words(const Violation& violation, const LaunchShape& shape) const;

  const EmulationOptions options_;
  DeviceFacts facts_;
  mutable std::mutex mutex_;
  DeviceMemory memory_;
  Scheduler scheduler_;
  KernelRun run_; ///< whose address is in the code
  std::shared_ptr<jit::Engine> engine_;
  std::uint32_t next_time_ = 1;
  std::exception_ptr late_error_;
};

void EmulatedDeviceImplementation::fill(DeviceAddress target, std::uint64_t element,
                                        std::size_t element_bytes, std::size_t count) {
  const std::lock_guard lock(mutex_);
  const bool is_size =
      element_bytes == 1 || element_bytes == 2 || element_bytes == 4 || element_bytes == 8;
  if (!is_size || target % element_bytes != 0)
    throw DeviceError(DeviceError::Kind::Violation, "fill: misaligned: elements of " +
                                                        std::to_string(element_bytes) +
                                                        " bytes at " + memory_.describe(target));
  if (count > memory_.size() / element_bytes) count = memory_.size(); // surely too much
  std::byte* begin = memory_.write(target, element_bytes * count, "fill");
  for (std::size_t i = 0; i < count; ++i, begin += element_bytes)
    std::memcpy(begin, &element, element_bytes);
}

void EmulatedDeviceImplementation::check_limits(const InstrumentedEntry& entry,
                                                const LaunchShape& shape,
                                                std::span<const std::uint64_t> words) const {
  auto at_most = [&](const char* what, std::uint64_t value, std::uint64_t most) {
    if (value > most)
      limit(entry.name,
            std::to_string(value) + " " + what + ", " + std::to_string(most) + " are allowed");
  };
  at_most("threads in a block", shape.threads, most_threads);
  at_most("threads in a block", shape.threads, entry.threads);
  at_most("bytes of shared memory", shape.shared_bytes, facts_.shared_bytes);
  at_most("words of parameters", words.size(), most_words);
  at_most("blocks along the first dimension", shape.blocks[0], INT32_MAX);
  at_most("blocks along the second dimension", shape.blocks[1], UINT16_MAX);
  at_most("blocks along the third dimension", shape.blocks[2], UINT16_MAX);
  // (The rest of the stack is for the code's own use, and the host's functions.)
  at_most("bytes of a thread's own arrays", entry.local_bytes, options_.stack_bytes / 2);
  if (words.size() != entry.words)
    limit(entry.name, std::to_string(words.size()) + " words of parameters, " +
                          std::to_string(entry.words) + " are expected");
  if (shape.threads == 0 || shape.blocks[0] == 0 || shape.blocks[1] == 0 || shape.blocks[2] == 0)
    limit(entry.name, "a launch of no thread");
  const unsigned __int128 blocks =
      static_cast<unsigned __int128>(shape.blocks[0]) * shape.blocks[1] * shape.blocks[2];
  if (blocks > most_checked_blocks)
    limit(entry.name, "more blocks than the emulator has names for");
}

void EmulatedDeviceImplementation::launch_now(const EmulatedCode& code, std::string_view name,
                                              const LaunchShape& shape,
                                              std::span<const std::uint64_t> words) {
  if (code.owner != &run_) throw DeviceError(DeviceError::Kind::NoCode, "code of another device");
  const std::size_t number = code.number_of(name);
  const InstrumentedEntry& entry = code.entries[number];
  check_limits(entry, shape, words);
  if (next_time_ > AccessRecord::time_mask / 2) {
    if (memory_.shadow()) memory_.shadow()->forget_accesses();
    scheduler_.forget_accesses();
    next_time_ = 1;
  }
  BlockOrder order(shape.blocks[0] * shape.blocks[1] * shape.blocks[2]);
  run_ = {};
  run_.checks = options_.checks;
  run_.memory_base = memory_.base();
  run_.memory_bytes = memory_.size();
  run_.memory_shadow = memory_.shadow();
  run_.constants = code.constants();
  run_.start_time = next_time_;
  run_.order = entry.is_synchronising && options_.checks.races ? &order : nullptr;
  memory_.open();
  scheduler_.run(run_, {code.run, number, entry.is_synchronising, words, shape});
  next_time_ = run_.end_time + 1;
  if (run_.is_out_of_memory)
    throw DeviceError(DeviceError::Kind::OutOfMemory, "the emulator has no more memory");
  if (run_.has_violation) report(code, name, shape);
}

std::string EmulatedDeviceImplementation::thread_words(ThreadName thread,
                                                       const LaunchShape& shape) const {
  const std::uint32_t block = block_of(thread);
  return "thread " + std::to_string(thread_of(thread)) + " of block (" +
         std::to_string(block % shape.blocks[0]) + ", " +
         std::to_string(block / shape.blocks[0] % shape.blocks[1]) + ", " +
         std::to_string(block / shape.blocks[0] / shape.blocks[1]) + ")";
}

std::string EmulatedDeviceImplementation::address_words(const Violation& violation,
                                                        const LaunchShape& shape) const {
  if (*violation.what != '\0') return violation.what;
  const auto shared = reinterpret_cast<std::uint64_t>(run_.place.shared);
  const std::uint64_t offset = violation.address - shared;
  if (offset < shape.shared_bytes)
    return "byte " + std::to_string(offset) + " of the block's shared memory";
  if (violation.address - memory_.base() >= memory_.size() &&
      offset - shape.shared_bytes < options_.shared_bytes)
    return std::to_string(offset - shape.shared_bytes) + " bytes behind the block's " +
           std::to_string(shape.shared_bytes) + " bytes of shared memory";
  return memory_.describe(violation.address);
}

void EmulatedDeviceImplementation::report(const EmulatedCode& code, std::string_view entry,
                                          const LaunchShape& shape) const {
  const Violation& violation = run_.violation;
  const InstructionText place = instruction_text(code.bitcode, violation.site);
  std::string words = "`" + std::string(entry) + "`: " + std::string(name(violation.kind)) + ": " +
                      thread_words(violation.thread, shape);
  if (violation.bytes > 0) {
    constexpr std::string_view verbs[] = {"reads", "writes", "reads atomically",
                                          "writes atomically", "updates atomically"};
    words += " " + std::string(verbs[static_cast<std::size_t>(violation.access)]) + " " +
             std::to_string(violation.bytes) + " bytes at " + address_words(violation, shape);
  } else {
    words += std::string(": ") + violation.what;
  }
  if (violation.kind == ViolationKind::Race)
    words += (violation.other == violation.thread
                  ? ", which others "
                  : ", which " + thread_words(violation.other, shape) + " ") +
             (violation.other_wrote ? "wrote" : "read") + " without a barrier between";
  if (violation.has_other_site)
    words += " (" + thread_words(violation.other, shape) + " at `" +
             instruction_text(code.bitcode, violation.other_site).text + "`)";
  words += ", in " + place.function + ": `" + place.text + "`";
  throw DeviceError(DeviceError::Kind::Violation, words);
}

} // namespace

std::unique_ptr<EmulatedDevice> make_emulated_device(const EmulationOptions& options) {
  return std::make_unique<EmulatedDeviceImplementation>(options);
}

} // namespace sinter::gpu
