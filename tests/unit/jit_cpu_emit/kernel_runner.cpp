#include "kernel_runner.h"
#include "plain_target.h"

#include "jit/cpu/cpu_hooks.h"
#include "jit/cpu/runtime_functions.h"
#include "jit/cpu/split_masks.h"
#include "jit/cpu/wide_masks.h"
#include "jit/emit/kernel_shape.h"
#include "jit/ir/operator_order.h"
#include "jit/ir/walk.h"
#include "lang/primitives/fold_order.h"
#include "lang/values/scalar.h"

#include <boost/align/aligned_allocator.hpp>
#include <llvm/ExecutionEngine/Orc/LLJIT.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <stdexcept>
#include <tuple>

namespace sinter::jit {
namespace {

using Processor = RunnerOptions::Processor;

/// Scratch memory that only grows, until it is released to a mark.
struct Arena {
  std::vector<std::vector<std::byte>> blocks;
};
void* arena_allocate(void* arena, std::int64_t bytes) {
  auto& blocks = static_cast<Arena*>(arena)->blocks;
  blocks.emplace_back(static_cast<std::size_t>(bytes) + 64, std::byte{0xab});
  const auto address = reinterpret_cast<std::uintptr_t>(blocks.back().data());
  return blocks.back().data() + (64 - address % 64) % 64;
}
std::int64_t arena_mark(void* arena) {
  return static_cast<std::int64_t>(static_cast<Arena*>(arena)->blocks.size());
}
void arena_release(void* arena, std::int64_t mark) {
  static_cast<Arena*>(arena)->blocks.resize(static_cast<std::size_t>(mark));
}
void note_failure(FailureNote* note, std::int64_t index, std::uint32_t site) {
  if (note->is_set && note->index <= index) return;
  note->index = index;
  note->site = site;
  note->is_set = true;
}

template <typename T>
T check(llvm::Expected<T> value) {
  if (!value) throw std::runtime_error(llvm::toString(value.takeError()));
  return std::move(*value);
}
void check(llvm::Error error) {
  if (error) throw std::runtime_error(llvm::toString(std::move(error)));
}

/// Whether code may be for at least that processor.
bool is_for(const RunnerOptions& options, Processor processor) {
  return options.processor == Processor::Host ? can_run(processor) : options.processor >= processor;
}

const CpuHooks& hooks_for(const RunnerOptions& options) {
  const VectorInstructions vectors = is_for(options, Processor::Avx512) ? VectorInstructions::Avx512
                                     : is_for(options, Processor::Avx2) ? VectorInstructions::Avx2
                                                                        : VectorInstructions::Sse2;
  TargetFacts facts = facts_of(vectors, options.is_zen);
  if (options.has_small_caches) facts.beyond_caches_bytes = 4096;
  static std::map<std::tuple<VectorInstructions, bool, bool>, CpuHooks> all;
  return all.try_emplace({vectors, options.is_zen, options.has_small_caches}, facts).first->second;
}

EmitOptions emit_options(const ir::Function& function, const RunnerOptions& options) {
  EmitOptions emit;
  emit.lanes = options.lanes;
  emit.is_compact = options.compact;
  emit.layouts.assign(function.body.parameters.size(),
                      options.strided ? ir::ArrayLayout::Strided : ir::ArrayLayout::Dense);
  emit.hooks = &hooks_for(options);
  static const PlainHooks plain(true);
  if (options.plain) emit.hooks = &plain;
  return emit;
}

/// LLVM's name of a processor with these instructions and no more.
const char* name_of(Processor processor) {
  switch (processor) {
  case Processor::Sse2:
    return "x86-64";
  case Processor::Avx2:
    return "haswell";
  case Processor::Avx512:
    return "skylake-avx512";
  case Processor::Host:
    break;
  }
  throw std::logic_error("the host is asked for its own name");
}

/// A buffer with elements at a stride, and what fills the gaps.
struct Buffer {
  ElementType element{};
  std::vector<std::int64_t> extents, strides;
  /// (Only vectors at multiples of their size are stored past the caches.)
  std::vector<std::byte, boost::alignment::aligned_allocator<std::byte, 64>> bytes;

