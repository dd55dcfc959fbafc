#!/usr/bin/env python3
"""Computes with arrays that lie in files, and does to the files what other processes may do.

    tests/prompt/files.py --sinter PROGRAM     ends with "N passed, N failed"

Large arrays take no memory, whatever the mode and the entrance.  A file that is cut or written while
it is in use is one error that names it, and the session lives.  A file that is written is as it was,
or as it was to become: on a full disk, with a pipe that nobody reads, and killed at any moment.
"""

import argparse
import array
import gzip
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

import watched_memory

COUNT = 4_000_000
LIMIT = ["--max-memory", "8M"]
PROGRAM = """
entry sum (xs: []i32): i32 = i32.sum xs
entry double (xs: []i32): []i32 = map (* 2) xs
entry same (xs: []i32): []i32 = xs
entry first (xs: *[]i32): i32 = let ys = xs with [0] = 7 in ys[0]
entry long (n: i64) (xs: []i32): i32 =
  loop s = 0 for i < n do s + i32.sum (map (\\x -> (x + i32.i64 i) % 7) xs)
entry moments [n] (xs: [n]i32): (f64, f64) =
  let mean = f64.i64 (i64.sum (map i64.i32 xs)) / f64.i64 n
  in (mean * f64.i64 n, f64.sum (map (\\x -> (f64.i32 x - mean) ** 2) xs))
entry extremes (xs: []i32): (i32, i32) = (i32.minimum xs, i32.maximum xs)
entry bins [n] (xs: [n]i32): [4]i64 = hist (+) 0 4 (map (\\x -> i64.i32 x % 4) xs) (replicate n 1)
entry above (xs: []i32): i64 = length (filter (> 5) xs)
entry windows [n] (xs: [n]i32): i32 =
  i32.maximum (map (\\i -> i32.sum (map (\\j -> xs[i * 64 + j]) (iota 128))) (iota (n / 64 - 1)))
entry running [n] (xs: [n]i32): [n]i32 = scan (+) 0 xs
entry odd (xs: []i32): []i32 = filter (\\x -> x % 2 == 1) (map (+ 1) xs)
entry shares [n] (xs: [n]i32): [n]i32 =
  let ys = scan (+) 0 (map (* 3) xs)
  in map (\\y -> ys[n - 1] - y) ys
entry dot [n] (xs: [n]i32) (ys: [n]i32): i32 = i32.sum (map2 (*) xs ys)
"""


def npy(count, values, fortran=False, shape=None):
    header = "{'descr': '<i4', 'fortran_order': %s, 'shape': %s, }" % (fortran, shape or (count,))
    header = header.ljust(128 - 10 - 1) + "\n"
    return (b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() +
            array.array("i", values).tobytes())


class Cases:
    def __init__(self, sinter, folder):
        self.sinter, self.folder = sinter, folder
        self.good = self.bad = 0
        self.program = self.write("program.fut", PROGRAM.encode())
        self.numbers = [i % 10 for i in range(COUNT)]
        self.bytes = npy(COUNT, self.numbers)
        self.total = sum(self.numbers)

    def write(self, name, contents):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(contents)
        return path

    def fresh(self, name="x.npy"):
        return self.write(name, self.bytes)

    def command(self, *words):
        return [self.sinter, *words]

    def run(self, *words, stdin=None, limits=None):
        environment = dict(os.environ, NO_COLOR="1", SINTER_CACHE=os.path.join(self.folder, "cache"))
        return subprocess.run(self.command(*words), input=stdin, cwd=self.folder, env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
                              preexec_fn=limits)

    def expect(self, name, is_right, shown=""):
        if is_right:
            self.good += 1
        else:
            self.bad += 1
            print("FAIL", name, shown, file=sys.stderr)

    def temporary_files(self):
        return [name for name in os.listdir(self.folder) if name.endswith(".partial")]


