#!/usr/bin/env python3
"""Tests `sinter pkg` with repositories that it makes; ends with "N passed, N failed".

    tests/packages/run.py --sinter PROGRAM [NAME…]

Everything lies in a temporary folder: the repositories under `published`, from where they are
fetched by file:// and from a server of https:// on this machine, this user's copies of them, and the
projects.
"""

import argparse
import contextlib
import http.server
import os
import shutil
import ssl
import subprocess
import sys
import tempfile
import threading
import traceback

TESTS = []


def test(function):
    TESTS.append(function)
    return function


class World:
    """Repositories, a cache and a project."""

    def __init__(self, sinter, root):
        self.sinter, self.root = sinter, root
        self.project = os.path.join(root, "project")
        os.makedirs(self.project)
        self.environment = dict(
            os.environ, XDG_CACHE_HOME=os.path.join(root, "cache"), NO_COLOR="1",
            SINTER_PACKAGES="file://" + os.path.join(root, "published"),
            GIT_CONFIG_GLOBAL=os.devnull, GIT_CONFIG_NOSYSTEM="1",
            GIT_AUTHOR_NAME="a", GIT_AUTHOR_EMAIL="a@example.org",
            GIT_COMMITTER_NAME="a", GIT_COMMITTER_EMAIL="a@example.org")

    def repository(self, path):
        return os.path.join(self.root, "published", path.split("@")[0])

    def git(self, path, *words):
        done = subprocess.run(["git", "-C", self.repository(path), *words], text=True, check=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=self.environment)
        return done.stdout.strip()

    def publish(self, path, version, files, requires=(), force=False):
        """A release: files in the package's folder, and what it requires."""
        folder = self.repository(path)
        if not os.path.isdir(folder):
            os.makedirs(folder)
            self.git(path, "init", "--quiet")
        package = os.path.join(folder, "lib", path)
        shutil.rmtree(package, ignore_errors=True)
        os.makedirs(package)
        for name, text in files.items():
            os.makedirs(os.path.dirname(os.path.join(package, name)), exist_ok=True)
            write(os.path.join(package, name), text)
        write(os.path.join(folder, "futhark.pkg"), "package %s\n\nrequire {\n%s}\n" % (
            path, "".join("  %s %s\n" % one for one in requires)))
        self.git(path, "add", "--all")
        self.git(path, "commit", "--quiet", "--allow-empty", "-m", "v" + version)
        self.git(path, "tag", *(["--force"] if force else []), "v" + version)

    def pkg(self, *words, fails=False):
        """What `sinter pkg` writes to standard output, or to standard error where it fails."""
        done = subprocess.run([self.sinter, "pkg", *words], text=True, cwd=self.project,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=self.environment, timeout=120)
        equal((done.returncode != 0, done.stderr if not fails else ""), (fails, ""))
        return done.stderr if fails else done.stdout

    def evaluate(self, text, program):
        write(os.path.join(self.project, "program.fut"), program)
        done = subprocess.run([self.sinter, "eval", text, "program.fut"], text=True,
                              cwd=self.project, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              env=self.environment, timeout=120)
        return done.stdout.strip()

    def has(self, name):
        return os.path.exists(os.path.join(self.project, name))

    def read(self, name):
        with open(os.path.join(self.project, name), encoding="utf-8") as file:
            return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def equal(found, expected):
    assert found == expected, "found\n%s\nexpected\n%s" % (found, expected)


def contains(text, part):
    assert part in text, "found\n%s\nexpected in it\n%s" % (text, part)


ONE, TWO, THREE = "example.org/a/one", "example.org/a/two", "example.org/b/three"


