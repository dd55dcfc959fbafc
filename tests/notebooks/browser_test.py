"""Opens notebooks in Debian's Jupyter with a real browser, runs their cells and looks at the page."""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request

import nbformat
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

import sinter_jupyter

LIMIT = 300  # seconds, on a busy machine
PICTURES = os.environ.get("SINTER_SCREENSHOTS")  # a folder for screenshots, if wanted


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def server(folder):
    """A notebook server on a folder; gives its address."""
    port = free_port()
    address = "http://127.0.0.1:%d" % port
    process = subprocess.Popen(
        ["/usr/bin/jupyter-notebook", "--no-browser", "--allow-root", "--ip=127.0.0.1",
         "--port=%d" % port, "--NotebookApp.token=", "--NotebookApp.password=",
         "--notebook-dir=" + folder], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + LIMIT
        while True:
            try:
                with urllib.request.urlopen(address + "/api/kernelspecs", timeout=5) as reply:
                    assert "sinter" in json.load(reply)["kernelspecs"]
                    break
            except OSError:
                assert process.poll() is None and time.monotonic() < deadline, "no server"
                time.sleep(0.2)
        yield address
    finally:
        process.terminate()
        process.wait(LIMIT)


@contextlib.contextmanager
def browser():
    options = Options()
    options.binary_location = "/usr/bin/chromium"
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--window-size=1200,1600"):
        options.add_argument(argument)
    driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)
    driver.set_page_load_timeout(LIMIT)
    try:
        yield driver
    finally:
        driver.quit()


@contextlib.contextmanager
def opened(notebook, name):
    """The page of a notebook whose stored outputs are gone, with a kernel that listens."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(os.path.join(sinter_jupyter.NOTEBOOKS, "data"),
                        os.path.join(folder, "data"))
        for cell in notebook.cells:
            if cell.cell_type == "code":
                cell.outputs, cell.execution_count = [], None
        nbformat.write(notebook, os.path.join(folder, name))
        with server(folder) as address, browser() as driver:
            driver.get(address + "/notebooks/" + name)
            wait(driver, "return !!(window.Jupyter && Jupyter.notebook && Jupyter.notebook.kernel"
                         " && Jupyter.notebook.kernel.is_connected()"
                         " && !Jupyter.notebook.kernel_busy)")
            yield driver


# What a cell shows comes on another channel than its number, maybe later: before the kernel's idle.
IDLE = " && !Jupyter.notebook.kernel_busy"


def wait(driver, script):
    WebDriverWait(driver, LIMIT).until(lambda page: page.execute_script(script))


def run_all(driver, name):
    driver.execute_script("Jupyter.notebook.execute_all_cells()")
    wait(driver, "return Jupyter.notebook.get_cells().every(c => c.cell_type != 'code' ||"
                 " (c.input_prompt_number && c.input_prompt_number != '*'))" + IDLE)
    if PICTURES:
        height = driver.execute_script(
            "return document.querySelector('#notebook-container').scrollHeight + 200")
        driver.set_window_size(1200, min(height, 12000))
        time.sleep(1)
        driver.save_screenshot(os.path.join(PICTURES, name + ".png"))


def stored(name):
    return nbformat.read(os.path.join(sinter_jupyter.NOTEBOOKS, name), as_version=4)


def cells(*sources):
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in sources])
    notebook.metadata["kernelspec"] = {"name": "sinter", "display_name": "Sinter"}
    return notebook


def test_browser_sees_the_plot_and_the_table():
    with opened(stored("tour.ipynb"), "tour.ipynb") as driver:
        run_all(driver, "tour")
        tables = driver.find_elements(By.CSS_SELECTOR, ".output_html table")
        assert any("144" not in table.text and "121" in table.text for table in tables)
        plots = driver.find_elements(By.CSS_SELECTOR, ".output_svg svg")
        assert len(plots) >= 2, len(plots)
        for plot in plots:
            assert plot.is_displayed() and plot.size["width"] > 200 and plot.size["height"] > 100
        errors = driver.find_elements(By.CSS_SELECTOR, ".output_error")
        assert len(errors) == 1 and "^" in errors[0].text, [error.text for error in errors]


def test_browser_sees_pictures():
    with opened(stored("galaxies.ipynb"), "galaxies.ipynb") as driver:
        run_all(driver, "galaxies")
        pictures = driver.find_elements(By.CSS_SELECTOR, ".output_png img")
        assert len(pictures) >= 4, len(pictures)
        for picture in pictures:
            assert driver.execute_script(
                "return arguments[0].complete && arguments[0].naturalWidth", picture) == 360


def test_browser_runs_no_injected_script():
    evil = "<img src=x onerror=window.injected=1><script>window.injected=1</script>"
    notebook = cells('("%s", 1)' % evil, 'type t = #a | #b []u8\ndef x: t = #b "%s"\nx' % evil,
                     ":doc " + evil, '"%s" + 1' % evil, "[[1, 2], [3, 4]]")
    with opened(notebook, "evil.ipynb") as driver:
        for number in range(len(notebook.cells)):  # one by one: errors stop `execute_all_cells`
            driver.execute_script("Jupyter.notebook.execute_cells([%d])" % number)
            wait(driver, "var n = Jupyter.notebook.get_cell(%d).input_prompt_number;"
                         "return n && n != '*'" % number + IDLE)
        assert driver.find_elements(By.CSS_SELECTOR, ".output_html table")
        assert driver.execute_script("return window.injected") is None
        assert not driver.find_elements(By.CSS_SELECTOR, ".output img[src='x']")


def test_browser_interrupts():
    notebook = cells("let kept = 41", "loop i = 0i64 while i >= 0 do (i + 1) % 1000", "kept + 1")
    with opened(notebook, "stop.ipynb") as driver:
        driver.execute_script("Jupyter.notebook.execute_cells([0, 1])")
        wait(driver, "return Jupyter.notebook.get_cell(0).input_prompt_number == 1")
        time.sleep(1)
        driver.execute_script("Jupyter.notebook.kernel.interrupt()")
        wait(driver, "return Jupyter.notebook.get_cell(1).input_prompt_number == 2 &&"
                     " !!document.querySelector('.output_error')" + IDLE)
        assert "interrupted" in driver.find_element(By.CSS_SELECTOR, ".output_error").text
        driver.execute_script("Jupyter.notebook.execute_cells([2])")
        wait(driver, "return Jupyter.notebook.get_cell(2).input_prompt_number == 3 &&"
                     " Jupyter.notebook.get_cell(2).output_area.outputs.length > 0" + IDLE)
        assert "42" in driver.find_elements(By.CSS_SELECTOR, ".output_text")[-1].text


def tests():
    return {name: value for name, value in globals().items() if name.startswith("test_")}
