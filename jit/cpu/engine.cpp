#include "jit/cpu/engine.h"

#include "jit/cpu/analyses.h"
#include "jit/cpu/compiler_memory.h"
#include "jit/cpu/narrow_indices.h"
#include "jit/cpu/object_cache.h"
#include "jit/cpu/quiet_numbers.h"
#include "jit/cpu/register_allocation.h"
#include "jit/cpu/split_masks.h"
#include "jit/cpu/wide_masks.h"

#include <atomic>
#include <cassert>
#include <cmath>
#include <map>
#include <mutex>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

#include <llvm/ADT/SmallVector.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/CodeGen/MachineModuleInfo.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/ExecutionEngine/Orc/Core.h>
#include <llvm/ExecutionEngine/Orc/ExecutorProcessControl.h>
#include <llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/ErrorHandling.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SHA256.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

namespace sinter::jit {

namespace orc = llvm::orc;

namespace {

/// To be counted up when code generation changes in a way that the
/// emitted IR does not show.
constexpr const char* engine_version = "engine 5";

[[noreturn]] void fail(const std::string& what, llvm::Error error) {
  throw std::runtime_error(what + ": " + llvm::toString(std::move(error)));
}

void initialise_llvm() {
  static std::once_flag once;
  std::call_once(once, [] {
    // (What the compiler's memory is not enough for: more is lost than this.)
    llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { throw std::bad_alloc(); });
    llvm::install_fatal_error_handler(
        [](void*, const char* reason, bool) { throw std::runtime_error(reason); });
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

std::unique_ptr<llvm::TargetMachine> make_target_machine(unsigned tier) {
  std::string triple = llvm::sys::getProcessTriple();
  std::string error;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target) throw std::runtime_error("no code generator for this machine: " + error);
  llvm::TargetOptions options;
  // Fused only what the emitter says may be.
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  auto level = tier <= 1 ? llvm::CodeGenOptLevel::None : llvm::CodeGenOptLevel::Default;
  std::unique_ptr<llvm::TargetMachine> machine(
      target->createTargetMachine(triple, processor().name, processor().features, options,
                                  llvm::Reloc::PIC_, llvm::CodeModel::Small, level, true));
  if (!machine) throw std::runtime_error("no code generator for this machine");
  return machine;
}

/// The emitter has made the vector code already: what is left is redundancy and loop-invariant
/// code.
void optimise(llvm::Module& module, llvm::TargetMachine& machine) {
  Analyses analyses(machine);
  const auto combine = [] {
    return llvm::InstCombinePass(llvm::InstCombineOptions().setVerifyFixpoint(false));
  };
  const auto hoist = [] {
    return llvm::createFunctionToLoopPassAdaptor(llvm::LICMPass(llvm::LICMOptions()),
                                                 /*UseMemorySSA=*/true);
  };
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  passes.addPass(llvm::EarlyCSEPass(/*UseMemorySSA=*/true));
  passes.addPass(combine());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(hoist());
  passes.addPass(llvm::GVNPass());
  passes.addPass(hoist());
  passes.addPass(combine());
  passes.addPass(llvm::SimplifyCFGPass());
  for (llvm::Function& function : module)
    if (!function.isDeclaration()) passes.run(function, analyses.functions);
}

/// What LLVMTargetMachine::addPassesToEmitFile adds; but the first tier's instructions stay in
/// their order, as scheduling them takes longer than it brings.
bool add_passes(llvm::legacy::PassManager& passes, llvm::LLVMTargetMachine& machine, unsigned tier,
                llvm::CodeGenFileType type, llvm::raw_pwrite_stream& out) {
  llvm::TargetPassConfig* const config = machine.createPassConfig(passes);
  auto* const information = new llvm::MachineModuleInfoWrapperPass(&machine);
  passes.add(config); // owns both
  passes.add(information);
  if (tier <= 1) config->disablePass(&llvm::MachineSchedulerID);
  if (config->addISelPasses()) return false;
  {
    // (The first tier's, too: that takes a tenth of the time longer.)
    const RegisterAllocation allocation(tier > 0 ? RegisterAllocation::Kind::WholeFunctions
                                                 : RegisterAllocation::Kind::Blocks);
    config->addMachinePasses();
  }
  config->setInitialized();
  if (machine.addAsmPrinter(passes, out, nullptr, type, information->getMMI().getContext()))
    return false;
  passes.add(llvm::createFreeMachineFunctionPass());
  return true;
}

void generate(llvm::Module& module, llvm::TargetMachine& machine, unsigned tier,
              llvm::CodeGenFileType type, llvm::SmallVectorImpl<char>& out) {
  llvm::raw_svector_ostream stream(out);
  llvm::legacy::PassManager passes;
  if (!add_passes(passes, static_cast<llvm::LLVMTargetMachine&>(machine), tier, type, stream))
    throw std::runtime_error("this machine's code generator writes no objects");
  passes.run(module);
}

std::string cache_key(const llvm::Module& module, unsigned tier) {
  llvm::SmallVector<char, 0> bitcode;
  llvm::raw_svector_ostream stream(bitcode);
  llvm::WriteBitcodeToFile(module, stream);
  llvm::SHA256 hash;
  hash.update(llvm::StringRef(bitcode.data(), bitcode.size()));
  hash.update(code_maker());
  hash.update(" " + std::to_string(tier));
  std::string key;
  for (std::uint8_t byte : hash.final()) {
    constexpr char digits[] = "0123456789abcdef";
    key += digits[byte >> 4];
    key += digits[byte & 15];
  }
  return key;
}

std::size_t text_bytes(llvm::MemoryBufferRef object) {
  llvm::Expected<std::unique_ptr<llvm::object::ObjectFile>> file =
      llvm::object::ObjectFile::createObjectFile(object);
  if (!file) {
    llvm::consumeError(file.takeError());
    return 0;
  }
  std::size_t bytes = 0;
  for (const llvm::object::SectionRef& section : (*file)->sections())
    if (section.isText()) bytes += section.getSize();
  return bytes;
}

} // namespace

/// Code generators that nobody uses now, by tier.  One serves one thread at a time, and to make it
/// takes about as long as to generate a small kernel's code with it.
class Engine::CodeGenerators {
public:
  /// Optimises if the tier says so, and generates code.  Thread-safe.
  void compile(llvm::Module& module, unsigned tier, llvm::CodeGenFileType type,
               llvm::SmallVectorImpl<char>& out) {
    std::unique_ptr<llvm::TargetMachine> machine = take(tier);
    module.setDataLayout(machine->createDataLayout());
    module.setTargetTriple(machine->getTargetTriple().str());
    for (llvm::Function& function : module)
      drop_quieting(function);
    if (tier > 1) optimise(module, *machine);
    for (llvm::Function& function : module) {
      narrow_indices(function);
      if (processor().vectors == VectorInstructions::Avx512)
        split_masks(function, 512);
      else
        widen_masks(function);
    }
    generate(module, *machine, tier, type, out);
    std::lock_guard lock(mutex_);
    idle_[tier].push_back(std::move(machine));
  }

private:
  std::unique_ptr<llvm::TargetMachine> take(unsigned tier) {
    {
      std::lock_guard lock(mutex_);
      std::vector<std::unique_ptr<llvm::TargetMachine>>& idle = idle_[tier];
      if (!idle.empty()) {
        std::unique_ptr<llvm::TargetMachine> machine = std::move(idle.back());
        idle.pop_back();
        return machine;
      }
    }
    initialise_llvm();
    return make_target_machine(tier);
  }

