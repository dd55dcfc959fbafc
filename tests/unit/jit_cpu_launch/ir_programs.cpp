// The programs of the runtime's tests, which run on compiled kernels here.
#include "tests/unit/jit_runtime/ir_programs.cpp"
