"""The draws of a matrix of small fits, bit for bit as they were recorded.

A change that is to leave results as they are leaves these hashes as they are. One that is to change them records them anew, and says
why: `python3 tests/cli/test_recorded_draws.py > tests/cli/recorded_draws.json`. The inner loops and OpenBLAS are held to AVX2, so that the bits
do not depend on which processor the tests run on.
"""

import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from conftest import CONCRETE, EXECUTABLE, gamma_priors

RECORDED = pathlib.Path(__file__).with_name("recorded_draws.json")
BACKENDS = ("reference", "dense", "dense-float", "cached", "kdtree", "anchors")
DRAWS = 24
SHORT = ("--chains", 2, "--warmup", 20)
SGLD = ("--sampler", "sgld", *SHORT, "--rank", 20)
LANGEVIN = ("--sampler", "ulisse", *SHORT, "--step", 1)

# Name of a fit: rows of the table, options, and draws after which it is stopped and resumed, or None.
FITS = {
    "mh": (120, ("--sampler", "mh", *SHORT), None),
    "mh-ard": (120, ("--sampler", "mh", *SHORT, "--kernel", "matern32-ard"), None),
    "mh-resumed": (120, ("--sampler", "mh", *SHORT), 11),
    "nuts": (100, ("--sampler", "nuts", *SHORT), None),
    "nuts-ard": (100, ("--sampler", "nuts", *SHORT, "--kernel", "matern52-ard"), None),
    "nuts-resumed": (100, ("--sampler", "nuts", *SHORT), 11),
    "sgld-paper": (150, ("--sampler", "sgld", "--preset", "paper", "--chains", 2, "--warmup", 40), None),
    "sgld-ard": (150, (*SGLD, "--kernel", "matern32-ard"), None),
    "sgld-resumed": (150, SGLD, 11),
    "exact-steps": (120, ("--sampler", "ulisse", *SHORT), None),
    "exact-steps-ard": (120, ("--sampler", "ulisse", *SHORT, "--kernel", "matern32-ard"), None),
    "exact-steps-resumed": (120, ("--sampler", "ulisse", *SHORT), 11),
    "langevin-ard": (310, (*LANGEVIN, "--kernel", "matern32-ard"), None),
    "langevin-trace": (310, (*LANGEVIN, "--trace", "probes"), None),
    "langevin-resumed": (310, LANGEVIN, 11),
    **{f"sgld-{backend}": (150, (*SGLD, "--backend", backend), None) for backend in BACKENDS},
    **{f"langevin-{backend}": (310, (*LANGEVIN, "--backend", backend), None) for backend in BACKENDS},
}


def run(*arguments):
    environment = {**os.environ, "ULISSE_INSTRUCTIONS": "AVX2", "OPENBLAS_CORETYPE": "Haswell"}
    subprocess.run([EXECUTABLE, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment, timeout=600)


def table(folder, rows):
    """Every seventh row of Concrete, with three of its inputs."""
    lines = pathlib.Path(CONCRETE).read_text().splitlines()
    names = lines[0].split(",")
    kept = [names.index(name) for name in ("cement", "water", "age", "strength")]
    body = [lines[1 + 7 * i % (len(lines) - 1)].split(",") for i in range(rows)]
    path = folder / "table.csv"
    path.write_text("\n".join(",".join(row[k] for k in kept) for row in [names, *body]) + "\n")
    return path


def without_quantities(lines):
    """Of the lines of a chain's file the columns up to the last parameter's: what follows from these stands behind them."""
    names = lines[0].split(",")
    count = next((j for j, name in enumerate(names) if name.startswith("signal_sd")), len(names))
    return [",".join(line.split(",")[:count]) for line in lines]


def digest(files):
    """Of what files hold but for comments, which have times in them, and for what follows from the parameters."""
    tables = [[line for line in file.read_text().splitlines() if not line.startswith("#")] for file in files]
    lines = [line for table in tables for line in without_quantities(table)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def fit(folder, name):
    rows, options, stop_after = FITS[name]
    out = folder / "fit"
    common = ("fit", table(folder, rows), "--target", "strength", "--seed", 3, "--out", out, "--quiet", *options)
    if "--preset" not in options:  # the paper's has its own
        common += tuple(gamma_priors())
    if stop_after is not None:
        run(*common, "--draws", stop_after)
    run(*common, "--draws", DRAWS, *(["--resume"] if stop_after is not None else []))
    return out


def digest_of_fit(folder, name):
    return digest(sorted(fit(folder, name).glob("chain_*.csv")))


def digests_of_predictions(folder):
    """By each method, of one fit."""
    out, digests = fit(folder, "mh-ard"), {}
    for method in ("exact", "float", "iterative"):
        file = folder / f"{method}.csv"
        run("predict", out, folder / "table.csv", "--method", method, "--draws", 6, "--samples", 3, "--out", file)
        file.write_text(re.sub(r"\bfit-[0-9a-f]{8}\b", "fit", file.read_text()))  # a hash of all settings, words for the same among them
        digests[f"predictions-{method}"] = digest([file])
    return digests


has_avx2 = "avx2" in pathlib.Path("/proc/cpuinfo").read_text().split()
recorded_for_avx2 = pytest.mark.skipif(not has_avx2, reason="the draws were recorded with AVX2")


@recorded_for_avx2
@pytest.mark.parametrize("name", FITS)
def test_draws_are_those_recorded(name, tmp_path):
    assert digest_of_fit(tmp_path, name) == json.loads(RECORDED.read_text())[name]


@recorded_for_avx2
def test_predictions_are_those_recorded(tmp_path):
    recorded = json.loads(RECORDED.read_text())
    for name, digest_now in digests_of_predictions(tmp_path).items():
        assert digest_now == recorded[name], name


def test_a_resumed_fit_has_the_draws_of_one_that_was_not():
    recorded = json.loads(RECORDED.read_text())
    assert recorded["mh"] == recorded["mh-resumed"]
    assert recorded["nuts"] == recorded["nuts-resumed"]
    assert recorded["exact-steps"] == recorded["exact-steps-resumed"]
    assert recorded["sgld-cached"] == recorded["sgld-resumed"]
    assert recorded["langevin-cached"] == recorded["langevin-resumed"] == recorded["langevin-dense"]


def test_an_instruction_set_that_the_machine_lacks_is_refused(ulisse):
    result = ulisse.run("bench", "products", "--n", 100, "--backends", "dense", env={**os.environ, "ULISSE_INSTRUCTIONS": "AVX9"})
    assert result.returncode == 2
    assert "ULISSE_INSTRUCTIONS: this machine has no 'AVX9'; it has " in result.stderr


if __name__ == "__main__":
    digests = {}
    for each in FITS:
        with tempfile.TemporaryDirectory() as place:
            digests[each] = digest_of_fit(pathlib.Path(place), each)
        print(each, digests[each], file=sys.stderr)
    with tempfile.TemporaryDirectory() as place:
        digests |= digests_of_predictions(pathlib.Path(place))
    print(json.dumps(digests, indent=1))
