// LLVM's code generator for PTX.
#pragma once

#include <memory>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace sinter::gpu {

/// The highest architecture that LLVM knows and a device of the compute capability runs, of sm_75,
/// 80, 86, 89 and 90.  (Those with a letter run on one device only.)  Throws DeviceError (NoCode)
/// if the device is older.
unsigned architecture_for(unsigned compute_capability);

/// Of sm_NN.
std::unique_ptr<llvm::TargetMachine> make_ptx_machine(unsigned architecture);

/// The module's text.  What code generation cannot select ends the process (lowerable.h is asked
/// before); what it merely complains about is thrown as DeviceError (NoCode).
std::string generate_ptx(llvm::Module& module, llvm::TargetMachine& machine);

} // namespace sinter::gpu
