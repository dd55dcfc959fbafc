"""Talks to the kernel as a front end does, and checks what it answers."""

import contextlib
import html.parser
import os
import subprocess
import sys
import time

from jupyter_client.manager import start_new_kernel

from sinter_jupyter import KERNEL

LIMIT = 120  # seconds for any answer, with sanitizers on a busy machine


class Cell:
    """What came back for a cell: the messages of its outputs, and the reply."""

    def __init__(self, client, code, interrupt_after=None, manager=None):
        self.outputs = []
        wanted = client.execute(code)
        started = time.monotonic()
        if interrupt_after is not None:
            time.sleep(interrupt_after)
            manager.interrupt_kernel()
        self.reply = answer(client.get_shell_msg, wanted)
        while True:
            message = client.get_iopub_msg(timeout=LIMIT)
            if message["parent_header"].get("msg_id") != wanted:
                continue
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                break
            if message["msg_type"] not in ("status", "execute_input"):
                self.outputs.append((message["msg_type"], message["content"]))
        self.seconds = time.monotonic() - started

    def ok(self):
        return self.reply["status"] == "ok"

    def of(self, kind):
        return [content for name, content in self.outputs if name == kind]

    def plain(self):
        """The plain text of all values, in order."""
        return [content["data"]["text/plain"] for name, content in self.outputs
                if name in ("execute_result", "display_data")]

    def stream(self, name):
        return "".join(content["text"] for content in self.of("stream")
                       if content["name"] == name)


def answer(receive, wanted):
    while True:
        message = receive(timeout=LIMIT)
        if message["parent_header"].get("msg_id") == wanted:
            return message["content"]


@contextlib.contextmanager
def kernel():
    manager, client = start_new_kernel(kernel_name=KERNEL, startup_timeout=LIMIT)
    try:
        yield manager, client, lambda code, **options: Cell(client, code, manager=manager, **options)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=False)


def test_a_cell_holds_several_inputs(manager, client, run):
    cell = run("def twice (x: i64) =\n  x * 2\n\n-- a remark\n1 + 1\n:type twice\n"
               "let y = twice 4\nin y + 1\nmap twice\n    (iota 3)")
    assert cell.ok(), cell.reply
    assert cell.plain() == ["i32: 2", "i64: 9", "[3]i64: [0, 2, 4]"], cell.plain()
    assert cell.stream("stdout") == "twice : i64 -> i64\n", cell.stream("stdout")
    assert [name for name, _ in cell.outputs][-1] == "execute_result"


def test_a_cell_stops_at_the_first_error(manager, client, run):
    cell = run("1\nlet xs = [1, 2, 3]\nxs[7]\n2")
    assert not cell.ok()
    assert cell.plain() == ["i32: 1"], cell.plain()
    (error,) = cell.of("error")
    text = "\n".join(error["traceback"])
    assert "\x1b[" in text, text  # coloured
    assert ":3:" in text and "^" in text, text  # the line of the cell, and a caret
    assert "7" in error["evalue"] and "\x1b" not in error["evalue"], error["evalue"]
    assert run("xs[1]").plain() == ["i32: 2"]


def test_a_rejected_program_shows_where(manager, client, run):
    cell = run("1 + true")
    (error,) = cell.of("error")
    assert any("^" in line for line in error["traceback"]), error
    assert not run("(((").ok()
    assert not run(":nonsense").ok()
    assert run("2 * 3").plain() == ["i32: 6"]


def test_arrays_are_tables(manager, client, run):
    (result,) = run("[[1.5, 2], [3, 4]]").of("execute_result")
    shown = result["data"]["text/html"]
    assert "[2][2]f64" in shown and shown.count("<tr>") == 3 and "1.5" in shown, shown
    (result,) = run("tabulate_2d 1000 1000 (\\i j -> i + j)").of("execute_result")
    shown = result["data"]["text/html"]
    assert "[1000][1000]i64" in shown and "⋱" in shown and len(shown) < 60000, len(shown)
    (result,) = run("{name = 1u8, more = [(1i32, true)]}").of("execute_result")
    shown = result["data"]["text/html"]
    assert "name" in shown and shown.count("<table>") == 2, shown
    (result,) = run("3.5f32").of("execute_result")
    assert list(result["data"]) == ["text/plain"], result


