#!/usr/bin/env python3
"""Computes input that need not end: `sinter stream` between pipes, and with files.

    tests/prompt/streaming.py --sinter PROGRAM     ends with "N passed, N failed"

Memory stays bounded, however much comes; results come as input does; every cut gives the same bytes;
Ctrl-C, the end of the input, a reader that goes away and a kill end it as they should.
"""

import argparse
import array
import itertools
import os
import pty
import random
import resource
import select
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

import watched_memory

GIBIBYTE = 1 << 30
PROGRAM = """
entry init : i64 = 0
entry sum [k] (s: i64) (xs: [k]i32) : i64 = s + i64.sum (map i64.i32 xs)
entry running [k] (s: i64) (xs: [k]i32) : (i64, [k]i64) =
  let sums = map (+ s) (scan (+) 0 (map i64.i32 xs))
  in (if k == 0 then s else sums[k - 1], sums)
entry odd [k] (n: i64) (xs: [k]i32) : (i64, []i32) =
  let ys = filter (\\x -> x % 2 == 1) xs in (n + length ys, ys)
entry double [k] (xs: [k]i32) : [k]i32 = map (* 2) xs
entry rows [k] (s: f64) (xs: [k][2][3]f64) : (f64, [k]f64) =
  (s + f64.i64 k, map (\\x -> f64.sum (flatten x)) xs)
entry shaped [k] [m] (xs: [k][m]u8) : [k]u8 = map (reduce u8.max 0) xs
entry places [k] (s: i64) (xs: [k]i32) : (i64, [k]i64) = (s, iota k)
entry lengths [k] (s: i64) (xs: [k]i32) : i64 = s + 2 ** k
entry bins [k] (bins: *[8]i64) (xs: [k]i32) : *[8]i64 =
  reduce_by_index bins (+) 0 (map (\\x -> i64.i32 (x % 8)) xs) (map (const 1) xs)
entry tables [k] (xs: [k]i32) : [k][2]i32 = map (\\x -> [x, x + 1]) xs
entry varied [k] (xs: [k]i32) : [k][k]i32 = map (\\x -> replicate k x) xs
entry corner [n] (xs: [n][2]i32) : i32 = xs[n - 1, 1]
entry mean (s: i64) : f64 = f64.i64 s / 4
entry huge [k] (s: i64) (xs: [k]i32) : i64 =
  s + (if k > 1000 then i64.sum (map (\\i -> i % 3) (replicate (k * 100000) 1)) else i64.i32 xs[0])
entry fails [k] (xs: [k]i32) : [k]i32 = map (\\x -> 10 / (x - 70000)) xs
entry slow [k] (s: i64) (xs: [k]i32) : i64 = loop s for i < 1000000000000 do s + i % 3
entry closed (x: i64) (xs: [4]i32) : i64 = x
def scale : i32 = 3
"""


class Cases:
    def __init__(self, sinter, folder):
        self.sinter, self.folder = sinter, folder
        self.good = self.bad = 0
        self.program = self.write("program.fut", PROGRAM.encode())
        self.numbers = array.array("i", [random.Random(1).randrange(1000) for _ in range(300_007)])
        self.bytes = self.numbers.tobytes()
        self.total = sum(self.numbers)
        self.environment = watched_memory.environment(SINTER_CACHE=os.path.join(folder, "cache"))

    def write(self, name, contents):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(contents)
        return path

    def command(self, *words):
        return [self.sinter, "stream", self.program, *words]

    def run(self, *words, stdin=b"", **more):
        return subprocess.run(self.command(*words), input=stdin, cwd=self.folder,
                              env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=120, **more)

    def start(self, *words, **more):
        return subprocess.Popen(self.command(*words), cwd=self.folder, env=self.environment,
                                **{"stdin": subprocess.PIPE, "stdout": subprocess.PIPE,
                                   "stderr": subprocess.PIPE, **more})

    def expect(self, name, is_right, shown=""):
        if is_right:
            self.good += 1
        else:
            self.bad += 1
            print("FAIL", name, str(shown)[:600], file=sys.stderr)

    def written(self):
        """Bytes of results that are not complete yet."""
        try:
            return sum(os.path.getsize(os.path.join(self.folder, name))
                       for name in self.temporary_files())
        except FileNotFoundError:  # it has gone since
            return 0

    def temporary_files(self):
        return [name for name in os.listdir(self.folder) if name.endswith(".partial")]


