"""What the kernel's installation brings for editors and Pygments: that they find it, and that it
knows every program of the tests."""

import json
import os
import re
import subprocess
import sys
import tempfile

from sinter_jupyter import KERNEL, ROOT


def programs():
    for folder, _, names in os.walk(os.path.join(ROOT, "tests", "programs")):
        for name in sorted(names):
            if name.endswith(".fut"):
                yield os.path.join(folder, name)


def environment_of(home):
    """A user who has nothing yet, and whose Python is this one."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("PYTHON", "JUPYTER", "XDG_"))}
    programs = os.path.join(home, "bin")
    os.mkdir(programs)
    os.symlink(sys.executable, os.path.join(programs, "python3"))
    environment.update(HOME=home, PATH=programs + os.pathsep + os.environ["PATH"])
    return environment


def tests(sinter, folder):
    """The tests by their names; `folder` is the one that the kernel was installed under."""
    kernel = os.path.join(folder, "share", "jupyter", "kernels", KERNEL)

    def pygments_finds_the_lexer():
        program = ("import pygments.lexers, sys\n"
                   "from pygments.token import Error, Keyword, Name\n"
                   "lexer = pygments.lexers.get_lexer_by_name('sinter')\n"
                   "wrong = []\n"
                   "for path in sys.argv[1:]:\n"
                   "    text = open(path, encoding='utf-8', errors='replace').read()\n"
                   "    wrong += [(path, t) for kind, t in lexer.get_tokens(text) if kind is Error]\n"
                   "found = list(lexer.get_tokens(':read x = 1\\n-- > :plot f 1\\ndef f = #a'))\n"
                   "for expected in [(Keyword.Pseudo, ':read'), (Keyword.Pseudo, ':plot'),\n"
                   "                 (Name.Function, 'f'), (Name.Tag, '#a')]:\n"
                   "    if expected not in found: wrong.append(expected)\n"
                   "print(wrong[:5])\n"
                   "sys.exit(len(wrong) > 0)\n")
        with tempfile.TemporaryDirectory() as home:
            environment = environment_of(home)
            call = lambda words: subprocess.run(words, text=True, env=environment,
                                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            find = [sys.executable, "-c", program, *programs()]
            installed = call([sinter, "kernel", "install"])
            found = call(find)
            listed = call([sys.executable, "-m", "pygments", "-l", "sinter", "-f", "raw", find[3]])
            removed = call([sinter, "kernel", "uninstall"])
            left = [os.path.join(folder, name) for folder, _, names in os.walk(home)
                    for name in names if name != "python3"]
            lost = call(find)
            again = call([sinter, "kernel", "uninstall"])
        wrong = [done.stdout for done in (installed, found, listed, removed) if done.returncode]
        if left:
            wrong.append("left behind: %s" % left)
        if lost.returncode == 0 or again.returncode != 2:
            wrong.append("still there: %s" % again.stdout)
        return wrong or None

    def a_prefix_gets_the_lexer_too():
        found = [os.path.join(path, name) for path, _, names in os.walk(folder) for name in names
                 if name.startswith("sinter_pygments") or path.endswith(".dist-info")]
        with open(next(name for name in found if name.endswith("RECORD"))) as file:
            recorded = sorted(line.split(",")[0] for line in file)
        site = os.path.dirname(next(name for name in found if name.endswith("sinter_pygments.py")))
        present = sorted(os.path.relpath(name, site) for name in found)
        return None if recorded == present and os.path.basename(site) == "site-packages" else \
            [str(recorded), str(present), site]

    def the_grammar_is_whole():
        with open(os.path.join(kernel, "futhark.tmLanguage.json"), encoding="utf-8") as file:
            grammar = json.load(file)
        wrong, used = [], set()

        def visit(rule):
            if "include" in rule:
                used.add(rule["include"].lstrip("#"))
            if "match" in rule:
                groups = re.compile(rule["match"], re.M).groups  # what it uses, Python has as well
                wrong.extend("no group %s in %s" % (key, rule["match"])
                             for key in rule.get("captures", {}) if int(key) > groups)
            for inner in rule.get("patterns", []):
                visit(inner)

        visit(grammar)
        for rule in grammar["repository"].values():
            visit(rule)
        return wrong + sorted(used ^ set(grammar["repository"])) or None

    def editors_see_what_it_says():
        with open(os.path.join(kernel, "futhark.tmLanguage.json"), encoding="utf-8") as file:
            rules = json.load(file)["repository"]
        first = lambda rule: rule["match"] if "match" in rule else rule["patterns"][0]["match"]
        expected = {"command": ":read x", "directive": "-- > :plot x", "definition": "def f",
                    "constructor": "#a", "attribute": "#[inline]", "module": "f64.sqrt"}
        return [name for name, text in expected.items()
                if not re.match(first(rules[name]), text)] or None

    return {"Pygments finds the lexer": pygments_finds_the_lexer,
            "a prefix gets the lexer, too": a_prefix_gets_the_lexer_too,
            "the grammar for editors is whole": the_grammar_is_whole,
            "the grammar's rules match what they are for": editors_see_what_it_says}
