#!/usr/bin/env python3
"""The benchmarks in a Python library for devices, as its user would write them.

    peers.py PEER NAME --n N [--variant V] [--runs R]
    peers.py PEER --all FILE        lines: NAME VARIANT N RUNS, VARIANT `-` for the usual one

PEER is jax, torch or cupy.  Prints a line of JSON for each.  A time is that of a call until its
result is there, by the clock of the host; inputs are made on the device before.  Exit status 4 for
a benchmark that the peer lacks.  `--cpu` runs on the host instead, to test this program.
"""
import argparse
import gc
import json
import os
import statistics
import sys
import time

import numpy as np

VARIANTS = {"scan": ("i32", "f32"), "blackscholes": ("f32", "f64"), "histogram": ("256", "65536"),
            "filter": ("filter", "partition")}  # the usual one first
M1, M2, M3 = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
CHUNK = 1 << 24  # elements whose hashes are there at a time
CND = (0.319381530, -0.356563782, 1.781477937, -1.821255978, 1.330274429)
PAIRS = 1 << 27  # pairs of bodies that are there at a time


class Missing(Exception):
    """The peer lacks the benchmark."""


def polynomial(x, coefficients):
    """c0 + x (c1 + x (c2 + ...))."""
    result = coefficients[-1]
    for c in coefficients[-2::-1]:
        result = c + x * result
    return result


def numpy_hash(stream, i):
    """Numbers i of a stream of the generator; i: uint64."""
    with np.errstate(over="ignore"):
        z = (np.uint64(stream << 48) + i + np.uint64(1)) * np.uint64(M1)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(M2)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(M3)
        return z ^ (z >> np.uint64(31))


def sample_places(length, size):
    size = min(length, size)
    return np.arange(size, dtype=np.int64) * length // size


def sums(peer, outputs):
    """sum, wsum and hash of output arrays, as the benchmarks' description defines them."""
    total = weighted = 0.0
    all_hash = 0
    for output in outputs:
        total += peer.total(output)
        length = peer.length(output)
        if length == 0:
            continue
        sample = peer.pick(output, sample_places(length, 65536))
        k = np.arange(len(sample))
        weighted += float(np.sum((1 + (k % 17) / 16) * sample.astype(np.float64)))
        if sample.dtype.kind == "f":
            greatest = float(np.max(np.abs(sample)))
            scale = 2.0 ** np.ceil(np.log2(greatest)) if greatest > 0 else 1.0
            v = 64 * peer.pick(output, sample_places(length, 64)).astype(np.float64) / scale
            bits = (np.sign(v) * np.floor(np.abs(v) + 0.5)).astype(np.int64).view(np.uint64)
        else:
            bits = sample.astype(np.int64).astype(np.uint32).astype(np.uint64)
        k = np.arange(len(bits)).astype(np.uint64)
        with np.errstate(over="ignore"):
            here = np.sum(numpy_hash(77, bits + (k << np.uint64(32))), dtype=np.uint64)
        all_hash = (31 * all_hash + int(here)) % 2**64
    return total, weighted, "%016x" % all_hash


# Each method of a peer that is named like a benchmark takes n and the variant, makes the inputs and
# gives a function of no arguments: one run.


