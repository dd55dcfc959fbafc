#!/usr/bin/env python3
"""Checks that the pages by which folders introduce themselves are true; ends with "N passed, N failed".

    tests/folders/run.py [--update]

Each folder of C++ sources has a README.md, and so has each folder of tests/ and notebooks/.

- The page is of ten to forty lines (a floor's essay, lang/README.md, of up to 160).
- It names each header and table (*.h, *.def) of its folder exactly once, in backquotes, alone or
  with a path from the folder.  Headers in folders without a page of their own are named by the next
  page above.
- What it names as a file is there: beside the page, or from the root of the sources.  `*` stands for
  any letters.
- The line `Knows: …` has exactly the other folders whose headers are included here ("nothing else"
  if there are none).  What the includes of this line's folders make of the house has no circles
  but those listed below, and leads to no higher floor.  --update rewrites these lines.
"""

import collections
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FLOORS = ["lang", "jit", "gpu", "repl", "src"]  # a floor knows those before it
DOOR = {"repl": "jit/gate", "src": "jit/gate"}  # what these know of the JIT
# Folders that know each other.  A console obeys commands and scripts, which act on a console; the
# commands of `sinter` have rooms of their own that use what all commands share.
CIRCLES = [
    {"repl/console", "repl/commands", "repl/scripts"},
    {"src", "src/packages", "src/testing"},
]
ESSAYS = {"lang", "jit", "gpu"}

INCLUDE = re.compile(r'^\s*#\s*include "([^"]+)"', re.MULTILINE)
QUOTED = re.compile(r"`([^`\n]+)`")
FILE_NAME = re.compile(r"[\w.*/-]+\.(?:h|def|cpp|py|fut|fut\.in|cmake|md|session|ipynb|dict|json)")
KNOWS = re.compile(r"^Knows: .*(?:\n\S.*)*$", re.MULTILINE)


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def sources():
    """All files of the project, as paths from its root."""
    found = []
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [f for f in folders if not f.startswith((".", "build", "__"))]
        found += [os.path.relpath(os.path.join(folder, name), ROOT) for name in names]
    return sorted(found)


class Folders:
    def __init__(self, paths):
        self.paths = set(paths)
        self.files = collections.defaultdict(list)
        for path in paths:
            self.files[os.path.dirname(path)].append(os.path.basename(path))
        self.includes = collections.defaultdict(set)
        for path in paths:
            if path.endswith((".h", ".cpp")) and path.split("/")[0] in FLOORS:
                folder = os.path.dirname(path)
                for included in INCLUDE.findall(read(path)):
                    if os.path.dirname(included) != folder:
                        self.includes[folder].add(os.path.dirname(included))

    def with_pages(self):
        """The folders that introduce themselves."""
        for folder, names in sorted(self.files.items()):
            parts = folder.split("/")
            if parts[0] in FLOORS:
                wanted = len(parts) == 1 or any(name.endswith((".h", ".cpp")) for name in names)
            else:
                wanted = folder == "notebooks" or parts[0] == "tests" and len(parts) <= 2
            if wanted or "README.md" in names and parts[0] in FLOORS:
                yield folder
        # A floor, and a folder of tests that has folders only.
        tops = {"/".join(f.split("/")[:n]) for f in self.files for n in (1, 2)
                if f.split("/")[0] == "tests" or n == 1 and f.split("/")[0] in FLOORS}
        yield from sorted(tops - set(self.files))

    def introduced_by(self, folder):
        """The headers and tables that a folder's page has to name, as paths from the folder."""
        pages = set(self.with_pages())
        for path in sorted(self.paths):
            if not path.endswith((".h", ".def")) or not path.startswith(folder + "/"):
                continue
            nearest = os.path.dirname(path)
            while nearest not in pages:
                nearest = os.path.dirname(nearest)
            if nearest == folder:
                yield os.path.relpath(path, folder)


def knows_line(folders):
    if not folders:
        return "Knows: nothing else."
    line, lines = "Knows:", []
    for i, folder in enumerate(sorted(folders)):
        word = f" `{folder}`" + ("," if i + 1 < len(folders) else ".")
        if len(line + word) > 100:
            lines.append(line)
            line, word = "", word[1:]
        line += word
    return "\n".join([*lines, line])


def faults_of_page(folders, folder):
    path = f"{folder}/README.md"
    if path not in folders.paths:
        yield "has no README.md that introduces it"
        return
    text = read(path)
    count, limit = text.count("\n"), 160 if folder in ESSAYS else 40
    if not 10 <= count <= limit:
        yield f"README.md has {count} lines, not 10 to {limit}"
    named = collections.Counter(QUOTED.findall(text))
    for header in folders.introduced_by(folder):
        if named[header] != 1:
            yield f"README.md names {header} {named[header]} times, not once"
    for name in named:
        if not FILE_NAME.fullmatch(name):
            continue
        pattern = re.compile(re.escape(name).replace(r"\*", "[^/]*"))
        if not any(pattern.fullmatch(path) or pattern.fullmatch(os.path.relpath(path, folder))
                   for path in folders.paths):
            yield f"README.md names {name}, which is not there"
    if folder.split("/")[0] in FLOORS and any(f.endswith(".cpp") or f.endswith(".h")
                                              for f in folders.files[folder]):
        line = KNOWS.search(text)
        if not line:
            yield "README.md has no line `Knows: …`"
        elif line[0] != knows_line(folders.includes[folder]):
            yield (f"README.md says `{line[0]}`; by its includes it is "
                   f"`{knows_line(folders.includes[folder])}`")


def faults_of_arrows(folders):
    """Includes that lead upwards, and folders that know each other."""
    for folder, known in sorted(folders.includes.items()):
        floor = folder.split("/")[0]
        for other in sorted(known):
            other_floor = other.split("/")[0]
            if other_floor not in FLOORS or FLOORS.index(other_floor) > FLOORS.index(floor):
                yield f"{folder} includes headers of {other}: arrows go down only"
            elif other_floor == "jit" and floor in DOOR and other != DOOR[floor]:
                yield f"{folder} includes headers of {other}, not of {DOOR[floor]} alone"

    told = []
    for folder in sorted(folders.includes):
        way = shortest_circle(folders, folder)
        if way and not any(set(way) <= known for known in CIRCLES + told):
            told.append(set(way))
            yield " includes headers of ".join([*way, folder]) + ": a circle"


def shortest_circle(folders, start):
    """The fewest folders on a way by includes from a folder back to itself; empty if there is none."""
    before, waiting = {start: None}, [start]
    for folder in waiting:  # which grows
        for other in sorted(folders.includes[folder]):
            if other == start and folder != start:
                way = [folder]
                while before[way[0]]:
                    way.insert(0, before[way[0]])
                return way
            if other not in before:
                before[other] = folder
                waiting.append(other)
    return []


def main():
    folders = Folders(sources())
    if "--update" in sys.argv[1:]:
        for folder in folders.with_pages():
            path = f"{folder}/README.md"
            if path in folders.paths:
                text = KNOWS.sub(lambda _: knows_line(folders.includes[folder]), read(path))
                with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
                    file.write(text)
    passed = failed = 0
    for folder in folders.with_pages():
        faults = list(faults_of_page(folders, folder))
        for fault in faults:
            print(f"FAIL {folder}: {fault}")
        passed, failed = passed + (not faults), failed + bool(faults)
    for fault in faults_of_arrows(folders):
        print(f"FAIL {fault}")
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