class Prompt:
    """A prompt that is typed at, and answers line by line."""

    def __init__(self, cases, *words):
        environment = dict(os.environ, NO_COLOR="1",
                           SINTER_CACHE=os.path.join(cases.folder, "cache"))
        self.process = subprocess.Popen(cases.command("repl", *words), cwd=cases.folder,
                                        env=environment, text=True, bufsize=1,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT)
        self.count = 0

    def begin(self, line):
        self.count += 1
        self.process.stdin.write(f"{line}\n:type {1000 + self.count}i64\n")
        self.process.stdin.flush()

    def end(self):
        """What has been answered; None if the prompt is no more."""
        answer = ""
        for line in self.process.stdout:
            if line.startswith(f"{1000 + self.count}i64 : i64"):
                return answer
            answer += line
        return None

    def ask(self, line):
        self.begin(line)
        return self.end()

    def close(self):
        self.process.stdin.close()
        return self.process.wait(60)


def without_memory(cases):
    path = cases.fresh()
    for mode in ("interp", "jit", "auto"):
        words = ["--mode", mode, *LIMIT]
        for stdin, inputs in ((None, ["-i", path]), (cases.bytes, [])):
            if stdin:
                with open(path, "rb") as file:
                    done = subprocess.run(cases.command("run", cases.program, "-e", "sum", *words),
                                          stdin=file, stdout=subprocess.PIPE,
                                          stderr=subprocess.PIPE, timeout=120)
            else:
                done = cases.run("run", cases.program, "-e", "sum", *words, *inputs)
            cases.expect(f"the sum of a file, {mode}", done.stdout == f"{cases.total}i32\n".encode(),
                         done)
        # What is updated, or given on, is a copy: there is no room for that.
        done = cases.run("run", cases.program, "-e", "first", *words, "-i", path)
        cases.expect(f"an update is a copy, {mode}",
                     done.returncode == 1 and b"out of memory" in done.stderr, done)
        done = cases.run("run", cases.program, "-e", "first", "--mode", mode, "-i", path)
        cases.expect(f"an update, {mode}", done.stdout == b"7i32\n", done)
    with open(path, "rb") as file:
        cases.expect("the file is as it was", file.read() == cases.bytes)
    # A pipe has no file: it is read.
    done = cases.run("run", cases.program, "-e", "sum", *LIMIT, stdin=cases.bytes)
    cases.expect("a pipe takes memory", done.returncode == 1 and b"out of memory" in done.stderr,
                 done)
    # No more than a piece is in memory of what is written.
    for out in ("y.npy", "y.bin"):
        binary = ["-b"] if out == "y.bin" else []
        done = cases.run("run", cases.program, "-e", "same", *LIMIT, "-i", path, "-o", out, *binary)
        cases.expect(f"{out} is written in pieces", done.returncode == 0, done)
        with open(os.path.join(cases.folder, out), "rb") as file:
            cases.expect(f"{out} has all", file.read().endswith(cases.bytes[128:]))


