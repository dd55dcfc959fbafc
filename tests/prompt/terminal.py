#!/usr/bin/env python3
"""Sits at the prompt as a person does: drives a pseudo-terminal, and looks at the screen.

    tests/prompt/terminal.py --sinter PROGRAM            the tests; ends with "N passed, N failed"
    tests/prompt/terminal.py --sinter PROGRAM --measure  the latencies, in milliseconds

The screen is modelled here: rows of characters, the cursor, and the few sequences that the editor
sends.
"""

import argparse
import os
import pty
import re
import select
import shutil
import signal
import struct
import fcntl
import subprocess
import sys
import tempfile
import termios
import time
import unicodedata

PATIENCE = 60.0  # seconds until something that must happen counts as not happening
SEQUENCE = re.compile(r"\x1b\[(\??[0-9;]*)([A-Za-z])|\x1b[78]")


class Screen:
    """What a terminal shows after some output."""

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.cells = [[" "] * columns for _ in range(rows)]
        self.row = self.column = 0
        self.style = ""
        self.styles = {}

    def line_feed(self):
        if self.row + 1 < self.rows:
            self.row += 1
        else:
            self.cells = self.cells[1:] + [[" "] * self.columns]

    def feed(self, text):
        at = 0
        while at < len(text):
            c = text[at]
            match = SEQUENCE.match(text, at) if c == "\x1b" else None
            if match:
                if match.group(2):  # saving the cursor and going back there are left out
                    self.obey(match.group(1), match.group(2))
                at = match.end()
                continue
            at += 1
            if c == "\r":
                self.column = 0
            elif c == "\n":
                self.line_feed()
            elif c >= " ":
                self.put(c)

    def put(self, c):
        if unicodedata.combining(c):
            self.cells[self.row][self.column - 1] += c
            return
        width = 2 if unicodedata.east_asian_width(c) in "WF" else 1
        if self.column + width > self.columns:
            self.column = 0
            self.line_feed()
        self.cells[self.row][self.column] = c
        if width == 2:
            self.cells[self.row][self.column + 1] = ""
        if self.style:
            self.styles[c] = self.style
        self.column += width

    def obey(self, argument, command):
        count = int(argument) if argument.isdigit() else 1
        if command == "A":
            self.row = max(self.row - count, 0)
        elif command == "C":
            self.column = min(self.column + count, self.columns - 1)
        elif command == "H":
            self.row = self.column = 0
        elif command == "K":
            self.cells[self.row][self.column:] = [" "] * (self.columns - self.column)
        elif command == "J":
            if argument != "2":
                self.obey("", "K")
            for row in range(0 if argument == "2" else self.row + 1, self.rows):
                self.cells[row] = [" "] * self.columns
        elif command == "m":
            self.style = "" if argument in ("", "0") else argument

    def lines(self):
        lines = ["".join(row).rstrip() for row in self.cells]
        while lines and not lines[-1]:
            lines.pop()
        return lines


class Terminal:
    """A prompt on a pseudo-terminal."""

    def __init__(self, options, columns=60, rows=20, color=False, state=None, term="xterm"):
        self.screen = Screen(columns, rows)
        env = dict(os.environ, TERM=term, LC_ALL="C.UTF-8", HOME=options.scratch,
                   XDG_STATE_HOME=state or tempfile.mkdtemp(dir=options.scratch),
                   XDG_CONFIG_HOME=options.scratch)
        env.pop("NO_COLOR", None)
        if not color:
            env["NO_COLOR"] = "1"
        self.started = time.perf_counter()
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            os.chdir(options.scratch)
            os.execve(options.sinter, [options.sinter, "repl"], env)
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.bytes = b""
        self.output = ""

    def resize(self, columns, rows):
        self.screen.columns, self.screen.rows = columns, rows
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, keys):
        os.write(self.file, keys.encode())

    def read(self, limit):
        """Takes what the program has written, waiting at most so long for it."""
        if not select.select([self.file], [], [], limit)[0]:
            return False
        try:
            data = os.read(self.file, 65536)
        except OSError:
            data = b""
        self.bytes += data
        try:
            text, self.bytes = self.bytes.decode(), b""
        except UnicodeDecodeError as error:
            text, self.bytes = self.bytes[:error.start].decode(), self.bytes[error.start:]
        self.screen.feed(text)
        self.output += text
        return bool(data)

    def until(self, condition, patience=PATIENCE):
        """Whether the condition comes true; the program is read until then."""
        end = time.perf_counter() + patience
        while not condition():
            left = end - time.perf_counter()
            if left <= 0 or not self.read(left):
                return condition()
        return True

    def shows(self, *lines):
        """Whether the screen comes to end with these lines."""
        return self.until(lambda: tuple(self.screen.lines()[-len(lines):]) == lines)

    def ready(self):
        """Whether a new prompt comes to wait for input."""
        return self.until(lambda: self.screen.lines()[-1:] == [">"] and self.screen.column == 2)

    def ask(self, text):
        """Types a line; the lines that it is answered with."""
        self.output = ""
        mark = "> " + text
        self.type(text + "\r")
        # The marks of pastes are taken back when the input is read.
        done = lambda: ("\x1b[?2004l" in self.output and self.screen.lines()[-1:] == [">"] and
                        mark in self.screen.lines())
        if not self.until(done):
            return ["(no answer)"]
        lines = self.screen.lines()
        start = len(lines) - 1 - lines[::-1].index(mark)
        return lines[start + 1:-1]

    def close(self):
        """Ends the prompt; its exit code."""
        self.type("\x03\x04")
        return self.end()

    def end(self):
        """Waits for the end of the prompt; its exit code."""
        end = time.perf_counter() + PATIENCE
        while time.perf_counter() < end:
            self.read(0.01)
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                os.close(self.file)
                return os.waitstatus_to_exitcode(status)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.file)
        return "(no end)"


