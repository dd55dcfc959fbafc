// What the reference programs for the device share: the generator of inputs, buffers, times,
// checksums.  Inputs, checksums and sizes are those of the benchmarks' own description.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace references {

using Index = std::int64_t;
using Word = std::uint64_t;

/// A CUDA call that failed, or a benchmark that cannot run.
struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void check(cudaError_t status, const char* what) {
  if (status != cudaSuccess)
    throw Failure(std::string(what) + ": " + cudaGetErrorName(status) + ": " +
                  cudaGetErrorString(status));
}

/// Everything runs in this stream: the default one cannot be captured into a graph.
inline cudaStream_t stream = nullptr;

// ------------------------------------------------------------------------------------- inputs

/// Number `index` of the stream `number`.
__host__ __device__ inline Word hash64(Word number, Word index) {
  Word z = ((number << 48) + index + 1) * 0x9E3779B97F4A7C15ull;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  return z ^ (z >> 31);
}

__host__ __device__ inline std::uint32_t hash32(Word number, Word index) {
  return static_cast<std::uint32_t>(hash64(number, index) >> 32);
}

/// add + scale * u: exact before the addition, as the scale is a power of two.
template <class T>
struct Uniform {
  Word number;
  T scale = 1, add = 0;
  __device__ T operator()(Word index) const {
    Word bits = hash64(number, index);
    T u = sizeof(T) == 4 ? T(bits >> 40) * T(0x1p-24) : T(bits >> 11) * T(0x1p-53);
    return add + scale * u;
  }
};

struct Below {
  Word number, bound;
  __device__ int operator()(Word index) const {
    return static_cast<int>((Word(hash32(number, index)) * bound) >> 32);
  }
};

struct Words {
  Word number;
  __device__ std::uint32_t operator()(Word index) const { return hash32(number, index); }
};

// ------------------------------------------------------------------------------------ buffers

constexpr int threads = 256; // of a block, unless a kernel says otherwise

/// Blocks that cover `work` items with one thread each.
inline unsigned blocks_for(Index work, Index per_block = threads) {
  return static_cast<unsigned>(std::max<Index>(1, (work + per_block - 1) / per_block));
}

inline unsigned multiprocessors() {
  int device = 0, count = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device), "attribute");
  return static_cast<unsigned>(count);
}

template <class T, class F>
__global__ void fill_kernel(T* out, Index length, F f) {
  Index step = Index(gridDim.x) * blockDim.x;
  for (Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x; i < length; i += step)
    out[i] = f(i);
}

/// Memory of the device.
template <class T>
class Buffer {
public:
  explicit Buffer(Index length) : length_(length) {
    check(cudaMalloc(&data_, std::max<Index>(1, length) * sizeof(T)), "cudaMalloc");
  }
  template <class F>
  Buffer(Index length, F f) : Buffer(length) {
    fill_kernel<<<multiprocessors() * 8, threads, 0, stream>>>(data_, length, f);
    check(cudaGetLastError(), "fill");
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { cudaFree(data_); }
  T* get() const { return data_; }
  Index length() const { return length_; }

private:
  T* data_ = nullptr;
  Index length_;
};

// -------------------------------------------------------------------------------------- times

struct Request {
  std::string name, variant;
  Index n = 0;
  int runs = 20;
  bool is(const char* other) const { return variant == other; }
};

struct Result {
  std::string method; // where several were tried: the one that is shown
  std::vector<double> times;
  double bytes = 0, flops = 0, sum = 0, wsum = 0;
  Word hash = 0;

  double median() const {
    std::vector<double> sorted = times;
    std::sort(sorted.begin(), sorted.end());
    return (sorted[sorted.size() / 2] + sorted[(sorted.size() - 1) / 2]) / 2;
  }
};

/// The faster of two ways to the same outputs.
inline Result better(const Result& one, const Result& other) {
  const auto agree = [](double x, double y) {
    return std::fabs(x - y) <= 1e-3 * std::max(std::fabs(x), std::fabs(y));
  };
  if (!agree(one.sum, other.sum) || !agree(one.wsum, other.wsum))
    throw Failure(one.method + " and " + other.method + " give different results");
  return other.median() < one.median() ? other : one;
}

class Event {
public:
  Event() { check(cudaEventCreate(&event_), "cudaEventCreate"); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { cudaEventDestroy(event_); }
  void record() { check(cudaEventRecord(event_, stream), "cudaEventRecord"); }
  void wait() { check(cudaEventSynchronize(event_), "kernel"); }
  double seconds_since(const Event& start) const {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, start.event_, event_), "cudaEventElapsedTime");
    return milliseconds * 1e-3;
  }

private:
  cudaEvent_t event_ = nullptr;
};

/// Seconds of each run of `launch`, between events of the stream.  A run that is shorter than what
/// starting it costs is the mean of several in a row.
template <class F>
std::vector<double> measure(const Request& request, F launch) {
  constexpr int warm_up = 3, batch = 20;
  constexpr double is_short = 50e-6;
  Event start, stop;
  const auto timed = [&](int launches) {
    start.record();
    for (int i = 0; i < launches; ++i)
      launch();
    check(cudaGetLastError(), "launch");
    stop.record();
    stop.wait();
    return stop.seconds_since(start) / launches;
  };
  for (int i = 0; i < warm_up; ++i)
    timed(1);
  int launches = timed(1) < is_short ? batch : 1;
  std::vector<double> times;
  for (int run = 0; run < request.runs; ++run)
    times.push_back(timed(launches));
  return times;
}

