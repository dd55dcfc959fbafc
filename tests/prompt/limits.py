#!/usr/bin/env python3
"""Holds programs and files that grow to their memory limit, and to few addresses.

    tests/prompt/limits.py --sinter PROGRAM            the tests; ends with "N passed, N failed"
    tests/prompt/limits.py --sinter PROGRAM --sweep [--step 25]
                                                       every amount of addresses, from the least that
                                                       a start needs to 4 GB (`ulimit -v`)

Whatever a program or a file makes grow, resident memory stays below the limit and 64 MB (a mapped
file's pages besides), and what does not fit is an error that names the limit and the place.  With few addresses the answer is right,
or there is an error: never a death, and nothing that went with fewer.
"""

import argparse
import gzip
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile

MEGABYTE = 1 << 20
SLACK = 64 * MEGABYTE

TUPLES = """
def t1 (x: i64) = (x, x + 1)
def t2 (x: i64) = (t1 x, t1 (x + 2))
def t4 (x: i64) = (t2 x, t2 (x + 4))
def t6 (x: i64) = (t4 x, t4 (x + 8), t4 (x + 16), t4 (x + 24))
def t8 (x: i64) = (t6 x, t6 (x + 1), t6 (x + 2), t6 (x + 3))
def f (n: i64) : i64 = if n == 0 then 0 else let t = t8 n in f (n - 1) + t.0.0.0.0.0
entry main = f 60000
"""

RECURSION = """
def f (n: i64) : i64 = if n == 0 then 0 else 1 + f (n - 1)
entry main = f 3000000
"""

FREED = """
entry main = loop s = 0i64 for i < 200 do
  let xs = map (+ i) (iota (1000 + i * 700))
  let ys = map2 (*) xs (reverse xs)
  in s + ys[i] + i64.sum xs
"""

KEPT = """
entry main = let xs = loop xs = [0i64] for i < 24 do xs ++ xs in i64.sum xs + length xs
"""

RECORDS = """
def grow (n: i64) : {a: i64, b: []i64} =
  if n == 0 then {a = 0, b = [1]} else let r = grow (n - 1) in {a = r.a + 1, b = r.b ++ [n]}
entry main = (grow 30000).a
"""


class Cases:
    def __init__(self, folder):
        self.folder = folder
        self.good = self.bad = 0

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)


def run(command, folder, addresses=None, stdin=subprocess.DEVNULL):
    """(exit code, standard output, standard error, peak of resident memory in bytes)"""

    def limit():
        if addresses:
            resource.setrlimit(resource.RLIMIT_AS, (addresses, addresses))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    with open(os.path.join(folder, "out"), "w+b") as out, \
            open(os.path.join(folder, "err"), "w+b") as err:
        process = subprocess.Popen(command, cwd=folder, stdin=stdin, stdout=out, stderr=err,
                                   preexec_fn=limit)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        return (process.returncode, out.read(100000).decode(errors="replace"),
                err.read(100000).decode(errors="replace"), usage.ru_maxrss * 1024)


def memory_text(bytes):
    return f"{bytes // MEGABYTE}M"


def check_memory(cases, sinter, name, limit, arguments, wanted, place="", mapped=0,
                 stdin=subprocess.DEVNULL):
    """`wanted`: a text of standard output, or None where it must not fit.  `mapped`: of a file that
    takes no memory, so that it must fit."""
    command = [sinter] + arguments + ["--max-memory", memory_text(limit)]
    code, out, err, peak = run(command, cases.folder, stdin=stdin)
    wrong = []
    if peak > limit + SLACK + mapped:
        wrong.append(f"{peak / MEGABYTE:.0f} MB were resident")
    fits = code == 0 and wanted is not None and wanted in out
    refused = (code in (1, 2) and "out of memory" in err + out and
               "the limit is" in err + out and place in err + out)
    if not (fits or (refused and not mapped)):
        wrong.append(f"exit code {code}: {(err or out)[:300]!r}")
    if wanted is None and fits:
        wrong.append("it cannot fit, but did")
    if wrong:
        cases.bad += 1
        print(f"FAIL {name} within {memory_text(limit)}: " + "; ".join(wrong), flush=True)
    else:
        cases.good += 1


