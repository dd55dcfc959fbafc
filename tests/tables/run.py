#!/usr/bin/env python3
"""Reads tables with Sinter and with pandas; ends with "N passed, N failed".

    tests/tables/run.py --sinter PROGRAM [--update]

Each table of files.py is read with `:read`.  What comes of it must be what expected.json has: the
columns, or an error that says where.  The columns must be those that pandas reads from the same
bytes, given the delimiter, the decimal sign and the line of names that Sinter says it has found: the
same numbers to the last bit, the same truth values, dates and words.  Where pandas is installed it
is asked, else expected.json has its answers too.  With --update (which needs pandas) that file is
written anew; even then columns that differ from those of pandas fail.
"""

import argparse
import datetime
import io
import json
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile

import files

HERE = os.path.dirname(os.path.abspath(__file__))
EXPECTED = os.path.join(HERE, "expected.json")
PLACE = re.compile(r"\bline \d+\b")
PLACELESS = ["the table is empty", "the table is in UTF-16", "the table has no column"]

try:
    import pandas
except ImportError:
    pandas = None


# ---- Sinter -------------------------------------------------------------------------------------

def parsed(text):
    """The numbers and truth values of Futhark's notation."""
    if text.startswith("empty("):
        return []
    text = re.sub(r"-?\bf64\.(nan|inf)|-?\bf32\.(nan|inf)",
                  lambda m: m[0].replace("f64.", "").replace("f32.", "")
                  .replace("nan", "NaN").replace("inf", "Infinity"), text)
    text = re.sub(r"(?<=[0-9])([iu](8|16|32|64)|f(16|32|64))\b", "", text)
    return json.loads(text)


def word(row):
    return bytes(row).rstrip(b"\0").decode("utf-8", "surrogateescape")


def columns_of(type_text, lines):
    """Names, kinds and cells, from the type of a table and its fields, a line each."""
    fields = re.findall(r"[{ ](\w+): ((?:\[\d+\])+\w+)", type_text)
    if not fields:
        value = parsed(lines[0])
        rows = zip(*value) if value and isinstance(value[0], list) else [value]
        return [{"name": "", "cells": list(cells)} for cells in rows]
    values = {name: parsed(line) for (name, _), line in zip(fields, lines)}
    words_of = {name[:-len("_words")]: name for name, kind in fields
                if name.endswith("_words") and re.fullmatch(r"\[\d+\]\[\d+\]u8", kind)}
    units = [name for name, kind in fields
             if name.endswith("_unit") and re.fullmatch(r"\[\d+\]u8", kind)]
    columns = []
    for name, kind in fields:
        if name in words_of.values() or name in units:
            continue
        cells = values[name]
        if name in words_of:
            words = [word(row) for row in values[name + "_words"]]
            cells = [words[code] for code in cells]
        columns.append({"name": name, "cells": cells, "element": kind.rsplit("]")[-1]})
    return columns


def found(remarks):
    """What Sinter says that it has found in a table, as pandas calls it."""
    first = remarks[0]
    between = re.search(r"cells between (`.`|tabs|blanks)", first)
    names = re.search(r"names in line (\d+)", first)
    return {
        "sep": {"tabs": "\t", "blanks": r"\s+"}.get(between[1], between[1].strip("`"))
        if between else None,
        "header": int(names[1]) if names else None,
        "decimal": "," if "fractions behind `,`" in first else ".",
        "dates": [line.split("`")[1] for line in remarks if "dates, as days" in line],
        "times": [line.split("`")[1] for line in remarks if "times, as micro" in line],
        "codes": [line.split("`")[1] for line in remarks if "codes of" in line],
    }


def read_with_sinter(program, tables):
    """Of each table: the columns and what was found, or the error."""
    with tempfile.TemporaryDirectory() as folder:
        entries = []
        for index, (_, contents, options) in enumerate(tables):
            with open(os.path.join(folder, "%d.csv" % index), "wb") as file:
                file.write(contents)
            entries.append(':read %s t%d = "%d.csv"' % (options, index, index))
            entries.append(':write "%d.txt" t%d' % (index, index))
        done = subprocess.run([program, "repl", "--echo"], input="\n".join(entries) + "\n",
                              text=True, cwd=folder, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=600, errors="surrogateescape",
                              env=dict(os.environ, NO_COLOR="1", LC_ALL="C.UTF-8"))
        replies = re.split(r"^> :", done.stdout, flags=re.M)[1:]
        results = []
        for index in range(len(tables)):
            head, *lines = replies[2 * index].rstrip("\n").split("\n")
            assert head.startswith("read "), head
            if not lines or lines[0].startswith("error"):
                results.append({"error": re.sub(r"`\d+\.csv`: ", "", " ".join(lines))})
                continue
            with open(os.path.join(folder, "%d.txt" % index), encoding="utf-8") as file:
                written = file.read().splitlines()
            results.append({"columns": columns_of(lines[0], written),
                            "found": found([line.strip() for line in lines[1:]])})
        return results


# ---- pandas -------------------------------------------------------------------------------------