/// The launches of a function, recorded once.
class Graph {
public:
  template <class F>
  explicit Graph(F launch) {
    launch(); // kernels are loaded when they are first started, which is nothing to record
    check(cudaGetLastError(), "launch");
    check(cudaStreamSynchronize(stream), "kernel");
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
    launch();
    check(cudaStreamEndCapture(stream, &graph), "end of capture");
    cudaError_t status = cudaGraphInstantiate(&graph_, graph, 0);
    cudaGraphDestroy(graph);
    check(status, "cudaGraphInstantiate");
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() { cudaGraphExecDestroy(graph_); }
  void operator()() const { check(cudaGraphLaunch(graph_, stream), "cudaGraphLaunch"); }

private:
  cudaGraphExec_t graph_ = nullptr;
};

// ---------------------------------------------------------------------------------- checksums

/// The sum over a block, in thread 0; all threads take part.
template <class T>
__device__ T block_sum(T value) {
  __shared__ T of_warp[32];
  __syncthreads(); // the last call's may still be read
  for (int distance = 16; distance > 0; distance /= 2)
    value += __shfl_down_sync(0xffffffffu, value, distance);
  unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
  unsigned warps = blockDim.x * blockDim.y / 32;
  if (thread % 32 == 0) of_warp[thread / 32] = value;
  __syncthreads();
  if (thread < 32) {
    value = thread < warps ? of_warp[thread] : T(0);
    for (int distance = 16; distance > 0; distance /= 2)
      value += __shfl_down_sync(0xffffffffu, value, distance);
  }
  return value;
}

template <class T>
__global__ void total_kernel(const T* values, Index length, double* total) {
  double sum = 0;
  Index step = Index(gridDim.x) * blockDim.x;
  for (Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x; i < length; i += step)
    sum += static_cast<double>(values[i]);
  sum = block_sum(sum);
  if (threadIdx.x == 0) atomicAdd(total, sum);
}

/// Evenly spaced elements.
template <class T>
__global__ void sample_kernel(const T* values, Index length, double* sample, Index size) {
  Index k = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (k < size) sample[k] = static_cast<double>(values[k * length / size]);
}

template <class T>
std::vector<double> sample_of(const T* values, Index length, Index size) {
  size = std::min(length, size);
  Buffer<double> sample(size);
  sample_kernel<<<blocks_for(size), threads, 0, stream>>>(values, length, sample.get(), size);
  check(cudaGetLastError(), "sample");
  std::vector<double> on_host(size);
  check(cudaStreamSynchronize(stream), "sample");
  check(cudaMemcpy(on_host.data(), sample.get(), size * sizeof(double), cudaMemcpyDeviceToHost),
        "sample");
  return on_host;
}

/// Adds an output array to the sums of a result.
template <class T>
void add_output(Result& result, const T* values, Index length) {
  if (length == 0) return;
  Buffer<double> total(1);
  check(cudaMemsetAsync(total.get(), 0, sizeof(double), stream), "total");
  total_kernel<<<multiprocessors() * 8, threads, 0, stream>>>(values, length, total.get());
  check(cudaGetLastError(), "total");
  check(cudaStreamSynchronize(stream), "total");
  double sum = 0;
  check(cudaMemcpy(&sum, total.get(), sizeof sum, cudaMemcpyDeviceToHost), "total");
  result.sum += sum;
  std::vector<double> sample = sample_of(values, length, 65536);
  double greatest = 0;
  Word hash = 0;
  for (std::size_t k = 0; k < sample.size(); ++k) {
    result.wsum += (1 + static_cast<double>(k % 17) / 16) * sample[k];
    greatest = std::max(greatest, std::fabs(sample[k]));
    if constexpr (std::is_integral_v<T>)
      hash += hash64(77, Word(static_cast<std::uint32_t>(static_cast<Index>(sample[k]))) +
                             (Word(k) << 32));
  }
  if constexpr (!std::is_integral_v<T>) {
    double scale = greatest > 0 ? std::exp2(std::ceil(std::log2(greatest))) : 1;
    sample = sample_of(values, length, 64);
    for (std::size_t k = 0; k < sample.size(); ++k)
      hash += hash64(77, static_cast<Word>(std::llround(64 * sample[k] / scale)) + (Word(k) << 32));
  }
  result.hash = result.hash * 31 + hash;
}

// --------------------------------------------------------------------------------- benchmarks

Result copy(const Request& request);
Result saxpy(const Request& request);
Result sum(const Request& request);
Result dotp(const Request& request);
Result mapchain(const Request& request);
Result blackscholes(const Request& request);
Result mandelbrot(const Request& request);
Result md5(const Request& request);
Result launches(const Request& request);
Result scan(const Request& request);
Result filter(const Request& request);
Result histogram(const Request& request);
Result radixsort(const Request& request);
Result nbody(const Request& request);
Result matmul(const Request& request);
Result kmeans(const Request& request);
Result hotspot(const Request& request);
Result srad(const Request& request);

} // namespace references
