"""Programs whose memory is watched."""

import os
import time


def environment(**more):
    """What has been freed is not kept resident where sanitizers look at it."""
    sanitizer = ":".join(filter(None, (os.environ.get("ASAN_OPTIONS"), "quarantine_size_mb=16")))
    return dict(os.environ, NO_COLOR="1", ASAN_OPTIONS=sanitizer, **more)


def watch(process):
    """Waits for a process: the most memory of its own that it has had, beside that of files (how
    much of the program itself is there changes from run to run), and all together; in bytes."""
    most = 0
    while True:
        with open(f"/proc/{process.pid}/status", encoding="utf-8") as status:
            for line in status:
                if line.startswith("RssAnon:"):
                    most = max(most, int(line.split()[1]) << 10)
        pid, code, used = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(code)
            return most, used.ru_maxrss << 10
        time.sleep(0.002)
