#!/usr/bin/env python3
"""Judges mode auto at first sight; ends with "N passed, N failed".

    tests/bench/first_sight.py --sinter PROGRAM [--rounds N] [--parts PARTS] [NAME…]

Each expression is evaluated by fresh processes in the modes interp (where that ends soon), jit and
auto, each mode with a folder for objects of its own that is empty at first (cold) and filled
afterwards: by two processes, since one that ends before its code is there leaves it to the next.
- Either way, the whole process in auto takes at most 1.15 times as long as the better of the other
  two, and 10 ms more; its peak memory is at most 1.2 times that of the better one (of both, if
  neither takes 1.15 times as long as the other).  The results are equal.
- At the prompt of a fresh process, cold, the first evaluation in auto takes at most 1.15 times as long
  as in the better one of the other two, and 10 ms more.
- As an entry point that is called many times in one process in auto, its first call takes at most
  30 ms more than its best later one in a process that begins cold, and at most 10 ms more in one
  with objects; and no call takes more than 1.3 times as long as the best earlier one.

A bound is about what a process takes that nothing disturbs: so every figure is the least of several
processes, of calls the least of several processes at the same position in the order of calling, and
the processes of all modes are run in turns.  What does not hold after some rounds gets more of them:
what is slow by itself stays slow.  Calls that differ by less than it takes to wake a thread count as
equal.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import time

CALLS = 50  # in a process
WAKING = 20e-6  # seconds to wake a thread, which each call does
PROGRAM = os.path.join(os.path.dirname(os.path.abspath(__file__)), "first_sight.fut")

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
    """One process: its seconds, its peak memory in MiB, and what it wrote."""

    def __init__(self, command, cache, typed=""):
        began = time.perf_counter()
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL,
                                 env=dict(os.environ, XDG_CACHE_HOME=cache))
        child.stdin.write(typed.encode())
        child.stdin.close()
        text = child.stdout.read()
        _, status, usage = os.wait4(child.pid, 0)
        self.seconds = time.perf_counter() - began
        self.memory = usage.ru_maxrss / 1024
        self.text = text + b" (exit status %d)" % status


def in_fresh_cache(run):
    """What `run` gives for a cache that is empty, and then for the same one, filled."""
    with tempfile.TemporaryDirectory() as cache:
        cold, _, filled = run(cache), run(cache), run(cache)
        return cold, filled


class Best:
    """The least time and memory of processes alike."""

    def __init__(self):
        self.seconds = self.memory = float("inf")
        self.texts = set()

    def add(self, process):
        self.seconds = min(self.seconds, process.seconds)
        self.memory = min(self.memory, process.memory)
        self.texts.add(process.text)


class Evaluations:
    """An expression evaluated by whole processes: by mode, cold and with objects."""

    def __init__(self, sinter, expression, is_interpreted):
        self.sinter, self.expression = sinter, expression
        self.others = ["jit"] + ["interp"] * is_interpreted
        self.best = {mode: (Best(), Best()) for mode in self.others + ["auto"]}

    def add_round(self):
        for mode, states in self.best.items():
            command = [self.sinter, "eval", "--mode", mode, self.expression, PROGRAM]
            for best, process in zip(states,
                                     in_fresh_cache(lambda cache: Process(command, cache))):
                best.add(process)

    def problems(self):
        found = []
        for state, words in ((0, " when cold"), (1, " with objects")):
            auto = self.best["auto"][state]
            others = [self.best[mode][state] for mode in self.others]
            if len(set.union(auto.texts, *(other.texts for other in others))) > 1:
                found.append("another result")
            better = min(other.seconds for other in others)
            if auto.seconds > 1.15 * better + 0.010:
                found.append("slow" + words)
            if auto.memory > 1.2 * max(other.memory for other in others
                                       if other.seconds <= 1.15 * better):
                found.append("much memory" + words)
        return found

    def words(self):
        return "; ".join(
            "%s %.1f and %.1f ms, %.0f MiB" % (mode, 1e3 * cold.seconds, 1e3 * filled.seconds,
                                               filled.memory)
            for mode, (cold, filled) in self.best.items())


class Prompt:
    """An expression at the prompt, cold: the least seconds of its first evaluation, by mode."""

    UNITS = {"µs": 1e-6, "ms": 1e-3, "s": 1}

    def __init__(self, sinter, expression, is_interpreted):
        self.sinter, self.expression = sinter, expression
        self.first = dict.fromkeys(["jit"] + ["interp"] * is_interpreted + ["auto"], float("inf"))

    def add_round(self):
        for mode in self.first:
            command = [self.sinter, "repl", "--no-startup", "--mode", mode, PROGRAM]
            with tempfile.TemporaryDirectory() as cache:
                shown = Process(command, cache, ":time %s\n" % self.expression).text.decode()
            number, unit = re.search(r"first ([0-9.]+) (µs|ms|s)", shown).groups()
            self.first[mode] = min(self.first[mode], float(number) * self.UNITS[unit])

    def problems(self):
        better = min(seconds for mode, seconds in self.first.items() if mode != "auto")
        return ["slow at the prompt"] if self.first["auto"] > 1.15 * better + 0.010 else []

    def words(self):
        return "at the prompt " + ", ".join("%s %.1f ms" % (mode, 1e3 * seconds)
                                            for mode, seconds in self.first.items())


class Calls:
    """An expression as an entry point that is called in auto: the least times by position."""

    def __init__(self, sinter, expression, _):
        self.sinter, self.expression = sinter, expression
        self.cold = self.filled = None

    def add_round(self):
        with tempfile.TemporaryDirectory() as folder:
            program, times = os.path.join(folder, "called.fut"), os.path.join(folder, "times")
            with open(PROGRAM) as definitions, open(program, "w") as called:
                called.write("%s\n-- ==\n-- entry: called\n-- input { 0 }\n"
                             "entry called (_: i32) = %s\n" % (definitions.read(), self.expression))

            def run(cache):
                Process([self.sinter, "bench", "--mode", "auto", "--runs", str(CALLS - 1),
                         "--longest", "3", "--json", times, program], cache)
                with open(times) as file:
                    (benchmark,) = json.load(file).values()
                (dataset,) = benchmark["datasets"].values()
                return [call / 1e6 for call in dataset["calls"][:CALLS]]

            cold, filled = in_fresh_cache(run)
        self.cold = [min(pair) for pair in zip(self.cold or cold, cold)]
        self.filled = [min(pair) for pair in zip(self.filled or filled, filled)]

    def problems(self):
        found = []
        if self.cold[0] > min(self.cold[1:]) + 0.030:
            found.append("a slow first call when cold")
        if self.filled[0] > min(self.filled[1:]) + 0.010:
            found.append("a slow first call with objects")
        for calls, words in ((self.cold, " when cold"), (self.filled, " with objects")):
            least = calls[0]
            for position, call in enumerate(calls):
                if call > max(1.3 * least, least + WAKING):
                    found.append("call %d takes %.3f ms after one of %.3f ms%s" %
                                 (position + 1, 1e3 * call, 1e3 * least, words))
                    break
                least = min(least, call)
        return found

    def words(self):
        return "first call %.2f and %.2f ms, best %.3f ms" % (
            1e3 * self.cold[0], 1e3 * self.filled[0], 1e3 * min(self.cold + self.filled))


def judged(measurement, rounds):
    """Measures for some rounds, and for more of them while something is amiss."""
    for done in range(1, 4 * rounds + 1):
        measurement.add_round()
        if done >= rounds and not measurement.problems():
            break
    return measurement


PARTS = {"evaluations": Evaluations, "prompt": Prompt, "calls": Calls}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sinter", required=True)
    parser.add_argument("--rounds", type=int, default=3, help="fewest processes of a kind")
    parser.add_argument("--parts", default=",".join(PARTS), help="which of " + ", ".join(PARTS))
    parser.add_argument("names", nargs="*", help="only expressions whose names contain one of these")
    options = parser.parse_args()
    passed = failed = 0
    for name, expression, is_interpreted in EXPRESSIONS:
        if options.names and not any(wanted in name for wanted in options.names):
            continue
        measurements = [judged(PARTS[part](options.sinter, expression, is_interpreted),
                               options.rounds) for part in options.parts.split(",")]
        problems = [problem for measurement in measurements for problem in measurement.problems()]
        print("%-16s %s" % (name, "; ".join(m.words() for m in measurements)), flush=True)
        for problem in problems:
            print("    " + problem, flush=True)
        passed, failed = passed + (not problems), failed + bool(problems)
    print("%d passed, %d failed" % (passed, failed))
    return 1 if failed else 0


sys.exit(main())
