// The likeliest ways through a model of DNA in a nanopore, as `../viterbi.fut` has them: a thread
// has a signal at a time, whose scores stay in its second-level cache and are renewed in place,
// class by class; where each state comes from is written past the caches.
#include "harness.h"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace {

constexpr int lanes = 16;
constexpr int kmers = 4096, contexts = kmers / 4, classes = 16;
constexpr std::int64_t samples = 6000;
constexpr int line = 64; // k-mers whose entries fill a cache line
/// From a class's scores to the next one's: not a power of two, whose addresses would be taken for
/// those that have just been written, and share the first-level cache's sets.
constexpr int stride = kmers + 2 * line;

using Floats = float __attribute__((vector_size(lanes * 4)));
using Ints = std::int32_t __attribute__((vector_size(lanes * 4)));
using Bytes = std::uint8_t __attribute__((vector_size(lanes)));

Floats load(const float* from) {
  return *reinterpret_cast<const Floats*>(from);
}
void store(float* to, Floats value) {
  *reinterpret_cast<Floats*>(to) = value;
}

struct Model {
  Model() : levels(kmers) {
    for (int w = 0; w < kmers; ++w)
      levels[w] = 64 * cases::uniform(1, w);
    for (int c = 0; c < classes; ++c) {
      enter[c] = c == 0 ? -8 : -4;
      go_on[c] = c == classes - 1 ? -0.5f : c == classes - 2 ? -1.0f : 0.0f;
    }
  }
  cases::Array<float> levels;
  float enter[classes], go_on[classes];
};

void draw_signal(const Model& model, std::int64_t q, float* signal) {
  std::int64_t kmer = 0, left = 0;
  for (std::int64_t i = q * samples; i < (q + 1) * samples; ++i) {
    const auto drawn = static_cast<std::uint32_t>(cases::h64(6, i) >> 32);
    if (left > 0) {
      --left;
    } else {
      kmer = (kmer * 4 + drawn % 4) % kmers;
      left = 1 + drawn / 4 % (classes - 1);
    }
    const float noise = cases::uniform(2, i) + cases::uniform(3, i) + cases::uniform(4, i) +
                        cases::uniform(5, i) - 2;
    *signal++ = model.levels[kmer] + noise;
  }
}

/// A line of entries, which nobody reads soon.
void store_line(std::uint8_t* to, const Bytes (&entries)[line / lanes]) {
#if defined(__AVX512F__)
  __m512i all;
  static_assert(sizeof all == sizeof entries);
  std::memcpy(&all, entries, sizeof all);
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to), all);
#else
  std::memcpy(to, entries, sizeof entries);
#endif
}

struct Work {
  Work()
      : scores(classes * stride), entries(samples * classes * kmers), letters(samples * contexts),
        reached(contexts), spread(kmers) {}
  cases::Array<float> scores;
  cases::Array<std::uint8_t> entries; ///< whether a state's k-mer has just been entered
  cases::Array<std::uint8_t> letters; ///< that are then left behind, by the letters that stay
  cases::Array<float> reached, spread;
};

/// The best of what may come before a k-mer that begins, for each k-mer.
void reach(std::uint8_t* letters, Work& work) {
  for (int c = 0; c < contexts; c += lanes) {
    Floats most = load(&work.scores[c]);
    Ints letter{};
    for (int b = 1; b < 4; ++b) {
      const Floats other = load(&work.scores[b * contexts + c]);
      letter = other > most ? Ints{} + b : letter;
      most = other > most ? other : most;
    }
    store(&work.reached[c], most);
    const Bytes bytes = __builtin_convertvector(letter, Bytes);
    std::memcpy(letters + c, &bytes, sizeof bytes);
  }
  for (int w = 0; w < kmers; ++w)
    work.spread[w] = work.reached[w / 4];
}

void step(const Model& model, float sample, std::int64_t i, Work& work) {
  std::uint8_t* const entries = work.entries.data() + i * classes * kmers;
  reach(work.letters.data() + i * contexts, work);
  for (int w = 0; w < kmers; w += line) {
    Floats reached[line / lanes], emitted[line / lanes];
    for (int v = 0; v < line / lanes; ++v) {
      const int at = w + v * lanes;
      const Floats off = sample - load(&model.levels[at]);
      emitted[v] = -(off * off);
      reached[v] = load(&work.spread[at]);
    }
    for (int c = 0; c < classes; ++c) {
      Bytes from[line / lanes];
      const float* before = &work.scores[std::min(c + 1, classes - 1) * stride + w];
      for (int v = 0; v < line / lanes; ++v) {
        const Floats on = load(before + v * lanes) + model.go_on[c];
        const Floats entered = reached[v] + model.enter[c];
        const Ints stays = on >= entered;
        store(&work.scores[c * stride + w + v * lanes], (stays ? on : entered) + emitted[v]);
        from[v] = __builtin_convertvector(stays + 1, Bytes);
      }
      store_line(entries + c * kmers + w, from);
    }
  }
}

void find_path(const Model& model, const float* signal, std::int32_t* path, Work& work) {
  // Before the first sample each k-mer can be entered.
  for (int c = 0; c < classes; ++c)
    std::fill_n(&work.scores[c * stride], kmers, c == 0 ? 0 : -INFINITY);
  for (std::int64_t i = 0; i < samples; ++i)
    step(model, signal[i], i, work);
  std::int64_t c = 0, w = 0; // of the best one, the first of equals
  for (int k = 0; k < classes * kmers; ++k)
    if (work.scores[k / kmers * stride + k % kmers] > work.scores[c * stride + w]) {
      c = k / kmers;
      w = k % kmers;
    }
  for (std::int64_t i = samples; i-- > 0;) {
    path[i] = static_cast<std::int32_t>(w * classes + c);
    if (work.entries[(i * classes + c) * kmers + w] != 0) {
      c = 0;
      w = work.letters[i * contexts + w / 4] * contexts + w / 4;
    } else {
      c = std::min<std::int64_t>(c + 1, classes - 1);
    }
  }
}

} // namespace

int main(int count, char** words) {
  const cases::Options options = cases::options(count, words);
  const Model model;
  cases::Array<float> signals(options.n * samples);
  for (std::int64_t q = 0; q < options.n; ++q)
    draw_signal(model, q, &signals[q * samples]);
  cases::Array<std::int32_t> paths(options.n * samples);
  std::vector<Work> work(std::min<std::int64_t>(options.threads, options.n));
  const auto kernel = [&] {
#pragma omp parallel for schedule(dynamic, 1) num_threads(work.size())
    for (std::int64_t q = 0; q < options.n; ++q)
      find_path(model, &signals[q * samples], &paths[q * samples], work[omp_get_thread_num()]);
  };
  cases::measure("viterbi", options, kernel,
                 [&] { return cases::digest(paths.data(), options.n * samples); });
}
