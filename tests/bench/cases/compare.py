#!/usr/bin/env python3
"""The case studies and their references side by side, or in all modes.

    compare.py --sinter PROGRAM [--torch PYTHON] [--threads 2,1] [--rounds 3] [NAME...]
    compare.py --sinter PROGRAM --modes [NAME...]

Prints the least time of each, the ratio, and whether the results agree: "same" with equal hashes
and sums, "close" with sums that differ by less than 1e-3 of them; else it says "DIFF" and exits
with 1.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

# Name, program, variant, size, more options; the reference and its own options.
CASES = [
    ("viterbi", "viterbi", "", 100, [], "viterbi"),
    ("viterbi", "viterbi", "", 8, [], "viterbi"),
    ("viterbi_loops", "viterbi_loops", "", 8, [], "viterbi"),
    ("pendulum", "pendulum", "", 1000, [], "pendulum"),
    ("pendulum", "pendulum", "", 10000, [], "pendulum"),
    ("pendulum", "pendulum", "", 100000, [], "pendulum"),
    ("pendulum_contracted", "pendulum", "", 10000, ["--fp", "contract"], "pendulum_contracted"),
    ("net", "net", "", 6, [], "torch"),
    ("net", "net", "", 60, [], "torch"),
    ("net", "net", "colour", 6, [], "torch"),
    ("net_contracted", "net", "", 60, ["--fp", "contract"], "torch"),
    ("net_contracted", "net", "colour", 6, ["--fp", "contract"], "torch"),
]
# Name, variant, and a size that the evaluator does soon.
SMALL = [("viterbi", "short", 2), ("viterbi_loops", "short", 2), ("pendulum", "", 20),
         ("net", "small", 2)]
MODES = [["--mode", mode] for mode in ("interp", "jit", "auto", "mixed")] + [
    ["--mode", "jit", "--tier", "1"], ["--mode", "jit", "--threads", "1"], ["--device", "emulated"]]


def line_of(command):
    environment = dict(os.environ)
    environment.setdefault("GOMP_SPINCOUNT", "1000")  # threads that spin take others' processors
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    for text in done.stdout.splitlines():
        if text.startswith("{"):
            return json.loads(text)
    sys.exit("%s\n%s" % (" ".join(command), done.stderr.strip()))


def agreement(one, other):
    def is_near(key):
        return abs(one[key] - other[key]) <= 1e-3 * max(abs(one[key]), abs(other[key]))

    if not (is_near("sum") and is_near("wsum")):
        return "DIFF"
    same = one.get("hash") == other.get("hash") and one["sum"] == other["sum"]
    return "same" if same else "close"


def bench(sinter, program, variant, size, options):
    return [sinter, "bench", os.path.join(HERE, program + ".fut"), "--size", str(size), "--variant",
            variant, *options]


def compare_modes(options):
    failed = False
    for name, variant, size in SMALL:
        if options.names and name not in options.names:
            continue
        lines = [line_of(bench(options.sinter, name, variant, size, ["--runs", "1", *mode]))
                 for mode in MODES]
        for mode, line in zip(MODES, lines):
            same = all(line[key] == lines[0][key] for key in ("sum", "wsum", "hash"))
            failed |= not same
            print("%-14s %-28s %s" % (name, " ".join(mode), "same" if same else "DIFF"))
    return failed


def compare_references(options, folder):
    subprocess.run(["make", "-s", "-C", os.path.join(HERE, "reference"), "OUT=" + folder],
                   check=True)
    failed = False
    for name, program, variant, size, more, reference in CASES:
        if options.names and name not in options.names:
            continue
        if reference == "torch" and not options.torch:
            continue
        for threads in options.threads.split(","):
            is_long = reference == "viterbi" and size > 20
            common = ["--threads", threads, "--runs", "1" if is_long else "5"]
            ours = bench(options.sinter, program, variant, size, common + more)
            theirs = [os.path.join(folder, reference), "--n", str(size), *common]
            if reference == "torch":
                theirs = [options.torch, os.path.join(HERE, "net_peer.py"), "--n", str(size),
                          "--variant", variant, *common]
            pairs = [(line_of(theirs), line_of(ours)) for _ in range(options.rounds)]
            they, we = (min(pair[k]["min_s"] for pair in pairs) for k in (0, 1))
            verdict = agreement(pairs[0][0], pairs[0][1])
            failed |= verdict == "DIFF"
            print("%-20s %-7s n %-7d threads %s   reference %9.4f s   sinter %9.4f s   ratio %5.2f"
                  "   %s" % (name, variant, size, threads, they, we, we / they, verdict),
                  flush=True)
    return failed


def main():
    parser = argparse.ArgumentParser(description="The case studies beside their references.")
    parser.add_argument("--sinter", required=True)
    parser.add_argument("--torch", help="a Python that has PyTorch")
    parser.add_argument("--threads", default="2,1")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--modes", action="store_true", help="small sizes, in all modes")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    if options.modes:
        return compare_modes(options)
    with tempfile.TemporaryDirectory() as folder:
        return compare_references(options, folder)


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
