#include "gpu/skeletons/transposition.h"

#include "gpu/kernels/abstract_functions.h"
#include "gpu/kernels/calls.h"
#include "gpu/kernels/gpu_hooks.h"
#include "jit/emit/lanes.h"

#include <array>

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

namespace sinter::gpu {

using llvm::Value;

namespace {

constexpr std::int64_t tile_side = 32, tile_line = 33;
constexpr std::uint32_t tile_threads = 256;
constexpr std::int64_t lines_at_once = tile_threads / tile_side;
constexpr std::array<unsigned, 4> sizes = {1, 2, 4, 8};

class Transposition {
public:
  Transposition(jit::KernelModule& kernel, unsigned element_bytes)
      : entry_(declare(kernel, element_bytes)), b(kernel, entry_),
        element_(b.ir.getIntNTy(8 * element_bytes)), alignment_(element_bytes) {}

  EntryPoint emit() {
    Value* const rows = entry_->getArg(2);
    Value* const columns = entry_->getArg(3);
    Value* const thread = wide(AbstractFunction::thread_index);
    Value* const x = b.ir.CreateAnd(thread, b.i64(tile_side - 1));
    Value* const y = b.ir.CreateLShr(thread, b.i64(5));
    // (Tiles are counted by 31 bits.)
    Value* const block = b.ir.CreateZExt(call(AbstractFunction::block_index_x), b.ir.getInt64Ty());
    Value* const across = b.ir.CreateLShr(b.ir.CreateAdd(columns, b.i64(tile_side - 1)), b.i64(5));
    const auto narrow = [&](Value* number) { return b.ir.CreateTrunc(number, b.ir.getInt32Ty()); };
    const auto first = [&](Value* tile) {
      return b.ir.CreateShl(b.ir.CreateZExt(tile, b.ir.getInt64Ty()), b.i64(5));
    };
    Value* const top = first(b.ir.CreateUDiv(narrow(block), narrow(across)));
    Value* const left = first(b.ir.CreateURem(narrow(block), narrow(across)));
    Value* const shared = call(AbstractFunction::shared_memory);
    const auto in_tile = [&](Value* line, Value* position) {
      return b.ir.CreateGEP(element_, shared,
                            b.ir.CreateAdd(b.ir.CreateMul(line, b.i64(tile_line)), position));
    };
    for_each_line(y, top, rows, left, columns, x, [&](Value* line, Value* place) {
      b.ir.CreateAlignedStore(b.ir.CreateAlignedLoad(element_, at(0, place), alignment_),
                              in_tile(line, x), alignment_);
    });
    call(AbstractFunction::barrier);
    for_each_line(y, left, columns, top, rows, x, [&](Value* line, Value* place) {
      b.ir.CreateAlignedStore(b.ir.CreateAlignedLoad(element_, in_tile(x, line), alignment_),
                              at(1, place), alignment_);
    });
    b.ir.CreateRetVoid();
    EntryPoint point;
    point.name = entry_->getName().str();
    point.words = 4;
    point.threads = tile_threads;
    return point;
  }

private:
  static llvm::Function* declare(jit::KernelModule& kernel, unsigned element_bytes) {
    llvm::LLVMContext& context = kernel.module.getContext();
    const std::vector<llvm::Type*> words(4, llvm::Type::getInt64Ty(context));
    auto* const entry = llvm::Function::Create(
        llvm::FunctionType::get(llvm::Type::getVoidTy(context), words, false),
        llvm::Function::ExternalLinkage, transposition_entry(element_bytes), kernel.module);
    entry->addFnAttr(llvm::Attribute::NoUnwind);
    return entry;
  }
  Value* call(AbstractFunction function) {
    return call_abstract(b.ir, b.kernel.module, function, {});
  }
  Value* wide(AbstractFunction function) {
    return b.ir.CreateZExt(call(function), b.ir.getInt64Ty());
  }
  Value* at(unsigned word, Value* place) {
    return b.ir.CreateGEP(
        element_, b.ir.CreateIntToPtr(entry_->getArg(word), b.ir.getPtrTy(global_space)), place);
  }

  /// The thread's elements of a tile of a matrix of `lines` lines of `length` elements: `body` gets
  /// the line in the tile, and the place in the matrix.
  void for_each_line(Value* y, Value* first_line, Value* lines, Value* first, Value* length,
                     Value* x, const std::function<void(Value*, Value*)>& body) {
    Value* const column = b.ir.CreateAdd(first, x);
    for (std::int64_t step = 0; step < tile_side; step += lines_at_once) {
      Value* const line = b.ir.CreateAdd(y, b.i64(step));
      Value* const row = b.ir.CreateAdd(first_line, line);
      Value* const is_there =
          b.ir.CreateAnd(b.ir.CreateICmpSLT(row, lines), b.ir.CreateICmpSLT(column, length));
      b.if_then(is_there, [&] { body(line, b.ir.CreateAdd(b.ir.CreateMul(row, length), column)); });
    }
  }

  llvm::Function* entry_;
  jit::LaneBuilder b;
  llvm::Type* element_;
  llvm::Align alignment_;
};

} // namespace

GpuModule make_transpositions() {
  GpuModule result;
  result.context = make_kernel_context();
  result.module = std::make_unique<llvm::Module>("transpositions", *result.context);
  const GpuHooks hooks;
  jit::KernelModule kernel{*result.module, hooks};
  for (const unsigned bytes : sizes)
    result.entries.push_back(Transposition(kernel, bytes).emit());
  promise_global_addresses(*result.module);
  return result;
}

std::string transposition_entry(std::size_t element_bytes) {
  return "transpose_" + std::to_string(element_bytes);
}

LaunchShape transposition_shape(const TranspositionWords& words, std::size_t element_bytes) {
  const auto tiles = [](std::uint64_t extent) { return (extent + tile_side - 1) / tile_side; };
  LaunchShape shape;
  shape.blocks[0] = static_cast<std::uint32_t>(tiles(words.rows) * tiles(words.columns));
  shape.threads = tile_threads;
  shape.shared_bytes = static_cast<std::uint32_t>(tile_side * tile_line * element_bytes);
  return shape;
}

bool can_transpose(std::int64_t rows, std::int64_t columns) {
  const auto tiles = [](std::int64_t extent) { return extent / tile_side + 1; };
  std::int64_t all = 0;
  return !__builtin_mul_overflow(tiles(rows), tiles(columns), &all) && all <= INT32_MAX;
}

} // namespace sinter::gpu