def npy(descr, shape, data):
    header = "{'descr': '%s', 'fortran_order': False, 'shape': %s, }" % (descr, shape)
    header = header.ljust(128 - 10 - 1) + "\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + data


def results(cases):
    running = array.array("q", itertools.accumulate(cases.numbers)).tobytes()
    odd = array.array("i", [x for x in cases.numbers if x % 2]).tobytes()
    for mode in ("interp", "jit", "auto"):
        for chunk in ("auto", "1000", "100000000" if mode == "jit" else "7777"):
            words = ["--mode", mode, "--chunk", chunk]
            done = cases.run("-e", "sum", *words, stdin=cases.bytes)
            cases.expect(f"a sum, {words}", done.stdout == b"%di64\n" % cases.total and
                         done.stderr == b"" and done.returncode == 0, done)
            done = cases.run("-e", "running", *words, stdin=cases.bytes)
            cases.expect(f"running sums, {words}", done.stdout == running, done.stderr)
            done = cases.run("-e", "odd", "--finish", "mean", *words, stdin=cases.bytes)
            cases.expect(f"a filter, {words}", done.stdout[:len(odd)] == odd and
                         done.stdout[len(odd):] == struct.pack("<d", len(odd) / 16), done.stderr)
            done = cases.run("-e", "bins", "--init", "replicate 8 0", *words, stdin=cases.bytes)
            counts = [sum(1 for x in cases.numbers if x % 8 == b) for b in range(8)]
            cases.expect(f"a state that is updated, {words}", done.stdout.decode() ==
                         "[" + ", ".join(f"{c}i64" for c in counts) + "]\n", done)
    # Other inputs: files of each kind, several of them, and none.
    raw = cases.write("x.raw", cases.bytes)
    array_file = cases.write("x.npy", npy("<i4", (len(cases.numbers),), cases.bytes))
    binary = cases.write("x.bin", b"b\x02\x01 i32" + struct.pack("<q", len(cases.numbers)) + cases.bytes)
    for path in (raw, array_file, binary):
        done = cases.run("-e", "sum", "-i", path, "-i", path)
        cases.expect(f"{path} twice", done.stdout == b"%di64\n" % (2 * cases.total), done)
        with open(path, "rb") as file:
            done = subprocess.run(cases.command("-e", "running"), stdin=file, stdout=subprocess.PIPE)
        cases.expect(f"{path} as standard input", done.stdout == running)
    done = cases.run("-e", "sum")
    cases.expect("nothing", (done.returncode, done.stdout) == (0, b"0i64\n"), done)
    done = cases.run("-e", "running")
    cases.expect("nothing of nothing", (done.returncode, done.stdout) == (0, b""), done)
    # Elements with a shape, results as lines, a last result.
    floats = array.array("d", range(60)).tobytes()
    done = cases.run("-e", "rows", "--init", "0.5", "--output-format", "text", stdin=floats)
    lines = [f"{sum(range(6 * i, 6 * i + 6))}.0f64" for i in range(10)]
    cases.expect("rows", done.stdout.decode().split("\n") == lines + [""], done)
    done = cases.run("-e", "shaped", "--shape", "4", "--output-format", "text", stdin=b"\1\7\3\2\5\4\4\4")
    cases.expect("a shape", done.stdout == b"7u8\n5u8\n", done)
    done = cases.run("-e", "sum", "--finish", "mean", "--init", "i64.i32 scale", stdin=cases.bytes)
    cases.expect("a last result", done.stdout.decode() == f"{(cases.total + 3) / 4!r}f64\n", done)
    done = cases.run("-e", "sum", "--output-format", "raw", stdin=cases.bytes)
    cases.expect("a state as bytes", done.stdout == struct.pack("<q", cases.total), done)