  std::int64_t count() const {
    std::int64_t product = 1;
    for (std::int64_t extent : extents)
      product *= extent;
    return product;
  }
  Buffer(ElementType element_type, std::vector<std::int64_t> sizes, bool strided)
      : element(element_type), extents(std::move(sizes)), strides(extents.size()) {
    std::int64_t stride = strided ? 3 : 1;
    for (std::size_t d = extents.size(); d-- > 0;) {
      strides[d] = stride;
      stride *= std::max<std::int64_t>(extents[d], 1) + (strided ? 1 : 0);
    }
    // (What is not a bool may not even be read as one.)
    bytes.resize(static_cast<std::size_t>(stride) * byte_size(element),
                 element == ElementType::Bool ? std::byte{1} : std::byte{0x5a});
  }
  std::int64_t offset(std::int64_t number) const {
    std::int64_t result = 0;
    for (std::size_t d = extents.size(); d-- > 0;) {
      result += number % extents[d] * strides[d];
      number /= extents[d];
    }
    return result;
  }
  ir::DenseArray array(std::int64_t first_extent) const {
    ir::DenseArray result{element, extents, {}};
    result.extents[0] = first_extent;
    std::int64_t size = 1;
    for (std::int64_t extent : result.extents)
      size *= extent;
    for (std::int64_t i = 0; i < size; ++i)
      result.elements.push_back(load_scalar(element, bytes.data(), offset(i)));
    return result;
  }
};

} // namespace

/// A kernel's code in this process.
class KernelRunner::Code {
public:
  Code(const ir::Function& function, const RunnerOptions& options) {
    EmittedKernel kernel = options.plain ? emit_plain(function, emit_options(function, options))
                                         : emit_kernel(function, emit_options(function, options));
    if (options.plain)
      if (const std::string found = not_plain(*kernel.module); !found.empty())
        throw std::runtime_error("not for any target: " + found);
    index_space = kernel.index_space;
    load(std::move(kernel), options);
  }

  std::vector<ir::Operand> index_space;
  RunFunction run = nullptr;
  CombineFunction combine = nullptr;
  RunFunction finish = nullptr;
  CombineFunction conclude = nullptr;
  RunFunction deal = nullptr, accumulate = nullptr;

private:
  void load(EmittedKernel kernel, const RunnerOptions& options) {
    static const bool is_initialised = [] {
      llvm::InitializeNativeTarget();
      llvm::InitializeNativeTargetAsmPrinter();
      return true;
    }();
    static_cast<void>(is_initialised);
    // As the engine has it.
    for (llvm::Function& function : *kernel.module) {
      if (options.plain) break;
      if (is_for(options, Processor::Avx512))
        split_masks(function, 512);
      else
        widen_masks(function);
    }
    std::string message;
    llvm::raw_string_ostream stream(message);
    if (llvm::verifyModule(*kernel.module, &stream)) throw std::runtime_error(message);
    auto target = check(llvm::orc::JITTargetMachineBuilder::detectHost());
    if (options.processor != Processor::Host) {
      target.setCPU(name_of(options.processor));
      target.getFeatures() = llvm::SubtargetFeatures();
    }
    target.setCodeGenOptLevel(llvm::CodeGenOptLevel::Less);
    jit_ = check(llvm::orc::LLJITBuilder().setJITTargetMachineBuilder(target).create());
    llvm::orc::SymbolMap symbols;
    const auto define = [&](const std::string& name, auto* address) {
      symbols[jit_->mangleAndIntern(name)] = {llvm::orc::ExecutorAddr::fromPtr(address),
                                              llvm::JITSymbolFlags::Exported};
    };
    define("sinter_arena_allocate", &arena_allocate);
    define("sinter_arena_mark", &arena_mark);
    define("sinter_arena_release", &arena_release);
    define("sinter_note_failure", &note_failure);
    define(plain::allocate, &arena_allocate);
    define(plain::mark, &arena_mark);
    define(plain::release, &arena_release);
    define(plain::note_failure, &note_failure);
    check(jit_->getMainJITDylib().define(llvm::orc::absoluteSymbols(std::move(symbols))));
    const std::string names[] = {kernel.run,      kernel.combine, kernel.finish,
                                 kernel.conclude, kernel.deal,    kernel.accumulate};
    check(jit_->addIRModule(
        llvm::orc::ThreadSafeModule(std::move(kernel.module), std::move(kernel.context))));
    run = check(jit_->lookup(names[0])).toPtr<RunFunction>();
    if (!names[1].empty()) combine = check(jit_->lookup(names[1])).toPtr<CombineFunction>();
    if (!names[2].empty()) finish = check(jit_->lookup(names[2])).toPtr<RunFunction>();
    if (!names[3].empty()) conclude = check(jit_->lookup(names[3])).toPtr<CombineFunction>();
    if (!names[4].empty()) deal = check(jit_->lookup(names[4])).toPtr<RunFunction>();
    if (!names[5].empty()) accumulate = check(jit_->lookup(names[5])).toPtr<RunFunction>();
  }

