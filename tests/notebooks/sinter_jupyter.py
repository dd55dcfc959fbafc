"""What the tests of this folder share: a Jupyter that knows the kernel under test and nothing else."""

import contextlib
import os
import subprocess
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
NOTEBOOKS = os.path.join(ROOT, "notebooks")
KERNEL = "sinter"


@contextlib.contextmanager
def installed(sinter):
    """Installs the kernel into an empty folder and makes Jupyter look there; gives the folder."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        subprocess.run([sinter, "kernel", "install", "--prefix", folder], check=True,
                       stdout=subprocess.DEVNULL)
        os.environ.update(
            JUPYTER_PATH=os.path.join(folder, "share", "jupyter"),
            JUPYTER_CONFIG_DIR=os.path.join(folder, "config"),
            JUPYTER_DATA_DIR=os.path.join(folder, "data"),
            JUPYTER_RUNTIME_DIR=os.path.join(folder, "runtime"),
            IPYTHONDIR=os.path.join(folder, "ipython"),
            XDG_STATE_HOME=os.path.join(folder, "state"),
            XDG_CONFIG_HOME=os.path.join(folder, "config"))
        yield folder
