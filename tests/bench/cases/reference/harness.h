// What the references share: options, the benchmarks' inputs, times, checksums, and the line of
// JSON that `sinter bench --size` prints as well.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include <omp.h>

namespace cases {

/// Number `i` of stream `s`, uniform over all 64-bit numbers (the finaliser of splitmix64).
inline std::uint64_t h64(std::uint64_t s, std::uint64_t i) {
  std::uint64_t z = ((s << 48) + i + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/// Uniform in [0, 1), a multiple of 2^-24.
inline float uniform(std::uint64_t s, std::uint64_t i) {
  return static_cast<float>(h64(s, i) >> 40) * 0x1p-24f;
}

/// An array that begins at a cache line, not initialised.
template <class T>
class Array {
public:
  explicit Array(std::size_t size)
      : size_(size),
        data_(static_cast<T*>(std::aligned_alloc(64, (size * sizeof(T) / 64 + 1) * 64))) {
    if (data_ == nullptr) {
      std::fputs("out of memory\n", stderr);
      std::exit(3);
    }
  }
  std::size_t size() const { return size_; }
  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  T& operator[](std::size_t i) { return data_.get()[i]; }
  const T& operator[](std::size_t i) const { return data_.get()[i]; }

private:
  struct Free {
    void operator()(T* data) const { std::free(data); }
  };
  std::size_t size_;
  std::unique_ptr<T, Free> data_;
};

/// `NAME [--n N] [--threads T] [--runs R]`.
struct Options {
  std::int64_t n = 1;
  int threads = omp_get_num_procs();
  int runs = 5;
};

inline Options options(int count, char** words) {
  Options found;
  for (int k = 1; k + 1 < count; k += 2) {
    const std::string_view word = words[k];
    const std::int64_t value = std::atoll(words[k + 1]);
    if (word == "--n" && value > 0)
      found.n = value;
    else if (word == "--threads" && value > 0)
      found.threads = static_cast<int>(value);
    else if (word == "--runs" && value > 0)
      found.runs = static_cast<int>(value);
    else
      count = 0;
  }
  if (count % 2 == 0) {
    std::fprintf(stderr, "usage: %s [--n N] [--threads T] [--runs R]\n", words[0]);
    std::exit(2);
  }
  omp_set_num_threads(found.threads);
  return found;
}

/// Sum of all elements; weighted sum of a sample; hash, of a sample of floats, of all integers.
struct Digest {
  double sum = 0, weighted = 0;
  std::uint64_t hash = 0;
};

template <class T>
Digest digest(const T* values, std::int64_t count) {
  Digest made;
  for (std::int64_t i = 0; i < count; ++i)
    made.sum += static_cast<double>(values[i]);
  const std::int64_t sampled = std::min<std::int64_t>(count, 65536);
  const auto at = [&](std::int64_t k, std::int64_t of) {
    return static_cast<double>(values[k * count / of]);
  };
  double largest = 0;
  for (std::int64_t k = 0; k < sampled; ++k) {
    made.weighted += (1 + static_cast<double>(k % 17) / 16) * at(k, sampled);
    largest = std::max(largest, std::fabs(at(k, sampled)));
  }
  if constexpr (std::is_integral_v<T>) {
    for (std::int64_t k = 0; k < count; ++k)
      made.hash += h64(77, static_cast<std::uint32_t>(values[k]) + (std::uint64_t(k) << 32));
  } else {
    const double scale = largest > 0 ? std::exp2(std::ceil(std::log2(largest))) : 1;
    const std::int64_t few = std::min<std::int64_t>(sampled, 64);
    for (std::int64_t k = 0; k < few; ++k) {
      const std::int64_t rounded = std::llround(64 * at(k * sampled / few, sampled) / scale);
      made.hash += h64(77, static_cast<std::uint64_t>(rounded) + (std::uint64_t(k) << 32));
    }
  }
  return made;
}

/// The digest of one result after that of another.
inline Digest both(const Digest& first, const Digest& second) {
  return {first.sum + second.sum, first.weighted + second.weighted, 31 * first.hash + second.hash};
}

/// Runs a kernel, once to warm up, and prints its times and the digest that a function gives.
template <class Kernel, class Checksum>
void measure(const char* name, const Options& options, Kernel kernel, Checksum checksum) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> times;
  for (int run = -1; run < options.runs; ++run) {
    const auto start = Clock::now();
    kernel();
    const std::chrono::duration<double> taken = Clock::now() - start;
    if (run >= 0) times.push_back(taken.count());
  }
  std::sort(times.begin(), times.end());
  const Digest found = checksum();
  std::printf("{\"name\":\"%s\",\"n\":%lld,\"median_s\":%.9g,\"min_s\":%.9g,\"sum\":%.17g,"
              "\"wsum\":%.17g,\"hash\":\"%016llx\"}\n",
              name, static_cast<long long>(options.n), times[times.size() / 2], times[0], found.sum,
              found.weighted, static_cast<unsigned long long>(found.hash));
}

} // namespace cases