class Jax:
    def __init__(self, cpu):
        os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")
        if cpu:
            os.environ["JAX_PLATFORMS"] = "cpu"
        import jax
        import jax.numpy as jnp

        self.jax, self.np = jax, jnp
        if not cpu and jax.default_backend() == "cpu":
            raise RuntimeError("jax sees no device")

    def wide(self, on):
        """64-bit types are there while inputs are made and results summed up; users do without."""
        self.jax.config.update("jax_enable_x64", on)

    def made(self, stream, n, finish):
        jax, jnp = self.jax, self.np
        self.wide(True)

        @jax.jit
        def make():
            z = (jnp.arange(n, dtype=jnp.uint64) + jnp.uint64((stream << 48) + 1)) * jnp.uint64(M1)
            z = (z ^ (z >> jnp.uint64(30))) * jnp.uint64(M2)
            z = (z ^ (z >> jnp.uint64(27))) * jnp.uint64(M3)
            return finish(z ^ (z >> jnp.uint64(31)))

        result = make().block_until_ready()
        self.wide(False)
        return result

    def uniform(self, stream, n, scale=1.0, add=0.0, kind="f32"):
        jnp = self.np

        def finish(z):
            if kind == "f64":
                return add + scale * ((z >> jnp.uint64(11)).astype(jnp.float64) * 2.0**-53)
            f = jnp.float32
            return f(add) + f(scale) * ((z >> jnp.uint64(40)).astype(f) * f(2.0**-24))

        return self.made(stream, n, finish)

    def words(self, stream, n):
        jnp = self.np
        return self.made(stream, n, lambda z: (z >> jnp.uint64(32)).astype(jnp.uint32))

    def below(self, stream, n, bound):
        jnp = self.np

        def finish(z):
            by = jnp.uint64(32)
            return (((z >> by) * jnp.uint64(bound)) >> by).astype(jnp.int32)

        return self.made(stream, n, finish)

    def wait(self, out):
        self.jax.block_until_ready(out)

    def free(self):
        self.wide(False)
        gc.collect()

    def length(self, out):
        return out.size

    def total(self, out):
        self.wide(True)
        result = float(self.jax.jit(lambda x: self.np.sum(x.astype(self.np.float64)))(out))
        self.wide(False)
        return result

    def pick(self, out, places):
        self.wide(True)
        result = np.asarray(out.reshape(-1)[self.np.asarray(places)])
        self.wide(False)
        return result

    def run_jitted(self, function, *arguments):
        jitted = self.jax.jit(function)
        return lambda: jitted(*arguments)

    def saxpy(self, n, v):
        return self.run_jitted(lambda x, y: 2.5 * x + y, self.uniform(1, n), self.uniform(2, n))

    def sum(self, n, v):
        return self.run_jitted(self.np.sum, self.uniform(1, n))

    def dotp(self, n, v):
        def dot(x, y):
            return self.np.dot(x, y, precision="highest")

        return self.run_jitted(dot, self.uniform(1, n), self.uniform(2, n))

    def mapchain(self, n, v):
        jnp = self.np
        return self.run_jitted(
            lambda x: jnp.sqrt(x * jnp.exp(0.5 * x - 1)) + 1, self.uniform(1, n, 4.0))

    def scan(self, n, v):
        x = self.below(1, n, 1000) if v == "i32" else self.uniform(1, n, 1.0, -0.5)
        return self.run_jitted(self.np.cumsum, x)

    def filter(self, n, v):
        # not jitted: the size of the result depends on the values
        x = self.uniform(1, n)
        if v == "partition":
            return lambda: self.np.concatenate([x[x < 0.5], x[x >= 0.5]])
        return lambda: x[x < 0.5]

    def histogram(self, n, v):
        return self.run_jitted(
            lambda x: self.np.bincount(x, length=int(v)), self.below(1, n, int(v)))

    def radixsort(self, n, v):
        return self.run_jitted(self.np.sort, self.words(1, n))

    def nbody(self, n, v):
        jnp = self.np
        bodies = tuple(self.uniform(s, n) for s in (1, 2, 3, 4))

        def accelerations(x, y, z, m):
            def of_one(body):
                dx, dy, dz = x - body[0], y - body[1], z - body[2]
                r2 = dx * dx + dy * dy + dz * dz + 0.0025
                w = m / (r2 * jnp.sqrt(r2))
                return jnp.sum(w * dx), jnp.sum(w * dy), jnp.sum(w * dz)

            rows = max(1, min(n, PAIRS // n))  # bodies at a time, were their pairs ever stored
            return self.jax.lax.map(of_one, (x, y, z), batch_size=rows)

        return self.run_jitted(accelerations, *bodies)

    def matmul(self, n, v):
        a = self.uniform(1, n * n, 2.0, -1.0).reshape(n, n)
        b = self.uniform(2, n * n, 2.0, -1.0).reshape(n, n)
        return self.run_jitted(lambda a, b: self.np.matmul(a, b, precision="highest"), a, b)

    def blackscholes(self, n, v):
        jnp = self.np
        inputs = (self.uniform(1, n, 32.0, 5.0, v), self.uniform(2, n, 64.0, 1.0, v),
                  self.uniform(3, n, 8.0, 0.25, v))
        self.wide(v == "f64")

        def normal(d):
            k = 1 / (1 + 0.2316419 * jnp.abs(d))
            q = 0.3989422804014327 * jnp.exp(-0.5 * d * d) * k * polynomial(k, CND)
            return jnp.where(d > 0, 1 - q, q)

        def price(S, K, t):
            r, sigma = 0.02, 0.3
            deviation = sigma * jnp.sqrt(t)
            d1 = (jnp.log(S / K) + (r + sigma * sigma / 2) * t) / deviation
            d2 = d1 - deviation
            e, n1, n2 = K * jnp.exp(-r * t), normal(d1), normal(d2)
            return S * n1 - e * n2, e * (1 - n2) - S * (1 - n1)

        return self.run_jitted(price, *inputs)

    def mandelbrot(self, n, v):
        jnp, lax = self.np, self.jax.lax

        p = (jnp.arange(n, dtype=jnp.float32) + 0.5) * (jnp.float32(3) / n)

        def counts(p):  # of an argument: what is constant might be computed by the compiler
            cr, ci = p[None, :] - 2.25, p[:, None] - 1.5

            def step(_, state):
                zr, zi, count = state
                count = count + (zr * zr + zi * zi <= 4)
                return zr * zr - zi * zi + cr, 2 * zr * zi + ci, count

            zero = jnp.zeros((n, n), jnp.float32)
            start = (zero, zero, jnp.zeros((n, n), jnp.int32))
            return lax.fori_loop(0, 255, step, start, unroll=5)[2]

        return self.run_jitted(counts, p)

    def hotspot(self, n, v):
        jnp, lax = self.np, self.jax.lax
        t = self.uniform(1, n * n, 16.0, 70.0).reshape(n, n)
        p = self.uniform(2, n * n).reshape(n, n)

        def steps(t, p):
            def step(_, t):
                q = jnp.pad(t, 1, mode="edge")
                N, S, W, E = q[:-2, 1:-1], q[2:, 1:-1], q[1:-1, :-2], q[1:-1, 2:]
                return (t + 0.1 * p + 0.2 * (N + S - 2 * t) + 0.15 * (E + W - 2 * t) +
                        0.01 * (80 - t))

            return lax.fori_loop(0, 360, step, t)

        return self.run_jitted(steps, t, p)

    def kmeans(self, n, v):
        jax, jnp = self.jax, self.np
        n = max(n, 64)
        x = self.uniform(1, 32 * n).reshape(n, 32)

        def step(x):
            c = x[:64]
            product = jnp.matmul(x, c.T, precision="highest")
            label = jnp.argmin(jnp.sum(c * c, 1) - 2 * product, axis=1)
            total = jax.ops.segment_sum(x, label, 64)
            count = jax.ops.segment_sum(jnp.ones(n, jnp.float32), label, 64)[:, None]
            return jnp.where(count > 0, total / jnp.maximum(count, 1), c)

        return self.run_jitted(step, x)


class Torch:
    def __init__(self, cpu):
        import torch

        self.torch = torch
        if not cpu and not torch.cuda.is_available():
            raise RuntimeError("torch sees no device")
        self.device = "cpu" if cpu else "cuda"
        torch.backends.cuda.matmul.allow_tf32 = False

    def made(self, stream, n, kind, finish):
        """int64 wraps as uint64 does; shifts need a mask to bring in zeros."""
        torch = self.torch

        def signed(u):
            u %= 2**64
            return u - 2**64 if u >= 2**63 else u

        def shifted(z, by):
            return (z >> by) & ((1 << (64 - by)) - 1)

        out = torch.empty(n, dtype=kind, device=self.device)
        for low in range(0, n, CHUNK):
            high = min(n, low + CHUNK)
            z = torch.arange(low, high, dtype=torch.int64, device=self.device)
            z = (z + ((stream << 48) + 1)) * signed(M1)
            z = (z ^ shifted(z, 30)) * signed(M2)
            z = (z ^ shifted(z, 27)) * signed(M3)
            z = z ^ shifted(z, 31)
            out[low:high] = finish(lambda by: shifted(z, by))
        return out

    def uniform(self, stream, n, scale=1.0, add=0.0, kind="f32"):
        torch = self.torch
        if kind == "f64":
            return self.made(stream, n, torch.float64,
                             lambda high: add + scale * (high(11).to(torch.float64) * 2.0**-53))
        return self.made(stream, n, torch.float32,
                         lambda high: add + scale * (high(40).to(torch.float32) * 2.0**-24))

    def below(self, stream, n, bound):
        return self.made(stream, n, self.torch.int32, lambda high: (high(32) * bound) >> 32)

    def wait(self, out):
        if self.device == "cuda":
            self.torch.cuda.synchronize()

    def free(self):
        gc.collect()
        if self.device == "cuda":
            self.torch.cuda.empty_cache()

    def length(self, out):
        return out.numel()

    def total(self, out):
        return float(out.sum(dtype=self.torch.float64))

    def pick(self, out, places):
        return out.reshape(-1)[self.torch.from_numpy(places).to(self.device)].cpu().numpy()

    def saxpy(self, n, v):
        x, y = self.uniform(1, n), self.uniform(2, n)
        return lambda: 2.5 * x + y

    def sum(self, n, v):
        x = self.uniform(1, n)
        return lambda: x.sum()

    def dotp(self, n, v):
        x, y = self.uniform(1, n), self.uniform(2, n)
        return lambda: self.torch.dot(x, y)

    def mapchain(self, n, v):
        torch, x = self.torch, self.uniform(1, n, 4.0)
        return lambda: torch.sqrt(x * torch.exp(0.5 * x - 1)) + 1

    def scan(self, n, v):
        x = self.below(1, n, 1000) if v == "i32" else self.uniform(1, n, 1.0, -0.5)
        return lambda: self.torch.cumsum(x, 0, dtype=x.dtype)

    def filter(self, n, v):
        x = self.uniform(1, n)
        if v == "partition":
            return lambda: self.torch.cat([x[x < 0.5], x[x >= 0.5]])
        return lambda: x[x < 0.5]

    def histogram(self, n, v):
        x = self.below(1, n, int(v))
        return lambda: self.torch.bincount(x, minlength=int(v))

    def radixsort(self, n, v):
        # uint32 cannot be sorted: int32 with the top bit turned over, which keeps the order
        torch = self.torch
        key = self.made(1, n, torch.int32, lambda high: high(32) - 2**31)
        return lambda: torch.sort(key)[0]

    def radixsort_result(self, out):
        return out.to(self.torch.int64) + 2**31

    def nbody(self, n, v):
        torch = self.torch
        x, y, z, m = (self.uniform(s, n) for s in (1, 2, 3, 4))

        def some(low, high):
            dx, dy, dz = (q[None, :] - q[low:high, None] for q in (x, y, z))
            r2 = dx * dx + dy * dy + dz * dz + 0.0025
            w = m / (r2 * torch.sqrt(r2))
            return (w * dx).sum(1), (w * dy).sum(1), (w * dz).sum(1)

        rows = max(1, PAIRS // n)

        def run():
            parts = [some(low, min(n, low + rows)) for low in range(0, n, rows)]
            return tuple(torch.cat(axis) for axis in zip(*parts))

        return run

    def matmul(self, n, v):
        a = self.uniform(1, n * n, 2.0, -1.0).reshape(n, n)
        b = self.uniform(2, n * n, 2.0, -1.0).reshape(n, n)
        return lambda: a @ b

    def blackscholes(self, n, v):
        torch = self.torch
        S, K = self.uniform(1, n, 32.0, 5.0, v), self.uniform(2, n, 64.0, 1.0, v)
        t = self.uniform(3, n, 8.0, 0.25, v)

        def normal(d):
            k = 1 / (1 + 0.2316419 * torch.abs(d))
            q = 0.3989422804014327 * torch.exp(-0.5 * d * d) * k * polynomial(k, CND)
            return torch.where(d > 0, 1 - q, q)

        def price():
            r, sigma = 0.02, 0.3
            deviation = sigma * torch.sqrt(t)
            d1 = (torch.log(S / K) + (r + sigma * sigma / 2) * t) / deviation
            d2 = d1 - deviation
            e, n1, n2 = K * torch.exp(-r * t), normal(d1), normal(d2)
            return S * n1 - e * n2, e * (1 - n2) - S * (1 - n1)

        return price

    def mandelbrot(self, n, v):
        torch = self.torch

        def counts():
            p = (torch.arange(n, dtype=torch.float32, device=self.device) + 0.5) * (3.0 / n)
            cr, ci = p[None, :] - 2.25, p[:, None] - 1.5
            zr = torch.zeros(n, n, device=self.device)
            zi = torch.zeros(n, n, device=self.device)
            count = torch.zeros(n, n, dtype=torch.int32, device=self.device)
            for _ in range(255):
                count += zr * zr + zi * zi <= 4
                zr, zi = zr * zr - zi * zi + cr, 2 * zr * zi + ci
            return count

        return counts

    def hotspot(self, n, v):
        from torch.nn.functional import pad

        start = self.uniform(1, n * n, 16.0, 70.0).reshape(n, n)
        p = self.uniform(2, n * n).reshape(n, n)

        def steps():
            t = start
            for _ in range(360):
                q = pad(t[None, None], (1, 1, 1, 1), mode="replicate")[0, 0]
                N, S, W, E = q[:-2, 1:-1], q[2:, 1:-1], q[1:-1, :-2], q[1:-1, 2:]
                t = (t + 0.1 * p + 0.2 * (N + S - 2 * t) + 0.15 * (E + W - 2 * t) +
                     0.01 * (80 - t))
            return t

        return steps

    def kmeans(self, n, v):
        torch = self.torch
        n = max(n, 64)
        x = self.uniform(1, 32 * n).reshape(n, 32)

        def step():
            c = x[:64]
            label = torch.argmin((c * c).sum(1) - 2 * (x @ c.T), dim=1)
            total = torch.zeros(64, 32, device=self.device).index_add_(0, label, x)
            count = torch.bincount(label, minlength=64)[:, None]
            return torch.where(count > 0, total / count.clamp(min=1), c)

        return step


class Cupy:
    def __init__(self, cpu):
        if cpu:
            raise RuntimeError("cupy has no host")
        import cupy

        self.np = cupy
        self.compiled = {}

    def made(self, stream, n, kind, finish):
        cp = self.np
        out = cp.empty(n, kind)
        for low in range(0, n, CHUNK):
            high = min(n, low + CHUNK)
            z = cp.arange(low, high, dtype=np.uint64) + np.uint64((stream << 48) + 1)
            z = z * np.uint64(M1)
            z = (z ^ (z >> np.uint64(30))) * np.uint64(M2)
            z = (z ^ (z >> np.uint64(27))) * np.uint64(M3)
            out[low:high] = finish(z ^ (z >> np.uint64(31)))
        return out

    def uniform(self, stream, n, scale=1.0, add=0.0, kind="f32"):
        real, by, unit = (np.float64, 11, 2.0**-53) if kind == "f64" else (np.float32, 40, 2.0**-24)
        return self.made(stream, n, real,
                         lambda z: add + scale * ((z >> np.uint64(by)).astype(real) * unit))

    def words(self, stream, n):
        return self.made(stream, n, np.uint32, lambda z: (z >> np.uint64(32)).astype(np.uint32))

    def below(self, stream, n, bound):
        by = np.uint64(32)
        return self.made(stream, n, np.int32,
                         lambda z: (((z >> by) * np.uint64(bound)) >> by).astype(np.int32))

    def wait(self, out):
        self.np.cuda.Device().synchronize()

    def free(self):
        gc.collect()
        self.np.get_default_memory_pool().free_all_blocks()

    def length(self, out):
        return out.size

    def total(self, out):
        return float(out.sum(dtype=np.float64))

    def pick(self, out, places):
        return self.np.asnumpy(out.reshape(-1)[self.np.asarray(places)])

    def kernel(self, inputs, outputs, body, name):
        if name not in self.compiled:
            self.compiled[name] = self.np.ElementwiseKernel(inputs, outputs, body, name)
        return self.compiled[name]

    def saxpy(self, n, v):
        f = self.kernel("float32 x, float32 y", "float32 z", "z = 2.5f * x + y", "saxpy")
        x, y = self.uniform(1, n), self.uniform(2, n)
        return lambda: f(x, y)

    def sum(self, n, v):
        x = self.uniform(1, n)
        return lambda: x.sum()

    def dotp(self, n, v):
        x, y = self.uniform(1, n), self.uniform(2, n)
        return lambda: self.np.dot(x, y)

    def mapchain(self, n, v):
        f = self.kernel("float32 x", "float32 y", "y = sqrtf(x * expf(0.5f * x - 1.0f)) + 1.0f",
                        "mapchain")
        x = self.uniform(1, n, 4.0)
        return lambda: f(x)

    def scan(self, n, v):
        x = self.below(1, n, 1000) if v == "i32" else self.uniform(1, n, 1.0, -0.5)
        return lambda: self.np.cumsum(x, dtype=x.dtype)

    def filter(self, n, v):
        x = self.uniform(1, n)
        if v == "partition":
            return lambda: self.np.concatenate([x[x < 0.5], x[x >= 0.5]])
        return lambda: x[x < 0.5]

    def histogram(self, n, v):
        x = self.below(1, n, int(v))
        return lambda: self.np.bincount(x, minlength=int(v))

    def radixsort(self, n, v):
        key = self.words(1, n)
        return lambda: self.np.sort(key)

    def nbody(self, n, v):
        cp = self.np
        x, y, z, m = (self.uniform(s, n) for s in (1, 2, 3, 4))

        def some(low, high):
            dx, dy, dz = (q[None, :] - q[low:high, None] for q in (x, y, z))
            r2 = dx * dx + dy * dy + dz * dz + np.float32(0.0025)
            w = m / (r2 * cp.sqrt(r2))
            return (w * dx).sum(1), (w * dy).sum(1), (w * dz).sum(1)

        rows = max(1, PAIRS // n)

        def run():
            parts = [some(low, min(n, low + rows)) for low in range(0, n, rows)]
            return tuple(cp.concatenate(axis) for axis in zip(*parts))

        return run

    def matmul(self, n, v):
        a = self.uniform(1, n * n, 2.0, -1.0).reshape(n, n)
        b = self.uniform(2, n * n, 2.0, -1.0).reshape(n, n)
        return lambda: a @ b

    def blackscholes(self, n, v):
        f = self.kernel("T s, T k, T t", "T call, T put", """
            const T rate = T(0.02), sigma = T(0.3);
            T deviation = sigma * sqrt(t);
            T d[2], cdf[2];
            d[0] = (log(s / k) + (rate + sigma * sigma / T(2)) * t) / deviation;
            d[1] = d[0] - deviation;
            for (int q = 0; q < 2; ++q) {
              T w = T(1) / (T(1) + T(0.2316419) * (d[q] < T(0) ? -d[q] : d[q]));
              T terms = w * (T(0.319381530) + w * (T(-0.356563782) + w * (T(1.781477937) +
                        w * (T(-1.821255978) + w * T(1.330274429)))));
              T tail = T(0.3989422804014327) * exp(T(-0.5) * d[q] * d[q]) * terms;
              cdf[q] = d[q] > T(0) ? T(1) - tail : tail;
            }
            T e = k * exp(-rate * t);
            call = s * cdf[0] - e * cdf[1];
            put = e * (T(1) - cdf[1]) - s * (T(1) - cdf[0]);
        """, "blackscholes")
        S, K = self.uniform(1, n, 32.0, 5.0, v), self.uniform(2, n, 64.0, 1.0, v)
        t = self.uniform(3, n, 8.0, 0.25, v)
        return lambda: f(S, K, t)

    def mandelbrot(self, n, v):
        cp = self.np
        f = self.kernel("float32 cr, float32 ci", "int32 count", """
            float zr = 0, zi = 0;
            int steps = 0;
            while (steps < 255 && zr * zr + zi * zi <= 4.0f) {
              float next = zr * zr - zi * zi + cr;
              zi = 2.0f * zr * zi + ci;
              zr = next;
              ++steps;
            }
            count = steps;
        """, "mandelbrot")

        def counts():
            p = (cp.arange(n, dtype=np.float32) + np.float32(0.5)) * np.float32(3.0 / n)
            return f(p[None, :] - np.float32(2.25), p[:, None] - np.float32(1.5))

        return counts

    def hotspot(self, n, v):
        cp = self.np
        start = self.uniform(1, n * n, 16.0, 70.0).reshape(n, n)
        p = self.uniform(2, n * n).reshape(n, n)
        f = self.kernel("float32 t, float32 p, float32 N, float32 S, float32 W, float32 E",
                        "float32 out",
                        "out = t + 0.1f * p + 0.2f * (N + S - 2.0f * t) + "
                        "0.15f * (E + W - 2.0f * t) + 0.01f * (80.0f - t)", "hotspot")

        def steps():
            t = start
            for _ in range(360):
                q = cp.pad(t, 1, mode="edge")
                t = f(t, p, q[:-2, 1:-1], q[2:, 1:-1], q[1:-1, :-2], q[1:-1, 2:])
            return t

        return steps

    def kmeans(self, n, v):
        cp = self.np
        n = max(n, 64)
        x = self.uniform(1, 32 * n).reshape(n, 32)

        def step():
            c = x[:64]
            label = cp.argmin((c * c).sum(1) - 2 * (x @ c.T), axis=1)
            total = cp.zeros((64, 32), np.float32)
            cp.add.at(total, label, x)
            count = cp.bincount(label, minlength=64)[:, None].astype(np.float32)
            return cp.where(count > 0, total / cp.maximum(count, np.float32(1)), c)

        return step


PEERS = {"jax": Jax, "torch": Torch, "cupy": Cupy}
BENCHMARKS = ("saxpy", "sum", "dotp", "mapchain", "scan", "filter", "histogram", "radixsort",
              "nbody", "matmul", "blackscholes", "mandelbrot", "hotspot", "kmeans")


def measured(peer, impl, name, variant, n, runs, budget):
    """The line of a benchmark, whose runs take not much longer than `budget` seconds."""
    variants = VARIANTS.get(name, ("",))
    variant = variant or variants[0]
    if name not in BENCHMARKS or variant not in variants:
        raise Missing(name)
    run = getattr(peer, name)(n, variant)
    peer.wait(())

    def timed():
        start = time.perf_counter()
        out = run()
        peer.wait(out)
        return out, time.perf_counter() - start

    out, first = timed()
    begin = time.perf_counter()
    times = []
    for _ in range(2):  # warm up
        if time.perf_counter() - begin > budget / 2:
            break
        del out  # its memory may be used again, as in a user's loop
        out, _ = timed()
    while len(times) < runs and (not times or time.perf_counter() - begin < budget):
        del out
        out, seconds = timed()
        times.append(seconds)
    finish = getattr(peer, name + "_result", lambda out: out)
    out = finish(out)
    total, weighted, digest = sums(peer, out if isinstance(out, (tuple, list)) else (out,))
    return {"name": name, "variant": variant, "impl": impl, "n": n, "runs": len(times),
            "first_s": first, "median_s": statistics.median(times), "min_s": min(times),
            "sum": total, "wsum": weighted, "hash": digest}


def main():
    parser = argparse.ArgumentParser(description="The benchmarks in a Python library.")
    parser.add_argument("peer", choices=sorted(PEERS))
    parser.add_argument("name", nargs="?")
    parser.add_argument("--n", type=int, default=1 << 20)
    parser.add_argument("--variant", default="")
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--budget", type=float, default=4.0, help="seconds of runs (default: 4)")
    parser.add_argument("--all", metavar="FILE", help="lines: NAME VARIANT N RUNS")
    parser.add_argument("--cpu", action="store_true", help="run on the host")
    options = parser.parse_args()
    if (options.name is None) == (options.all is None):
        parser.error("either a name or --all")
    if options.all:
        with open(options.all) as file:
            rows = [line.split() for line in file]
        rows = [row for row in rows if row and not row[0].startswith("#")]
        cases = [(name, "" if variant == "-" else variant, int(n), int(runs))
                 for name, variant, n, runs in rows]
    else:
        cases = [(options.name, options.variant, options.n, options.runs)]
    peer = PEERS[options.peer](options.cpu)
    status = 0
    for name, variant, n, runs in cases:
        try:
            line = measured(peer, options.peer, name, variant, n, runs, options.budget)
        except Missing:
            status = 4
            line = {"name": name, "variant": variant, "n": n, "error": "missing"}
        except Exception as error:  # whatever a library throws: the other benchmarks still run
            status = 1
            line = {"name": name, "variant": variant, "n": n,
                    "error": "%s: %s" % (type(error).__name__, str(error)[:300])}
        line["impl"] = options.peer
        print(json.dumps(line), flush=True)
        peer.free()
    return 0 if options.all else status


if __name__ == "__main__":
    sys.exit(main())