def raw_and_binary(cases):
    """Bytes of elements alone, and the binary format, whose elements lie at odd places in the file."""
    elements = cases.bytes[128:]
    path = cases.write("x.raw", elements)
    raw = ["--raw", "i32"]
    for words in (["-i", path, *raw], ["-i", cases.write("numbers", elements), *raw]):
        done = cases.run("run", cases.program, "-e", "sum", *LIMIT, *words)
        cases.expect("raw elements take no memory", done.stdout == f"{cases.total}i32\n".encode(), done)
    # Without a name, and beside a file that says itself what it is.
    done = cases.run("run", cases.program, "-e", "dot", *raw, "-i", "-", "-i", cases.fresh(),
                     stdin=elements)
    squares = sum(x * x for x in cases.numbers)
    cases.expect("raw from a pipe, and .npy", done.stdout == f"{squares}i32\n".encode(), done)
    done = cases.run("run", cases.program, "-e", "same", *LIMIT, "-i", path, *raw, "-o", "y.raw")
    with open(os.path.join(cases.folder, "y.raw"), "rb") as file:
        cases.expect("raw results", file.read() == elements, done)
    # The same under a name that says it is compressed.
    compressed = cases.write("x.raw.gz", gzip.compress(elements, 1))
    done = cases.run("run", cases.program, "-e", "sum", *raw, "-i", compressed)
    cases.expect("compressed raw elements", done.stdout == f"{cases.total}i32\n".encode(), done)
    rows = cases.write("rows.fut", b"entry main [n] (xs: [n][4][2]i32): (i64, i32) = (n, xs[1, 3, 1])")
    done = cases.run("run", rows, "-i", path, *raw, "--shape", "4,2")
    cases.expect("elements that are arrays", done.stdout == f"{COUNT // 8}i64\n5i32\n".encode(), done)
    for words, error in (
            ([], b"`--raw f32`"), (["--raw", "f31"], b"is a type of numbers"),
            ([*raw, "--shape", "3,x"], b"28,28"),
            ([*raw, "--shape", "3"], b"are not whole elements of 12 bytes"),
            (["--shape", "4,2"], b"whose type `--raw` tells"),
            (["--raw", "f32"], b"expected a value of type []i32, found []f32"),
            (["--raw", "bool"], b"a bool must be a byte 0 or 1"),
            ([*raw, "--shape", "9223372036854775807,2"], b"are not whole elements")):
        done = cases.run("run", cases.program, "-e", "sum", "-i", path, *words)
        cases.expect(f"raw elements, {words}", done.returncode == 2 and error in done.stderr, done)
    prompt = Prompt(cases, *LIMIT)
    answer = prompt.ask(':read --raw i32 xs = "x.raw"')
    cases.expect("raw elements at the prompt", answer and f"xs : [{COUNT}]i32" in answer, answer)
    with open(path, "r+b") as file:
        file.truncate(1000)
    answer = prompt.ask("i32.sum xs")
    cases.expect("a raw file that was cut", answer and "x.raw" in answer, answer)
    prompt.close()

    # A copy of what memory has no room for lies beside the file, and has no name.
    header = b"b\x02\x01 i32" + COUNT.to_bytes(8, "little")
    folder = os.path.join(cases.folder, "binary")
    os.mkdir(folder)
    path = cases.write("binary/x.bin", header + elements)
    for mode in ("jit", "interp"):
        done = cases.run("run", cases.program, "-e", "sum", *LIMIT, "--mode", mode, "-i", path)
        cases.expect(f"binary values larger than memory, {mode}",
                     done.stdout == f"{cases.total}i32\n".encode() and os.listdir(folder) == ["x.bin"],
                     (done, os.listdir(folder)))
    def small_files():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
    done = cases.run("run", cases.program, "-e", "sum", *LIMIT, "-i", path, limits=small_files)
    cases.expect("nor room on the disk", done.returncode == 1 and b"out of memory" in done.stderr and
                 b"nor has it room in a file" in done.stderr, done)


def rates(cases):
    """How fast files go through a program, as `:time` has it."""
    cases.fresh()
    prompt = Prompt(cases, *LIMIT, "--mode", "jit")
    prompt.ask(':read xs = "x.npy"')
    answer = prompt.ask(":time i32.sum xs")
    cases.expect("bytes a second", answer and re.search(
        r"; 15 MiB of arrays, \d+(\.\d+)? [GM]iB a second\)$", answer.strip()), answer)
    for expression in ("1 + 1", "xs[3]"):
        answer = prompt.ask(f":time {expression}")
        cases.expect(f"no bytes a second, {expression}", answer and "runs)" in answer, answer)
    prompt.close()


