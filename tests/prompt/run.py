#!/usr/bin/env python3
"""Replays sessions: the files *.session of this folder and the console blocks of README.md.

    tests/prompt/run.py --sinter PROGRAM [--update] [NAME…]

A session is a sequence of commands and what they write:

    $ echo '[1, 2]' | sinter run double.fut     a shell command; `sinter` is the program under test
    [2i32, 4i32]                                what it writes to standard output,
    ! warning: …                                then to standard error,
    [exit code 1]                               and its exit code unless that is 0

    $ sinter                                    a prompt: the lines that begin with `> `, `| ` or
    > 1 + 2                                     `break> ` are its input, the others its output,
    i32: 3                                      both streams in the order of writing

No output may have names that only the checker and the session use (`d₀`, `it#5`); nor may the pages
of help and the notebooks.

Commands run in this folder (those of the README in the folder of the README).  `$SCRATCH` is an
empty folder, also in what is typed.  With --update the files are rewritten with what the commands really write.
"""

import argparse
import difflib
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
INPUT = re.compile(r"^(?:> |\| |break> |>$|\|$|break>$)")
PROMPT = re.compile(r"^(?:\./)?sinter(?: repl(?: \S+)*)?$")
INTERNAL = re.compile(r"\b[dt][₀-₉]|\bit#\d")
LIMIT_IN_SECONDS = 120


def run(command, lines, options, folder):
    """What a command writes, in the notation above.  `lines` are those recorded for it."""
    env = dict(os.environ, SCRATCH=options.scratch, NO_COLOR="1", LC_ALL="C.UTF-8",
               XDG_CONFIG_HOME=os.path.join(options.scratch, "configuration"),
               PATH=options.scratch + ":" + os.environ["PATH"])
    if PROMPT.match(command):
        words = command.split()
        words = words[:1] + ["repl", "--echo"] + words[2:]
        typed = [line for line in lines if INPUT.match(line)]
        stdin = "".join(re.sub(r"^(?:>|\||break>) ?", "", line) + "\n" for line in typed)
        stdin = stdin.replace("$SCRATCH", options.scratch)
        done = subprocess.run([options.sinter] + words[1:], input=stdin, text=True, cwd=folder,
                              env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              timeout=LIMIT_IN_SECONDS)
        out = done.stdout.splitlines()
    else:
        # `./sinter` of the README is the launcher; here it stands for the program under test.
        shell = re.sub(r"(^|[|;&(]\s*)\./sinter\b", r"\1sinter", command)
        done = subprocess.run(["bash", "-c", shell], stdin=subprocess.DEVNULL, text=True,
                              cwd=folder, env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=LIMIT_IN_SECONDS)
        out = done.stdout.splitlines() + ["! " + line for line in done.stderr.splitlines()]
    if done.returncode != 0:
        out.append("[exit code %d]" % done.returncode)
    return [line.rstrip().replace(options.scratch, "$SCRATCH") for line in out]


def replay(lines, options, folder, name, counts):
    """The lines of a session as they really are; differences are reported and counted."""
    result, at = [], 0
    while at < len(lines):
        line = lines[at]
        at += 1
        result.append(line)
        if not line.startswith("$ "):
            continue
        recorded = []
        while at < len(lines) and not lines[at].startswith("$ "):
            recorded.append(lines[at])
            at += 1
        comment = []  # blank lines and comments before the next command belong to the file
        while recorded and (not recorded[-1] or recorded[-1].startswith("# ")):
            comment.insert(0, recorded.pop())
        try:
            found = run(line[2:], recorded, options, folder)
        except subprocess.TimeoutExpired:
            found = ["[no end after %d seconds]" % LIMIT_IN_SECONDS]
        internal = [text for text in found if not INPUT.match(text) and INTERNAL.search(text)]
        if internal:
            counts[1] += 1
            print("FAIL %s: %s" % (name, line))
            print("\n".join("  with internal names: " + text for text in internal))
        elif found == recorded:
            counts[0] += 1
        else:
            counts[1] += 1
            if not options.update:
                print("FAIL %s: %s" % (name, line))
                for text in difflib.unified_diff(recorded, found, "expected", "found", lineterm=""):
                    print("  " + text)
        result += found + comment
    return result


def replay_file(path, options, counts):
    name = os.path.relpath(path, ROOT)
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    if path.endswith(".session"):
        result = replay(lines, options, HERE, name, counts)
    else:
        result, at = [], 0
        while at < len(lines):
            result.append(lines[at])
            at += 1
            if result[-1] == "```console":
                end = lines.index("```", at)
                result += replay(lines[at:end], options, os.path.dirname(path), name, counts)
                at = end
    if options.update and result != lines:
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(result) + "\n")
        print("updated " + name)


def check_pages(counts):
    """The outputs that others record: pages of help, notebooks."""
    for folder, ending in [(os.path.join(ROOT, "lang", "check", "help"), ".md"),
                           (os.path.join(ROOT, "notebooks"), ".ipynb")]:
        for name in sorted(os.listdir(folder)):
            if not name.endswith(ending):
                continue
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                found = INTERNAL.findall(file.read())
            counts[1 if found else 0] += 1
            if found:
                print("FAIL %s has internal names: %s" % (name, ", ".join(found[:5])))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sinter", required=True)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("names", nargs="*", help="only these sessions")
    options = parser.parse_args()
    options.sinter = os.path.abspath(options.sinter)
    paths = [os.path.join(HERE, name) for name in sorted(os.listdir(HERE))
             if name.endswith(".session")]
    paths.append(os.path.join(ROOT, "README.md"))
    if options.names:
        paths = [p for p in paths if any(name in os.path.basename(p) for name in options.names)]
    counts = [0, 0]
    with tempfile.TemporaryDirectory() as scratch:
        options.scratch = scratch
        os.symlink(options.sinter, os.path.join(scratch, "sinter"))
        for path in paths:
            replay_file(path, options, counts)
    if not options.names:
        check_pages(counts)
    print("%d passed, %d failed" % tuple(counts))
    return 0 if counts[1] == 0 or options.update else 1


if __name__ == "__main__":
    sys.exit(main())