def formats(cases):
    """Elements as .npy and as text, in pipes and files; results as .npy."""
    count, running = len(cases.numbers), array.array("q", itertools.accumulate(cases.numbers)).tobytes()
    whole = npy("<i4", (count,), cases.bytes)
    parts = [npy("<i4", (n,), cases.bytes[4 * begin:4 * (begin + n)])
             for begin, n in ((0, 0), (0, 100_003), (100_003, 1), (100_004, count - 100_004))]
    lines = "".join(f"{x}\n" for x in cases.numbers).encode()
    ends = [" "] * 6 + ["\r\n"]
    groups = " -- numbers\n\n" + "".join(
        f"{x}i32{ends[i % 7]}" for i, x in enumerate(cases.numbers))
    text = cases.write("x.txt", lines)
    for name, stdin, words in (
            (".npy through a pipe", whole, []), (".npy that must be", whole, ["--input-format", "npy"]),
            ("arrays one after the other", b"".join(parts), []),
            ("text", lines, ["--input-format", "text"]),
            ("the last line without an end", lines[:-1], ["--input-format", "text"]),
            ("many in a line", groups.encode(), ["--input-format", "text"]),
            ("a file of text", b"", ["--input-format", "text", "-i", text])):
        for chunk in ("auto", "1000", "7777"):
            done = cases.run("-e", "running", "--chunk", chunk, *words, stdin=stdin)
            cases.expect(f"{name}, --chunk {chunk}", (done.returncode, done.stdout, done.stderr) ==
                         (0, running, b""), (done.returncode, done.stderr))
    # A header is no header if it is asked for bytes; bytes that begin alike are bytes.
    done = cases.run("-e", "shaped", "--shape", "1", "--input-format", "raw", stdin=whole)
    cases.expect("a header's bytes", done.stdout == whole, done.stderr)
    for begin in (b"\x93", b"\x93NUM", b"\x93NUMPz", b""):
        done = cases.run("-e", "shaped", "--shape", "1", stdin=begin)
        cases.expect(f"bytes {begin}", (done.returncode, done.stdout) == (0, begin), done)
    # Rows, and elements that are arrays, in text.
    floats = array.array("d", range(60)).tobytes()
    rows = "".join(f"[[{6 * i}, {6 * i + 1}, {6 * i + 2}], [{6 * i + 3}, 4.0f64, 5]]\n" for i in range(3))
    done = cases.run("-e", "rows", "--init", "0", "--input-format", "text", stdin=rows.encode())
    expected = [6 * i + 6 * i + 1 + 6 * i + 2 + 6 * i + 3 + 9 for i in range(3)]
    cases.expect("rows of text", done.stdout == array.array("d", expected).tobytes(), done)
    done = cases.run("-e", "rows", "--init", "0", stdin=npy("<f8", (10, 2, 3), floats))
    sums = array.array("d", [sum(range(6 * i, 6 * i + 6)) for i in range(10)]).tobytes()
    cases.expect("rows of .npy", done.stdout == sums, done)
    # A pipe that stays open behind an array has given all of it.
    process = cases.start("-e", "running", "--output-format", "text")
    process.stdin.write(npy("<i4", (2,), struct.pack("<2i", 3, 4)))
    process.stdin.flush()
    cases.expect("before the pipe ends", [process.stdout.readline() for _ in range(2)] ==
                 [b"3i64\n", b"7i64\n"])
    process.communicate(timeout=60)
    # Results as .npy.
    for words in (["-o", "out.npy"], ["-o", "out", "--output-format", "npy"]):
        done = cases.run("-e", "running", *words, stdin=cases.bytes)
        with open(os.path.join(cases.folder, words[1]), "rb") as file:
            found = file.read()
        cases.expect(f"results as .npy, {words}", done.returncode == 0 and found.endswith(running) and
                     (len(found) - len(running)) % 64 == 0 and
                     b"'descr': '<i8', 'fortran_order': False, 'shape': (%d,)" % count in found, done)
    done = cases.run("-e", "tables", "-o", "tables.npy", "--chunk", "1000", stdin=cases.bytes)
    with open(os.path.join(cases.folder, "tables.npy"), "rb") as file:
        found = file.read()
    pairs = array.array("i", [y for x in cases.numbers for y in (x, x + 1)]).tobytes()
    cases.expect("results with a shape as .npy", found.endswith(pairs) and
                 b"'shape': (%d, 2)" % count in found, done)
    again = subprocess.run([cases.sinter, "run", cases.program, "-e", "corner", "-i", "tables.npy"],
                           cwd=cases.folder, stdout=subprocess.PIPE)
    cases.expect("and read again", again.stdout == b"%di32\n" % (cases.numbers[-1] + 1), again)
    done = cases.run("-e", "double", "-o", "none.npy")
    with open(os.path.join(cases.folder, "none.npy"), "rb") as file:
        cases.expect("no results as .npy", b"'shape': (0,)" in file.read(), done)
    done = cases.run("-e", "bins", "--init", "replicate 8 0", "-o", "bins.npy", stdin=cases.bytes)
    with open(os.path.join(cases.folder, "bins.npy"), "rb") as file:
        cases.expect("a state as .npy", b"'shape': (8,)" in file.read(), done)
    for words, stdin, said in (
            (["-e", "sum", "--input-format", "npy"], cases.bytes, "standard input: this is no .npy file"),
            (["-e", "sum", "--input-format", "npy", "-i", text], b"", "x.txt: this is no .npy file"),
            (["-e", "sum"], whole + b"x", "behind an array comes something else"),
            (["-e", "sum"], whole[:50], "standard input: the .npy header is cut short"),
            (["-e", "sum"], b"\x93NUMPY\x02\0\xff\xff\xff\xff", "the .npy header has 4294967307 bytes"),
            (["-e", "sum"], b"\x93NUMPY\x09\0\0\0\0\0", ".npy version 9 cannot be read"),
            (["-e", "sum"], whole[:-6], "it ends within an element of type i32"),
            (["-e", "sum"], whole[:-8], "it ends 8 bytes before the array that its .npy header tells of"),
            (["-e", "sum"], npy("<f4", (2,), b"12345678"), "expected an array of elements of type i32, "
                                                           "found one of type []f32"),
            (["-e", "sum"], npy("<c8", (1,), b"12345678"), "found one of other contents"),
            (["-e", "sum"], npy(">i4", (2,), b"12345678"), "the array is big-endian"),
            (["-e", "rows", "--init", "0"], npy("<f8", (1, 3, 2), floats[:48]), "its elements should be"),
            (["-e", "rows", "--init", "0"],
             npy("<f8", (1, 2, 3), floats[:48]).replace(b"False", b"True "), "column by column"),
            (["-e", "sum", "--input-format", "text"], b"1\n2 x3\n", "line 2, column 3: "),
            (["-e", "sum", "--input-format", "text"], b"1\n\n\n2.5", "line 4, column 1: "),
            (["-e", "sum", "--input-format", "text"], b"1\n[1, 2]", "found a value of type [2]i32"),
            (["-e", "rows", "--init", "0", "--input-format", "text"], b"[1, 2\n, 3]",
             "line 1, column "),
            (["-e", "running", "-o", "/dev/null", "--output-format", "npy"], b"", "takes a file, no pipe"),
            (["-e", "running", "--output-format", "npy"], b"", "takes a file, by -o"),
            (["-e", "odd", "--finish", "mean", "-o", "o.npy"], b"", "a .npy file holds one array"),
            (["-e", "varied", "-o", "o.npy", "--chunk", "2"], cases.bytes[:12],
             "results of the shape [1][1] do not fit into one .npy array behind those of the shape [2][2]")):
        done = cases.run(*words, stdin=stdin)
        cases.expect(f"refused: {words}", done.returncode == 2 and said in done.stderr.decode() and
                     b"Error" not in done.stderr and not cases.temporary_files(), done)