def microseconds(text):
    at = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    at = at if at.tzinfo else at.replace(tzinfo=datetime.timezone.utc)
    return (at - datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)) // \
        datetime.timedelta(microseconds=1)


def cell_of(value):
    """A cell of pandas as JSON has it."""
    if isinstance(value, str):
        return value.strip()
    if hasattr(value, "item"):
        value = value.item()
    return value


def read_with_pandas(contents, options, settings):
    """The cells of each column, or the error."""
    words = shlex.split(options, posix=False)
    given = [(words[i], words[i + 1]) for i in range(len(words) - 1)]
    skip = [int(value) for option, value in given if option == "--skip"]
    missing = [value for option, value in given if option == "--na"]
    separator = settings["sep"] or "\x1f"  # which stands in none of them
    try:
        with_numbers = pandas.read_csv(
            io.BytesIO(contents), sep=separator, decimal=settings["decimal"],
            header=0 if settings["header"] else None, skiprows=sum(skip), na_values=missing,
            skipinitialspace=True, encoding="utf-8-sig",
            encoding_errors="surrogateescape", engine="c", index_col=False,
            **({"float_precision": "round_trip"} if pandas.__version__ < "3" else {}))
    except Exception as error:  # pandas has many kinds
        return {"error": type(error).__name__}
    return {"columns": [[cell_of(cell) for cell in with_numbers.iloc[:, i].tolist()]
                        for i in range(with_numbers.shape[1])]}


def difference(columns, settings, others):
    """Where the cells of Sinter are not those of pandas; None: nowhere."""
    if "error" in others:
        return "pandas has an error: " + others["error"]
    if len(columns) != len(others["columns"]):
        return "%d columns, with pandas %d" % (len(columns), len(others["columns"]))
    for column, other in zip(columns, others["columns"]):
        name, cells = column["name"], column["cells"]
        if name in settings["codes"]:
            known = list(dict.fromkeys(str(cell) for cell in other))
            other = [known.index(str(cell)) for cell in other]
        if len(cells) != len(other):
            return "%s: %d rows, with pandas %d" % (name, len(cells), len(other))
        for cell, of_pandas in zip(cells, other):
            if name in settings["dates"]:
                of_pandas = microseconds(of_pandas) // 86_400_000_000
            elif name in settings["times"]:
                of_pandas = microseconds(of_pandas)
            if not is_equal(cell, of_pandas):
                return "%s: %r, with pandas %r" % (name, cell, of_pandas)
    return None


def is_equal(cell, other):
    nothing = other is None or isinstance(other, float) and math.isnan(other)
    if isinstance(cell, str):
        # pandas takes some words for nothing, and reads numbers among words as numbers.
        return nothing and cell in ("", "n/a", "NA", "null") or cell.strip() == str(other) or \
            isinstance(other, (int, float)) and not isinstance(other, bool) and \
            cell != "" and not nothing and float(cell) == other
    if isinstance(cell, bool) != isinstance(other, bool) or isinstance(other, str):
        return False
    if isinstance(cell, float) and math.isnan(cell):
        return nothing
    return cell == other and math.copysign(1, cell) == math.copysign(1, other)


# ---- both ---------------------------------------------------------------------------------------

def verdict(name, result, record, live):
    """What is wrong with a result; None: nothing."""
    if "error" in result:
        if not PLACE.search(result["error"]) and \
                not any(text in result["error"] for text in PLACELESS):
            return "no place: " + result["error"]
        if record is not None and result["error"] != record.get("error"):
            return "found     %s\n  expected  %s" % (result["error"], record)
        return None
    if record is not None and "error" in record:
        return "read, but expected the error\n  %s" % record["error"]
    if record is not None and json.dumps(result) != json.dumps(record["read"]):
        return "found     %s\n  expected  %s" % (json.dumps(result), json.dumps(record["read"]))
    return difference(result["columns"], result["found"], live or record["pandas"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sinter", required=True)
    parser.add_argument("--update", action="store_true")
    options = parser.parse_args()
    if options.update and pandas is None:
        sys.exit("--update needs pandas")
    tables = files.files()
    results = read_with_sinter(os.path.abspath(options.sinter), tables)
    records = {}
    if not options.update:
        with open(EXPECTED, encoding="utf-8") as file:
            records = json.load(file)
    passed = failed = 0
    written = {}
    for (name, contents, given), result in zip(tables, results):
        live = None
        if pandas is not None and "found" in result:
            live = read_with_pandas(contents, given, result["found"])
        wrong = "not in expected.json" if not options.update and name not in records else \
            verdict(name, result, records.get(name), live)
        if wrong:
            failed += 1
            print("FAIL %s\n  %s" % (name, wrong))
        else:
            passed += 1
        written[name] = {"read": result, "pandas": live} if "found" in result else result
    if options.update:
        with open(EXPECTED, "w", encoding="utf-8") as file:
            file.write("{\n" + ",\n".join("%s: %s" % (json.dumps(name), json.dumps(record))
                                          for name, record in written.items()) + "\n}\n")
    print("%d passed, %d failed" % (passed, failed))
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
