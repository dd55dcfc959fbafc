#!/usr/bin/env python3
"""Tests the Jupyter kernel and executes the notebooks; ends with "N passed, N failed".

    tests/notebooks/run.py --sinter PROGRAM [--update] [--browser] [NAME…]

Each notebook is executed, and its outputs are compared with those that are stored in it: values to
the last digit, pictures by their size and pixels, plots by their size.  Cells with the tag
`timing` show times: of those only the kinds of output are compared.  With --update what is stored
is replaced.  With --browser a real browser opens notebooks too (it needs Debian's jupyter-notebook,
chromium, chromium-driver and python3-selenium).
"""

import argparse
import base64
import difflib
import os
import re
import struct
import sys
import time
import traceback
import zlib

import nbclient
import nbformat

import highlighting_test
import kernel_test
import sinter_jupyter

LIMIT = 300  # seconds for a cell, with sanitizers


def png_contents(data):
    """Width, height and the unpacked pixels of a PNG."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "no PNG"
    at, packed, size = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        if kind == b"IHDR":
            size = struct.unpack(">II", body[:8])
        elif kind == b"IDAT":
            packed += body
        at += length + 12
    return size, zlib.crc32(zlib.decompress(packed))


def picture(kind, contents):
    """What must stay the same of a picture, in words."""
    if kind == "image/png":
        (width, height), pixels = png_contents(base64.b64decode(contents))
        return "%d x %d pixels, checksum %08x" % (width, height, pixels)
    if kind == "image/gif":
        data = base64.b64decode(contents)
        assert data[:4] == b"GIF8", "no GIF"
        return "%d x %d pixels, %d bytes" % (*struct.unpack("<HH", data[6:10]), len(data))
    match = re.search(r"<svg[^>]*>", contents)
    assert match, "no SVG"
    return " ".join(re.findall(r'\b(?:width|height|viewBox)="[^"]*"', match.group()))


def described(cell):
    """The outputs of a cell, as lines that are the same for every execution."""
    timing = "timing" in cell.metadata.get("tags", [])
    lines, streams = [], {}
    for output in cell.outputs:
        if output.output_type == "stream":
            streams[output.name] = streams.get(output.name, "") + output.text
        elif output.output_type == "error":
            # (How much memory is in use beside what is asked for, the allocator says.)
            lines += ["error:"] + [re.sub(r"(of which) [\d.]+ \w+ (are in use)", r"\1 some \2", line)
                                   for line in output.traceback]
        else:
            for kind, contents in sorted(output.data.items()):
                lines.append(kind + ":")
                if kind.startswith("image/"):
                    alternative = output.metadata.get(kind, {}).get("alt", "none")
                    lines += [picture(kind, contents), "alternative text: " + alternative]
                elif not timing:
                    lines += str(contents).splitlines()
    for name, text in sorted(streams.items()):
        lines += [name + ":"] + ([] if timing else text.splitlines())
    return lines


def execute(path, update):
    """Differences between what is stored and what a notebook gives, as lines."""
    notebook = nbformat.read(path, as_version=4)
    stored = [described(cell) for cell in notebook.cells if cell.cell_type == "code"]
    client = nbclient.NotebookClient(
        notebook, timeout=LIMIT, startup_timeout=LIMIT, kernel_name=sinter_jupyter.KERNEL,
        record_timing=False, resources={"metadata": {"path": os.path.dirname(path)}})
    client.execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    differences = []
    for cell, before in zip(code, stored):
        now = described(cell)
        if now != before:
            differences += ["In cell %s:" % cell.execution_count] + cell.source.splitlines()[:3]
            differences += list(difflib.unified_diff(before, now, "stored", "found", lineterm=""))
    if update and differences:
        nbformat.write(notebook, path)
    return differences


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sinter", required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--browser", action="store_true")
    parser.add_argument("names", nargs="*", help="only these tests and notebooks")
    options = parser.parse_args()
    counts = [0, 0]

    def wanted(name):
        return not options.names or any(part in name for part in options.names)

    def count(name, test):
        started = time.monotonic()
        try:
            complaint = test()
        except Exception:  # whatever goes wrong is this test's failure, not the others'
            complaint = traceback.format_exc().splitlines()
        counts[1 if complaint else 0] += 1
        if complaint:
            print("FAIL " + name)
            for line in complaint:
                print("  " + line)
        elif time.monotonic() - started > 10:
            print("     %s: %.0f s" % (name, time.monotonic() - started), file=sys.stderr)

    with sinter_jupyter.installed(os.path.abspath(options.sinter)) as folder:
        for name, test in highlighting_test.tests(os.path.abspath(options.sinter), folder).items():
            if wanted(name) and not options.update:
                count(name, test)
        chosen = {name: test for name, test in kernel_test.tests().items() if wanted(name)}
        if chosen and not options.update:
            with kernel_test.kernel() as (manager, client, run):
                for name, test in chosen.items():
                    count(name, lambda: test(manager, client, run))
        for name in sorted(os.listdir(sinter_jupyter.NOTEBOOKS)):
            if name.endswith(".ipynb") and wanted(name):
                path = os.path.join(sinter_jupyter.NOTEBOOKS, name)
                differences = []
                count(name, lambda: None if options.update else execute(path, False))
                if options.update and execute(path, True):
                    print("updated " + name)
        if options.browser:
            import browser_test
            for name, test in browser_test.tests().items():
                if wanted(name):
                    count(name, test)
    print("%d passed, %d failed" % tuple(counts))
    return 1 if counts[1] else 0


if __name__ == "__main__":
    sys.exit(main())