@test
def the_newest_version_is_added_with_what_it_requires(world):
    world.publish(TWO, "0.1.0", {"two.fut": "def two = 2i32\n"})
    world.publish(TWO, "0.2.0", {"two.fut": "def two = 22i32\n"})
    world.publish(ONE, "1.0.0", {"one.fut": "def one = 0i32\n"})
    world.publish(ONE, "1.10.0", {"one.fut": 'import "../two/two"\ndef one = two - 1\n'},
                  [(TWO, "0.1.0")])
    world.publish(ONE, "1.9.0", {"one.fut": "def one = 9i32\n"})
    equal(world.pkg("add", ONE), "lib/%s: 1.10.0\nlib/%s: 0.1.0\n" % (ONE, TWO))
    commit = world.git(ONE, "rev-parse", "v1.10.0")
    equal(world.read("futhark.pkg"), "require {\n  %s 1.10.0 #%s\n}\n" % (ONE, commit))
    equal(world.evaluate("one", 'import "lib/%s/one"\n' % ONE), "1i32")
    contains(world.read("futhark.lock"), "%s 1.10.0 %s " % (ONE, commit))
    equal(world.pkg("list"),
          "%s 1.10.0\n%s 0.1.0, for another package; there is 0.2.0\n" % (ONE, TWO))
    equal(world.pkg("check"), "")
    assert not world.has("lib~new")


@test
def the_least_version_that_all_accept_is_taken(world):
    for version in ["0.1.0", "0.2.0", "0.3.0", "0.4.0"]:
        world.publish(THREE, version, {"three.fut": 'def version = "%s"\n' % version})
    world.publish(ONE, "1.0.0", {"one.fut": ""}, [(THREE, "0.2.0")])
    world.publish(TWO, "1.0.0", {"two.fut": ""}, [(THREE, "0.3.0")])
    world.pkg("add", ONE)
    contains(world.read("futhark.lock"), THREE + " 0.2.0 ")
    world.pkg("add", TWO)
    contains(world.read("futhark.lock"), THREE + " 0.3.0 ")
    contains(world.read("lib/%s/three.fut" % THREE), "0.3.0")
    world.pkg("remove", TWO)
    contains(world.read("futhark.lock"), THREE + " 0.2.0 ")
    assert not world.has("lib/" + TWO) and world.has("lib/" + ONE)
    world.pkg("remove", ONE)
    assert not world.has("lib")
    contains(world.pkg("remove", ONE, fails=True), "futhark.pkg does not require " + ONE)


@test
def packages_may_require_each_other(world):
    world.publish(TWO, "1.0.0", {"two.fut": ""}, [(ONE, "1.0.0")])
    world.publish(ONE, "1.0.0", {"one.fut": ""}, [(TWO, "1.0.0")])
    equal(world.pkg("add", ONE), "lib/%s: 1.0.0\nlib/%s: 1.0.0\n" % (ONE, TWO))


@test
def upgrades_stay_within_the_major_version(world):
    world.publish(ONE, "1.0.0", {"one.fut": ""})
    world.pkg("add", ONE)
    world.publish(ONE, "1.1.0", {"one.fut": ""})
    world.publish(ONE, "1.2.0-rc.1", {"one.fut": ""})
    world.publish(ONE + "@2", "2.0.0", {"one.fut": "def it2 = 2i32\n"})
    equal(world.pkg("upgrade"), "%s: 1.0.0 -> 1.1.0\n" % ONE)
    equal(world.pkg("upgrade"), "")
    equal(world.pkg("add", ONE + "@2"), "lib/%s: 1.1.0\nlib/%s@2: 2.0.0\n" % (ONE, ONE))
    equal(world.evaluate("it2", 'import "lib/%s@2/one"\n' % ONE), "2i32")
    contains(world.pkg("add", ONE, "2.0.0", fails=True), "version 2.0.0 is not one of " + ONE)
    equal(world.pkg("add", ONE, "1.2.0-rc.1"),
          "lib/%s: 1.2.0-rc.1\nlib/%s@2: 2.0.0\n" % (ONE, ONE))


