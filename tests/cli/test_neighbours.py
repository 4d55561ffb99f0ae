"""Maps, as a user meets them: a preconditioner and predictions by neighbours, and a trend whose coefficients are learnt."""

import csv
import json
import math
import random
import statistics

import pytest

from conftest import Ulisse, draws_of


def write_map(path, n, seed):
    draw = random.Random(seed)
    rows = [(draw.uniform(0, 10), draw.uniform(0, 10)) for _ in range(n)]
    values = [math.sin(a) * math.cos(1.3 * b) + 0.3 * a + 0.2 * draw.gauss(0, 1) for a, b in rows]
    path.write_text("\n".join(["east,north,y", *(f"{a},{b},{y}" for (a, b), y in zip(rows, values))]) + "\n")
    return path


@pytest.fixture(scope="module")
def map_table(tmp_path_factory):
    return write_map(tmp_path_factory.mktemp("data") / "map.csv", 700, 1)


def langevin(ulisse, table, folder, *more, draws=20):
    """Steps on an anchor, which tables of this size do not need."""
    return ulisse.json("fit", table, "--target", "y", "--kernel", "matern32", "--sampler", "ulisse", "--step", "1", "--warmup", "10",
                       "--draws", draws, "--chains", "2", "--mode-gradient", "probes", "--quiet", "--out", folder, *more)


@pytest.fixture(scope="module")
def fitted(map_table, tmp_path_factory):
    folder = tmp_path_factory.mktemp("fits") / "map"
    return folder, langevin(Ulisse(), map_table, folder)


def test_on_a_map_the_preconditioner_looks_at_neighbours(ulisse, fitted, map_table, tmp_path):
    assert fitted[1]["setup"]["neighbours"] == 30
    without = langevin(ulisse, map_table, tmp_path / "without", "--neighbours", "0")
    assert without["setup"]["neighbours"] == 0
    # Probes drawn from a P that is nearer to K have less noise.
    assert fitted[1]["setup"]["noise"]["probes_without_anchor"] < without["setup"]["noise"]["probes_without_anchor"]


def test_it_is_the_same_when_made_again(ulisse, fitted, map_table, tmp_path):
    folder = tmp_path / "resumed"
    langevin(ulisse, map_table, folder, draws=8)
    ulisse.json("fit", "--resume", "--draws", "20", "--quiet", "--out", folder)
    assert draws_of(folder) == draws_of(fitted[0])


def test_neighbours_that_cannot_be_are_refused(ulisse, map_table, tmp_path):
    refused = ulisse.run("fit", map_table, "--target", "y", "--sampler", "ulisse", "--neighbours", "1000", "--out", tmp_path / "f")
    assert refused.returncode == 2 and "--neighbours: '1000' is too large; at most 500" in refused.stderr


def predicted(ulisse, folder, new, out, *more):
    # Few draws, which it warns of.
    run = ulisse.run("predict", folder, new, "--draws", "5", "--json", "--quiet", "--force", "--out", out, *more)
    assert run.returncode == 0, run.stderr
    with open(out) as file:
        return json.loads(run.stdout), list(csv.DictReader(file))


def test_predictions_by_neighbours_are_those_of_all_rows(ulisse, fitted, tmp_path):
    new = write_map(tmp_path / "new.csv", 120, 2)
    by_all, exact = predicted(ulisse, fitted[0], new, tmp_path / "exact.csv", "--method", "exact")
    by_near, near = predicted(ulisse, fitted[0], new, tmp_path / "near.csv", "--method", "neighbours")
    assert by_all["method"] == "exact" and by_near["method"] == "neighbours"
    assert 0 < by_near["variance_error"] <= 0.01
    for a, b in zip(exact, near):
        assert float(b["mean"]) == pytest.approx(float(a["mean"]), abs=1e-6)
        assert float(b["sd"]) == pytest.approx(float(a["sd"]), rel=0.02)


def test_the_coefficients_of_a_trend_are_learnt_once(ulisse, tmp_path):
    folder = tmp_path / "fit"
    langevin(ulisse, write_map(tmp_path / "map.csv", 2050, 3), folder, "--trend", "east", "--anchor-probes", "8", "--rank", "50")
    assert (folder / "setup_trend_coefficients").exists()
    rows = [row for chain in sorted(folder.glob("chain_*.csv")) for row in csv.DictReader(line for line in open(chain) if line[0] != "#")]
    slopes = [float(row["trend.east"]) for row in rows]
    # The truth is 0.3; waves of length 6 hide it a little.
    assert abs(statistics.mean(slopes) - 0.3) < 4 * statistics.stdev(slopes)
    assert 0 < statistics.stdev(slopes) < 0.3
