#include "repl/streaming/streaming.h"

#include "lang/base/chance.h"
#include "lang/eval/chunk_laws.h"
#include "lang/values/array.h"
#include "lang/values/elements.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <utility>

namespace sinter::repl {

namespace {

/// Elements of the first chunk, and the least that the size is a multiple of where they are small:
/// sums of whole rows are combined as those of one array are.
constexpr std::int64_t first_elements = 4096;
/// The part of the memory that a chunk of input may take: beside it are the next one, what comes of
/// it and what comes between.
constexpr std::size_t chunk_part = 16;
constexpr std::size_t most_chunk_bytes = std::size_t{64} << 20;
/// What `check` looks at.
constexpr std::size_t checked_bytes = std::size_t{64} << 20;
constexpr std::int64_t checked_chunk = 1000;

std::int64_t elements_in(std::size_t bytes, const Step& step) {
  return std::max<std::int64_t>(static_cast<std::int64_t>(bytes / step.element_bytes()), 1);
}

/// All that came of a number of chunks.
struct Computed {
  std::string results; ///< their bytes
  std::string state;   ///< as text, with which its bits are told
};

} // namespace

Streaming::Streaming(Session& session, const Step& step, ChunkSource& source, ByteSink& sink,
                     Value state, const StreamOptions& options)
    : session_(session), step_(step), source_(source), sink_(sink), state_(std::move(state)),
      options_(options),
      most_(elements_in(std::min(most_chunk_bytes, session.memory().limit() / chunk_part), step)),
      size_(options.chunk > 0 ? options.chunk : first_elements,
            options.chunk > 0 ? options.chunk : most_) {}

Outcome Streaming::apply(const ArrayRef& chunk, Value& state, Value& results) {
  Outcome outcome = session_.guarded([&] {
    std::vector<Value> arguments;
    if (step_.state) arguments.push_back(state);
    arguments.emplace_back(chunk);
    // (They stay: if memory fails, the chunk is computed again, by halves.)
    return session_.evaluator().call(*step_.entry.function, arguments);
  });
  if (!outcome.ok()) return outcome;
  Value value = std::exchange(outcome.value, Value());
  if (!step_.state) {
    results = std::move(value);
  } else if (!step_.results) {
    state = std::move(value);
  } else {
    state = value.fields()[0];
    results = value.fields()[1];
  }
  outcome.kind = Outcome::Kind::Done;
  return outcome;
}

/// To wait for input is no evaluation: no time is too long for it.
template <typename Action>
Outcome Streaming::waited_for(Action&& action) {
  const auto timeout = session_.options().timeout;
  session_.set_timeout(std::nullopt);
  Outcome outcome = session_.limited(std::forward<Action>(action));
  session_.set_timeout(timeout);
  return outcome;
}

/// Whether half as many elements may be tried: memory failed, and it is free how many there are.
bool Streaming::may_halve(const Outcome& outcome, std::int64_t count) const {
  return outcome.failure == FailureKind::OutOfMemory && count > 1 && options_.chunk == 0;
}

/// Says what helps where chunks of a fixed size are too large.
void Streaming::advise(Outcome& outcome) const {
  if (outcome.failure != FailureKind::OutOfMemory || options_.chunk <= 1) return;
  outcome.messages += "  chunks are to have " + std::to_string(options_.chunk) +
                      " elements; a smaller --chunk, or --chunk auto, takes less memory\n";
}

Outcome Streaming::take_chunk(const ArrayRef& chunk) {
  const std::int64_t count = chunk->shape.front();
  Value results;
  Outcome outcome = apply(chunk, state_, results);
  if (may_halve(outcome, count)) {
    size_.halve(count);
    session_.memory().release_spare();
    const std::int64_t half = count / 2;
    outcome = take_chunk(slice_view(chunk, 0, 0, half, 1));
    return outcome.ok() ? take_chunk(slice_view(chunk, 0, half, count - half, 1)) : outcome;
  }
  if (!outcome.ok() || !step_.results) return outcome;
  const std::string messages = std::move(outcome.messages);
  outcome = session_.limited([&] {
    if (options_.npy)
      options_.npy->write(results);
    else
      write_chunk(sink_, options_.format, results, step_.results, session_.representations());
  });
  outcome.messages = messages + outcome.messages;
  return outcome;
}

Outcome Streaming::run() {
  const bool is_fixed = options_.chunk > 0;
  while (true) {
    ArrayRef chunk;
    Outcome outcome = waited_for([&] { chunk = source_.next(size_.elements(), is_fixed); });
    if (may_halve(outcome, size_.elements())) {
      size_.halve(size_.elements());
      session_.memory().release_spare();
      continue;
    }
    if (!outcome.ok() || !chunk) {
      advise(outcome);
      return outcome;
    }
    const std::int64_t count = chunk->shape.front();
    const auto start = std::chrono::steady_clock::now();
    outcome = take_chunk(chunk);
    if (!outcome.ok()) {
      advise(outcome);
      return outcome;
    }
    if (!is_fixed && count == size_.elements())
      size_.note(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    if (!options_.after_chunk) continue;
    outcome = session_.limited([&] { options_.after_chunk(source_.bytes()); });
    if (!outcome.ok()) return outcome;
  }
}

Outcome Streaming::check() {
  const std::size_t bytes = std::min(checked_bytes, session_.memory().limit() / chunk_part);
  ArrayRef first;
  Outcome outcome = waited_for([&] { first = source_.next(elements_in(bytes, step_), true); });
  if (!outcome.ok() || !first) return outcome;
  const std::int64_t count = first->shape.front();

  const auto computed = [&](const eval::Cuts& cuts, Computed& all) {
    Value state = state_;
    StringSink sink(all.results);
    std::int64_t begin = 0;
    for (std::size_t i = 0; i <= cuts.size(); ++i) {
      const std::int64_t end = i < cuts.size() ? cuts[i] : count;
      Value results;
      Outcome done = apply(slice_view(first, 0, begin, end - begin, 1), state, results);
      begin = end;
      if (!done.ok()) return done;
      if (!step_.results) continue;
      done = session_.limited([&] {
        write_chunk(sink, ChunkFormat::Bytes, results, step_.results, session_.representations());
      });
      if (!done.ok()) return done;
    }
    if (step_.state) all.state = print_value(state, step_.state);
    return Outcome();
  };
  Computed whole;
  outcome = computed({}, whole);
  if (!outcome.ok()) return outcome;
  RepeatableChance chance;
  eval::Cuts random = eval::random_cuts(count, chance);
  if (random.empty() && count > 1) random.push_back(count / 2);
  const std::int64_t regular = std::max<std::int64_t>(checked_chunk, count / checked_chunk);
  const struct {
    eval::Cuts cuts;
    std::string name;
  } others[] = {{eval::regular_cuts(count, count > regular ? regular : (count + 1) / 2),
                 "chunks of equal size"},
                {std::move(random), "chunks of random sizes"}};
  for (const auto& other : others) {
    if (other.cuts.empty()) continue;
    Computed chunked;
    outcome = computed(other.cuts, chunked);
    if (!outcome.ok()) return outcome;
    std::string difference;
    if (chunked.results != whole.results) {
      const std::size_t same = static_cast<std::size_t>(
          std::ranges::mismatch(chunked.results, whole.results).in1 - chunked.results.begin());
      difference = "results differ from byte " + std::to_string(same) + " on";
      if (chunked.results.size() != whole.results.size())
        difference += ", of " + std::to_string(chunked.results.size()) + " bytes and " +
                      std::to_string(whole.results.size());
    } else if (chunked.state != whole.state) {
      difference = "the state is " + chunked.state + ", and " + whole.state;
    }
    if (difference.empty()) continue;
    return session_.guarded([&]() -> Value {
      throw RuntimeError("chunk-law",
                         "`" + step_.entry.name + "` depends on how its input is cut: of " +
                             std::to_string(count) + " elements in " + other.name + " (" +
                             std::to_string(other.cuts.front()) +
                             " in the first) and in one chunk, " + difference,
                         step_.entry.span);
    });
  }
  source_.put_back(first);
  return Outcome();
}

} // namespace sinter::repl
