#!/usr/bin/env python3
"""Measures how much memory each input leaves behind at one prompt.

    tests/prompt/memory.py --sinter PROGRAM [--modes interp,jit,auto] [--inputs 10000]
                           [--from 4500] [--limit BYTES]

Feeds different inputs (arithmetic, records, functions, `map` and `reduce` over different lambdas and
sizes, errors, names defined again) to one prompt in each mode, and compares the resident memory
after `--from` of them with that after all.  Fails if an input leaves more than `--limit` bytes.

What inputs leave in a session's program state is given back when that is replaced by the next
(repl/session/program_state.h).  Only after the second one has filled does memory move between
levels that it has had.
"""

import argparse
import os
import subprocess
import sys
import threading

KINDS = [
    lambda i: f"{i} * {i % 97} + {i + 3}",
    lambda i: f"{{a = {i}i64, b = {i}.5f64, c = [{i}, {i + 1}]}}",
    lambda i: f"def f (x: i64) = x * {i} + {i % 13}",
    lambda i: f"f {i}",
    lambda i: f"map (\\x -> x * {i} + {i % 7}) (iota {i % 50 + 1})",
    lambda i: f"reduce (+) {i} (map (\\(x: i64) -> x ^ {i}) (iota {i % 900 + 1}))",
    lambda i: f"let y{i} = {i} in [y{i}, true]",
    lambda i: f"def name{i % 40} = (f {i}, #some {i}i32 : #none | #some i32)",
    lambda i: f"name{i % 40}.0 + i64.i32 {i}",
    lambda i: f"[1, 2, 3][{i}]",
    lambda i: f"\\x -> x + {i}f32",
    lambda i: f"it",
    lambda i: f"type t{i % 10} = {{x: [{i}]f32}}",
    lambda i: f"scan (\\a b -> (a + b) %% {i + 2}) 0 (replicate {i % 60 + 1} {i}i64) |> filter (> {i % 9})",
    lambda i: f"module m = {{def k = {i}i32 def scale (x: i32) = x * k}}",
    lambda i: f"m.scale {i}",
    lambda i: f"loop s = 0f64 for j < {i % 100} do s + f64.i64 j * {i}",
    lambda i: f"undefined{i} + {i}",
]


def resident_bytes(pid):
    with open(f"/proc/{pid}/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


class Prompt:
    """A prompt that is fed from a pipe."""

    def __init__(self, sinter, mode):
        environment = dict(os.environ, NO_COLOR="1", XDG_CONFIG_HOME="/nonexistent")
        self.process = subprocess.Popen([sinter, "repl", "--mode", mode], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, env=environment)
        self.marks = 0

    def feed(self, inputs):
        """Returns once all inputs have been obeyed."""
        self.marks += 1
        mark = f"u64: {7 * 10**18 + self.marks}"
        lines = "".join(line + "\n" for line in inputs) + mark.replace("u64: ", "") + "u64\n"

        def write():
            self.process.stdin.write(lines)
            self.process.stdin.flush()

        writer = threading.Thread(target=write)
        writer.start()
        for line in self.process.stdout:
            if mark in line:
                break
            if "internal error" in line:
                sys.exit(line)
        else:
            sys.exit(f"the prompt ended: exit code {self.process.wait()}")
        writer.join()

    def end(self):
        self.process.stdin.close()
        self.process.stdout.read()
        if self.process.wait() != 0:
            sys.exit(f"the prompt ended with exit code {self.process.returncode}")


def measure(options, mode):
    prompt = Prompt(options.sinter, mode)
    step = max(1, (options.inputs - options.first) // 8)
    resident = []
    fed = 0
    while fed < options.inputs:
        count = options.first if fed == 0 else min(step, options.inputs - fed)
        prompt.feed(KINDS[i % len(KINDS)](i) for i in range(fed, fed + count))
        fed += count
        resident.append(resident_bytes(prompt.process.pid))
    prompt.end()
    print(f"{mode}: " + ", ".join(f"{bytes / 2**20:.1f}" for bytes in resident) + " MiB", flush=True)
    return (resident[-1] - resident[0]) / (options.inputs - options.first)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sinter", required=True)
    parser.add_argument("--modes", default="interp,jit,auto")
    parser.add_argument("--inputs", type=int, default=10000)
    parser.add_argument("--from", type=int, default=4500, dest="first")
    parser.add_argument("--limit", type=float, default=200)
    options = parser.parse_args()
    options.sinter = os.path.abspath(options.sinter)
    failed = False
    for mode in options.modes.split(","):
        each = measure(options, mode)
        print(f"{mode}: {each:.0f} bytes an input", flush=True)
        failed = failed or each > options.limit
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
