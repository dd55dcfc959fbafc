#!/usr/bin/env python3
"""Presses Ctrl-C at random moments while a prompt is at work of all kinds.

    tests/prompt/interrupts.py --sinter PROGRAM [--count 60] [--seed 1] [--only KIND]

Each time the prompt must be back within 100 ms, and as it was: what was defined before still means
the same, what was interrupted left nothing.  What counts is the wall clock, as for a person, less
the time for which a busy machine gave none of its processors to a thread of the prompt's, or to
this program, that could have run.  Shows the worst latencies of each kind, as judged and as felt, and how busy the machine
was; ends with "N passed, N failed".
"""

import argparse
import collections
import gzip
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

from terminal import Terminal

LIMIT = 0.1  # seconds


def make_files(folder):
    """The data that is read, and a program that takes long to check."""

    def write(name, text):
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)

    write("cases.fut", "def f (x: i64): i64 = match x\n"
          + "".join(f"  case {i} -> {i * 7 % 1000}\n" for i in range(100_000)) + "  case _ -> 0\n")
    write("chain.fut", "".join(
        f"def h{i} [n] (xs: [n]i64) = let a = map (+{i}) xs let b = scan (+) 0 a "
        f"in (a, b, map2 (*) a b)\n" for i in range(10_000)))
    write("generic.fut", "def g0 't (x: t) (n: i64) : i64 = n\n" + "".join(
        f"def g{i} 't (x: t) (n: i64) : i64 = let h 'u (y: u) = g{i - 1} x n in h x + n\n"
        for i in range(1, 4000)))
    numbers = ", ".join(str(i * 37 % 100003) for i in range(2_000_000))
    write("numbers.txt", "[" + numbers + "]")
    with gzip.open(os.path.join(folder, "zeros.txt.gz"), "wb", compresslevel=1) as file:
        file.write(b"[" + b"0, " * 20_000_000 + b"0]")
    write("table.csv", "a,b,c,d\n" + "".join(f"{i},{i}.5,w{i % 7},-{i}\n" for i in range(300_000)))
    write("wide.csv", ",".join(f"c{i}" for i in range(3000)) + "\n"
          + "".join(",".join(str(i * j) for i in range(3000)) + "\n" for j in range(40)))
    with open(os.path.join(folder, "big.npy"), "wb") as file:
        header = "{'descr': '<i8', 'fortran_order': False, 'shape': (50000000,), }"
        header += " " * (117 - len(header)) + "\n"
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
        file.truncate(10 + len(header) + 8 * 50_000_000)
    with zipfile.ZipFile(os.path.join(folder, "big.npz"), "w", zipfile.ZIP_DEFLATED,
                         compresslevel=1) as archive:
        archive.write(os.path.join(folder, "big.npy"), "big.npy")


