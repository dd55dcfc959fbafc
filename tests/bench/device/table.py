#!/usr/bin/env python3
"""One table of what was measured on a device.

    table.py --ours FILE [--references FILE] [--exact FILE] [--peer NAME=FILE]...

The files hold the lines of `sinter bench --size`, of the programs `references` and
`references_exact`, and of `peers.py`.  A ratio is our time over the other's: below 1 we are faster.
`share` is the traffic that the program cannot do without, per second, over that of the largest
`copy` of the references.  A `!` behind a ratio: the results differ.  The last line has geometric
means (of how many), without those.
"""
import argparse
import json
import math
import sys

USUAL = {"scan": "i32", "blackscholes": "f32", "histogram": "256", "filter": "filter",
         "launches": "stream"}


def lines_of(path):
    """What a file says of each (name, variant, n); without errors; the last line counts."""
    found = {}
    with open(path) as file:
        for text in file:
            if not text.lstrip().startswith("{"):
                continue
            line = json.loads(text)
            if line.get("median_s") is None:
                continue
            variant = line.get("variant") or USUAL.get(line["name"], "")
            found[line["name"], variant, line["n"]] = line
    return found


def agree(one, other):
    def near(x, y):
        return abs(x - y) <= 1e-3 * max(abs(x), abs(y))

    return all(near(one[key], other[key]) for key in ("sum", "wsum"))


def copied(references):
    """Bytes per second of the largest copy, or None."""
    copies = [line for (name, _, _), line in references.items() if name == "copy"]
    if not copies:
        return None
    line = max(copies, key=lambda line: line["n"])
    return line["bytes"] / line["median_s"]


def main():
    parser = argparse.ArgumentParser(description="One table of what was measured on a device.")
    parser.add_argument("--ours", required=True)
    parser.add_argument("--references")
    parser.add_argument("--exact")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=FILE")
    options = parser.parse_args()
    ours = lines_of(options.ours)
    references = lines_of(options.references) if options.references else {}
    exact = lines_of(options.exact) if options.exact else {}
    # a program may have a variant for results that are rounded as the language says
    for (name, variant, n), line in list(exact.items()):
        if variant == "exact":
            exact[name, "", n] = line
    others = [("cuda", references), ("exact", exact)]
    for peer in options.peer:
        name, separator, path = peer.partition("=")
        if not separator:
            parser.error("--peer takes NAME=FILE")
        others.append((name, lines_of(path)))
    bandwidth = copied(references)

    keys = list(ours)
    for key in references:  # what we lack is shown, too
        if key not in ours and key[0] not in ("copy", "launches") and key[1] != "exact":
            keys.append(key)
    rows = [["benchmark", "n", "ours ms", "share"] + ["/ " + name for name, _ in others]]
    ratios = [[] for _ in others]
    shares = []
    for key in sorted(keys):
        name, variant, n = key
        row = [name + ("." + variant if variant else ""), str(n)]
        mine = ours.get(key)
        bytes_moved = next((found[key]["bytes"] for _, found in others
                            if key in found and found[key].get("bytes")), None)
        row.append("%.4g" % (1e3 * mine["median_s"]) if mine else "-")
        if mine and bytes_moved and bandwidth:
            shares.append(bytes_moved / mine["median_s"] / bandwidth)
            row.append("%.1f %%" % (100 * shares[-1]))
        else:
            row.append("-")
        for column, (_, found) in enumerate(others):
            other = found.get(key)
            if not mine or not other:
                row.append("-")
                continue
            ratio = mine["median_s"] / other["median_s"]
            same = agree(mine, other)
            if same:
                ratios[column].append(ratio)
            row.append("%.2f%s" % (ratio, "" if same else " !"))
        rows.append(row)

    def mean(values):
        return math.exp(sum(map(math.log, values)) / len(values)) if values else None

    share = mean(shares)
    rows.append(["geometric mean", "", "", "-" if share is None else "%.1f %%" % (100 * share)] +
                ["-" if mean(r) is None else "%.2f (%d)" % (mean(r), len(r)) for r in ratios])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        print("  ".join(cell.ljust(w) if i == 0 else cell.rjust(w)
                        for i, (cell, w) in enumerate(zip(row, widths))).rstrip())
    if bandwidth:
        print("copy: %.0f GB/s" % (bandwidth / 1e9))
    return 0


if __name__ == "__main__":
    sys.exit(main())
