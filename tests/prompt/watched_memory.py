"""The environment of programs whose memory is watched."""

import os


def environment(**more):
    """What has been freed is not kept resident where sanitizers look at it."""
    sanitizer = ":".join(filter(None, (os.environ.get("ASAN_OPTIONS"), "quarantine_size_mb=16")))
    return dict(os.environ, NO_COLOR="1", ASAN_OPTIONS=sanitizer, **more)
