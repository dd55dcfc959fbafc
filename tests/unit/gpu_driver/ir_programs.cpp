// The programs of the runtime's tests, which run on a device here.
#include "tests/unit/jit_runtime/ir_programs.cpp"
