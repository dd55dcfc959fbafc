#!/usr/bin/env python3
"""Runs entry points in pieces, a process for each, and compares the bits with a run of the whole.

    tests/pieces/run.py [--sinter PATH] [--random COUNT] [--seed NUMBER]

Ends with "N passed, N failed".  A case is an entry point with inputs in one mode and one cut: its
pieces run at the same time, their files are combined in random groups and order.  Also: what is
refused, and what becomes of files that are damaged or do not belong together.
"""

import argparse
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import pipelines  # noqa: E402
import values  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SIZES = [0, 1, 63, 64, 65, 1000, 4095, 4096, 4097, 8192, 9000, 20001]

# The inputs of each program of programs.fut: "xs" an array of floats over n, "ks" one of integers,
# "bins" an array of 37 of them, "floats" likewise, others as text.
PROGRAMS = {
    "sum": ["xs"], "mean_and_variance": ["xs"], "dot": ["xs", "ks"], "affine": ["ks"],
    "affine_floats": ["xs"], "rows": ["xs"], "argmax": ["xs"], "scaled": ["1.5", "xs"],
    "numbered": ["ks"], "smoothed": ["xs"], "smoothed_twice": ["xs"], "steps": ["xs"],
    "windows": ["xs"],
    "smoothed_sum": ["xs"], "kept": ["ks"], "kept_and_counted": ["xs"], "bins": ["50", "ks"],
    "bins_of_floats": ["50", "xs", "ks"], "bins_into": ["bins", "ks"], "prefixes": ["xs"],
    "placed": ["floats", "ks", "xs"], "looked_up": ["floats", "ks"], "forces": ["xs"],
    "of_number": ["n"], "of_rows": ["matrix", "row"],
}
REFUSED = {
    "normalised": "that takes a second round over the inputs",
    "in_turn": "nothing is computed for each of its elements alone",
    "no_sizes": "it has no parameter with a size",
    "read_anywhere": "of an array that is computed from what is cut",
    "positions_of_kept": "the position among what a filter keeps is used",
    "recursive_sum": "is for the interpreter",
}


