"""Draws from a surrogate of the posterior, and its certificate, as a user meets them."""

import math
import random
import subprocess
import time

import pytest

from conftest import EXECUTABLE, Ulisse, draws_of


def table(path, n=330, seed=1):
    draw = random.Random(seed)
    rows = [(draw.gauss(0, 1), draw.gauss(0, 1)) for _ in range(n)]
    lines = [f"{a},{b},{math.sin(2 * a) + 0.5 * b + 0.3 * draw.gauss(0, 1)}" for a, b in rows]
    path.write_text("\n".join(["a,b,y", *lines]) + "\n")
    return path


def options(path, folder, *more):
    return ("fit", path, "--target", "y", "--sampler", "ulisse", "--quiet", "--out", folder, *more)


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return table(tmp_path_factory.mktemp("data") / "waves.csv")


@pytest.fixture(scope="module")
def certified(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("fits") / "certified"
    return folder, Ulisse().json(*options(data, folder))


def draws(folder):
    return [rows[1:] for rows in draws_of(folder).values()]


def test_a_fit_is_certified_and_says_what_that_means(ulisse, certified):
    folder, fit = certified
    certificate = fit["setup"]["certificate"]
    assert 0 < certificate["limit"] <= 0.05 and 0.95 < certificate["level"] < 1 and certificate["curvature"] > 0
    assert fit["bias"]["surrogate"] == certificate["limit"]
    text = ulisse.output("summary", folder)
    for words in ["learnt from", "Certificate:", "log-concave", "by the surrogate"]:
        assert words in text


def test_the_density_of_a_draw_is_the_surrogates(certified):
    folder, _ = certified
    densities = {line.split(",")[0] for line in draws(folder)[0]}
    assert len(densities) > 100


def test_draws_agree_with_an_exact_sampler(ulisse, data, certified, tmp_path):
    _, ours = certified
    truth = ulisse.json("fit", data, "--target", "y", "--sampler", "mh", "--draws", "2000", "--quiet", "--out", tmp_path / "mh")
    for name, exact in truth["log_parameters"].items():
        seen = ours["log_parameters"][name]
        error = math.sqrt(1 / exact["ess_bulk"] + 1 / seen["ess_bulk"])
        # A false alarm once in 10,000 for each number, were all differences as large as the certificate's goal.
        assert abs(seen["mean"] - exact["mean"]) / exact["sd"] < 0.05 + 4 * error
        assert abs(seen["sd"] / exact["sd"] - 1) < 0.05 + 4 * error


def test_more_draws_cost_nothing_and_go_on(ulisse, certified):
    folder, _ = certified
    before = draws(folder)
    started = time.monotonic()
    more = ulisse.json("fit", "--resume", "--quiet", "--out", folder, "--draws", "1500")
    assert more["draws"] == 1500 and time.monotonic() - started < 20
    assert all(after[:500] == first for first, after in zip(before, draws(folder), strict=True))


def test_threads_do_not_matter(ulisse, data, certified, tmp_path):
    folder, _ = certified
    ulisse.output(*options(data, tmp_path / "one", "--threads", "1"))
    assert [chain[:500] for chain in draws(folder)] == draws(tmp_path / "one")


def test_a_set_up_that_is_killed_goes_on_to_the_same_draws(ulisse, data, certified, tmp_path):
    folder, _ = certified
    process = subprocess.Popen([EXECUTABLE, *map(str, options(data, tmp_path / "killed"))], stdout=subprocess.DEVNULL)
    while not (tmp_path / "killed" / "setup_coordinates").exists() and process.poll() is None:
        time.sleep(0.002)
    process.kill()
    process.wait()
    ulisse.output("fit", "--resume", "--quiet", "--out", tmp_path / "killed")
    assert [chain[:500] for chain in draws(folder)] == draws(tmp_path / "killed")


def test_without_a_surrogate_there_is_no_certificate(ulisse, data, tmp_path):
    fit = ulisse.json(*options(data, tmp_path / "fit", "--no-surrogate", "--draws", "60"))
    assert "certificate" not in fit["setup"] and fit["setup"]["surrogate_gradients"] == 0
    assert fit["setup"]["why_no_surrogate"] == {"code": "surrogate_not_wanted", "values": {}}


def test_a_goal_out_of_reach_is_not_certified(ulisse, data, tmp_path):
    fit = ulisse.json(*options(data, tmp_path / "fit", "--certificate", "1e-9", "--draws", "60"))
    assert "certificate" not in fit["setup"] and fit["setup"]["surrogate_gradients"] > 0
    why = fit["setup"]["why_no_surrogate"]
    assert why["code"] in ("no_progress", "gradients_spent", "too_many_gradients_needed", "attempts_failed")
    assert why["values"]["goal"] == 1e-9 and why["values"]["gradients"] == fit["setup"]["surrogate_gradients"]
    assert "was not certified" in ulisse.output("summary", tmp_path / "fit") or fit["setup"]["exact"]