def refusals(cases):
    for words, stdin, said in (
            (["-e", "sum"], b"1234567", "standard input: it ends within an element of type i32: 3 "
                                        "bytes are left behind 1 of 4 bytes each"),
            (["-e", "rows"], b"", "[type-mismatch]"),
            (["-e", "rows", "--init", "0 +"], b"", "<state>:1:4: error: "),
            (["-e", "rows", "--init", "true"], b"", "[type-mismatch]"),
            (["-e", "shaped"], b"", "does not say: use --shape"),
            (["-e", "shaped", "--shape", "2,2"], b"", "takes elements of 1 dimensions, not of 2"),
            (["-e", "closed"], b"", "takes chunks of 4 elements only"),
            (["-e", "mean"], b"", "takes chunks of type `i64`"),
            (["-e", "init"], b"", "has 0 parameters"),
            (["-e", "sum", "--finish", "double"], b"", "does not take the state"),
            (["-e", "double", "--finish", "mean"], b"", "has no state to --finish"),
            (["-e", "none"], b"", "no entry point `none`"),
            (["-e", "sum", "--chunk", "0"], b"", "`--chunk 0` is no size"),
            (["-e", "sum", "-i", "none.raw"], b"", "none.raw: cannot be opened"),
            (["-e", "sum", "-i", cases.write("f.npy", npy("<f4", (2,), b"12345678"))], b"",
             "expected a value of type []i32, found []f32"),
            (["-e", "double", "-o", "/dev/full", "-i", "x.raw"], b"", "No space left")):
        done = cases.run(*words, stdin=stdin)
        cases.expect(f"refused: {words}", done.returncode == 2 and said in done.stderr.decode() and
                     done.stdout == b"", done)
    # What was whole before an element that is not has been computed.
    done = cases.run("-e", "double", stdin=cases.bytes[:-2])
    cases.expect("all whole elements", done.returncode == 2 and
                 len(done.stdout) == len(cases.bytes) - 4, done.stderr)
    done = cases.run("-e", "fails", "--output-format", "text", "--chunk", "100",
                     stdin=array.array("i", [70000 + x for x in range(1, 101)] + [70000] * 100).tobytes())
    cases.expect("an error", done.returncode == 1 and b"[division-by-zero]" in done.stderr and
                 done.stdout.count(b"\n") == 100, done)


