// Programs that use their inputs many times: nbody, matmul, kmeans, hotspot, srad.
#include "common.cuh"

namespace references {

namespace {

// ------------------------------------------------------------------------------------- nbody

constexpr int body_threads = 128;

/// The pull of body j on a body at x, y, z, added to its acceleration.
template <bool exact>
__device__ void attract(float4 body, float x, float y, float z, float (&a)[3]) {
  float dx = body.x - x, dy = body.y - y, dz = body.z - z;
  float square = dx * dx + dy * dy + dz * dz + 0.0025f;
  float inverse = exact ? 1.0f / sqrtf(square) : rsqrtf(square); // rounded correctly, or nearly
  float weight = body.w * (inverse * inverse * inverse);
  a[0] += weight * dx;
  a[1] += weight * dy;
  a[2] += weight * dz;
}

/// Block (b, s): the pull of slice s of the bodies on a block of them.  out: slices x 3 x n.
template <bool exact>
__global__ void __launch_bounds__(body_threads)
    nbody_kernel(const float* x, const float* y, const float* z, const float* m, float* out, int n,
                 int slice) {
  __shared__ float4 tile[body_threads];
  int i = blockIdx.x * body_threads + threadIdx.x;
  float px = i < n ? x[i] : 0, py = i < n ? y[i] : 0, pz = i < n ? z[i] : 0;
  float a[3] = {};
  int first = blockIdx.y * slice, end = min(n, first + slice);
  for (int from = first; from < end; from += body_threads) {
    int j = from + threadIdx.x;
    // bodies behind the end have no mass
    tile[threadIdx.x] = j < end ? make_float4(x[j], y[j], z[j], m[j]) : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 16
    for (int k = 0; k < body_threads; ++k)
      attract<exact>(tile[k], px, py, pz, a);
    __syncthreads();
  }
  if (i >= n) return;
  float* mine = out + Index(blockIdx.y) * 3 * n + i;
  mine[0] = a[0];
  mine[n] = a[1];
  mine[2 * Index(n)] = a[2];
}

/// Sums up `slices` rows of `width` numbers each.
__global__ void add_slices_kernel(const float* slice, float* out, Index width, int slices) {
  Index i = Index(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= width) return;
  float sum = 0;
  for (int s = 0; s < slices; ++s)
    sum += slice[s * width + i];
  out[i] = sum;
}

// ------------------------------------------------------------------------------------ matmul

/// Blocks on a multiprocessor at once: as many as leave the registers that are needed.
constexpr int squares_at_once(int tile, bool whole) {
  return !whole ? 1 : tile == 128 ? 2 : 6;
}

/// c = a b, n x n.  A block computes a square of `tile`, a thread 8 x 8 of it as four squares of 4
/// (so that the threads of a warp read neighbouring vectors); the next tiles are on their way
/// while these are multiplied.  Elements are counted in 32 bits, which saves registers.
template <int tile, bool whole>
__global__ void __launch_bounds__(tile* tile / 64, squares_at_once(tile, whole))
    matmul_kernel(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                  int n) {
  constexpr int depth = 8, side = tile / 8, count = side * side; // threads in a row, in all
  constexpr int loads = tile * depth / 4 / count;          // vectors of each tile for a thread
  constexpr int stride = tile + 4;                         // columns of a start in different banks
  __shared__ __align__(16) float tile_a[2][depth][stride]; // turned over
  __shared__ __align__(16) float tile_b[2][depth][tile];
  int thread = threadIdx.x, column = thread % side * 4, row = thread / side * 4;
  int first_row = blockIdx.y * tile, first_column = blockIdx.x * tile;
  float4 next_a[loads], next_b[loads];
  const auto element = [&](const float* matrix, int i, int j) {
    return i < n && j < n ? matrix[i * n + j] : 0.0f;
  };
  const auto vector = [&](const float* matrix, int i, int j) {
    return make_float4(element(matrix, i, j), element(matrix, i, j + 1), element(matrix, i, j + 2),
                       element(matrix, i, j + 3));
  };
  // pointers that are moved on take less registers than places that are computed
  const float* from_a = a + (first_row + thread / (depth / 4)) * n + thread % (depth / 4) * 4;
  const float* from_b = b + thread / (tile / 4) * n + first_column + thread % (tile / 4) * 4;
  const auto fetch = [&](int k) {
#pragma unroll
    for (int l = 0; l < loads; ++l) {
      if constexpr (whole) {
        next_a[l] = *reinterpret_cast<const float4*>(from_a + l * count / (depth / 4) * n);
        next_b[l] = *reinterpret_cast<const float4*>(from_b + l * count / (tile / 4) * n);
      } else {
        int at = thread + l * count;
        next_a[l] = vector(a, first_row + at / (depth / 4), k + at % (depth / 4) * 4);
        next_b[l] = vector(b, k + at / (tile / 4), first_column + at % (tile / 4) * 4);
      }
    }
  };
  const auto store = [&](int half) {
#pragma unroll
    for (int l = 0; l < loads; ++l) {
      int at = thread + l * count, i = at / (depth / 4), k = at % (depth / 4) * 4;
      tile_a[half][k][i] = next_a[l].x;
      tile_a[half][k + 1][i] = next_a[l].y;
      tile_a[half][k + 2][i] = next_a[l].z;
      tile_a[half][k + 3][i] = next_a[l].w;
      *reinterpret_cast<float4*>(&tile_b[half][at / (tile / 4)][at % (tile / 4) * 4]) = next_b[l];
    }
  };
  const auto read = [](const float* from, float(&to)[8]) {
    float4 low = *reinterpret_cast<const float4*>(from);
    float4 high = *reinterpret_cast<const float4*>(from + tile / 2);
    to[0] = low.x, to[1] = low.y, to[2] = low.z, to[3] = low.w;
    to[4] = high.x, to[5] = high.y, to[6] = high.z, to[7] = high.w;
  };
  float sums[8][8] = {};
  fetch(0);
  store(0);
  __syncthreads();
  int half = 0;
  for (int k = 0; k < n; k += depth, half ^= 1) {
    bool more = k + depth < n;
    from_a += depth;
    from_b += depth * n;
    if (more) fetch(k + depth);
#pragma unroll
    for (int d = 0; d < depth; ++d) {
      float x[8], y[8];
      read(&tile_a[half][d][row], x);
      read(&tile_b[half][d][column], y);
#pragma unroll
      for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j)
          sums[i][j] += x[i] * y[j];
    }
    if (more) store(half ^ 1); // nobody reads that half: all are past the last barrier
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    int to_row = first_row + row + i % 4 + i / 4 * (tile / 2);
#pragma unroll
    for (int part = 0; part < 2; ++part) {
      int to_column = first_column + column + part * (tile / 2);
      float* to = c + to_row * n + to_column;
      if constexpr (whole) {
        *reinterpret_cast<float4*>(to) = make_float4(sums[i][4 * part], sums[i][4 * part + 1],
                                                     sums[i][4 * part + 2], sums[i][4 * part + 3]);
      } else {
#pragma unroll
        for (int j = 0; j < 4; ++j)
          if (to_row < n && to_column + j < n) to[j] = sums[i][4 * part + j];
      }
    }
  }
}

template <int tile>
void start_matmul(const float* a, const float* b, float* c, int n) {
  dim3 blocks(blocks_for(n, tile), blocks_for(n, tile));
  if (n % tile == 0)
    matmul_kernel<tile, true><<<blocks, tile * tile / 64, 0, stream>>>(a, b, c, n);
  else
    matmul_kernel<tile, false><<<blocks, tile * tile / 64, 0, stream>>>(a, b, c, n);
}

// ------------------------------------------------------------------------------------ kmeans

constexpr int dimensions = 32, centres = 64, cells = dimensions * centres;
constexpr int point_warps = 4, point_threads = 32 * point_warps;
constexpr int point_stride = dimensions + 1; // columns of points lie in different banks
constexpr std::size_t kmeans_shared =
    point_warps * (cells + 32 * point_stride + centres) * sizeof(float);

__constant__ float centre_of[cells];
__constant__ float square_of[centres];

/// Squares of the lengths of the centres, the first points.
__global__ void squares_kernel(const float* points, float* squares) {
  float sum = 0;
  for (int d = 0; d < dimensions; ++d) {
    float x = points[threadIdx.x * dimensions + d];
    sum += x * x;
  }
  squares[threadIdx.x] = sum;
}

/// Each warp takes 32 points at a time: a lane finds the centre of its point, then the lanes,
/// one for each dimension, add point after point to the warp's own sums.
/// sums: blocks x cells, counts: blocks x centres.
__global__ void __launch_bounds__(point_threads)
    kmeans_kernel(const float* points, Index n, float* sums, int* counts) {
  extern __shared__ float memory[];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  float* all_sums = memory;
  int* all_counts = reinterpret_cast<int*>(memory + point_warps * cells);
  float* tile = memory + point_warps * (cells + centres) + warp * 32 * point_stride;
  float* my_sums = all_sums + warp * cells;
  int* my_counts = all_counts + warp * centres;
  for (int i = lane; i < cells; i += 32)
    my_sums[i] = 0;
  for (int i = lane; i < centres; i += 32)
    my_counts[i] = 0;
  __syncwarp();
  Index step = Index(gridDim.x) * point_threads;
  for (Index first = Index(blockIdx.x) * point_threads + warp * 32; first < n; first += step) {
    int here = static_cast<int>(min(Index(32), n - first));
    for (int p = 0; p < here; ++p)
      tile[p * point_stride + lane] = points[(first + p) * dimensions + lane];
    __syncwarp();
    float x[dimensions];
#pragma unroll
    for (int d = 0; d < dimensions; ++d)
      x[d] = lane < here ? tile[lane * point_stride + d] : 0;
    float least = INFINITY;
    int label = 0;
#pragma unroll 4
    for (int k = 0; k < centres; ++k) {
      float product = 0;
#pragma unroll
      for (int d = 0; d < dimensions; ++d)
        product += x[d] * centre_of[k * dimensions + d];
      float distance = square_of[k] - 2.0f * product; // less the square of the point
      if (distance < least) {
        least = distance;
        label = k;
      }
    }
    if (lane < here) atomicAdd(&my_counts[label], 1);
    for (int p = 0; p < here; ++p) {
      int of_point = __shfl_sync(0xffffffffu, label, p);
      my_sums[of_point * dimensions + lane] += tile[p * point_stride + lane];
    }
    __syncwarp();
  }
  __syncthreads();
  for (int i = threadIdx.x; i < cells; i += point_threads) {
    float sum = 0;
    for (int w = 0; w < point_warps; ++w)
      sum += all_sums[w * cells + i];
    sums[Index(blockIdx.x) * cells + i] = sum;
  }
  for (int i = threadIdx.x; i < centres; i += point_threads) {
    int count = 0;
    for (int w = 0; w < point_warps; ++w)
      count += all_counts[w * centres + i];
    counts[Index(blockIdx.x) * centres + i] = count;
  }
}

/// The new centre of each block of threads, 32 dimensions by 8 parts of the partial sums.
__global__ void means_kernel(const float* points, const float* sums, const int* counts, int parts,
                             float* out) {
  __shared__ double sum_of[8][dimensions];
  __shared__ Index count_of[8];
  int d = threadIdx.x, q = threadIdx.y, k = blockIdx.x;
  double sum = 0;
  Index count = 0;
  for (int part = q; part < parts; part += 8) {
    sum += sums[Index(part) * cells + k * dimensions + d];
    count += counts[Index(part) * centres + k];
  }
  sum_of[q][d] = sum;
  if (d == 0) count_of[q] = count;
  __syncthreads();
  if (q != 0) return;
  for (int other = 1; other < 8; ++other) {
    sum += sum_of[other][d];
    count += count_of[other];
  }
  out[k * dimensions + d] =
      count > 0 ? static_cast<float>(sum / static_cast<double>(count)) : points[k * dimensions + d];
}

// ----------------------------------------------------------------------------- hotspot, srad

constexpr int cell_columns = 32, cell_rows = 8; // of a block
constexpr int strip = 4;                        // rows of a thread of hotspot, below each other

__global__ void __launch_bounds__(cell_columns* cell_rows)
    hotspot_kernel(const float* __restrict__ t, const float* __restrict__ power,
                   float* __restrict__ out, int n) {
  int j = blockIdx.x * cell_columns + threadIdx.x;
  int i = (blockIdx.y * cell_rows + threadIdx.y) * strip;
  if (i >= n || j >= n) return;
  int west = max(j - 1, 0), east = min(j + 1, n - 1);
  const auto at = [&](int row, int column) { return t[Index(row) * n + column]; };
  float north = at(max(i - 1, 0), j), here = at(i, j);
#pragma unroll
  for (int s = 0; s < strip; ++s) {
    int row = i + s;
    if (row >= n) return;
    float south = at(min(row + 1, n - 1), j);
    float p = power[Index(row) * n + j];
    out[Index(row) * n + j] = here + 0.1f * p + 0.2f * (north + south - 2.0f * here) +
                              0.15f * (at(row, east) + at(row, west) - 2.0f * here) +
                              0.01f * (80.0f - here);
    north = here;
    here = south;
  }
}

/// Adds the sum and the sum of squares of a value of each thread; all threads take part.
__device__ void add_statistics(double value, double* statistics) {
  double sum = block_sum(value), squares = block_sum(value * value);
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    atomicAdd(&statistics[0], sum);
    atomicAdd(&statistics[1], squares);
  }
}

