#!/usr/bin/env python3
"""Judges mode auto at first sight; ends with "N passed, N failed".

    tests/bench/first_sight.py --sinter PROGRAM [--runs N] [NAME…]

Each expression is evaluated by fresh processes in the modes interp (where that ends soon), jit and
auto, without an object cache and with one.  In auto the whole process may take 1.15 times as long as
the better of the other two and 10 ms more, and its peak memory may be 1.2 times as large, or no
larger than that of a process that has opened the compiler.  Without the cache it may take 30 ms more
than with it, beside what the better one takes more.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "first_sight.fut")
LIMIT = 300  # seconds for a process

# Name, expression, and whether the interpreter is asked too.
EXPRESSIONS = [
    ("one", "1 + 1", True),
    ("squares 10^3", "squares 1000", True),
    ("squares 10^4", "squares 10000", True),
    ("squares 10^5", "squares 100000", True),
    ("squares 10^6", "squares 1000000", True),
    ("squares 10^7", "squares 10000000", False),
    ("squares 10^8", "squares 100000000", False),
    ("roots 10^8", "f64.sum (map (\\i -> f64.sqrt (f64.i64 i)) (iota 100000000))", False),
    ("heat 16", "heat 16 50", True),
    ("heat 64", "heat 64 100", True),
    ("heat 256", "heat 256 500", False),
    ("filter 10^7", "length (filter (\\x -> x % 3 == 0) (map (\\x -> x * 7 + 1) (iota 10000000)))",
     False),
    ("product 64", "product 64", True),
    ("product 512", "product 512", False),
    ("scan 10^5", "last (scan (+) 0 (map (% 7) (iota 100000)))", True),
    ("scan 10^7", "last (scan (+) 0 (map (% 7) (iota 10000000)))", False),
    ("histogram 10^7",
     "i64.sum (hist (+) 0 100 (map (% 100) (iota 10000000)) (replicate 10000000 1))", False),
    ("scatter 10^6", "i64.sum (scatter (replicate 1000000 0i64) "
     "(map (\\i -> i * 7919 % 1000000) (iota 1000000)) (iota 1000000))", False),
    ("fibonacci 20", "fibonacci 20", True),
    ("recursion 20000", "triangle 20000", True),
    ("collatz 10^3", "collatz 1000", True),
    ("collatz 10^5", "collatz 100000", False),
    ("loop 10^4", "loop s = 0i64 for i < 10000 do s * 31 + i", True),
    ("loop 10^6", "loop s = 0i64 for i < 1000000 do s * 31 + i", True),
    ("while 10^6",
     "(loop (x, n) = (1i64, 0i64) while n < 1000000 do (x * 5 % 1000003, n + 1)).0", True),
    ("mandelbrot 64", "mandelbrot 64", True),
    ("mandelbrot 400", "mandelbrot 400", False),
    ("range 10^8", "length (iota 100000000)", False),
    ("replicate 10^8", "f32.sum (replicate 100000000 1f32)", False),
    ("transpose 3000", "i64.sum (flatten (transpose (unflatten (iota (3000 * 3000)))))", False),
    ("small steps", "small_steps 2000 100", True),
    ("rows", "i64.sum (map (\\i -> i64.sum (map (\\j -> i ^ j) (iota 1000))) (iota 10000))", False),
    ("one row", "i64.sum (map (\\i -> i64.sum (map (\\j -> i ^ j) (iota 10000000))) (iota 1))",
     False),
    ("bodies 1000", "bodies 1000 3", False),
    ("traced 10^7", "traced 10000000", False),
    ("constant 10^7", "of_table 10", False),
    ("radix sort 10^5", "sorted 100000", True),
    ("lets 3*10^6", "let a = map (+ 1) (iota 3000000) let b = map2 (*) a (iota 3000000) "
     "let c = scan (+) 0 b in c[2999999]", False),
    ("in place 10^5", "in_place 100000", True),
    ("in place 10^7", "in_place 10000000", False),
    ("zip 5*10^6", "i64.sum (map (\\(a, b) -> a * b) (zip (iota 5000000) (iota 5000000)))", False),
    ("primes 2*10^5", "primes 200000", False),
    ("appending", "length (loop xs = [0i64] for i < 200 do xs ++ [i])", True),
    ("all 2*10^7", "all (\\x -> x >= 0) (iota 20000000)", False),
]


class Process:
    """One evaluation: its seconds, its peak memory in MiB, and what it wrote."""

    def __init__(self, sinter, mode, expression, cache):
        environment = dict(os.environ, XDG_CACHE_HOME=cache)
        command = [sinter, "eval", "--mode", mode, expression, PROGRAM]
        began = time.perf_counter()
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                 env=environment)
        self.text = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        self.seconds = time.perf_counter() - began
        self.memory = usage.ru_maxrss / 1024
        self.text += b" (exit status %d)" % status


def best(processes):
    """Of several evaluations alike: the least time and memory."""
    first = processes[0]
    first.seconds = min(process.seconds for process in processes)
    first.memory = min(process.memory for process in processes)
    return first


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sinter", required=True)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("names", nargs="*", help="only expressions whose names contain one of these")
    options = parser.parse_args()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as cache:
        def warm(mode, expression):
            return best([Process(options.sinter, mode, expression, cache)
                         for _ in range(options.runs + 1)])

        def cold(mode, expression):
            runs = []
            for _ in range(options.runs):
                shutil.rmtree(cache)
                os.mkdir(cache)
                runs.append(Process(options.sinter, mode, expression, cache))
            return best(runs)

        opened = Process(options.sinter, "jit", "i64.sum (iota 10)", cache).memory
        for name, expression, is_interpreted in EXPRESSIONS:
            if options.names and not any(wanted in name for wanted in options.names):
                continue
            jit_cold, auto_cold = cold("jit", expression), cold("auto", expression)
            jit, auto = warm("jit", expression), warm("auto", expression)
            better = better_cold = jit
            if is_interpreted:
                interpreted = warm("interp", expression)
                better = min(jit, interpreted, key=lambda process: process.seconds)
                better_cold = min(jit_cold, interpreted, key=lambda process: process.seconds)
            problems = []
            if auto.text != jit.text:
                problems.append("another result")
            if auto.seconds > 1.15 * better.seconds + 0.010:
                problems.append("slow")
            if auto_cold.seconds > 1.15 * max(better.seconds, better_cold.seconds) + 0.040:
                problems.append("slow without a cache")
            if auto.memory > 1.2 * max(better.memory, opened):
                problems.append("much memory")
            print("%-16s jit %7.3f s %5.0f MiB, better %7.3f s, auto %7.3f s %5.0f MiB; "
                  "without a cache jit %7.3f s, auto %7.3f s%s" %
                  (name, jit.seconds, jit.memory, better.seconds, auto.seconds, auto.memory,
                   jit_cold.seconds, auto_cold.seconds, "".join("; " + p for p in problems)),
                  flush=True)
            passed, failed = passed + (not problems), failed + bool(problems)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


sys.exit(main())
