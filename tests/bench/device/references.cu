// references NAME --n N [--variant V] [--runs R]
// references --all FILE      (lines: NAME VARIANT N RUNS, VARIANT `-` for the usual one)
//
// Programs written by hand for one device, which compiled ones are held against.  Prints a line of
// JSON for each: times of the kernels alone, between events, with inputs and outputs on the device.
// Exit status 4 for a benchmark or a variant that is not here.
#include "common.cuh"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>

using namespace references;

namespace {

struct Benchmark {
  const char* name;
  Result (*run)(const Request&);
  Index n;                           // the medium size
  std::vector<const char*> variants; // the usual one first
};

const std::vector<Benchmark>& benchmarks() {
  static const std::vector<Benchmark> all = {
      {"copy", copy, 1 << 28, {""}},
      {"saxpy", saxpy, 1 << 26, {""}},
      {"sum", sum, 1 << 28, {""}},
      {"dotp", dotp, 1 << 27, {""}},
      {"mapchain", mapchain, 1 << 27, {""}},
      {"scan", scan, 1 << 26, {"i32", "f32"}},
      {"filter", filter, 1 << 27, {"filter", "partition"}},
      {"histogram", histogram, 1 << 27, {"256", "65536"}},
      {"radixsort", radixsort, 1 << 25, {""}},
      {"nbody", nbody, 1 << 15, {"", "exact"}},
      {"matmul", matmul, 2048, {""}},
      {"blackscholes", blackscholes, 1 << 24, {"f32", "f64"}},
      {"mandelbrot", mandelbrot, 3072, {""}},
      {"hotspot", hotspot, 1024, {""}},
      {"srad", srad, 1024, {""}},
      {"md5", md5, 1 << 22, {""}},
      {"kmeans", kmeans, 1 << 20, {""}},
      {"launches", launches, 1000, {"stream", "graph"}},
  };
  return all;
}

/// A benchmark or a variant that does not exist.
struct Missing : Failure {
  using Failure::Failure;
};

const Benchmark& find(Request& request) {
  for (const Benchmark& benchmark : benchmarks()) {
    if (request.name != benchmark.name) continue;
    if (request.variant.empty()) request.variant = benchmark.variants.front();
    if (request.n == 0) request.n = benchmark.n;
    for (const char* variant : benchmark.variants)
      if (request.variant == variant) return benchmark;
    throw Missing("no variant " + request.variant);
  }
  throw Missing("no such benchmark");
}

void print(const Request& request, const Result& result) {
  std::vector<double> times = result.times;
  std::sort(times.begin(), times.end());
  std::printf("{\"name\":\"%s\",\"variant\":\"%s\",\"impl\":\"cuda\",\"method\":\"%s\",\"n\":%lld,"
              "\"runs\":%d,\"median_s\":%.6g,\"min_s\":%.6g,\"bytes\":%.0f,\"flops\":%.0f,"
              "\"sum\":%.12g,\"wsum\":%.12g,\"hash\":\"%016llx\"}\n",
              request.name.c_str(), request.variant.c_str(), result.method.c_str(),
              static_cast<long long>(request.n), request.runs, result.median(), times.front(),
              result.bytes, result.flops, result.sum, result.wsum,
              static_cast<unsigned long long>(result.hash));
  std::fflush(stdout);
}

/// The text without what would have to be escaped.
std::string plain(std::string text) {
  for (char& c : text)
    if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' ') c = ' ';
  return text;
}

/// Runs one and prints its line, or a line with what went wrong; gives an exit status.
int run(Request request) {
  try {
    const Benchmark& benchmark = find(request);
    if (request.n < 1 || request.runs < 1) throw Failure("sizes and runs are positive");
    if (stream == nullptr) check(cudaStreamCreate(&stream), "cudaStreamCreate");
    print(request, benchmark.run(request));
    return 0;
  } catch (const std::exception& failure) {
    std::printf("{\"name\":\"%s\",\"variant\":\"%s\",\"n\":%lld,\"error\":\"%s\"}\n",
                request.name.c_str(), request.variant.c_str(), static_cast<long long>(request.n),
                plain(failure.what()).c_str());
    std::fflush(stdout);
    if (dynamic_cast<const Missing*>(&failure)) return 4;
    // A kernel that failed spoils its context: the next benchmark gets another.
    cudaGetLastError();
    if (cudaDeviceSynchronize() != cudaSuccess) {
      cudaDeviceReset();
      stream = nullptr;
    }
    return 1;
  }
}

int run_all(const char* path) {
  std::ifstream file(path);
  if (!file) {
    std::cerr << "cannot read " << path << "\n";
    return 2;
  }
  int status = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    Request request;
    if (!(words >> request.name) || request.name.front() == '#') continue;
    words >> request.variant >> request.n >> request.runs;
    if (request.variant == "-") request.variant.clear();
    if (run(request) == 1) status = 1;
  }
  return status;
}

int usage() {
  std::cerr << "usage: references NAME --n N [--variant V] [--runs R]\n"
               "       references --all FILE\n";
  return 2;
}

} // namespace

int main(int count, char** words) {
  if (count == 3 && std::string(words[1]) == "--all") return run_all(words[2]);
  if (count < 2 || words[1][0] == '-') return usage();
  Request request;
  request.name = words[1];
  for (int i = 2; i < count; i += 2) {
    std::string option = words[i];
    if (i + 1 == count) return usage();
    if (option == "--n")
      request.n = std::atoll(words[i + 1]);
    else if (option == "--variant")
      request.variant = words[i + 1];
    else if (option == "--runs")
      request.runs = std::atoi(words[i + 1]);
    else
      return usage();
  }
  return run(request);
}