def checks(cases):
    for entry in ("running", "odd", "double", "sum", "bins"):
        init = ["--init", "replicate 8 0"] if entry == "bins" else []
        plain = cases.run("-e", entry, *init, stdin=cases.bytes)
        done = cases.run("-e", entry, *init, "--check-chunks", stdin=cases.bytes)
        cases.expect(f"{entry} keeps the law", (done.returncode, done.stdout, done.stderr) ==
                     (0, plain.stdout, b""), done)
    done = cases.run("-e", "places", "--check-chunks", stdin=cases.bytes)
    cases.expect("results that differ", done.returncode == 1 and done.stdout == b"" and
                 b"`places` depends on how its input is cut" in done.stderr and
                 b"results differ from byte 8000 on [chunk-law]" in done.stderr, done)
    done = cases.run("-e", "lengths", "--check-chunks", stdin=cases.bytes[:40])
    cases.expect("states that differ", done.returncode == 1 and
                 b"the state is 64i64, and 1024i64" in done.stderr, done)


def memory(cases):
    """Two gibibytes of nothing through a pipe, and a file larger than memory may be."""
    big = os.path.join(cases.folder, "big.raw")
    with open(big, "wb") as file:
        file.truncate(2 * GIBIBYTE)
    big_npy = cases.write("big.npy", npy("<i4", (GIBIBYTE // 2,), b""))
    os.truncate(big_npy, 128 + 2 * GIBIBYTE)
    big_bin = cases.write("big.bin", b"b\x02\x01 i32" + struct.pack("<q", GIBIBYTE // 2))
    os.truncate(big_bin, 15 + 2 * GIBIBYTE)  # no element lies at a multiple of its size
    is_sanitized = "ASAN_OPTIONS" in os.environ
    for entry in ("sum", "running", "odd"):
        # What the program itself takes, with its compiler, depends on how it was built: what more
        # input adds is judged.
        small = cases.start("-e", entry, "--mode", "jit", "-i", cases.write("small.raw", cases.bytes),
                            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        own, _ = watched_memory.watch(small)
        cases.expect(f"{entry} of little", small.returncode == 0)
        # The first of these runs compiles what little input is too short for, beside its chunks.
        for run, words in enumerate(([], [], ["-i", big], ["-i", big_npy], ["-i", big_bin])):
            name = f"memory of {entry} {words}" + ", with its compiler" * (run == 0)
            cat = None if words else subprocess.Popen(["cat", big], stdout=subprocess.PIPE)
            process = cases.start("-e", entry, "--max-memory", "256M", *words,
                                  stdin=cat.stdout if cat else subprocess.DEVNULL,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if cat:
                cat.stdout.close()
            most, total = watched_memory.watch(process)
            if cat:
                cat.wait()
            # (A sanitized program takes more itself, and its compiler tens of megabytes.)
            cases.expect(name, process.returncode == 0 and
                         (is_sanitized and run == 0 or most < own + (96 << 20)),
                         (process.returncode, own, most))
            if not is_sanitized:
                cases.expect(f"all {name}", total < 256 << 20, total)
    # What stays in its file does not count, however small the memory and large the chunks.
    with open(big_npy, "rb") as file:
        process = cases.start("-e", "sum", "--max-memory", "64M", "--mode", "jit", "--chunk",
                              "50000000", "--init", "5", stdin=file)
        out, errors = process.communicate(timeout=120)
    cases.expect("chunks of 200 MB in 64 MB of memory", (process.returncode, out, errors) ==
                 (0, b"5i64\n", b""), (process.returncode, out, errors))
    for path in (big, big_npy, big_bin):
        os.remove(path)
    # What a chunk needs is too much: it is computed by halves.
    done = cases.run("-e", "huge", "--max-memory", "512M", "--mode", "interp", stdin=cases.bytes[:4096 * 4])
    cases.expect("too much for the memory", done.returncode == 0, done)
    done = cases.run("-e", "double", "--max-memory", "64M", "--chunk", "100000000", stdin=cases.bytes)
    cases.expect("a chunk that is too large", done.returncode == 1 and
                 b"[out-of-memory]" in done.stderr and b"a smaller --chunk" in done.stderr, done)
    # One that was asked for is not cut: that may be what the function is about.
    done = cases.run("-e", "huge", "--max-memory", "512M", "--mode", "interp", "--chunk", "4096",
                     stdin=cases.bytes[:4096 * 4])
    cases.expect("a chunk that is as large as it was to be", done.returncode == 1 and
                 b"a smaller --chunk" in done.stderr, done)


def liveness(cases):
    process = cases.start("-e", "running", "--output-format", "text")
    seen = []
    for i in range(1, 6):
        process.stdin.write(struct.pack("<i", i))
        process.stdin.flush()
        seen.append(process.stdout.readline())
    cases.expect("each result comes before the next element", seen ==
                 [b"1i64\n", b"3i64\n", b"6i64\n", b"10i64\n", b"15i64\n"], seen)
    out, errors = process.communicate(timeout=60)
    cases.expect("the end", (process.returncode, out, errors) == (0, b"", b""), (out, errors))

    # A limit of time is for computing, not for waiting.
    process = cases.start("-e", "sum", "--timeout", "500ms")
    time.sleep(1.2)
    out, errors = process.communicate(struct.pack("<i", 3), timeout=60)
    cases.expect("input that is late", (process.returncode, out) == (0, b"3i64\n"), errors)
    process = cases.start("-e", "slow", "--timeout", "500ms")
    out, errors = process.communicate(struct.pack("<i", 3), timeout=60)
    cases.expect("a chunk that takes too long", (process.returncode, out) == (124, b""), errors)

    # A reader that waits makes the writer wait: not all is read before.
    process = cases.start("-e", "double", "--mode", "interp")
    written = [0]

    def write():
        try:
            for _ in range(400):
                process.stdin.write(b"\1\0\0\0" * 65536)
                written[0] += 1
            process.stdin.close()
        except BrokenPipeError:
            pass
    writer = threading.Thread(target=write)
    writer.start()
    time.sleep(2)
    waiting = written[0]
    count = 0
    while piece := process.stdout.read(1 << 20):
        count += len(piece)
    writer.join()
    cases.expect("back-pressure", waiting < 300 and count == 400 * 65536 * 4 and
                 process.wait(60) == 0, (waiting, count))


def interrupts(cases):
    process = cases.start("-e", "sum")
    process.stdin.write(struct.pack("<3i", 1, 2, 3) + b"xy")
    process.stdin.flush()
    time.sleep(0.7)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    cases.expect("Ctrl-C ends the input", (process.returncode, out, errors) == (130, b"6i64\n", b""),
                 (process.returncode, out, errors))
    target = os.path.join(cases.folder, "out.raw")
    for presses, left in ((1, b"new"), (2, b"old")):
        cases.write("out.raw", b"old")
        entry = "double" if presses == 1 else "slow"
        process = cases.start("-e", entry, "-o", target, "--init" if presses == 2 else "--chunk",
                              "0" if presses == 2 else "auto")
        process.stdin.write(b"\1\0\0\0" * 10)
        process.stdin.flush()
        time.sleep(0.7)
        for _ in range(presses):
            process.send_signal(signal.SIGINT)
            time.sleep(0.1)
        out, errors = process.communicate(timeout=60)
        with open(target, "rb") as file:
            found = file.read()
        expected = b"\2\0\0\0" * 10 if left == b"new" else b"old"
        cases.expect(f"Ctrl-C pressed {presses} times", process.returncode == 130 and
                     found == expected and not cases.temporary_files(),
                     (process.returncode, found, errors))


    # A file that would take minutes: what was begun is computed; again, and nothing is.
    endless = cases.write("endless.raw", b"")
    os.truncate(endless, 64 * GIBIBYTE)
    for presses, expected in ((1, b"0i64\n"), (2, b"")):
        entry = "sum" if presses == 1 else "slow"
        for words in (["-i", endless], []):
            with open(endless, "rb") as file:
                process = cases.start("-e", entry, "--mode", "interp", "--init", "0", *words, stdin=file)
            time.sleep(0.7)
            for _ in range(presses):
                process.send_signal(signal.SIGINT)
                time.sleep(0.1)
            out, errors = process.communicate(timeout=60)
            cases.expect(f"Ctrl-C pressed {presses} times, {words}", (process.returncode, out) ==
                         (130, expected) and errors.count(b"rror") == presses - 1,
                         (process.returncode, out, errors))
    os.remove(endless)

    # A reader that reads no more does not keep the writer from ending.
    for entry, words, presses in (("double", ["-i", "/dev/zero"], 2),
                                  ("double", ["-i", "/dev/zero", "--output-format", "text"], 2)):
        process = cases.start("-e", entry, *words, stdin=subprocess.DEVNULL)
        process.stdout.read(100)
        time.sleep(1)
        for _ in range(presses):
            process.send_signal(signal.SIGINT)
            time.sleep(0.3)
        code = wait_unread(process)
        cases.expect(f"Ctrl-C while a pipe is full, {words}", code == 130, code)
    program = cases.write("many.fut", b"entry many: []i32 = replicate 10000000 7")
    for words in ([], ["-b"]):
        process = subprocess.Popen([cases.sinter, "run", program, "-e", "many", *words],
                                   cwd=cases.folder, env=cases.environment,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        process.stdout.read(100)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        code = wait_unread(process)
        cases.expect(f"Ctrl-C while results wait, {words}", code == 130, code)


def wait_unread(process):
    """Its exit code, without reading what it writes; it is killed after a while."""
    try:
        code = process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        code = "killed"
    process.communicate()
    return code


def readers_and_kills(cases):
    # Nobody reads any more.
    for ignored in (False, True):
        def prepared():
            signal.signal(signal.SIGPIPE, signal.SIG_IGN if ignored else signal.SIG_DFL)
        process = cases.start("-e", "double", "-i", "/dev/zero", preexec_fn=prepared)
        process.stdout.read(100)
        process.stdout.close()
        errors = process.stderr.read()
        code = process.wait(60)
        cases.expect(f"a broken pipe, signal ignored: {ignored}",
                     code == (2 if ignored else -signal.SIGPIPE) and
                     errors.count(b"rror") == (1 if ignored else 0), (code, errors))
    target = os.path.join(cases.folder, "out.raw")
    seen = set()
    for moment in range(10):
        cases.write("out.raw", b"old")
        process = cases.start("-e", "double", "-i", "x.raw", "-i", "x.raw", "-o", target,
                              stdin=subprocess.DEVNULL)
        end = time.monotonic() + 20
        while not cases.temporary_files() and process.poll() is None and time.monotonic() < end:
            pass
        time.sleep(0.003 * moment)
        process.kill()
        process.communicate()
        with open(target, "rb") as file:
            found = file.read()
        cases.expect("a killed run", found == b"old" or len(found) == 2 * len(cases.bytes), len(found))
        for name in cases.temporary_files():
            seen.add("half")
            os.remove(os.path.join(cases.folder, name))
    cases.expect("some were killed while they wrote", "half" in seen, seen)
    # A file that does not hold what its header says, and one that becomes shorter.
    path = cases.write("cut.npy", npy("<i4", (len(cases.numbers),), cases.bytes[:-400]))
    done = cases.run("-e", "sum", "-i", path)
    cases.expect("a header that promises too much", done.returncode == 2 and
                 b"needs more elements" in done.stderr, done)
    while_used(cases)
    # A disk without room for all of it.

    def limited():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, 500_000))
    cases.write("out.raw", b"old")
    done = cases.run("-e", "double", "-i", "x.raw", "-o", "out.raw", preexec_fn=limited)
    with open(target, "rb") as file:
        found = file.read()
    cases.expect("a file that may not grow", done.returncode == 2 and found == b"old" and
                 b"cannot write `out.raw`: File too large" in done.stderr and
                 not cases.temporary_files(), done)


def while_used(cases):
    """Files that others cut, write into and append to while they are read."""
    count = 100_000_000

    def large(kind):
        if kind == "npy":
            path = cases.write("large.npy", npy("<i4", (count,), b""))
        else:
            path = cases.write("large.raw", b"")
        os.truncate(path, os.path.getsize(path) + 4 * count)
        return path

    def cut(path):
        os.truncate(path, os.path.getsize(path) - 300_000_000)

    def overwrite(path):
        with open(path, "r+b") as file:
            file.seek(350_000_000)
            file.write(b"other")

    cut_words = "was cut while it was in use: of {} bytes it has {} left"
    for kind, is_standard, change, said in (
            ("npy", False, cut, cut_words), ("raw", False, cut, cut_words), ("npy", True, cut, cut_words),
            ("raw", True, cut, cut_words), ("npy", False, overwrite, "was written while it was in use")):
        for words in ([], ["-o", "out.raw"]):
            path = large(kind)
            size = os.path.getsize(path)
            cases.write("out.raw", b"old")
            with open(path, "rb") as file:
                process = cases.start("-e", "double", *words, *([] if is_standard else ["-i", path]),
                                      stdin=file if is_standard else subprocess.DEVNULL)
            if words:
                end = time.monotonic() + 20
                while not cases.written() and process.poll() is None and time.monotonic() < end:
                    time.sleep(0.001)
            else:
                process.stdout.read(1 << 20)
            change(path)
            out, errors = process.communicate(timeout=60)
            name = "standard input" if is_standard else path
            expected = f"the file `{name}` {said}".format(size, os.path.getsize(path)).encode()
            with open(os.path.join(cases.folder, "out.raw"), "rb") as file:
                found = file.read(4)
            cases.expect(f"{change.__name__} while it is used: {kind}, {is_standard}, {words}",
                         process.returncode == 1 and errors.count(b"rror") == 1 and
                         expected in errors and found == b"old" and not cases.temporary_files(),
                         (process.returncode, errors, found))
            os.remove(path)
    # What is appended comes, of what has no length of its own.
    for kind, more in (("raw", 70_000), ("npy", 0)):
        path = large(kind)
        process = cases.start("-e", "double", "-i", path, stdin=subprocess.DEVNULL)
        process.stdout.read(1 << 20)
        with open(path, "ab") as file:
            file.write(struct.pack("<i", 4) * 70_000)
        length, last = 1 << 20, b""
        while piece := process.stdout.read(1 << 20):
            length, last = length + len(piece), piece
        errors = process.stderr.read()
        cases.expect(f"a file that gets longer, {kind}", process.wait(60) == 0 and errors == b"" and
                     length == 4 * (count + more) and last[-4:] == struct.pack("<i", 8 if more else 0),
                     (process.returncode, length, last[-4:], errors))
        os.remove(path)


def progress(cases):
    """A line on a terminal tells how far it is, unless nobody wants it."""
    for words, is_drawn in ([], True), (["--no-progress"], False):
        terminal, end = pty.openpty()
        process = cases.start("-e", "sum", *words, stderr=end)
        os.close(end)
        process.stdin.write(cases.bytes)
        process.stdin.flush()
        if is_drawn:
            ready = select.select([terminal], [], [], 20)[0]
            shown = os.read(terminal, 4096) if ready else b""
        else:
            time.sleep(2.5)  # longer than it takes until progress is shown
        process.stdin.close()
        out = process.stdout.read()
        process.stdout.close()
        code = process.wait(60)
        if not is_drawn:
            try:
                shown = os.read(terminal, 4096)
            except OSError:  # nobody has written, and nobody will
                shown = b""
        os.close(terminal)
        cases.expect(f"progress, {words}", (b"streaming" in shown) == is_drawn and
                     (is_drawn or shown == b"") and code == 0 and
                     out == b"%di64\n" % cases.total, (shown, code, out))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sinter", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cases = Cases(os.path.abspath(options.sinter), folder)
        for case in (results, formats, refusals, checks, memory, liveness, interrupts,
                     readers_and_kills, progress):
            case(cases)
    print(f"{cases.good} passed, {cases.bad} failed")
    return 1 if cases.bad else 0


if __name__ == "__main__":
    sys.exit(main())
