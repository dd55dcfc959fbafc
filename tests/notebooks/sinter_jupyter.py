"""What the tests of this folder share: a Jupyter that knows the kernel under test and nothing else."""

import contextlib
import json
import os
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
NOTEBOOKS = os.path.join(ROOT, "notebooks")
KERNEL = "sinter"


@contextlib.contextmanager
def installed(sinter):
    """Installs the kernel into an empty folder and makes Jupyter look there; gives the folder.

    Where the mode is `auto`, when compiled code takes over decides how a sum is grouped; so the
    kernel under test interprets, and gives the same bits each time (a notebook may set its mode).
    """
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        subprocess.run([sinter, "kernel", "install", "--prefix", folder], check=True,
                       stdout=subprocess.DEVNULL)
        path = os.path.join(folder, "share", "jupyter", "kernels", KERNEL, "kernel.json")
        with open(path, encoding="utf-8") as file:
            spec = json.load(file)
        spec["argv"] += ["--mode", "interp"]
        with open(path, "w", encoding="utf-8") as file:
            json.dump(spec, file)
        os.environ.update(
            JUPYTER_PATH=os.path.join(folder, "share", "jupyter"),
            JUPYTER_CONFIG_DIR=os.path.join(folder, "config"),
            JUPYTER_DATA_DIR=os.path.join(folder, "data"),
            JUPYTER_RUNTIME_DIR=os.path.join(folder, "runtime"),
            IPYTHONDIR=os.path.join(folder, "ipython"),
            XDG_STATE_HOME=os.path.join(folder, "state"),
            XDG_CONFIG_HOME=os.path.join(folder, "config"))
        yield folder