  std::mutex mutex_;
  std::map<unsigned, std::vector<std::unique_ptr<llvm::TargetMachine>>> idle_;
};

const ProcessorFacts& processor() {
  static const ProcessorFacts facts = [] {
    ProcessorFacts result;
    result.name = llvm::sys::getHostCPUName().str();
    result.is_zen = result.name.starts_with("znver");
    llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
    auto has = [&](llvm::StringRef feature) {
      auto found = features.find(feature);
      return found != features.end() && found->second;
    };
    // LLVM 19 takes comparisons of vectors of halves under a mask for their converse where it
    // reads the first of the two from memory: halves are compared as floats.
    features["avx512fp16"] = false;
    std::vector<std::string> list;
    for (const auto& feature : features)
      list.push_back((feature.second ? "+" : "-") + feature.first().str());
    std::sort(list.begin(), list.end());
    for (const std::string& feature : list)
      result.features += (result.features.empty() ? "" : ",") + feature;
    const bool has_avx2 = has("avx2") && has("fma") && has("f16c");
    const bool has_avx512 =
        has_avx2 && has("avx512f") && has("avx512bw") && has("avx512dq") && has("avx512vl");
    result.vectors = has_avx512 ? VectorInstructions::Avx512
                     : has_avx2 ? VectorInstructions::Avx2
                                : VectorInstructions::Sse2;
    return result;
  }();
  return facts;
}

std::string code_maker() {
  static const std::string text = std::string("sinter " SINTER_VERSION ", ") + engine_version +
                                  ", LLVM " LLVM_VERSION_STRING ", " +
                                  llvm::sys::getProcessTriple() + ", " + processor().name + ", " +
                                  processor().features;
  return text;
}

/// The linker and its symbols.
struct Engine::Session {
  Session()
      : session(take(orc::SelfExecutorProcessControl::Create())), layer(session),
        runtime(session.createBareJITDylib("runtime")) {
    // What fails is thrown, with the reason that is told here; nothing is for standard error.
    session.setErrorReporter([this](llvm::Error error) {
      std::lock_guard lock(reason_lock);
      reason = llvm::toString(std::move(error));
    });
    orc::SymbolMap symbols;
    auto add = [&](const char* name, auto* function) {
      symbols[session.intern(name)] = {orc::ExecutorAddr::fromPtr(function),
                                       llvm::JITSymbolFlags::Exported |
                                           llvm::JITSymbolFlags::Callable};
    };
    add("sinter_arena_allocate", &sinter_arena_allocate);
    add("sinter_arena_mark", &sinter_arena_mark);
    add("sinter_arena_release", &sinter_arena_release);
    add("sinter_note_failure", &sinter_note_failure);
    // What code generation itself calls for large copies and for halves.
    add("memcpy", static_cast<void* (*)(void*, const void*, std::size_t)>(&std::memcpy));
    add("memmove", static_cast<void* (*)(void*, const void*, std::size_t)>(&std::memmove));
    add("memset", static_cast<void* (*)(void*, int, std::size_t)>(&std::memset));
    // What it calls where the processor has no such instruction, or none that is as exact.
    auto add_binary = [&](const char* f32_name, float (*f32)(float, float), const char* f64_name,
                          double (*f64)(double, double)) {
      add(f32_name, f32);
      add(f64_name, f64);
    };
    add_binary("fminf", &::fminf, "fmin", &::fmin);
    add_binary("fmaxf", &::fmaxf, "fmax", &::fmax);
    auto add_unary = [&](const char* f32_name, float (*f32)(float), const char* f64_name,
                         double (*f64)(double)) {
      add(f32_name, f32);
      add(f64_name, f64);
    };
    add_unary("rintf", &::rintf, "rint", &::rint);
    add_unary("nearbyintf", &::nearbyintf, "nearbyint", &::nearbyint);
    add_unary("ceilf", &::ceilf, "ceil", &::ceil);
    add_unary("floorf", &::floorf, "floor", &::floor);
    add_unary("truncf", &::truncf, "trunc", &::trunc);
    add("fmaf", static_cast<float (*)(float, float, float)>(&::fmaf));
    add("fma", static_cast<double (*)(double, double, double)>(&::fma));
    if (llvm::Error error = runtime.define(orc::absoluteSymbols(std::move(symbols))))
      fail("the runtime's symbols", std::move(error));
  }
  ~Session() {
    if (llvm::Error error = session.endSession()) llvm::consumeError(std::move(error));
  }

