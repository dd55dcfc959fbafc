// An entry point in the making: its words, its frame, where its threads are.
#pragma once

#include "gpu/kernels/abstract_functions.h"
#include "gpu/kernels/gpu_module.h"
#include "gpu/skeletons/entry_words.h"
#include "jit/emit/lanes.h"

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <string_view>

namespace sinter::gpu {

/// `b` has loops, branches, variables.  Code goes on where `exit` has not been gone to; `finish`
/// ends it.
class EntryBuilder {
public:
  EntryBuilder(jit::KernelModule& kernel, std::string_view name, WordCounts counts);

  jit::LaneBuilder b;

  // ---- words
  llvm::Value* word(Word number) { return argument_word(static_cast<unsigned>(number)); }
  llvm::Value* area(unsigned number) { return argument_word(counts_.first_area() + number); }
  llvm::Value* number(unsigned number) { return argument_word(counts_.first_number() + number); }
  /// Of the arguments' words.
  llvm::Value* argument(unsigned number) {
    return argument_word(static_cast<unsigned>(Word::FirstOfLists) + number);
  }
  /// The address of a result that is an array.
  llvm::Value* result(unsigned number) { return argument_word(counts_.first_result() + number); }
  /// A word that is an address, moved by so many bytes (i64; null: none).
  llvm::Value* place(llvm::Value* address, llvm::Value* bytes = nullptr);
  /// Stores a word (i64) as a scalar result, or as a filter's count.
  void store_scalar_result(unsigned result, llvm::Value* word);

  // ---- threads
  llvm::Value* call(AbstractFunction function, std::initializer_list<llvm::Value*> arguments = {});
  llvm::Value* wide(AbstractFunction function); ///< a call, as i64
  llvm::Value* thread_number();                 ///< of all of a grid of one dimension
  llvm::Value* thread_count();
  void barrier() { call(AbstractFunction::barrier); }

  /// `for (i = begin; i < end; i += step)`, all i64.
  void for_each(llvm::Value* begin, llvm::Value* end, llvm::Value* step,
                const std::function<void(llvm::Value*)>& body);
  /// The same for those that are a thread's of its block: begin + its number, and so on.
  void for_each_of_block(llvm::Value* begin, llvm::Value* end,
                         const std::function<void(llvm::Value*)>& body);
  /// By the first thread of its block.
  void by_first_thread(const std::function<void()>& body);

  // ---- the kernel's functions
  /// What functions of jit/emit take; arguments and results are there.
  llvm::Value* frame() { return frame_; }
  void set_frame_field(std::size_t offset, llvm::Value* value);
  /// A thread's own array of words: areas or numbers from one on, for a field of the frame.
  llvm::Value* own_areas(unsigned first, unsigned count);
  llvm::Value* own_numbers(unsigned first, unsigned count);
  /// What a function stored as a scalar result (i64).
  llvm::Value* scalar_result(unsigned result);
  /// Gives the thread its piece of scratch memory; as empty as at first.
  void set_scratch();
  void empty_scratch();

  // ---- stopping
  /// i1: whether the thread may go on; looks at times.
  llvm::Value* may_go_on();
  /// Ends the thread unless the condition (i1) holds.
  void end_unless(llvm::Value* condition);

  EntryPoint finish();

private:
  llvm::Value* argument_word(unsigned number);
  /// Goes on only where nothing had failed, or was asked to stop, before the step: all threads of
  /// all blocks do the same.
  void end_if_stopped_before();
  llvm::Value* own_words(unsigned count);
  llvm::Value* own_list(unsigned first, unsigned count);
  void make_frame();

  WordCounts counts_;
  llvm::BasicBlock* exit_;
  llvm::Value *frame_ = nullptr, *results_ = nullptr, *scratch_ = nullptr, *control_ = nullptr;
};

} // namespace sinter::gpu
