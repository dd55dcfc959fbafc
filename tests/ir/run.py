#!/usr/bin/env python3
"""Passes over the IR, each on texts of its own: tests/ir/PASS/*.ir.

A file holds a comment that says what is shown, a function, a line `-- ==`, and what the pass makes
of it, as `sinter ir` writes it.  With `--update` that is written anew.
"""

import argparse
import pathlib
import subprocess
import sys

SEPARATOR = "-- ==\n"


def after(sinter, name, text):
    """What the pass of that name makes of the text, or the error."""
    run = subprocess.run([sinter, "ir", "-", "--passes", name], input=text, capture_output=True,
                         text=True, timeout=60, check=False)
    return run.stdout if run.returncode == 0 else "error: " + run.stderr


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
        elif not separator or found != expected:
            failed += 1
            print(f"FAIL {file}\n{found}", file=sys.stderr)
    if not files:
        print("FAIL there are no texts", file=sys.stderr)
        failed += 1
    print(f"{len(files) - min(failed, len(files))} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