  std::unique_ptr<llvm::orc::LLJIT> jit_;
};

namespace {

/// One run of a kernel.
template <typename Code>
class Run {
public:
  Run(const ir::Function& function, const Code& code, const std::vector<ir::DenseValue>& arguments,
      const RunnerOptions& options)
      : function_(function), code_(code), options_(options), arguments_(arguments) {}

  ir::Evaluation run() {
    prepare();
    return launch();
  }

private:
  std::int64_t number(const ir::Operand& operand) const {
    if (operand.is_constant()) return operand.scalar().as<std::int64_t>();
    const auto& parameters = function_.body.parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (parameters[i] == operand.value())
        return std::get<Scalar>(arguments_[i]).as<std::int64_t>();
    throw std::runtime_error("an extent that is no parameter");
  }

  /// Of an operand known before the kernel runs: the number itself, or an array's element, as if
  /// the array were repeated.
  Scalar element_of(const ir::Operand& operand, std::int64_t index) const {
    if (operand.is_constant()) return operand.scalar();
    const auto& parameters = function_.body.parameters;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (parameters[i] == operand.value()) {
        if (const auto* scalar = std::get_if<Scalar>(&arguments_[i])) return *scalar;
        const auto& elements = std::get<ir::DenseArray>(arguments_[i]).elements;
        return elements[static_cast<std::size_t>(index) % elements.size()];
      }
    throw std::runtime_error("a neutral element that is no parameter");
  }

  void prepare() {
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      if (const auto* scalar = std::get_if<Scalar>(&arguments_[i])) {
        words_.push_back(scalar->bits);
        argument_buffers_.push_back(nullptr);
        continue;
      }
      const auto& array = std::get<ir::DenseArray>(arguments_[i]);
      Buffer& buffer = buffers_.emplace_back(array.element, array.extents, options_.strided);
      for (std::size_t e = 0; e < array.elements.size(); ++e)
        store_scalar(array.element, buffer.bytes.data(),
                     buffer.offset(static_cast<std::int64_t>(e)), array.elements[e]);
      words_.push_back(reinterpret_cast<std::uint64_t>(buffer.bytes.data()));
      for (std::int64_t stride : buffer.strides)
        words_.push_back(static_cast<std::uint64_t>(stride));
      argument_buffers_.push_back(&buffer);
    }
    const auto in_place = results_in_place(function_);
    for (std::size_t r = 0; r < in_place.size(); ++r) {
      const ir::Type type = function_.type(function_.body.results[r]);
      result_buffers_.push_back(nullptr);
      results_.push_back(0);
      if (type.is_scalar()) continue;
      if (in_place[r]) {
        result_buffers_.back() = argument_buffers_[*in_place[r]];
      } else {
        std::vector<std::int64_t> extents;
        for (std::size_t d = 0; d < type.rank(); ++d)
          extents.push_back(is_count(type.extents[d]) ? number(code_.index_space[0])
                                                      : number(type.extents[d]));
        result_buffers_.back() = &buffers_.emplace_back(type.element, extents, false);
      }
      results_.back() = reinterpret_cast<std::uint64_t>(result_buffers_.back()->bytes.data());
    }
  }
  bool is_count(const ir::Operand& extent) const {
    const auto among = [&](const auto& values) {
      return std::any_of(values.begin(), values.end(),
                         [&](const ir::Operand& value) { return value == extent; });
    };
    return among(function_.body.results) && !among(function_.body.parameters);
  }

  /// How the index space is cut.
  struct Cut {
    std::int64_t extent = 1;
    std::int64_t chunk = 1, unit = 1; ///< elements; `unit`: see KernelFrame::fold_unit
    std::int64_t chunks() const { return (extent + chunk - 1) / chunk; }
    std::int64_t units() const { return (extent + unit - 1) / unit; }
  };