__global__ void __launch_bounds__(cell_columns* cell_rows)
    statistics_kernel(const float* image, int n, double* statistics) {
  int j = blockIdx.x * cell_columns + threadIdx.x, i = blockIdx.y * cell_rows + threadIdx.y;
  add_statistics(i < n && j < n ? image[Index(i) * n + j] : 0.0, statistics);
}

/// The differences of a cell to its neighbours.
struct Differences {
  float here, north, south, west, east;
  __device__ Differences(const float* image, int n, int i, int j) {
    const auto at = [&](int row, int column) { return image[Index(row) * n + column]; };
    here = at(i, j);
    north = at(max(i - 1, 0), j) - here;
    south = at(min(i + 1, n - 1), j) - here;
    west = at(i, max(j - 1, 0)) - here;
    east = at(i, min(j + 1, n - 1)) - here;
  }
};

__global__ void __launch_bounds__(cell_columns* cell_rows)
    coefficients_kernel(const float* __restrict__ image, const double* statistics,
                        float* __restrict__ coefficients, int n) {
  int j = blockIdx.x * cell_columns + threadIdx.x, i = blockIdx.y * cell_rows + threadIdx.y;
  if (i >= n || j >= n) return;
  double all = static_cast<double>(n) * n, mean = statistics[0] / all;
  float q0 = static_cast<float>((statistics[1] / all - mean * mean) / (mean * mean));
  Differences d(image, n, i, j);
  float gradient = (d.north * d.north + d.south * d.south + d.west * d.west + d.east * d.east) /
                   (d.here * d.here);
  float laplacian = (d.north + d.south + d.west + d.east) / d.here;
  float numerator = 0.5f * gradient - 0.0625f * (laplacian * laplacian);
  float root = 1.0f + 0.25f * laplacian;
  float q = numerator / (root * root);
  float c = 1.0f / (1.0f + (q - q0) / (q0 * (1.0f + q0)));
  coefficients[Index(i) * n + j] = fminf(fmaxf(c, 0.0f), 1.0f);
}

