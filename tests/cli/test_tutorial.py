"""Every command of docs/guide/tutorial.md, run as it stands."""

import re

import pytest

from guide_pages import PACKAGE, blocks, place_like_the_repository, run_python, run_shell


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    return place_like_the_repository(tmp_path_factory.mktemp("tutorial"))


@pytest.fixture(scope="module")
def outputs(place):
    found = []
    for _, block in blocks("tutorial.md", ["sh"]):
        result = run_shell(block, place)
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
    if not PACKAGE.exists():
        pytest.skip("the Python package was not built")
    ((_, code),) = blocks("tutorial.md", ["python"])
    result = run_python(code, place)
    assert result.returncode == 0, result.stderr
    assert re.search(r"\d+ mixes will do; of them \d+ did", result.stdout)