  static std::unique_ptr<orc::ExecutorProcessControl>
  take(llvm::Expected<std::unique_ptr<orc::SelfExecutorProcessControl>> control) {
    if (!control) fail("the linker", control.takeError());
    return std::move(*control);
  }

  std::mutex reason_lock;
  std::string reason; ///< of the last failure, as the linker told it
  orc::ExecutionSession session;
  orc::ObjectLinkingLayer layer;
  orc::JITDylib& runtime;
  std::atomic<std::uint64_t> count{0}; ///< of libraries made, for their names
};

namespace {

/// Code in a library of its own, which goes with it.
class LibraryCode final : public LinkedCode {
public:
  LibraryCode(orc::ExecutionSession& session, orc::JITDylib& library)
      : session_(session), library_(library) {}
  ~LibraryCode() override {
    try {
      const CompilerMemory memory;
      if (llvm::Error error = session_.removeJITDylib(library_))
        llvm::consumeError(std::move(error));
    } catch (const std::exception&) {
      // It stays until there is an end of all.
    }
  }

private:
  orc::ExecutionSession& session_;
  orc::JITDylib& library_;
};

} // namespace

Engine::Engine(std::shared_ptr<ObjectCache> cache) : cache_(std::move(cache)) {
  const CompilerMemory memory;
  session_ = std::make_unique<Session>();
  generators_ = std::make_unique<CodeGenerators>();
}
Engine::~Engine() {
  try {
    const CompilerMemory memory;
    generators_.reset();
    session_.reset();
  } catch (const std::exception&) { // they stay
    static_cast<void>(generators_.release());
    static_cast<void>(session_.release());
  }
}

std::unique_ptr<LinkedCode> Engine::link(EmittedKernel kernel, unsigned tier, Cache use) {
  assert(!kernel.run.empty());
  const CompilerMemory memory;
  const ObjectCache* const cache = use == Cache::Used ? cache_.get() : nullptr;
  std::unique_ptr<llvm::MemoryBuffer> object;
  std::string key;
  bool is_from_cache = false, is_kept = false;
  if (cache) {
    key = cache_key(*kernel.module, tier);
    if (std::optional<std::string> found = cache->find(key)) {
      object = llvm::MemoryBuffer::getMemBufferCopy(*found, "cached kernel");
      is_from_cache = is_kept = true;
    }
  }
  if (!object) {
    llvm::SmallVector<char, 0> code;
    generators_->compile(*kernel.module, tier, llvm::CodeGenFileType::ObjectFile, code);
    object = llvm::MemoryBuffer::getMemBufferCopy({code.data(), code.size()}, "kernel");
    if (cache) is_kept = cache->store(key, {code.data(), code.size()});
  }
  std::size_t code_bytes = text_bytes(object->getMemBufferRef());

  orc::ExecutionSession& session = session_->session;
  orc::JITDylib& library =
      session.createBareJITDylib("kernel" + std::to_string(session_->count.fetch_add(1)));
  auto code = std::make_unique<LibraryCode>(session, library);
  library.addToLinkOrder(session_->runtime);
  if (llvm::Error error = session_->layer.add(library, std::move(object)))
    fail("a kernel's object", std::move(error));
  auto find = [&](const std::string& name) -> void* {
    if (name.empty()) return nullptr;
    llvm::Expected<orc::ExecutorSymbolDef> symbol =
        session.lookup({&library}, session.intern(name));
    if (!symbol) {
      std::lock_guard lock(session_->reason_lock);
      fail("linking a kernel (" + session_->reason + ")", symbol.takeError());
    }
    return symbol->getAddress().toPtr<void*>();
  };
  code->run = reinterpret_cast<RunFunction>(find(kernel.run));
  code->combine = reinterpret_cast<CombineFunction>(find(kernel.combine));
  code->finish = reinterpret_cast<RunFunction>(find(kernel.finish));
  code->conclude = reinterpret_cast<CombineFunction>(find(kernel.conclude));
  code->deal = reinterpret_cast<RunFunction>(find(kernel.deal));
  code->accumulate = reinterpret_cast<RunFunction>(find(kernel.accumulate));
  code->lanes_along_index = kernel.lanes_along_index;
  code->code_bytes = code_bytes;
  code->is_from_cache = is_from_cache;
  code->is_kept = is_kept;
  return code;
}

bool Engine::is_cached(const EmittedKernel& kernel, unsigned tier) const {
  return cache_ && cache_->find(cache_key(*kernel.module, tier)).has_value();
}

std::string Engine::assembly(EmittedKernel kernel, unsigned tier) const {
  const CompilerMemory memory;
  llvm::SmallVector<char, 0> text;
  generators_->compile(*kernel.module, tier, llvm::CodeGenFileType::AssemblyFile, text);
  return {text.data(), text.size()};
}

} // namespace sinter::jit
