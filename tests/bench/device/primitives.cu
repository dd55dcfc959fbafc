// Scans, filters, histograms and sorts: CUB's, with kernels of their own where CUB's are slow or
// do something else.
#include "common.cuh"

#include <cub/device/device_histogram.cuh>
#include <cub/device/device_partition.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

namespace references {

namespace {

/// CUB's functions are called twice: for the size of their scratch memory, and to work.
template <class F>
std::vector<double> measure_with_scratch(const Request& request, F call) {
  std::size_t size = 0;
  check(call(nullptr, size), "size of the scratch memory");
  Buffer<char> scratch(static_cast<Index>(size));
  return measure(request, [&] { check(call(scratch.get(), size), "cub"); });
}

/// CUB's counters are cheaper with 32 bits.
int count_of(const Request& request) {
  if (request.n > 0x7fffffff) throw Failure("too large");
  return static_cast<int>(request.n);
}

template <class T, class F>
Result scan_of(const Request& request, F input) {
  int n = count_of(request);
  Buffer<T> x(n, input), y(n);
  Result result;
  result.bytes = 8.0 * n;
  result.flops = 1.0 * n;
  result.times = measure_with_scratch(request, [&](void* scratch, std::size_t& size) {
    return cub::DeviceScan::InclusiveSum(scratch, size, x.get(), y.get(), n, stream);
  });
  add_output(result, y.get(), n);
  return result;
}

struct IsKept {
  __device__ bool operator()(float x) const { return x < 0.5f; }
};

/// Turns over what lies behind the first *kept elements.
__global__ void reverse_rest_kernel(float* values, int length, const int* kept) {
  Index first = *kept, rest = length - first;
  Index step = Index(gridDim.x) * blockDim.x;
  for (Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x; i < rest / 2; i += step) {
    float front = values[first + i], back = values[length - 1 - i];
    values[first + i] = back;
    values[length - 1 - i] = front;
  }
}

/// Counts in shared memory, in as many copies as there are warps.
__global__ void __launch_bounds__(threads)
    few_bins_kernel(const int* keys, Index length, int* counts, int bins) {
  extern __shared__ int table[];
  constexpr int warps = threads / 32;
  for (int i = threadIdx.x; i < bins * warps; i += threads)
    table[i] = 0;
  __syncthreads();
  int* mine = table + threadIdx.x / 32 * bins;
  const int4* vectors = reinterpret_cast<const int4*>(keys);
  Index step = Index(gridDim.x) * threads, count = length / 4;
#pragma unroll 4
  for (Index i = Index(blockIdx.x) * threads + threadIdx.x; i < count; i += step) {
    int4 key = vectors[i];
    atomicAdd(&mine[key.x], 1);
    atomicAdd(&mine[key.y], 1);
    atomicAdd(&mine[key.z], 1);
    atomicAdd(&mine[key.w], 1);
  }
  if (blockIdx.x == 0 && threadIdx.x < length % 4)
    atomicAdd(&mine[keys[count * 4 + threadIdx.x]], 1);
  __syncthreads();
  for (int bin = threadIdx.x; bin < bins; bin += threads) {
    int sum = 0;
    for (int warp = 0; warp < warps; ++warp)
      sum += table[warp * bins + bin];
    if (sum != 0) atomicAdd(&counts[bin], sum);
  }
}

constexpr int many_threads = 1024;

/// Counts in shared memory that holds `part` bins: blocks with the same blockIdx.y count the same
/// bins and share the keys, so all keys are read once for each part.
__global__ void __launch_bounds__(many_threads)
    many_bins_kernel(const int* keys, Index length, int* counts, int part) {
  extern __shared__ int table[];
  for (int i = threadIdx.x; i < part; i += many_threads)
    table[i] = 0;
  __syncthreads();
  unsigned lowest = blockIdx.y * part;
  const auto count_key = [&](int key) {
    unsigned bin = static_cast<unsigned>(key) - lowest; // wraps below the lowest
    if (bin < static_cast<unsigned>(part)) atomicAdd(&table[bin], 1);
  };
  const int4* vectors = reinterpret_cast<const int4*>(keys);
  Index step = Index(gridDim.x) * many_threads, count = length / 4;
#pragma unroll 4
  for (Index i = Index(blockIdx.x) * many_threads + threadIdx.x; i < count; i += step) {
    int4 key = vectors[i];
    count_key(key.x);
    count_key(key.y);
    count_key(key.z);
    count_key(key.w);
  }
  if (blockIdx.x == 0 && threadIdx.x < length % 4) count_key(keys[count * 4 + threadIdx.x]);
  __syncthreads();
  for (int bin = threadIdx.x; bin < part; bin += many_threads)
    if (table[bin] != 0) atomicAdd(&counts[lowest + bin], table[bin]);
}

} // namespace

Result scan(const Request& request) {
  return request.is("f32") ? scan_of<float>(request, Uniform<float>{1, 1, -0.5f})
                           : scan_of<int>(request, Below{1, 1000});
}

Result filter(const Request& request) {
  int n = count_of(request);
  Buffer<float> x(n, Uniform<float>{1}), y(n);
  Buffer<int> kept(1);
  bool all = request.is("partition");
  Result result;
  if (all) {
    // CUB puts the others behind the kept in reverse
    unsigned blocks = multiprocessors() * 8;
    result.times = measure_with_scratch(request, [&](void* scratch, std::size_t& size) {
      cudaError_t status = cub::DevicePartition::If(scratch, size, x.get(), y.get(), kept.get(), n,
                                                    IsKept{}, stream);
      if (scratch != nullptr)
        reverse_rest_kernel<<<blocks, threads, 0, stream>>>(y.get(), n, kept.get());
      return status;
    });
  } else {
    result.times = measure_with_scratch(request, [&](void* scratch, std::size_t& size) {
      return cub::DeviceSelect::If(scratch, size, x.get(), y.get(), kept.get(), n, IsKept{},
                                   stream);
    });
  }
  int outputs = n;
  if (!all) {
    check(cudaStreamSynchronize(stream), "filter");
    check(cudaMemcpy(&outputs, kept.get(), sizeof outputs, cudaMemcpyDeviceToHost), "count");
  }
  result.bytes = 4.0 * n + 4.0 * outputs;
  add_output(result, y.get(), outputs);
  return result;
}

Result histogram(const Request& request) {
  int n = count_of(request), bins = std::stoi(request.variant);
  Buffer<int> keys(n, Below{1, static_cast<Word>(bins)}), counts(bins);
  Result own, library;
  own.bytes = library.bytes = 4.0 * n + 4.0 * bins;
  own.method = "kernel";
  unsigned processors = multiprocessors();
  if (bins <= 1024) {
    own.times = measure(request, [&] {
      check(cudaMemsetAsync(counts.get(), 0, bins * sizeof(int), stream), "counts");
      std::size_t table = bins * (threads / 32) * sizeof(int);
      few_bins_kernel<<<processors * 8, threads, table, stream>>>(keys.get(), n, counts.get(),
                                                                  bins);
    });
  } else {
    constexpr int parts = 2;
    int part = bins / parts; // 128 KiB of counters for 65536 bins
    int table = part * static_cast<int>(sizeof(int));
    check(
        cudaFuncSetAttribute(many_bins_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, table),
        "shared memory");
    dim3 blocks(std::max(1u, processors / parts), parts);
    own.times = measure(request, [&] {
      check(cudaMemsetAsync(counts.get(), 0, bins * sizeof(int), stream), "counts");
      many_bins_kernel<<<blocks, many_threads, table, stream>>>(keys.get(), n, counts.get(), part);
    });
  }
  add_output(own, counts.get(), bins);
  library.method = "cub";
  library.times = measure_with_scratch(request, [&](void* scratch, std::size_t& size) {
    return cub::DeviceHistogram::HistogramEven(scratch, size, keys.get(), counts.get(), bins + 1, 0,
                                               bins, n, stream);
  });
  add_output(library, counts.get(), bins);
  return better(own, library);
}

Result radixsort(const Request& request) {
  int n = count_of(request);
  Buffer<std::uint32_t> in(n, Words{1}), out(n);
  Result result;
  result.bytes = 8.0 * n;
  result.times = measure_with_scratch(request, [&](void* scratch, std::size_t& size) {
    return cub::DeviceRadixSort::SortKeys(scratch, size, in.get(), out.get(), n, 0, 32, stream);
  });
  add_output(result, out.get(), n);
  return result;
}

} // namespace references
