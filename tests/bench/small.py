#!/usr/bin/env python3
"""Holds compiled code against the evaluator on small arrays; ends with "N passed, N failed".

    tests/bench/small.py --sinter PROGRAM [--runs N] [--tier 1|2]

Each operation of small.fut runs a thousand times in a loop, on 10 to 1000 elements; compiled, that
may not take longer than in the evaluator.  A map of ten elements takes what a launch from a host loop
takes: at most 2 microseconds.
"""

import argparse
import json
import os
import subprocess
import sys

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "small.fut")
SIZES = [10, 30, 100, 300, 1000]
OPERATIONS = {"map": SIZES, "sum": SIZES, "scan": SIZES, "stencil": SIZES, "filter": SIZES,
              "scatter": SIZES, "hist": SIZES, "matmul": SIZES[:2]}
LAUNCH_LIMIT = 2.0  # microseconds


def microseconds(arguments, operation, size, mode):
    """The least time of one operation."""
    command = [arguments.sinter, "bench", PROGRAM, "--variant", operation, "--size", str(size),
               "--mode", mode, "--threads", "1", "--runs", str(arguments.runs), "--longest", "1"]
    if mode == "jit":
        command += ["--tier", arguments.tier]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(result.stderr)
    return json.loads(result.stdout)["min_s"] * 1e3


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sinter", required=True)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--tier", choices=["1", "2"], default="2")
    arguments = parser.parse_args()
    passed = failed = 0
    for operation, sizes in OPERATIONS.items():
        for size in sizes:
            evaluated = microseconds(arguments, operation, size, "interp")
            compiled = microseconds(arguments, operation, size, "jit")
            limit = evaluated
            if operation == "map" and size == SIZES[0]:
                limit = min(limit, LAUNCH_LIMIT)
            good = compiled <= limit
            passed, failed = passed + good, failed + (not good)
            print(f"{operation:8} {size:5}  evaluated {evaluated:8.2f} us  compiled "
                  f"{compiled:6.2f} us{'' if good else '  TOO SLOW'}", flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