/// The next image, with its statistics.
__global__ void __launch_bounds__(cell_columns* cell_rows)
    diffuse_kernel(const float* __restrict__ image, const float* __restrict__ coefficients,
                   float* __restrict__ out, double* statistics, int n) {
  int j = blockIdx.x * cell_columns + threadIdx.x, i = blockIdx.y * cell_rows + threadIdx.y;
  float value = 0;
  if (i < n && j < n) {
    Differences d(image, n, i, j);
    const auto c = [&](int row, int column) { return coefficients[Index(row) * n + column]; };
    float here = c(i, j);
    value = d.here + 0.125f * (here * d.north + c(min(i + 1, n - 1), j) * d.south + here * d.west +
                               c(i, min(j + 1, n - 1)) * d.east);
    out[Index(i) * n + j] = value;
  }
  add_statistics(value, statistics);
}

struct Exponential {
  __device__ float operator()(Word index) const { return expf(Uniform<float>{1}(index)); }
};

} // namespace

Result nbody(const Request& request) {
  int n = static_cast<int>(request.n);
  Buffer<float> x(n, Uniform<float>{1}), y(n, Uniform<float>{2}), z(n, Uniform<float>{3});
  Buffer<float> m(n, Uniform<float>{4}), out(3 * Index(n));
  // few bodies: several blocks share the work for one of them, until the device is full
  unsigned blocks = blocks_for(n, body_threads), wanted = multiprocessors() * 16;
  int slices = static_cast<int>(std::clamp((wanted + blocks - 1) / blocks, 1u, blocks));
  int slice = (n + slices - 1) / slices;
  slice = (slice + body_threads - 1) / body_threads * body_threads;
  slices = (n + slice - 1) / slice;
  Buffer<float> of_slice(slices > 1 ? Index(slices) * 3 * n : 1);
  Result result;
  result.bytes = 28.0 * n;
  result.flops = 20.0 * n * n;
  result.times = measure(request, [&] {
    auto kernel = request.is("exact") ? nbody_kernel<true> : nbody_kernel<false>;
    kernel<<<dim3(blocks, slices), body_threads, 0, stream>>>(
        x.get(), y.get(), z.get(), m.get(), slices > 1 ? of_slice.get() : out.get(), n, slice);
    if (slices > 1)
      add_slices_kernel<<<blocks_for(3 * Index(n)), threads, 0, stream>>>(of_slice.get(), out.get(),
                                                                          3 * Index(n), slices);
  });
  for (int axis = 0; axis < 3; ++axis)
    add_output(result, out.get() + axis * Index(n), n);
  return result;
}