def memory(cases, sinter):
    programs = {"tuples": (TUPLES, "1800030000"), "recursion": (RECURSION, "3000000"), "freed": (FREED, None),
                "kept": (KEPT, "16777216"), "records": (RECORDS, "30000")}
    for name, (text, answer) in programs.items():
        path = cases.write(name + ".fut", text)
        for mode in ("interp", "auto", "jit"):
            for limit in (10 * MEGABYTE, 100 * MEGABYTE):
                check_memory(cases, sinter, f"{name} ({mode})", limit,
                             ["run", path, "--mode", mode],
                             answer if answer else "i64", name + ".fut:")
    with gzip.open(cases.path("bomb.gz"), "wb", compresslevel=1) as file:
        for _ in range(1000):
            file.write(b"0 " * (MEGABYTE // 2))
    with open(cases.path("large.npy"), "wb") as file:
        header = "{'descr': '<i8', 'fortran_order': False, 'shape': (400000000,), }".ljust(117) + "\n"
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
        file.truncate(10 + len(header) + 8 * 400_000_000)
    program = cases.write("sum.fut", "entry main (xs: []i64) = i64.sum xs\n")
    check_memory(cases, sinter, "bomb.gz", 100 * MEGABYTE, ["run", program, "-i", "bomb.gz"], None,
                 "bomb.gz")
    check_memory(cases, sinter, "large.npy", 100 * MEGABYTE, ["run", program, "-i", "large.npy"],
                 "0i64", mapped=os.path.getsize(cases.path("large.npy")))
    # (A pipe cannot be mapped.)
    with subprocess.Popen(["cat", cases.path("large.npy")], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL) as pipe:
        check_memory(cases, sinter, "large.npy through a pipe", 100 * MEGABYTE, ["run", program],
                     None, stdin=pipe.stdout)
        pipe.stdout.close()
    check_memory(cases, sinter, "printing", 100 * MEGABYTE, ["eval", "iota 10000000"], "9999999i64]")
    os.symlink("/dev/zero", cases.path("zero.fut"))
    importing = cases.write("importing.fut", 'import "zero"\n')
    code, out, err, peak = run([sinter, "run", importing, "--max-memory", "10M"], cases.folder)
    if code == 2 and "cannot read" in err and peak <= 10 * MEGABYTE + SLACK:
        cases.good += 1
    else:
        cases.bad += 1
        print(f"FAIL import of /dev/zero: exit code {code}, {peak / MEGABYTE:.0f} MB, {err[:300]!r}")


SHORT = [
    (["eval", "1 + 1"], "2i32"),
    (["eval", "i64.sum (map (* 2) (iota 100000))"], "9999900000i64"),
    (["eval", "let xs = map f64.i64 (iota 1000000) in f64.sum (map2 (*) xs xs)"],
     "3.333328333335e17f64"),
    (["eval", "loop x = replicate 1000000 1i64 for i < 3 do map (+ x[i]) x |> map (% 1000) "
      "|> scan (+) 0 |> map (% 7)"], None),
]

DEATHS = re.compile(r"LLVM ERROR|libgcc_s|terminate called|core dumped|Segmentation|Aborted")


def check_addresses(cases, sinter, arguments, wanted, addresses):
    code, out, err, _ = run([sinter] + arguments, cases.folder, addresses)
    right = code == 0 and (wanted is None or wanted in out)
    if code == 127:  # the loader: the program has not begun
        return
    one_error = code in (1, 2) and "error" in err.lower() and "internal error" not in err
    if (right or one_error) and not DEATHS.search(err):
        cases.good += 1
        return right
    cases.bad += 1
    print(f"FAIL {' '.join(arguments)} with {addresses // MEGABYTE} MB of addresses: "
          f"exit code {code}: {err[:300]!r}", flush=True)


def addresses(cases, sinter, steps):
    for arguments, wanted in SHORT:
        for mode in ("interp", "auto", "jit", "mixed"):
            first = None
            for megabytes in steps:
                right = check_addresses(cases, sinter, arguments + ["--mode", mode], wanted,
                                        megabytes * MEGABYTE)
                first = first or (megabytes if right else None)
                if first and not right:  # what could be with less can be with more
                    cases.bad += 1
                    print(f"FAIL {' '.join(arguments)} ({mode}): right with {first} MB of addresses, "
                          f"not with {megabytes} MB", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sinter", required=True)
    parser.add_argument("--sweep", action="store_true")
    parser.add_argument("--step", type=int, default=25, help="of the sweep, in MB")
    options = parser.parse_args()
    sinter = os.path.abspath(options.sinter)
    os.environ["SINTER_CACHE"] = "off"
    folder = tempfile.mkdtemp()
    cases = Cases(folder)
    try:
        if options.sweep:
            addresses(cases, sinter, range(25, 4096, options.step))
        else:
            memory(cases, sinter)
            addresses(cases, sinter, (60, 75, 90, 110, 150, 300, 400, 700, 1600))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{cases.good} passed, {cases.bad} failed")
    sys.exit(1 if cases.bad else 0)


if __name__ == "__main__":
    main()