def far_larger_than_memory(cases):
    """A file of two gibibytes, nearly all of it a hole, under a limit of 64 mebibytes."""
    count = 1 << 29
    path = cases.write("hole.npy", npy(count, []))
    numbers = list(range(1, 11))
    with open(path, "r+b") as file:
        for x in numbers:
            file.seek(128 + 4 * 50_000_017 * x)
            file.write(x.to_bytes(4, "little"))
        file.truncate(128 + 4 * count)
    small = cases.write("small.npy", npy(2, [0, 0]))

    def run(entry, *inputs):
        words = ["-e", entry, "--mode", "jit", "--max-memory", "64M"]
        for name in inputs:
            words += ["-i", name]
        environment = watched_memory.environment(SINTER_CACHE=os.path.join(cases.folder, "cache"))
        process = subprocess.Popen(cases.command("run", cases.program, *words), env=environment,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        most, _ = watched_memory.watch(process) # (what it writes fits into the pipe)
        return most, process.stdout.read()

    own, _ = run("sum", small)
    squares = sum(x * x for x in numbers)
    above = sum(x > 5 for x in numbers)
    bins = [sum(x % 4 == b for x in numbers) for b in range(4)]
    bins[0] += count - len(numbers)
    for entry, expected in (
            ("sum", f"{sum(numbers)}i32"),
            ("extremes", f"0i32\n{max(numbers)}i32"),
            ("bins", "[" + ", ".join(f"{b}i64" for b in bins) + "]"),
            ("above", f"{above}i64"),
            ("windows", f"{max(numbers)}i32"),
            ("dot", f"{squares}i32")):
        most, out = run(entry, *([path, path] if entry == "dot" else [path]))
        cases.expect(f"{entry} of a file far larger than memory", out.decode() == expected + "\n" and
                     most < own + (48 << 20), (out, own, most))
    most, out = run("moments", path)
    found = [float(line.removesuffix("f64")) for line in out.decode().split()]
    variance = squares - sum(numbers) ** 2 / count
    cases.expect("moments of a file far larger than memory", len(found) == 2 and
                 abs(found[0] - sum(numbers)) < 1e-6 and abs(found[1] - variance) < 1e-6 and
                 most < own + (48 << 20), (out, own, most))
    # What has no room in memory, and no file of its own, is an error, and not the machine's end.
    most, out = run("double", path)
    cases.expect("results far larger than memory", b"[out-of-memory]" in out and
                 most < own + (48 << 20), (out, own, most))
    os.remove(path)


def elements_of(path, count):
    """Of an .npy file of i32, in pieces: where each begins, and its bytes."""
    at, piece = 0, 1 << 20
    with open(path, "rb") as file:
        file.seek(128)
        while at < count:
            contents = file.read(4 * min(piece, count - at))
            yield at, contents
            at += piece
        yield at, file.read()


def is_steps(path, count, steps):
    """Whether an .npy file has these elements: of (position, value), the value from there on."""
    values = sorted(dict(steps).items())
    for at, contents in elements_of(path, count):
        expected = b""
        end = min(at + (1 << 20), count)
        for (begin, value), (after, _) in zip(values, values[1:] + [(count, 0)]):
            number = min(after, end) - max(begin, at)
            expected += value.to_bytes(4, "little", signed=True) * max(number, 0)
        if contents != expected:
            return False
    return True


def results_larger_than_memory(cases):
    """Results of 256 mebibytes, under a limit of 32: they are written through the file that they
    become, which is seen when it is whole."""
    count = 1 << 26
    path = cases.write("hole.npy", npy(count, []))
    places = [3_000_017 * x for x in range(1, 11)]
    with open(path, "r+b") as file:
        for x, place in enumerate(places, 1):
            file.seek(128 + 4 * place)
            file.write(x.to_bytes(4, "little"))
        file.truncate(128 + 4 * count)
    small = cases.write("small.npy", npy(2, [0, 0]))
    target = os.path.join(cases.folder, "out.npy")
    limit = ["--max-memory", "32M"]

    def words(entry, mode, name=path, out="out.npy", *more):
        return ["run", cases.program, "-e", entry, "--mode", mode, *limit, "-i", name, "-o", out,
                *more]

    def watched(entry, name):
        environment = watched_memory.environment(SINTER_CACHE=os.path.join(cases.folder, "cache"))
        process = subprocess.Popen(cases.command(*words(entry, "jit", name)), env=environment,
                                   cwd=cases.folder, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT)
        most, _ = watched_memory.watch(process)
        return most, process.returncode, process.stdout.read()

    elsewhere = [(0, 0)] + [(place + 1, 0) for place in places]
    total, sums = 0, [(0, 0)]
    for x, place in enumerate(places, 1):
        total += x
        sums.append((place, total))
    expected = {
        "double": elsewhere + [(place, 2 * x) for x, place in enumerate(places, 1)],
        "running": sums,
        "shares": [(place, 3 * (total - value)) for place, value in sums],
        "odd": [(0, 1)] + [(place - x // 2, x + 1) for x, place in enumerate(places, 1)
                           if x % 2 == 0] +
               [(place - x // 2 + 1, 1) for x, place in enumerate(places, 1) if x % 2 == 0],
    }
    for entry, steps in expected.items():
        own, code, out = watched(entry, small)
        most, code, out = watched(entry, path)
        length = count - 5 if entry == "odd" else count
        cases.expect(f"{entry} larger than memory", (code, out) == (0, b"") and
                     is_steps(target, length, steps), (code, out))
        cases.expect(f"{entry} takes no memory", most < own + (48 << 20), (own, most))
    cases.expect("nothing is left behind", not cases.temporary_files())
    done = cases.run(*words("double", "auto"))
    cases.expect("in mode auto", done.returncode == 0 and
                 is_steps(target, count, expected["double"]), done)
    done = cases.run(*words("double", "jit", path, "out.bin"), "-b")
    # (The file that the result lay in: blanks stand before the value.)
    with open(os.path.join(cases.folder, "out.bin"), "rb") as file:
        header = file.read(128)
        file.seek(128 + 4 * places[9])
        element = file.read(4)
    cases.expect("the binary format", done.returncode == 0 and
                 os.path.getsize(os.path.join(cases.folder, "out.bin")) == 128 + 4 * count and
                 header.lstrip(b" ") == b"b\x02\x01 i32" + count.to_bytes(8, "little") and
                 element == (20).to_bytes(4, "little"), done)
    done = cases.run(*words("double", "jit", os.path.join(cases.folder, "out.bin"), "again.bin"), "-b")
    with open(os.path.join(cases.folder, "again.bin"), "rb") as file:
        file.seek(128 + 4 * places[9])
        cases.expect("a result as an input", done.returncode == 0 and
                     file.read(4) == (40).to_bytes(4, "little"), done)
    os.remove(os.path.join(cases.folder, "again.bin"))
    os.remove(os.path.join(cases.folder, "out.bin"))
    prompt = Prompt(cases, *limit)
    prompt.ask(f':load {cases.program}')
    prompt.ask(':read xs = "hole.npy"')
    answer = prompt.ask(':write "out.npy" running xs')
    cases.expect(":write", "wrote" in answer and is_steps(target, count, sums), answer)
    answer = prompt.ask("running xs")
    cases.expect("what isn't written has no room", answer.count("rror") == 1 and
                 "out of memory" in answer, answer)
    cases.expect("the prompt ends well", prompt.close() == 0)

    def is_old():
        with open(target, "rb") as file:
            return file.read(4) == b"old"

    def limited():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000_000, 50_000_000))

    for mode in ("interp", "jit"):
        cases.write("out.npy", b"old")
        done = cases.run(*words("double", mode), limits=limited)
        cases.expect(f"no room on the disk, {mode}", done.returncode == 1 and is_old() and
                     b"nor has it room in a file: cannot write `out.npy`: File too large" in
                     done.stderr and done.stderr.count(b"rror:") == 1 and
                     not cases.temporary_files(), done)
    # Killed, or interrupted, at any moment.
    seen = {signal.SIGKILL: set(), signal.SIGINT: set()}
    for moment in range(24):
        cases.write("out.npy", b"old")
        how = signal.SIGKILL if moment % 2 else signal.SIGINT
        process = subprocess.Popen(cases.command(*words("running", "jit")), cwd=cases.folder,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        time.sleep(0.03 * moment)
        process.send_signal(how)
        out, errors = process.communicate(timeout=120)
        old = is_old()
        seen[how].add(old)
        if how == signal.SIGKILL:
            right = process.returncode == -how if old else process.returncode in (0, -how)
            for name in cases.temporary_files():  # (between its naming and its renaming)
                os.remove(os.path.join(cases.folder, name))
        elif process.returncode == -how:  # it had not begun, or has nothing left to do
            right = (moment < 12 or not old) and not cases.temporary_files()
        else:
            right = (process.returncode == 130 and errors.count(b"interrupted") == 1 if old else
                     process.returncode in (0, 130)) and not cases.temporary_files()
        cases.expect(f"{how.name} after {0.03 * moment} s", right and
                     (old or is_steps(target, count, sums)), (process.returncode, out, errors))
    cases.expect("some were stopped before the end", all(True in ends for ends in seen.values()),
                 seen)
    for name in (path, target):
        os.remove(name)


def archives(cases):
    path = os.path.join(cases.folder, "x.npz")
    for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        with zipfile.ZipFile(path, "w", compression) as archive:
            archive.writestr("xs.npy", cases.bytes)
            archive.writestr("few.npy", npy(3, [1, 2, 3]))
            archive.writestr("rows.npy", npy(6, [1, 2, 3, 4, 5, 6], True, (2, 3)))
        prompt = Prompt(cases, *LIMIT)
        answer = prompt.ask(':read a = "x.npz"')
        if compression == zipfile.ZIP_DEFLATED:
            # (How much is in use is not known with sanitizers, so that only the room counts there.)
            cases.expect("packed members are unpacked",
                         "rror" in answer and ("8.0 MiB" in answer or "MiB that memory has" in answer),
                         answer)
        else:
            cases.expect("a stored member", f"xs: [{COUNT}]i32" in answer, answer)
            answer = prompt.ask("(i32.sum a.xs, a.few, a.rows)")
            cases.expect("its contents", f"({cases.total}" in answer and "1, 3, 5" in answer, answer)
            cases.expect("it takes no memory", "file" in prompt.ask(":read b = \"x.npy\"") +
                         prompt.ask(":who"), "")
        prompt.close()


def changes(cases):
    for mode in ("interp", "jit", "auto"):
        for change in ("cut", "written"):
            path = cases.fresh()
            prompt = Prompt(cases, "--mode", mode)
            prompt.ask(f':read xs = "x.npy"')
            right = prompt.ask("i32.sum xs")
            cases.expect(f"{mode}: before", str(cases.total) in right, right)
            cases.expect("who", "  file  " in prompt.ask(":who"))
            if change == "cut":
                os.truncate(path, 4096)
            else:
                with open(path, "r+b") as file:
                    file.write(cases.bytes[:500])
            for _ in range(2):
                answer = prompt.ask("i32.sum xs")
                cases.expect(f"{mode}: a file that is {change}",
                             answer.count("rror") == 1 and f"`x.npy` was {change}" in answer, answer)
            answer = prompt.ask("1 + 1")
            cases.expect("the session lives", "2" in answer and "rror" not in answer, answer)
            answer = prompt.ask(':write "y.npy" xs')
            cases.expect("nothing is written", f"`x.npy` was {change}" in answer and
                         "wrote" not in answer, answer)
            cases.fresh()
            prompt.ask(f':read xs = "x.npy"')
            answer = prompt.ask("i32.sum xs")
            cases.expect("it is read again", str(cases.total) in answer, answer)
            cases.expect("the prompt ends well", prompt.close() == 0)


def cut_while_running(cases):
    """The file is cut in the midst of an evaluation that would take hours, also on the threads of
    compiled code: that ends."""
    for mode in ("interp", "jit"):
        path = cases.fresh()
        prompt = Prompt(cases, "--mode", mode, "--timeout", "60s")
        prompt.ask(":load program.fut")
        prompt.ask(':read xs = "x.npy"')
        prompt.begin("long 1000000 xs")
        time.sleep(0.3)
        os.truncate(path, 4096)
        answer = prompt.end()
        cases.expect(f"{mode}: cut while running", answer is not None and
                     answer.count("rror") == 1 and "`x.npy` was cut" in answer and
                     "interrupted" not in answer, answer)
        cases.expect("the session lives", prompt.ask("1 + 1") is not None)
        prompt.close()
    path = cases.fresh()
    process = subprocess.Popen(cases.command("run", cases.program, "-e", "long", "--mode", "jit", "--timeout", "60s",
                                             "-i", cases.write("n", b"1000000i64"), "-i", path),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    time.sleep(0.5)
    os.truncate(path, 0)
    out, errors = process.communicate(timeout=120)
    cases.expect("a run", (process.returncode, out) == (1, b"") and errors.count(b"rror") == 1 and
                 b"was cut" in errors, (process.returncode, out, errors))


def lies(cases):
    path = cases.write("lie.npy", cases.bytes[:3_000_000])
    done = cases.run("run", cases.program, "-e", "sum", "-i", path)
    cases.expect("a header that promises too much", done.returncode == 2 and
                 b"needs more elements than the 749968 that follow" in done.stderr, done)


def writing(cases):
    path = cases.fresh()
    target = os.path.join(cases.folder, "out.npy")

    def is_old():
        with open(target, "rb") as file:
            return file.read() == b"old"

    words = ["run", cases.program, "-e", "double", "-i", path, "-o", "out.npy"]

    def limited():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (5_000_000, 5_000_000))

    cases.write("out.npy", b"old")
    done = cases.run(*words, limits=limited)
    cases.expect("a file that may not grow", done.returncode == 2 and is_old() and
                 b"cannot write `out.npy`: File too large" in done.stderr, done)
    done = cases.run(*words[:-1], "/dev/full")
    cases.expect("a full disk", done.returncode == 2 and b"No space left" in done.stderr, done)
    cases.expect("nothing is left behind", not cases.temporary_files())

    # A pipe whose reader goes away.
    pipe = os.path.join(cases.folder, "pipe")
    os.mkfifo(pipe)
    prompt = Prompt(cases)
    prompt.ask(':read xs = "x.npy"')
    cases.write("pipe.npy", b"")
    os.remove(os.path.join(cases.folder, "pipe.npy"))
    os.rename(pipe, os.path.join(cases.folder, "pipe.npy"))
    reader = threading.Thread(target=lambda: open(os.path.join(cases.folder, "pipe.npy"), "rb").close())
    reader.start()
    answer = prompt.ask(':write "pipe.npy" xs')
    reader.join()
    cases.expect("a pipe that nobody reads", answer and "Broken pipe" in answer, answer)
    cases.expect("the session lives", prompt.ask("1 + 1") is not None)
    prompt.close()

    # What goes through a link, and keeps its permissions.
    os.chmod(target, 0o640)
    os.symlink("out.npy", os.path.join(cases.folder, "link.npy"))
    done = cases.run(*words[:-1], "link.npy")
    cases.expect("a link", done.returncode == 0 and os.path.islink(
        os.path.join(cases.folder, "link.npy")) and os.stat(target).st_mode & 0o777 == 0o640, done)
    with open(target, "rb") as file:
        new = file.read()
    cases.expect("all is written", len(new) == len(cases.bytes))

    # Killed at any moment.
    seen = set()
    for moment in range(24):
        cases.write("out.npy", b"old")
        process = subprocess.Popen(cases.command(*words), cwd=cases.folder)
        if moment % 2:
            time.sleep(0.005 * moment)
        else:  # in the midst of writing, if that can be seen
            end = time.monotonic() + 20
            while not cases.temporary_files() and process.poll() is None and time.monotonic() < end:
                pass
        process.kill()
        process.wait()
        with open(target, "rb") as file:
            found = file.read()
        cases.expect("a killed run", found in (b"old", new), found[:100])
        seen.add(found == b"old")
        for name in cases.temporary_files():
            seen.add("half")
            os.remove(os.path.join(cases.folder, name))
    cases.expect("some were killed while they wrote", "half" in seen, seen)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sinter", required=True)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cases = Cases(os.path.abspath(options.sinter), folder)
        for case in (without_memory, raw_and_binary, rates, far_larger_than_memory, results_larger_than_memory, archives,
                     changes, cut_while_running, lies, writing):
            case(cases)
    print(f"{cases.good} passed, {cases.bad} failed")
    return 1 if cases.bad else 0


if __name__ == "__main__":
    sys.exit(main())