  /// Where the order of folding shows, chunks are of whole units, and of histograms what the
  /// definition says.
  Cut cut(const ir::Soac* soac) const {
    Cut cut;
    for (const ir::Operand& operand : code_.index_space)
      cut.extent *= number(operand);
    if (!soac) return cut;
    cut.chunk = options_.chunk;
    if (ir::has_group<ir::ScatterGroup>(*soac)) cut.chunk = 1 << 30; // in element order
    if (keeps_fold_order(*soac)) {
      cut.unit = ir::has_group<ir::ScanGroup>(*soac) ? primitives::block_length
                 : may_keep_elements(function_, *soac)
                     ? options_.fold_unit
                     : std::max(options_.fold_unit, primitives::row_length);
      cut.chunk = (cut.chunk + cut.unit - 1) / cut.unit * cut.unit;
    }
    for (const ir::Group& group : soac->groups)
      if (const auto* histogram = std::get_if<ir::HistogramGroup>(&group);
          histogram && ir::order_shows(*histogram)) {
        std::int64_t bins = 1;
        const auto& extents = function_.type(histogram->destinations[0]).extents;
        for (std::uint32_t d = 0; d < histogram->index_count; ++d)
          bins *= number(extents[d]);
        cut.chunk = std::max<std::int64_t>(primitives::segments(cut.extent, bins).length, 1);
      }
    return cut;
  }

  /// Partial values of all chunks, histograms' private bins filled with the neutral element.
  struct Partials {
    std::deque<std::vector<std::byte>> storage;
    std::vector<std::byte*> bases;
    std::vector<std::int64_t> strides;
    std::vector<std::size_t> of_filters; ///< among the bases
  };

  void add_partial(Partials& partials, const Cut& cut, const ir::Type& type,
                   const ir::Operand* fill) const {
    std::int64_t elements = 1;
    for (const ir::Operand& size : type.extents)
      elements *= number(size);
    const auto bytes = elements * static_cast<std::int64_t>(byte_size(type.element));
    const std::int64_t count = std::max<std::int64_t>({cut.chunks(), cut.units(), 1});
    auto& storage =
        partials.storage.emplace_back(static_cast<std::size_t>(bytes * count + 1), std::byte{0x77});
    if (fill)
      for (std::int64_t e = 0; e < elements * cut.chunks(); ++e)
        store_scalar(type.element, storage.data(), e, element_of(*fill, e));
    partials.bases.push_back(storage.data());
    partials.strides.push_back(bytes);
  }

  Partials partials(const ir::Soac& soac, const Cut& cut) const {
    Partials partials;
    const auto add_each = [&](const std::vector<ir::Operand>& neutral) {
      for (const ir::Operand& element : neutral)
        add_partial(partials, cut, function_.type(element), nullptr);
    };
    for (const ir::Group& group : soac.groups) {
      if (const auto* reduce = std::get_if<ir::ReduceGroup>(&group)) add_each(reduce->neutral);
      if (const auto* scan = std::get_if<ir::ScanGroup>(&group)) {
        add_each(scan->neutral);
        for (const ir::Post& post : scan->post)
          for (const ir::Group& inner : post.groups)
            if (const auto* reduce = std::get_if<ir::ReduceGroup>(&inner))
              add_each(reduce->neutral);
      }
      if (const auto* histogram = std::get_if<ir::HistogramGroup>(&group))
        for (std::size_t i = 0; i < histogram->destinations.size(); ++i)
          add_partial(partials, cut, function_.type(histogram->destinations[i]),
                      &histogram->neutral[i]);
      if (std::holds_alternative<ir::FilterGroup>(group)) {
        partials.of_filters.push_back(partials.bases.size());
        add_partial(partials, cut, {ElementType::I64, {}}, nullptr);
      }
      if (const auto* partition = std::get_if<ir::PartitionGroup>(&group))
        add_partial(partials, cut, {ElementType::I64, {partition->kinds}}, nullptr);
    }
    return partials;
  }

