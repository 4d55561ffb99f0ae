"""Code on pages of docs/guide, which readers may type as it stands."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from conftest import EXECUTABLE, ROOT

PACKAGE = pathlib.Path(EXECUTABLE).parent / "python"


def blocks(page, languages):
    """(language, code) of the page's blocks, in order."""
    text = (ROOT / "docs" / "guide" / page).read_text()
    return [(language, code) for language, code in re.findall(r"```(\w+)\n(.*?)```", text, re.S) if language in languages]


def place_like_the_repository(folder):
    """After a build."""
    (folder / "build").mkdir()
    (folder / "build" / "ulisse").symlink_to(EXECUTABLE)
    shutil.copytree(ROOT / "data", folder / "data")
    return folder


def run_shell(code, place):
    return subprocess.run(["bash", "-euo", "pipefail", "-c", code], cwd=place, capture_output=True, text=True, timeout=600)


def run_python(code, place):
    return subprocess.run([sys.executable, "-W", "ignore", "-c", code], cwd=place, env={**os.environ, "PYTHONPATH": str(PACKAGE)},
                          capture_output=True, text=True, timeout=600)
