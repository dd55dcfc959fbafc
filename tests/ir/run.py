#!/usr/bin/env python3
"""Passes over the IR, each on texts of its own: tests/ir/PASS/*.ir.

A file holds a comment that says what is shown, a function, a line `-- ==`, and what the pass makes
of it, as `sinter ir` writes it.  With `--update` that is written anew.  Where what is shown needs
more than one pass, a first line `-- passes: fuse,dead-code` names them, in order.
Each pass of the pipeline has a folder with texts that it changes, at least one.
"""

import argparse
import pathlib
import subprocess
import sys

SEPARATOR = "-- ==\n"
PASSES = "-- passes: "


def ir(sinter, *arguments, text=""):
    """What `sinter ir` writes, or the error."""
    run = subprocess.run([sinter, "ir", *arguments], input=text, capture_output=True, text=True,
                         timeout=60, check=False)
    return run.stdout if run.returncode == 0 else "error: " + run.stderr


def after(sinter, name, text):
    """What the pass of that name, or what the text's first line asks for, makes of the text."""
    first = text.partition("\n")[0]
    passes = first.removeprefix(PASSES) if first.startswith(PASSES) else name
    return ir(sinter, "-", "--passes", passes, text=text)


def untold(sinter, folder):
    """The passes that no text shows at work."""
    names = ir(sinter, "--list").split()
    shown = set()
    for file in folder.glob("*/*.ir"):
        before, _, expected = file.read_text().partition(SEPARATOR)
        if expected != ir(sinter, "-", "--without-pass", ",".join(names), text=before):
            shown.add(file.parent.name)
    return set(names) - shown


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sinter", required=True, help="the executable")
    parser.add_argument("--update", action="store_true", help="write what comes out instead")
    options = parser.parse_args()
    files = sorted(pathlib.Path(__file__).parent.glob("*/*.ir"))
    failed = 0
    for file in files:
        text = file.read_text()
        before, separator, expected = text.partition(SEPARATOR)
        found = after(options.sinter, file.parent.name, before)
        if options.update:
            file.write_text(before + SEPARATOR + found)
        elif not separator or found != expected or found.startswith("error: "):
            failed += 1
            print(f"FAIL {file}\n{found}", file=sys.stderr)
    passed = len(files) - failed
    for name in sorted(untold(options.sinter, pathlib.Path(__file__).parent)):
        failed += 1
        print(f"FAIL tests/ir/{name}/ has no text that the pass changes", file=sys.stderr)
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