# Of each kind: what is typed, and how many seconds it takes at most to wait before Ctrl-C.
KINDS = {
    "interpreting": (":set mode interp", "loop s = 0i64 for i < 10**9 do s + i", 0.3),
    "interpreted map": (":set mode interp", "i64.sum (map (\\x -> x * x) (iota 10000000))", 0.4),
    "replicating": (":set mode interp", "(replicate 1000 (iota 30000))[3, 3]", 0.2),
    "rearranging": (":set mode interp", "(rotate 3 (iota 30000000))[3]", 0.4),
    "records": (":set mode interp", "loop (a, b) = ((1i64, 2i64), (3i64, 4i64)) for i < 10**9 do (b, a)", 0.3),
    "compiled sum": (":set mode jit", "i64.sum (map (\\x -> x * x % 7) (iota 4000000000))", 0.6),
    "compiled loop": (":set mode jit", "loop s = 0i64 for i < 10**11 do s * 3 + i", 0.6),
    "compiling": (":set mode jit",
                  "let f = \\(x: f64) -> " + " + ".join(f"f64.sin (x * {i}.5)" for i in range(150))
                  + " in f64.sum (map f (map f64.i64 (iota 100)))", 0.5),
    "in auto": (":set mode auto", "f32.sum (map (\\i -> f32.sqrt (f32.i64 i)) (iota 3000000000))", 0.6),
    "sorting": (":set mode auto", "loop xs = iota 3000 for i < 10**6 do map2 (\\x y -> (x * y + i) % 1000) xs (reverse xs)", 0.5),
    "loading cases": (":set mode auto", ":load cases.fut", 0.15),
    "loading definitions": (":set mode auto", ":load chain.fut", 0.5),
    "specialising": (":load generic.fut", "g3999 true 1", 0.1),
    "a long input": (":set mode auto", "let x = [" + ", ".join(f"{i} + {i}" for i in range(3000)) + "] in x[3]", 0.05),
    "reading text": (":set mode auto", ":read x = numbers.txt", 0.1),
    "unpacking": (":set mode auto", ":read x = zeros.txt.gz", 1.0),
    "reading a table": (":set mode auto", ":read x = table.csv", 0.3),
    "reading many columns": (":set mode auto", ":read x = wide.csv", 0.1),
    "reading npy": (":set mode auto", ":read x = big.npy", 0.6),
    "writing text": (":set mode auto", ":write out.txt iota 20000000", 1.0),
    "writing a table": (":set mode auto", ":write out.csv map (\\i -> (i, i)) (iota 2000000)", 1.0),
    "packing": (":set mode auto", ":write out.npy.gz iota 10000000", 1.0),
    "writing a picture": (":set mode auto",
                          ":write out.png tabulate_2d 4000 4000 (\\i j -> u32.i64 (i * j))", 1.0),
    "writing a sound": (":set mode auto",
                        ":write out.flac map (\\i -> f32.sin (f32.i64 i)) (iota 10000000)", 1.0),
    "reading an archive": (":set mode auto", ":read x = big.npz", 1.0),
    "an archive": (":set mode auto", ":write out.npz {a = iota 4000000, b = [1, 2]}", 0.5),
    "timing": (":set mode auto", ":time i64.sum (map (\\x -> x * x) (iota 300000000))", 0.6),
    "comparing": (":set mode auto", ":compare f64.sum (map f64.sqrt (map f64.i64 (iota 2000000)))", 0.6),
    "explaining": (":set mode auto", ":ir map (\\x -> x * x + 1) (iota 1000)", 0.2),
}


def seconds_waited(pid):
    """For a processor, by thread."""
    waited = {}
    for thread in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{thread}/schedstat") as stat:
                waited[thread] = int(stat.read().split()[1]) * 1e-9
        except OSError:  # it has ended, or this system does not tell
            pass
    return waited


class Session:
    def __init__(self, options):
        self.prompt = Terminal(options, columns=200, rows=30)
        self.prompt.ready()
        self.prompt.ask("def kept (x: i64) = x * 7")

    def interrupt(self, setting, work, wait):
        """Seconds until the prompt was back, as judged and as felt; None if the work had ended
        before."""
        prompt = self.prompt
        prompt.ask(setting)
        prompt.output = ""
        prompt.type("\x1b[200~" + work + "\x1b[201~")
        prompt.until(lambda: len(prompt.output) >= min(len(work), 100))
        prompt.output = ""
        prompt.type("\r")
        # The marks of pastes are taken back when the input is read.
        prompt.until(lambda: "\x1b[?2004l" in prompt.output)
        end = time.perf_counter() + wait
        while time.perf_counter() < end:
            prompt.read(max(0, end - time.perf_counter()))
        back = lambda: "\x1b[?2004h" in prompt.output
        if back():
            return None
        before, own = seconds_waited(prompt.pid), seconds_waited(os.getpid())
        pressed = time.perf_counter()
        prompt.type("\x03")
        if not prompt.until(back):
            return float("inf"), float("inf")
        felt = time.perf_counter() - pressed
        waited = sum(max((seconds - former.get(thread, 0)
                          for thread, seconds in seconds_waited(pid).items()), default=0)
                     for pid, former in ((prompt.pid, before), (os.getpid(), own)))
        return max(felt - waited, 0), felt

    def is_whole(self):
        self.prompt.ready()
        # (Where the work ended just before, Ctrl-C came to the prompt, whose answer to it is the
        # first one.)
        return any(self.prompt.ask("kept 6") == ["i64: 42"] for _ in range(2))