  ir::Evaluation launch() {
    const auto* soac = code_.index_space.empty()
                           ? nullptr
                           : std::get_if<ir::Soac>(&function_.body.statements.back().operation);
    const Cut cut = this->cut(soac);
    const std::int64_t chunks = cut.chunks();
    const Partials partials = soac ? this->partials(*soac, cut) : Partials();
    Arena arena;
    FailureNote note;
    const std::atomic<std::uint32_t> epoch{7};
    KernelFrame frame;
    frame.arguments = words_.data();
    frame.results = results_.data();
    frame.partials = partials.bases.data();
    frame.partial_strides = partials.strides.data();
    frame.chunks = chunks;
    frame.fold_unit = cut.unit;
    frame.fold_units = cut.units();
    frame.streams_results = options_.streamed ? 1 : 0;
    frame.epoch = &epoch;
    frame.start_epoch = 7;
    frame.failure = &note;
    frame.arena = &arena;
    if (options_.shares > 0 && chunks == 1 && code_.deal) {
      if (!deal(frame, cut)) return note.site;
      return gather(soac, cut.chunk, chunks, partials.bases, partials.of_filters);
    }
    const auto end = [&](std::int64_t c) { return std::min(cut.extent, (c + 1) * cut.chunk); };
    for (std::int64_t c = chunks; c-- > 0;) // any order will do
      if (code_.run(&frame, c * cut.chunk, end(c), c) != 0) {
        if (!note.is_set) throw std::runtime_error("stopped without a failure");
        return note.site;
      }
    if (code_.combine && code_.combine(&frame, chunks) != 0)
      throw std::runtime_error("combine failed");
    if (code_.finish && (chunks > 1 || ir::has_group<ir::PartitionGroup>(*soac)))
      for (std::int64_t c = chunks; c-- > 0;)
        if (code_.finish(&frame, c * cut.chunk, end(c), c) != 0)
          throw std::runtime_error("finish failed");
    if (code_.conclude && code_.conclude(&frame, chunks) != 0)
      throw std::runtime_error("conclude failed");
    if (!arena.blocks.empty() && soac) throw std::runtime_error("scratch memory was kept");
    return gather(soac, cut.chunk, chunks, partials.bases, partials.of_filters);
  }

  /// Rounds of a few chunks, whose updates are done before the next round's.  Whether no check
  /// failed.
  bool deal(KernelFrame frame, const Cut& cut) const {
    constexpr std::int64_t slots = 3;
    const auto* const soac = std::get_if<ir::Soac>(&function_.body.statements.back().operation);
    std::int64_t update_bytes = sizeof(std::int32_t);
    for (const ir::Operand& neutral : std::get<ir::HistogramGroup>(soac->groups[0]).neutral)
      update_bytes += static_cast<std::int64_t>(byte_size(function_.type(neutral).element));
    const std::int64_t chunk = std::min(options_.chunk, std::max<std::int64_t>(cut.extent, 1));
    const std::int64_t room =
        (chunk + 2 * update_list_slack - 1) / update_list_slack * update_list_slack;
    std::vector<std::byte, boost::alignment::aligned_allocator<std::byte, 64>> lists(
        static_cast<std::size_t>(slots * options_.shares *
                                 (update_list_header + room * update_bytes)),
        std::byte{0x77});
    frame.update_lists = lists.data();
    frame.update_list_room = room;
    frame.shares = options_.shares;
    for (std::int64_t first = 0; first < cut.extent; first += slots * chunk) {
      std::int64_t used = 0;
      for (std::int64_t begin = first; used < slots && begin < cut.extent; begin += chunk)
        if (code_.deal(&frame, begin, std::min(cut.extent, begin + chunk), used++) != 0)
          return false;
      for (std::int64_t share = options_.shares; share-- > 0;) // any order will do
        if (code_.accumulate(&frame, 0, used, share) != 0)
          throw std::runtime_error("accumulate failed");
    }
    return true;
  }

  ir::Evaluation gather(const ir::Soac* soac, std::int64_t chunk, std::int64_t chunks,
                        const std::vector<std::byte*>& bases,
                        const std::vector<std::size_t>& filter_partials) {
    std::vector<ir::DenseValue> results;
    for (std::size_t r = 0; r < results_.size(); ++r) {
      const Buffer* buffer = result_buffers_[r];
      if (!buffer)
        results.push_back(Scalar{results_[r]});
      else
        results.push_back(buffer->array(buffer->extents[0]));
    }
    if (!soac) return results;
    // Filters: the kept elements of each chunk, one after the other.
    std::size_t r = 0;
    std::size_t filter_number = 0;
    for (const ir::Group& group : soac->groups) {
      const auto* filter = std::get_if<ir::FilterGroup>(&group);
      if (!filter) {
        r += ir::arity(group).results;
        continue;
      }
      const auto* counts =
          reinterpret_cast<const std::int64_t*>(bases[filter_partials[filter_number++]]);
      std::int64_t total = 0;
      for (std::int64_t c = 0; c < chunks; ++c)
        total += counts[c];
      results[r] = Scalar::of(total);
      for (std::uint32_t v = 1; v <= filter->value_count; ++v) {
        const auto& staged = std::get<ir::DenseArray>(results[r + v]);
        ir::DenseArray kept{staged.element, staged.extents, {}};
        kept.extents[0] = total;
        std::int64_t row = 1;
        for (std::size_t d = 1; d < staged.extents.size(); ++d)
          row *= staged.extents[d];
        std::vector<Scalar>& elements = kept.elements.own();
        for (std::int64_t c = 0; c < chunks; ++c)
          elements.insert(elements.end(), staged.elements.begin() + c * chunk * row,
                          staged.elements.begin() + (c * chunk + counts[c]) * row);
        results[r + v] = kept;
      }
      r += 1 + filter->value_count;
    }
    return results;
  }