Result matmul(const Request& request) {
  if (request.n > 46000) throw Failure("too large"); // the square is counted in 32 bits
  int n = static_cast<int>(request.n);
  Index all = Index(n) * n;
  Buffer<float> a(all, Uniform<float>{1, 2, -1}), b(all, Uniform<float>{2, 2, -1}), c(all);
  Result large, small;
  large.bytes = small.bytes = 12.0 * all;
  large.flops = small.flops = 2.0 * all * n;
  large.method = "tile 128";
  large.times = measure(request, [&] { start_matmul<128>(a.get(), b.get(), c.get(), n); });
  add_output(large, c.get(), all);
  small.method = "tile 64"; // more blocks
  small.times = measure(request, [&] { start_matmul<64>(a.get(), b.get(), c.get(), n); });
  add_output(small, c.get(), all);
  return better(large, small);
}

Result kmeans(const Request& request) {
  Index n = std::max<Index>(request.n, centres);
  Buffer<float> points(n * dimensions, Uniform<float>{1}), squares(centres), out(cells);
  check(cudaFuncSetAttribute(kmeans_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(kmeans_shared)),
        "shared memory");
  int resident = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kmeans_kernel, point_threads,
                                                      kmeans_shared),
        "occupancy");
  unsigned blocks =
      std::min(blocks_for(n, point_threads), multiprocessors() * std::max(1, resident));
  Buffer<float> sums(Index(blocks) * cells);
  Buffer<int> counts(Index(blocks) * centres);
  Result result;
  result.bytes = 132.0 * n;
  result.flops = 3.0 * cells * n;
  result.times = measure(request, [&] {
    squares_kernel<<<1, centres, 0, stream>>>(points.get(), squares.get());
    check(cudaMemcpyToSymbolAsync(centre_of, points.get(), sizeof centre_of, 0,
                                  cudaMemcpyDeviceToDevice, stream),
          "centres");
    check(cudaMemcpyToSymbolAsync(square_of, squares.get(), sizeof square_of, 0,
                                  cudaMemcpyDeviceToDevice, stream),
          "squares");
    kmeans_kernel<<<blocks, point_threads, kmeans_shared, stream>>>(points.get(), n, sums.get(),
                                                                    counts.get());
    means_kernel<<<centres, dim3(dimensions, 8), 0, stream>>>(
        points.get(), sums.get(), counts.get(), static_cast<int>(blocks), out.get());
  });
  add_output(result, out.get(), cells);
  return result;
}