# ---- tests --------------------------------------------------------------------------------------


def editing(options, check):
    prompt = Terminal(options)
    check(prompt.ready(), "a prompt")
    check(prompt.ask("1 + 1") == ["i32: 2"], "an answer")
    prompt.type("2 + 漢\x7f3\x01(\x05)\r")
    check(prompt.shows("> (2 + 3)", "i32: 5", ">"), "keys move and delete")
    prompt.type("\x1b[A\x1b[D0")
    check(prompt.shows("> (2 + 30)"), "the last input by the up arrow")
    prompt.type("\x03")
    check(prompt.shows("> (2 + 30)^C", ">"), "Ctrl-C drops an input")
    prompt.type("def f (x: i32) =\r")
    check(prompt.shows("> def f (x: i32) =", "|"), "an input that goes on")
    prompt.type("x +\r")
    prompt.shows("|   x +", "|")
    prompt.type("1\r")
    check(prompt.shows("> def f (x: i32) =", "|   x +", "|   1", "f : i32 -> i32", ">"),
          "an input of several lines")
    check(prompt.ask("f 2") == ["i32: 3"], "which is obeyed")
    prompt.type("\x1b[A\x1b[A\x1b[A")
    check(prompt.shows("> def f (x: i32) =", "|   x +", "|   1"), "and comes back whole")
    prompt.type("\x1b[B0\r")
    check(prompt.shows("|   10", "f : i32 -> i32", ">") and prompt.ask("f 2") == ["i32: 12"], "and is edited whole")
    prompt.type("\x1b[200~let a = 1\nlet b = 2\n\x1b[201~")
    check(prompt.shows("> let a = 1", "| let b = 2", "|"), "a paste of many lines is one input")
    prompt.type("\r")
    check(prompt.ready() and prompt.ask("a + b") == ["i32: 3"], "which Enter obeys")
    prompt.type("long " * 20)
    check(prompt.shows("> " + ("long " * 20)[:58], ("long " * 20)[58:].rstrip()), "a long line")
    os.kill(prompt.pid, signal.SIGWINCH)
    prompt.type("!")
    check(prompt.shows("> " + ("long " * 20)[:58], ("long " * 20)[58:] + "!"),
          "a size that is as it was changes nothing")
    prompt.type("\x7f")
    prompt.resize(80, 20)
    check(prompt.until(lambda: prompt.screen.column == 22), "a new size")
    prompt.type("\x15\x12(2 +")
    check(prompt.shows("> (2 + 3)", "search: (2 +"), "a search")
    prompt.type("\r")
    check(prompt.shows("i32: 5", ">"), "whose result is obeyed")
    prompt.type("\x0c")
    check(prompt.until(lambda: prompt.screen.lines() == [">"]), "Ctrl-L")
    check(prompt.close() == 0, "the end")


def completing(options, check):
    prompt = Terminal(options)
    prompt.ready()
    prompt.ask("let point = {east = 1f32, eel = 2i64}")
    prompt.type("poi\t.\t\t")
    check(prompt.shows("> point.e", "point.east  f32", "point.eel   i64"), "fields with types")
    prompt.type("a\t\r")
    check(prompt.shows("f32: 1.0", ">"), "completed")
    prompt.type(":hel\t\r")
    check(prompt.until(lambda: "> :help" in prompt.screen.lines()[0:1] or
                       "Type an expression" in prompt.output), "commands")
    prompt.ready()
    with open(os.path.join(options.scratch, "program_to_load.fut"), "w") as file:
        file.write("def answer = 42i32\n")
    prompt.type(":load program_to\t\r")
    check(prompt.shows("> :load program_to_load.fut", "loaded program_to_load.fut", ">"), "files")
    check(prompt.close() == 0, "the end")