class Elements(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found = set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.found.add(tag)
        assert all(name == "style" for name, _ in attributes), attributes


def test_nothing_injects_html(manager, client, run):
    evil = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&"
    text = evil.replace('"', '\\"')
    for code in ('("%s", 1)' % text, '[1, 2] : [2]i32', 'map id "%s"' % text,
                 '#[trace(evil)] [1]', ':type "%s"' % text, ':doc <b>x</b>', '"%s" + 1' % text,
                 'type t = #a | #b []u8\ndef x: t = #b "%s"\nx' % text,
                 ':explain map (\\c -> c + 1) "%s"' % text, '[255u8, 254u8, 0u8]',
                 '\udcff"'.encode("utf-8", "surrogateescape").decode("latin-1")):
        cell = run(code)
        for name, content in cell.outputs:
            shown = content.get("data", {}).get("text/html", "")
            tags = Elements(shown).found
            assert tags <= {"div", "code", "table", "tr", "th", "td", "em", "pre", "details",
                            "summary"}, (code, tags)
    assert run("1").ok()


def test_completion(manager, client, run):
    run("def resolution: f64 = 0.5")
    code = "é_ + resol"
    reply = answer(client.get_shell_msg, client.complete(code, len(code)))
    assert reply["matches"] == ["resolution"], reply
    assert (reply["cursor_start"], reply["cursor_end"]) == (5, 10), reply
    (typed,) = reply["metadata"]["_jupyter_types_experimental"]
    assert typed["type"] == "f64", typed
    reply = answer(client.get_shell_msg, client.complete("1\nf64.sqr", 9))
    assert reply["matches"] == ["f64.sqrt"], reply
    reply = answer(client.get_shell_msg, client.complete(":expl", 5))
    assert ":explain" in reply["matches"], reply


def test_inspection(manager, client, run):
    run("-- | Half of it.\ndef half (x: f64) = x / 2")
    for code, cursor in (("half 3", 2), ("half 3", 4), ("1 + half (", 10)):
        reply = answer(client.get_shell_msg, client.inspect(code, cursor))
        assert reply["found"] and "Half of it." in reply["data"]["text/plain"], reply
    assert not answer(client.get_shell_msg, client.inspect("nowhere", 3))["found"]
    assert not answer(client.get_shell_msg, client.inspect("", 0))["found"]


def test_is_complete(manager, client, run):
    for code, status in (("1 + 1", "complete"), ("def f x =", "incomplete"), ("(1,", "incomplete"),
                         (":type 1", "complete"), ("", "complete"), ("-- | doc", "incomplete"),
                         ("1 +)", "complete")):
        reply = answer(client.get_shell_msg, client.is_complete(code))
        assert reply["status"] == status, (code, reply)


def test_interruption_keeps_the_variables(manager, client, run):
    run("let kept = [1i64, 2, 3]")
    for _ in range(3):
        cell = run("loop i = 0i64 while i >= 0 do (i + 1) % 1000", interrupt_after=0.3)
        assert not cell.ok() and "interrupted" in cell.reply["evalue"], cell.reply
        assert run("kept").plain() == ["[3]i64: [1, 2, 3]"]
    manager.interrupt_kernel()  # between cells: nothing to stop, nothing to remember
    time.sleep(0.1)
    assert run("kept[0]").plain() == ["i64: 1"]


def test_restart_forgets(manager, client, run):
    run("let gone = 1")
    manager.restart_kernel(now=False)
    client.wait_for_ready(timeout=LIMIT)
    assert not run("gone").ok()
    assert run("1 + 1").plain() == ["i32: 2"]


def test_history(manager, client, run):
    run("21 * 2")
    reply = answer(client.get_shell_msg, client.history(hist_access_type="tail", n=1))
    assert reply["history"][-1][2] == "21 * 2", reply


def test_silent_cells_show_nothing(manager, client, run):
    wanted = client.execute("1 + 1", silent=True)
    assert answer(client.get_shell_msg, wanted)["status"] == "ok"
    assert run("2 + 2").plain() == ["i32: 4"]


def test_explain_opens_on_a_click(manager, client, run):
    cell = run(":explain f64.sum (map f64.i64 (iota 1000))")
    shown = [content["data"]["text/html"] for content in cell.of("display_data")
             if "<details" in content["data"].get("text/html", "")]
    assert len(shown) == 1 and "<summary>" in shown[0], cell.outputs


def test_traces_are_shown(manager, client, run):
    cell = run("#[trace(seen)] (1i32 + 1)")
    assert "2" in cell.stream("stderr"), cell.outputs


def test_ends_with_its_server(manager, client, run):
    # A server that starts a kernel and is killed before it can say anything.
    script = ("import os, sys, time; from jupyter_client.manager import start_new_kernel\n"
              "manager, client = start_new_kernel(kernel_name=sys.argv[1], startup_timeout=120)\n"
              "print(manager.provisioner.pid, flush=True); os.kill(os.getpid(), 9)")
    server = subprocess.run([sys.executable, "-c", script, KERNEL], capture_output=True, text=True)
    orphan = int(server.stdout)
    deadline = time.monotonic() + LIMIT
    while os.path.exists("/proc/%d/exe" % orphan):
        assert time.monotonic() < deadline
        time.sleep(0.2)


def test_ends_while_compiling(manager, client, run):
    # In mode auto, in the background; the server of xeus ends the process by exit().
    heavy = "f64.sum (map (\\i -> f64.sin (f64.exp (f64.i64 (i % 97)))) (iota SIZE))"
    for size in range(40_000, 120_000, 20_000):
        with kernel() as (other, _, run_there):
            assert run_there(heavy.replace("SIZE", "500_000")).ok()  # the compiler is open now
            assert run_there(heavy.replace("97", "98").replace("SIZE", str(size))).ok()
            process = other.provisioner.process
        assert process.returncode == 0, (size, process.returncode)


def tests():
    return {name: value for name, value in globals().items() if name.startswith("test_")}
