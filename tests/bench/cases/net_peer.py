#!/usr/bin/env python3
"""The networks of net.fut as a user of PyTorch writes them, on the CPU.

    net_peer.py [--n N] [--variant colour] [--threads T] [--runs R]

Prints the line of JSON that `sinter bench --size` prints as well.  Needs PyTorch.
"""
import argparse
import json
import time

import numpy as np
import torch

SIZES = {"": (784, 784, 128), "colour": (3072, 1024, 512)}


def h64(stream, count):
    with np.errstate(over="ignore"):
        z = (np.uint64(stream << 48) + np.arange(1, count + 1, dtype=np.uint64)) * np.uint64(
            0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))


def uniform(stream, *shape):
    count = int(np.prod(shape))
    values = (h64(stream, count) >> np.uint64(40)).astype(np.float32) * np.float32(2**-24)
    return torch.from_numpy(values.reshape(shape))


def drawn(stream, scale, layer):
    with torch.no_grad():
        outputs, inputs = layer.weight.shape
        layer.weight.copy_((uniform(stream, inputs, outputs).T - 0.5) * scale)
        layer.bias.zero_()


def digest(values):
    """Sum of all, weighted sum of a sample."""
    values = values.astype(np.float64).ravel()
    most = min(len(values), 65536)
    sample = values[np.arange(most) * len(values) // most]
    return values.sum(), ((1 + np.arange(most) % 17 / 16) * sample).sum()


def main():
    parser = argparse.ArgumentParser(description="The networks of net.fut with PyTorch.")
    parser.add_argument("--n", type=int, default=6, help="batches")
    parser.add_argument("--variant", choices=SIZES, default="")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads())
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    pixels, a, b = SIZES[options.variant]
    images = uniform(1, options.n, 100, pixels)
    labels = torch.from_numpy(((h64(2, options.n * 100) >> np.uint64(32)) % np.uint64(10)).astype(
        np.int64).reshape(options.n, 100))
    layers = [torch.nn.Linear(pixels, a), torch.nn.Linear(a, b), torch.nn.Linear(b, 10)]
    model = torch.nn.Sequential(layers[0], torch.nn.ReLU(), layers[1], torch.nn.ReLU(), layers[2])
    loss = torch.nn.CrossEntropyLoss()
    times = []
    for run in range(options.runs + 1):
        for layer, stream, scale in zip(layers, (3, 4, 5), (0.125, 0.125, 0.25)):
            drawn(stream, scale, layer)
        optimiser = torch.optim.SGD(model.parameters(), lr=0.0625)
        start = time.perf_counter()
        for batch, classes in zip(images, labels):
            optimiser.zero_grad()
            loss(model(batch), classes).backward()
            optimiser.step()
        if run > 0:  # the first one warms up
            times.append(time.perf_counter() - start)
    parts = [digest(p.detach().numpy()) for p in (layers[2].weight.T, layers[0].bias)]
    print(json.dumps({
        "name": "net", "variant": options.variant, "n": options.n,
        "median_s": sorted(times)[len(times) // 2], "min_s": min(times),
        "sum": sum(p[0] for p in parts), "wsum": sum(p[1] for p in parts)}))


if __name__ == "__main__":
    main()
