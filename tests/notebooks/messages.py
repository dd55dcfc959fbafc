#!/usr/bin/env python3
"""Sends messages of all kinds to a kernel, well-formed and malformed ones.

    tests/notebooks/messages.py --sinter PROGRAM [--seconds 10] [--seed 1]

The kernel must stay, answer those that are well-formed, and grow no further once it knows all that
there is to be known.  Shows how many messages there were; ends with "N passed, N failed".
"""

import argparse
import json
import os
import random
import sys
import time
import uuid

import zmq
from jupyter_client.manager import start_new_kernel

import sinter_jupyter

LIMIT = 120  # seconds for an answer
GROWTH = 64 << 20  # bytes, from a quarter of the time on
CODE = ["1 + 1", "def f (x: i64) = x + 1", "f 2", "map f (iota 10)", "iota", "let x = ", ")", "",
        ":type f", ":help", ":nothing", "filter (> 2) (iota 100)", "[[1, 2], [3]]", "1 / 0",
        "#[trace] 3", ":undo", "it", "\u2200 \U0001F600", "x" * 5000, "(" * 3000, "\0", "-- c"]


class Front:
    """What speaks to the kernel: the channels' sockets, and what it takes to sign."""

    def __init__(self, manager, chance):
        self.session = manager.session
        self.chance = chance
        context = zmq.Context.instance()
        info = manager.get_connection_info()
        self.sockets = {}
        for channel, kind in (("shell", zmq.DEALER), ("control", zmq.DEALER), ("stdin", zmq.DEALER),
                              ("iopub", zmq.SUB)):
            socket = context.socket(kind)
            socket.linger = 0
            if kind == zmq.SUB:
                socket.subscribe(b"")
            socket.connect("tcp://%s:%d" % (info["ip"], info[channel + "_port"]))
            self.sockets[channel] = socket

    def drain(self):
        for socket in self.sockets.values():
            while socket.poll(0):
                socket.recv_multipart()

    def parts(self, kind, content):
        header = {"msg_id": uuid.uuid4().hex, "username": "u", "session": self.session.session,
                  "date": "2026-01-01T00:00:00Z", "msg_type": kind, "version": "5.3"}
        return header, [json.dumps(part).encode() for part in (header, {}, {}, content)]

    def send(self, channel, parts, signature=None, delimiter=b"<IDS|MSG>", extra=()):
        if signature is None:
            signature = self.session.sign(parts)
        self.sockets[channel].send_multipart([delimiter, signature] + parts + list(extra))

    def answers(self, is_running):
        """Whether the kernel still answers what is well-formed."""
        header, parts = self.parts("kernel_info_request", {})
        self.send("shell", parts)
        end = time.monotonic() + LIMIT
        while time.monotonic() < end and is_running():
            self.drain_all_but_shell()
            if self.sockets["shell"].poll(100):
                frames = self.sockets["shell"].recv_multipart()
                if header["msg_id"].encode() in b"".join(frames):
                    return True
        return False

    def drain_all_but_shell(self):
        for channel, socket in self.sockets.items():
            while channel != "shell" and socket.poll(0):
                socket.recv_multipart()

    # ---- messages

    def content(self, kind):
        code = self.chance.choice(CODE)
        position = self.chance.choice([0, len(code), self.chance.randrange(len(code) + 1)])
        return {
            "execute_request": {"code": code, "silent": self.chance.random() < 0.2,
                                "store_history": True, "user_expressions": {},
                                "allow_stdin": False, "stop_on_error": False},
            "complete_request": {"code": code, "cursor_pos": position},
            "inspect_request": {"code": code, "cursor_pos": position, "detail_level": 0},
            "is_complete_request": {"code": code},
            "history_request": {"output": False, "raw": True, "hist_access_type": "tail", "n": 3},
            "comm_info_request": {},
            "kernel_info_request": {},
            "comm_open": {"comm_id": "c", "target_name": "t", "data": {}},
            "comm_msg": {"comm_id": "c", "data": {}},
            "comm_close": {"comm_id": "c", "data": {}},
        }.get(kind, {})

    KINDS = ["execute_request", "complete_request", "inspect_request", "is_complete_request",
             "history_request", "comm_info_request", "kernel_info_request", "comm_open", "comm_msg",
             "comm_close"]

    def junk(self, depth=0):
        """Any JSON."""
        return self.chance.choice([
            lambda: None, lambda: True, lambda: -1, lambda: 2**63, lambda: 1e300, lambda: "",
            lambda: self.chance.choice(CODE), lambda: [], lambda: {}, lambda: "\ud800",
            lambda: [self.junk(depth + 1)] if depth < 4 else 0,
            lambda: {"code": self.junk(depth + 1)} if depth < 4 else 0])()

    def one(self):
        """Sends one message; whether it was well-formed."""
        chance = self.chance
        kind = chance.choice(self.KINDS)
        content = self.content(kind)
        channel = "control" if chance.random() < 0.1 else "shell"
        way = chance.randrange(12)
        if way < 4:
            self.send(channel, self.parts(kind, content)[1])
            return True
        if way == 4:  # a field is something else, or missing
            if content:
                field = chance.choice(sorted(content))
                if chance.random() < 0.3:
                    del content[field]
                else:
                    content[field] = self.junk()
            self.send(channel, self.parts(kind, content)[1])
        elif way == 5:  # all of it is
            self.send(channel, self.parts(kind, self.junk())[1])
        elif way == 6:  # so is a header
            _, parts = self.parts(kind, content)
            parts[chance.randrange(3)] = json.dumps(self.junk()).encode()
            self.send(channel, parts)
        elif way == 7:  # no JSON
            _, parts = self.parts(kind, content)
            which = chance.randrange(4)
            part = bytearray(parts[which])
            for _ in range(chance.randrange(1, 4)):
                part[chance.randrange(len(part))] = chance.randrange(256)
            parts[which] = chance.choice([bytes(part), part[:len(part) // 2], b"", b"[" * 5000])
            parts[which] = bytes(parts[which])
            self.send(channel, parts)
        elif way == 8:  # not signed by somebody who may
            self.send(channel, self.parts(kind, content)[1],
                      signature=chance.choice([b"", b"0" * 64, os.urandom(64)]))
        elif way == 9:  # too few parts, or too many
            _, parts = self.parts(kind, content)
            if chance.random() < 0.5:
                self.send(channel, parts[:chance.randrange(4)], signature=b"0" * 64)
            else:
                self.send(channel, parts, extra=[os.urandom(100)] * chance.randrange(1, 20))
        elif way == 10:
            self.send(channel, self.parts(kind, content)[1], delimiter=b"<IDS>")
        else:
            self.sockets[channel].send_multipart(
                [os.urandom(chance.randrange(50)) for _ in range(chance.randrange(1, 8))])
        return False


def resident(pid):
    with open("/proc/%d/statm" % pid) as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sinter", required=True)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    complaints, good, bad = [], 0, 0
    with sinter_jupyter.installed(os.path.abspath(options.sinter)):
        manager, client = start_new_kernel(kernel_name=sinter_jupyter.KERNEL, startup_timeout=LIMIT)
        try:
            front = Front(manager, random.Random(options.seed))
            process = manager.provisioner.process
            pid = process.pid
            began, warm, most = time.monotonic(), None, 0
            while time.monotonic() < began + options.seconds and not complaints:
                for _ in range(50):
                    if front.one():
                        good += 1
                    else:
                        bad += 1
                if not front.answers(lambda: process.poll() is None):
                    complaints.append("the kernel has ended with %s" % process.poll()
                                      if process.poll() is not None else "it does not answer")
                else:
                    bytes_now = resident(pid)
                    if time.monotonic() > began + options.seconds / 4:
                        warm = warm or bytes_now
                    most = max(most, bytes_now)
                front.drain()
            if warm and most > warm + GROWTH:
                complaints.append("it has grown from %d to %d MiB" % (warm >> 20, most >> 20))
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=True)
    print("%d messages that were well-formed, %d that were not; at most %d MiB, %d after a quarter"
          % (good, bad, most >> 20, (warm or 0) >> 20))
    for complaint in complaints:
        print("FAIL " + complaint)
    print("%d passed, %d failed" % (0 if complaints else 1, len(complaints)))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
