"""Every command of docs/guide/tutorial.md, run as it stands."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from conftest import EXECUTABLE, ROOT

TUTORIAL = (ROOT / "docs" / "guide" / "tutorial.md").read_text()


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", TUTORIAL, re.S)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder that looks like the repository after a build."""
    folder = tmp_path_factory.mktemp("tutorial")
    (folder / "build").mkdir()
    (folder / "build" / "ulisse").symlink_to(EXECUTABLE)
    shutil.copytree(ROOT / "data", folder / "data")
    return folder


@pytest.fixture(scope="module")
def outputs(place):
    found = []
    for block in blocks("sh"):
        result = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=place, capture_output=True, text=True, timeout=600)
        assert result.returncode == 0, (block, result.stderr)
        found.append(result.stdout)
    return found


def test_commands_do_what_the_text_says(place, outputs):
    assert "R-hat" in outputs[1] and "averaged over the posterior" in outputs[2]
    assert (place / "report.html").stat().st_size > 200_000
    few = [line.split() for line in outputs[3].splitlines()]
    coverage = {line[0]: float(line[-2]) for line in few if line[:1] in (["averaged"], ["with"])}
    assert coverage["averaged"] >= coverage["with"]
    safe, good = map(int, re.search(r"(\d+) mixes will do; of them (\d+) did", outputs[4]).groups())
    by_mean, good_by_mean = map(int, re.match(r"(\d+) mixes by their mean; of them (\d+) did", outputs[5]).groups())
    assert 0 < safe < by_mean and good / safe > good_by_mean / by_mean


def test_the_python_does_the_same(place, outputs):
    package = pathlib.Path(EXECUTABLE).parent / "python"
    if not package.exists():
        pytest.skip("the Python package was not built")
    (code,) = blocks("python")
    result = subprocess.run([sys.executable, "-W", "ignore", "-c", code], cwd=place, env={**os.environ, "PYTHONPATH": str(package)},
                            capture_output=True, text=True, timeout=600)
    assert result.returncode == 0, result.stderr
    assert re.search(r"\d+ mixes will do; of them \d+ did", result.stdout)