@test
def what_was_fetched_is_there_offline(world):
    world.publish(ONE, "1.0.0", {"one.fut": "def one = 1i32\n"})
    contains(world.pkg("add", "--offline", ONE, fails=True), "forbids to fetch it")
    world.pkg("add", ONE)
    shutil.rmtree(os.path.join(world.project, "lib"))
    os.rename(os.path.join(world.root, "published"), os.path.join(world.root, "gone"))
    equal(world.pkg("sync"), "lib/%s: 1.0.0\n" % ONE)
    equal(world.evaluate("one", 'import "lib/%s/one"\n' % ONE), "1i32")
    equal(world.pkg("upgrade", "--offline"), "")
    done = subprocess.run([world.sinter, "pkg", "upgrade"], text=True, cwd=world.project,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=world.environment)
    equal((done.returncode, done.stdout), (0, ""))
    contains(done.stderr, "cannot reach file://")
    contains(world.pkg("add", TWO, fails=True), "cannot fetch file://")


@test
def a_tag_that_moves_is_an_error(world):
    world.publish(ONE, "1.0.0", {"one.fut": "def one = 1i32\n"})
    world.pkg("add", ONE)
    before = world.git(ONE, "rev-parse", "v1.0.0")
    world.publish(ONE, "1.0.0", {"one.fut": "def one = 666i32\n"}, force=True)
    equal(world.pkg("sync"), "lib/%s: 1.0.0\n" % ONE)  # of the copy
    shutil.rmtree(os.path.join(world.root, "cache"))
    error = world.pkg("sync", fails=True)
    contains(error, "but futhark.lock says %s: somebody has changed what was published" % before)
    os.remove(os.path.join(world.project, "futhark.lock"))
    contains(world.pkg("sync", fails=True), "but futhark.pkg says %s:" % before)
    contains(world.read("lib/%s/one.fut" % ONE), "1i32")


@test
def files_that_somebody_has_changed_stay(world):
    world.publish(ONE, "1.0.0", {"one.fut": "def one = 1i32\n", "more/x.fut": ""})
    world.pkg("add", ONE)
    path = os.path.join(world.project, "lib", ONE, "one.fut")
    write(path, "def one = 2i32\n")
    contains(world.pkg("check", fails=True), "somebody has changed files in `lib/%s`" % ONE)
    contains(world.pkg("sync", fails=True), "`sinter pkg sync --force` replaces them")
    equal(world.read(path), "def one = 2i32\n")
    world.pkg("sync", "--force")
    equal(world.read(path), "def one = 1i32\n")
    equal(world.pkg("check"), "")
    os.remove(path)
    contains(world.pkg("check", fails=True), "somebody has changed files")


@test
def comments_and_the_own_package_stay(world):
    world.publish(TWO, "1.0.0", {"two.fut": ""})
    world.publish(ONE, "1.0.0", {"one.fut": ""})
    os.makedirs(os.path.join(world.project, "lib", THREE))
    write(os.path.join(world.project, "lib", THREE, "three.fut"), "def three = 3i32\n")
    write(os.path.join(world.project, "futhark.pkg"),
          "-- mine\npackage %s\n\nrequire {\n  -- for two\n  %s 1.0.0 -- enough\n}\n-- end\n"
          % (THREE, TWO))
    world.pkg("add", ONE)
    equal(world.read("futhark.pkg"),
          "-- mine\npackage %s\n\nrequire {\n  -- for two\n  %s 1.0.0 -- enough\n  %s 1.0.0 #%s\n"
          "}\n-- end\n" % (THREE, TWO, ONE, world.git(ONE, "rev-parse", "v1.0.0")))
    world.pkg("remove", ONE)
    world.pkg("remove", TWO)
    assert world.has("lib/%s/three.fut" % THREE)
    contains(world.pkg("add", THREE, fails=True), "is this package itself")