def remembering(options, check):
    state = tempfile.mkdtemp(dir=options.scratch)
    first, second = Terminal(options, state=state), Terminal(options, state=state)
    first.ready(), second.ready()
    first.ask("1 + 2"), second.ask("3 + 4"), first.ask("5 + 6")
    first.close(), second.close()
    third = Terminal(options, state=state)
    third.ready()
    for expected in ("5 + 6", "3 + 4", "1 + 2"):
        third.type("\x1b[A")
        check(third.shows("> " + expected), "sessions at once keep " + expected)
    third.close()


def coloring(options, check):
    prompt = Terminal(options, color=True)
    prompt.ready()
    prompt.type("let x = (1 + \"a")
    prompt.shows("> let x = (1 + \"a")
    styles = prompt.screen.styles
    check(styles.get("l") != styles.get("x") and styles.get("1") and styles.get("a"), "tokens")
    prompt.type("\x15[]")
    check(prompt.until(lambda: "7" in styles.get("[", "")), "the matching bracket")
    prompt.type("\x15")
    prompt.ask("true")
    check("\x1b[36mbool" in prompt.output, "types")
    prompt.close()
    prompt = Terminal(options)
    prompt.ready()
    prompt.ask("let x = 1")
    check("m" not in [m.group(2) for m in SEQUENCE.finditer(prompt.output)], "none with NO_COLOR")
    prompt.close()


def interrupting(options, check):
    prompt = Terminal(options)
    prompt.ready()
    prompt.ask("let kept = 42i32")
    slow = interrupt(prompt, options.interrupts)
    check(slow is not None, "each of %d interrupts stops the evaluation" % options.interrupts)
    prompt.ready()
    check(prompt.ask("kept") == ["i32: 42"], "the variables are there")
    # Keys that come while something runs are for the next prompt.
    prompt.type("loop i = 0i64 while i < 3000000 do i + 1\r7\r")
    check(prompt.until(lambda: "i32: 7" in prompt.screen.lines()), "what is typed ahead counts")
    prompt.output = ""
    prompt.type("loop i = 0i64 while i < 3000000 do i + 1\r")
    prompt.until(lambda: "\x1b[?2004l" in prompt.output)  # it is being obeyed
    prompt.type("\x04")
    check(prompt.end() == 0, "and a Ctrl-D typed ahead ends the prompt")


def playing(options, check):
    prompt = Terminal(options)
    prompt.ready()
    prompt.type(":video --fps 0.02 replicate 3 (replicate 2 (replicate 2 true))\r")
    prompt.until(lambda: "\x1b7" in prompt.output)  # the first of 50 seconds has begun
    prompt.type("\x03")
    check(prompt.until(lambda: "(video" in prompt.output, 25), "Ctrl-C stops a film at once")
    prompt.ready()
    check(prompt.close() == 0, "the end")


def stepping(options, check):
    prompt = Terminal(options)
    prompt.ready()
    at = lambda mark: prompt.until(lambda: mark in prompt.output and
                                   prompt.screen.lines()[-1:] == ["break>"])
    prompt.type("let a = #[break] (1i64 + 1) let b = a * 3 in (a, b)\r")
    check(at("break at"), "a break")
    prompt.type("2 + 2\r")
    check(at("i32: 4"), "which answers")
    prompt.output = ""
    prompt.type(":step\r")
    check(at("step to"), "a step")
    prompt.output = ""
    while prompt.read(1.5):  # longer than it takes until progress is shown
        pass
    check(prompt.output == "", "no progress is drawn while it waits")
    prompt.type(":continue\r")
    check(prompt.until(lambda: "(i64, i64): (2, 6)" in prompt.screen.lines()), "going on")
    prompt.ready()
    check(prompt.close() == 0, "the end")


def suspending(options, check):
    prompt = Terminal(options)
    prompt.ready()
    prompt.type("1 + \x1a")  # stops nothing here, where no shell could let it go on
    prompt.type("2\r")
    check(prompt.shows("i32: 3", ">"), "Ctrl-Z keeps the input")
    check(prompt.close() == 0, "the end")


def without_editing(options, check):
    prompt = Terminal(options, term="dumb")
    check(prompt.until(lambda: prompt.output.endswith("> ")), "a prompt on a dumb terminal")
    prompt.type("1 + 1\n")
    check(prompt.until(lambda: "i32: 2" in prompt.output), "an answer")
    check("\x1b" not in prompt.output, "without escape sequences")
    prompt.until(lambda: prompt.output.endswith("> "))
    prompt.type("\x04")
    check(prompt.end() == 0, "the end")


