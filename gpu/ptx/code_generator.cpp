#include "gpu/ptx/code_generator.h"

#include "gpu/device/device.h"
#include "gpu/ptx/chosen_passes.h"
#include "gpu/ptx/rules.h"
#include "jit/cpu/register_allocation.h"

#include <mutex>

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

// (The target's entries have no header: LLVM's own lists them for all targets.)
extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace sinter::gpu {

namespace {

constexpr const char* triple = "nvptx64-nvidia-cuda";
constexpr unsigned architectures[] = {90, 89, 86, 80, 75};

void initialise_target() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

class ErrorCollector : public llvm::DiagnosticHandler {
public:
  explicit ErrorCollector(std::string& words) : words_(words) {}
  bool handleDiagnostics(const llvm::DiagnosticInfo& information) override {
    if (information.getSeverity() != llvm::DS_Error) return true;
    if (!words_.empty()) words_ += "; ";
    llvm::raw_string_ostream stream(words_);
    llvm::DiagnosticPrinterRawOStream printer(stream);
    information.print(printer);
    return true;
  }

private:
  std::string& words_;
};

/// Collects the context's errors while it lives; by its own handler they would end the process.
class CollectedErrors {
public:
  explicit CollectedErrors(llvm::LLVMContext& context)
      : context_(context), before_(context.getDiagnosticHandler()) {
    context.setDiagnosticHandler(std::make_unique<ErrorCollector>(words_));
  }
  CollectedErrors(const CollectedErrors&) = delete;
  CollectedErrors& operator=(const CollectedErrors&) = delete;
  ~CollectedErrors() { context_.setDiagnosticHandler(std::move(before_)); }
  const std::string& words() const { return words_; }

private:
  llvm::LLVMContext& context_;
  std::unique_ptr<llvm::DiagnosticHandler> before_;
  std::string words_;
};

} // namespace

unsigned architecture_for(unsigned compute_capability) {
  for (const unsigned architecture : architectures)
    if (architecture <= compute_capability) return architecture;
  throw DeviceError(
      DeviceError::Kind::NoCode,
      "the device's compute capability is below 7.5, the least that there is code for");
}

std::unique_ptr<llvm::TargetMachine> make_ptx_machine(unsigned architecture) {
  initialise_target();
  std::string error;
  const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(triple, error);
  std::unique_ptr<llvm::TargetMachine> machine;
  if (target)
    machine.reset(target->createTargetMachine(triple, "sm_" + std::to_string(architecture), "",
                                              exact_float_options(), std::nullopt, std::nullopt,
                                              llvm::CodeGenOptLevel::Default));
  if (!machine)
    throw DeviceError(DeviceError::Kind::NoCode, "there is no code generator for PTX: " + error);
  return machine;
}

std::string generate_ptx(llvm::Module& module, llvm::TargetMachine& machine) {
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  const CollectedErrors errors(module.getContext());
  ChosenPasses passes;
  {
    const jit::RegisterAllocation allocation(jit::RegisterAllocation::Kind::WholeFunctions);
    if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
      throw DeviceError(DeviceError::Kind::NoCode, "the code generator for PTX writes no text");
  }
  passes.run(module);
  if (!errors.words().empty()) throw DeviceError(DeviceError::Kind::NoCode, errors.words());
  return std::string(text.str());
}

} // namespace sinter::gpu