@test
def what_is_wrong_is_said(world):
    world.publish(ONE, "1.0.0", {"one.fut": ""})
    contains(world.pkg("add", ONE, "3.0", fails=True), "`3.0` is no version")
    contains(world.pkg("add", ONE, "1.5.0", fails=True),
             "%s has no version 1.5.0; there are 1.0.0" % ONE)
    contains(world.pkg("add", "one", fails=True), "`one` is no path of a package")
    contains(world.pkg("add", "../one", fails=True), "is no path of a package")
    contains(world.pkg("add", fails=True), "needs a package's path")
    contains(world.pkg("add", "--from", "ssh://x", ONE, fails=True),
             "packages come from https:// or file:///")
    write(os.path.join(world.project, "futhark.pkg"), "require {\n  %s 1.0\n}\n" % ONE)
    contains(world.pkg("sync", fails=True), "futhark.pkg, line 2: `1.0` is no version")
    write(os.path.join(world.project, "futhark.pkg"), "require {\n  %s 1.0.0\n" % ONE)
    contains(world.pkg("sync", fails=True), "futhark.pkg, line 3: expected `}`, found the end")
    assert not world.has("lib")
    world.publish(TWO, "1.0.0", {"two.fut": ""})
    write(os.path.join(world.repository(TWO), "futhark.pkg"), "package %s\n" % ONE)
    world.git(TWO, "commit", "--quiet", "--all", "-m", "wrong")
    world.git(TWO, "tag", "v1.1.0")
    os.remove(os.path.join(world.project, "futhark.pkg"))
    contains(world.pkg("add", TWO, fails=True),
             "%s 1.1.0, futhark.pkg: it is the package %s, not %s" % (TWO, ONE, TWO))
    assert not world.has("futhark.pkg") and not world.has("lib")


@test
def links_in_a_package_are_no_links(world):
    world.publish(ONE, "1.0.0", {"one.fut": ""})
    os.symlink("/etc/passwd", os.path.join(world.repository(ONE), "lib", ONE, "link.fut"))
    world.git(ONE, "add", "--all")
    world.git(ONE, "commit", "--quiet", "-m", "link")
    world.git(ONE, "tag", "v1.0.1")
    world.pkg("add", ONE)
    link = os.path.join(world.project, "lib", ONE, "link.fut")
    assert os.path.isfile(link) and not os.path.islink(link)
    equal(world.pkg("check"), "")


class GitServer(http.server.BaseHTTPRequestHandler):
    """Repositories over HTTP: `/smart/` as git's own program serves them, `/plain/` as files, and
    `/closed/` for those who have a password."""

    root = None  # of the repositories

    def log_message(self, *_):
        pass

    def reply(self, code, body=b"", headers=()):
        self.send_response(code)
        for name, value in headers:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        path, _, query = self.path.partition("?")
        _, kind, path = path.split("/", 2)
        if kind == "closed":
            return self.reply(401, headers=[("WWW-Authenticate", "Basic realm=x")])
        if kind == "broken":
            return self.reply(500)
        if kind == "smart":
            return self.run_backend(path, query)
        folder, name = path.split(".git/", 1) if ".git/" in path else self.split(path)
        file = os.path.join(self.root, folder, ".git", name)
        if not os.path.isfile(file):
            return self.reply(404)
        with open(file, "rb") as opened:
            self.reply(200, opened.read())

    do_POST = do_GET

    @staticmethod
    def split(path):
        """The repository, and the file in it."""
        for mark in ("/info/", "/objects/", "/HEAD"):
            at = path.find(mark)
            if at >= 0:
                return path[:at], path[at + 1:]
        return path, ""

    def run_backend(self, path, query):
        length = int(self.headers.get("Content-Length") or 0)
        done = subprocess.run(
            ["git", "http-backend"], input=self.rfile.read(length),
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=dict(os.environ, GIT_PROJECT_ROOT=self.root, GIT_HTTP_EXPORT_ALL="1",
                     PATH_INFO="/" + path, QUERY_STRING=query, REQUEST_METHOD=self.command,
                     CONTENT_TYPE=self.headers.get("Content-Type", ""),
                     HTTP_CONTENT_ENCODING=self.headers.get("Content-Encoding", ""),
                     GIT_PROTOCOL=self.headers.get("Git-Protocol", ""),
                     GIT_CONFIG_COUNT="1", GIT_CONFIG_KEY_0="safe.directory",
                     GIT_CONFIG_VALUE_0="*"))
        head, _, body = done.stdout.partition(b"\r\n\r\n")
        headers = [line.decode().split(": ", 1) for line in head.split(b"\r\n") if line]
        code = next((int(value.split()[0]) for name, value in headers if name == "Status"), 200)
        self.reply(code, body, [one for one in headers if one[0] != "Status"])


