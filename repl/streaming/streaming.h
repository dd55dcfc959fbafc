// Chunk after chunk, from the source through the function to the sink.
#pragma once

#include "lang/values/byte_sink.h"
#include "repl/session/session.h"
#include "repl/streaming/chunk_sink.h"
#include "repl/streaming/chunk_size.h"
#include "repl/streaming/chunk_source.h"
#include "repl/streaming/step.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace sinter::repl {

struct StreamOptions {
  /// Elements of each chunk but the last one of each input; 0: as they come, and as many as it
  /// takes, fewer where memory fails.
  std::int64_t chunk = 0;
  ChunkFormat format = ChunkFormat::Bytes;
  NpyChunks* npy = nullptr; ///< instead of the sink, if there is one
  /// Called after each chunk with the bytes of input so far; may be null.  It may be interrupted.
  std::function<void(std::uint64_t)> after_chunk;
};

class Streaming {
public:
  /// `state`: where it begins (nothing if the function has none).  All must outlive this.
  Streaming(Session& session, const Step& step, ChunkSource& source, ByteSink& sink, Value state,
            const StreamOptions& options);

  /// Computes the first elements in three ways (one chunk, chunks of equal size, chunks of random
  /// sizes) and compares results and states, bit by bit; they are the first that `run` gives then.
  /// A difference is an error while running.
  Outcome check();
  /// Computes all chunks.  What went wrong, a Kind::Done otherwise.
  Outcome run();
  const Value& state() const { return state_; }
  /// A chunk has at most so many elements.
  std::int64_t most_elements() const { return most_; }

private:
  template <typename Action>
  Outcome waited_for(Action&& action);
  Outcome take_chunk(const ArrayRef& chunk);
  bool may_halve(const Outcome& outcome, std::int64_t count) const;
  void advise(Outcome& outcome) const;
  Outcome apply(const ArrayRef& chunk, Value& state, Value& results);

  Session& session_;
  const Step& step_;
  ChunkSource& source_;
  ByteSink& sink_;
  Value state_;
  const StreamOptions& options_;
  std::int64_t most_;
  ChunkSize size_;
};

} // namespace sinter::repl