/// The launches of all steps are recorded once: started one by one they would be the most of it.
Result hotspot(const Request& request) {
  constexpr int steps = 360;
  int n = static_cast<int>(request.n);
  Index all = Index(n) * n;
  Buffer<float> start(all, Uniform<float>{1, 16, 70}), power(all, Uniform<float>{2});
  Buffer<float> odd(all), even(all);
  dim3 blocks(blocks_for(n, cell_columns), blocks_for(n, cell_rows * strip));
  Graph graph([&] {
    const float* from = start.get();
    for (int step = 0; step < steps; ++step) {
      float* to = step % 2 == 0 ? odd.get() : even.get();
      hotspot_kernel<<<blocks, dim3(cell_columns, cell_rows), 0, stream>>>(from, power.get(), to,
                                                                           n);
      from = to;
    }
  });
  Result result;
  result.bytes = 12.0 * steps * all;
  result.flops = 15.0 * steps * all;
  result.times = measure(request, [&] { graph(); });
  add_output(result, even.get(), all);
  return result;
}

Result srad(const Request& request) {
  constexpr int steps = 100;
  int n = static_cast<int>(request.n);
  Index all = Index(n) * n;
  Buffer<float> start(all, Exponential{}), odd(all), even(all), coefficients(all);
  Buffer<double> statistics(2 * (steps + 1)); // sum and sum of squares before each step
  dim3 blocks(blocks_for(n, cell_columns), blocks_for(n, cell_rows));
  dim3 block(cell_columns, cell_rows);
  Graph graph([&] {
    check(cudaMemsetAsync(statistics.get(), 0, statistics.length() * sizeof(double), stream),
          "statistics");
    statistics_kernel<<<blocks, block, 0, stream>>>(start.get(), n, statistics.get());
    const float* from = start.get();
    for (int step = 0; step < steps; ++step) {
      float* to = step % 2 == 0 ? odd.get() : even.get();
      coefficients_kernel<<<blocks, block, 0, stream>>>(from, statistics.get() + 2 * step,
                                                        coefficients.get(), n);
      diffuse_kernel<<<blocks, block, 0, stream>>>(from, coefficients.get(), to,
                                                   statistics.get() + 2 * (step + 1), n);
      from = to;
    }
  });
  Result result;
  result.bytes = 8.0 * steps * all;
  result.flops = 40.0 * steps * all;
  result.times = measure(request, [&] { graph(); });
  add_output(result, even.get(), all);
  return result;
}

} // namespace references