@contextlib.contextmanager
def serving(world):
    """A server with a certificate of its own; gives its address and the certificate."""
    certificate, key = (os.path.join(world.root, name) for name in ("cert.pem", "key.pem"))
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                    "-keyout", key, "-out", certificate], check=True, stderr=subprocess.DEVNULL)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    handler = type("Handler", (GitServer,), {"root": os.path.join(world.root, "published")})
    server = http.server.ThreadingHTTPServer(("localhost", 0), handler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield "https://localhost:%d/" % server.server_port, certificate
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def one_error(text, *parts):
    """One line, which has all the parts."""
    equal((text.count("\n"), text.startswith("sinter: error: ")), (1, True))
    for part in parts:
        contains(text, part)


@test
def packages_come_by_https(world):
    world.publish(TWO, "0.1.0", {"two.fut": "def two = 2i32\n"})
    world.publish(ONE, "1.0.0", {"one.fut": 'import "../two/two"\ndef one = two - 1\n'},
                  [(TWO, "0.1.0")])
    for path in (ONE, TWO):
        world.git(path, "update-server-info")
    with serving(world) as (address, certificate):
        world.environment["GIT_SSL_CAINFO"] = certificate
        world.environment["SINTER_PACKAGES"] = address + "smart"
        equal(world.pkg("add", ONE), "lib/%s: 1.0.0\nlib/%s: 0.1.0\n" % (ONE, TWO))
        equal(world.evaluate("one", 'import "lib/%s/one"\n' % ONE), "1i32")
        world.publish(ONE, "1.1.0", {"one.fut": "def one = 11i32\n"})
        contains(world.pkg("upgrade"), "1.1.0")
        equal(world.evaluate("one", 'import "lib/%s/one"\n' % ONE), "11i32")
        world.git(ONE, "update-server-info")
        world.environment["SINTER_PACKAGES"] = address + "plain"
        shutil.rmtree(os.path.join(world.project, "lib"))
        world.pkg("sync")
        equal(world.evaluate("one", 'import "lib/%s/one"\n' % ONE), "11i32")
    shutil.rmtree(os.path.join(world.project, "lib"))
    world.pkg("sync")  # the copy suffices where the lock names what it has
    equal(world.pkg("check"), "")


@test
def what_goes_wrong_with_https_is_one_error(world):
    world.publish(ONE, "1.0.0", {"one.fut": "def one = 1i32\n"})
    add = lambda base: world.pkg("add", "--from", base, ONE, fails=True)
    with serving(world) as (address, certificate):
        one_error(add(address + "smart"), "cannot fetch %ssmart/%s: " % (address, ONE),
                  "certificate")
        world.environment["GIT_SSL_CAINFO"] = certificate
        one_error(add(address.replace("localhost", "127.0.0.1") + "smart"), "127.0.0.1")
        one_error(add(address + "plain"), "there is no such repository")  # it has no list of refs
        one_error(add(address + "closed"), "there is no such repository, or it is not public")
        one_error(add(address + "broken"), "500")
        one_error(world.pkg("add", "--from", address + "smart", TWO, fails=True),
                  "there is no such repository")
    one_error(add(address + "smart"), "cannot fetch %ssmart/%s: " % (address, ONE), "onnect")
    one_error(add("https://nowhere.invalid/"), "esolve host")
    assert not world.has("futhark.pkg") and not world.has("lib")


@test
def a_failed_import_names_the_command(world):
    reply = world.evaluate("1", 'import "lib/github.com/diku-dk/sorts/radix_sort"\n')
    contains(reply, "`sinter pkg add github.com/diku-dk/sorts` fetches the package")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sinter", required=True)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    passed = failed = 0
    for function in TESTS:
        if options.names and function.__name__ not in options.names:
            continue
        with tempfile.TemporaryDirectory() as root:
            try:
                function(World(os.path.abspath(options.sinter), root))
                passed += 1
            except Exception:  # whatever it is, the test has failed
                failed += 1
                print("FAIL %s\n%s" % (function.__name__, traceback.format_exc()))
    print("%d passed, %d failed" % (passed, failed))
    return 0 if failed == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