def pasting(options, check):
    text = ("def h (n: i32) =\n  let k = n\n  in (k, k)\n\nh 10\nlet f (x: i32) =\n  x + 1\nin f 41\n"
            "iota 4\n  |> map (* 2)\n  |> i64.sum\n")
    prompt = Terminal(options)
    prompt.ready()
    prompt.type(text.replace("\n", "\r"))  # as terminals do that mark no pastes
    check(prompt.shows("> iota 4", "|   |> map (* 2)", "|   |> i64.sum", "i64: 12", ">"),
          "a paste keeps its indentation")
    lines = prompt.screen.lines()
    check("(i32, i32): (10, 10)" in lines and "i32: 42" in lines, "and is read entry by entry")
    prompt.type("\x1b[200~" + text + "\x1b[201~\r")
    check(prompt.until(lambda: prompt.output.count("i64: 12") == 2), "so is one that is marked")
    check(prompt.output.count("i32: 42") == 2, "with the same values")
    prompt.ready()
    check(prompt.ask("exit") == ["error: `:quit` leaves, and so does Ctrl-D"], "what others say")
    check(prompt.close() == 0, "the end")


TESTS = [editing, pasting, completing, remembering, coloring, interrupting, playing, stepping,
         suspending, without_editing]


# ---- latencies ----------------------------------------------------------------------------------


def interrupt(prompt, count):
    """Stops an endless evaluation again and again; the times from key to prompt, in seconds."""
    times = []
    for i in range(count):
        prompt.screen.feed("\x1b[H\x1b[2J\x1b[9A")
        prompt.output = ""
        prompt.type("loop i = 0i64 while i >= 0 do i + 1\r")
        # The marks of pastes are taken back when the input is read: it is being obeyed.
        if not prompt.until(lambda: "\x1b[?2004l" in prompt.output):
            return None
        time.sleep(0.001 * (i % 7))
        start = time.perf_counter()
        prompt.type("\x03")
        if not prompt.until(lambda: "\x1b[?2004h" in prompt.output[prompt.output.index("?2004l"):]):
            return None
        times.append(time.perf_counter() - start)
        if "nterrupt" not in prompt.output:
            return None
    return times


def report(name, times):
    times = sorted(1000 * t for t in times)
    print("%-40s median %7.2f ms, most %7.2f ms (%d times)" %
          (name, times[len(times) // 2], times[-1], len(times)))


def measure(options):
    starts = []
    for _ in range(20):
        prompt = Terminal(options, state=options.scratch)
        prompt.until(lambda: "> " in prompt.output)
        starts.append(time.perf_counter() - prompt.started)
        prompt.close()
    report("prompt ready", starts)
    prompt = Terminal(options, columns=100, rows=40)
    prompt.ready()

    def timed(keys, mark):
        prompt.output = ""
        start = time.perf_counter()
        prompt.type(keys)
        prompt.until(lambda: mark in prompt.output)
        return time.perf_counter() - start

    report("Enter to answer, 1 + 1", [timed("1 + %d\r" % i, "i32: %d" % (i + 1)) for i in range(100)])
    prompt.ask("def f (x: f64) = f64.sqrt x * 2")
    report("Enter to answer, f 4", [timed("f 4\r", "f64: 4.0") for _ in range(100)])
    prompt.type("\x15")
    while prompt.read(0.02):
        pass
    report("a key to its echo", [timed("x", "x") for _ in range(50)])
    prompt.type("\x15")
    first = timed("f64.s\t", "sqrt")
    report("first completion of a module's members", [first])
    prompt.type("\x15")

    def complete(text, mark):
        prompt.type("\x15" + text)
        while prompt.read(0.02):
            pass
        return timed("\t", mark)

    report("completion, f64.s", [complete("f64.s", "sqrt") for _ in range(30)])
    report("completion, r", [complete("r", "reduce") for _ in range(30)])
    prompt.type("\x15")
    prompt.ask("let kept = 42i32")
    times = interrupt(prompt, 1000)
    if times:
        report("Ctrl-C to prompt", times)
    else:
        print("an interrupt failed")
    prompt.ready()
    print("variables intact: %s" % (prompt.ask("kept") == ["i32: 42"]))
    prompt.close()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sinter", required=True)
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--interrupts", type=int, default=30)
    parser.add_argument("names", nargs="*", help="only these tests")
    options = parser.parse_args()
    options.sinter = os.path.abspath(options.sinter)
    options.scratch = tempfile.mkdtemp()
    counts = [0, 0]
    try:
        if options.measure:
            measure(options)
            return 0
        for test in TESTS:
            if options.names and test.__name__ not in options.names:
                continue

            def check(good, what):
                counts[0 if good else 1] += 1
                if not good:
                    print("FAIL terminal, %s: %s" % (test.__name__, what))

            test(options, check)
    finally:
        shutil.rmtree(options.scratch, ignore_errors=True)
    print("%d passed, %d failed" % tuple(counts))
    return 0 if counts[1] == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
