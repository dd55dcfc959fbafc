#!/usr/bin/env python3
"""Lets each write, map and allocation of a run fail in turn, and kills the program at each write.

    tests/faults/run.py --sinter PROGRAM --faults LIBRARY [--most N] [NAME…]

A scenario is a command and what it is to do.  It runs once to count its calls of a kind (see
faults.cpp); then again and again, each time with the next of them failing.  Each time it must do
what it is to do, or tell one error and end with its exit code; never may it die, and what was saved
before must be there, whole: as it was, or as it was to become.  With --most, of the calls of a kind
at most N fail, evenly spread.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

LIMIT_IN_SECONDS = 120
SUM = "i64.sum (map (\\x -> x * x % 7) (iota 100000))"


class Scenario:
    """`prepare` makes what was there before; `check` looks at what is there afterwards, given
    whether the run went well, and returns what is wrong."""

    def __init__(self, name, kinds, arguments, stdin="", out=None):
        self.name, self.kinds, self.arguments = name, kinds, arguments
        self.stdin, self.out = stdin, out

    def prepare(self, program, folder):
        pass

    def check(self, program, folder, faults, went_well):
        return None


class Program:
    def __init__(self, options):
        self.options = options

    def run(self, folder, arguments, stdin="", faults=None, count=None):
        env = {"PATH": os.environ["PATH"], "HOME": folder, "NO_COLOR": "1", "LC_ALL": "C.UTF-8",
               "SINTER_CACHE": os.path.join(folder, "cache")}
        if faults:
            env["LD_PRELOAD"], env["FAULTS"] = self.options.faults, faults
        if count:
            env["FAULTS_COUNT"] = count
        return subprocess.run([self.options.sinter] + arguments, input=stdin, text=True, cwd=folder,
                              env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              errors="replace", timeout=LIMIT_IN_SECONDS)


class Evaluation(Scenario):
    """Compiled code comes from the cache in the next run, and is the right one."""

    def check(self, program, folder, faults, went_well):
        again = program.run(folder, self.arguments, self.stdin)
        if again.stdout != self.out or again.stderr:
            return "afterwards: " + again.stdout + again.stderr
        return None


class Saving(Scenario):
    """A session is saved where another one was."""

    OLD = "def f (x: i64) = x\ndef xs = [1i64, 2, 3]\n[10i64, 20]\n20 + 1i64\n:save kept\n"
    NEW = ":restore kept\ndef f (x: i64) = x + 1\nmap (+ 1) it1\n:save kept\n"
    LOOK = ":restore kept\nf 5\nxs\nit1\nit2\n"

    def prepare(self, program, folder):
        program.run(folder, ["repl"], self.OLD)
        self.before = program.run(folder, ["repl"], self.LOOK)

    def check(self, program, folder, faults, went_well):
        now = program.run(folder, ["repl"], self.LOOK)
        is_old = now.stdout == self.before.stdout
        is_new = now.stdout == self.before.stdout.replace("i64: 5", "i64: 6", 1)
        # A session that had no memory for its definitions saves what it has: that must come back.
        is_right = now.stderr == self.before.stderr and (is_new if went_well else is_old or is_new)
        if not is_right and (faults.startswith("change") or "kept" in now.stderr[16:]):
            return "restored: " + now.stdout + now.stderr
        # What a run left behind does not stay for ever.
        program.run(folder, ["repl"], self.NEW)
        left = sorted(os.listdir(os.path.join(folder, "kept.data")))
        return None if len(left) <= 1 else "left behind: " + " ".join(left)


class Replacing(Scenario):
    """A file is replaced."""

    def __init__(self, name, kinds, arguments, stdin, out, path, old):
        super().__init__(name, kinds, arguments, stdin, out)
        self.path, self.old, self.new = path, old, None

    def prepare(self, program, folder):
        path = os.path.join(folder, self.path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(os.path.join(folder, "twice.fut"), "w") as file:
            file.write("-- Numbers.\n\n-- > main [1, 2]\n\nentry main (xs: []i64) = map (* 2) xs\n"
                       "entry large (n: i64) = map (* 2) (iota n)\n")
        with open(os.path.join(folder, "chunks.fut"), "w") as file:
            file.write("entry step [k] (xs: [k]u8): [k]u8 = map (+ 1) xs\n")
        with open(os.path.join(folder, "large.raw"), "wb") as file:
            file.write(b"x" * ((2 << 20) + 1))
        if self.new is None:
            program.run(folder, self.arguments, self.stdin)
            with open(path, "rb") as file:
                self.new = file.read()
        with open(path, "wb") as file:
            file.write(self.old)

    def check(self, program, folder, faults, went_well):
        with open(os.path.join(folder, self.path), "rb") as file:
            found = file.read()
        is_right = found == self.new if went_well else found in (self.old, self.new)
        return None if is_right else "the file has %r" % found[:200]


def scenarios():
    old = b"what was there before"
    change, write = ("change", ["", "!", "/"]), ("write", ["", "!", "/"])
    map_, allocate = ("map", ["", "+"]), ("allocate", ["", "+"])
    everything = [change, map_, allocate]
    return [
        Evaluation("an evaluation", [write, map_, allocate],
                   ["eval", "--mode", "interp", SUM], "", "199999i64\n"),
        Evaluation("an evaluation that is worth a note", [change],
                   ["eval", "i64.sum (map (\\x -> x * x % 7) (iota 2000000))"], "", "3999997i64\n"),
        Evaluation("a compiled evaluation", everything, ["eval", "--mode", "jit", SUM], "",
                   "199999i64\n"),
        Saving("saving", everything, ["repl"], Saving.NEW),
        Replacing("writing values", everything, ["repl"], ":write \"out.npy\" iota 1000\n", None,
                  "out.npy", old),
        Replacing("the output of a run", everything, ["run", "twice.fut", "-o", "out.txt"],
                  "[1, 2]", "", "out.txt", old),
        Replacing("a result larger than memory", everything,
                  ["run", "twice.fut", "-e", "large", "--mode", "interp", "--max-memory", "4M",
                   "-o", "out.npy"], "1000000i64", "", "out.npy", old),
        Replacing("results of chunks", everything,
                  ["stream", "chunks.fut", "-o", "out.raw", "--chunk", "5000"], "x" * 20001, "",
                  "out.raw", old),
        Replacing("chunks that stay in a file", everything,
                  ["stream", "chunks.fut", "-i", "large.raw", "-o", "out.raw", "--chunk", "700000"], "",
                  "", "out.raw", old),
        Replacing("a document", [change], ["literate", "twice.fut"], "", "", "twice.md", old),
        Replacing("settings", [change], ["repl"], ":set timeout 10s\n:set --save\n", None,
                  ".config/sinter/settings", b"mode interp\n"),
    ]


def wrong_with(program, scenario, folder, faults, right):
    """What is wrong with a run with faults, or None; `right` is one without."""
    scenario.prepare(program, folder)
    try:
        done = program.run(folder, scenario.arguments, scenario.stdin, faults)
    except subprocess.TimeoutExpired:
        return "no end"
    is_killed = faults.endswith("!") and done.returncode == -9
    told_of = [line for line in done.stderr.splitlines() if re.search("[Ee]rror|cannot", line)]
    # Where every call fails from some point on, a warning (there is no compiler) comes first.
    errors = [line for line in told_of if not line.startswith("warning: ")]
    went_well = (done.returncode, done.stdout, done.stderr) == (0, right.stdout, right.stderr)
    told = " (exit code %d)\n%s%s" % (done.returncode, done.stdout[-500:], done.stderr[-1500:])
    if done.returncode < 0 and not is_killed:
        return "it died" + told
    if not (went_well or is_killed or told_of):
        return "neither right nor an error" + told
    if not is_killed and len(errors) > 1 and scenario.arguments[0] != "repl":
        return "more than one error" + told
    wrong = scenario.check(program, folder, faults, went_well)
    return wrong + told if wrong else None


def run_scenario(program, scenario, most, counts):
    for kind, ways in scenario.kinds:
        with tempfile.TemporaryDirectory() as folder:
            scenario.prepare(program, folder)
            count = os.path.join(folder, "count")
            right = program.run(folder, scenario.arguments, scenario.stdin, kind, count)
            with open(count) as file:
                total = int(file.read())
        if scenario.out is not None and right.stdout != scenario.out or right.returncode != 0:
            counts[1] += 1
            print("FAIL %s: %s%s" % (scenario.name, right.stdout, right.stderr))
            return
        step = max(1, -(-total // most)) if most else 1
        for number in range(1, total + 1, step):
            for way in ways:
                faults = "%s:%d%s" % (kind, number, way)
                with tempfile.TemporaryDirectory() as folder:
                    wrong = wrong_with(program, scenario, folder, faults, right)
                counts[1 if wrong else 0] += 1
                if wrong:
                    print("FAIL %s, %s of %d: %s" % (scenario.name, faults, total, wrong))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sinter", required=True)
    parser.add_argument("--faults", required=True, help="sinter_faults.so")
    parser.add_argument("--most", type=int, default=0)
    parser.add_argument("names", nargs="*", help="only scenarios whose name has this")
    options = parser.parse_args()
    options.sinter = os.path.abspath(options.sinter)
    options.faults = os.path.abspath(options.faults)
    counts = [0, 0]
    for scenario in scenarios():
        if not options.names or any(name in scenario.name for name in options.names):
            run_scenario(Program(options), scenario, options.most, counts)
    print("%d passed, %d failed" % tuple(counts))
    return 0 if counts[1] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
