"""Programs whose memory is watched."""

import os
import time


def environment(**more):
    """What has been freed is not kept resident where sanitizers look at it: a chunk would be."""
    kept = "quarantine_size_mb=1:thread_local_quarantine_size_kb=64"
    sanitizer = ":".join(filter(None, (os.environ.get("ASAN_OPTIONS"), kept)))
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