  const ir::Function& function_;
  const Code& code_;
  const RunnerOptions& options_;
  const std::vector<ir::DenseValue>& arguments_;
  std::deque<Buffer> buffers_;
  std::vector<std::uint64_t> words_, results_;
  std::vector<Buffer*> argument_buffers_, result_buffers_;
};

} // namespace

bool can_run(Processor processor) {
  if (processor == Processor::Avx2)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (processor == Processor::Avx512)
    return can_run(Processor::Avx2) && __builtin_cpu_supports("avx512vl") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw");
  return true;
}

namespace {

/// Whether the scalars are equal, where each NaN is as good as another: which one the sum of two is
/// depends on their order, and that on how code is generated.
bool are_same(ElementType element, Scalar a, Scalar b) {
  return a == b || (is_float(element) && with_cpp_type(element, [&]<typename T>() {
                      return a.as<T>() != a.as<T>() && b.as<T>() != b.as<T>();
                    }));
}
bool are_same(const ir::DenseValue& a, const ir::DenseValue& b) {
  const auto* const array = std::get_if<ir::DenseArray>(&a);
  const auto* const other = std::get_if<ir::DenseArray>(&b);
  if (!array || !other) return a == b;
  return array->element == other->element && array->extents == other->extents &&
         std::equal(array->elements.begin(), array->elements.end(), other->elements.begin(),
                    other->elements.end(),
                    [&](Scalar x, Scalar y) { return are_same(array->element, x, y); });
}
bool are_same(const ir::Evaluation& a, const ir::Evaluation& b) {
  const auto* const data = std::get_if<std::vector<ir::DenseValue>>(&a);
  const auto* const others = std::get_if<std::vector<ir::DenseValue>>(&b);
  if (!data || !others) return a == b;
  return std::equal(
      data->begin(), data->end(), others->begin(), others->end(),
      [](const ir::DenseValue& x, const ir::DenseValue& y) { return are_same(x, y); });
}

} // namespace

KernelRunner::KernelRunner(const ir::Function& function) : function_(function) {}
KernelRunner::~KernelRunner() = default;

const KernelRunner::Code& KernelRunner::code_for(const RunnerOptions& options) {
  std::string kind =
      std::to_string(options.lanes) + " " + std::to_string(static_cast<int>(options.processor));
  if (options.strided) kind += " strided";
  if (options.compact) kind += " compact";
  if (options.plain) kind += " plain";
  if (options.is_zen) kind += " zen";
  if (options.has_small_caches) kind += " small caches";
  std::unique_ptr<Code>& code = codes_[kind];
  if (!code) code = std::make_unique<Code>(function_, options);
  return *code;
}

ir::Evaluation KernelRunner::run(const std::vector<ir::DenseValue>& arguments,
                                 const RunnerOptions& options) {
  ir::Evaluation result = Run(function_, code_for(options), arguments, options).run();
  if (options.compact || options.plain) return result;
  RunnerOptions compact = options;
  compact.compact = true;
  if (!are_same(Run(function_, code_for(compact), arguments, compact).run(), result))
    throw std::runtime_error("compact code gives something else");
  return result;
}

ir::Evaluation run_kernel(const ir::Function& function,
                          const std::vector<ir::DenseValue>& arguments,
                          const RunnerOptions& options) {
  return KernelRunner(function).run(arguments, options);
}

std::string kernel_text(const ir::Function& function, const RunnerOptions& options) {
  const EmittedKernel kernel = emit_kernel(function, emit_options(function, options));
  std::string text;
  llvm::raw_string_ostream stream(text);
  kernel.module->print(stream, nullptr);
  return text;
}

} // namespace sinter::jit
