#!/usr/bin/env python3
"""Computes random steps of streams as a whole and in chunks, in every way that there is.

    tests/pieces/law.py [--sinter PATH] [--count COUNT] [--seed NUMBER]

Ends with "N passed, N failed".  A case is a way, which gives the bits of the whole in the
interpreter: compiled as a whole, `sinter stream` with chunks of some size (interpreted, compiled),
`fold_stream` in random chunks, and in pieces, where it runs in pieces.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import steps  # noqa: E402
import values  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
MOST_CUTS = 40


def numbers_of(text):
    """The numbers of values in text, whatever the brackets."""
    return re.findall(r"[-\w.+]+", re.sub(r"empty\([^)]*\)", "", text))


class Law:
    def __init__(self, sinter, seed, folder):
        self.sinter, self.folder = sinter, folder
        self.chance = random.Random(seed)
        self.passed = self.failed = self.in_pieces = 0

    def call(self, *words):
        done = subprocess.run([self.sinter, *words], capture_output=True, timeout=600, text=True,
                              cwd=self.folder)
        return done.returncode, done.stdout, done.stderr

    def numbers(self, *words):
        code, out, errors = self.call(*words)
        return numbers_of(out) if code == 0 else f"exit code {code}: {errors}"

    def expect(self, what, found, expected, step):
        if found == expected:
            self.passed += 1
            return
        self.failed += 1
        print(f"FAILED: {what}\n{step.text}\n  {str(found)[:500]}\n  {str(expected)[:500]}",
              flush=True)

    def pieces_of(self, file, entry, mode, count):
        code, out, errors = self.call("pieces", file, "-e", entry)
        if code != 0:
            return errors
        if not json.loads(out)["can_be_cut"]:
            return None
        paths = []
        for piece in range(count):
            paths.append(f"{piece}.part")
            code, _, errors = self.call("run", file, "-e", entry, "-i", "xs.npy", "--mode", mode,
                                        "--piece", f"{piece + 1}/{count}", "--partial", paths[-1])
            if code != 0:
                return errors
        return self.numbers("combine", file, *paths, "--mode", mode)

    def check(self, file, name, step):
        n = self.chance.choice([0, 1, 2, 64, 4096, self.chance.randrange(300),
                                self.chance.randrange(20000)])
        values.random_array(self.chance, os.path.join(self.folder, "xs.npy"), step.element, [n])
        whole = self.numbers("run", file, "-e", f"{name}_whole", "-i", "xs.npy", "--mode", "interp")
        if isinstance(whole, str):
            return self.expect(f"{name} of {n}", whole, "numbers", step)
        jit = self.numbers("run", file, "-e", f"{name}_whole", "-i", "xs.npy", "--mode", "jit")
        self.expect(f"{name} of {n}, compiled", jit, whole, step)
        for mode in ("interp", "jit"):
            chunk = max(n // self.chance.randrange(1, MOST_CUTS + 1), 1)
            found = self.numbers("stream", file, "-e", name, "--init", f"({step.init})",
                                 "--finish", f"{name}_state", "-i", "xs.npy", "--mode", mode,
                                 "--chunk", str(chunk), "--output-format", "text")
            self.expect(f"{name} of {n} as a stream in {mode}, --chunk {chunk}", found, whole, step)
        seed = self.chance.randrange(1000)
        state_size = step.carried + steps.BINS * step.keeps_bins
        found = self.numbers("run", file, "-e", f"{name}_fold", "-i", "xs.npy", "--chunks",
                             f"random:{seed}")
        self.expect(f"{name} of {n}, --chunks random:{seed}", found, whole[-state_size:], step)
        pieces = self.chance.randrange(2, 5)
        mode = self.chance.choice(["interp", "jit"])
        found = self.pieces_of(file, f"{name}_whole", mode, pieces)
        if found is not None:
            self.in_pieces += 1
            self.expect(f"{name} of {n} in {pieces} pieces, {mode}", found, whole, step)
        return None

    def check_all(self, count, at_once=20):
        for begin in range(0, count, at_once):
            made = {f"e{i}": steps.RandomStep(self.chance, f"e{i}")
                    for i in range(begin, min(begin + at_once, count))}
            with open(os.path.join(self.folder, "steps.fut"), "w", encoding="utf-8") as file:
                file.write('import "sinter/stream"\n\n' +
                           "\n".join(step.text for step in made.values()))
            for name, step in made.items():
                self.check("steps.fut", name, step)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sinter", default=os.path.join(ROOT, "build", "sinter"))
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        law = Law(os.path.abspath(options.sinter), options.seed, folder)
        law.check_all(options.count)
    print(f"{law.in_pieces} of {options.count} random steps run in pieces")
    print(f"{law.passed} passed, {law.failed} failed")
    sys.exit(law.failed > 0)


if __name__ == "__main__":
    main()