class Suite:
    def __init__(self, sinter, seed, folder):
        self.sinter, self.folder = sinter, folder
        self.chance = random.Random(seed)
        self.passed = self.failed = self.refused = 0
        self.names = (os.path.join(folder, f"{i}.part") for i in itertools.count())

    def call(self, *words, **options):
        return subprocess.run([self.sinter, *words], capture_output=True, timeout=600, **options)

    def expect(self, condition, what, details=b""):
        if condition:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED: {what}\n{details.decode(errors='replace')}", flush=True)

    # ---- inputs

    def inputs(self, kinds, n):
        words = []
        for number, kind in enumerate(kinds):
            path = os.path.join(self.folder, f"input{number}")
            shapes = {"xs": ("f32", [n]), "ks": ("i64", [n]), "bins": ("i64", [37]),
                      "floats": ("f32", [37]), "matrix": ("f32", [n, 21]), "row": ("f32", [21])}
            if kind in shapes:
                path = values.random_array(self.chance, path + ".npy", *shapes[kind])
            else:
                path += ".txt"
                with open(path, "w", encoding="utf-8") as file:
                    file.write(str(n) if kind == "n" else kind)
            words += ["-i", path]
        return words

    # ---- cuts

    def report(self, file, entry):
        done = self.call("pieces", file, "-e", entry)
        return json.loads(done.stdout), done

    def random_cut(self, n, row):
        """Options for each piece."""
        pieces = self.chance.randrange(2, 9)
        if self.chance.random() < 0.5:
            return [["--piece", f"{i + 1}/{pieces}"] for i in range(pieces)]
        units = (n + row - 1) // row
        inner = sorted(self.chance.randrange(units + 1) * row for _ in range(pieces - 1))
        cuts = [0] + [min(cut, n) for cut in inner] + [n]
        return [["--indices", f"{a}:{b}"] for a, b in zip(cuts, cuts[1:])]

    def run_pieces(self, run, cut):
        """The files of pieces that run at the same time; the first message if one fails."""
        running = []
        for piece in cut:
            path = next(self.names)
            command = [self.sinter, *run, *piece, "--partial", path]
            running.append((path, subprocess.Popen(command, stdout=subprocess.PIPE,
                                                   stderr=subprocess.PIPE)))
        messages = [process.communicate(timeout=600)[1] for _, process in running]
        failed = [m for m, (_, process) in zip(messages, running) if process.returncode != 0]
        return [path for path, _ in running], failed

    def combine(self, file, paths, mode):
        """Neighbours first, now and then; then all, in any order."""
        if len(paths) > 2 and self.chance.random() < 0.5:
            begin = self.chance.randrange(len(paths) - 1)
            end = self.chance.randrange(begin + 1, len(paths))
            joined = next(self.names)
            done = self.call("combine", file, *paths[begin:end + 1], "--partial", joined)
            if done.returncode != 0:
                return done
            paths = paths[:begin] + [joined] + paths[end + 1:]
        paths = list(paths)
        self.chance.shuffle(paths)
        return self.call("combine", file, *paths, "-b", "--mode", mode)

    def compare(self, file, entry, inputs, n, row, mode):
        run = ["run", file, "-e", entry, *inputs, "--mode", mode]
        whole = self.call(*run, "-b")
        cut = self.random_cut(n, row)
        what = f"{entry} of {n} in {mode}, cut as {' '.join(piece[1] for piece in cut)}"
        if whole.returncode != 0:
            return self.expect(False, f"{what}: the whole fails", whole.stderr)
        paths, failed = self.run_pieces(run, cut)
        if failed:
            return self.expect(False, f"{what}: a piece fails", failed[0])
        result = self.combine(file, paths, mode)
        for path in paths:
            os.remove(path)
        return self.expect(result.returncode == 0 and result.stdout == whole.stdout, what,
                           result.stderr)

    # ---- suites

    def fixed_programs(self):
        file = os.path.join(HERE, "programs.fut")
        for entry, kinds in PROGRAMS.items():
            report, done = self.report(file, entry)
            self.expect(report.get("can_be_cut"), f"{entry} can be cut", done.stdout)
            if not report.get("can_be_cut"):
                continue
            sizes = self.chance.sample(SIZES, 2) if entry != "forces" else [300, 1000]
            for mode, n in zip(["interp", "jit"], sizes):
                self.compare(file, entry, self.inputs(kinds, n), n, report["row"], mode)

    def refusals(self):
        file = os.path.join(HERE, "refused.fut")
        for entry, why in REFUSED.items():
            report, done = self.report(file, entry)
            self.expect(done.returncode == 0 and not report["can_be_cut"] and why in report["why"],
                        f"{entry} is refused", done.stdout + done.stderr)
            kinds = {"no_sizes": ["1.5"], "read_anywhere": ["xs", "ks"]}.get(entry, ["xs"])
            inputs = self.inputs(kinds, 100)
            run = self.call("run", file, "-e", entry, *inputs, "--piece", "1/2", "--partial",
                            next(self.names))
            self.expect(run.returncode == 2 and b"[not-in-pieces]" in run.stderr,
                        f"a piece of {entry} is refused", run.stderr)

    def other_cuts(self):
        """Cuts of a sum of floats that are not at rows."""
        file = os.path.join(HERE, "programs.fut")
        n = 10000
        run = ["run", file, "-e", "sum", *self.inputs(["xs"], n)]
        for _ in range(20):
            cut = self.chance.randrange(1, n)
            piece = ["--indices", f"{cut}:{n}", "--partial", next(self.names)]
            done = self.call(*run, *piece)
            self.expect((done.returncode == 0) == (cut % 64 == 0) and done.returncode in (0, 2),
                        f"a cut at {cut} is refused unless at a row", done.stderr)
        paths, failed = self.run_pieces(
            [*run, "--inexact"], [["--indices", f"0:{cut}"], ["--indices", f"{cut}:{n}"]])
        whole = self.call(*run)
        result = self.call("combine", file, *paths)
        self.expect(not failed and result.returncode == 0 and abs(
            float(result.stdout[:-4]) - float(whole.stdout[:-4])) < 0.1,
                    "an inexact cut gives about the same", result.stderr)

    def files(self):
        """What is no piece of the run at hand, and files that are damaged."""
        file = os.path.join(HERE, "programs.fut")
        inputs = self.inputs(["1.5", "xs"], 5000)
        run = ["run", file, "-e", "scaled", *inputs]
        (a, b, c), _ = self.run_pieces(run, [["--piece", f"{i}/3"] for i in (1, 2, 3)])
        others, _ = self.run_pieces(["run", file, "-e", "scaled", *self.inputs(["2.5", "xs"], 5000)],
                                    [["--piece", "3/3"]])
        sums, _ = self.run_pieces(["run", file, "-e", "sum", *self.inputs(["xs"], 5000)],
                                  [["--piece", "3/3"]])
        program = os.path.join(self.folder, "other.fut")
        with open(file, encoding="utf-8") as source, open(program, "w", encoding="utf-8") as target:
            target.write(source.read().replace("a * x + 1", "a * x + 2"))

        def refused(words, why):
            done = self.call("combine", *words)
            self.expect(done.returncode == 2 and why.encode() in done.stderr and
                        done.stderr.count(b"\n") == 1, f"combine says: {why}", done.stderr)

        refused([file, a, c], "a piece is missing")
        refused([file, a, b], "pieces are missing")
        refused([file, b, c], "pieces are missing")
        refused([file, a, b, b, c], "are of the same indices")
        refused([file, a, b, others[0]], "different inputs")
        refused([file, a, b, sums[0]], "different entry points")
        refused([program, a, b, c], "different programs")
        refused([file, a, b, os.path.join(self.folder, "absent")], "absent")
        refused([file, a, b, file], "it is no partial")
        refused([file, a, b, inputs[3]], "it is no partial")
        with open(c, "rb") as source:
            contents = source.read()
        damaged = os.path.join(self.folder, "damaged.part")
        for _ in range(40):
            bad = bytearray(contents)
            if self.chance.random() < 0.5:
                del bad[self.chance.randrange(len(bad)):]
            else:
                at = self.chance.randrange(len(bad)) if self.chance.random() < 0.5 else \
                    self.chance.randrange(600)
                bad[at] ^= 1 << self.chance.randrange(8)
            with open(damaged, "wb") as target:
                target.write(bad)
            refused([file, a, b, damaged], "damaged.part")

    def options(self):
        file = os.path.join(HERE, "programs.fut")
        for words, why in [
            (["--piece", "1/2"], "--partial"), (["--partial", "x"], "--piece or --indices"),
            (["--piece", "3/2", "--partial", "x"], "--piece takes"),
            (["--piece", "a", "--partial", "x"], "--piece takes"),
            (["--indices", "5", "--partial", "x"], "--indices takes"),
            (["--indices", "5:4", "--partial", "x"], "the work has the indices 0:10"),
            (["--indices", "0:11", "--partial", "x"], "the work has the indices 0:10"),
            (["--piece", "1/2", "--indices", "0:1", "--partial", "x"], "say the same"),
            (["--inexact"], "--inexact goes with"),
        ]:
            done = self.call("run", file, "-e", "sum", *self.inputs(["xs"], 10), *words)
            self.expect(done.returncode == 2 and why.encode() in done.stderr,
                        f"{' '.join(words)} is refused", done.stderr)

    def failures(self):
        """An error of the program is one of the piece that it is in."""
        file = os.path.join(HERE, "programs.fut")
        xs = values.random_array(self.chance, os.path.join(self.folder, "xs.npy"), "f32", [200])
        ks = os.path.join(self.folder, "ks.npy")
        values.write_npy(ks, "i64", [200], [0 if i == 150 else 1 for i in range(200)])
        for mode in ["interp", "jit"]:
            run = ["run", file, "-e", "checked", "-i", xs, "-i", ks, "--mode", mode]
            first = self.call(*run, "--piece", "1/2", "--partial", next(self.names))
            second = self.call(*run, "--piece", "2/2", "--partial", next(self.names))
            self.expect(first.returncode == 0, "the piece before the error", first.stderr)
            self.expect(second.returncode == 1 and b"division by zero" in second.stderr.lower(),
                        "the piece with the error", second.stderr)

    def interruptions(self):
        """Ctrl-C in the midst of a piece's kernel: it ends soon, and there is no state."""
        file = os.path.join(self.folder, "long.fut")
        with open(file, "w", encoding="utf-8") as source:
            source.write("entry long [n] (xs: [n]f32): i64 =\n"
                         "  i64.sum (map (\\x -> loop s = i64.f32 x for i < 1000000000 do s * 3 + i)"
                         " xs)\n")
        xs = values.random_array(self.chance, os.path.join(self.folder, "xs.npy"), "f32", [20000])
        for mode in ["interp", "jit"]:
            path = next(self.names)
            process = subprocess.Popen([self.sinter, "run", file, "-e", "long", "-i", xs, "--mode",
                                        mode, "--piece", "1/2", "--partial", path],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            try:  # (it would take hours)
                process.wait(3)
            except subprocess.TimeoutExpired:
                pass
            process.send_signal(signal.SIGINT)
            begin = time.monotonic()
            out, errors = process.communicate(timeout=120)
            seconds = time.monotonic() - begin
            left = [name for name in os.listdir(self.folder)
                    if name.startswith(os.path.basename(path))]
            self.expect(process.returncode == 130 and errors.count(b"interrupted") == 1 and
                        not out and not left and seconds < 2,
                        f"an interrupted piece, {mode}: {process.returncode}, {seconds} s, {left}",
                        errors)

    def random_programs(self, count):
        """Programs with some entry points each; each entry point in one mode with one cut."""
        file = os.path.join(self.folder, "random.fut")
        entries_at_once = 10
        for begin in range(0, count, entries_at_once):
            names = [f"e{i}" for i in range(begin, min(begin + entries_at_once, count))]
            with open(file, "w", encoding="utf-8") as source:
                source.write("\n".join(pipelines.random_entry(self.chance, e) for e in names))
            for number, entry in enumerate(names):
                report, done = self.report(file, entry)
                if not report.get("can_be_cut"):
                    # (Neighbours of what is computed are read: not all of these are one with it.)
                    self.refused += 1
                    self.expect("computed" in report["why"], f"{entry} is refused", done.stdout)
                    continue
                n = self.chance.choice([*SIZES, self.chance.randrange(20000)])
                inputs = self.inputs(["xs", "ks", "floats"], n)
                failed = self.failed
                self.compare(file, entry, inputs, n, report["row"],
                             "interp" if number % 2 else "jit")
                if self.failed > failed:
                    with open(file, encoding="utf-8") as source:
                        text = source.read()
                    print("\n".join(t for t in text.split("\n\n") if f"entry {entry} " in t))


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--sinter", default=os.path.join(ROOT, "build", "sinter"))
    options.add_argument("--random", type=int, default=60)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        suite = Suite(os.path.abspath(given.sinter), given.seed, folder)
        suite.fixed_programs()
        suite.refusals()
        suite.other_cuts()
        suite.files()
        suite.options()
        suite.failures()
        suite.interruptions()
        suite.random_programs(given.random)
        if suite.refused:
            print(f"{suite.refused} of {given.random} random entry points do not run in pieces")
    print(f"{suite.passed} passed, {suite.failed} failed")
    sys.exit(suite.failed > 0)


if __name__ == "__main__":
    main()
