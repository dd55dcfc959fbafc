#!/usr/bin/env python3
"""Four programs in chunks, against the same in memory.

    tests/bench/streams/compare.py --sinter PROGRAM [--megabytes 512] [--rounds 3] [NAME…]

The input lies in a file that is in the system's cache.  "In memory" is `sinter run`, which maps it;
streamed is `sinter stream`, from the file and from a pipe.  Times are the least of some rounds, in
seconds, from the start of the process to its end; results must be the same.
"""

import argparse
import os
import random
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
# For each program the bytes of an element, its type in .npy, its shape, and what comes at the end.
PROGRAMS = {
    "matrix": ("<u4", "16, 2", []),
    "dictionary": ("<u4", "16", ["--finish", "finish"]),
    "pagerank": ("<u4", "2", ["--finish", "finish"]),
    "windows": ("<f4", "", []),
}


def write_input(path, kind, inner, count):
    """Random bytes, of floats between 0 and 1; a mebibyte of them again and again."""
    chance = random.Random(1)
    block = bytearray(chance.randbytes(1 << 20))
    if kind == "<f4":
        block[3::4] = bytes([0x3e]) * len(block[3::4])
        block[2::4] = bytes(byte & 0x7f for byte in block[2::4])
    if inner == "16, 2":  # (the second number of each pair is a float's bits)
        block[7::8] = bytes([0x3e]) * len(block[7::8])
    extents = f"({count}, {inner})" if inner else f"({count},)"
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {extents}, }}".ljust(117) + "\n"
    elements = 1
    for extent in filter(None, inner.split(", ")):
        elements *= int(extent)
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
        for _ in range(count * elements * 4 >> 20):
            file.write(block)


def seconds(command, source):
    cat = subprocess.Popen(["cat", source], stdout=subprocess.PIPE) if source else None
    started = time.monotonic()
    subprocess.run(command, stdin=cat.stdout if cat else subprocess.DEVNULL, check=True,
                   stdout=subprocess.DEVNULL)
    taken = time.monotonic() - started
    if cat:
        cat.stdout.close()
        cat.wait()
    return taken


def contents(path, skipped):
    with open(path, "rb") as file:
        bytes_ = file.read()
    return bytes_[-((len(bytes_) - 128) - skipped):]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sinter", required=True)
    parser.add_argument("--megabytes", type=int, default=512)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    print("program       in memory  streamed   speed  from a pipe  speed")
    with tempfile.TemporaryDirectory() as folder:
        path, first, second = (os.path.join(folder, f"{name}.npy") for name in "xab")
        raw = os.path.join(folder, "x.raw")
        for name, (kind, inner, more) in PROGRAMS.items():
            if options.names and name not in options.names:
                continue
            program = os.path.join(HERE, f"{name}.fut")
            elements = 1
            for extent in filter(None, inner.split(", ")):
                elements *= int(extent)
            write_input(path, kind, inner, (options.megabytes << 18) // elements)
            whole = [options.sinter, "run", program, "-e", "whole", "-i", path]
            stream = [options.sinter, "stream", program, *more]
            writes_array = name != "dictionary"
            if writes_array:
                whole += ["-o", first]
                stream += ["-o", second]
            # (Windows of a stream are of halves, which .npy of samples does not say.)
            source = ["-i", path]
            if name == "windows":
                with open(path, "rb") as samples, open(raw, "wb") as file:
                    samples.seek(128)
                    while block := samples.read(1 << 24):
                        file.write(block)
                source = ["-i", raw]
            os.sync()  # what is still to be written to the disk takes time from others
            ways = [(whole, None), (stream + source, None), (stream, source[1])]
            least = [float("inf")] * len(ways)
            for _ in range(options.rounds):
                for i, (command, pipe) in enumerate(ways):
                    least[i] = min(least[i], seconds(command, pipe))
            if writes_array:  # (a stream's windows begin with one over silence)
                skipped = 4 if name == "windows" else 0
                if contents(first, 0) != contents(second, skipped):
                    raise SystemExit(f"{name}: the results differ")
            memory, file, pipe = least
            print(f"{name:12} {memory:10.2f} {file:9.2f} {memory / file:6.0%} {pipe:12.2f} "
                  f"{memory / pipe:6.0%}", flush=True)


if __name__ == "__main__":
    main()
