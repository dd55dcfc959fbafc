// Programs that go once through their arrays: copy, saxpy, sum, dotp, mapchain, blackscholes,
// mandelbrot, md5; and what it costs to start a kernel.
#include "common.cuh"

#include <cub/device/device_reduce.cuh>

namespace references {

namespace {

/// What a thread loads or stores at once.
template <class T>
struct alignas(16) Vector {
  static constexpr int lanes = 16 / sizeof(T);
  T lane[lanes];
};

template <class T, int inputs, int outputs>
struct Arrays {
  const T* in[inputs];
  T* out[outputs];
};

/// Applies f to each element.  Each thread has `unroll` vectors of each input in flight.
template <int unroll, class F, class T, int inputs, int outputs>
__global__ void __launch_bounds__(threads)
    map_kernel(Arrays<T, inputs, outputs> arrays, Index length, F f) {
  constexpr int lanes = Vector<T>::lanes;
  Index vectors = length / lanes;
  Index first = Index(blockIdx.x) * threads * unroll + threadIdx.x;
  Vector<T> x[unroll][inputs];
#pragma unroll
  for (int u = 0; u < unroll; ++u)
    if (first + u * threads < vectors) {
#pragma unroll
      for (int k = 0; k < inputs; ++k)
        x[u][k] = reinterpret_cast<const Vector<T>*>(arrays.in[k])[first + u * threads];
    }
#pragma unroll
  for (int u = 0; u < unroll; ++u)
    if (first + u * threads < vectors) {
      Vector<T> y[outputs];
#pragma unroll
      for (int lane = 0; lane < lanes; ++lane) {
        T in[inputs], out[outputs];
#pragma unroll
        for (int k = 0; k < inputs; ++k)
          in[k] = x[u][k].lane[lane];
        f(in, out);
#pragma unroll
        for (int k = 0; k < outputs; ++k)
          y[k].lane[lane] = out[k];
      }
#pragma unroll
      for (int k = 0; k < outputs; ++k)
        reinterpret_cast<Vector<T>*>(arrays.out[k])[first + u * threads] = y[k];
    }
  // what is left of the last vector
  if (blockIdx.x == 0 && threadIdx.x < length % lanes) {
    Index i = vectors * lanes + threadIdx.x;
    T in[inputs], out[outputs];
#pragma unroll
    for (int k = 0; k < inputs; ++k)
      in[k] = arrays.in[k][i];
    f(in, out);
#pragma unroll
    for (int k = 0; k < outputs; ++k)
      arrays.out[k][i] = out[k];
  }
}

template <int unroll, class F, class T, int inputs, int outputs>
void map(const Arrays<T, inputs, outputs>& arrays, Index length, F f) {
  unsigned blocks = blocks_for(length / Vector<T>::lanes, threads * unroll);
  map_kernel<unroll><<<blocks, threads, 0, stream>>>(arrays, length, f);
}

struct Copied {
  __device__ void operator()(const float (&in)[1], float (&out)[1]) const { out[0] = in[0]; }
};

struct Saxpy {
  __device__ void operator()(const float (&in)[2], float (&out)[1]) const {
    out[0] = 2.5f * in[0] + in[1];
  }
};

struct Chain {
  __device__ void operator()(const float (&in)[1], float (&out)[1]) const {
    out[0] = sqrtf(in[0] * expf(0.5f * in[0] - 1.0f)) + 1.0f;
  }
};

__device__ float root(float x) {
  return sqrtf(x);
}
__device__ double root(double x) {
  return sqrt(x);
}
__device__ float logarithm(float x) {
  return logf(x);
}
__device__ double logarithm(double x) {
  return log(x);
}
__device__ float exponential(float x) {
  return expf(x);
}
__device__ double exponential(double x) {
  return exp(x);
}

/// The cumulative normal distribution by five terms (Abramowitz and Stegun 26.2.17).
template <class T>
__device__ T normal(T d) {
  T k = T(1) / (T(1) + T(0.2316419) * (d < T(0) ? -d : d));
  T terms =
      k *
      (T(0.319381530) +
       k * (T(-0.356563782) + k * (T(1.781477937) + k * (T(-1.821255978) + k * T(1.330274429)))));
  T tail = T(0.3989422804014327) * exponential(T(-0.5) * d * d) * terms;
  return d > T(0) ? T(1) - tail : tail;
}

template <class T>
struct Options {
  __device__ void operator()(const T (&in)[3], T (&out)[2]) const {
    const T rate = T(0.02), volatility = T(0.3);
    T spot = in[0], strike = in[1], time = in[2];
    T deviation = volatility * root(time);
    T d1 = (logarithm(spot / strike) + (rate + volatility * volatility / T(2)) * time) / deviation;
    T d2 = d1 - deviation;
    T discounted = strike * exponential(-rate * time);
    T n1 = normal(d1), n2 = normal(d2);
    out[0] = spot * n1 - discounted * n2;
    out[1] = discounted * (T(1) - n2) - spot * (T(1) - n1);
  }
};

/// The sum of the products of the inputs, for each block.
template <int inputs>
__global__ void __launch_bounds__(threads)
    products_kernel(Arrays<float, inputs, 1> arrays, Index length) {
  constexpr int lanes = Vector<float>::lanes, unroll = 4;
  Index vectors = length / lanes, step = Index(gridDim.x) * threads * unroll;
  float sums[unroll][lanes] = {};
  Index first = Index(blockIdx.x) * threads * unroll + threadIdx.x;
  const auto add = [&](int u, const Vector<float>(&x)[inputs]) {
#pragma unroll
    for (int lane = 0; lane < lanes; ++lane)
      sums[u][lane] += inputs == 1 ? x[0].lane[lane] : x[0].lane[lane] * x[inputs - 1].lane[lane];
  };
  const auto load = [&](Index at, Vector<float>(&x)[inputs]) {
#pragma unroll
    for (int k = 0; k < inputs; ++k)
      x[k] = reinterpret_cast<const Vector<float>*>(arrays.in[k])[at];
  };
  Index at = first;
  for (; at + (unroll - 1) * threads < vectors; at += step) {
    Vector<float> x[unroll][inputs];
#pragma unroll
    for (int u = 0; u < unroll; ++u)
      load(at + u * threads, x[u]);
#pragma unroll
    for (int u = 0; u < unroll; ++u)
      add(u, x[u]);
  }
#pragma unroll
  for (int u = 0; u < unroll; ++u) // the last round, not all of which is there
    if (at + u * threads < vectors) {
      Vector<float> x[inputs];
      load(at + u * threads, x);
      add(u, x);
    }
  float sum = 0;
#pragma unroll
  for (int lane = 0; lane < lanes; ++lane)
    sum += (sums[0][lane] + sums[1][lane]) + (sums[2][lane] + sums[3][lane]);
  if (blockIdx.x == 0 && threadIdx.x < length % lanes) {
    Index i = vectors * lanes + threadIdx.x;
    sum += inputs == 1 ? arrays.in[0][i] : arrays.in[0][i] * arrays.in[inputs - 1][i];
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) arrays.out[0][blockIdx.x] = sum;
}

__global__ void last_sum_kernel(const float* of_block, unsigned blocks, float* out) {
  double sum = 0;
  for (unsigned i = threadIdx.x; i < blocks; i += threads)
    sum += of_block[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) *out = static_cast<float>(sum);
}

template <int inputs>
void sum_products(Arrays<float, inputs, 1> arrays, Index length, float* out) {
  static const unsigned blocks = multiprocessors() * 8;
  products_kernel<inputs><<<blocks, threads, 0, stream>>>(arrays, length);
  last_sum_kernel<<<1, threads, 0, stream>>>(arrays.out[0], blocks, out);
}

} // namespace

/// The anchor of all bandwidths: better of a kernel and of the driver's own copy.
Result copy(const Request& request) {
  Index n = request.n;
  Buffer<float> x(n, Uniform<float>{1}), y(n);
  Result kernel, driver;
  kernel.bytes = driver.bytes = 8.0 * n;
  kernel.method = "kernel";
  kernel.times = measure(request, [&] {
    map<4>(Arrays<float, 1, 1>{{x.get()}, {y.get()}}, n, Copied{});
  });
  add_output(kernel, y.get(), n);
  driver.method = "cudaMemcpyAsync";
  driver.times = measure(request, [&] {
    check(cudaMemcpyAsync(y.get(), x.get(), n * sizeof(float), cudaMemcpyDeviceToDevice, stream),
          "cudaMemcpyAsync");
  });
  add_output(driver, y.get(), n);
  return better(kernel, driver);
}

Result saxpy(const Request& request) {
  Index n = request.n;
  Buffer<float> x(n, Uniform<float>{1}), y(n, Uniform<float>{2}), z(n);
  Result result;
  result.bytes = 12.0 * n;
  result.flops = 2.0 * n;
  result.times = measure(request, [&] {
    map<2>(Arrays<float, 2, 1>{{x.get(), y.get()}, {z.get()}}, n, Saxpy{});
  });
  add_output(result, z.get(), n);
  return result;
}

Result sum(const Request& request) {
  Index n = request.n;
  Buffer<float> x(n, Uniform<float>{1}), of_block(multiprocessors() * 8), out(1);
  Result own, library;
  own.bytes = library.bytes = 4.0 * n;
  own.flops = library.flops = 1.0 * n;
  own.method = "kernel";
  own.times = measure(request, [&] {
    sum_products(Arrays<float, 1, 1>{{x.get()}, {of_block.get()}}, n, out.get());
  });
  add_output(own, out.get(), 1);
  library.method = "cub";
  std::size_t size = 0;
  check(cub::DeviceReduce::Sum(nullptr, size, x.get(), out.get(), n, stream), "Sum");
  Buffer<char> scratch(size);
  library.times = measure(request, [&] {
    check(cub::DeviceReduce::Sum(scratch.get(), size, x.get(), out.get(), n, stream), "Sum");
  });
  add_output(library, out.get(), 1);
  return better(own, library);
}

Result dotp(const Request& request) {
  Index n = request.n;
  Buffer<float> x(n, Uniform<float>{1}), y(n, Uniform<float>{2});
  Buffer<float> of_block(multiprocessors() * 8), out(1);
  Result result;
  result.bytes = 8.0 * n;
  result.flops = 2.0 * n;
  result.times = measure(request, [&] {
    sum_products(Arrays<float, 2, 1>{{x.get(), y.get()}, {of_block.get()}}, n, out.get());
  });
  add_output(result, out.get(), 1);
  return result;
}

Result mapchain(const Request& request) {
  Index n = request.n;
  Buffer<float> x(n, Uniform<float>{1, 4}), y(n);
  Result result;
  result.bytes = 8.0 * n;
  result.flops = 6.0 * n;
  result.times = measure(request, [&] {
    map<2>(Arrays<float, 1, 1>{{x.get()}, {y.get()}}, n, Chain{});
  });
  add_output(result, y.get(), n);
  return result;
}

namespace {

template <class T>
Result blackscholes_of(const Request& request) {
  Index n = request.n;
  Buffer<T> spot(n, Uniform<T>{1, 32, 5}), strike(n, Uniform<T>{2, 64, 1});
  Buffer<T> time(n, Uniform<T>{3, 8, T(0.25)}), call(n), put(n);
  Result result;
  result.bytes = 5.0 * sizeof(T) * n;
  result.flops = 60.0 * n;
  Arrays<T, 3, 2> arrays{{spot.get(), strike.get(), time.get()}, {call.get(), put.get()}};
  result.times = measure(request, [&] { map<1>(arrays, n, Options<T>{}); });
  add_output(result, call.get(), n);
  add_output(result, put.get(), n);
  return result;
}

/// A warp is 8 columns by 4 rows: neighbours leave at about the same step.
__global__ void __launch_bounds__(threads) mandelbrot_kernel(int* out, int n) {
  int column = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
  if (column >= n || row >= n) return;
  float step = 3.0f / static_cast<float>(n);
  float cr = -2.25f + (static_cast<float>(column) + 0.5f) * step;
  float ci = -1.5f + (static_cast<float>(row) + 0.5f) * step;
  float zr = 0, zi = 0;
  int count = 0;
  while (count < 255 && zr * zr + zi * zi <= 4.0f) {
    float next = zr * zr - zi * zi + cr;
    zi = 2.0f * zr * zi + ci;
    zr = next;
    ++count;
  }
  out[Index(row) * n + column] = count;
}

__constant__ std::uint32_t md5_addends[64];

__device__ constexpr int md5_rotations[4][4] = {
    {7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

__global__ void __launch_bounds__(threads) md5_kernel(const uint4* in, uint4* out, Index n) {
  Index i = Index(blockIdx.x) * threads + threadIdx.x;
  if (i >= n) return;
  std::uint32_t word[16];
#pragma unroll
  for (int q = 0; q < 4; ++q) {
    uint4 four = in[i * 4 + q];
    word[4 * q] = four.x;
    word[4 * q + 1] = four.y;
    word[4 * q + 2] = four.z;
    word[4 * q + 3] = four.w;
  }
  std::uint32_t a = 0x67452301u, b = 0xefcdab89u, c = 0x98badcfeu, d = 0x10325476u;
#pragma unroll
  for (int step = 0; step < 64; ++step) {
    std::uint32_t mixed;
    int from;
    if (step < 16) {
      mixed = d ^ (b & (c ^ d));
      from = step;
    } else if (step < 32) {
      mixed = c ^ (d & (b ^ c));
      from = (5 * step + 1) % 16;
    } else if (step < 48) {
      mixed = b ^ c ^ d;
      from = (3 * step + 5) % 16;
    } else {
      mixed = c ^ (b | ~d);
      from = (7 * step) % 16;
    }
    std::uint32_t added = a + mixed + (word[from] + md5_addends[step]);
    a = d;
    d = c;
    c = b;
    b += __funnelshift_l(added, added, md5_rotations[step / 16][step % 4]);
  }
  out[i] = make_uint4(a + 0x67452301u, b + 0xefcdab89u, c + 0x98badcfeu, d + 0x10325476u);
}

/// As little as a kernel can do that has to wait for the one before.
__global__ void count_kernel(int* counter) {
  ++*counter;
}

} // namespace

Result blackscholes(const Request& request) {
  return request.is("f64") ? blackscholes_of<double>(request) : blackscholes_of<float>(request);
}

Result mandelbrot(const Request& request) {
  Index n = request.n;
  Buffer<int> out(n * n);
  Result result;
  dim3 blocks(blocks_for(n, 8), blocks_for(n, 32));
  result.times = measure(request, [&] {
    mandelbrot_kernel<<<blocks, dim3(8, 32), 0, stream>>>(out.get(), static_cast<int>(n));
  });
  add_output(result, out.get(), n * n);
  result.bytes = 4.0 * n * n;
  result.flops = 10 * result.sum;
  return result;
}

Result md5(const Request& request) {
  Index n = request.n;
  std::uint32_t addends[64];
  for (int i = 0; i < 64; ++i)
    addends[i] = static_cast<std::uint32_t>(std::floor(std::fabs(std::sin(i + 1.0)) * 0x1p32));
  check(cudaMemcpyToSymbol(md5_addends, addends, sizeof addends), "addends");
  Buffer<std::uint32_t> in(16 * n, Words{1}), out(4 * n);
  Result result;
  result.bytes = 80.0 * n;
  result.flops = 64.0 * 9 * n;
  result.times = measure(request, [&] {
    md5_kernel<<<blocks_for(n), threads, 0, stream>>>(reinterpret_cast<const uint4*>(in.get()),
                                                      reinterpret_cast<uint4*>(out.get()), n);
  });
  add_output(result, out.get(), 4 * n);
  return result;
}

/// n kernels in a row, each of which waits for the last; the times are those of one.
Result launches(const Request& request) {
  Buffer<int> counter(1);
  Result result;
  const auto chain = [&] {
    check(cudaMemsetAsync(counter.get(), 0, sizeof(int), stream), "counter");
    for (Index i = 0; i < request.n; ++i)
      count_kernel<<<1, 1, 0, stream>>>(counter.get());
  };
  result.times = request.is("graph") ? measure(request, Graph(chain)) : measure(request, chain);
  for (double& time : result.times)
    time /= static_cast<double>(request.n);
  add_output(result, counter.get(), 1);
  return result;
}

} // namespace references
