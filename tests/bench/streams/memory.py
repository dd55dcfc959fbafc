#!/usr/bin/env python3
"""Memory over time of windows over a signal that is larger than memory may be.

    tests/bench/streams/memory.py --sinter PROGRAM [--bytes 2147483648] [--limit 64M] >memory.csv

Writes a table: seconds since the start, and mebibytes of memory of the process's own (what it maps of
files is not counted: the system takes it back when it needs it), for the samples read into memory from a
pipe, mapped from a file, and streamed from a pipe; the latter two under the limit.  A way that has
ended has no more numbers.
"""

import argparse
import os
import subprocess
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = os.path.join(HERE, "windows.fut")
STEP = 0.1  # seconds between two rows


def own_memory(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        for line in status:
            if line.startswith("RssAnon:"):
                return int(line.split()[1]) / 1024
    return None  # it is ending


def curve(command, path):
    """Mebibytes at multiples of STEP; `path` comes through a pipe if there is one."""
    cat = subprocess.Popen(["cat", path], stdout=subprocess.PIPE) if path else None
    started = time.monotonic()
    process = subprocess.Popen(command, stdin=cat.stdout if cat else subprocess.DEVNULL,
                               stdout=subprocess.DEVNULL)
    if cat:
        cat.stdout.close()
    sizes = []
    while process.poll() is None:
        size = own_memory(process.pid)
        if size is None:
            break
        sizes.append(size)
        time.sleep(max(0, started + len(sizes) * STEP - time.monotonic()))
    if process.wait() != 0:
        raise SystemExit(f"{' '.join(command)} failed")
    if cat:
        cat.wait()
    return sizes


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sinter", required=True)
    parser.add_argument("--bytes", type=int, default=2 << 30)
    parser.add_argument("--limit", default="64M")
    options = parser.parse_args()
    count = options.bytes // 4
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({count},), }}".ljust(117) + "\n"
    with tempfile.TemporaryDirectory() as folder:
        path, samples = os.path.join(folder, "signal.npy"), os.path.join(folder, "signal.raw")
        with open(path, "wb") as file:
            file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
            file.truncate(128 + options.bytes)
        with open(samples, "wb") as file:
            file.truncate(options.bytes)
        limit = ["--max-memory", options.limit]
        whole = [options.sinter, "run", PROGRAM, "-e", "whole", "-o", os.path.join(folder, "out.npy")]
        stream = [options.sinter, "stream", PROGRAM, "-o", os.path.join(folder, "out.npy")]
        curves = {"read": curve(whole, path), "mapped": curve([*whole, "-i", path, *limit], None),
                  "streamed": curve([*stream, *limit], samples)}
    print(",".join(["seconds", *curves]))
    for i in range(max(map(len, curves.values()))):
        row = [f"{sizes[i]:.1f}" if i < len(sizes) else "" for sizes in curves.values()]
        print(",".join([f"{i * STEP:.1f}", *row]))


if __name__ == "__main__":
    main()
