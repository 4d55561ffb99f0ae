"""Commands of docs/guide/how-to.md run, on small tables of the names and columns that they speak of, with few draws."""

import re
import subprocess

import numpy as np
import pytest

from conftest import EXECUTABLE, ROOT

FEW = "--draws 20 --warmup 30 --chains 2 --quiet"
RNG = np.random.default_rng(3)


def sections():
    """{heading: its blocks of commands, a command a line}"""
    text = (ROOT / "docs" / "guide" / "how-to.md").read_text()
    found = {}
    for part in re.split(r"^##+ ", text, flags=re.M)[1:]:
        blocks = re.findall(r"(?:^    \S.*\n(?:      .*\n)*)+", part, re.M)
        lines = [line.strip() for block in blocks for line in block.replace("\\\n", " ").splitlines()]
        if lines:
            found[part.splitlines()[0]] = lines
    return found


def write(path, rows, **columns):
    """Numbers drawn for a name without values; one target that follows the first input."""
    names = list(columns)
    values = [[columns[name](i) for name in names] for i in range(rows)]
    path.write_text("\n".join([",".join(names), *(",".join(map(str, row)) for row in values)]) + "\n")


def uniform(_):
    return round(RNG.uniform(0, 10), 3)


def noisy(i):
    return round(np.sin(i / 7) + 0.1 * RNG.normal(), 3)


TABLES = {
    "zinc.csv": (40, {"x": uniform, "y": uniform, "sqrtdist": uniform, "logzinc": noisy}),
    "grid.csv": (5, {"x": uniform, "y": uniform, "sqrtdist": uniform}),
    "satellite_train.csv": (53 * 40, {"lon": uniform, "lat": uniform, "temperature": noisy}),
    "satellite_test.csv": (20 * 5, {"lon": uniform, "lat": uniform, "temperature": noisy}),
    "co2.csv": (48, {"year": lambda i: 1970 + i / 12, "co2": noisy}),
    "later.csv": (5, {"year": lambda i: 1975 + i / 12}),
    "runs.csv": (30, {"a": uniform, "b": uniform, "output": noisy}),
    "new.csv": (5, {"a": uniform, "b": uniform}),
    "pupils.csv": (40, {"school": lambda i: "north south east".split()[i % 3], "age": uniform, "score": noisy}),
    "stars.csv": (40, {"distance": uniform, "error": lambda i: 0.1 + 0.01 * (i % 5), "velocity": noisy}),
}


def with_few_draws(command):
    if not command.startswith("ulisse"):
        return command
    command = re.sub(r" --(draws|warmup|chains) \d+", "", command).replace("ulisse", str(EXECUTABLE), 1)
    return f"{command} {FEW} --force" if " fit " in command else f"{command} --draws 5"


def runnable(lines):
    """Options that a section adds go with its first fit."""
    first = next(line for line in lines if line.startswith("ulisse fit"))
    return [first + " " + line if line.startswith("--") else line for line in lines]


def test_the_page_is_read():
    assert {"Maps", "A map of many rows", "Time series", "Groups", "Known measurement errors"} <= set(sections())


@pytest.mark.parametrize("section", sections())
def test_commands_run(section, tmp_path):
    for name, (rows, columns) in TABLES.items():
        write(tmp_path / name, rows, **columns)
    for line in runnable(sections()[section]):
        result = subprocess.run(["bash", "-euo", "pipefail", "-c", with_few_draws(line)], cwd=tmp_path, capture_output=True, text=True, timeout=300)
        assert result.returncode == 0, (line, result.stderr)