def check_time_limit(options):
    """A process whose time is over while it compiles ends, though nothing can stop the compiler.
    Judged by how long the same takes without a limit."""
    expression = KINDS["compiling"][1]
    taken = []
    for limit in ("1h", "100ms"):
        cache = tempfile.mkdtemp(dir=options.scratch)
        began = time.monotonic()
        ended = subprocess.run([options.sinter, "eval", "--mode", "jit", "--timeout", limit, expression],
                               capture_output=True, env={**os.environ, "SINTER_CACHE": cache})
        taken.append(time.monotonic() - began)
    if ended.returncode == 124 and taken[1] < taken[0] / 2:
        return True
    print(f"FAIL a time limit of 100 ms while compiling: exit code {ended.returncode} after "
          f"{taken[1] * 1000:.0f} ms, {taken[0] * 1000:.0f} ms without it")
    return False


def check_end(options):
    """Commands end when all is shown, though something is still being compiled.  Judged by how long
    it takes where the compiler must be waited for."""
    sines = " + ".join(f"f64.sin (x * {i}.5)" for i in range(300))
    expression = f"let f = \\(x: f64) -> {sines} in f64.isnan (f64.sum (map f (map f64.i64 (iota 100000))))"
    script = os.path.join(options.scratch, "sines.fut")
    with open(script, "w") as file:
        file.write(f"-- > {expression}\n")

    def run(*arguments):
        cache = tempfile.mkdtemp(dir=options.scratch)
        began = time.monotonic()
        ended = subprocess.run([options.sinter, *arguments], capture_output=True, text=True,
                               env={**os.environ, "SINTER_CACHE": cache})
        return time.monotonic() - began, ended.returncode, ended.stdout

    longest, _, _ = run("eval", "--mode", "jit", expression)
    passed = True
    for command in (["eval", expression], [script], ["literate", script]):
        taken, code, out = run(*command)
        if command[0] == "literate":
            with open(script.replace(".fut", ".md")) as file:
                out = file.read()
        if code != 0 or "false" not in out or taken > longest / 2:
            passed = False
            print(f"FAIL `sinter {command[0]}` while compiling: exit code {code} after "
                  f"{taken * 1000:.0f} ms, {longest * 1000:.0f} ms where it is compiled first")
    return passed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--sinter", required=True)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only")
    options = parser.parse_args()
    options.sinter = os.path.abspath(options.sinter)
    options.scratch = tempfile.mkdtemp()
    chance = random.Random(options.seed)
    kinds = [options.only] if options.only else list(KINDS)
    latencies = collections.defaultdict(list)
    failed = 0
    loads = [os.getloadavg()[0]]
    try:
        make_files(options.scratch)
        session = Session(options)
        for i in range(options.count):
            kind = kinds[i % len(kinds)]
            setting, work, longest = KINDS[kind]
            wait = chance.random() * longest
            both = session.interrupt(setting, work, wait)
            if both is not None:
                latencies[kind].append(both)
            loads.append(os.getloadavg()[0])
            latency, felt = both or (0, 0)
            whole = latency != float("inf") and session.is_whole()
            if not whole or latency > LIMIT:
                failed += 1
                print(f"FAIL {kind}: Ctrl-C after {wait * 1000:.0f} ms, "
                      + (f"the prompt was back after {latency * 1000:.0f} ms "
                         f"({felt * 1000:.0f} felt)" if whole
                         else "the session is not as it was"), flush=True)
                if not whole:
                    print("\n".join(session.prompt.screen.lines()[-5:]), flush=True)
                    session = Session(options)
        session.prompt.close()
        if not options.only:
            options.count += 2
            failed += not check_time_limit(options)
            failed += not check_end(options)
    finally:
        shutil.rmtree(options.scratch, ignore_errors=True)
    for kind in kinds:
        if latencies[kind]:
            judged, felt = (max(each) * 1000 for each in zip(*latencies[kind]))
            print(f"{kind}: {len(latencies[kind])} times, at most {judged:.0f} ms ({felt:.0f} felt)")
    print(f"the machine's load was {min(loads):.1f} to {max(loads):.1f}, "
          f"on {os.cpu_count()} processors")
    print(f"{options.count - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
